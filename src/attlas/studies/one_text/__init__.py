"""One text: what a model predicts in it, which heads write that, and what changes without some of them."""

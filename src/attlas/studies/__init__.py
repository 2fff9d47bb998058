"""One file a question to a model over a corpus."""

"""Questions to a model over a corpus: a file or a folder for each, and what they share."""

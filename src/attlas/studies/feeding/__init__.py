"""Who wrote what a head's queries and keys are made of: for one link, and over a corpus."""

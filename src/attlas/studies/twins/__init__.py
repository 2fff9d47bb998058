"""Untrained twins: what the same architecture gives before it has learned anything, in the same run."""

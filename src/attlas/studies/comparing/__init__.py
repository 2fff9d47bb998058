"""Comparing: what became of every head between two models of one shape (Kovaleva 2019, section 4.3)."""

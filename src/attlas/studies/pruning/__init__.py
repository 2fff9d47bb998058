"""Pruning: the order in which heads can go, what is lost on the way, and smaller models."""

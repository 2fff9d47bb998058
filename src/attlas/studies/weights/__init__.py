"""Weights: how much do heads put on chosen tokens? Shared by the studies that ask so."""

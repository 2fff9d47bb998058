"""Tests of the names of heads: what a model loses when heads do what their names say, and no more."""

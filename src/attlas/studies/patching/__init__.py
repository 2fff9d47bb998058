"""Patching: what a head carries, seen by moving it from one text into another."""

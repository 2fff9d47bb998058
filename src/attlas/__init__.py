"""Attlas: an atlas of attention."""

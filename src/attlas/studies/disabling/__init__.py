"""Disabling: what a model loses without each of its heads and layers (Kovaleva 2019, section 4.6)."""

"""The five shapes of attention maps (Kovaleva 2019, section 4.1), told apart by a small network."""

"""The map of one head.

The weight of every query (rows) on every key (columns), as a matrix.
"""

import attlas

text = "The old town lies on the river. The new town lies on the hill above it."
attlas.view("mini", text, kind="matrix", layer=7, heads=[1]).figure("picture.png")

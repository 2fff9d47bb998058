"""Heads that are alike.

Figure 6 of Clark et al. 2019: heads that attend alike lie close together.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "plane").savefig("picture.png", dpi=100)

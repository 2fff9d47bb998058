"""A model at a glance.

Layer by head, one heat map per statistic. The first figure to draw of a model that you do not know.
"""

import attlas
from attlas.figures import draw

atlas = attlas.load_atlas("mini.attlas")
draw(atlas, "glance").savefig("picture.png", dpi=100)

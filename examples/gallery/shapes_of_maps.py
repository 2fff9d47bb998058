"""What maps look like.

The share of each shape of Kovaleva et al. 2019, as a network sees it that learned from maps labelled by
eye.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "shapes").savefig("picture.png", dpi=100)

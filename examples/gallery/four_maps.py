"""Maps of informative heads.

Figure 1 of Clark et al. 2019: of the heads that do most of one thing, whole maps of a sentence.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "maps").savefig("picture.png", dpi=100)

"""How broadly heads look.

Figure 4 of Clark et al. 2019: the entropy of attention beside that of even attention (dashed).
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "entropy").savefig("picture.png", dpi=100)

"""Where attention goes, layer by layer.

Figure 2 of Clark et al. 2019: a dot per head, its standard error, and the mean of each layer.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "targets").savefig("picture.png", dpi=100)

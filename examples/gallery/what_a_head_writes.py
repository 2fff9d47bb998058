"""What heads write.

Weight at rest beside what is really written into the residual stream, and how long what is written is.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "writes").savefig("picture.png", dpi=100)

"""Names of heads, and where they are.

How many heads follow each pattern beyond chance, and in which layers they are.
"""

import attlas
from attlas.figures import draw

draw(attlas.load_atlas("mini.attlas"), "patterns").savefig("picture.png", dpi=100)

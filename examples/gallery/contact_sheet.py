"""All about one head, as pictures.

The typical maps of a head, with the shape of each.
"""

from pathlib import Path

import attlas

(path,) = attlas.draw("mini.attlas", head="7.0", figures="sheet", formats=["png"])
Path(path).rename("picture.png")

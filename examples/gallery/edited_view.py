"""See what an edit changes.

With layers 0 to 5 attending evenly, head 7.10 no longer finds what it found. An edit goes into a view like
any other option.
"""

import attlas

edits = [attlas.edit.uniform([f"{layer}.*" for layer in range(6)])]
attlas.view("mini", "The old man found the birds.", layer=7, heads=[10], edits=edits).figure("picture.png")

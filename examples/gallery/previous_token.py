"""A head that looks back, and one that looks ahead.

Two heads of one layer in one picture, each in its colour: 7.11 looks at the previous token, 7.0 at the
next.
"""

import attlas

attlas.view("mini", "The cat sat on the mat.", layer=7, heads=[0, 11]).figure("picture.png")

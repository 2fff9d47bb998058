"""Attention by what it moves.

A weight on a token with a tiny value moves nothing. By norm, each weight counts times the length of the
vector that it moves (Kobayashi et al. 2020).
"""

import attlas

attlas.view("mini", "The cat sat on the mat.", layer=11, heads=[1, 5], weighting="norm").figure("picture.png")

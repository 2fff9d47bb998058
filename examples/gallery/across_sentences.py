"""Links between two sentences.

Show only what goes from the first sentence to the second.
"""

import attlas

attlas.view(
    "mini", "The rabbit hopped.", "The turtle crawled.", layer=6, heads=[1, 8], sentences="a-b"
).figure("picture.png")

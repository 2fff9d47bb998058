"""A head that looks at the next token.

In the embedded BERT, head 7.0 attends to the token after each one. The line's weight is the share of
attention.
"""

import attlas

shown = attlas.view(
    "mini", "I went to the store.", "At the store, I bought fresh strawberries.", layer=7, heads=[0]
)
shown.figure("picture.png")

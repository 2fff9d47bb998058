"""What one word looks at.

Pin a token to see its links alone: here `found`, over all heads of layer 8. Tokens count from 0, and [CLS]
is one.
"""

import attlas

attlas.view("mini", "The dog found the cat in the tree.", layer=8, pinned=[("query", 3)]).figure(
    "picture.png"
)

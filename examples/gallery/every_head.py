"""Every head at once.

One small map per head, layers downwards. Lines going straight down, slanted lines and fans are easy to tell
apart.
"""

import attlas

attlas.view("mini", "The cat sat on the mat.", kind="model").figure("picture.png")

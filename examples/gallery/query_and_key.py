"""How a weight comes about.

The query of a token, its keys, their product dimension by dimension, and the softmax.
"""

import attlas

attlas.view("mini", "I went to the store.", kind="neuron", layer=7, heads=[0]).figure("picture.png")

"""A figure of your own.

An atlas gives arrays: layer by head for each statistic. The rest is matplotlib.
"""

import matplotlib.pyplot as plt

import attlas

atlas = attlas.load_atlas("mini.attlas")
ahead, back = atlas.grid("to_next"), atlas.grid("to_previous")
figure, axes = plt.subplots(figsize=(5, 4))
axes.scatter(back, ahead, c=[[layer] * 12 for layer in range(12)], cmap="viridis", s=14)
axes.set(xlabel="attention to the previous token", ylabel="to the next token", title="mini, colour: layer")
figure.savefig("picture.png", dpi=100)

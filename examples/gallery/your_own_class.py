"""Attention to tokens of your own.

A function says which tokens are yours. You get the share that goes to them as a statistic of every head.
"""

import matplotlib.pyplot as plt

import attlas

atlas = attlas.map(
    "mini", classes={"digits": str.isdigit}, segments=16, sample=0, twin=False, atlas="digits.attlas"
)
figure, axes = plt.subplots(figsize=(4.6, 4))
picture = axes.imshow(atlas.grid("to_class", "digits"), cmap="magma")
figure.colorbar(picture, label="attention to digits")
axes.set(xlabel="head", ylabel="layer")
figure.savefig("picture.png", dpi=100)

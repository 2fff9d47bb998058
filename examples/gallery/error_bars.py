"""Means with their errors.

Every mean in an atlas has a standard error over documents. Here the twelve heads of layer 7.
"""

import matplotlib.pyplot as plt

import attlas

heads = attlas.load_atlas("mini.attlas").heads
layer = heads.query("statistic == 'to_next' and layer == 7 and head < 12")
figure, axes = plt.subplots(figsize=(5, 3.2))
axes.errorbar(layer["head"], layer["value"], yerr=1.96 * layer["stderr"], fmt="o", capsize=3)
axes.set(xlabel="head of layer 7", ylabel="attention to the next token", ylim=(0, 1))
figure.tight_layout()
figure.savefig("picture.png", dpi=100)

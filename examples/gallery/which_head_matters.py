"""Which heads the model needs.

Switch off the heads of layer 10 one at a time: the change of the loss, with 95 % intervals over documents.
"""

import matplotlib.pyplot as plt

import attlas

result = attlas.disable(
    "mini", heads=[f"10.{head}" for head in range(12)], segments=12, length=32, progress=False
)
table = result.table.sort_values("head")
low, high = table["change"] - table["low"], table["high"] - table["change"]
figure, axes = plt.subplots(figsize=(5.5, 3.2))
axes.errorbar(table["head"], table["change"], yerr=[low, high], fmt="o", capsize=3)
axes.axhline(0, color="grey", linewidth=0.8)
axes.set(xlabel="head of layer 10, switched off", ylabel="change of the loss, nats")
figure.tight_layout()
figure.savefig("picture.png", dpi=100)

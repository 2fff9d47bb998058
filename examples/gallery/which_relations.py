"""Which head tracks which relation.

Relations of grammar that single heads find (dots, with 95 % intervals), beside the best fixed offset
(crosses).
"""

import matplotlib.pyplot as plt

import attlas

best = attlas.load_atlas("mini.attlas").table("best").head(12).iloc[::-1]
low, high = best["accuracy"] - best["low"], best["high"] - best["accuracy"]
named = [f"{row.group}: {row.layer}.{row.head}" for row in best.itertuples()]
figure, axes = plt.subplots(figsize=(5.5, 4))
axes.errorbar(best["accuracy"], named, xerr=[low, high], fmt="o", capsize=3, label="the head")
axes.scatter(best["baseline_accuracy"], named, marker="x", color="grey", label="best fixed offset")
axes.set(xlabel="accuracy", xlim=(0, 1))
axes.legend()
figure.tight_layout()
figure.savefig("picture.png", dpi=100)

"""Why does a head look there?

The score of one link is a sum of what embeddings and earlier layers wrote into its query and its key. Here
the largest parts.
"""

import matplotlib.pyplot as plt

import attlas

reasons = attlas.why("mini", heads=["7.10"], sentence="The old town lies on the river.")
parts = sorted(reasons.as_data()["parts"], key=lambda part: abs(part["lift"]))[-8:]
figure, axes = plt.subplots(figsize=(6, 3.2))
axes.barh([f"{part['writer']} ({part['end']})" for part in parts], [part["lift"] for part in parts])
axes.set_xlabel("added to the score")
figure.tight_layout()
figure.savefig("picture.png", dpi=100)
print(f"{reasons.head} looks from {reasons.tokens[reasons.query]!r} at {reasons.tokens[reasons.key]!r}")

"""Statistics of one sentence.

Any statistic runs inside a tap, without a corpus: here the entropy of every head over one sentence.
"""

import matplotlib.pyplot as plt

import attlas
from attlas.reducers import Means, entropy

subject = attlas.load("mini")
statistics = Means(entropy())
with attlas.Tap(subject, [statistics]) as tap:
    tap.run(subject.encode("The cat sat on the mat."))
rows = [row for row in statistics.rows() if row.group == "all"]
figure, axes = plt.subplots(figsize=(5.5, 3.2))
axes.scatter([row.layer for row in rows], [row.value for row in rows], s=14)
axes.set(xlabel="layer", ylabel="entropy over one sentence, nats")
figure.tight_layout()
figure.savefig("picture.png", dpi=100)
print(max(rows, key=lambda row: row.value).layer, "is the layer of the broadest head")

"""Switch a layer off.

What the model expects at [MASK], with all its heads and with one layer's heads attending evenly.
"""

import matplotlib.pyplot as plt

import attlas

subject = attlas.load("mini")
batch = subject.encode("She was born in London, [MASK].")
figure, axes = plt.subplots(figsize=(6, 3.2))
for shift, edits in enumerate([[], [attlas.edit.uniform(["10.*"])]]):
    with attlas.Tap(subject, edits=edits) as tap:
        chances = tap.run(batch, predictions=True).prediction_logits[0, -3].softmax(-1)
    words = [subject.tokenizer.convert_tokens_to_ids(word) for word in ("england", "london", "uk", "canada")]
    places = [word + 0.4 * shift for word in range(4)]
    axes.bar(places, chances[words].tolist(), 0.4, label=("unmodified", "without layer 10")[shift])
axes.set_xticks([0.2, 1.2, 2.2, 3.2], ["england", "london", "uk", "canada"])
axes.set_ylabel("probability at [MASK]")
axes.legend()
figure.savefig("picture.png", dpi=100)

"""Train a small vision-language model on made pictures, and see which of its heads find what is asked for.

    python training/pictures.py --out out/pictures

A picture has coloured squares on a grid; the question names a colour ("where is the square in red") and the
answer is its row and its column. To answer, some head must look from the text to the patch that has the
square: the table at the end says how often each head's strongest patch is that one, in pictures that the
model has not seen. Minutes on a CPU.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

GRID, PATCH = 5, 8  # patches on a side, pixels on a side of one
COLOURS = {
    "red": (220, 40, 40),
    "green": (40, 170, 60),
    "blue": (50, 80, 220),
    "yellow": (230, 210, 50),
    "purple": (150, 60, 190),
    "orange": (240, 140, 30),
}
SQUARES = 4  # in a picture, at most
WORDS = ["<pad>", "<s>", "</s>", "<image>", "<unk>", "where", "is", "the", "square", "in", *COLOURS]
WORDS += [f"{what}{n}" for what in ("row", "column") for n in range(GRID)]


class Made:
    """Pictures, each with the places of its squares: one generator, so that a seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def picture(self) -> tuple[np.ndarray, dict[str, int]]:
        """Pixels (high wide colour), and the patch of each colour that is there."""
        pixels = self.random.integers(200, 256, (GRID * PATCH, GRID * PATCH, 1)).repeat(3, 2).astype(np.uint8)
        several = int(self.random.integers(2, SQUARES + 1))
        cells = self.random.choice(GRID * GRID, several, replace=False)
        colours = self.random.choice(list(COLOURS), several, replace=False)
        for cell, colour in zip(cells, colours, strict=True):
            row, column = divmod(int(cell), GRID)
            top, left = row * PATCH + 1, column * PATCH + 1
            pixels[top : top + PATCH - 2, left : left + PATCH - 2] = COLOURS[str(colour)]
        return pixels, {str(c): int(cell) for c, cell in zip(colours, cells, strict=True)}


class Asked(NamedTuple):
    """Of a picture's question: the patch that is asked for, and how many squares there are to choose from."""

    patch: int
    squares: int


def question(colour: str) -> str:
    return f"where is the square in {colour}"


def answer(cell: int) -> str:
    return f"row{cell // GRID} column{cell % GRID}"


def new_model() -> Any:
    import transformers as tr

    vision = tr.CLIPVisionConfig(
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=128,
        image_size=GRID * PATCH,
        patch_size=PATCH,
    )
    text = tr.LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        intermediate_size=128,
        max_position_embeddings=128,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        tie_word_embeddings=False,
    )
    config = tr.LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=WORDS.index("<image>"),
        vision_feature_layer=-1,
        image_seq_length=GRID * GRID,
    )
    model = tr.LlavaForConditionalGeneration(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(5)  # weights begin as those of a model twelve times as wide
    return model


def new_processor() -> Any:
    import transformers as tr
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokens = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokens.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokens.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    tokenizer = tr.PreTrainedTokenizerFast(
        tokenizer_object=tokens,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<image>"],
    )
    side = {"height": GRID * PATCH, "width": GRID * PATCH}
    half = [0.5] * 3
    pictures = tr.CLIPImageProcessorPil(size=side, do_center_crop=False, image_mean=half, image_std=half)
    return tr.LlavaProcessor(
        image_processor=pictures,
        tokenizer=tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )


def batch_of(made: Made, size: int) -> tuple[Tensor, Tensor]:
    """Ids (item token) and pixels: the picture, then a question and its answer for every square."""
    ids, pixels = [], []
    for _ in range(size):
        picture, squares = made.picture()
        words = ["<s>", *["<image>"] * GRID**2]
        for colour, cell in squares.items():
            words += [*question(colour).split(), *answer(cell).split()]
        ids.append([WORDS.index(word) for word in words])
        pixels.append(picture)
    longest = max(map(len, ids))
    ids = [[*known, *[0] * (longest - len(known))] for known in ids]
    numbers = torch.from_numpy(np.stack(pixels)).permute(0, 3, 1, 2).float() / 255
    return torch.tensor(ids), (numbers - 0.5) / 0.5


def train(steps: int, size: int, device: str) -> Any:
    torch.manual_seed(0)
    model, made, began = new_model().to(device), Made(0), time.monotonic()
    optimiser = torch.optim.AdamW(model.parameters(), 2e-3, (0.9, 0.98), weight_decay=0.01)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, max(2, steps), pct_start=0.1)
    for step in range(steps):
        ids, pixels = (tensor.to(device) for tensor in batch_of(made, size))
        labels = ids.masked_fill(ids < WORDS.index("row0"), -100)  # answers alone
        loss = model(input_ids=ids, pixel_values=pixels, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        rates.step()
        if step % 100 == 0 or step == steps - 1:
            print(f"step {step:5} loss {loss.item():.4f} {time.monotonic() - began:6.1f} s", flush=True)
    return model.eval().cpu()


def write_pictures(folder: Path, count: int) -> list[Asked]:
    """Pictures that the model has not seen, and `pictures.jsonl` that asks about them."""
    from PIL import Image

    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    made, lines, asked = Made(1), [], []
    for number in range(count):
        picture, squares = made.picture()
        colour = str(made.random.choice(list(squares)))
        file = Path("pictures") / f"{number:03}.png"
        Image.fromarray(picture).save(folder / file)
        record = {"text": f"<image> {question(colour)}", "images": [str(file)], "patch": squares[colour]}
        lines.append(json.dumps(record))
        asked.append(Asked(squares[colour], len(squares)))
    (folder / "pictures.jsonl").write_text("\n".join(lines) + "\n")
    return asked


def right_patches(subject: Any, folder: Path, asked: list[Asked]) -> tuple[dict[str, int], int]:
    """Of each decoder head, in how many pictures its strongest patch, from the question's last word, is the
    one that is asked for; and in how many the model answers with the right row."""
    from attlas.corpora.pictured_texts import PicturedTexts
    from attlas.tap.capture import capture

    right: Counter[str] = Counter()
    answered = 0
    for item, (patch, _) in zip(PicturedTexts.of(folder / "pictures.jsonl").items, asked, strict=True):
        batch = subject.encode_images(item.text, item.images)
        images = batch.sides["decoder"].members("image")[0]
        for call in capture(subject, batch):
            if call.kind == "decoder":
                for head, weights in enumerate(call.weights[:, -1, images]):
                    right[f"{call.layer}.{head}"] += int(weights.argmax()) == patch
        with torch.no_grad():
            word = WORDS[int(subject.model(**batch.inputs).logits[0, -1].argmax())]
        answered += word == answer(patch).split()[0]
    return dict(right), answered


def with_interval(right: int, count: int) -> str:
    """80% (95% interval 68% to 89%)"""
    from scipy.stats import binomtest

    low, high = binomtest(right, count).proportion_ci()
    return f"{right / count:.0%} (95% interval {low:.0%} to {high:.0%})"


def report(right: dict[str, int], answered: int, asked: list[Asked]) -> None:
    count, chosen = len(asked), sum(1 / one_of.squares for one_of in asked)
    print(
        f"\nthe model answers with the right row in {with_interval(answered, count)} of {count} new pictures;"
    )
    print(f"a guess is right in {1 / GRID:.0%}")
    print("\nhead   the strongest patch, from the question's last word, is the one that is asked for, in")
    for head, hits in sorted(right.items(), key=lambda pair: -pair[1])[:6]:
        print(f"{head:<6} {with_interval(hits, count)}")
    print(f"chance {1 / GRID**2:.0%} for any patch, {chosen / count:.0%} for one of the picture's squares")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/pictures"))
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--pictures", type=int, default=200, help="to ask about at the end")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    model = train(chosen.steps, chosen.batch, chosen.device)
    model.save_pretrained(chosen.out / "model")
    new_processor().save_pretrained(chosen.out / "model")
    asked = write_pictures(chosen.out, chosen.pictures)
    from attlas.subject import load

    subject = load(str(chosen.out / "model"), device="cpu", images=True)
    report(*right_patches(subject, chosen.out, asked), asked)


if __name__ == "__main__":
    main()

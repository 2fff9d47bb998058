"""Train a small vision-language model on made pictures, and see which of its heads find what is asked for.

    python research/pictures.py --out out/pictures

A picture has coloured squares on a grid; the question names a colour ("where is the square in red") and the
answer is its row and its column. A text has one picture or two. To answer, some head must look from the text
to the patch that has the square: the tables at the end say how often each head's strongest patch is that one,
in pictures that the model has not seen. Minutes on a CPU.
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
SQUARES = 3  # in a picture, at most: two pictures have all colours
WORDS = ["<pad>", "<s>", "</s>", "<image>", "<unk>", "where", "is", "the", "square", "in", *COLOURS]
WORDS += [f"{what}{n}" for what in ("row", "column") for n in range(GRID)]


Picture = tuple[np.ndarray, dict[str, int]]  # pixels (high wide colour), and the patch of each colour in it


class Made:
    """Pictures, each with the places of its squares: one generator, so that a seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def pictures(self, several: int) -> list[Picture]:
        """Those of one text: no colour is in two of them."""
        colours = list(map(str, self.random.permutation(list(COLOURS))))
        return [self._picture(colours) for _ in range(several)]

    def _picture(self, colours: list[str]) -> Picture:
        """With some of these colours, which are taken from the list."""
        pixels = self.random.integers(200, 256, (GRID * PATCH, GRID * PATCH, 1)).repeat(3, 2).astype(np.uint8)
        cells = self.random.choice(GRID * GRID, int(self.random.integers(2, SQUARES + 1)), replace=False)
        squares = {colours.pop(): int(cell) for cell in cells}
        for colour, cell in squares.items():
            row, column = divmod(cell, GRID)
            top, left = row * PATCH + 1, column * PATCH + 1
            pixels[top : top + PATCH - 2, left : left + PATCH - 2] = COLOURS[colour]
        return pixels, squares


class Asked(NamedTuple):
    """Of a question: the patch that is asked for, counted through all pictures of its text, and how many
    squares there are to choose from."""

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


def batch_of(made: Made, size: int, several: int) -> tuple[Tensor, Tensor]:
    """Ids (item token) and pixels: the pictures of a text, then a question and its answer for each square."""
    ids, pixels = [], []
    for _ in range(size):
        pictures = made.pictures(several)
        words = ["<s>", *["<image>"] * (GRID**2 * several)]
        for colour, cell in made.random.permutation(
            [pair for _, squares in pictures for pair in squares.items()]
        ):
            words += [*question(colour).split(), *answer(int(cell)).split()]
        ids.append([WORDS.index(word) for word in words])
        pixels += [picture for picture, _ in pictures]
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
        ids, pixels = (tensor.to(device) for tensor in batch_of(made, size, 1 + step % 2))
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


def write_questions(file: Path, count: int, several: int) -> list[Asked]:
    """JSON lines, each a question about pictures that the model has not seen, which lie beside the file."""
    from PIL import Image

    (file.parent / file.stem).mkdir(parents=True, exist_ok=True)
    made, lines, asked = Made(several), [], []
    for number in range(count):
        pictures = made.pictures(several)
        names = [f"{file.stem}/{number:03}{'ab'[i] * (several > 1)}.png" for i in range(several)]
        for name, (pixels, _) in zip(names, pictures, strict=True):
            Image.fromarray(pixels).save(file.parent / name)
        places = {
            c: i * GRID**2 + cell for i, (_, squares) in enumerate(pictures) for c, cell in squares.items()
        }
        colour = str(made.random.choice(list(places)))
        text = f"{'<image> ' * several}{question(colour)}"
        lines.append(json.dumps({"text": text, "images": names, "patch": places[colour]}))
        asked.append(Asked(places[colour], len(places)))
    file.write_text("\n".join(lines) + "\n")
    return asked


def right_patches(subject: Any, file: Path, asked: list[Asked]) -> tuple[dict[str, int], int]:
    """Of each decoder head, in how many pictures its strongest patch, from the question's last word, is the
    one that is asked for; and in how many the model answers with the right row."""
    from attlas.corpora.pictured_texts import PicturedTexts
    from attlas.tap.tap import capture

    right: Counter[str] = Counter()
    answered = 0
    for item, (patch, _) in zip(PicturedTexts.of(file).items, asked, strict=True):
        batch = subject.encode_images(item.text, item.images)
        images = batch.sides["decoder"].members("image")[0]
        for call in capture(subject, batch):
            if call.kind == "decoder":
                for head, weights in enumerate(call.weights[:, -1, images]):
                    right[f"{call.layer}.{head}"] += int(weights.argmax()) == patch
        with torch.no_grad():
            word = WORDS[int(subject.model(**batch.inputs).logits[0, -1].argmax())]
        answered += word == answer(patch % GRID**2).split()[0]
    return dict(right), answered


def with_interval(right: int, count: int) -> str:
    """80% (95% interval 68% to 89%)"""
    from scipy.stats import binomtest

    low, high = binomtest(right, count).proportion_ci()
    return f"{right / count:.0%} (95% interval {low:.0%} to {high:.0%})"


def report(right: dict[str, int], answered: int, asked: list[Asked], several: int) -> None:
    count, by_square = len(asked), sum(1 / ask.squares for ask in asked)
    with_pictures = "a picture" if several == 1 else f"{several} pictures"
    print(f"\n{count} new questions, each about {with_pictures} of {GRID} x {GRID} patches")
    print(f"right rows in answers: {with_interval(answered, count)}; by chance {1 / GRID:.0%}")
    print("head   its strongest patch, from the question's last word, has the square that is asked for")
    for head, hits in sorted(right.items(), key=lambda pair: -pair[1])[:4]:
        print(f"{head:<6} {with_interval(hits, count)}")
    print(f"chance {1 / GRID**2 / several:.0%} for any patch, {by_square / count:.0%} for any square")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/pictures"))
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--questions", type=int, default=200, help="to ask at the end, of each kind")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    model = train(chosen.steps, chosen.batch, chosen.device)
    model.save_pretrained(chosen.out / "model")
    new_processor().save_pretrained(chosen.out / "model")
    from attlas.subject import load

    subject = load(str(chosen.out / "model"), device="cpu", images=True)
    for name, several in (("pictures", 1), ("pairs", 2)):
        file = chosen.out / f"{name}.jsonl"
        asked = write_questions(file, chosen.questions, several)
        report(*right_patches(subject, file, asked), asked, several)


if __name__ == "__main__":
    main()

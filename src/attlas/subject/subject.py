"""The subject itself: what every later room asks about the model."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.corpora.batches import Batch, TokenClasses, Tokens
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.subject.image_inputs import image_token, read_images
from attlas.subject.implementation import without_recording_hooks
from attlas.subject.quantised import quantised_by
from attlas.subject.sharing import evaluating, in_this_thread
from attlas.subject.spelling import spell_ids
from attlas.subject.survey import attends_alike, survey
from attlas.subject.weights import batch_tokens, devices_of, fingerprint_of, home_of

if TYPE_CHECKING:
    from attlas.subject.loading import Origin


_LONG_TOKEN = 16  # characters per token: nearly every text has more tokens than its length divided by this


class Subject:
    """A model in evaluation mode, its tokenizer, and where each of its heads is.

    `heads` lists every head. `addresses` says which (kind, layer) the n-th call of an attention module within
    a forward pass is, since some models (ALBERT) call one module for every layer. Models outside
    transformers' attention interface make no such calls (`interface` is False): their weights are read from
    what they return, and cannot be edited. Layers keep the model's own numbers: `without_attention` has those
    of a hybrid that do not attend, and what they are. `repeated` are calls that use the weights of the call
    before for other values (DiffLlama).
    """

    def __init__(
        self,
        model: nn.Module,
        tokenizer: Any = None,
        name: str = "",
        origin: Origin | None = None,
        processor: Any = None,
        images: bool = False,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.name = name or type(model).__name__
        self.origin = origin  # None for a model that was given in memory
        self.processor = processor  # makes a model's inputs of texts and pictures
        self.images = images  # whether it reads images with its text, so that what reads them has heads too
        with evaluating(model):
            surveyed = survey(model, self.name, images)
        self.heads = surveyed.heads
        self.addresses = surveyed.addresses
        self.repeated = surveyed.repeated
        self.without_attention = surveyed.without_attention
        self.interface = surveyed.interface
        self._survey = surveyed

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process is given what the subject is made of, and finds its heads anew."""
        model = without_recording_hooks(self.model)
        parts = model, self.tokenizer, self.name, self.origin, self.processor, self.images
        return Subject, parts, {"_weight_hash": self._weight_hash}

    def __repr__(self) -> str:
        counted = ", ".join(f"{sum(h.kind == k for h in self.heads)} {k}" for k in self.kinds)
        others = f", {len(self.without_attention)} layers without attention" if self.without_attention else ""
        return f"Subject({self.name}: {counted} heads{others}, {type(self.model).__name__} on {self.device})"

    @property
    def device(self) -> torch.device:
        """Where its inputs go; of a model that is spread over several, that of its first part."""
        return home_of(self.model)

    @property
    def devices(self) -> tuple[torch.device, ...]:
        """Every device that its layers are computed on."""
        return devices_of(self.model)

    @cached_property
    def batch_tokens(self) -> int:
        """How many tokens a batch has, with its padding, where nobody says how many rows. It is lowered when
        a batch does not fit."""
        return batch_tokens(self.model, self.devices)

    @cached_property
    def gradient_tokens(self) -> int:
        """How many tokens a batch has at most where a loss is differentiated."""
        layers = len({(head.kind, head.layer) for head in self.heads})
        return batch_tokens(self.model, self.devices, layers)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(head.kind for head in self.heads))

    @property
    def encoder_decoder(self) -> bool:
        return bool(getattr(self.model.config, "is_encoder_decoder", False))

    @property
    def reads_text(self) -> bool:
        return getattr(self.model, "main_input_name", "input_ids") == "input_ids"

    @property
    def uneditable(self) -> str:
        """Why heads cannot be edited, where the model is outside the `interface`; it may say so itself."""
        outside = "does not use transformers' attention interface: its heads can be observed, but not edited"
        reason = getattr(self.model, "uneditable", None)
        return f"{self.name} {reason}" if reason else f"{type(self.model).__name__} {outside}"

    @property
    def unembedding(self) -> nn.Module | None:
        """What makes predictions over the vocabulary; None for a model without a language-model head."""
        layer: nn.Module | None = getattr(self.model, "get_output_embeddings", lambda: None)()
        return layer

    @cached_property
    def classes(self) -> TokenClasses:
        return TokenClasses(self.tokenizer, image=self.image_token)

    @property
    def image_token(self) -> int | None:
        """The id that stands for a piece of an image; None where the model reads text alone."""
        return image_token(self.model) if self.images else None

    @property
    def text_kinds(self) -> tuple[Kind, ...]:
        """The kinds of its heads that read text."""
        return tuple(kind for kind in self.kinds if kind != "vision")

    @cached_property
    def accepts(self) -> frozenset[str]:
        """The names of the model's inputs."""
        return frozenset(inspect.signature(self.model.forward).parameters)

    @cached_property
    def longest(self) -> int | None:
        """The most tokens the model takes, where its config says so."""
        config = getattr(self.model.config, "text_config", self.model.config)
        limit = getattr(config, "max_position_embeddings", None)
        if not isinstance(limit, int) or limit <= 0:
            return None
        return limit - self.counts_from_padding

    @cached_property
    def counts_from_padding(self) -> int:
        """The place of the first token: RoBERTa and its kin count from one past the padding index, and which
        tokens are padding they see from the ids."""
        tables = (m for n, m in self.model.named_modules() if n.endswith("position_embeddings"))
        padding = getattr(next(tables, None), "padding_idx", None)
        return padding + 1 if isinstance(padding, int) and padding > 0 else 0

    def describe(self) -> dict[str, Any]:
        """The model, for the manifest of an atlas: its names, hashes of weights and config, its heads."""
        config: Any = self.model.config
        quantised = quantised_by(self.model)
        written = json.dumps(_without_location(config.to_dict()), sort_keys=True, default=str)
        return {
            "name": self.name,
            "class": type(self.model).__name__,
            "weights": self.weight_hash(),
            "config": hashlib.sha256(written.encode()).hexdigest(),
            "dtype": str(next(self.model.parameters()).dtype).removeprefix("torch."),
            **({"quantised": quantised} if quantised else {}),
            "heads": {k: sum(h.kind == k for h in self.heads) for k in self.kinds},
            "layers": {k: self._heads_by_layer(k) for k in self.kinds},
            **({"without_attention": self.without_attention} if self.without_attention else {}),
        }

    def _heads_by_layer(self, kind: Kind) -> list[int]:
        """Heads in layer 0, 1, ...: none in a layer without attention."""
        layers = [h.layer for h in self.heads if h.kind == kind]
        return [layers.count(layer) for layer in range(max(layers) + 1)]

    def weight_hash(self) -> str:
        """A fingerprint of the weights: equal weights give the same one, wherever they came from."""
        return self._weight_hash

    def keep_weight_hash(self, known: str | None = None) -> None:
        """From now on it is known by this hash, or by that of its weights of now, however they change: a
        model in training stays one model."""
        self._weight_hash = known or self._weight_hash

    @cached_property
    def _weight_hash(self) -> str:
        return fingerprint_of(self.model)

    def encode(self, text: str, text_b: str | None = None) -> Batch:
        """A batch of one from raw text. An encoder-decoder's decoder reads `text_b`, or the text again."""
        if self.tokenizer is None:
            raise AttlasError(f"{self.name} has no tokenizer: give its inputs to Subject.annotate instead")
        if not isinstance(text, str) or not isinstance(text_b, str | None):
            raise AttlasError("a text is one string: encode texts one after the other")
        if not text.strip():
            raise AttlasError("the text is empty")
        for written in (text, text_b or ""):
            _refuse_surrogates(written)
        self._refuse_far_too_long(text)
        if self.encoder_decoder:
            inputs = dict(self.tokenizer(text, return_tensors="pt"))
            target = self.tokenizer(text_target=text_b or text, return_tensors="pt")
            inputs["decoder_input_ids"] = self.shifted_right(target["input_ids"])
        else:
            inputs = dict(self.tokenizer(text, text_b, return_tensors="pt"))
        self.check_length(inputs["input_ids"].shape[1], "the text")
        self.check_ids(inputs["input_ids"])
        return self.annotate({k: v.to(self.device) for k, v in inputs.items() if k in self.accepts})

    def encode_images(
        self,
        text: str,
        images: Sequence[Any],
        item: ItemId | None = None,
        classes: TokenClasses | None = None,
    ) -> Batch:
        """A batch of one: a text with pictures, which are files, PIL images or arrays."""
        inputs = read_images(self, text, images)
        return self.annotate(inputs, None if item is None else (item,), classes)

    def _refuse_far_too_long(self, text: str) -> None:
        """By its beginning: the tokens of millions of characters take a while."""
        if self.longest is None or len(text) <= (enough := _LONG_TOKEN * self.longest):
            return
        tokens = len(self.tokenizer(text[:enough])["input_ids"])
        if tokens > self.longest:
            raise AttlasError(
                f"the text has {len(text):,} characters, far more than the {self.longest:,} tokens that "
                f"{self.name} takes"
            )

    def check_length(self, length: int, what: str) -> None:
        if self.longest is not None and length > self.longest:
            raise AttlasError(f"{what} has {length:,} tokens, and {self.name} takes at most {self.longest:,}")

    def check_ids(self, ids: Tensor) -> None:
        """A tokenizer of another model gives ids that this one has no embedding for."""
        model: Any = self.model
        known = getattr(model.get_input_embeddings(), "num_embeddings", None)
        if isinstance(known, int) and int(ids.max()) >= known:
            raise AttlasError(
                f"the tokenizer gives piece {int(ids.max())}, and {self.name} knows {known:,}: "
                "give it the tokenizer it was trained with"
            )

    def shifted_right(self, ids: Tensor) -> Tensor:
        """What the decoder reads to predict `ids`: the start token, then all but the last."""
        config = self.model.config
        start = next(
            (
                token
                for name in ("decoder_start_token_id", "bos_token_id", "pad_token_id")
                if isinstance(token := getattr(config, name, None), int)
            ),
            0,
        )
        return torch.cat([torch.full_like(ids[:, :1], start), ids[:, :-1]], 1)

    def annotate(
        self,
        inputs: Mapping[str, Tensor],
        ids: tuple[ItemId, ...] | None = None,
        classes: TokenClasses | None = None,
    ) -> Batch:
        """A batch from the model's own inputs: real tokens from the masks, classes from the tokenizer."""
        classes = classes or self.classes
        main, mask = inputs.get("input_ids"), inputs.get("attention_mask")
        if self.encoder_decoder:
            decoder = inputs["decoder_input_ids"], inputs.get("decoder_attention_mask")
            sides = {
                "encoder": self._tokens(main, mask, inputs, classes),
                "decoder": classes.tokens(*decoder),
            }
        else:
            side = "decoder" if self.text_kinds == ("decoder",) else "encoder"
            sides = {side: self._tokens(main, mask, inputs, classes)}
        rows = next(iter(sides.values())).real.shape[0]
        return Batch(dict(inputs), sides, ids or tuple(ItemId(row, 0) for row in range(rows)))

    def _tokens(
        self, ids: Tensor | None, mask: Tensor | None, inputs: Mapping[str, Tensor], classes: TokenClasses
    ) -> Tokens:
        if ids is not None:
            return classes.tokens(ids, mask)
        # images and sound: as many positions as attention had in the survey, all of them real
        some = next(iter(inputs.values()))
        length = self._survey.length
        if "input_values" in inputs:  # sound may be of any length
            model: Any = self.model
            length = int(model._get_feat_extract_output_lengths(some.shape[1]))
        real = torch.ones(some.shape[0], length, dtype=torch.bool, device=some.device)
        return classes.positions(real)

    def run(self, inputs: Mapping[str, Tensor], predictions: bool = True, **options: Any) -> Any:
        """One forward pass, without a cache of keys and values. `options` go to the model unchanged.

        Where nobody reads what the model predicts, the part of it that attends is run alone: over a long text
        predictions would take more memory than everything else. What is returned is then of no use.
        """
        with evaluating(self.model):
            whole = predictions or self._attending is self.model
        module, accepted = (self.model, self.accepts) if whole else (self._attending, self._attending_accepts)
        if "use_cache" in accepted:
            options = {"use_cache": False, **options}
        if not whole:
            inputs = {name: tensor for name, tensor in inputs.items() if name in accepted}
        once = self._one_prediction() if whole and not predictions else nullcontext()
        with evaluating(self.model), once:
            return module(**inputs, **options)

    @cached_property
    def _attending(self) -> nn.Module:
        """The model without its heads for predictions, if that makes the same attention calls; else all."""
        base: nn.Module = getattr(self.model, "base_model", self.model)
        if base is self.model or not attends_alike(self._survey, self.model, base, self.name):
            return self.model
        return base

    @cached_property
    def _attending_accepts(self) -> frozenset[str]:
        return frozenset(inspect.signature(self._attending.forward).parameters)

    @contextmanager
    def _one_prediction(self) -> Iterator[None]:
        """Predictions are made for one place only."""
        head = self.unembedding
        if not isinstance(head, nn.Linear):
            yield
            return
        hook = head.register_forward_pre_hook(
            in_this_thread(lambda _, inputs: (inputs[0][..., :1, :], *inputs[1:]) if inputs else None)
        )
        try:
            yield
        finally:
            hook.remove()

    def strings(self, tokens: Tokens) -> list[str]:
        """The real tokens of a batch of one, as people read them."""
        if tokens.ids is None or self.tokenizer is None:
            return [str(i) for i in range(int(tokens.real[0].sum()))]
        return self.spell(tokens.ids[0][tokens.real[0]].tolist())

    def spell(self, ids: list[int]) -> list[str]:
        """Tokens as people read them."""
        return spell_ids(self.tokenizer, ids)


def _without_location(config: Any) -> Any:
    """A config, and those within it, without the folder that it was read from."""
    if not isinstance(config, dict):
        return config
    return {k: _without_location(v) for k, v in config.items() if k != "_name_or_path"}


def _refuse_surrogates(text: str) -> None:
    """Half of a pair that stands alone is not a character: bytes that are not UTF-8 become such halves."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X}"
        raise AttlasError(
            f"the text is not Unicode: character {error.start} is half of a surrogate pair ({half})"
        ) from error

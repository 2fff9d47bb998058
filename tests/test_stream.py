"""What heads write into the residual stream, and what reaches the logits, beside hooks in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, objective
from attlas.tap import Needs, Observation, Tap
from hooked import NAMES, SEVERAL, Hooked, Names
from zoo import ZOO, inputs_for

#: whose heads, feed-forward layers, norms and unembedding are all found
ADD_UP = [
    *("bert", "roberta", "distilbert", "electra", "modernbert"),
    *("gpt2", "llama", "qwen3", "gemma3", "gemma2", "gpt_oss", "deepseek_v3", "llama4", "gpt_neox", "opt"),
    *("t5", "bart", "marian"),
]


class Seen:
    def __init__(self, **needs: bool) -> None:
        self.needs = Needs(**needs)  # type: ignore[arg-type]

    def update(self, observation: Observation) -> None:
        self.last = observation


def made(name: str) -> tuple[Subject, Batch]:
    species = ZOO[name]
    subject = Subject(species.build(), None, name)
    with torch.no_grad():
        for parameter_name, parameter in subject.model.named_parameters():
            if parameter.ndim == 1:  # norms and biases that are all 1 or 0 would hide a mistake
                generator = torch.Generator().manual_seed(len(parameter_name))
                parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    # without padding, over which transformers' own attention is not a number in float64; with padding, the
    # reducers of these numbers are held to the same values by tests/test_reducers.py
    inputs = {n: t for n, t in inputs_for(species, "right").items() if "mask" not in n}
    return subject, subject.annotate({n: t.clamp(min=3) for n, t in inputs.items()})


def some_targets(subject: Subject, batch: Batch) -> Tensor:
    side = batch.sides["encoder" if subject.kinds == ("encoder",) else "decoder"]
    targets = torch.randint(3, 60, side.real.shape, generator=torch.Generator().manual_seed(5))
    targets[0, :3] = -100
    return targets.masked_fill(~side.real, -100)


CASES: list[tuple[str, str, Names]] = [
    *((name, "encoder" if name == "bert" else "decoder", names) for name, names in NAMES.items()),
    *((name, kind, names) for name, several in SEVERAL.items() for kind, names in several.items()),
]


@pytest.mark.parametrize(("name", "kind", "names"), CASES, ids=[f"{n}, {k}" for n, k, _ in CASES])
def test_what_heads_write_is_what_hooks_see(name: str, kind: str, names: Names) -> None:
    subject, batch = made(name)
    seen = Seen(writes=True)
    with Tap(subject, [seen]) as tap:
        tap.run(batch)
    hooked = Hooked(subject.model, batch.inputs)
    writes = [write for write in seen.last.writes if write.kind == kind]
    assert len(writes) == len({head.layer for head in subject.heads if head.kind == kind})
    real = batch.queries(kind).real  # type: ignore[arg-type]
    for write in writes:
        vectors, stream = hooked.written(names, write.layer)
        lengths = vectors.norm(dim=-1)
        cosines = torch.cosine_similarity(vectors, stream[:, :, None], dim=-1)
        for value, expected in (
            (write.lengths, lengths),
            (write.stream, stream.norm(dim=-1)),
            (write.cosines, cosines),
        ):
            torch.testing.assert_close(value.double()[real], expected[real], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ADD_UP)
def test_all_parts_add_up_to_the_logit(name: str) -> None:
    subject, batch = made(name)
    targets = some_targets(subject, batch)
    seen = Seen(direct=True)
    with Tap(subject, [seen]) as tap:
        tap.run(batch, TokenLosses(targets))
    direct = seen.last.direct
    assert direct is not None
    assert set(direct.others) == {"embeddings", "biases", *(f"feed_forward.{i}" for i in range(3))}
    total = sum(direct.others.values()) + sum(heads.sum(-1) for heads in direct.heads.values())
    logits = Hooked(subject.model, batch.inputs).logits
    if (cap := getattr(subject.model.config, "final_logit_softcapping", None)) is not None:
        logits = cap * torch.atanh(logits / cap)  # what it was before the cap
    chosen = logits.gather(-1, targets.clamp(min=0)[..., None])[..., 0] - logits.mean(-1)
    wanted = targets != -100
    assert isinstance(total, Tensor)
    torch.testing.assert_close(total[wanted].double(), chosen[wanted], rtol=0, atol=1e-4)
    torch.testing.assert_close(direct.logits[wanted].double(), chosen[wanted], rtol=0, atol=1e-4)


def test_all_parts_add_up_to_the_logit_of_masked_words_in_mini(
    mini: Subject, segments_of: Callable[..., Any]
) -> None:
    from attlas.corpora.batches import collate

    batch, losses = objective(mini, collate(mini, segments_of(mini, 1, 24)))
    assert isinstance(losses, TokenLosses)
    seen = Seen(direct=True)
    with Tap(mini, [seen]) as tap:
        tap.run(batch, losses)
    logits = Hooked(mini.model, batch.inputs).logits
    direct, targets = seen.last.direct, losses.labels
    assert direct is not None
    total = sum(direct.others.values()) + sum(heads.sum(-1) for heads in direct.heads.values())
    assert isinstance(total, Tensor)
    chosen = logits.gather(-1, targets.clamp(min=0)[..., None])[..., 0] - logits.mean(-1)
    assert direct.heads.keys() == {("encoder", layer) for layer in range(12)}
    wanted = targets != -100
    torch.testing.assert_close(total[wanted].double(), chosen[wanted], rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["llama", "gemma2", "gpt2", "gpt_neox"])
def test_contributions_of_heads_and_layers_are_those_of_the_formula(name: str) -> None:
    """What a part wrote, normed with the sizes of this text, times the unembedding of the target."""
    subject, batch = made(name)
    targets = some_targets(subject, batch)
    seen = Seen(direct=True, direct_sent=True)
    with Tap(subject, [seen]) as tap:
        tap.run(batch, TokenLosses(targets))
    hooked, names, direct = Hooked(subject.model, batch.inputs), NAMES[name], seen.last.direct
    assert direct is not None
    assert subject.unembedding is not None
    table = subject.unembedding.get_parameter("weight").detach().double()
    asked = table[targets.clamp(min=0)] - table.mean(0)  # batch query model
    wanted = targets != -100
    for layer in range(3):
        vectors, _ = hooked.written(names, layer)
        sent = hooked.frozen(names.final, vectors)  # batch query head model
        expected = (sent * asked[:, :, None]).sum(-1)
        added = direct.heads["decoder", layer].double()
        torch.testing.assert_close(added[wanted], expected[wanted], rtol=0, atol=1e-5)
        in_all = sent[wanted].sum(0)
        torch.testing.assert_close(direct.sent["decoder", layer].double(), in_all, rtol=1e-4, atol=1e-4)
        fed = hooked.gave[names.feed_forward.format(layer)]
        if names.after_feed_forward is not None:
            norm = names.after_feed_forward.format(layer)
            fed = hooked.frozen(norm, fed)
        expected = (hooked.frozen(names.final, fed) * asked).sum(-1)
        added = direct.others[f"feed_forward.{layer}"].double()
        torch.testing.assert_close(added[wanted], expected[wanted], rtol=0, atol=1e-5)


def test_contributions_in_bert_go_through_every_later_norm_and_its_transform() -> None:
    subject, batch = made("bert")
    targets = some_targets(subject, batch)
    seen = Seen(direct=True)
    with Tap(subject, [seen]) as tap:
        tap.run(batch, TokenLosses(targets))
    direct, hooked = seen.last.direct, Hooked(subject.model, batch.inputs)
    assert direct is not None
    assert subject.unembedding is not None
    table = subject.unembedding.get_parameter("weight").detach().double()
    asked, wanted = (table[targets.clamp(min=0)] - table.mean(0))[:, :, None], targets != -100
    transform = "cls.predictions.transform"
    read, gave = (getattr(hooked, end)[f"{transform}.transform_act_fn"] for end in ("read", "gave"))
    for layer in range(3):
        sent, _ = hooked.written(NAMES["bert"], layer)
        for later in range(layer, 3):
            block = f"bert.encoder.layer.{later}"
            sent = hooked.frozen(f"{block}.attention.output.LayerNorm", sent)
            sent = hooked.frozen(f"{block}.output.LayerNorm", sent)
        sent = sent @ hooked.weight(f"{transform}.dense").T
        sent = hooked.frozen(f"{transform}.LayerNorm", sent * (gave / read)[:, :, None])
        expected = (sent * asked).sum(-1)
        added = direct.heads["encoder", layer].double()
        torch.testing.assert_close(added[wanted], expected[wanted], rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["llama", "bert", "gpt2"])
def test_watching_changes_nothing_and_leaves_nothing(name: str) -> None:
    subject, batch = made(name)
    with torch.no_grad():
        plain = subject.run(batch.inputs).logits
    seen = Seen(writes=True, direct=True)
    with Tap(subject, [seen]) as tap:
        watched = tap.run(batch, TokenLosses(some_targets(subject, batch)), predictions=True).logits
    real = next(iter(batch.sides.values())).real
    torch.testing.assert_close(watched[real], plain[real], rtol=1e-5, atol=1e-5)
    hooks = [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in subject.model.modules()]
    assert not any(hooks)
    assert torch.equal(subject.run(batch.inputs).logits, plain)


def test_a_model_that_writes_in_an_unknown_way_is_refused() -> None:
    subject, batch = made("llama")
    block: Any = subject.model.model.layers[1]  # type: ignore[union-attr]

    def also_adds(_: Any, __: Any, output: Any) -> Any:
        hidden = output[0] if isinstance(output, tuple) else output
        hidden = hidden + 0.5 * hidden.square()
        return (hidden, *output[1:]) if isinstance(output, tuple) else hidden

    handle = block.register_forward_hook(also_adds)
    try:
        with (
            pytest.raises(AttlasError, match="do not add up to its logits"),
            Tap(subject, [Seen(direct=True)]) as tap,
        ):
            tap.run(batch, TokenLosses(some_targets(subject, batch)))
    finally:
        handle.remove()


def test_models_outside_the_interface_say_why_nothing_is_measured() -> None:
    subject = Subject(ZOO["gptj"].build(), None, "gptj")
    batch = subject.annotate(inputs_for(ZOO["gptj"], "left"))
    with (
        pytest.raises(AttlasError, match="gptj does not use transformers' attention interface"),
        Tap(subject, [Seen(writes=True)]) as tap,
    ):
        tap.run(batch)

"""Eight texts to begin with, each with what there is to see in it."""

from __future__ import annotations

from collections.abc import Iterator

from attlas.server.messages import Beside, EditRequest, ModelKind, PreparedText, RunRequest

#: Vig's two sentences (2019)
FIRST, SECOND = "I went to the store.", "At the store, I bought fresh strawberries."


def prepared_texts(model: str, kind: ModelKind | None, mask: str | None) -> list[PreparedText]:
    """The texts for a model of this kind; while nobody knows its kind, those that any model reads."""
    return (
        list(_masked_texts(model, mask)) if kind == "masked" and mask else list(_texts_of_kind(model, kind))
    )


def _masked_texts(model: str, mask: str) -> Iterator[PreparedText]:
    def text(
        id: str, title: str, why: str, words: str, text_b: str | None = None, **more: object
    ) -> PreparedText:
        request = RunRequest.model_validate({"model": model, "text": words, "text_b": text_b, **more})
        return PreparedText(id=id, title=title, why=why, request=request)

    yield text(
        "vig",
        "Vig's two sentences",
        "Heads that look at the next word, and between sentences.",
        FIRST,
        SECOND,
    )
    yield text("capital", "A capital", "One fact, one word to predict.", f"The capital of France is {mask}.")
    yield text(
        "object",
        "A verb and its object",
        "What do people win?",
        f"They won the football {mask}.",
    )
    yield text(
        "agreement",
        "Agreement",
        "The verb agrees with keys, not with cabinet.",
        f"The keys to the cabinet {mask} old.",
    )
    yield text(
        "repeat", "Said before", "The name was said before.", f"Anna met Paul. Later, Anna called {mask}."
    )
    yield text(
        "other", "His or her", "One word decides another.", f"The queen took off {mask} crown.",
        beside=Beside(text=f"The king took off {mask} crown."),
    )  # fmt: skip
    yield text("two", "Two masks", "Two words at once.", f"The {mask} flew over the {mask}.")
    yield text(
        "layer", "Without a layer", "What is left of a prediction without a layer of heads.",
        f"The sun rises in the {mask}.", edits=[EditRequest(heads=["0.*"])],
    )  # fmt: skip


def _texts_of_kind(model: str, kind: ModelKind | None) -> Iterator[PreparedText]:
    def text(
        id: str, title: str, why: str, words: str, text_b: str | None = None, **more: object
    ) -> PreparedText:
        request = RunRequest.model_validate({"model": model, "text": words, "text_b": text_b, **more})
        return PreparedText(id=id, title=title, why=why, request=request)

    two = {"text_b": SECOND} if kind == "embedding" else {}
    words = FIRST if two else f"{FIRST} {SECOND}"
    yield text("vig", "Vig's two sentences", "Where heads look, and where they rest.", words, **two)
    yield text("capital", "A capital", "One fact, one word to predict.", "The capital of France is")
    yield text(
        "induction", "Said before", "Heads that look for what came after the same word.",
        "Mr Dursley was proud of his drills. Every morning Mr Durs",
    )  # fmt: skip
    yield text(
        "object", "Who gets it", "The name that was said once.",
        "When Mary and John went to the store, John gave a drink to",
        beside=Beside(text="When Mary and John went to the store, Mary gave a drink to"),
    )  # fmt: skip
    yield text(
        "agreement", "Agreement", "The verb agrees with keys, not with cabinet.", "The keys to the cabinet"
    )
    yield text("list", "A list", "What comes after five?", "one two three four five")
    yield text("code", "A bracket", "What was opened is closed.", "def first(items):\n    return items[0")
    yield text(
        "layer", "Without a layer", "What is left of a prediction without a layer of heads.",
        "The sun rises in the", edits=[EditRequest(heads=["0.*"])],
    )  # fmt: skip

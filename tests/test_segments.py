"""Segments: what Clark 2019 built, by hand-made documents; and the text they come from."""

from __future__ import annotations

import hashlib
import pickle
import random
from collections import Counter
from collections.abc import Callable
from itertools import chain, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from attlas.corpora.batches import TokenClasses, collate
from attlas.corpora.documents import read_sentences, sentences
from attlas.corpora.segments import Segment, SegmentCutter, batches, make_segments, template_of
from attlas.corpora.source import ItemId
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.corpora.token_text import strip_marks
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.losses import objective


class Letters:
    """A tokenizer whose pieces are letters, with the special tokens of BERT (pairs) or of Llama (none)."""

    def __init__(self, pairs: bool) -> None:
        self.cls_token_id, self.sep_token_id = (1, 2) if pairs else (None, None)

    def __call__(
        self, text: Any, pair: str | None = None, *, add_special_tokens: bool = True, **_: Any
    ) -> Any:
        if not isinstance(text, str):
            return {"input_ids": [self(t, add_special_tokens=False)["input_ids"] for t in text]}
        ids = [ord(c) for c in text if c != " "]
        if not add_special_tokens:
            return {"input_ids": ids}
        if self.cls_token_id is None:
            return {"input_ids": [7, *ids]}
        return {"input_ids": [1, *ids, 2, *([*map(ord, pair), 2] if pair else [])]}


def segment(number: int, tokens: int) -> Segment:
    return Segment(ItemId(number, 0), np.full(tokens, 5, np.int32), np.zeros(tokens, np.uint8))


def letters(segment: Segment) -> str:
    return "".join({1: "^", 2: "|", 7: "~"}.get(i, chr(i)) for i in segment.ids.tolist())


def test_templates_are_read_off_the_tokenizer(mini: Subject) -> None:
    assert template_of(Letters(pairs=True)).pairs
    assert template_of(mini.tokenizer).specials == 3
    llama = template_of(Letters(pairs=False))
    assert (llama.before, llama.between, llama.after) == ((7,), (), ())


def test_sentences_fill_a_segment_and_are_split_between_two_of_them() -> None:
    """Room for 5 letters beside three special tokens: abc+de, then fgh+ij."""
    segments = make_segments([["abc", "de", "fgh", "ij"]], Letters(pairs=True), length=8)
    assert [letters(s) for s in segments] == ["^abc|de|", "^fgh|ij|"]
    assert [s.types.tolist() for s in segments] == [[0, 0, 0, 0, 0, 1, 1, 1]] * 2
    assert [s.id for s in segments] == [(0, 0), (0, 1)]


def test_what_is_too_long_loses_letters_of_the_longer_side() -> None:
    (only,) = make_segments([["abc", "defg"]], Letters(pairs=True), length=8)
    a, b, rest = letters(only)[1:].split("|")
    assert (a, len(b), rest) == ("abc", 2, "")
    assert b in "defg"


def test_a_sentence_longer_than_a_segment_is_cut_and_nothing_of_it_is_lost() -> None:
    """Room for 5 letters: what is left of the segment is filled, then whole segments, then one is begun."""
    counts = Counter[str]()
    cutter = SegmentCutter.of(Letters(pairs=True), 8)
    segments = list(cutter.cut([(0, ["abc", "defghijklm", "no"])], counts))
    assert ["".join(letters(s)[1:].split("|")) for s in segments] == ["abcde", "fghij", "klmno"]
    assert +counts == Counter(documents=1, sentences=3, pieces=15, cut=1)


def test_what_is_left_of_a_text_is_counted() -> None:
    counts = Counter[str]()
    list(SegmentCutter.of(Letters(pairs=True), 8).cut([(0, ["abc", "defg", "h"])], counts))
    assert +counts == Counter(documents=1, sentences=3, pieces=8, trimmed=2, too_short=1)


def test_a_lone_sentence_is_split_by_default_and_ends_the_document_in_the_original() -> None:
    document = [["abcde", "gh", "ijk"]]
    ours = [letters(s) for s in make_segments(document, Letters(pairs=True), length=8)]
    theirs = make_segments(document, Letters(pairs=True), length=8, faithful=True)
    assert theirs == []
    assert len(ours) == 2
    assert ours[1] == "^gh|ijk|"


def original_segments(documents: list[list[str]], tokenizer: Any, length: int) -> list[list[int]]:
    """Clark's preprocessing as SPEC A1 tells it, on lists, one piece after the other."""
    rng, room, made = random.Random(0), length - 3, []
    for document in documents:
        sentences = [tokenizer(s, add_special_tokens=False)["input_ids"] for s in document]
        chunk: list[list[int]] = []
        for i, sentence in enumerate(sentences):
            chunk.append(sentence)
            if i < len(sentences) - 1 and sum(len(s) for s in chunk) < room:
                continue
            split = rng.randint(1, len(chunk) - 1) if len(chunk) > 1 else 1
            a = [piece for s in chunk[:split] for piece in s]
            b = [piece for s in chunk[split:] for piece in s]
            while len(a) + len(b) > room:
                longer = a if len(a) > len(b) else b
                del longer[0 if rng.random() < 0.5 else -1]
            if not a or not b:
                break
            made.append([tokenizer.cls_token_id, *a, tokenizer.sep_token_id, *b, tokenizer.sep_token_id])
            chunk = []
    return made


@pytest.mark.parametrize("length", [32, 128])
def test_faithful_segments_are_the_originals(mini: Subject, length: int) -> None:
    documents = list(read_sentences(text_corpus()))
    theirs = original_segments(documents, mini.tokenizer, length)[:1000]
    source = TextSource(text_corpus(), mini.tokenizer, length, limit=1000, faithful=True)
    (shard,) = source.shards()
    ours = source.prepare(shard).items
    assert [s.ids.tolist() for s in ours] == theirs
    assert "one random stream" in source.describe()["note"]


def documented_segments(
    numbered: list[tuple[int, list[str]]], tokenizer: Any, length: int
) -> list[list[int]]:
    """Segments as docs/corpora.md tells how they are made, on lists, one piece after the other."""
    room, made = length - 3, []
    for number, document in numbered:
        digest = hashlib.blake2b(f"0/{number}".encode(), digest_size=8).digest()
        rng = random.Random(int.from_bytes(digest, "big") // 2)
        chunks: list[list[list[int]]] = [[]]
        for text in document:
            pieces = tokenizer(text, add_special_tokens=False)["input_ids"]
            long = len(pieces) > room
            while pieces:
                left = room - sum(len(s) for s in chunks[-1]) if long else len(pieces)
                chunks[-1].append(pieces[:left])
                pieces = pieces[left:]
                if sum(len(s) for s in chunks[-1]) >= room:
                    chunks.append([])
        for chunk in filter(None, chunks):
            if len(chunk) == 1:
                cut = rng.randint(1, len(chunk[0]) - 1) if len(chunk[0]) > 1 else 1
                a, b = chunk[0][:cut], chunk[0][cut:]
            else:
                split = rng.randint(1, len(chunk) - 1)
                a, b = list(chain(*chunk[:split])), list(chain(*chunk[split:]))
            lost = [0, 0]
            while len(a) + len(b) - sum(lost) > room:
                lost[0 if len(a) - lost[0] > len(b) - lost[1] else 1] += 1
            for side, count in ((a, lost[0]), (b, lost[1])):
                front = bin(rng.getrandbits(count)).count("1")
                side[:] = side[front : len(side) - (count - front)]
            if a and b:
                made.append([tokenizer.cls_token_id, *a, tokenizer.sep_token_id, *b, tokenizer.sep_token_id])
    return made


@pytest.mark.parametrize("length", [16, 128])
def test_segments_are_made_as_the_docs_say(mini: Subject, length: int, tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    documents = [*list(read_sentences(text_corpus()))[:6], ["Alone."], ["a"]]
    path.write_text("\n\n".join("\n".join(d) for d in documents), encoding="utf-8")
    source = TextSource(text_corpus(path, lines_are_sentences=True), mini.tokenizer, length)
    whole = path.read_bytes()
    numbered = [(whole.index("\n".join(d).encode()), d) for d in documents[:-1]]
    numbered.append((len(whole) - 1, documents[-1]))
    segments = [item for shard in source.shards() for item in source.prepare(shard).items]
    assert [s.ids.tolist() for s in segments] == documented_segments(numbered, mini.tokenizer, length)


def test_the_original_tells_the_model_one_sentence_and_statistics_two(mini: Subject) -> None:
    source = TextSource(text_corpus(), mini.tokenizer, 32, limit=4, faithful=True)
    batch = next(source.batches(mini, source.prepare(next(source.shards())).items))
    assert not batch.inputs["token_type_ids"].any()
    assert batch.sides["encoder"].members("sentence_b").any(-1).all()
    plain = TextSource(text_corpus(), mini.tokenizer, 32, limit=4)
    batch = next(plain.batches(mini, plain.prepare(next(plain.shards())).items))
    assert batch.inputs["token_type_ids"].any(-1).all()


@pytest.mark.parametrize("name", ["mini", "llama", "t5"])
def test_the_words_of_both_sentences_are_known_for_every_model(
    name: str, subject_of: Callable[[str], Subject]
) -> None:
    """Also for one that has no token types; an encoder-decoder's decoder reads them one place later."""
    subject = subject_of(name)
    segments = make_segments([["one two three.", "four five."], ["six.", "seven."]], subject.tokenizer, 24)
    batch = collate(subject, segments)
    first = next(iter(batch.sides.values()))
    for side, tokens in batch.sides.items():
        late = int(side == "decoder" and len(batch.sides) == 2)
        for row, segment in enumerate(segments):
            ends = [
                i for i, piece in enumerate(segment.ids.tolist()) if piece == subject.tokenizer.sep_token_id
            ]
            a, b = range(1, ends[0]), range(ends[0] + 1, ends[1])
            assert tokens.members("sentence_a")[row].nonzero().flatten().tolist() == [i + late for i in a]
            assert tokens.members("sentence_b")[row].nonzero().flatten().tolist() == [i + late for i in b]
    assert not (first.members("sentence_a") & first.members("sentence_b")).any()


def test_a_text_without_pairs_has_no_sentences_a_and_b(mini: Subject) -> None:
    alone = Segment(ItemId(0, 0), np.array([5, 6, 7], np.int32), np.zeros(3, np.uint8))
    assert not collate(mini, [alone]).sides["encoder"].has("sentence_a")


def test_token_classes_pickle_though_a_user_gave_functions(mini: Subject) -> None:
    classes = TokenClasses(mini.tokenizer, {"vowel": lambda token: token[:1] in "aeiou", "the": {"the"}})
    copy = pickle.loads(pickle.dumps(classes))
    assert copy.fingerprint() == classes.fingerprint()
    assert copy.names == classes.names
    assert copy.custom == {"vowel": None, "the": ("the",)}
    ids = torch.arange(len(mini.tokenizer))[None]
    assert torch.equal(copy.tokens(ids).members("vowel"), classes.tokens(ids).members("vowel"))
    assert classes.tokens(ids).members("vowel").any()
    with pytest.raises(AttlasError, match="sentence_a"):
        TokenClasses(mini.tokenizer, {"sentence_a": {"the"}})


def test_a_class_has_the_tokens_that_are_its_own_without_their_marks() -> None:
    vocabulary = [
        f"{begin}{word}{end}"
        for word in (".", "the", "Ġthe", "them")
        for begin in ("", "Ġ", "▁", "Ġ▁", "▁Ġ", "##")
        for end in ("", "</w>", "@@")
    ]
    vocabulary = list(dict.fromkeys(vocabulary))
    ids = {token: place for place, token in enumerate(vocabulary)}
    tokenizer = SimpleNamespace(get_vocab=lambda: ids, cls_token_id=None, sep_token_id=None)
    for wanted in ({"the"}, {"Ġthe"}, {"▁the", "them</w>"}, {".", "##the"}):
        classes = TokenClasses(tokenizer, {"own": wanted})
        tokens = classes.tokens(torch.arange(len(vocabulary))[None])
        expected = {"own": [t in wanted or strip_marks(t) in wanted for t in vocabulary]}
        expected["punct"] = [strip_marks(t) in (".", ",") for t in vocabulary]
        for name, members in expected.items():
            assert tokens.members(name)[0].tolist() == members
            assert any(members)


def test_batches_are_filled_by_tokens() -> None:
    made = [segment(n, 10 if n % 2 else 25) for n in range(20)]
    lengths = [[len(s.ids) for s in batch] for batch in batches(made, tokens=100)]
    assert lengths == [[25] * 4, [25] * 4, [25, 25, 10, 10], [10] * 8]


def test_models_without_pairs_read_windows() -> None:
    segments = make_segments([["abcdefghij", "klmnopqrst"]], Letters(pairs=False), length=9)
    assert [letters(s) for s in segments] == ["~abcdefgh", "~ijklmnop"], (
        "four letters are left: too few for a window"
    )


def test_no_room_for_text_is_an_error() -> None:
    with pytest.raises(AttlasError, match="leave no room"):
        make_segments([["abc", "de"]], Letters(pairs=True), length=4)


@given(
    st.lists(st.lists(st.text("abc.", min_size=1, max_size=9), max_size=9), max_size=5), st.integers(6, 20)
)
def test_every_segment_fits_and_b_continues_a(documents: list[list[str]], length: int) -> None:
    for segment in make_segments(documents, Letters(pairs=True), length):
        assert len(segment.ids) == len(segment.types) <= length
        a, b, end = letters(segment)[1:].split("|")
        assert a
        assert b
        assert not end


def test_the_seed_decides_and_the_limit_takes_the_first(mini: Subject) -> None:
    documents = list(read_sentences(text_corpus()))[:2]
    ten = make_segments(documents, mini.tokenizer, limit=10)
    assert make_segments(documents, mini.tokenizer, limit=4) == ten[:4]
    assert make_segments(documents, mini.tokenizer, limit=10, seed=1) != ten


def test_batches_keep_every_segment_and_put_like_lengths_together() -> None:
    rng = random.Random(0)
    made = [segment(n, rng.randint(4, 40)) for n in range(30)]
    cut = batches(made, 8)
    assert sorted(s.id for batch in cut for s in batch) == [s.id for s in made]
    lengths = [[len(s.ids) for s in batch] for batch in cut]
    assert all(min(before) >= max(after) for before, after in pairwise(lengths))


@given(st.text(st.sampled_from("ab .!?\"')(A1"), max_size=60))
def test_splitting_a_paragraph_loses_only_spaces(paragraph: str) -> None:
    assert "".join("".join(sentences(paragraph)).split()) == "".join(paragraph.split())


def test_sentences_keep_their_closing_marks() -> None:
    assert sentences('He said "No." She left. (Why?) 3.5 is more.') == [
        'He said "No."',
        "She left.",
        "(Why?)",
        "3.5 is more.",
    ]


def test_documents_end_at_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("One. Two.\nThree.\n\n\nFour.\n")
    assert list(read_sentences(text_corpus(tmp_path / "t.txt"))) == [["One.", "Two.", "Three."], ["Four."]]
    trusted = text_corpus(tmp_path / "t.txt", lines_are_sentences=True)
    assert list(read_sentences(trusted)) == [["One. Two.", "Three."], ["Four."]]


def test_the_embedded_corpus_is_enough_for_a_thousand_segments(mini: Subject) -> None:
    segments = make_segments(read_sentences(text_corpus()), mini.tokenizer, limit=1000)
    assert len(segments) == 1000
    assert max(len(s.ids) for s in segments) == 128


def test_masked_words_follow_berts_recipe(mini: Subject) -> None:
    """15% of the words; of those 80% the mask, 10% another piece, 10% unchanged. Specials stay."""
    segments = make_segments(read_sentences(text_corpus()), mini.tokenizer, limit=60)
    plain = collate(mini, segments)
    masked, _ = objective(mini, plain, seed=3)
    again, _ = objective(mini, plain, seed=3)
    before, after = plain.inputs["input_ids"], masked.inputs["input_ids"]
    assert torch.equal(after, again.inputs["input_ids"])
    special = torch.isin(before, torch.tensor(mini.tokenizer.all_special_ids))
    assert torch.equal(before[special], after[special])
    words = int((~special).sum())
    is_mask = int((after == mini.tokenizer.mask_token_id).sum())
    changed = int(((before != after) & (after != mini.tokenizer.mask_token_id)).sum())
    assert is_mask / words == pytest.approx(0.15 * 0.8, abs=0.01)
    assert changed / words == pytest.approx(0.15 * 0.1, abs=0.006)


def test_a_segment_is_masked_alike_in_any_batch(mini: Subject) -> None:
    segments = make_segments(read_sentences(text_corpus()), mini.tokenizer, 32, limit=3)
    together, _ = objective(mini, collate(mini, segments))
    alone, _ = objective(mini, collate(mini, segments[1:2]))
    n = len(segments[1].ids)
    assert torch.equal(together.inputs["input_ids"][1, :n], alone.inputs["input_ids"][0])


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_the_loss_of_decoders_is_transformers_own(name: str, subject_of: Any) -> None:
    subject = subject_of(name)
    segments = make_segments(read_sentences(text_corpus()), subject.tokenizer, 24, limit=1)
    batch, loss = objective(subject, collate(subject, segments))
    ids = torch.tensor(segments[0].ids).long()[None]
    with torch.no_grad():
        expected = subject.model(input_ids=ids, labels=ids).loss
        assert float(loss(subject.model(**batch.inputs))) == pytest.approx(float(expected), rel=1e-4)


def test_padding_is_on_the_right_whatever_the_tokenizer_prefers() -> None:
    """GPT-2 counts positions from the first place: on the left, padding would shift every token."""
    import attlas

    tokenizer = transformers.AutoTokenizer.from_pretrained(
        Path(attlas.__file__).parent / "data" / "mini", padding_side="left"
    )
    config = transformers.GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=1, n_head=2)
    subject = Subject(transformers.GPT2LMHeadModel(config), tokenizer)
    documents = [["One sentence, short.", "Another one that is rather longer than it."]]
    long, short = (
        make_segments(documents, tokenizer, 16)[0],
        make_segments([["A b.", "C."]], tokenizer, 16)[0],
    )
    batch = collate(subject, [long, Segment(ItemId(1, 0), short.ids, short.types)])
    assert batch.inputs["attention_mask"][1].tolist() == [1] * len(short.ids) + [0] * (
        len(long.ids) - len(short.ids)
    )

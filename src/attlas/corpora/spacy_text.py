"""Plain text, tagged and parsed by a spaCy pipeline: paragraphs are lines, a blank line ends a document.

Also gives an annotated corpus the parts of speech and dependencies that its own format lacks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, tee
from pathlib import Path
from typing import Any

from attlas.corpora.annotated_documents import ROOT, Document, Sentence, Word
from attlas.corpora.lines import Report, decode_line, raw_lines, stop
from attlas.errors import AttlasError
from attlas.extras import optional_import

PIPELINE = "en_core_web_sm"
UNREAD = ["ner", "lemmatizer"]  # parts of a pipeline that no probe asks for


def pipeline(name: str = PIPELINE) -> Any:
    """A spaCy pipeline that tags and parses, by its name or folder."""
    spacy = optional_import("spacy", "tagging text")
    try:
        nlp = spacy.load(name, exclude=UNREAD)
    except OSError as error:
        raise AttlasError(
            f"there is no spaCy pipeline {name!r} here: `python -m spacy download {name}` may fetch it"
        ) from error
    if "parser" not in nlp.pipe_names:
        raise AttlasError(
            f"the spaCy pipeline {name!r} has no parser (it has {', '.join(nlp.pipe_names) or 'nothing'})"
        )
    return nlp


def read(path: Path, nlp: Any, report: Report = stop) -> Iterator[Document]:
    """The documents of a text file. Where `report` lets it, one that is wrong is left out."""
    sentences, begun = list[Sentence](), 0
    for paragraph, number in nlp.pipe(_paragraphs(path, report), as_tuples=True, batch_size=64):
        if not paragraph.text.strip():
            if sentences:
                yield Document(f"{path.stem}:{begun}", tuple(sentences))
            sentences = []
            continue
        begun = begun if sentences else number
        sentences += _sentences(paragraph, number)
    if sentences:
        yield Document(f"{path.stem}:{begun}", tuple(sentences))


def _paragraphs(path: Path, report: Report) -> Iterator[tuple[str, int]]:
    """The lines of each good document, and a blank one after it."""
    document, spoilt = list[tuple[str, int]](), False
    for number, raw in raw_lines(path):
        if not raw.strip():
            yield from [*document, ("", number)]
            document, spoilt = [], False
        elif not spoilt:
            try:
                document.append((decode_line(path, number, raw), number))
            except AttlasError as error:
                report(error)
                document, spoilt = [], True
    yield from document


def annotate(documents: Iterable[Document], nlp: Any) -> Iterator[Document]:
    """The same documents with the pipeline's tags and dependencies on the corpus's own words."""
    tokens = optional_import("spacy.tokens", "tagging text")
    documents, ahead = tee(documents)  # the pipeline reads some sentences in advance
    parsed = nlp.pipe(
        tokens.Doc(nlp.vocab, [w.text for w in s.words], sent_starts=[i == 0 for i in range(len(s.words))])
        for document in ahead
        for s in document.sentences
    )
    for document in documents:
        mine = islice(parsed, len(document.sentences))
        tagged = (_tag(sentence, parse) for sentence, parse in zip(document.sentences, mine, strict=True))
        yield replace(document, sentences=tuple(tagged))


def _tag(sentence: Sentence, parsed: Any) -> Sentence:
    words = (
        _word(token, word.text, word.start, word.end, token.head.i)
        for token, word in zip(parsed, sentence.words, strict=True)
    )
    return replace(sentence, words=tuple(words))


def _sentences(paragraph: Any, line: int) -> Iterator[Sentence]:
    for sentence in paragraph.sents:
        tokens = [t for t in sentence if not t.is_space]
        if not tokens:
            continue
        start, end = tokens[0].idx, tokens[-1].idx + len(tokens[-1])
        place = {t.i: i for i, t in enumerate(tokens)}
        words = []
        for token in tokens:
            head = token.head
            while head.is_space and head.head.i != head.i:
                head = head.head
            above = place.get(head.i, place[token.i])
            at = token.idx - start
            words.append(_word(token, token.text, at, at + len(token), above))
        yield Sentence(paragraph.text[start:end], tuple(words), line)


def _word(token: Any, text: str, start: int, end: int, head: int) -> Word:
    root = token.head.i == token.i
    return Word(
        text,
        start,
        end,
        ROOT if root else head,
        "root" if root else token.dep_,
        token.pos_,
        token.tag_,
        token.morph.to_dict(),
    )

"""The options that verbs share, in groups. Each is declared here once: its type, bounds, default and help.

`options/verb.py` makes one list of a verb's groups, for Python and the terminal. Pydantic checks values.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from cyclopts import Parameter
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from attlas.choices import EngineName
from attlas.errors import AttlasError, option
from attlas.options.wrong_values import wrong_value
from attlas.outputs import Output, names_outputs

if TYPE_CHECKING:
    from attlas.engines import Engine
    from attlas.subject import Subject


@plain_dataclass(frozen=True, repr=False)
class Written:
    """How a type is written in `help()` and in the stubs."""

    text: str

    def __repr__(self) -> str:
        return self.text


@plain_dataclass(frozen=True)
class Help:
    """What an option of a type is, in every verb. A verb's docstring may add to it."""

    text: str


def _refuse_empty_path(value: Any) -> Any:
    if not isinstance(value, str | os.PathLike) or not str(value):
        raise ValueError("give the path of a file or folder")
    return value


def _refuse_zero_character(path: Path) -> Path:
    if "\0" in str(path):
        raise ValueError("a path cannot hold the character 0")
    return path


def _refuse_switch(value: Any) -> Any:
    """Python takes True for 1."""
    if isinstance(value, bool):
        raise ValueError("should be a number")
    return value


def _divide_fraction(value: Any) -> Any:
    """1/16, as people write a fraction; everything else unmodified."""
    above, slash, below = str(value).partition("/")
    if not slash:
        return value
    try:
        return float(above) / float(below)
    except (ValueError, ZeroDivisionError):
        raise ValueError("should be a fraction, as in 1/16") from None


_Integer = Annotated[int, BeforeValidator(_refuse_switch)]
Whole = Annotated[_Integer, Field(gt=-(2**53), lt=2**53)]
Count = Annotated[Whole, Field(ge=1)]
CountOrZero = Annotated[Whole, Field(ge=0)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Fraction = Annotated[Number, BeforeValidator(_divide_fraction), Field(gt=0, le=1), Written("float | str")]
Seed = Annotated[_Integer, Field(ge=0, lt=2**32), Help("Seed of everything random.")]
File = Annotated[
    Path, BeforeValidator(_refuse_empty_path), AfterValidator(_refuse_zero_character), Written("str | Path")
]
#: what an option writes: the decorator of verbs refuses what would destroy something
OutputFile = Annotated[File, Output("file")]
OutputFolder = Annotated[File, Output("folder")]
WholeFolder = Annotated[File, Output("whole folder")]
OutputAtlas = Annotated[File, Output("atlas")]
A_MODEL = Help("The embedded `mini`, a folder that transformers saved, a GGUF file, or a name on the hub.")
Model = Annotated[Any, Written("str | Path | Subject"), A_MODEL]
Corpus = Annotated[Any, Written("str | Path | Iterable[Any] | None")]
AtlasOrFolder = Annotated[
    Any,
    Written("str | Path | Atlas"),
    Help("The folder of an atlas. Or hf://OWNER/NAME, on the Hugging Face Hub."),
]
Faithful = Annotated[bool, Help("Follow the original, defects included.")]
Overwrite = Annotated[
    bool, Help("Replace what is there: a result, an unfinished run, a file that Attlas did not write.")
]
Strict = Annotated[bool, Help("Stop at what cannot be read. Default: skip and count it.")]
ChooseOn = Annotated[File | None, Help("Choose heads on this corpus, and report on all of the other.")]
MinCount = Annotated[Count, Help("Leave groups with fewer links out of the table (they are in the atlas).")]
Shortest = Annotated[Count, Help("Leave out sentences of fewer words.")]
Longest = Annotated[Count | None, Help("Leave out sentences of more words.")]
Input = Annotated[
    Literal["words", "raw"],
    Help("How the words reach the model: the corpus's `words` joined by spaces, or its `raw` text."),
]
Pieces = Annotated[
    Literal["mean", "first", "max"], Help("How to combine the rows of a word's pieces: mean, first, or max.")
]
Dtype = Literal["float32", "bfloat16", "float16"]
KernelName = Literal["triton", "tiled", "eager"]
#: the terminal cannot give it
IN_PYTHON = Parameter(parse=False)


class _OneLine(type):
    """A class whose objects, given a wrong value, say so in one line."""

    def __call__(cls, *args: Any, **options: Any) -> Any:
        try:
            return super().__call__(*args, **options)
        except ValidationError as error:
            errors = error.errors(include_url=False)
            raise AttlasError(wrong_value(str(errors[0]["loc"][0]), errors)) from None


class OptionGroup(metaclass=_OneLine):
    """A group of options. `panel` is its heading in the terminal's help."""

    panel: ClassVar[str]

    def values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


_CHECKED = ConfigDict(arbitrary_types_allowed=True, extra="forbid")


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class LoadOptions(OptionGroup):
    """How a model is loaded.

    Parameters
    ----------
    device
        Where the model runs: cpu, cuda, cuda:1; or auto, which spreads it over all GPUs, then memory, then
        disk. Default: a GPU if there is one.
    dtype
        Number format of the weights.
    trust_remote_code
        Run code shipped with the model. Unsafe unless you trust its author.
    """

    panel: ClassVar[str] = "Model"
    device: str | None = None
    dtype: Dtype = "float32"
    trust_remote_code: bool = False

    def load(self, model: Any, tokenizer: Any = None, text: Any = None) -> Subject:
        """`text`: the corpus that it will read; with pictures in it, they are read, too."""
        from attlas.corpora.pictured_texts import has_pictures
        from attlas.subject import load

        return load(model, tokenizer, **self.values(), images=has_pictures(text))


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class TextOptions(OptionGroup):
    """What the model reads.

    Parameters
    ----------
    text
        What the model reads. Text (one sentence or paragraph per line, a blank line between documents), JSON
        lines or Parquet (one document per record), plain or compressed (.gz, .xz, .zst); a folder or pattern
        of them; or an fsspec address. In Python also texts or a data set. Default: a sample of Wikipedia.
    field
        The field of a record that holds its text. Default: `text`.
    segments
        How many segments to read, drawn evenly across documents; `all` for the whole corpus.
    length
        Most tokens that the model reads at once, special tokens included. Segments have this length.
    """

    panel: ClassVar[str] = "Text"
    text: Corpus = None
    field: str | None = None
    segments: Count | Literal["all"] = 1000
    length: Annotated[Whole, Field(ge=4)] = 128
    strict: Strict = False
    seed: Seed = 0


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class BatchOptions(OptionGroup):
    """How the work is cut and computed. None of these changes a number beyond rounding.

    Parameters
    ----------
    batch
        Segments, or examples, per batch. Default: chosen to suit the device.
    shard
        Tokens per shard, the unit of checkpointing. Default: a few batches.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager (the reference). Default: by device.
    """

    panel: ClassVar[str] = "Batches"
    batch: Count | None = None
    shard: Count | None = None
    kernel: KernelName | None = None


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class RowOptions(OptionGroup):
    """How much of the attention statistics are taken from.

    Parameters
    ----------
    rows
        Take statistics from a random sample of the rows: --rows 1/16, for long texts. Standard errors include
        what sampling adds. Distances, examples and gradients still take every row. Default: every row, or a
        sample if no fast kernel supports the model's attention; 1 forces every row.
    """

    panel: ClassVar[str] = "Rows"
    rows: Fraction | None = None


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class TwinOptions(OptionGroup):
    """What the numbers stand beside.

    Parameters
    ----------
    twin
        Also measure an untrained twin on a part of the text: the same architecture, initialised anew. Names
        and sentences then compare heads with it. Takes the memory of a second model.
    """

    panel: ClassVar[str] = "Twin"
    twin: Annotated[bool, Parameter(negative="--no-twin")] = True


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class TaskOptions(OptionGroup):
    """The examples of a task.

    Parameters
    ----------
    data
        A folder or file of data. GLUE's folder; a folder with train and dev files, *.tsv (tabs, no quoting)
        or *.jsonl; one such file; or a folder that `datasets` saved. In Python also a dict of data sets.
    columns
        Columns of the texts in your own data: one or two.
    label
        Column of the label in your own data. Default: `label`.
    regression
        The label is a number to predict, not a class.
    examples
        How many examples to use. Default: all.
    """

    panel: ClassVar[str] = "Task"
    data: Annotated[Any, Written("str | Path | Mapping[str, Any] | None")] = None
    columns: Sequence[str] = ()
    label: str | None = None
    regression: bool = False
    examples: Count | None = None

    def refuse_without_task(self, **others: Any) -> None:
        """Refuse task options when no task was given."""
        nothing: tuple[Any, ...] = (None, False, (), [])
        lone = next((n for n, value in {**self.values(), **others}.items() if value not in nothing), None)
        if lone is not None:
            raise AttlasError(f"{option(lone)} goes with a task: name the task too")


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class WindowOptions(OptionGroup):
    """How an annotated corpus is cut into what the model reads at once.

    Parameters
    ----------
    length
        Most tokens that the model reads at once, special tokens included. Longer sentences are only counted.
    windows
        How many windows to read, from the beginning. Default: all.
    """

    panel: ClassVar[str] = "Corpus"
    length: Annotated[Whole, Field(ge=4)] = 128
    windows: Count | None = None
    strict: Strict = False


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class CorpusOptions(WindowOptions):
    """How an annotated corpus is read.

    Parameters
    ----------
    format
        conllu, conll2012, gap, clark, framenet or text. Default: by the file's name.
    pipeline
        A spaCy pipeline that tags and parses a corpus without annotation.
    """

    format: str | None = None
    pipeline: str | None = None


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class ResumeOptions(OptionGroup):
    """What happens to a run that was there before.

    Parameters
    ----------
    resume
        Continue a run that was stopped. The result is that of an unbroken run.
    progress
        Show a progress bar.
    """

    panel: ClassVar[str] = "Run"
    resume: bool = False
    overwrite: Overwrite = False
    progress: Annotated[bool, Parameter(negative="--no-progress")] = True

    def __post_init__(self) -> None:
        if self.resume and self.overwrite:
            raise AttlasError(
                f"{option('resume', True)} continues a run and {option('overwrite', True)} begins it again: "
                "give one of them"
            )


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class RunOptions(ResumeOptions):
    """Where the work runs.

    Parameters
    ----------
    engine
        local (this process), processes (several on this machine) or ray (a cluster). Default: local, or
        processes if you give a number of workers.
    workers
        How many processes share the work.
    address
        Address of the Ray cluster. Default: start one here.
    """

    engine: EngineName | None = None
    workers: Count | None = None
    address: str | None = None

    def chosen_engine(self) -> Engine:
        from attlas.engines import engine_named

        return engine_named(self.engine, self.workers, self.address)


@dataclass(frozen=True, kw_only=True, config=_CHECKED)
class KeepOptions(OptionGroup):
    """Where the result goes.

    Parameters
    ----------
    atlas
        The folder of an atlas. The result becomes a chapter of it. A new atlas is made if there is none.
    chapter
        Name of a chapter. The result gets it. Default: study and corpus.
    figures
        Draw the figures into this folder.
    csv
        Write the table to this file.
    """

    panel: ClassVar[str] = "Results"
    atlas: OutputAtlas | None = None
    chapter: str | None = None
    figures: OutputFolder | None = None
    csv: OutputFile | None = None

    def refuse_without_atlas(self, run_options: ResumeOptions) -> None:
        """Refuse options that only an atlas gives a meaning to."""
        if self.atlas is None:
            for name, chosen, what in (
                ("resume", run_options.resume, "continues a run into"),
                ("overwrite", run_options.overwrite, "replaces a chapter of"),
                ("chapter", self.chapter is not None, "names a chapter of"),
            ):
                if chosen and not (name == "overwrite" and names_outputs()):
                    raise AttlasError(f"{option(name)} {what} an atlas: name it with {option('atlas')}")

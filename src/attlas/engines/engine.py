"""What an engine is, and how one is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, Self, cast, get_args

from attlas.choices import EngineName
from attlas.corpora.source import PreparedShard, Shard
from attlas.engines.part import PassPart
from attlas.engines.passes import Pass
from attlas.engines.worker import Advance
from attlas.errors import AttlasError, option
from attlas.subject import Subject

ENGINES: tuple[str, ...] = get_args(EngineName)

#: a shard to be run; with its items where they were prepared already, since only some of them count
Work = tuple[Shard, PreparedShard | None]


class Engine(Protocol):
    """Runs shards, and gives what each showed in whatever order they finish. It takes work from the iterator
    only as it can be done, so that a corpus never has to fit into memory. `advance` hears of items done."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def run(
        self, subject: Subject, pass_: Pass, work: Iterator[Work], advance: Advance
    ) -> Iterator[tuple[int, PassPart]]: ...


def engine_named(name: str | None, workers: int | None = None, address: str | None = None) -> Engine:
    """Make the engine of the file of that name. Without a name it is `local`, or `processes` where a
    number of workers is given."""
    name = name or ("local" if workers is None else "processes")
    if name not in ENGINES:
        raise AttlasError(f"there is no engine {name!r}: choose one of {', '.join(ENGINES)}")
    if workers is not None and workers < 1:
        raise AttlasError(f"{option('workers', workers)}: give 1 or more")
    return cast(Engine, import_module(f"attlas.engines.{name}").engine(workers, address))


def refuse_address(address: str | None) -> None:
    if address is not None:
        raise AttlasError(f"{option('address', address)}: only {option('engine', 'ray')} has an address")

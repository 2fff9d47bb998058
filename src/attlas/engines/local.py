"""This process. Beside a GPU, the next shards are tokenised while the model runs over one."""

from __future__ import annotations

from collections.abc import Iterator

from attlas.engines.ahead import prepare_ahead
from attlas.engines.engine import Work, refuse_address
from attlas.engines.part import PassPart
from attlas.engines.passes import Pass
from attlas.engines.worker import Advance, run_shard
from attlas.errors import AttlasError, option
from attlas.subject import Subject


def engine(workers: int | None, address: str | None) -> Local:
    """Run shards in this process: the default."""
    refuse_address(address)
    if workers is not None:
        raise AttlasError(
            f"{option('engine', 'local')} is one process: leave {option('workers')} out, "
            f"or choose {option('engine', 'processes')}"
        )
    return Local()


class Local:
    def __enter__(self) -> Local:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(
        self, subject: Subject, pass_: Pass, work: Iterator[Work], advance: Advance
    ) -> Iterator[tuple[int, PassPart]]:
        if pass_.source.limit is None:
            work = prepare_ahead(pass_.source, work, subject.device)
        for shard, prepared in work:  # with a limit they come prepared
            assert prepared is not None
            yield shard.number, run_shard(subject, pass_, prepared, advance)

"""Plants small faults in a room, one at a time, and runs the room's tests: which faults do they miss?

    python tests/mutate.py statistics reducers --each 3 --out mutants.jsonl

First the tests run without a fault, and the lines that each of them reaches are noted. Then, for every fault
(tests/mutants.py; a few of every function, drawn from a seed), a child of this process puts it into the
function and runs the tests that reach its line, the quickest first, until one fails. A fault that no test
reaches, that all survive, or that could not be tried, is listed: a test is missing, or the fault changes
nothing that can be seen.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import mmap
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from inspect import getattr_static
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, cast

# a child that is forked has none of its parent's threads, and would wait for them
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

import pytest
import torch
from _pytest.runner import runtestprotocol

from mutants import Mutant, mutants_of

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src"

#: room -> its tests, as pytest names them
ROOMS: dict[str, tuple[str, ...]] = {
    "statistics": ("test_statistics.py", "test_clusters.py", "test_metrics.py"),
    "reducers": (
        "test_reducers.py",
        "test_token_shares.py",
        "test_clusters.py",
        "test_kept.py",
        "test_tables.py",
        "views/test_long.py",
    ),
    "edits": ("test_edits.py", "studies/test_disable.py", "studies/test_screening.py"),
    "studies/disabling": (
        "studies/test_disable.py",
        "studies/test_screening.py",
        "studies/test_resting_loss.py",
        "test_clusters.py",
    ),
    "studies/name_tests": ("studies/test_name_tests.py",),
    "studies/patching": ("studies/test_patch.py", "studies/test_patch_trust.py", "test_pairs.py"),
    "studies/writing": (
        "studies/test_writes.py",
        "studies/test_inactivity.py",
        "studies/test_readable_sentence.py",
    ),
}
#: how a child ends whose fault could not be planted, as where `super()` was removed from a function
NOT_PLANTED = 4
#: file, line
Line = tuple[str, int]


@dataclass
class Reached:
    """The lines of some files that are run, and the seconds that it takes without what it asks for, by who
    runs them: a test, or a fixture that tests share."""

    files: frozenset[str]
    lines: dict[str, set[Line]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    since: float = 0.0

    @contextmanager
    def by(self, who: str) -> Iterator[None]:
        self._pass_time()
        self.stack.append(who)
        self.lines.setdefault(who, set())
        self.seconds[who] = 0.0
        sys.settrace(self._call)
        try:
            yield
        finally:
            self._pass_time()
            self.stack.pop()
            sys.settrace(self._call if self.stack else None)

    def _pass_time(self) -> None:
        now = time.process_time()
        if self.stack:
            self.seconds[self.stack[-1]] += now - self.since
        self.since = now

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._line if frame.f_code.co_filename in self.files else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if self.stack:
            self.lines[self.stack[-1]].add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


@dataclass
class Outcome:
    """What became of a fault: `killed` by a test (or since it took too much processor time), `survived`,
    `unreached`, or `not tried`: it cannot be planted, or the machine was too slow to tell."""

    file: str
    function: str
    line: int
    what: str
    outcome: str
    by: str = ""
    seconds: float = 0.0


class Mutating:
    """A plugin of pytest that runs the tests once without a fault, and then once for every fault."""

    def __init__(self, files: list[Path], settings: argparse.Namespace) -> None:
        self.files, self.settings = files, settings
        self.reached = Reached(frozenset(map(str, files)))
        self.sound: set[str] = set()  # tests that pass in a child, without a fault
        self.outcomes: list[Outcome] = []
        self.place = mmap.mmap(-1, 4)  # of the test that a child is at
        torch.set_num_threads(1)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        # what lasts for the session is there in every child, and is not made anew with a fault
        what = "session" if fixturedef.scope == "session" else f"{fixturedef.baseid} {fixturedef.argname}"
        with self.reached.by(f"fixture {what}"):
            return (yield)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        tests = [item for item in session.items if isinstance(item, pytest.Function)]
        end = cast(pytest.Item, _OfSession(session))
        good = [
            item
            for item, following in zip(tests, [*tests[1:], end], strict=True)
            if self._passes(item, following)
        ]
        seconds = sum(self.reached.seconds.values())
        print(f"{len(good)} of {len(session.items)} tests, {seconds:.0f} s", flush=True)
        tried = _tried(self.settings.out)
        every = [m for file in self.files for m in mutants_of(file, self.settings.seed, self.settings.each)]
        for mutant in every[:: self.settings.every]:
            if self.settings.only in mutant.function and _name(mutant) not in tried:
                self._try(session, mutant, good)
        return True

    def _passes(self, item: pytest.Function, following: pytest.Item) -> bool:
        with self.reached.by(item.nodeid):
            reports = runtestprotocol(item, log=False, nextitem=following)
        good = all(report.passed for report in reports)
        return good and self.reached.seconds[item.nodeid] <= self.settings.longest

    def _try(self, session: pytest.Session, mutant: Mutant, good: list[pytest.Function]) -> None:
        tests = self._tests_of(mutant, good)
        started = time.monotonic()
        outcome, by = self._in_child(session, mutant, tests) if tests else ("unreached", "")
        took = time.monotonic() - started
        self._check_sound(session, [item for item in tests if item.nodeid == by])
        done = Outcome(*_name(mutant), outcome, by, round(took, 2))
        self.outcomes.append(done)
        with self.settings.out.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(done)) + "\n")
        if outcome != "killed":
            print(f"{outcome}: {done.file}:{done.line} {done.function}: {done.what}", flush=True)

    def _check_sound(self, session: pytest.Session, tests: list[pytest.Function]) -> None:
        for item in tests:
            if item.nodeid not in self.sound and self._in_child(session, None, [item])[0] != "survived":
                raise pytest.UsageError(f"without a fault, {item.nodeid} fails in a child process")
            self.sound.add(item.nodeid)

    def _tests_of(self, mutant: Mutant, good: list[pytest.Function]) -> list[pytest.Function]:
        """Those that reach its line, the quickest first, until they take enough seconds together."""
        line = str(mutant.path), mutant.line
        seconds, uses = self.reached.seconds, {item.nodeid: _fixtures(item) for item in good}

        def reaches(item: pytest.Function) -> bool:
            return any(line in self.reached.lines.get(who, ()) for who in (item.nodeid, *uses[item.nodeid]))

        def takes(item: pytest.Function, there: set[str]) -> float:
            return seconds[item.nodeid] + sum(seconds.get(who, 0) for who in uses[item.nodeid] - there)

        chosen: list[pytest.Function] = []
        total, there = 0.0, set[str]()
        for item in sorted(filter(reaches, good), key=lambda item: takes(item, set())):
            total += takes(item, there)
            if chosen and total > self.settings.enough:
                break
            chosen.append(item)
            there |= uses[item.nodeid]
        return chosen

    def _in_child(
        self, session: pytest.Session, mutant: Mutant | None, tests: list[pytest.Function]
    ) -> tuple[str, str]:
        """What became of the fault, and the test that saw it."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            self._run_child(session, mutant, tests, writing)
        os.close(writing)
        wall = 3 * self.settings.limit if mutant else 600
        ended = _waited(child, wall)
        with os.fdopen(reading) as said:
            last = said.read()
        at = tests[int.from_bytes(self.place[:], "little")].nodeid
        if ended is None:
            return "not tried", f"the machine was too slow in {at}"
        if os.WIFSIGNALED(ended):
            return "killed", f"ran on and on in {at}"
        status = os.WEXITSTATUS(ended)
        return {0: ("survived", ""), NOT_PLANTED: ("not tried", last)}.get(status, ("killed", last))

    def _run_child(
        self, session: pytest.Session, mutant: Mutant | None, tests: list[pytest.Function], writing: int
    ) -> None:
        """Never returns."""
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        status = NOT_PLANTED
        try:
            if mutant is not None:
                limit = self.settings.limit
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
                plant(mutant)
            status = 3
            forget(session)
            status = 0
            for place, (item, following) in enumerate(zip(tests, [*tests[1:], None], strict=True)):
                self.place[:] = place.to_bytes(4, "little")
                os.environ["PYTEST_CURRENT_TEST"] = item.nodeid
                reports = runtestprotocol(item, log=False, nextitem=following)
                if any(report.failed for report in reports):
                    os.write(writing, item.nodeid.encode())
                    status = 1
                    break
        except BaseException as error:
            os.write(writing, repr(error)[:300].encode())
        finally:
            os._exit(status)


def _fixtures(item: pytest.Function) -> set[str]:
    fixtures = [several[-1] for several in item._fixtureinfo.name2fixturedefs.values()]
    return {f"fixture {fixture.baseid} {fixture.argname}" for fixture in fixtures}


class _OfSession:
    """A stand-in for a test of another module, before which fixtures end that are not of the session."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def listchain(self) -> list[Any]:
        return [self.session]


def _waited(child: int, seconds: float) -> int | None:
    """The status of a child; None where it had to be stopped."""
    end = time.monotonic() + seconds
    pause = 0.005
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(pause)
        pause = min(0.2, pause * 1.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _name(mutant: Mutant) -> tuple[str, str, int, str]:
    return str(mutant.path.relative_to(SOURCE / "attlas")), mutant.function, mutant.line, mutant.what


def _tried(out: Path) -> set[tuple[str, str, int, str]]:
    """The faults that an earlier run has put into the file."""
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    known = (json.loads(line) for line in lines)
    return {(fault["file"], fault["function"], fault["line"], fault["what"]) for fault in known}


def plant(mutant: Mutant) -> None:
    """Put the faulty code into the function, wherever it was imported to."""
    module = importlib.import_module(".".join(mutant.path.relative_to(SOURCE).with_suffix("").parts))
    made: Any = module
    for part in mutant.function.split("."):
        made = getattr_static(made, part)
    while not isinstance(made, FunctionType):
        names = ("__wrapped__", "__func__", "fget", "func")
        made = next(getattr(made, name) for name in names if getattr(made, name, None) is not None)
    while hasattr(made, "__wrapped__"):
        made = made.__wrapped__
    made.__code__ = mutant.code()


def forget(session: pytest.Session) -> None:
    """Empty the caches that tests filled while there was no fault."""
    for module in {item.module for item in session.items if isinstance(item, pytest.Function)}:
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rooms", nargs="+", choices=ROOMS, metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--each", type=int, default=3, help="faults of a function; long ones get more")
    parser.add_argument("--every", type=int, default=1, help="of these every second, third, ... alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="functions whose name has this in it")
    parser.add_argument("--files", default="", help="files whose name has this in it")
    parser.add_argument("--tests", default="not triton and not fused", help="which, as pytest -k takes them")
    parser.add_argument(
        "--longest", type=float, default=5, help="seconds of a test; longer ones are left out"
    )
    parser.add_argument("--enough", type=float, default=10, help="seconds of tests for a fault")
    parser.add_argument("--limit", type=int, default=40, help="seconds of processor for a fault")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("mutants.jsonl"),
        help="a line for each; those there are not tried again",
    )
    settings = parser.parse_args()
    for room in settings.rooms:
        folder = SOURCE / "attlas" / room
        files = [
            f for f in sorted(folder.rglob("*.py")) if settings.files in f.name and f.name != "__init__.py"
        ]
        mutating = Mutating(files, settings)
        tests = [str(TESTS / name) for name in ROOMS[room]]
        pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", settings.tests, *tests],
            plugins=[mutating],
        )
        counts = Counter(done.outcome for done in mutating.outcomes)
        print(f"{room}: {len(mutating.outcomes)} faults, {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()

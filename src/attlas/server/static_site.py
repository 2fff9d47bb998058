"""The app as a folder that needs no server: the prepared texts with their edits, answered beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from attlas.address import Head
from attlas.outputs import check_output, write_output
from attlas.server.atlas_reports import atlas_report
from attlas.server.held_models import HeldModels
from attlas.server.kept_pages import KeptAnswer, kept_page
from attlas.server.messages import EditRequest, RunRequest, RunResult
from attlas.server.python_lines import python_lines
from attlas.server.run_answers import answer_run, switches_of
from attlas.server.served import Served
from attlas.server.state import ServerState

#: of each prepared text, how many of the heads that write most are switched off, one by one
SWITCHED = 9

Advance = Callable[[str, int, int], None]


def write_site(
    served: Served, folder: Path, memory: int, advance: Advance = lambda what, done, total: None
) -> Path:
    """Write the prepared texts of every model, each as it is and without the heads that write most, as a page
    that works from a file system."""
    check_output(folder / "index.html", "export")
    state = ServerState(served, memory)
    held = HeldModels(state.worker.settings, state.tell)
    for model in served.models:
        held.load(model.id)
    answers: list[KeptAnswer] = []
    texts = [text.request for model in state.models() for text in model.texts]
    for done, request in enumerate(texts):
        advance(request.text, done, len(texts))
        answers += _with_edits(request, state, held)
    reports = {atlas.id: atlas_report(atlas).model_dump_json() for atlas in served.atlases}
    title = ", ".join(model.title for model in served.models)
    page = kept_page(state.about_all(), answers, reports, "", title)
    write_output(folder / "index.html", page)
    return folder


def _with_edits(request: RunRequest, state: ServerState, held: HeldModels) -> Iterator[KeptAnswer]:
    """A prepared text unedited and with its own edits, and without each head that writes most."""
    plain = request.model_copy(update={"edits": []})
    first = _keep_answer(plain, state, held)
    yield first
    subject = held.models[request.model].subject
    several = len(subject.kinds) > 1
    if request.edits:
        # as the page asks: head by head
        switches = switches_of(request.edits, subject)
        layer = [EditRequest(heads=[switch.head.write(several) for switch in switches], by=switches[0].by)]
        yield _keep_answer(plain.model_copy(update={"edits": layer}), state, held)
    ranked = RunResult.model_validate_json(first.answer).run.ranked
    for write in ranked.heads[:SWITCHED] if ranked else ():
        edits = [EditRequest(heads=[Head(write.kind, write.layer, write.head).write(several)])]
        # maps are large: the page shows those of the unedited text
        yield _keep_answer(plain.model_copy(update={"edits": edits, "scene": False}), state, held)


def _keep_answer(request: RunRequest, state: ServerState, held: HeldModels) -> KeptAnswer:
    resolved = state.served.resolve(request)
    answer = answer_run(resolved, held.load, held.atlas_of, lambda what, done, total: None)
    return KeptAnswer(request, answer.model_dump_json(), python_lines(resolved, state.served, state.abouts()))

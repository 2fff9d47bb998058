"""The API on mini: one process of its own, jobs, sessions, limits, and what leaves the page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

import attlas
from attlas.server.application import application
from attlas.server.messages import JobResult
from attlas.server.policy import Policy
from attlas.server.state import ServerState
from attlas.studies.feeding.link_reasons import LinkReasons
from attlas.subject import Subject
from serving import TEXT, come_to, ended, standing_still

Answer = Callable[..., tuple[Any, Any]]


def test_a_run_has_predictions_ranked_heads_and_maps(answer: Answer) -> None:
    _, result = answer()
    run = JobResult.model_validate(result).run
    assert run is not None
    assert [likely.text for likely in run.run.predictions[0].top][:2] == ["paris", "france"]
    assert run.run.ranked is not None
    assert (run.run.ranked.heads[0].layer, run.run.ranked.heads[0].head) == (10, 6)
    assert run.scene is not None
    assert [token.text for token in run.run.tokens if token.side == "a"][:3] == ["the", "capital", "of"]


def test_a_link_has_the_reasons_of_the_verb_and_those_of_an_edited_run(
    server: TestClient, mini: Subject
) -> None:
    def reason(**edited: Any) -> Any:
        asked = {"run": {"model": "mini", "text": TEXT, **edited}, "head": "7.9", "query": 4, "key": 2}
        job = ended(server, server.post("/api/why", json=asked).json()["id"])
        return server.get(f"/api/jobs/{job['id']}/result").json()["why"]

    plain, edited = reason(), reason(edits=[{"heads": ["0.*", "1.*"], "by": "zero"}])
    said = attlas.why(mini, heads=["7.9"], sentence=TEXT, link=(4, 2))
    assert isinstance(said, LinkReasons)
    assert (plain["head"], plain["query"], plain["key"]) == (["encoder", 7, 9], 4, 2)
    assert (plain["score"], plain["lift"]) == pytest.approx((said.score, said.lift), abs=1e-4)
    lifts = [part["lift"] for part in plain["wrote_key"]]
    assert lifts == pytest.approx([part.lift for part in said.parts.of("key")[: len(lifts)]], abs=1e-4)
    written = edited["wrote_key"] + edited["wrote_query"]
    assert edited["score"] != pytest.approx(plain["score"], abs=1e-2)
    assert not any(part["head"] and part["head"][1] < 2 and part["score"] for part in written)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"head": "7.*", "query": 1, "key": 1}, "one head is asked why at once"),
        ({"head": "7.9", "query": 99, "key": 1}, "there is no query 99 here"),
        ({"head": "77.9", "query": 1, "key": 1}, "there is no head 77.9"),
    ],
)
def test_a_link_that_is_not_there_is_refused_in_a_line(server: TestClient, asked: Any, says: str) -> None:
    run = {"model": "mini", "text": TEXT}
    job = ended(server, server.post("/api/why", json={"run": run, **asked}).json()["id"])
    assert job["phase"] == "failed"
    assert says in job["message"]


def test_python_that_is_copied_gives_the_same_numbers(server: TestClient, answer: Answer) -> None:
    edits = [{"heads": ["10.6", "3.*"]}, {"heads": ["9.0"], "by": "pattern", "pattern": "previous"}]
    _, result = answer(edits=edits, scene=False)
    code = server.post("/api/python", json={"model": "mini", "text": TEXT, "edits": edits}).json()["code"]
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    effect = result["run"]["run"]["effect"]
    assert effect["sentence"] in printed
    numbers = [line.split() for line in printed.splitlines()]
    for shift in effect["predictions"][0]["top"]:
        line = next(words for words in numbers if words[0] == shift["text"] and len(words) == 3)
        assert [float(word) for word in line[1:]] == pytest.approx(
            [shift["before"], shift["after"]], rel=1e-4
        )
    for random in effect["random"]:
        assert any(words[-1:] and _near(words[-1], random["after"]) for words in numbers)
    first = result["run"]["run"]["ranked"]["heads"][0]
    line = next(
        words for words in numbers if words[0] == f"{first['layer']}.{first['head']}" and len(words) == 2
    )
    assert float(line[1]) == pytest.approx(first["counted"], rel=1e-3)


def _near(word: str, value: float) -> bool:
    try:
        return abs(float(word) - value) < 1e-5 * max(value, 1e-3)
    except ValueError:
        return False


@pytest.mark.parametrize("hostile", ["'); import os; os.abort() #", '"""\n\\', "{text} %s \u202e </script>"])
def test_a_text_is_never_code(server: TestClient, hostile: str) -> None:
    asked = {"model": "mini", "text": hostile, "edits": [{"heads": ["1.1"]}]}
    code = server.post("/api/python", json=asked).json()["code"]
    call = next(line for line in code.splitlines() if line.startswith("text = read_text("))
    assert repr(hostile) in call
    compile(code, "copied", "exec")


def test_a_group_and_a_pattern_by_name_come_from_the_atlas(server: TestClient, answer: Answer) -> None:
    groups = {
        group["id"]: group["heads"] for group in server.get("/api/models").json()["models"][0]["groups"]
    }
    assert "pattern:none" not in groups
    edits = [{"group": "pattern:previous", "by": "pattern"}]
    _, result = answer(edits=edits, scene=False, ranked=False)
    assert sorted(result["run"]["run"]["effect"]["heads"]) == sorted(groups["pattern:previous"])
    wrong = server.post(
        "/api/runs", json={"model": "mini", "text": "a", "edits": [{"group": "pattern:wizard"}]}
    )
    assert (wrong.status_code, "no group" in wrong.json()["message"]) == (422, True)


def test_a_text_beside_another_has_both_runs(answer: Answer) -> None:
    other = "The capital of Italy is [MASK]."
    _, result = answer(beside={"text": other}, edits=[{"heads": ["10.6"], "by": "patch"}], patch_text=other)
    run = result["run"]
    assert run["run"]["effect"]["verdict"] in ("beyond", "within", "none")
    assert run["beside"]["predictions"][0]["top"][0]["text"] != ""
    assert len(run["scene"]["scene"]["panes"]) == 2  # the other, and the difference


def test_a_page_that_is_saved_needs_no_server(server: TestClient, answer: Answer) -> None:
    job, _ = answer(edits=[{"heads": ["10.6"]}])
    saved = server.post("/api/pages", json={"job": job["id"], "address": "#model=mini&text=</script><b>"})
    assert "attachment" in saved.headers["content-disposition"]
    assert "default-src 'none'" in saved.text
    assert not re.search(r"(?:src|href)=[\"']?https?:", saved.text)
    assert "</script><b>" not in saved.text
    assert server.post("/api/pages", json={"job": "nobodys"}).status_code == 404


def test_two_people_never_see_each_others_texts(
    state: ServerState, server: TestClient, answer: Answer
) -> None:
    job, _ = answer(scene=False)
    stranger = TestClient(application(state, Policy()), base_url="http://127.0.0.1")
    for path in (f"/api/jobs/{job['id']}", f"/api/jobs/{job['id']}/result", f"/api/jobs/{job['id']}/events"):
        assert server.get(path).status_code == 200
        assert stranger.get(path).status_code == 404
    assert stranger.delete(f"/api/jobs/{job['id']}").status_code == 404


def test_too_many_requests_are_refused_and_those_that_wait_say_behind_how_many(
    state: ServerState, server: TestClient
) -> None:
    words = ("sun", "sea", "moon", "star", "sky", "king", "war", "army", "ship")
    with standing_still(state, server):
        asked = [
            server.post("/api/runs", json={"model": "mini", "text": f"The {word} is [MASK]."})
            for word in words
        ]
        accepted = [response.json()["id"] for response in asked if response.status_code == 200]
        refused = [response for response in asked if response.status_code == 429]
        assert len(accepted) - state.queue.limit in (0, 1)  # one may be with the model already
        assert refused[0].headers["retry-after"]
        assert "try again" in refused[0].json()["message"]
        come_to(server, accepted[0], "running")
        behind = [server.get(f"/api/jobs/{id}").json()["behind"] for id in accepted]
        assert behind == [*range(len(accepted))]
        for id in accepted:
            server.delete(f"/api/jobs/{id}")
    assert {ended(server, id)["phase"] for id in accepted} <= {"cancelled", "done"}
    assert server.get(f"/api/jobs/{accepted[-1]}/result").status_code in (200, 410)


def test_a_request_that_is_not_wanted_any_more_ends_in_the_model(
    state: ServerState, server: TestClient, answer: Answer
) -> None:
    long = {"model": "mini", "text": "the capital of france is [MASK] . " * 60, "edits": [{"heads": ["0.*"]}]}
    with standing_still(state, server):
        job = server.post("/api/runs", json=long).json()
        come_to(server, job["id"], "running")
        assert server.delete(f"/api/jobs/{job['id']}").json()["phase"] == "cancelled"
    assert answer(scene=False)[0]["phase"] == "done"


def test_a_worker_that_dies_is_said_in_words_and_the_next_request_works(
    state: ServerState, server: TestClient, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {"model": "mini", "text": "the capital of france is [MASK] . " * 60, "edits": [{"heads": ["1.*"]}]}
    with standing_still(state, server) as pid:
        starts = state.worker.starts
        job = server.post("/api/runs", json=long).json()
        come_to(server, job["id"], "running")
        os.kill(pid, signal.SIGKILL)
        job = ended(server, job["id"])
    assert job["phase"] == "failed"
    assert "SIGKILL" in job["message"]
    assert "The next request starts it again" in job["message"]

    # a request that is cancelled while the model loads does not have it loaded again
    tell = state.worker.tell

    def cancel_while_it_loads(id: str, standing: str, message: str, about: str | None) -> None:
        tell(id, standing, message, about)
        if standing == "loading":
            with monkeypatch.context() as impatient:
                impatient.setattr("attlas.server.model_worker.GRACE", 0.0)
                state.worker.cancel()

    with monkeypatch.context() as listening:
        listening.setattr(state.worker, "tell", cancel_while_it_loads)
        text = "The queen took off [MASK] crown."
        job = server.post("/api/runs", json={"model": "mini", "text": text, "ranked": False}).json()
        assert ended(server, job["id"])["phase"] == "cancelled"
    assert answer(scene=False, text=text)[0]["phase"] == "done"
    assert state.worker.starts == starts + 1


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"model": "gpt2"}, "there is no model 'gpt2': there are mini"),
        ({"model": "/etc/passwd"}, "there is no model"),
        ({"model": "http://169.254.169.254/"}, "there is no model"),
        ({"text": "a" * 4001}, "text: String should have at most 4000"),
        ({"text": ""}, "text: "),
        ({"edits": [{"heads": ["1.1"]}] * 17}, "edits: "),
        ({"random_sets": 21}, "random_sets: "),
        ({"folder": "/tmp"}, "folder: Extra inputs are not permitted"),
        ({"edits": [{"heads": []}]}, "an edit names no heads"),
    ],
)
def test_no_request_names_what_was_not_given_at_the_start_cve_2026_28416(
    server: TestClient, request_: dict[str, Any], why: str
) -> None:
    refused = server.post("/api/runs", json={"model": "mini", "text": "a", **request_})
    assert refused.status_code == 422
    assert refused.json()["message"].startswith(why)


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"edits": [{"heads": ["99.1"]}]}, "there is no head 99.1"),
        ({"text": "word " * 700}, "mini"),
        ({"place": 3}, "nothing is predicted at place 3"),
        ({"token": 999_999_999}, "there is no token"),
        ({"edits": [{"heads": ["1.1"], "by": "pattern", "pattern": "wizard"}]}, "cannot be made to follow"),
        ({"edits": [{"heads": ["1.1"], "by": "patch"}]}, "give the text to patch from"),
    ],
)
def test_what_the_model_cannot_do_is_said_in_one_line(
    answer: Answer, request_: dict[str, Any], why: str
) -> None:
    job, _ = answer(**request_)
    assert job["phase"] == "failed"
    assert why in job["message"]
    assert "\n" not in job["message"]


def test_cards_and_finder_of_an_atlas_are_there(server: TestClient) -> None:
    report = server.get("/api/atlases/mini/report")
    assert len(report.json()["report"]["cards"]) == 144
    assert server.get("/api/atlases/other/report").status_code == 404


def test_the_token_comes_once_in_the_address_and_then_as_a_cookie(state: ServerState) -> None:
    secret = "a secret of many characters"
    client = TestClient(
        application(state, Policy(token=secret)), base_url="http://127.0.0.1", follow_redirects=False
    )
    assert client.get("/").status_code == 401
    led = client.get("/", params={"token": secret, "next": "1"})
    assert (led.status_code, led.headers["location"]) == (303, "./?next=1")
    assert "HttpOnly; SameSite=Strict" in led.headers["set-cookie"]
    assert client.get("/").status_code == 200
    assert client.get("/", params={"token": "wrong"}).status_code == 401
    assert client.get("/health").json() == {"status": "ok"}


def test_a_body_that_says_it_is_small_and_is_not_is_refused(server: TestClient) -> None:
    def chunks() -> Any:
        yield b'{"text": "'
        for _ in range(80):
            yield b"a" * 1024
        yield b'"}'

    refused = server.post("/api/runs", content=chunks(), headers={"content-type": "application/json"})
    assert refused.status_code == 413


def test_pages_come_with_the_policy_and_are_compressed(server: TestClient) -> None:
    page = server.get("/")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "<script src=" in page.text
    assert not re.search(r"<script>|<style>| on\w+=", page.text)
    assert server.get("/app.js").headers["content-encoding"] == "gzip"
    assert "POST /api/runs" in server.get("/docs").text

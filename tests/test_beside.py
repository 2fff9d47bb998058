"""Two atlases on one page: what heads of both do, what appeared, went and moved."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import attlas
from attlas.atlas import load_atlas
from attlas.errors import AttlasError
from attlas.site.published_model import PublishedModel, read_model
from attlas.site.shared_jobs import Holder, Job, alike_pairs, jobs_of

ASK = Path(__file__).parent / "data" / "ask"


@pytest.fixture(scope="module")
def models() -> tuple[PublishedModel, PublishedModel]:
    mini, minilm = (read_model(name, name, load_atlas(ASK / f"{name}.attlas")) for name in ("mini", "minilm"))
    return mini, minilm


def test_two_atlases_are_one_page_with_both_models_numbers(tmp_path):
    result = attlas.report(ASK / "mini.attlas", ASK / "smollm2.attlas", page=tmp_path / "page.html")
    html = result.page.read_text(encoding="utf-8")
    assert "<title>mini beside smollm2</title>" in html
    assert "<script" not in html
    row = next(row for row in html.split("<tr>") if row.startswith("<td>direct object of a verb"))
    cells = re.findall("<td>(.*?)</td>", row)
    assert cells[1] == "only in the second"
    assert "no head is shown to" in cells[2]
    best = attlas.ask(load_atlas(ASK / "smollm2.attlas"), "which head finds objects?").heads[0].head
    assert f"<b>{best}</b>" in cells[3]
    induction = next(row for row in html.split("<tr>") if row.startswith("<td>Attention: induction<"))
    names = load_atlas(ASK / "smollm2.attlas").names("pattern").values()
    assert f"; {sum(name == 'induction' for name in names) - 1} other heads" in induction


def test_a_decoder_is_not_blamed_for_what_it_cannot_see(tmp_path):
    html = attlas.report(
        ASK / "mini.attlas", ASK / "smollm2.attlas", page=tmp_path / "a.html"
    ).page.read_text()
    row = next(row for row in html.split("<tr>") if row.startswith("<td>Attention: next token"))
    assert "not asked of both" in row


def test_an_atlas_beside_itself_lost_and_gained_nothing(models):
    jobs = jobs_of(models[0], models[0])
    assert jobs
    assert {job.standing for job in jobs} == {"both"}
    pairs, numbers = alike_pairs(models[0], models[0])
    assert numbers > 50
    assert all(pair.first == pair.second and pair.distance == 0 for pair in pairs)
    assert len(pairs) == 144


def test_heads_most_alike_are_each_others_nearest(models):
    pairs, _ = alike_pairs(*models)
    back, _ = alike_pairs(models[1], models[0])
    assert {(pair.first, pair.second) for pair in pairs} == {(pair.second, pair.first) for pair in back}
    assert [pair.distance for pair in pairs] == sorted(pair.distance for pair in pairs)


@pytest.mark.parametrize(
    ("first", "second", "standing"),
    [
        (Holder(1, 3, "", 0.2), Holder(2, 5, "", 0.4), "both"),
        (Holder(1, 3, "", 0.2), Holder(2, 5, "", 0.9), "moved"),
        (Holder(0, None, "", 0.0), Holder(2, 5, "", 0.9), "appeared"),
        (Holder(1, 3, "", 0.2), Holder(0, None, "", 0.0), "went"),
        (None, Holder(2, 5, "", 0.9), "not asked"),
    ],
)
def test_what_became_of_a_job(first, second, standing):
    assert Job("a job", (first, second)).standing == standing


def test_what_an_atlas_says_is_no_markup_beside_another(tmp_path):
    mini = load_atlas(ASK / "mini.attlas")
    evil = replace(mini, manifest={**mini.manifest, "model": {**mini.model, "name": "<img src=x>"}})
    html = attlas.report(evil, mini, page=tmp_path / "page.html").page.read_text(encoding="utf-8")
    assert "<img src=x>" not in html
    assert "&lt;img src=x&gt; beside mini" in html


def test_only_atlases_are_put_beside_each_other(tmp_path):
    with pytest.raises(AttlasError, match=r"make that of the model first, by attlas\.report\(mini\)"):
        attlas.report("mini", ASK / "mini.attlas")
    with pytest.raises(AttlasError, match="no such atlas"):
        attlas.report(ASK / "mini.attlas", tmp_path / "nothing.attlas")

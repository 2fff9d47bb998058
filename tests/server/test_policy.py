"""Who may ask for what: the policy as a value, without a server. Named after what was found elsewhere."""

from __future__ import annotations

import pytest

from attlas.server.policy import Asked, Policy, policy_for
from attlas.server.routes import ROUTES

OPEN = policy_for("127.0.0.1")
SECRET = "a secret of many characters"
CLOSED = policy_for("192.168.1.5", SECRET)
JSON = {"content-type": "application/json", "content-length": "2"}


def asked(method: str = "GET", path: str = "/api/models", token: str | None = None, **headers: str) -> Asked:
    named = {"host": "127.0.0.1:8765", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Asked(method, path, named if method == "GET" else {**JSON, **named}, token)


def status(policy: Policy, request: Asked) -> int:
    refusal = policy.refusal(request)
    return 200 if refusal is None else refusal.status


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8765", "", "localhost.evil.example", "[::1]x"]
)
def test_another_name_is_refused_as_mlflow_did_not_cve_2025_14279(host: str) -> None:
    assert status(OPEN, asked(host=host)) == 421
    assert status(OPEN, asked("POST", "/api/runs", host=host)) == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1:1", "[::1]:8765", "localhost."])
def test_names_of_this_machine_are_known(host: str) -> None:
    assert status(OPEN, asked(host=host)) == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),  # another server on this machine
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"origin": "http://127.0.0.1:8765", "sec_fetch_site": "same-origin"}, 200),
        ({}, 200),  # not a browser
    ],
)
def test_other_sites_change_nothing(headers: dict[str, str], expected: int) -> None:
    for route in ROUTES:
        if route.changes:
            path = route.path.replace("{id}", "x")
            assert status(OPEN, asked(route.method, path, **headers)) == expected


def test_another_site_may_lead_to_the_page_and_read_nothing() -> None:
    leads = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert status(OPEN, asked(path="/", **leads)) == 200
    assert status(OPEN, asked(path="/api/models", **leads)) == 403


@pytest.mark.parametrize(
    "path",
    [
        "/api/models",
        "/docs",
        "/openapi.json",
        "/",
        "/app.js",
        "/api/jobs/x/result",
        "/api/atlases/mini/report",
    ],
)
def test_every_path_needs_the_token_but_health_cve_2026_2611(path: str) -> None:
    for wrong in (None, "", "another secret of many"):
        assert status(CLOSED, asked(path=path, host="192.168.1.5", token=wrong)) == 401
    assert status(CLOSED, asked(path=path, host="192.168.1.5", token=SECRET)) == 200
    assert [route.path for route in ROUTES if route.public] == ["/health"]


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/models/",
        "//api/models",
        "/api/jobs/../models",
        "/api/jobs/%2e%2e",
        "/static/x",
        "/API/models",
    ],
)
def test_what_is_not_in_the_list_is_not_there(path: str) -> None:
    assert status(OPEN, asked(path=path)) == 404
    assert status(OPEN, asked("POST", path)) == 404


def test_other_methods_are_refused() -> None:
    assert status(OPEN, asked("DELETE", "/api/models")) == 405
    assert status(OPEN, asked("OPTIONS", "/api/runs")) == 405  # so that no preflight ever succeeds


def test_bodies_are_small_and_json() -> None:
    runs = "/api/runs"
    assert status(OPEN, asked("POST", runs)) == 200
    assert status(OPEN, asked("POST", runs, content_type="text/plain")) == 415
    assert status(OPEN, asked("POST", runs, content_type="multipart/form-data")) == 415
    assert status(OPEN, asked("POST", runs, content_length="1000000")) == 413
    assert status(OPEN, asked("POST", runs, content_length="-1")) == 413


def test_a_proxy_that_was_named_may_ask() -> None:
    behind = policy_for("127.0.0.1", hosts=("hub.example.org",), origins=("https://hub.example.org",))
    headers = {
        "host": "hub.example.org",
        "origin": "https://hub.example.org",
        "sec_fetch_site": "same-origin",
    }
    assert status(behind, asked("POST", "/api/runs", **headers)) == 200
    assert status(OPEN, asked("POST", "/api/runs", **headers)) == 421


def test_the_page_runs_its_own_script_alone() -> None:
    csp = OPEN.headers()["content-security-policy"]
    assert "script-src 'self';" in csp
    assert "unsafe" not in csp
    assert "frame-ancestors 'none'" in csp
    assert OPEN.headers()["x-frame-options"] == "DENY"
    framed = policy_for("127.0.0.1", embed=("https://hub.example.org",))
    assert "frame-ancestors https://hub.example.org" in framed.headers()["content-security-policy"]


def test_cookies_are_for_this_site_alone() -> None:
    assert OPEN.cookie("a", "b", secure=False) == "a=b; Path=/; HttpOnly; SameSite=Strict"
    assert OPEN.cookie("a", "b", secure=True).endswith("; Secure")

"""The outer middleware: every request passes the policy before anything else sees it."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from attlas.server.policy import MOST_BODY, Asked, Policy, Refusal

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_SECONDS = 15.0
TOKEN, SESSION = "attlas_token", "attlas_session"
_SESSION_ID = re.compile("[A-Za-z0-9_-]{20,64}")


class Gate:
    """Asks the policy, counts the bytes of bodies, and gives every browser a session."""

    def __init__(self, app: App, policy: Policy) -> None:
        self.app, self.policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing else is served
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        cookies = _cookies(headers.get("cookie", ""))
        query = scope["query_string"].decode("latin-1")
        in_address = dict(parse_qsl(query)).get("token") if scope["path"] == "/" else None
        bearer = headers.get("authorization", "").removeprefix("Bearer ") or None
        token = in_address or cookies.get(TOKEN) or bearer
        refusal = self.policy.refusal(Asked(scope["method"], scope["path"], headers, token, query))
        secure = scope.get("scheme") == "https"
        set_cookies: list[str] = []
        if refusal is not None:
            await _refuse(self._with_headers(send, set_cookies), refusal)
            return
        if in_address is not None and self.policy.token is not None:
            set_cookies.append(self.policy.cookie(TOKEN, in_address, secure))
            await _send_on(self._with_headers(send, set_cookies), _without_token(query))
            return
        session = cookies.get(SESSION, "")
        if not _SESSION_ID.fullmatch(session):
            session = secrets.token_urlsafe(24)
            set_cookies.append(self.policy.cookie(SESSION, session, secure))
        scope["state"] = {**scope.get("state", {}), "session": session}
        try:
            replayed = await _read_body(receive) if scope["method"] == "POST" else receive
        except _WrongBody as wrong:
            await _refuse(self._with_headers(send, set_cookies), wrong.refusal)
            return
        await self.app(scope, replayed, self._with_headers(send, set_cookies))

    def _with_headers(self, send: Send, set_cookies: list[str]) -> Send:
        async def with_headers(event: Event) -> None:
            if event["type"] == "http.response.start":
                already = {name for name, _ in event.get("headers", ())}
                more = [
                    (n.encode(), v.encode())
                    for n, v in self.policy.headers().items()
                    if n.encode() not in already
                ]
                more += [(b"set-cookie", cookie.encode()) for cookie in set_cookies]
                event = {**event, "headers": [*event.get("headers", ()), *more]}
            await send(event)

        return with_headers


class _WrongBody(Exception):
    """A body that was too large, whatever its header said, or too slow."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


async def _read_body(receive: Receive) -> Receive:
    """Read the whole body, which is small, within a time; and give it to who asks."""
    parts, size, more = list[bytes](), 0, True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                event = await receive()
                if event["type"] != "http.request":
                    break  # the browser is gone
                parts.append(event.get("body", b""))
                size += len(parts[-1])
                if size > MOST_BODY:
                    raise _WrongBody(Refusal(413, f"the request is too large: at most {MOST_BODY:,} bytes"))
                more = event.get("more_body", False)
    except TimeoutError:
        raise _WrongBody(Refusal(408, "the request came too slowly")) from None
    body: list[bytes] = [b"".join(parts)]

    async def replayed() -> Event:
        if body:
            return {"type": "http.request", "body": body.pop(), "more_body": False}
        return await receive()

    return replayed


def _cookies(header: str) -> dict[str, str]:
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return {name: value for name, equals, value in pairs if equals}


def _without_token(query: str) -> str:
    rest = urlencode(
        [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != "token"]
    )
    return f"./?{rest}" if rest else "./"


async def _send_on(send: Send, address: str) -> None:
    await send(
        {"type": "http.response.start", "status": 303, "headers": [(b"location", address.encode("latin-1"))]}
    )
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"message": refusal.message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

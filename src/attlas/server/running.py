"""Listening: a socket, the application, and an end in order."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from urllib.parse import quote

import uvicorn

from attlas.errors import AttlasError, option
from attlas.server.application import application
from attlas.server.policy import Policy
from attlas.server.state import ServerState

#: seconds that open connections have to end, once the server is asked to
LAST_SECONDS = 3
MOST_CONNECTIONS = 512


@dataclass(frozen=True)
class Listening:
    """A bound socket, and the address to open."""

    socket: socket.socket
    host: str
    port: int

    def address(self, token: str | None, name: str | None = None) -> str:
        """What to open in a browser, once with the token."""
        shown = name or (f"[{self.host}]" if ":" in self.host else self.host)
        return f"http://{shown}:{self.port}/" + (f"?token={quote(token, safe='')}" if token else "")


def listen(host: str, port: int) -> Listening:
    """Take a port; 0 takes any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
    except OSError as error:
        listening.close()
        raise AttlasError(
            f"cannot listen at {host}, port {port} ({error.strerror or error}): choose another with "
            f"{option('port')}, or stop what listens there"
        ) from error
    return Listening(listening, host.strip("[]"), int(listening.getsockname()[1]))


class _Server(uvicorn.Server):
    """Ends its jobs first, so that nobody waits for events that will not come."""

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config)
        self._state = state
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._state.queue.close)
        super().handle_exit(sig, frame)


def run(listening: Listening, state: ServerState, policy: Policy, ready: Callable[[], None]) -> None:
    """Serve until somebody ends it."""
    config = uvicorn.Config(
        application(state, policy),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=LAST_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
        lifespan="on",
    )
    server = _Server(config, state)

    async def serve() -> None:
        serving = asyncio.create_task(server.serve([listening.socket]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            ready()
        await serving

    try:
        asyncio.run(serve())
    finally:
        listening.socket.close()


def open_browser(address: str) -> None:
    """Open the app; a machine without a browser is no reason to fail."""
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return

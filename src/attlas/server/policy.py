"""Who may ask the server for what: a value, and what it says of a request. Nothing here reads or writes."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from attlas.errors import AttlasError, option
from attlas.server.routes import is_path, route_of

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
MOST_BODY = 64 * 1024  # bytes
MOST_QUERY = 2048


@dataclass(frozen=True)
class Asked:
    """What a policy looks at in a request. Names of headers are small letters."""

    method: str
    path: str
    headers: Mapping[str, str]
    token: str | None = None  # from the cookie, the address, or the header
    query: str = ""


@dataclass(frozen=True)
class Refusal:
    """A status, and why, in a sentence."""

    status: int
    message: str


@dataclass(frozen=True)
class Policy:
    """What is allowed. `hosts` are the names by which browsers may call the server, without ports; `origins`
    are other sites that may change things, where a proxy has another name; `token` is needed by everybody,
    where there is one; `embed` are sites that may show the app in a frame."""

    hosts: tuple[str, ...] = LOOPBACK
    origins: tuple[str, ...] = ()
    token: str | None = None
    embed: tuple[str, ...] = ()

    def refusal(self, asked: Asked) -> Refusal | None:
        """Why a request is refused; None where it is not. In this order: by which name it is called, what is
        asked for, from where, and who asks."""
        if not self.knows_host(asked.headers.get("host", "")):
            return Refusal(421, "this server has another name: open the address that it printed")
        if len(asked.query) > MOST_QUERY:
            return Refusal(
                414, f"the address is too long: at most {MOST_QUERY:,} characters after the question mark"
            )
        route = route_of(asked.method, asked.path)
        if route is None:
            known = is_path(asked.path)
            return Refusal(405 if known else 404, "not that method" if known else "there is nothing here")
        if (why := self._wrong_origin(asked, route.changes)) is not None:
            return why
        if self.token is not None and not route.public and not self.is_token(asked.token):
            return Refusal(401, "the token is missing: open the address that the server printed")
        return self._wrong_body(asked) if asked.method == "POST" else None

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this server: another name may be an attacker's that points here."""
        return _name_of(host) in self.hosts

    def is_token(self, token: str | None) -> bool:
        """Whether this is the token, compared in constant time."""
        return (
            token is not None
            and self.token is not None
            and secrets.compare_digest(token.encode("utf-8", "replace"), self.token.encode())
        )

    def _wrong_origin(self, asked: Asked, changes: bool) -> Refusal | None:
        """A browser says which site asks. Other sites may lead to the page, and do no more."""
        site, origin = asked.headers.get("sec-fetch-site"), asked.headers.get("origin")
        other = Refusal(403, "this request comes from another site")
        if (
            origin is not None
            and origin not in self.origins
            and not self._is_own(origin, asked.headers["host"])
        ):
            return other
        if site in (None, "same-origin", "none") or (origin is not None and origin in self.origins):
            return None
        leads = not changes and asked.path == "/" and asked.headers.get("sec-fetch-mode") == "navigate"
        return None if leads else other

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            return urlsplit(origin).netloc == host and urlsplit(origin).scheme in ("http", "https")
        except ValueError:
            return False

    def _wrong_body(self, asked: Asked) -> Refusal | None:
        kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return Refusal(415, "send JSON, with the content type application/json")
        length = asked.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return Refusal(413, f"the request is too large: at most {MOST_BODY:,} bytes")
        return None

    def headers(self) -> dict[str, str]:
        """What every answer says to the browser: run no code but the page's own, and show it in no frame."""
        frames = " ".join(self.embed) if self.embed else "'none'"
        policy = {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "connect-src": "'self'",
            "img-src": "data: blob:",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": frames,
        }
        written = {
            "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-resource-policy": "cross-origin" if self.embed else "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
            "cache-control": "no-store",
        }
        return written if self.embed else {**written, "x-frame-options": "DENY"}

    def cookie(self, name: str, value: str, secure: bool) -> str:
        """A cookie that no script reads and no other site sends. In a frame of another site, browsers send
        only what says that it may be sent there, over HTTPS."""
        where = "; SameSite=None; Secure; Partitioned" if self.embed else "; SameSite=Strict"
        return f"{name}={value}; Path=/; HttpOnly{where}{'; Secure' if secure and not self.embed else ''}"


def policy_for(
    host: str,
    token: str | None = None,
    hosts: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
    embed: tuple[str, ...] = (),
) -> Policy:
    """The policy of a server that listens at `host`. Beyond this machine it needs a token; at a wildcard
    address also the names by which it is called."""
    if is_loopback(host):
        return Policy((*LOOPBACK, *_names(hosts)), origins, token, embed)
    if token is None:
        raise AttlasError(
            f"{option('host', host)}: others can reach this address: give a secret with {option('token')}"
        )
    if len(token) < 16:
        raise AttlasError(f"{option('token')} is too short to be a secret: give 16 characters or more")
    if is_wildcard(host) and not hosts:
        raise AttlasError(
            f"{option('host', host)} listens at every address: name those by which browsers call it with "
            f"{option('hosts')}, as in gpu7.example.org"
        )
    itself = () if is_wildcard(host) else (_name_of(host if ":" not in host else f"[{host.strip('[]')}]"),)
    return Policy((*itself, *_names(hosts)), origins, token, embed)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_wildcard(host: str) -> bool:
    """Whether an address stands for all addresses of the machine."""
    return host.strip("[]") in ("", "0.0.0.0", "::", "0", "*")


def _names(hosts: tuple[str, ...]) -> tuple[str, ...]:
    for host in hosts:
        if "*" in host or "/" in host or not host.strip():
            raise AttlasError(
                f"{option('hosts', host)} is not the name of a host: write it out, without a path"
            )
    return tuple(_name_of(host) for host in hosts)


def _name_of(host: str) -> str:
    """The name in a Host header, without its port: localhost:8765 -> localhost, [::1]:80 -> [::1]"""
    host = host.strip().lower()
    if host.startswith("["):
        name, bracket, rest = host.partition("]")
        return name + bracket if rest == "" or (rest[0] == ":" and rest[1:].isdecimal()) else host
    name, colon, port = host.rpartition(":")
    return name.rstrip(".") if colon and port.isdecimal() else host.rstrip(".")

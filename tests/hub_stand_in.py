"""A stand-in of the Hugging Face Hub on loopback: the part of its HTTP API that pushing and fetching an atlas
use, as huggingface_hub calls it. Files are uploaded the regular way; the real hub takes large ones by LFS or
Xet, which the hub's own library does and no test here tries."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "hf_a_token_of_the_stand_in"


@dataclass
class Repository:
    private: bool
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def commit(self) -> str:
        listed = sorted((name, hashlib.sha1(data).hexdigest()) for name, data in self.files.items())
        return hashlib.sha1(json.dumps(listed).encode()).hexdigest()


@dataclass
class StandIn:
    address: str
    repositories: dict[str, Repository]
    requests: list[str]


@contextmanager
def stand_in_hub() -> Iterator[StandIn]:
    hub = StandIn("", {}, [])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(hub: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None: ...

        def _answer(self, code: int, body: bytes = b"", **headers: str) -> None:
            self.send_response(code)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _json(self, data: Any, code: int = 200) -> None:
            self._answer(code, json.dumps(data).encode(), Content_Type="application/json")

        def _knows(self) -> bool:
            return self.headers.get("Authorization") == f"Bearer {TOKEN}"

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))

        def do_POST(self) -> None:
            body, path = self._body(), self.path.partition("?")[0]
            hub.requests.append(f"POST {path}")
            if not self._knows():
                return self._json({"error": "Invalid username or password."}, 401)
            if path == "/api/validate-yaml":
                return self._json({"errors": [], "warnings": []})
            if path == "/api/repos/create":
                asked = json.loads(body)
                name = "/".join(filter(None, (asked.get("organization") or "me", asked["name"])))
                private = asked.get("visibility") == "private" or bool(asked.get("private"))
                if name in hub.repositories:
                    return self._json({"url": f"{hub.address}/datasets/{name}"}, 409)
                hub.repositories[name] = Repository(private)
                return self._json({"url": f"{hub.address}/datasets/{name}"})
            if match := re.fullmatch(r"/api/datasets/([^/]+/[^/]+)/preupload/main", path):
                files = [
                    {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                    for file in json.loads(body)["files"]
                ]
                return self._json({"files": files})
            if match := re.fullmatch(r"/api/datasets/([^/]+/[^/]+)/commit/main", path):
                repository = hub.repositories[match[1]]
                for line in map(json.loads, body.decode().splitlines()):
                    if line["key"] == "file":
                        value = line["value"]
                        repository.files[value["path"]] = base64.b64decode(value["content"])
                url = f"{hub.address}/datasets/{match[1]}/commit/{repository.commit}"
                return self._json({"success": True, "commitUrl": url, "commitOid": repository.commit})
            return self._json({"error": "not in the stand-in"}, 404)

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            hub.requests.append(f"{self.command} {path}")
            match = re.fullmatch(
                r"(?:/api)?/datasets/([^/]+/[^/]+?)(?:/revision/[^/]+|/resolve/([^/]+)/(.+))?", path
            )
            repository = hub.repositories.get(match[1]) if match else None
            if match is None or repository is None or (repository.private and not self._knows()):
                return self._answer(401, b"{}", X_Error_Code="RepoNotFound")
            if match[3] is None:
                siblings = [{"rfilename": name} for name in repository.files]
                known = {"id": match[1], "private": repository.private, "sha": repository.commit}
                return self._json({**known, "siblings": siblings})
            data = repository.files.get(match[3])
            if data is None:
                return self._answer(404, b"", X_Error_Code="EntryNotFound", X_Repo_Commit=repository.commit)
            etag = f'"{hashlib.sha1(data).hexdigest()}"'
            return self._answer(200, data, ETag=etag, X_Repo_Commit=repository.commit)

        do_HEAD = do_GET

    return Handler

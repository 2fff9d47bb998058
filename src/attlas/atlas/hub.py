"""Atlases on the Hugging Face Hub: hf://OWNER/NAME wherever the folder of an atlas is read.

Only the files that the manifest names are fetched, all of one commit, into the hub's own cache; who opens the
atlas then checks every one against its checksum.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from attlas.atlas.schema import MANIFEST
from attlas.errors import AttlasError, printable
from attlas.progress import tell

#: a Path has one slash of the two
_ADDRESS = re.compile(r"hf:/{1,2}([\w.-]{1,96}/[\w.-]{1,96})(?:@([\w.-]{1,96}))?")
_LARGEST_MANIFEST = 50_000_000  # bytes


def is_hub_address(path: object) -> bool:
    return isinstance(path, str | Path) and str(path).startswith("hf:/")


def repository_of(address: str | Path) -> tuple[str, str | None]:
    """The repository that an address names, and its revision."""
    match = _ADDRESS.fullmatch(str(address))
    if match is None:
        written = printable(str(address))[:120]
        raise AttlasError(f"{written} is not an address on the hub: write hf://OWNER/NAME")
    return match[1], match[2]


def fetch_atlas(address: str | Path, files_of: Callable[[Path], list[str]]) -> Path:
    """Fetch an atlas, and return its folder in the hub's cache. `files_of` reads and checks the manifest in a
    folder, and gives the files that belong to it."""
    repository, revision = repository_of(address)
    with hub_errors(repository):
        tell(f"fetching {repository}")
        manifest = _fetch(repository, MANIFEST, revision)
        if manifest.stat().st_size > _LARGEST_MANIFEST:
            raise AttlasError(f"hf://{repository} is not an atlas: its {MANIFEST} is too large")
        folder = manifest.parent
        for name in files_of(folder):
            _fetch(repository, name, folder.name)  # the commit that the manifest is of
    return folder


def _fetch(repository: str, name: str, revision: str | None) -> Path:
    from huggingface_hub import hf_hub_download, try_to_load_from_cache

    kept = try_to_load_from_cache(repository, name, repo_type="dataset", revision=revision)
    fixed = re.fullmatch(r"[0-9a-f]{40}", revision or "") is not None  # a commit; branches and tags move
    if isinstance(kept, str) and (fixed or not can_reach_hub()):
        return Path(kept)
    if not can_reach_hub():
        raise AttlasError(f"there is no network to fetch hf://{repository} from the hub")
    return Path(
        hf_hub_download(repository, name, repo_type="dataset", revision=revision, endpoint=endpoint())
    )


def endpoint() -> str:
    """The hub's address, as its own library takes it."""
    from huggingface_hub import constants

    return os.environ.get("HF_ENDPOINT", constants.ENDPOINT)


def can_reach_hub() -> bool:
    """Whether the hub's name can be looked up: its library would try for minutes."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    if any(os.environ.get(v) for v in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        return True  # then the proxy looks names up
    parts = urlsplit(endpoint())
    try:
        socket.getaddrinfo(parts.hostname, parts.port or 443)
    except OSError:
        return False
    return True


@contextmanager
def hub_errors(repository: str) -> Iterator[None]:
    """Whatever the hub's library raises is one line."""
    from huggingface_hub import errors

    named = f"hf://{repository}"
    try:
        yield
    except AttlasError:
        raise
    except errors.LocalEntryNotFoundError as error:
        raise AttlasError(f"{named}: the hub cannot be reached, and it is not in the cache here") from error
    except errors.EntryNotFoundError as error:
        raise AttlasError(f"{named} is not an atlas: it lacks a file that an atlas has") from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as error:
        absent = "there is no such atlas on the hub, or it is private and you are not logged in"
        raise AttlasError(f"{named}: {absent} (hf auth login)") from error
    except errors.LocalTokenNotFoundError as error:
        raise AttlasError(f"{named}: you are not logged in at the hub (hf auth login)") from error
    except Exception as error:
        code = getattr(getattr(error, "response", None), "status_code", None)
        if code in (401, 403):
            refused = "the hub refused; log in with a token that may write (hf auth login)"
            raise AttlasError(f"{named}: {refused}") from error
        if code is not None:
            raise AttlasError(f"{named}: the hub answered {code}: {_first_line(error)}") from error
        if not _is_of_hub(error):
            raise
        raise AttlasError(f"{named}: the hub cannot be reached: {_first_line(error)}") from error


def _is_of_hub(error: Exception) -> bool:
    """Whether the hub's library raised it, or what it speaks through."""
    room = type(error).__module__.partition(".")[0]
    return room.startswith(("huggingface_hub", "httpx", "httpcore", "hf_xet")) or isinstance(
        error, ConnectionError
    )


def _first_line(error: object) -> str:
    return printable((str(error).strip().splitlines() or ["no reason given"])[0])[:200]

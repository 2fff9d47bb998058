"""The API as a page to read: its routes, and what goes in and comes out. No script, so nothing to allow."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any


def api_page(document: dict[str, Any]) -> str:
    """The page of an OpenAPI document."""
    return "\n".join(_lines(document)) + "\n"


def _lines(document: dict[str, Any]) -> Iterator[str]:
    title = html.escape(document["info"]["title"])
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}: the API</title>'
    yield '<meta name="color-scheme" content="light dark"></head><body>'
    yield f"<h1>{title}: the API</h1><p>{html.escape(document['info'].get('summary', ''))}</p>"
    yield "<p>For programs: <a href='openapi.json'>openapi.json</a>.</p><h2>Routes</h2><dl>"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"<dt><code>{method.upper()} {html.escape(path)}</code></dt>"
            yield f"<dd>{html.escape(operation.get('summary', ''))}{_takes(operation)}</dd>"
    yield "</dl><h2>Messages</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f'<h3 id="{html.escape(name)}">{html.escape(name)}</h3>'
        yield f"<p>{html.escape(schema.get('description', ''))}</p>"
        yield f"<pre>{html.escape(json.dumps(schema.get('properties', {}), indent=1))}</pre>"
    yield "</body></html>"


def _takes(operation: dict[str, Any]) -> str:
    """Takes RunRequest, gives Job."""
    request = _schema(operation.get("requestBody", {}))
    answer = _schema(operation.get("responses", {}).get("200", {}))
    said = [f"{verb} {_link(name)}" for verb, name in (("takes", request), ("gives", answer)) if name]
    return f" ({', '.join(said)})" if said else ""


def _schema(part: dict[str, Any]) -> str:
    reference = part.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
    return str(reference).rpartition("/")[2]


def _link(name: str) -> str:
    return f'<a href="#{html.escape(name)}">{html.escape(name)}</a>'

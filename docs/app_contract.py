"""The app's API as OpenAPI, and its messages as TypeScript, from `server/messages.py`. `scripts/docs` writes
them."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser_contract import WEB, comments_of, documented, parsed

from attlas.server import messages
from attlas.server.application import openapi_document

OPENAPI, TYPES = WEB / "contract/openapi.json", WEB / "src/app/api.ts"
#: types that other contracts have
IMPORTED = {
    "ViewScene": ("Scene", "../core/contract"),
    "LinkReason": ("LinkReason", "../core/contract"),
    "Report": ("Report", "../report/contract"),
}


def pages() -> dict[Path, str]:
    """Both files, and what they should hold."""
    document = described(openapi_document())
    return {
        OPENAPI: json.dumps(document, indent=1, ensure_ascii=False) + "\n",
        TYPES: "\n".join(type_script(document)),
    }


def described(document: dict[str, Any]) -> dict[str, Any]:
    """The document with what the Python file says of each field."""
    classes = {node.name: node for node in parsed(messages).body if isinstance(node, ast.ClassDef)}
    for name, schema in document["components"]["schemas"].items():
        for field in schema.get("properties", {}).values():
            field.pop("title", None)  # its own name once more
        for field, why in comments_of(messages, classes[name]) if name in classes else ():
            schema["properties"][field]["description"] = why
    return document


def type_script(document: dict[str, Any]) -> Iterator[str]:
    """Every message as an interface, then every route with what it takes and gives."""
    yield "/** Made by `scripts/docs` from `web/contract/openapi.json`: do not edit. */\n"
    for name, (original, module) in IMPORTED.items():
        alias = name if name == original else f"{original} as {name}"
        yield f'import type {{ {alias} }} from "{module}";'
    schemas = document["components"]["schemas"]
    order = [node.name for node in parsed(messages).body if isinstance(node, ast.ClassDef)]
    for name in [name for name in order if name in schemas]:
        schema = schemas[name]
        yield from ("", *documented(schema.get("description", "")))
        yield f"export interface {name} {{"
        required = set(schema.get("required", ()))
        for field, kind in schema.get("properties", {}).items():
            yield from (f"  {line}" for line in documented(kind.get("description", "")))
            # what the server sends has every field; what it is sent may leave out those with a default
            optional = field not in required and name in _asked(schemas)
            yield f"  {field}{'?' if optional else ''}: {type_of(kind)};"
        yield "}"
    yield from routes(document)


def _asked(schemas: dict[str, Any]) -> set[str]:
    """The messages that go to the server."""
    return {name for name in schemas if name.endswith("Request") or name == "Beside"}


def routes(document: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield "/** Every route: what it takes, and what it gives. */"
    yield "export interface Routes {"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            request = _schema(operation.get("requestBody", {}))
            answer = _schema(operation.get("responses", {}).get("200", {}))
            yield from (f"  {line}" for line in documented(operation.get("summary", "")))
            yield f'  "{method.upper()} {path}": {{ takes: {request}; gives: {answer} }};'
    yield "}"
    yield ""


def _schema(part: dict[str, Any]) -> str:
    content = part.get("content", {}).get("application/json", {}).get("schema")
    return (
        "unknown"
        if content is None and part.get("content")
        else "null"
        if content is None
        else type_of(content)
    )


def type_of(schema: dict[str, Any]) -> str:
    """A JSON schema as TypeScript writes it."""
    if "x-typescript" in schema:
        return str(schema["x-typescript"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(kind) for kind in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            inner = type_of(schema["items"])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object":
            values = schema.get("additionalProperties", {})
            return f"Record<string, {type_of(values) if isinstance(values, dict) and values else 'unknown'}>"
        case "integer" | "number":
            return "number"
        case "null":
            return "null"
        case "boolean" | "string" as plain:
            return str(plain)
    return "unknown"

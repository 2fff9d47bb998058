"""Types and JSON schemas for the front end, from the contracts in Python. `scripts/docs` writes them."""

import ast
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from pydantic import TypeAdapter

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
#: a contract -> its whole document, its types in TypeScript, its JSON schema
CONTRACTS = {
    "attlas.views.contract": ("Scene", WEB / "src/core/contract.ts", WEB / "contract/view.schema.json"),
    "attlas.reports.page_contract": (
        "Report",
        WEB / "src/report/contract.ts",
        WEB / "contract/report.schema.json",
    ),
}
#: what is imported from one contract into the other
IMPORTED = {"attlas.views.contract": "../core/contract"}
PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "Any": "unknown",
}


def pages() -> dict[Path, str]:
    """The four files, and what they should hold."""
    written = {}
    for name, (document, types, schema) in CONTRACTS.items():
        module = import_module(name)
        written[types] = "\n".join(type_script(module))
        written[schema] = json.dumps(json_schema(module, document), indent=1, ensure_ascii=False) + "\n"
    return written


# ---- JSON schema ---------------------------------------------------------------------------------


def json_schema(module: ModuleType, document: str) -> dict[str, Any]:
    """The schema of a contract's document: nothing may be in it that the contract does not name."""
    schema = TypeAdapter(getattr(module, document)).json_schema()
    classes = {node.name: node for node in parsed(module).body if isinstance(node, ast.ClassDef)}
    for name, described in {**schema["$defs"], document: schema}.items():
        described["additionalProperties"] = False
        for field in described["properties"].values():
            field.pop("title", None)  # its own name once more
        for field, why in comments_of(module, classes[name]) if name in classes else ():
            described["properties"][field]["description"] = why
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


# ---- TypeScript ----------------------------------------------------------------------------------


def type_script(module: ModuleType) -> Iterator[str]:
    """The contract as TypeScript, in the order of the Python file, with its docstrings and comments."""
    yield f"/** Made by `scripts/docs` from `src/{module.__name__.replace('.', '/')}.py`: do not edit. */\n"
    above = comments_above(module)
    for node in parsed(module).body:
        match node:
            case ast.ImportFrom(module=str(other)) if other in IMPORTED:
                names = ", ".join(alias.name for alias in node.names)
                yield f'import type {{ {names} }} from "{IMPORTED[other]}";\n'
            case ast.ImportFrom(module="attlas.choices"):
                for alias in node.names:
                    choices = " | ".join(map(json.dumps, get_args(getattr(module, alias.name))))
                    yield f"export type {alias.name} = {choices};"
            case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                yield from documented(above.get(node.lineno, "") or trailing(module, node))
                yield from assigned(name, node, getattr(module, name))
            case ast.ClassDef(name=name):
                yield from ("", *documented(ast.get_docstring(node) or ""))
                yield f"export interface {name} {{"
                comments = dict(comments_of(module, node))
                for field, annotation in fields(node):
                    yield from (f"  {line}" for line in documented(comments.get(field, "")))
                    optional = ast.unparse(annotation).startswith("NotRequired[")
                    yield f"  {field}{'?' if optional else ''}: {type_of(annotation)};"
                yield "}"
    yield ""


def assigned(name: str, node: ast.AnnAssign | ast.Assign, value: Any) -> Iterator[str]:
    """A type that has a name, or a constant."""
    if isinstance(node, ast.Assign):
        yield f"export type {name} = {type_of(node.value)};"
    elif isinstance(value, str):
        yield f"export const {name} = {json.dumps(value)};"
    else:
        yield f"export const {name}: {type_of(node.annotation)} = {json.dumps(value)};"


def documented(text: str) -> Iterator[str]:
    lines = text.splitlines()
    if len(lines) > 1:
        yield from ("/**", *(f" * {line}".rstrip() for line in lines), " */")
    elif lines:
        yield f"/** {lines[0]} */"


def type_of(node: ast.expr) -> str:
    """An annotation as TypeScript writes it: tuple[Share, int] | None -> [Share, number] | null"""
    match node:
        case ast.Constant(value=None):
            return "null"
        case ast.Name(name):
            return PLAIN.get(name, name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{type_of(left)} | {type_of(right)}"
        case ast.Subscript(value=ast.Name(origin), slice=inner):
            return generic(origin, inner.elts if isinstance(inner, ast.Tuple) else [inner])
    raise TypeError(f"no TypeScript is known for {ast.unparse(node)}")


def generic(origin: str, inner: list[ast.expr]) -> str:
    match origin, inner:
        case "Literal", choices:
            return " | ".join(json.dumps(ast.literal_eval(choice)) for choice in choices)
        case "NotRequired" | "Annotated", [kind, *_]:
            return type_of(kind)
        case "list", [kind]:
            return f"{grouped(kind)}[]"
        case "tuple", [kind, ast.Constant(value=value)] if value is ...:
            return f"readonly {grouped(kind)}[]"
        case "tuple", kinds:
            return f"[{', '.join(map(type_of, kinds))}]"
        case "dict", [key, kind]:
            record = f"Record<{type_of(key)}, {type_of(kind)}>"
            return record if type_of(key) == "string" else f"Partial<{record}>"
    raise TypeError(f"no TypeScript is known for {origin}")


def grouped(node: ast.expr) -> str:
    written = type_of(node)
    return f"({written})" if " | " in written and not written.startswith("[") else written


# ---- what the Python files say -------------------------------------------------------------------


def parsed(module: ModuleType) -> ast.Module:
    return ast.parse(source(module))


def source(module: ModuleType) -> str:
    return Path(str(module.__file__)).read_text(encoding="utf-8")


def fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id, part.annotation


def comments_of(module: ModuleType, node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """A field of a class, and the comment above or behind it."""
    above = comments_above(module)
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            text = above.get(part.lineno, "") or trailing(module, part)
            if text:
                yield part.target.id, text


def comments_above(module: ModuleType) -> dict[int, str]:
    """A line of code -> what the lines with `#:` above it say."""
    comments: dict[int, str] = {}
    block: list[str] = []
    for number, line in enumerate(source(module).splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("#:"):
            block.append(stripped.removeprefix("#:").strip())
        elif block:
            comments[number], block = "\n".join(block), []
    return comments


def trailing(module: ModuleType, node: ast.stmt) -> str:
    """What the comment behind a statement says."""
    line = source(module).splitlines()[(node.end_lineno or node.lineno) - 1]
    code = line.encode()[: node.end_col_offset].decode()
    return line[len(code) :].strip().removeprefix("#").strip()

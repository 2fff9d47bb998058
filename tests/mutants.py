"""Small faults in Python source: what tests/mutate.py plants, one at a time, to see whether a test fails.

Each changes one function in one place: a comparison is flipped, `+` stands for `-`, a number is off by one, a
`not` or an `abs` is dropped, `min` stands for `max`, two arguments are swapped, a statement is removed.
Messages, annotations, docstrings and assertions (`strict=True` of a `zip` is one) are left alone.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LEFT_ALONE = (ast.Assert, ast.Raise, ast.JoinedStr, ast.arguments)
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Pow: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
SWAPPED_NAMES = {
    "min": "max",
    "minimum": "maximum",
    "amin": "amax",
    "argmin": "argmax",
    "any": "all",
    "mean": "sum",
}
SWAPPED_NAMES |= {new: old for old, new in SWAPPED_NAMES.items()}
DROPPED = {"abs", "clamp", "sorted", "reversed", "maximum_accumulate"}
NEVER_SWAPPED = {"isinstance", "getattr", "hasattr", "zip", "cast", "min", "max", "hypot"}

#: changes a node in place, or gives what stands in its place
Change = Callable[[Any], ast.AST | None]


@dataclass(frozen=True)
class Mutant:
    """One fault: in which function of which file, at which line, and what is done."""

    path: Path
    function: str
    line: int
    what: str
    place: int  # of the node, as `ast.walk` meets it in the function
    variant: int

    def code(self) -> CodeType:
        """The function with the fault in it."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        function = dict(functions_of(tree))[self.function]
        node, parent, field, index = list(places_in(function))[self.place]
        _, change = list(changes_of(node, parent))[self.variant]
        put = change(node)
        if put is not None and index is None:
            setattr(parent, field, put)
        elif put is not None:
            getattr(parent, field)[index] = put
        ast.fix_missing_locations(tree)
        return code_of(compile(tree, str(self.path), "exec"), self.function)


def mutants_of(path: Path, seed: int, per_function: int) -> Iterator[Mutant]:
    """Draw a few of every function of a file, and more of longer ones, from a seed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, function in functions_of(tree):
        every = [
            Mutant(path, name, node.lineno, what, place, variant)
            for place, (node, parent, _, _) in enumerate(places_in(function))
            for variant, (what, _) in enumerate(changes_of(node, parent))
        ]
        lines = (function.end_lineno or function.lineno) - function.lineno
        wanted = min(len(every), per_function + lines // 8)
        drawn = random.Random(f"{seed} {path.name} {name}").sample(every, wanted)
        yield from sorted(drawn, key=lambda mutant: (mutant.line, mutant.place, mutant.variant))


def functions_of(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """Functions and methods by their qualified name; what stands within one belongs to it."""
    for node in tree.body:
        if isinstance(node, FUNCTIONS):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from (
                (f"{node.name}.{part.name}", part) for part in node.body if isinstance(part, FUNCTIONS)
            )


def code_of(code: CodeType, name: str) -> CodeType:
    """The code object of a function in that of its module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            if name.startswith(f"{constant.co_qualname}."):
                return code_of(constant, name)
    raise LookupError(f"{code.co_filename} has no function {name}")


def places_in(function: Any) -> Iterator[tuple[Any, ast.AST, str, int | None]]:
    """Every node of a function's body that may change, with its parent, and the field and place there."""
    body = [(statement, function, "body", i) for i, statement in enumerate(function.body)]
    if body and isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):
        body = body[1:]  # a docstring
    waiting: list[tuple[Any, ast.AST, str, int | None]] = list(reversed(body))
    while waiting:
        node, parent, field, index = waiting.pop()
        if isinstance(node, ast.Raise):
            yield node, parent, field, index  # it can be removed; its message stays
        if isinstance(node, LEFT_ALONE) or (isinstance(node, ast.keyword) and node.arg == "strict"):
            continue
        if hasattr(node, "lineno"):
            yield node, parent, field, index
        for name, value in reversed(list(ast.iter_fields(node))):
            if name in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            if isinstance(value, ast.AST):
                waiting.append((value, node, name, None))
            elif isinstance(value, list):
                waiting += [
                    (part, node, name, i)
                    for i, part in reversed(list(enumerate(value)))
                    if isinstance(part, ast.AST)
                ]


def changes_of(node: Any, parent: ast.AST) -> Iterator[tuple[str, Change]]:
    """What could be wrong with a node: in words, and the change that makes it so."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    yield f"{_named(operator)} -> {_named(other())}", _put_operator(place, other)
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _is_text(node.left, node.right):
            other = ARITHMETIC[type(node.op)]
            yield f"{_named(node.op)} -> {_named(other())}", _put("op", other)
        case ast.AugAssign():
            if type(node.op) in ARITHMETIC and not _is_text(node.value):
                other = ARITHMETIC[type(node.op)]
                yield f"{_named(node.op)} -> {_named(other())}", _put("op", other)
            yield "removed", _removed
        case ast.BoolOp():
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"{_named(node.op)} -> {_named(other())}", _put("op", other)
        case ast.UnaryOp():
            yield f"dropped {_named(node.op)}", lambda it: it.operand
        case ast.Constant(value=bool()):
            yield f"{node.value} -> {not node.value}", _constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield f"{node.value} -> {node.value + 1}", _constant(node.value + 1)
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield f"removed {type(node).__name__.lower()}", _removed
        case ast.Call():
            yield from _changes_of_call(node)
    if isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node and _is_plain(node):
        yield "negated", _negated
    if isinstance(parent, ast.comprehension) and node in parent.ifs and _is_plain(node):
        yield "negated", _negated


def _changes_of_call(call: ast.Call) -> Iterator[tuple[str, Change]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in SWAPPED_NAMES:
        yield f"{name} -> {SWAPPED_NAMES[name]}", _renamed(SWAPPED_NAMES[name])
    if name in DROPPED and (call.args or isinstance(call.func, ast.Attribute)):
        inner = call.func.value if isinstance(call.func, ast.Attribute) and not call.args else None
        of_module = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") in (
            "np",
            "torch",
        )
        if call.args and (of_module or isinstance(call.func, ast.Name)):
            yield f"dropped {name}", lambda it: it.args[0]
        elif inner is not None:
            yield f"dropped {name}", lambda it: it.func.value
    plain = [argument for argument in call.args[:2] if not isinstance(argument, ast.Starred)]
    if len(plain) == 2 and name not in NEVER_SWAPPED and ast.dump(plain[0]) != ast.dump(plain[1]):
        yield "swapped arguments", _swapped


def _put(field: str, made: Callable[[], ast.AST]) -> Change:
    return lambda node: setattr(node, field, made())


def _put_operator(place: int, made: Callable[[], ast.AST]) -> Change:
    return lambda node: node.ops.__setitem__(place, made())


def _constant(value: object) -> Change:
    return lambda node: setattr(node, "value", value)


def _removed(node: ast.AST) -> ast.AST:
    return ast.copy_location(ast.Pass(), node)


def _negated(node: Any) -> ast.AST:
    return ast.copy_location(ast.UnaryOp(ast.Not(), copy.deepcopy(node)), node)


def _renamed(name: str) -> Change:
    return lambda call: setattr(call.func, "attr" if isinstance(call.func, ast.Attribute) else "id", name)


def _swapped(call: ast.Call) -> None:
    call.args[:2] = call.args[1::-1]


def _is_plain(test: ast.AST) -> bool:
    """A condition that no other change turns round."""
    return not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp)


def _is_text(*nodes: ast.AST) -> bool:
    return any(
        isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in nodes
    )


def _named(operator: ast.AST) -> str:
    return type(operator).__name__

"""What is done to a privacy rule: operators for cosmic-ray, each of which removes or weakens one kind of rule.

An operator gets every node of a module's parso tree in turn. It yields a position for each mutant that it can make of
the node, and makes the one with a given index.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import parso

Node = Any
"""A node or leaf of a parso tree."""

Position = tuple[tuple[int, int], tuple[int, int]]

_KEEPS = frozenset(
    """append extend add insert update setdefault pop clear discard sort remove close sleep set set_defaults
    __setattr__ __init__ write print""".split()
)
"""Calls whose result nobody takes and which are no guards: they store, or they tidy up."""

_BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

_OPPOSITE = {"min": "max", "max": "min"}

_ROUNDED = {"ceil": "floor", "floor": "ceil", "ROUND_CEILING": "ROUND_FLOOR", "ROUND_UP": "ROUND_DOWN"}

_SQL = {
    "least(": "coalesce(",
    "LEAST(": "coalesce(",
    "greatest(": "coalesce(",
    "GREATEST(": "coalesce(",
    "trunc(": "ceil(",
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    "CASE WHEN ": "CASE WHEN false AND ",
    "WHERE ": "WHERE true OR ",
    "HAVING ": "HAVING true OR ",
    "SELECT DISTINCT ": "SELECT ",
}
_SQL_PLACES = re.compile("|".join(re.escape(text) for text in sorted(_SQL, key=len, reverse=True)))


class Operator:
    """Mutates nodes by replacing their text; a subclass says which texts can replace a node's."""

    def texts(self, node: Node) -> Iterator[str]:
        """The mutated texts of a node, without the white space before it; none if this is not its business."""
        raise NotImplementedError

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Where each mutant of this node is, as cosmic-ray asks."""
        for _ in self.texts(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """The node's mutant with this index, as cosmic-ray asks."""
        return parso.python.tree.Name(list(self.texts(node))[index], node.start_pos, node.get_first_leaf().prefix)


class RefusalRemoved(Operator):
    """A raised error is not raised. What cannot happen (AssertionError), or is passed on, is no refusal."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type == "raise_stmt" and not _text(node.children[1]).startswith("AssertionError"):
            yield "pass"


class GuardRemoved(Operator):
    """A call for its effect alone (`check_row(…)`, an execute, a lock) is not made."""

    def texts(self, node: Node) -> Iterator[str]:
        awaited = node.type in ("atom_expr", "power") and node.parent.type == "simple_stmt"
        if awaited and _called(node) not in (None, *_KEEPS):
            yield "pass"


class ReasonRemoved(Operator):
    """One of the conditions under which an error is raised no longer counts."""

    def texts(self, node: Node) -> Iterator[str]:
        if _is_one_of_several(node) and _raises(node):
            yield "False" if node.parent.type == "or_test" else "True"


class ClaimRemoved(Operator):
    """One of the conditions of a predicate (`return a and b`) or of another decision no longer counts."""

    def texts(self, node: Node) -> Iterator[str]:
        if _is_one_of_several(node) and not _raises(node) and _is_decision(node):
            yield "False" if node.parent.type == "or_test" else "True"


class BoundaryShifted(Operator):
    """A comparison counts equality if it did not, and the other way round."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type == "operator" and node.parent.type == "comparison" and node.value in _BOUNDARIES:
            yield _BOUNDARIES[node.value]


class ClampRemoved(Operator):
    """Of a minimum, maximum or clipped value only one operand is left; of one over a list, the opposite is taken."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type not in ("atom_expr", "power") or node.children[-1].type != "trailer":
            return
        name, arguments = _called(node), _arguments(node)
        if name in ("min", "max", "minimum", "maximum", "clip"):
            if len(arguments) >= 2:
                yield from (f"({text})" for text in arguments[: 1 if name == "clip" else None])
            elif name in _OPPOSITE:
                yield _text(node).replace(name, _OPPOSITE[name], 1)


class RoundingTurned(Operator):
    """What is rounded up is rounded down, and the other way round."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type == "name" and node.value in _ROUNDED and node.parent.type in ("trailer", "argument", "atom_expr"):
            yield _ROUNDED[node.value]
        elif node.type == "factor" and _text(node).startswith("-(-"):
            yield "((" + _text(node).removeprefix("-(-") + ")"


class NumberChanged(Operator):
    """A number is larger: by one below ten, else twice. An index is no number here."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type != "number" or _is_index(node):
            return
        value = float(node.value) if re.search(r"^[^x]*[.e]", node.value) else int(node.value, 0)
        yield str(value + 1 if value < 10 and isinstance(value, int) else 2 * value or 1.0)


class ConstantChanged(NumberChanged):
    """A number of a module's constants is larger."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type == "number" and _is_constant(node):
            yield from super().texts(node)


class SqlWeakened(Operator):
    """In a text of SQL a clamp keeps its first operand, a boundary shifts, a condition always or never holds."""

    def texts(self, node: Node) -> Iterator[str]:
        if node.type not in ("string", "fstring_string") or node.parent.type == "simple_stmt" or _is_prose(node):
            return
        for place in _SQL_PLACES.finditer(node.value):
            yield node.value[: place.start()] + _SQL[place.group()] + node.value[place.end() :]


def _text(node: Node) -> str:
    return str(node.get_code(include_prefix=False))


def _called(node: Node) -> str | None:
    """The last name before the call in which an expression ends; None if it is no call."""
    if node.type not in ("atom_expr", "power") or node.children[-1].type != "trailer":
        return None
    if node.children[-1].children[0].value != "(":
        return None
    callee = node.children[-2]
    last = callee.children[-1] if callee.type == "trailer" else callee
    return str(last.value) if last.type == "name" else None


def _arguments(call: Node) -> list[str]:
    """The texts of a call's positional arguments."""
    inside = call.children[-1].children[1:-1]
    if not inside:
        return []
    arguments = inside[0].children[::2] if inside[0].type == "arglist" else inside
    return [_text(argument) for argument in arguments if argument.type != "argument"]


def _decided(node: Node) -> tuple[Node, Node] | None:
    """The innermost statement whose condition or result the node is a part of, and its child that holds the node."""
    while node.parent is not None:
        node, child = node.parent, node
        if node.type in ("if_stmt", "while_stmt", "return_stmt", "ternary"):
            return node, child
        if node.type in ("suite", "simple_stmt", "file_input", "lambdef"):
            return None
    return None


def _is_one_of_several(node: Node) -> bool:
    """Is the node one of the operands of `and` or `or`?"""
    return (
        node.parent is not None
        and node.parent.type in ("or_test", "and_test")
        and node.type not in ("operator", "keyword")
    )


def _raises(node: Node) -> bool:
    decided = _decided(node)
    if decided is None or decided[0].type != "if_stmt":
        return False
    statement, condition = decided
    suite = statement.children[statement.children.index(condition) + 2]
    return any(inner.type == "simple_stmt" and inner.children[0].type == "raise_stmt" for inner in suite.children)


def _is_decision(node: Node) -> bool:
    """Is the node a part of a condition, or of the result of a predicate?"""
    decided = _decided(node)
    if decided is None:
        return False
    if decided[0].type != "return_stmt":
        return decided[0].type != "ternary" or decided[0].children[2] is decided[1]
    function = decided[0]
    while function.type != "funcdef":
        function = function.parent
    return function.annotation is not None and _text(function.annotation) == "bool"


def _is_index(node: Node) -> bool:
    while node.parent is not None and node.type not in ("suite", "simple_stmt", "file_input"):
        if node.parent.type == "trailer" and node.parent.children[0].value == "[":
            return True
        node = node.parent
    return False


def _is_constant(node: Node) -> bool:
    while node.parent is not None:
        if node.parent.type == "file_input":
            return node.type == "simple_stmt" and _text(node).split(" ")[0].strip("_:").isupper()
        node = node.parent
    return False


def _is_prose(node: Node) -> bool:
    """Is a string a docstring, or a part of an error's text?"""
    while node.parent is not None and node.type not in ("suite", "simple_stmt", "file_input"):
        node = node.parent
        if node.type == "raise_stmt" or (node.type == "argument" and _text(node).startswith(("hint", "detail"))):
            return True
    return node.type == "simple_stmt" and node.children[0].type in ("string", "strings")


BEYOND_LIMITS = {
    "proxy/dp": (NumberChanged, RoundingTurned),
    "proxy/budget": (NumberChanged, RoundingTurned),
    "proxy/release": (NumberChanged, RoundingTurned),
    "proxy/sql/planning": (NumberChanged, RoundingTurned, SqlWeakened),
    "proxy/sql/source_queries": (NumberChanged, RoundingTurned, SqlWeakened),
    "proxy/sql/rows": (ConstantChanged, RoundingTurned, SqlWeakened),
    "proxy/sql": (ConstantChanged, RoundingTurned, SqlWeakened),
}
"""Where numbers and texts are rules too. The longest folder that holds a file counts."""

EVERYWHERE = (RefusalRemoved, GuardRemoved, ReasonRemoved, ClaimRemoved, BoundaryShifted, ClampRemoved)

OPERATORS: dict[str, type[Operator]] = {
    operator.__name__: operator
    for operator in (*EVERYWHERE, RoundingTurned, NumberChanged, ConstantChanged, SqlWeakened)
}


def operators_for(module_path: str) -> tuple[type[Operator], ...]:
    """The operators that a module's rules are mutated with."""
    folder = max((name for name in BEYOND_LIMITS if module_path.startswith(f"{name}/")), key=len, default=None)
    return (*EVERYWHERE, *(BEYOND_LIMITS[folder] if folder else ()))

"""Writes named windows out among private rows: `rank() OVER w … WINDOW w AS (PARTITION BY a)` as
`rank() OVER (PARTITION BY a)`. Windows over released groups keep their names, which the stage knows."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all, walk
from proxy.sql.refusal import unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import own_nodes

_MOST_WRITTEN_OUT = 20_000
"""Nodes of a query's windows, where they are written out."""
_CLAUSES = ("partition_by", "order", "spec")


def write_out_named_windows(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write out the windows of SELECTs whose rows belong to units, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: where it is copied, the copy is rewritten too.
    for select in reversed(find_all(query, exp.Select)):
        if select.args.get("windows") and scopes.is_rows(select):
            _write_out(select)
    return query


def _write_out(select: exp.Select) -> None:
    windows: dict[str, exp.Window] = {}
    sizes: dict[str, int] = {}
    written = 0
    for window in select.args["windows"]:
        name = folded(window.this)
        sizes[name] = len(walk(window)) + _size_of_named(window, sizes)
        written += sizes[name]
        _check_size(select, written)
        # A window is made of those before it.
        windows[name] = _whole(window, windows)
    clauses = [*select.expressions, select.args.get("order")]
    calls = [node for clause in clauses if clause is not None for node in own_nodes(clause)]
    for call in calls:
        if isinstance(call, exp.Window):
            written += _size_of_named(call, sizes)
            _check_size(select, written)
            call.replace(_whole(call, windows))
    select.set("windows", None)


def _size_of_named(window: exp.Window, sizes: Mapping[str, int]) -> int:
    name = window.args.get("alias")
    return sizes[folded(name)] if name is not None else 0


def _check_size(select: exp.Select, written: int) -> None:
    if written > _MOST_WRITTEN_OUT:
        raise unsupported(
            select,
            "the named windows of this query are too large",
            rule="expression-size",
            detail="Over private rows each name is replaced by its window.",
            hint="Use fewer windows, or shorter ones.",
        )


def _whole(window: exp.Window, windows: Mapping[str, exp.Window]) -> exp.Window:
    """The window with the clauses of the one that it names; Postgres has checked that they do not collide."""
    name = window.args.get("alias")
    whole = window.copy()
    if name is not None:
        whole.set("alias", None)
        named = windows[folded(name)]
        for clause in _CLAUSES:
            value = named.args.get(clause)
            if value and not whole.args.get(clause):
                whole.set(clause, [part.copy() for part in value] if isinstance(value, list) else value.copy())
    return whole

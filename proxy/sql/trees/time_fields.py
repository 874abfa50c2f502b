"""Writes the field of date_trunc, date_part and extract by its first name: `date_trunc('mon', x)` as
`date_trunc('month', x)`, so that whatever reads a field knows it, and both are one question."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import walk
from proxy.sql.schema import Schema
from proxy.sql.terms.time_units import unit_named

_CALLS = frozenset({"date_trunc", "date_part"})


def write_fields_by_one_name(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rename fields, in place. Other ones, such as dow, have no second name.

    Args:
        query: a tree.
    """
    for node in walk(query):
        if isinstance(node, exp.Extract):
            field = node.this
        elif isinstance(node, exp.Anonymous) and node.expressions and node.name.lower() in _CALLS:
            field = node.expressions[0]
        else:
            continue
        name = unit_named(field.name) if isinstance(field, (exp.Var, exp.Literal)) else None
        if name is not None and name != field.name.lower():
            field.set("this", name)
    return query

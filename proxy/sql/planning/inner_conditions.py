"""Conditions on the columns of subqueries, as conditions on the rows that those columns are computed from.

    SELECT h, count(*) FROM (SELECT date_trunc('hour', t) AS h, t FROM events) AS e WHERE t >= '2024-01-10' GROUP BY h

has the hours from then on: each row of e is computed from one of events, which meets the condition as well.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find, find_all, walk
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.rows.members import Derived
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.types import Kind

_MOST_NODES = 5_000
"""The most nodes of all that is written out: with each level of subqueries it can double. Conditions beyond stay where
they are, so that more groups show."""


def with_inner(where: Conditions) -> Conditions:
    """Conditions that all rows meet, and those that follow for the innermost rows that each is about."""
    found, left = [*where], _MOST_NODES
    for known in where:
        innermost, inner = known, _written_inside(*known, left)
        while inner is not None:
            left -= len(walk(inner[0]))
            innermost, inner = inner, _written_inside(*inner, left)
        if innermost is not known:
            found.append(innermost)
    return found


def with_relations_inside(relation: Relation) -> list[Relation]:
    """A relation and those from which its private subqueries compute their rows, one by one: their joins hold, too."""
    found = [relation]
    for each in found:  # which grows
        tables = [member.table for member in each.members if not member.optional]
        for table in tables:
            columns = table.columns.values() if isinstance(table, Derived) and table.private else ()
            inner = [column.definitions[0][1] for column in columns if len(column.definitions) == 1]
            found += inner[:1]
    return found


def _written_inside(condition: exp.Expr, scope: Relation, most: int) -> tuple[exp.Expr, Relation] | None:
    """A condition over the rows from which the only private subquery that it reads computes its columns.

    None if it reads more, or is larger than `most` then."""
    if find(condition, exp.Query) is not None:
        return None
    definitions = [definition_of(scope.origin(column)) for column in find_all(condition, exp.Column)]
    if not definitions or None in definitions:
        return None
    nodes = [node for node, _ in filter(None, definitions)]
    *others, inner = (relation for _, relation in filter(None, definitions))
    if any(other is not inner for other in others):
        return None
    if len(walk(condition)) + sum(len(walk(node)) for node in nodes) > most:
        return None
    if not all(_keeps_its_type(node, inner) for node in nodes):
        return None
    copy = exp.Paren(this=condition.copy())
    for column, node in zip(find_all(copy, exp.Column), nodes, strict=True):
        column.replace(exp.Paren(this=node.copy()))
    written: exp.Expr = copy.this
    return (written, inner) if _kind(written, inner) is not None else None


def _keeps_its_type(definition: exp.Expr, relation: Relation) -> bool:
    """Means it the same in the place of the column? A constant without a type is a text as a column."""
    return find(definition, exp.Query) is None and _kind(definition, relation) not in (None, Kind.UNKNOWN)


def _kind(node: exp.Expr, relation: Relation) -> Kind | None:
    try:
        return compile_term(node, relation).kind
    except DpproxyError:
        return None

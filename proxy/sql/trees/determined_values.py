"""Groups by what the group keys determine, too: it is the same in all rows of a group.

`SELECT e.id, e.name, count(*) … GROUP BY e.id` with the primary key of e is grouped by e.name as well, as Postgres
takes it. And min, max and any_value of what is determined are that itself.

Tableau asks for attributes so: `SELECT CASE WHEN min(r.zone) = max(r.zone) THEN min(r.zone) ELSE '*' END FROM visits v
JOIN regions r ON r.name = v.region GROUP BY v.region` becomes `SELECT CASE WHEN r.zone = r.zone … GROUP BY v.region,
r.zone`, which makes no other groups. Whether these keys may be answered is for the planner to prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, released_nodes
from proxy.sql.trees.column_types import qualified
from proxy.sql.trees.determined_columns import DeterminedColumns
from proxy.sql.trees.interval_calls import interval_call
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.unique_columns import is_plainly_grouped
from proxy.sql.trees.walking import ancestors, is_star, output_name

_NAMES: Final = frozenset({"min", "max", "any_value"})
_NOT_PLAIN = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)


def write_determined_values_as_keys(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write what is aggregated in the place of the calls, in SELECTs over private rows, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: where it is copied, the copy is rewritten too.
    for select in reversed(find_all(query, exp.Select)):
        if not is_plainly_grouped(select):
            continue
        nodes = released_nodes(select)
        plain = [node for node in nodes if isinstance(node, exp.Anonymous) and _is_plain_call(node)]
        columns = _other_columns(select, nodes, scopes)
        if (plain or columns) and scopes.has_rows(select) and not scopes.is_rows(select):
            _write(select, plain, columns, DeterminedColumns(select, scopes))
    return query


def _other_columns(select: exp.Select, nodes: Sequence[exp.Expr], scopes: Scopes) -> list[exp.Column]:
    """The columns outside aggregates whose names no key has, the last first.

    Args:
        select: a SELECT.
        nodes: of what it computes from its groups.
        scopes: of its tree.
    """
    read = {folded(node.this) for key in key_expressions(select, scopes) for node in find_all(key, exp.Column)}
    found = []
    for node in reversed(nodes):
        if not isinstance(node, exp.Column) or is_star(node) or folded(node.this) in read:
            continue
        names_output = isinstance(node.parent, exp.Ordered) and not node.args.get("table")
        if names_output and folded(node.this) in map(output_name, select.expressions):
            continue
        if not any(map(is_aggregate, takewhile(lambda around: around is not select, ancestors(node)))):
            found.append(node)
    return found


def _is_plain_call(node: exp.Anonymous) -> bool:
    """Is it one of the aggregates, of one value and nothing else? What an interval is of stays an aggregate."""
    if node.name.lower() not in _NAMES or not is_aggregate(node) or isinstance(node.parent, _NOT_PLAIN):
        return False
    if len(node.expressions) != 1:
        return False
    around = node.parent
    function = around.parent if around is not None and isinstance(around.parent, exp.Dot) else around
    return function is None or interval_call(function) is None


def _write(
    select: exp.Select, calls: Sequence[exp.Anonymous], columns: Sequence[exp.Column], groups: DeterminedColumns
) -> None:
    """Replace the calls of what is determined, and group by the columns that it needs besides the keys, and by those
    among `columns` that are determined themselves."""
    named_by = {id(_naming(output)): place for place, output in enumerate(select.expressions)}
    names: dict[int, str] = {}
    added: dict[tuple[str, str], exp.Column] = {}
    for call in calls:
        needed, value = groups.missing(call.expressions[0]), _written(call, groups)
        if needed is None or value is None:
            continue
        added |= {place: qualified(place[1], place[0]) for place in needed}
        if id(call) in named_by:
            names[named_by[id(call)]] = call.name.lower()
        call.replace(value)
    for column in columns:
        added |= {place: qualified(place[1], place[0]) for place in groups.missing(column) or []}
    for column in added.values():
        select.args["group"].append("expressions", column)
    for place, name in names.items():
        output = select.expressions[place]
        output.replace(exp.Alias(this=output.copy(), alias=exp.to_identifier(name, quoted=True)))


def _naming(output: exp.Expr | None) -> exp.Expr | None:
    """What Postgres names an output after."""
    while isinstance(output, (exp.Paren, exp.Cast, exp.Collate, exp.Case)):
        output = output.args.get("default") if isinstance(output, exp.Case) else output.this
    return output


def _written(call: exp.Anonymous, groups: DeterminedColumns) -> exp.Expr | None:
    """The value with the type that the call has; None if it would be taken for the name of an output."""
    value = call.expressions[0].unnest()
    written: exp.Expr = copied(value)
    if isinstance(value, exp.Column) and isinstance(call.parent, exp.Ordered):
        place = groups.place(value)
        if place is None or not place[0]:
            return None
        written = qualified(place[1], place[0])
    if call.name.lower() != "any_value" and groups.type_of(value) == "character varying":
        # Those have no extremes of their own.
        return exp.Cast(this=written, to=exp.DataType.build("text", dialect="postgres"))
    return written if isinstance(written, exp.Column) else exp.Paren(this=written)

"""Searches for values of a unique key that come twice, as dbt and other tools test their tables: there are none.

SELECT patient_id FROM patients WHERE patient_id IS NOT NULL GROUP BY patient_id HAVING count(*) > 1
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.constant_conditions import NotConstantError, value_of
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.present_columns import not_null
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import column_aliases

_SEVERAL: Final[dict[type[exp.Expr], Callable[[Decimal], bool]]] = {
    exp.GT: lambda number: number >= 1,
    exp.GTE: lambda number: number > 1,
    exp.EQ: lambda number: number > 1,
}
"""Comparisons of a count of one row, or of none, that are false."""

_MIRRORED: Final[dict[type[exp.Expr], type[exp.Expr]]] = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ}
_KNOWN = frozenset({"expressions", "from_", "where", "group", "having", "order", "limit", "distinct"})
_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)


def repeats_a_key(select: exp.Select, scopes: Scopes) -> bool:
    """Does a query want groups of several rows, each of which has one value of a unique key of its only table?"""
    group, having, source = (select.args.get(name) for name in ("group", "having", "from_"))
    if group is None or having is None or source is None or not any(map(_is_several, conjuncts(having.this))):
        return False
    if any(value and name not in _KNOWN for name, value in select.args.items()):
        return False
    if any(value and name != "expressions" for name, value in group.args.items()):
        return False
    if any(isinstance(item.unnest(), _SETS) for item in group.expressions):
        return False
    named = scopes.table(source.this)
    if named is None or column_aliases(source.this):
        return False
    names = frozenset[str]().union(*named.unique_keys)
    columns = {
        folded(key.this)
        for key in (key.unnest() for key in key_expressions(select, scopes))
        if isinstance(key, exp.Column) and isinstance(key.this, exp.Identifier)
        # To ask whose it is takes longer.
        if folded(key.this) in names and scopes.owner(key, select) is source.this
    }
    present = {folded(column.this) for column in not_null(select)}
    return any(
        key <= columns and all(name in present or not _can_be_null(named, name) for name in key)
        for key in named.unique_keys
    )


def _can_be_null(table: NamedTable, column: str) -> bool:
    return column not in table.catalog.columns or table.nullable(column)


def _is_several(condition: exp.Expr) -> bool:
    """Is it count(…) > 1, or what is false of no rows and of one, too?"""
    bare = condition.unnest()
    ways = [(type(bare), bare.args.get("this"), bare.args.get("expression"))]
    if type(bare) in _MIRRORED:
        ways.append((_MIRRORED[type(bare)], bare.args.get("expression"), bare.args.get("this")))
    return any(
        kind in _SEVERAL and _is_count(counted) and (number := _number(constant)) is not None and _SEVERAL[kind](number)
        for kind, counted, constant in ways
    )


def _is_count(node: object) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "count" and len(node.expressions) == 1


def _number(node: object) -> Decimal | None:
    try:
        value = value_of(node) if isinstance(node, exp.Expr) else None
    except NotConstantError:
        return None
    return value if isinstance(value, Decimal) else None

"""In which outputs of a subquery no two rows are equal: the keys of its rows, of its groups, and of the rows that come
first in a window.

A join by such a key meets one row for each row, so that nobody's rows have to be limited (`multiplicity`). Columns
beside a key change nothing: SELECT DISTINCT id, name has no two rows with one id, if FROM has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from proxy.sql.replacing import replace
from proxy.sql.rows.members import UNIT, Derived, DerivedColumn
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.first_in_windows import first_of

Key = frozenset[str]


def unique_keys(
    columns: dict[str, DerivedColumn],
    relation: Relation,
    unit_outputs: set[str],
    keys: Mapping[str, Term] | None,
    where: exp.Expr | None,
    *,
    distinct: bool,
) -> frozenset[Key]:
    """Sets of outputs (UNIT for the hidden one) in which no two rows are equal.

    Args:
        columns: the outputs, as they are computed of `relation`.
        relation: the rows of FROM.
        unit_outputs: the outputs that hold the unit's identity in every row.
        keys: the terms of GROUP BY; None without aggregates.
        where: a condition that all rows meet.
        distinct: is it SELECT DISTINCT?
    """
    by_sql = {column.value.sql: name for name, column in reversed(columns.items())}
    of_rows = relation.keys | frozenset(_of_first_rows(where, relation))
    found: set[Key] = set()
    for key in of_rows:
        # Shown by a group, too, it is that of one row, which is in one group.
        names = [UNIT if part == UNIT else by_sql.get(part) for part in key]
        if None not in names:
            found.add(frozenset(name for name in names if name is not None))
    if keys is not None or distinct:
        grouped = [term.sql for term in keys.values()] if keys is not None else [c.value.sql for c in columns.values()]
        identified = {c.value.sql for c in columns.values() if c.identities} | relation.unit_columns
        rest = [sql for sql in grouped if sql not in relation.unit_columns]
        names = [by_sql.get(sql) for sql in rest]
        if None not in names:
            shown = frozenset(name for name in names if name is not None)
            owned = any(sql in identified for sql in rest)
            found.add(shown if relation.unit is None or owned else shown | {UNIT})
    for key in list(found):
        if UNIT in key:
            found |= {key - {UNIT} | {name} for name in unit_outputs}
    return frozenset(found)


def _of_first_rows(where: exp.Expr | None, relation: Relation) -> Iterator[Key]:
    """Those that `number = 1` gives the rows of the only item of FROM, where that is row_number() of a window: each
    partition has one such row."""
    if where is None or len(relation.members) != 1:
        return
    (member,) = relation.members
    if not isinstance(member.table, Derived):
        return
    for conjunct in conjuncts(where):
        column = first_of(conjunct)
        if column is not None and relation.origin(column).member is member:
            key = member.table.columns[relation.origin(column).column].numbers
            if key is not None:
                yield frozenset(part and f"{member.alias}.{part}" for part in key)


def numbered(
    columns: dict[str, DerivedColumn], outputs: Sequence[exp.Expr], relation: Relation
) -> dict[str, DerivedColumn]:
    """The outputs of a subquery, those that number rows with `DerivedColumn.numbers`.

    Args:
        columns: the outputs by name.
        outputs: their expressions.
        relation: the rows of FROM.
    """
    # By what generated SQL calls them: aliases rename outputs.
    names = {column.value.sql: column.sql for column in reversed(columns.values())}
    found = dict(columns)
    for node, (name, column) in zip(outputs, columns.items(), strict=True):
        parts = _numbered_in(node.unnest(), relation)
        known = [UNIT if part == UNIT else names.get(part) for part in parts] if parts is not None else [None]
        if None not in known:
            found[name] = replace(column, numbers=frozenset(part for part in known if part is not None))
    return found


def _numbered_in(node: exp.Expr, relation: Relation) -> Key | None:
    """What tells the partition in which an expression numbers the rows of a relation, as SQL; None for others."""
    if isinstance(node, exp.Column) and len(relation.members) == 1:
        origin = relation.origin(node)
        if not isinstance(origin.member.table, Derived) or origin.member is not relation.members[0]:
            return None
        key = origin.member.table.columns[origin.column].numbers
        return frozenset(part and f"{origin.member.alias}.{part}" for part in key) if key is not None else None
    call = node.this if isinstance(node, exp.Window) else None
    if not isinstance(call, exp.Anonymous) or call.name.lower() != "row_number":
        return None
    found = {UNIT} if relation.unit is not None else set[str]()
    for expression in node.args.get("partition_by") or []:
        # What is the unit itself adds nothing. A key of the table only tells the unit: its partitions are smaller.
        sql = compile_term(expression, relation).sql
        found.add(UNIT if sql in relation.unit_columns else sql)
    return frozenset(found)

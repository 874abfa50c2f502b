"""The refusal of a join whose rows need not belong to one unit: what ties its tables, and what does not."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.named_tables import Identity
from proxy.sql.plain_postgres import excerpt
from proxy.sql.refusal import unsupported
from proxy.sql.rows.members import Derived, Member, is_ours, told
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.walking import own_nodes


def two_units(first: Member, second: Member, from_: exp.Expr) -> Exception:
    """The refusal.

    Args:
        first: a private member.
        second: another one, which nothing ties to the first.
        from_: the FROM clause, or the SELECT.
    """
    units = sorted({member.unit or "" for member in (first, second)})
    return unsupported(
        from_,
        f"this join could combine rows of more than one privacy unit, of {_shown(first)} and of {_shown(second)}",
        rule="private-join",
        detail=_detail(first, second, from_) if len(units) == 1 else f"Their units differ: {', '.join(units)}.",
        hint=_hint(first, second),
    )


def _shown(member: Member) -> str:
    if not isinstance(member.table, Derived):
        return member.table.name
    if is_ours(member):
        return told(member)
    has_alias = member.exposed != member.table.name
    return f"the subquery {member.exposed}" if has_alias else "a subquery"


def _detail(first: Member, second: Member, from_: exp.Expr) -> str:
    """That nothing ties them, or that a condition on the columns of their units does not."""
    select = from_ if isinstance(from_, exp.Select) else from_.find_ancestor(exp.Select)
    names = {_shown_unit_column(member) for member in (first, second)}
    for condition in _conditions(select) if select is not None and None not in names else []:
        named = [node for node in own_nodes(condition) if isinstance(node, exp.Column) and node.name in names]
        plain = isinstance(condition, exp.EQ) and all(
            isinstance(side.unnest(), exp.Column) for side in (condition.this, condition.expression)
        )
        if len(named) > 1 and {node.name for node in named} == names and not plain:
            return (
                f"{excerpt(condition)} does not say that both rows belong to the same privacy unit: that takes an "
                "equality of two columns as they are, joined to other conditions by AND."
            )
    return "Nothing in the join says that both rows belong to the same privacy unit."


def _conditions(select: exp.Select) -> list[exp.Expr]:
    clauses = [join.args.get("on") for join in select.args.get("joins") or []]
    where = select.args.get("where")
    clauses.append(where.this if where is not None else None)
    return [part for clause in clauses if clause is not None for part in conjuncts(clause)]


def _hint(first: Member, second: Member) -> str:
    if first.unit != second.unit:
        return "Ask about each table in a query of its own."
    columns = [_shown_unit_column(member) for member in (first, second)]
    lacking = [member for member, column in zip((first, second), columns, strict=True) if column is None]
    if any(isinstance(member.table, Derived) for member in lacking):
        names = " and ".join(map(_shown, lacking))
        return f"Select the privacy unit's column in {names}, too, and join on it."
    if lacking:
        return "Join along the foreign keys that lead to the privacy unit."
    if first.exposed == second.exposed:
        return (
            f"Give the table in the subquery an alias, and tie it to the privacy unit: WHERE alias.{columns[1]} = "
            f"{first.exposed}.{columns[0]}."
        )
    sides = [_as_written(*pair) for pair in zip((first, second), columns, strict=True)]
    return f"Join them on the privacy unit: {sides[0]} = {sides[1]}."


def _as_written(member: Member, column: str | None) -> str:
    """A column as the statement could have it, which knows no name of ours for a subquery."""
    if isinstance(member.table, Derived) and is_ours(member) and column is not None:
        for node, relation in member.table.columns[column].definitions:
            bare = node.unnest()
            if isinstance(bare, exp.Column):
                origin = relation.origin(bare)
                return f"{origin.member.exposed}.{origin.column}"
    return f"{member.exposed}.{column}"


def _shown_unit_column(member: Member) -> str | None:
    unit = Identity(member.unit or "")
    names = [name for name in member.table.visible_columns() if unit in member.table.identities(name)]
    return names[0] if names else None

"""Outer joins that keep public rows which meet no private row (attack 19).

The number of such rows depends on single units, so they are not counted: the public side gives declared groups, and a
group without private rows is answered with a noisy zero. That is Postgres's own answer for every aggregate that sees
nothing of them: what it is of is NULL where all private columns are, or 0 in a sum, or its FILTER is not met there.
Aggregates that would count the kept rows themselves are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Kept, Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import quote_identifier
from proxy.sql.trees.aggregate_calls import aggregate_name
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.marks import LIFTED
from proxy.sql.trees.null_columns import Needed, adds_nothing_without, fails_without, is_null_without
from proxy.sql.trees.walking import own_nodes


def keeps_public_rows(
    relation: Relation, where: exp.Expr | None, calls: Sequence[exp.Expr], keys: Sequence[exp.Expr]
) -> bool:
    """Does the block show public rows without private ones as groups of zero?

    Args:
        relation: the rows, with all that is computed of them.
        where: the condition of WHERE.
        calls: the aggregate calls.
        keys: the group keys.

    Raises:
        UnsupportedError: something that depends on how many public rows were kept.
    """
    if relation.kept is None:
        return False
    aliases, private = relation.kept.aliases, _private_columns(relation, relation.kept)
    parts = conjuncts(where) if where is not None else []
    if any(fails_without(conjunct, private) for conjunct in parts):
        return False
    for conjunct in parts:
        read = {read.alias for read in compile_term(conjunct, relation).reads}
        if not read <= aliases:
            raise _refusal(
                conjunct,
                "this condition could hold for public rows without a matching private row",
                "Use JOIN; or, for public rows that no private one meets, release their numbers first: SELECT … FROM "
                "(SELECT key, count(private_column) AS n FROM … GROUP BY key) AS g WHERE n < 1.",
            )
    if any(subquery.footprint.private_tables for subquery in relation.subqueries):
        raise _refusal(
            calls[0] if calls else where,
            "a subquery over private rows decides which rows the outer join keeps",
            "Use JOIN.",
        )
    for key in keys:
        if any(private(column) for column in _columns(key)):
            raise _refusal(key, "the group keys must be columns of the public side of this outer join", "Use JOIN.")
    for call in calls:
        if not _sees_nothing(call, private):
            raise _refusal(
                call, "this aggregate would count public rows without a matching private row", _hint(call, relation)
            )
    return True


def kept_keys(relation: Relation, where: exp.Expr | None, keys: Sequence[exp.Expr]) -> str:
    """A query for the group keys of the public rows that an outer join keeps, with columns k0, k1, …"""
    if relation.kept is None:
        raise AssertionError("an outer join keeps public rows")
    outputs = ", ".join(f"{compile_term(key, relation).sql} AS k{index}" for index, key in enumerate(keys))
    condition_sql = f" WHERE {compile_term(where, relation).sql}" if where is not None else ""
    return f"SELECT DISTINCT {outputs} FROM {relation.kept.sql}{condition_sql}"


def counts_zeros(call: exp.Expr, relation: Relation) -> bool:
    """Is a sum 0, and not NULL, over public rows that no private row meets?"""
    if relation.kept is None:
        return False
    private = _private_columns(relation, relation.kept)
    return not _fails_filter(call, private) and not any(is_null_without(node, private) for node in _arguments(call))


def _private_columns(relation: Relation, kept: Kept) -> Needed:
    """Which columns are NULL in public rows that no private row meets?"""
    return lambda column: relation.origin(column).member.alias not in kept.aliases


def _sees_nothing(call: exp.Expr, private: Needed) -> bool:
    """Is the aggregate the same without the rows in which all private columns are NULL?"""
    arguments, name = _arguments(call), aggregate_name(call)
    if _fails_filter(call, private) or any(is_null_without(node, private) for node in arguments):
        return True
    if len(arguments) != 1:
        return False
    (argument,) = arguments
    if name in ("bool_and", "every"):
        argument = exp.Not(this=exp.Paren(this=argument.copy()))
    if name in ("bool_or", "bool_and", "every"):
        return fails_without(argument, private)
    return name == "sum" and adds_nothing_without(argument, private)


def _fails_filter(call: exp.Expr, private: Needed) -> bool:
    return isinstance(call, exp.Filter) and fails_without(call.expression.this, private)


def _arguments(call: exp.Expr) -> list[exp.Expr]:
    """What an aggregate is of: a row in which any of it is NULL does not count."""
    function = call.this if isinstance(call, exp.Filter) else call
    if isinstance(function, exp.WithinGroup):
        return [ordered.this for ordered in function.expression.expressions]
    first: exp.Expr | None = function.expressions[0] if len(function.expressions) == 1 else None
    if isinstance(first, exp.Distinct) and len(first.expressions) == 1:
        return list(first.expressions)
    return list(function.expressions)


def _hint(call: exp.Expr, relation: Relation) -> str:
    """What to write instead, with a column that says whether there is a private row."""
    found, select = _told_by(relation), call.find_ancestor(exp.Select)
    if found is None:
        return "Use JOIN."
    if select is not None and LIFTED.on(select):
        return (
            "Write count(column), or FILTER (WHERE column IS NOT NULL), with a column of the private table that the "
            "subquery shows, or use JOIN."
        )
    if isinstance(call, exp.Filter):
        return f"Write its FILTER as (WHERE (…) AND {found} IS NOT NULL), which leaves such rows out, or use JOIN."
    if isinstance(call, exp.Anonymous) and any(isinstance(node, exp.Star) for node in call.expressions):
        return f"Write count({found}), or use JOIN."
    return f"Add FILTER (WHERE {found} IS NOT NULL), which leaves such rows out, or use JOIN."


def _told_by(relation: Relation) -> str | None:
    """A column of the first private item that is NULL in none of its rows; if there is none, its first one."""
    aliases = relation.kept.aliases if relation.kept is not None else frozenset[str]()
    for member in relation.members:
        columns = member.table.visible_columns() if member.table.private and member.alias not in aliases else []
        for column in sorted(columns, key=member.table.nullable):
            return f"{_written(member.exposed)}.{_written(column)}"
    return None


def _written(name: str) -> str:
    return name if name.isidentifier() and name == name.lower() else quote_identifier(name)


def _columns(node: exp.Expr) -> list[exp.Column]:
    return [found for found in own_nodes(node) if isinstance(found, exp.Column)]


def _refusal(node: exp.Expr | None, message: str, hint: str) -> Exception:
    return unsupported(
        node,
        message,
        rule="outer-join-rows",
        detail="How many there are can depend on one privacy unit, and no noise covers it.",
        hint=hint,
    )

"""Outer joins that keep public rows which meet no private row (attack 19).

The number of such rows depends on single units, so they are not counted: the public side gives declared groups, and a
group without private rows is answered with a noisy zero. That is Postgres's own answer for every aggregate of the
private side. Aggregates that would count the kept rows themselves are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.trees.conjuncts import conjuncts, fails_without, is_null_without
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
    aliases = relation.kept.aliases

    def private(column: exp.Column) -> bool:
        return relation.origin(column).member.alias not in aliases

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
        function = call.this if isinstance(call, exp.Filter) else call
        arguments = function.expressions
        if isinstance(function, exp.WithinGroup):
            arguments = [ordered.this for ordered in function.expression.expressions]
        argument = arguments[0] if arguments else None
        if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
            argument = argument.expressions[0]
        if argument is None or not is_null_without(argument, private):
            raise _refusal(
                call,
                "this aggregate would count public rows without a matching private row",
                "Name a column of the private table, as in count(v.visit_id), or use JOIN.",
            )
    return True


def kept_keys(relation: Relation, where: exp.Expr | None, keys: Sequence[exp.Expr]) -> str:
    """A query for the group keys of the public rows that an outer join keeps, with columns k0, k1, …"""
    if relation.kept is None:
        raise AssertionError("an outer join keeps public rows")
    outputs = ", ".join(f"{compile_term(key, relation).sql} AS k{index}" for index, key in enumerate(keys))
    condition_sql = f" WHERE {compile_term(where, relation).sql}" if where is not None else ""
    return f"SELECT DISTINCT {outputs} FROM {relation.kept.sql}{condition_sql}"


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

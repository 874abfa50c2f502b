"""Keys that no row can have, where a column of theirs is compared with values of public rows or released results:

    SELECT visited_at::date, count(*) FROM visits WHERE visited_at > (SELECT max(visited_at) - interval '7 days' FROM …)

has the days from then on. Casts to dates and cuts to months keep the order of moments, so a key is compared with what
the same cast or cut makes of the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find, find_all, identical
from proxy.sql.planning.atoms import Atoms
from proxy.sql.planning.date_limits import Conditions, comparisons, same_rows
from proxy.sql.replacing import replace
from proxy.sql.rows.members import Derived, Member
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.types import Kind

_OPERATORS: dict[type[exp.Expr], str] = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=", exp.EQ: "="}
_SIDES = ((">=", (exp.GT, exp.GTE, exp.EQ)), ("<=", (exp.LT, exp.LTE, exp.EQ)))


@dataclass(frozen=True)
class ComparedKey:
    """A condition on the enumeration of keys.

    Attributes:
        sql: the condition.
        released: does it read released results, which are not known before they are paid for?
    """

    sql: str
    released: bool


def compared_keys(
    keys: Sequence[tuple[exp.Expr, exp.Expr]], relation: Relation, atoms: Atoms, where: Conditions
) -> Iterator[ComparedKey]:
    """The conditions that follow for dates and moments among the keys.

    Args:
        keys: the GROUP BY expressions over `relation`, each with the expression that is enumerated.
        relation: what their columns mean.
        atoms: what is enumerated.
        where: conditions that all rows meet.
    """
    found: dict[str, tuple[Member, list[str]]] = {}
    for conjunct, scope in where:
        if find(conjunct, exp.Query) is not None or not same_rows(scope, relation):
            continue
        for kind, operand, value in comparisons(conjunct):
            member = _only_public_member(value, scope)
            if member is None:
                continue
            for key, enumerated in keys:
                known, limits = compile_term(enumerated, atoms).sql, list[tuple[str, exp.Expr]]()
                if identical(operand.unnest(), key.unnest()):
                    limits = _of_key(kind, key, value, relation)
                elif _keeps_order(key):
                    limits = _of_column(kind, key, operand.unnest(), value, relation)
                told = found.setdefault(member.alias, (member, []))[1]
                told += [f"{known} {operator} {sql}" for operator, limit in limits for sql in _compiled(limit, member)]
    for member, told in found.values():
        if told:  # of one row together, as each row of the relation meets one
            table = member.table
            released = isinstance(table, Derived) and bool(table.footprint.feedback)
            yield ComparedKey(f"EXISTS (SELECT FROM {table.from_sql} AS p WHERE {' AND '.join(told)})", released)


def _only_public_member(value: exp.Expr, scope: Relation) -> Member | None:
    """The member without a unit whose columns alone a value reads."""
    members = {origin.member.alias: origin.member for origin in map(scope.origin, find_all(value, exp.Column))}
    (member,) = members.values() if len(members) == 1 else (None,)
    return member if member is not None and not member.table.private else None


def _keeps_order(key: exp.Expr) -> bool:
    """Is it a column, or casts to dates and cuts to a field of one?"""
    bare = key.unnest()
    if isinstance(bare, exp.Column):
        return True
    if isinstance(bare, exp.Cast):
        return bare.args["to"].this == exp.DType.DATE and _keeps_order(bare.this)
    if not isinstance(bare, exp.Anonymous):
        return False
    name, arguments = bare.name.lower(), bare.expressions
    if name == "date" and len(arguments) == 1:
        return _keeps_order(arguments[0])
    return name == "date_trunc" and len(arguments) == 2 and _keeps_order(arguments[1])


def _of_key(kind: type[exp.Expr], key: exp.Expr, value: exp.Expr, relation: Relation) -> list[tuple[str, exp.Expr]]:
    """How a key that is itself compared with a value lies to it."""
    type_ = compile_term(key, relation).type
    return [(_OPERATORS[kind], exp.Paren(this=value.copy()))] if type_.is_datetime or type_.is_number else []


def _of_column(
    kind: type[exp.Expr], key: exp.Expr, column: exp.Expr, value: exp.Expr, relation: Relation
) -> list[tuple[str, exp.Expr]]:
    """How a key lies to a value with which the column that it is made of is compared."""
    if not isinstance(column, exp.Column):
        return []
    columns, origin = find_all(key, exp.Column), relation.origin(column)
    type_ = origin.term().type
    if len(columns) != 1 or relation.origin(columns[0]).sql != origin.sql or not type_.is_datetime:
        return []
    if (type_.kind is Kind.TIMESTAMPTZ) != (compile_term(value, relation).kind is Kind.TIMESTAMPTZ):
        return []  # What the clock shows and the moment are in another order where clocks change.
    to = exp.DataType.build(type_.name, dialect="postgres")
    limit: exp.Expr = exp.Cast(this=exp.Paren(this=value.copy()), to=to)
    if kind is exp.LT and type_.kind is not Kind.DATE:
        limit = exp.Paren(this=exp.Sub(this=limit, expression=_interval("1 microsecond")))
    return [(operator, _with(key, limit)) for operator, kinds in _SIDES if kind in kinds]


def _compiled(limit: exp.Expr, member: Member) -> list[str]:
    """The SQL of a limit over a member's rows alone; none if it cannot be computed there: no key is left out then."""
    try:
        return [compile_term(limit, Relation((replace(member, alias="p", optional=False),))).sql]
    except DpproxyError:
        return []


def _with(key: exp.Expr, limit: exp.Expr) -> exp.Expr:
    """The key with another moment in the place of its column."""
    copy = exp.Paren(this=key.copy())
    for column in find_all(copy, exp.Column):
        column.replace(exp.Paren(this=limit))
    return copy


def _interval(text: str) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType.build("interval"))

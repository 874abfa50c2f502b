"""Which values DISTINCT keeps in sum, avg, variance and stddev (theorem 4)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.planning.statistic import ListedValues
from proxy.sql.planning.value_sets import listed_values
from proxy.sql.refusal import unsupported
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term


@dataclass(frozen=True)
class Distinct:
    """What is compared.

    Attributes:
        value: it, in the form that GROUP BY uses.
        of_units: is it the unit, of which each unit has one?
        listed: what the policy says of its values.
    """

    value: Term
    of_units: bool
    listed: ListedValues | None


def distinct_values(argument: exp.Distinct, relation: Relation) -> Distinct | None:
    """What an argument with DISTINCT compares; None where no two rows have one value.

    Raises:
        UnsupportedError: equal values of its type have several texts; or the value of a sum by key does not follow
            from the key.
    """
    by = argument.args.get("on")
    node = (by or argument).expressions[0].unnest()
    if by is not None:
        _require_key_of(node, argument.expressions[0], relation)
    if is_key(node, relation):
        return None
    of_units = isinstance(node, exp.Column) and relation.origin(node).sql in relation.unit_columns
    return Distinct(grouping_term(node, compile_term(node, relation)), of_units, listed_of(node, relation))


def listed_of(node: exp.Expr, relation: Relation) -> ListedValues | None:
    """What the policy says of the values of an expression, if it is a private column."""
    if not isinstance(node, exp.Column):
        return None
    origin = relation.origin(node)
    return listed_values(origin) if origin.member.table.private else None


def is_key(node: exp.Expr, relation: Relation) -> bool:
    """Is it a column in which no two rows are equal?"""
    return isinstance(node, exp.Column) and frozenset({relation.origin(node).sql}) in relation.keys


def _require_key_of(key: exp.Expr, value: exp.Expr, relation: Relation) -> None:
    """Refuse a sum by key whose value could differ between rows with one key, or be missing beside it: what Postgres
    makes of the hashes then is no sum of values."""
    term = compile_term(value, relation)
    origin = relation.origin(key) if isinstance(key, exp.Column) else None
    tables = {read.alias for read in term.reads}
    if (
        origin is None
        or frozenset({origin.column}) not in origin.member.table.unique_keys
        or term.subqueries
        or not tables <= {origin.member.alias}
    ):
        raise unsupported(
            key,
            "this symmetric aggregate is not supported",
            rule="sum-by-key",
            detail="Its value is added once for each key, so it has to be made of columns of one table or subquery, "
            "and the key has to be that one's primary key.",
            hint="Declare the view's primary key in Looker, or write SELECT sum(x) FROM (SELECT DISTINCT key, x, unit "
            "FROM …) AS each.",
        )
    if term.nullable:
        raise unsupported(
            value,
            "a symmetric aggregate of values that can be NULL is not supported",
            rule="sum-by-key",
            detail="Keys without a value would leave their hash in the difference.",
            hint="Write coalesce(x, 0), as Looker does.",
        )

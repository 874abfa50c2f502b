"""Group keys that are buckets of width_bucket, also between released bounds."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.planning.atoms import Atoms
from proxy.sql.planning.date_limits import Conditions, is_nullable
from proxy.sql.planning.value_sets import Values, bucket_values
from proxy.sql.rows.members import Derived, Member
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.trees.bucket_bounds import value_and_width
from proxy.sql.trees.marks import BUCKETS


def released_buckets(keys: Sequence[exp.Expr], relation: Relation, atoms: Atoms, where: Conditions) -> list[str]:
    """Conditions that buckets between released bounds are not NULL where no value is, and the bounds differ, which are
    known when keys are enumerated."""
    found = []
    for key in keys:
        case = key.unnest()
        known = atoms.by_key.get(compile_term(key, relation).sql) if BUCKETS.on(case) else None
        if known is None:
            continue
        value, width = value_and_width(case)
        members = {origin.member.alias: origin.member for origin in map(relation.origin, find_all(width, exp.Column))}
        if members and all(map(_is_released, members.values())) and _always_has_value(value.unnest(), relation, where):
            differ = f"SELECT bool_and(coalesce({compile_term(width, relation).sql}, 0) <> 0)"
            from_ = ", ".join(f"{member.table.from_sql} AS {alias}" for alias, member in members.items())
            found.append(f"({compile_term(known, atoms).sql} IS NOT NULL OR ({differ} FROM {from_}) IS NOT TRUE)")
    return found


def _is_released(member: Member) -> bool:
    """Is it made of released results, of which each row of the relation meets one, unless there is none at all?"""
    released = isinstance(member.table, Derived) and not member.table.private and bool(member.table.footprint.feedback)
    return released and (member.unconditional or not member.optional)


def buckets(node: exp.Expr, term: Term, relation: Relation, where: Conditions) -> Values | None:
    """The buckets of width_bucket. A number is in none of them if it is NULL, or NaN, which no bounds hold."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "width_bucket" or term.bounds is None:
        return None
    nullable = not _always_has_value(node.expressions[0].unnest(), relation, where)
    return Values(bucket_values(term.bounds), "buckets", nullable=nullable, complete=True)


def _always_has_value(value: exp.Expr, relation: Relation, where: Conditions) -> bool:
    """Is it a number that is neither NULL nor NaN in any row?"""
    if not isinstance(value, exp.Column) or compile_term(value, relation).bounds is None:
        return False
    return not is_nullable(value, relation, where)

"""Which expressions tell the unit of a row, for sure: columns that identify it, other spellings of them, and the first
of several that is not NULL, as in `coalesce(a.unit, b.unit)` of a FULL JOIN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.named_tables import Identity
from proxy.sql.plain_postgres import Plus
from proxy.sql.replacing import replace
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Limits, Subquery, Term
from proxy.sql.terms.types import Kind
from proxy.sql.trees.spellings_of_columns import (
    concatenated,
    hashed_by,
    is_exact_constant,
    length_of,
    merged_columns,
    told,
)

_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})
_NUMBERS = frozenset({exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL})
_EXACT = (Kind.INTEGER, Kind.NUMERIC)
_SEPARATORS = tuple("-|_:/#.,; ~")
_WIDEST = 36
"""Characters of a UUID, which are more than those of any integer."""


def nearly_tells_the_unit(node: exp.Expr, relation: Relation) -> bool:
    """Would hardly any two units share a value of the expression?"""
    return bool(near_identities(node, relation))


def near_identities(node: exp.Expr, relation: Relation) -> frozenset[Identity]:
    """What hardly any two values of the expression identify alike."""
    return told(node, lambda column: relation.origin(column).near_identities)


def tells_the_unit(node: exp.Expr, relation: Relation) -> bool:
    """Does the expression identify the unit, in every row that has one, so that its groups are those of units?

    Where a value is too large for it, an expression is NULL instead of an error, and many units may have no value."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return relation.origin(node).tells_the_unit
    return keeps_units_apart(node, relation) and not compile_term(node, _PresentColumns(relation)).nullable


def keeps_units_apart(node: exp.Expr, relation: Relation) -> bool:
    """Do rows in which the expression is equal, and not NULL, belong to one unit?"""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return relation.origin(node).tells_the_unit
    if isinstance(node, exp.Cast):
        return keeps_units_apart(node.this, relation) and _keeps_apart(node, relation)
    if isinstance(node, (exp.Neg, Plus)):
        return keeps_units_apart(node.this, relation)
    if isinstance(node, (exp.Add, exp.Sub)):
        sides = [side for side in (node.this, node.expression) if not is_exact_constant(side)]
        # A sum of a float is rounded, and the ends of months are the same day.
        exact = len(sides) == 1 and compile_term(sides[0], relation).kind in _EXACT
        return exact and keeps_units_apart(sides[0], relation)
    if isinstance(node, exp.DPipe):
        return _is_told_by_a_part(list(concatenated(node)), relation, keeps_units_apart)
    if _is_call(node, "concat"):
        # It leaves out a part that is NULL.
        return _is_told_by_a_part(list(concatenated(node)), relation, tells_the_unit)
    hashed = hashed_by(node)
    if hashed is not None:
        return keeps_units_apart(hashed, relation)
    if _is_call(node, "coalesce"):
        return tells_the_unit(node.expressions[0], relation) or _tell_the_unit(merged_columns(node), relation)
    return False


@dataclass(frozen=True)
class _PresentColumns:
    """The scope of an expression in rows in which none of its columns is NULL."""

    relation: Relation

    @property
    def limits(self) -> Limits:
        return self.relation.limits

    def whole(self, node: exp.Expr) -> Term | None:
        return self.relation.whole(node)

    def column(self, node: exp.Column) -> Term:
        return replace(self.relation.column(node), nullable=False)

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        return self.relation.subquery(query, value)


def identities(node: exp.Expr, relation: Relation) -> frozenset[Identity]:
    """What equal values of the expression identify: two of one type that are equal belong to one unit."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return relation.origin(node).identities
    if isinstance(node, exp.Cast):
        found = identities(node.this, relation)
        # A number can have several texts, of which each could be a unit of another table.
        one = found and _keeps_apart(node, relation) and compile_term(node.this, relation).kind is not Kind.NUMERIC
        return found if one else frozenset()
    merged = merged_columns(node)
    if not merged or len({_comparison(relation.origin(column)) for column in merged}) > 1:
        return frozenset()
    return frozenset.intersection(*(relation.origin(column).identities for column in merged))


def compared_as(node: exp.Expr, relation: Relation) -> tuple[str, int] | None:
    """How `=` compares a column, or the merged column of several; None for other expressions."""
    bare = node.unnest()
    columns = (bare,) if isinstance(bare, exp.Column) else merged_columns(bare)
    found = {_comparison(relation.origin(column)) for column in columns}
    return found.pop() if len(found) == 1 else None


def without_equal_casts(left: exp.Expr, right: exp.Expr, relation: Relation) -> tuple[exp.Expr, exp.Expr]:
    """Both sides of an equality without casts that both have, where casts that are equal are of equal values."""
    left, right = left.unnest(), right.unnest()
    while isinstance(left, exp.Cast) and isinstance(right, exp.Cast) and left.to == right.to:
        if not all(identities(side, relation) for side in (left, right)):
            break
        left, right = left.this.unnest(), right.this.unnest()
    return left, right


def _tell_the_unit(columns: Sequence[exp.Column], relation: Relation) -> bool:
    """Does the first of some columns that is not NULL identify the unit, in every row that has one?"""
    origins = [relation.origin(column) for column in columns]
    if not origins or not frozenset.intersection(*(origin.identities for origin in origins)):
        return False
    if any(origin.tells_the_unit for origin in origins):
        return True
    # A row of a FULL JOIN has one of its sides, or both.
    sides = {origin.member.alias for origin in origins if not origin.lacks_unit}
    private = [member for member in relation.members if member.has_unit]
    return all(member.optional and member.alias in sides for member in private)


def _keeps_apart(cast: exp.Cast, relation: Relation) -> bool:
    """Do different values stay different, apart from those that become NULL?"""
    inner = cast.this.unnest()
    if isinstance(inner, exp.Column) and relation.origin(inner).collated:
        return False
    kind, to = compile_term(cast.this, relation).kind, cast.to
    if to.this in _TEXTS:
        length = length_of(to)
        wide = length is None or (kind in (Kind.INTEGER, Kind.UUID) and length >= _WIDEST)
        return wide and kind in (Kind.INTEGER, Kind.NUMERIC, Kind.TEXT, Kind.UUID)
    return to.this in _NUMBERS and not to.expressions and kind is Kind.INTEGER


def _is_told_by_a_part(
    parts: Sequence[exp.Expr], relation: Relation, is_unit: Callable[[exp.Expr, Relation], bool]
) -> bool:
    """Is the first part of a text that is no constant a unit, and does it end where the next part begins?"""
    place = next((place for place, part in enumerate(parts) if not isinstance(part, exp.Literal)), None)
    if place is None or not is_unit(parts[place], relation):
        return False
    rest = [part for part in parts[place + 1 :] if not isinstance(part, exp.Literal)]
    if not rest:
        return True
    return _ends_at(parts[place + 1]) and _has_no_separator(parts[place], relation) and _are_there(rest, relation)


def _ends_at(part: exp.Expr) -> bool:
    """Does a constant begin with what ends an integer, or a UUID, all of which are equally long?"""
    return isinstance(part, exp.Literal) and part.name[:1] in _SEPARATORS


def _has_no_separator(part: exp.Expr, relation: Relation) -> bool:
    """Are the unit's texts those of integers or UUIDs, in casts and before what stands for NULL?"""
    part = part.unnest()
    while isinstance(part, exp.Cast) or _is_call(part, "coalesce"):
        part = (part.this if isinstance(part, exp.Cast) else part.expressions[0]).unnest()
    return compile_term(part, relation).kind in (Kind.INTEGER, Kind.UUID)


def _are_there(parts: Sequence[exp.Expr], relation: Relation) -> bool:
    """Is none of the parts NULL, which would make the whole text NULL?"""
    return not any(compile_term(part, relation).nullable for part in parts)


def _is_call(node: exp.Expr, name: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == name


def _comparison(origin: ColumnOrigin) -> tuple[str, int]:
    return origin.member.table.comparison(origin.column)

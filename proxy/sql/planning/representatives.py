"""Values that stand for all others of a column of which keys and conditions only ask how it compares with constants.

    SELECT CASE WHEN cost < 50 THEN 1 WHEN cost < 100 THEN 2 ELSE 3 END, CASE WHEN cost < 50 THEN 'low' … END, count(*)

asks of cost no more than on which side of 50 and of 100 it is. So each constant, one value between each two neighbours,
one before and one behind all of them, and NULL, meet the same conditions as all values that there are. What keys make
of these are all their combinations; the results of each CASE by itself would be combined to groups of nobody. Text is
compared by equality alone, and one text that is none of the constants stands for all of those.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Final

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find, find_all
from proxy.sql.planning.atoms import Atoms, StandIns
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.planning.effort import Effort
from proxy.sql.planning.small_sets import has_all_values, stored_origin
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term, number_sql, quote_literal
from proxy.sql.terms.types import BPCHAR, Kind

_MOST_COMBINATIONS: Final = 10_000
"""The most combinations of such values of all columns; of more, each key's own results are listed."""
_BY_ORDER = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_BY_EQUALITY = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{0,30})?")
_LARGEST: Final = 10**60
"""Of the numerator and the denominator of a constant whose neighbours are computed."""
_MOMENT = re.compile(r"[1-8][0-9]{3}-[0-9]{2}-[0-9]{2}([ T][0-9:.]{4,15})?([+-][0-9:]{1,6})?")
"""Dates and moments that have others on both sides."""
_ANY_DAY = "'2000-01-01'"


@dataclass(frozen=True)
class Comparison:
    """A condition about one stored private column and constants.

    Attributes:
        origin: the column.
        column: where it stands.
        relation: what it means there.
        constants: what it is compared with; none for IS NULL.
        by_order: is it more than equality?
    """

    origin: ColumnOrigin
    column: exp.Column
    relation: Relation
    constants: tuple[Term, ...]
    by_order: bool


@dataclass
class _Asked:
    """What keys and conditions ask of one column.

    Attributes:
        comparisons: how it compares with constants.
        only: do the keys ask nothing else of it?
    """

    comparisons: list[Comparison] = field(default_factory=list)
    only: bool = True


def representatives(
    keys: Sequence[exp.Expr], relation: Relation, where: Conditions, effort: Effort, shown: set[str | None]
) -> Mapping[str, StandIns]:
    """Values that stand for all others, by the SQL of their column.

    There are some of columns whose values are not all declared.

    Args:
        keys: the GROUP BY expressions over `relation`.
        relation: what columns mean.
        where: conditions that all rows meet, each with the relation of its columns.
        effort: limits what is written out.
        shown: columns that are keys themselves.

    Raises:
        UnsupportedError: `effort` is exhausted.
    """
    asked: dict[str, _Asked] = {}
    for key in keys:
        _note(asked, list(_read(key, relation, effort)))
    asked = {sql: each for sql, each in asked.items() if each.only}
    for conjunct, scope in where if asked else ():
        if find(conjunct, exp.Query) is None:
            read = list(_read(conjunct, scope, effort))
            _note(asked, [each for each in read if isinstance(each, Comparison) and each.origin.sql in asked])
    found: dict[str, StandIns] = {}
    for sql, each in asked.items():
        first = each.comparisons[0]
        if not has_all_values(first.column, first.relation, where, shown, effort):
            values = _values_of(each.comparisons)
            if values is not None:
                found[sql] = values
    return found if math.prod(values.most for values in found.values()) <= _MOST_COMBINATIONS else {}


def _comparison(node: exp.Expr, relation: Relation) -> Comparison | None:
    """How a condition compares a stored private column with constants; None for all others."""
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        column, others = node.this, []
    elif isinstance(node, exp.Between):
        column, others = node.this, [node.args["low"], node.args["high"]]
    elif isinstance(node, exp.In) and not node.args.get("query"):
        column, others = node.this, list(node.expressions)
    elif isinstance(node, (*_BY_ORDER, *_BY_EQUALITY)):
        sides = [node.this, node.expression]
        column, *others = sides if isinstance(sides[0].unnest(), exp.Column) else reversed(sides)
    else:
        return None
    origin = stored_origin(column, relation)
    if origin is None or not isinstance(origin.member.table, NamedTable) or not origin.member.table.private:
        return None
    if len(others) > _MOST_COMBINATIONS:
        return None  # There would be too many values in any case, and each constant takes time.
    if any(find(other, exp.Column, exp.Query, exp.Any, exp.All) is not None for other in others):
        return None
    try:
        constants = tuple(compile_term(other, relation) for other in others)
    except DpproxyError:
        return None
    return Comparison(origin, column.unnest(), relation, constants, isinstance(node, _BY_ORDER))


def over_stand_ins(
    node: exp.Expr, relation: Relation, atoms: Atoms, others: Callable[[exp.Column, Relation], exp.Expr | None]
) -> exp.Expr | None:
    """An expression over what stands for its columns' values; None if nothing stands for one, or it asks for more.

    Args:
        node: a key or a condition, or a part of one.
        relation: what its columns mean.
        atoms: what is enumerated, among it the values.
        others: finds what is enumerated of all values of another column, None if they are not known.

    Raises:
        UnsupportedError: too much is written out.
    """
    if not atoms.stand_ins:
        return None
    read = list(_read(node, relation, atoms.effort))
    asked = {each.origin.sql if isinstance(each, Comparison) else each.sql for each in read}
    more = {each.sql for each in read if not isinstance(each, Comparison)}
    if asked.isdisjoint(atoms.stand_ins) or not more.isdisjoint(atoms.stand_ins):
        return None
    return _written_over(node, relation, atoms, others)


def _written_over(
    node: exp.Expr, relation: Relation, atoms: Atoms, others: Callable[[exp.Column, Relation], exp.Expr | None]
) -> exp.Expr | None:
    stored = stored_origin(node, relation)
    found = atoms.stand_ins.get(stored.sql) if stored is not None else None
    if stored is not None and found is not None:
        # Under another text than the column's own: for other conditions its values are not known.
        return atoms.add(f"{stored.sql} among constants", found.sql, stored.term(), found.label, found.most)
    if isinstance(node, exp.Query):
        return None
    if isinstance(node, exp.Column):
        definition = definition_of(relation.origin(node))
        if definition is None:
            return others(node, relation)
        written = _written_over(*definition, atoms, others)
        return exp.Paren(this=written) if written is not None else None
    copy: exp.Expr = node.copy()
    for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
        if find(original, exp.Column) is not None:
            written = _written_over(original, relation, atoms, others)
            if written is None:
                return None
            child.replace(written)
    return copy


def _read(node: exp.Expr, relation: Relation, effort: Effort) -> Iterator[Comparison | ColumnOrigin]:
    """The comparisons that an expression is made of, and the columns of which it asks anything else. Raises
    UnsupportedError where `effort` is exhausted."""
    found = _comparison(node, relation)
    if found is not None:
        yield found
    elif isinstance(node, exp.Column):
        origin = relation.origin(node)
        definition = definition_of(origin)
        if definition is None:
            yield origin
        else:
            effort.write_out(definition[0])
            yield from _read(*definition, effort)
    elif isinstance(node, exp.Query):
        yield from _read_inside(node, relation)
    else:
        for part in _parts(node):
            yield from _read(part, relation, effort)


def _read_inside(query: exp.Query, relation: Relation) -> Iterator[ColumnOrigin]:
    """The columns of a relation that a subquery may read; those that are its own are none of it."""
    for column in find_all(query, exp.Column):
        with contextlib.suppress(DpproxyError):
            yield relation.origin(column)


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """What an expression is made of; CASE x WHEN 1 of x = 1."""
    if isinstance(node, exp.Case) and node.this is not None:
        for branch in node.args["ifs"]:
            yield exp.EQ(this=node.this.copy(), expression=branch.this.copy())
            yield branch.args["true"]
        if node.args.get("default") is not None:
            yield node.args["default"]
    else:
        yield from node.iter_expressions()


def _note(asked: dict[str, _Asked], read: Sequence[Comparison | ColumnOrigin]) -> None:
    """Note what one key or condition asks."""
    for each in read:
        if isinstance(each, Comparison):
            asked.setdefault(each.origin.sql, _Asked()).comparisons.append(each)
        else:
            asked.setdefault(each.sql, _Asked()).only = False


def _values_of(comparisons: Sequence[Comparison]) -> StandIns | None:
    """The values that stand for all of a column; None of types whose neighbours are not known."""
    origin = comparisons[0].origin
    term, constants = origin.term(), [constant for each in comparisons for constant in each.constants]
    type_ = term.type
    found: list[str] | None = None
    if type_.foreign or type_ == BPCHAR:
        return None
    if type_.kind is Kind.TEXT and not any(each.by_order for each in comparisons):
        found = _texts(constants)
    elif type_.is_number:
        found = _numbers(term, constants)
    elif type_.is_datetime:
        found = _moments(type_.kind, constants)
    if found is None:
        return None
    name = {Kind.NUMERIC: "numeric", Kind.FLOAT: "double precision", Kind.TEXT: "text"}.get(type_.kind, type_.name)
    rows = ", ".join(f"({value}::{name})" for value in found)
    is_present = not origin.member.optional and origin.column in origin.member.present
    sql = f"SELECT DISTINCT v.c0 FROM (VALUES {rows}) AS v(c0)"
    if origin.nullable and not is_present:
        sql += " UNION ALL SELECT NULL"
    return StandIns(sql, f"{origin.column} compared with constants", len(found) + 1)


def _texts(constants: Sequence[Term]) -> list[str] | None:
    """The constants, and a text that is none of them."""
    if any(constant.literal is None or constant.kind not in (Kind.TEXT, Kind.UNKNOWN) for constant in constants):
        return None
    longest = max((constant.literal or "" for constant in constants), key=len, default="")
    return sorted({quote_literal("x" + longest), *(constant.sql for constant in constants)})


def _numbers(term: Term, constants: Sequence[Term]) -> list[str] | None:
    """The constants and their neighbours: among the multiples of what the type guarantees, or between each two."""
    numbers = list(map(_number, constants))
    exact = sorted({number for number in numbers if number is not None})
    if None in numbers:
        return None
    if term.grid is not None:
        steps = {step for number in exact for step in (number // term.grid, -(-number // term.grid))} or {0}
        points = {(step + beside) * term.grid for step in steps for beside in (-1, 0, 1)}
        if term.kind is Kind.INTEGER and term.type.magnitude is not None:
            most = term.type.magnitude
            # Of constants on both sides of the type's values, each value is between.
            points = {point for point in points if -most <= point < most} or {Fraction(0)}
        return [number_sql(point) for point in sorted(points)]
    points = {*exact, *((low + high) / 2 for low, high in pairwise(exact))}
    if term.kind is Kind.FLOAT:
        return ["'-Infinity'", *map(number_sql, sorted(points)), "'Infinity'"]
    points |= {exact[0] - 1, exact[-1] + 1} if exact else {Fraction(0)}
    return [number_sql(point) for point in sorted(points)]


def _number(constant: Term) -> Fraction | None:
    """The value of a constant, if it has few digits."""
    if constant.kind is Kind.UNKNOWN:
        known = _NUMBER.fullmatch(constant.literal or "") is not None
        return Fraction(constant.literal or "") if known else None
    if not constant.type.is_number or constant.bounds is None or constant.bounds.width:
        return None
    number = constant.bounds.low
    return number if abs(number.numerator) < _LARGEST and number.denominator < _LARGEST else None


def _moments(kind: Kind, constants: Sequence[Term]) -> list[str] | None:
    """The constants and their neighbours, a day away or a microsecond, as the stage computes them."""
    step = "1" if kind is Kind.DATE else "interval '1 microsecond'"
    name = {Kind.DATE: "date", Kind.TIMESTAMP: "timestamp"}.get(kind, "timestamptz")
    comparable = {Kind.UNKNOWN, Kind.DATE, Kind.TIMESTAMP, kind}
    found = set[str]()
    for constant in constants:
        if constant.literal is None or not _MOMENT.fullmatch(constant.literal) or constant.kind not in comparable:
            return None
        found |= {f"({constant.sql}::{name} {sign} {step})" for sign in "+-"} | {f"({constant.sql}::{name})"}
    return sorted(found) or [_ANY_DAY]

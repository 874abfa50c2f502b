"""Group keys that are parts of one moment: a month and its name, a day and its year.

They are computed from one enumeration of the moment, cut to the finest part that a key shows. Enumerated one by one
they would be combined with each other, to groups that no row can be in: the month 2024-01 named 2025-12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find, walk
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.planning.moment_values import FINEST_FIRST, are_few, moment_of_day, refines, shown_field
from proxy.sql.planning.value_sets import is_limited
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.types import Kind

_SHOWN_BY = {
    "hour": "hour", "day": "day", "dow": "day", "isodow": "day", "doy": "day", "week": "day", "isoyear": "day",
    "month": "month", "quarter": "month", "year": "year", "decade": "year", "century": "year",
}  # fmt: skip
"""Fields, and to what a moment may be cut so that it still has the same field."""


_DAYS = frozenset(("day", "week", "month", "quarter", "year", "decade", "century"))
"""Fields that can be told of days, of which there are few."""

_DAY = Fraction(86_400)


@dataclass
class _Shown:
    """What keys and conditions show of a moment.

    Attributes:
        parts: the SQL of each part.
        cuts: the fields to which it is cut; of days and longer also those that are only shown.
        limited: has a part no more values than the moment's limits allow?
    """

    parts: set[str] = field(default_factory=set)
    cuts: set[str] = field(default_factory=set)
    limited: bool = False


def shared_moments(keys: Sequence[exp.Expr], relation: Relation, where: Conditions) -> Mapping[str, str]:
    """The moments of which keys show a part, and other keys or conditions another one.

    Args:
        keys: the GROUP BY expressions over `relation`.
        relation: what columns mean.
        where: conditions that all rows meet.

    Returns:
        Their SQL, and the field to which they are cut.
    """
    shown: dict[str, _Shown] = {}
    of_keys = [written for key in keys for written in _written_out(key, relation)]
    if len(of_keys) < 2 and not where:
        return {}  # One part alone is shared by nothing.
    for node, scope in of_keys:
        found = _part(node, scope, where)
        if found is not None:
            _note(shown.setdefault(found.moment, _Shown()), found, node, scope, where)
    for condition, scope in where:
        for node, inner in _written_out(condition, scope) if shown and find(condition, exp.Query) is None else ():
            found = _part(node, inner, where)
            if found is not None and found.moment in shown and found.field in _DAYS:
                _note(shown[found.moment], found, node, inner, where)
    return {
        moment: _finest(each.cuts)
        for moment, each in shown.items()
        if each.limited and each.cuts and len(each.parts) > 1
    }


def _note(shown: _Shown, part: _Part, node: exp.Expr, relation: Relation, where: Conditions) -> None:
    shown.parts.add(compile_term(node, relation).sql)
    if part.is_cut or (part.field in _DAYS and are_few(_moment(node), _DAY, relation, where)):
        shown.cuts.add(part.field)
    shown.limited |= part.is_limited


def cut_moment(node: exp.Expr, moments: Mapping[str, str], relation: Relation, where: Conditions) -> exp.Expr | None:
    """The shared moment behind a key, as the date_trunc() that is enumerated; None if it is no part of one."""
    found = _part(node, relation, where) if moments else None
    unit = moments.get(found.moment) if found is not None else None
    if found is None or unit is None or not refines(unit, found.field):
        return None
    return exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string(unit), _moment(node).copy()])


def of_moment(node: exp.Expr, moment: exp.Expr) -> exp.Expr:
    """The key with another moment in the place of its own."""
    copy = node.copy()
    _moment(copy).replace(moment)
    return copy


def _written_out(key: exp.Expr, relation: Relation) -> Iterator[tuple[exp.Expr, Relation]]:
    bare = key.unnest()
    definition = definition_of(relation.origin(bare)) if isinstance(bare, exp.Column) else None
    if definition is not None:
        yield from _written_out(*definition)
        return
    for node in walk(bare):
        if isinstance(node, (exp.Anonymous, exp.Extract, exp.Cast)):
            yield node, relation


def _moment(node: exp.Expr) -> exp.Expr:
    """The argument that is the moment of a key: behind a cast to a timestamp without time zone, which shows the same
    clock."""
    moment: exp.Expr
    if isinstance(node, exp.Extract):
        moment = node.expression
    elif isinstance(node, exp.Cast):
        moment = node.this
    else:
        moment = node.expressions[1 if node.name.lower() in ("date_trunc", "date_part") else 0]
    while isinstance(moment.unnest(), exp.Cast) and _is_plain_timestamp(moment.unnest().args["to"]):
        moment = moment.unnest().this
    return moment


def _is_plain_timestamp(type_: exp.Expr) -> bool:
    """Is it a timestamp without time zone, and without a precision, to which a cast would round?"""
    return type_.this == exp.DType.TIMESTAMP and not type_.args.get("expressions")


@dataclass(frozen=True)
class _Part:
    """A part of a moment.

    Attributes:
        moment: its SQL.
        field: to what it may be cut so that it still has the same part.
        is_cut: is the part such a cut itself, or made of one?
        is_limited: are its values those within the moment's limits? Other fields have all values that there are.
    """

    moment: str
    field: str
    is_cut: bool
    is_limited: bool


def _part(node: exp.Expr, relation: Relation, where: Conditions) -> _Part | None:
    """What a key shows of a moment; None if it is no part of one."""
    try:
        name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
        field: str | None = None
        is_cut = True
        is_limited_ = True
        if name == "date_trunc" and len(node.expressions) == 2:
            field = node.expressions[0].name.lower()
        elif name == "to_char":
            field = shown_field(node, relation, where)
        elif moment_of_day(node) is not None and compile_term(node, relation).kind is Kind.DATE:
            field = "day"
        elif isinstance(node, exp.Extract) or name == "date_part":
            shown = (node.this.name if isinstance(node, exp.Extract) else node.expressions[0].name).lower()
            field, is_cut, is_limited_ = _SHOWN_BY.get(shown), False, is_limited(shown)
        if field not in FINEST_FIRST:
            return None
        moment = compile_term(_moment(node), relation)
        return _Part(moment.sql, field, is_cut, is_limited_) if moment.type.is_datetime else None
    except DpproxyError:
        return None


def _finest(fields: set[str]) -> str:
    finest = min(fields, key=FINEST_FIRST.index)
    # A week is in no month.
    return "day" if finest == "week" and len(fields) > 1 else finest

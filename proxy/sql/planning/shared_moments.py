"""Group keys that are parts of one moment: a month and its name, a day and its year.

They are computed from one enumeration of the moment, cut to the finest part that a key shows. Enumerated one by one
they would be combined with each other, to groups that no row can be in: the month 2024-01 named 2025-12.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import walk
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.planning.moment_values import moment_of_day, shown_field
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.types import Kind

_FINEST_FIRST = ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century")
_SHOWN_BY = {
    "hour": "hour", "day": "day", "dow": "day", "isodow": "day", "doy": "day", "week": "day", "isoyear": "day",
    "month": "month", "quarter": "month", "year": "year", "decade": "year", "century": "year",
}  # fmt: skip
"""Fields, and to what a moment may be cut so that it still has the same field."""


def shared_moments(keys: Sequence[exp.Expr], relation: Relation, where: Conditions) -> Mapping[str, str]:
    """The moments of which several keys show a part: their SQL, and the field to which they are cut.

    Args:
        keys: the GROUP BY expressions over `relation`.
        relation: what columns mean.
        where: conditions that all rows meet.
    """
    cuts: defaultdict[str, set[str]] = defaultdict(set)
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for key in keys:
        for node, scope in _written_out(key, relation):
            found = _part(node, scope, where)
            if found is not None:
                moment, field, is_cut = found
                parts[moment].add(compile_term(node, scope).sql)
                if is_cut:
                    cuts[moment].add(field)
    return {moment: _finest(fields) for moment, fields in cuts.items() if len(parts[moment]) > 1}


def cut_moment(node: exp.Expr, moments: Mapping[str, str], relation: Relation, where: Conditions) -> exp.Expr | None:
    """The shared moment behind a key, as the date_trunc() that is enumerated; None if it is no part of one."""
    found = _part(node, relation, where) if moments else None
    unit = moments.get(found[0]) if found is not None else None
    if found is None or unit is None or not _refines(unit, found[1]):
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
    """The argument that is the moment of a key."""
    moment: exp.Expr
    if isinstance(node, exp.Extract):
        moment = node.expression
    elif isinstance(node, exp.Cast):
        moment = node.this
    else:
        moment = node.expressions[1 if node.name.lower() in ("date_trunc", "date_part") else 0]
    return moment


def _part(node: exp.Expr, relation: Relation, where: Conditions) -> tuple[str, str, bool] | None:
    """The SQL of the moment that a key shows a part of, to what it may be cut for that, and whether it is such a cut
    itself, and not a field, whose values may be all that there are."""
    try:
        name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
        field: str | None = None
        if name == "date_trunc" and len(node.expressions) == 2:
            field = node.expressions[0].name.lower()
        elif name == "to_char":
            field = shown_field(node, relation, where)
        elif moment_of_day(node) is not None and compile_term(node, relation).kind is Kind.DATE:
            field = "day"
        elif isinstance(node, exp.Extract) or name == "date_part":
            shown = node.this.name if isinstance(node, exp.Extract) else node.expressions[0].name
            field = _SHOWN_BY.get(shown.lower())
        if field not in _FINEST_FIRST:
            return None
        moment = compile_term(_moment(node), relation)
        is_cut = not isinstance(node, exp.Extract) and name != "date_part"
        return (moment.sql, field, is_cut) if moment.type.is_datetime else None
    except DpproxyError:
        return None


def _finest(fields: set[str]) -> str:
    finest = min(fields, key=_FINEST_FIRST.index)
    # A week is in no month.
    return "day" if finest == "week" and len(fields) > 1 else finest


def _refines(unit: str, field: str) -> bool:
    """Has a moment that is cut to the unit still the same field?"""
    return unit == field or (unit != "week" and _FINEST_FIRST.index(unit) < _FINEST_FIRST.index(field))

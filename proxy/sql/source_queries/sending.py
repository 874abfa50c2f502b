"""Limits the rows that a source query sends to groups and values that can be in the answer.

One unit can have a million rows of undeclared values, or as many groups. They count for nothing in an answer, but would
fill the proxy's memory, and take its time, if and only if the unit is there. So the source is told which keys and
candidates are declared. Of undeclared keys it sends only those that some unit gives weight to, of each unit at most
max_groups. What is left out here would be dropped after the source query anyway: declared keys are answered whether
they are sent or not, and no unit helps to select a group without weight.
"""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.planning.choices import QuantileChoice
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.terms.term import Term, array_literal
from proxy.sql.terms.types import Kind

KeyRow = tuple[str | None, ...]

_HELPED = "m.weight > 0"
"""Where keys are selected: some unit helps to select the group. A unit can be in more than max_groups groups."""

_READ_ALIKE = (Kind.TEXT, Kind.INTEGER, Kind.NUMERIC, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP, Kind.UUID)
"""Types whose values the source reads as the stage prints them. Values of other types are short."""

_READ_BACK = (Kind.TEXT, Kind.INTEGER, Kind.NUMERIC)
"""Types whose values the source itself can read back under any settings: a mode's candidates are in text form."""


def only_declared(
    plan: BlockPlan, statements: Sequence[str], domain: Sequence[KeyRow], candidates: Sequence[Sequence[KeyRow]]
) -> list[str]:
    """The statements of a source query without undeclared groups, and without values that nothing is chosen from.

    Args:
        plan: the block's plan.
        statements: from `exact_sums.source_statements`.
        domain: the declared keys; unused where keys are selected or there are none.
        candidates: for each choice, the declared values that it is about; empty for buckets.
    """
    keys = [(f"m.k{index}", key.term) for index, key in enumerate(plan.keys)] if plan.domain is not None else []
    declared = [_among(name, term, [row[i] for row in domain]) for i, (name, term) in enumerate(keys)]
    sums = list(statements[:1] if plan.adds_noise else [])
    wanted_groups = [*declared, _HELPED] if plan.selection is not None else declared
    always = "m.units IS NOT NULL" if plan.clipping is not None else None
    found = [_limited(sql, wanted_groups, always) for sql in sums]
    histograms = statements[len(sums) :][: len(plan.choices)]
    for sql, choice, values in zip(histograms, plan.choices, candidates, strict=True):
        read_back = not isinstance(choice, QuantileChoice) and choice.value.kind in _READ_BACK
        # What a row's integer becomes may not fit the type that the client's expression has.
        integer = choice.value.kind is Kind.INTEGER
        candidate = f"m.candidate::{'numeric' if integer else choice.value.type.name}"
        wanted = [_among(candidate, choice.value, [text for (text,) in values])] if read_back else []
        found.append(_limited(sql, [*declared, *wanted]))
    # All units count where a limit is chosen.
    return [*found, *statements[len(found) :]]


def _limited(sql: str, conditions: Sequence[str | None], always: str | None = None) -> str:
    """The rows under the conditions, and those that are always sent."""
    known = [condition for condition in conditions if condition is not None]
    if not known:
        return sql
    wanted = " AND ".join(known)
    return f"SELECT * FROM ({sql}) AS m WHERE {f'{always} OR ({wanted})' if always is not None else wanted}"


def _among(name: str, term: Term, texts: Sequence[str | None]) -> str | None:
    """The condition that a column has one of these values; None for types that are not compared here."""
    if term.kind not in _READ_ALIKE:
        return None
    values = list(dict.fromkeys(text for text in texts if text is not None))
    among = f"{name} IN (SELECT unnest({array_literal(values)}::{term.type.name}[]))"
    return f"({among} OR {name} IS NULL)" if None in texts else among


def with_weight(plan: BlockPlan, sql: str, payload: Sequence[str], weights: str) -> str:
    """A histogram without the groups that no unit helps to select.

    Args:
        plan: a plan that selects keys.
        sql: the histogram, with columns k0, k1, … and the payload.
        payload: names of its other columns.
        weights: query for the keys and weights of all groups.
    """
    keys = ", ".join(f"k{index}" for index in range(len(plan.keys)))
    columns = ", ".join(payload)
    nothing = ", ".join("NULL" for _ in payload)
    together = (
        f"SELECT {keys}, {columns}, NULL AS shown FROM ({sql}) AS histogram UNION ALL "
        f"SELECT {keys}, {nothing}, weight FROM ({weights}) AS weights"
    )
    marked = f"SELECT *, max(shown) OVER (PARTITION BY {keys}) AS most FROM ({together}) AS together"
    return f"SELECT {keys}, {columns} FROM ({marked}) AS marked WHERE shown IS NULL AND most > 0"

"""Weighted histograms per group as SQL, from which the exponential mechanism chooses (theorem 6).

Whatever the block's noise, a row's weight is w_u = min(1, M / n_u), with n_u the rows of its unit that have a value
here; so the weights of one unit's rows, over all groups and buckets, sum to at most C₁ = M. For a minimum or maximum a
unit counts once in each of its K groups, with its own least or greatest value and the weight min(1, k / K), so its
weights sum to at most C₁ = k = max(1, M/m). Weights are whole cells, truncated, so that sums never grow. Where the
number of values is chosen, a unit has the weight 1 in each of its values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proxy.sql.planning.choices import CELLS, Choice, DeclaredChoice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.cuts import with_units
from proxy.sql.source_queries.fragments import (
    by_unit,
    group_by,
    heavy_units,
    key_columns,
    rows_clause,
    unit_columns,
)
from proxy.sql.source_queries.key_weights import SLACK
from proxy.sql.source_queries.per_unit import names, with_windows
from proxy.sql.terms.types import Kind

_LONGEST_VALUE = 10_000
"""Characters of a text that are compared with declared values."""


@dataclass(frozen=True)
class ExactHistogram:
    """The exact weights of one group, which are never shown to anyone.

    Attributes:
        key: the group's keys in Postgres's text form.
        buckets: the numbers of the buckets that hold rows, in increasing order; empty for declared values.
        values: the declared values that rows have, in text form; empty for buckets.
        weights: of each bucket or value, in cells.
    """

    key: tuple[str | None, ...]
    buckets: list[int]
    values: list[str]
    weights: list[int]


def histogram_sql(plan: BlockPlan, choice: Choice) -> str:
    """Query: each group's keys, the candidates that have rows, and their weights. Both are JSON arrays; but of
    values there is a row for each, since one array may not hold all undeclared ones."""
    value, conditions = value_of(choice), conditions_of(choice)
    columns = [*key_columns(plan), f"{value} AS x"]
    if plan.path == "unique":
        weights = _light(plan, columns, conditions)
    elif isinstance(choice, ValueCountChoice):
        weights = _values_of_units(plan, value, conditions)
    elif isinstance(choice, QuantileChoice) and choice.counts_units:
        weights = _units(plan, value, "min" if choice.fractions[0] == 0 else "max", conditions)
    else:
        weights = _bounded(plan, columns, conditions)
    width = len(plan.keys)
    keys = [f"k{index}" for index in range(width)]
    if not isinstance(choice, QuantileChoice):
        shown = [*keys, f"{shown_candidate(choice)} AS candidate", "weight"]
        return with_units(plan.footprint, f"SELECT {', '.join(shown)} FROM ({weights}) AS histogram")
    outputs = [*keys, "json_agg(x ORDER BY x) AS candidates", "json_agg(weight ORDER BY x) AS weights"]
    return with_units(plan.footprint, f"SELECT {', '.join(outputs)} FROM ({weights}) AS histogram{group_by(width)}")


def value_of(choice: Choice) -> str:
    """What rows are told apart by: the number of a bucket, or the value."""
    return choice.buckets.sql if isinstance(choice, QuantileChoice) else choice.value.sql


def conditions_of(choice: Choice) -> list[str]:
    """The rows that have a value."""
    filters = [choice.filter_sql] if choice.filter_sql is not None else []
    return [f"{value_of(choice)} IS NOT NULL", *filters]


def shown_candidate(choice: DeclaredChoice) -> str:
    """A value (x) printed as in a result, not as by a cast: a boolean as t or f."""
    return f"left(x::text, {_LONGEST_VALUE})" if choice.value.kind is Kind.TEXT else "format('%s', x)"


def payload(choice: Choice) -> list[str]:
    """The columns of `histogram_sql` after the keys."""
    return ["candidates", "weights"] if isinstance(choice, QuantileChoice) else ["candidate", "weight"]


def read_histogram(plan: BlockPlan, choice: Choice, rows: Sequence[tuple[str | None, ...]]) -> Iterator[ExactHistogram]:
    """Read the rows of `histogram_sql`; without keys and without rows there is one row of NULLs."""
    width = len(plan.keys)
    if not isinstance(choice, QuantileChoice):
        yield from _values_by_group(rows, width)
        return
    for row in rows:
        candidates, weights = row[width:]
        if candidates is not None and weights is not None:
            yield ExactHistogram(tuple(row[:width]), json.loads(candidates), [], json.loads(weights))


def _values_by_group(rows: Sequence[tuple[str | None, ...]], width: int) -> Iterator[ExactHistogram]:
    groups: dict[tuple[str | None, ...], list[tuple[str, int]]] = {}
    for row in rows:
        candidate, weight = row[width:]
        if candidate is not None and weight is not None:
            groups.setdefault(tuple(row[:width]), []).append((candidate, int(weight)))
    for key, found in groups.items():
        yield ExactHistogram(key, [], [candidate for candidate, _ in found], [weight for _, weight in found])


def _light(plan: BlockPlan, columns: Sequence[str], conditions: Sequence[str]) -> str:
    """Rows of units inside the bound, each with weight 1."""
    counted = f"count(*) * {CELLS} AS weight"
    return f"SELECT {', '.join([*columns, counted])} {rows_clause(plan, *conditions)}{group_by(len(columns))}"


def _bounded(plan: BlockPlan, columns: Sequence[str], conditions: Sequence[str]) -> str:
    """Rows of units inside the bound with weight 1; those of the few others with their unit's weight."""
    unit, most = plan.relation.unit_sql, plan.contribution.max_rows
    member = f"EXISTS (SELECT FROM heavy AS h WHERE h.unit = {unit})"
    scaled = f"trunc({CELLS} * {SLACK} * {most} / count(*))::bigint"
    heavy = heavy_units(plan, most, *conditions, columns=[f"{scaled} AS weight"])
    width = len(columns)
    names = ", ".join([*(f"p.k{index}" for index in range(width - 1)), "p.x"])
    per_unit = (
        f"SELECT {', '.join([*columns, f'{unit} AS unit', 'count(*) AS n'])} "
        f"{rows_clause(plan, *conditions, member)}{by_unit(plan, width)}"
    )
    keys = ", ".join([*(f"k{index}" for index in range(width - 1)), "x"])
    return (
        f"WITH heavy AS MATERIALIZED ({heavy}) SELECT {keys}, sum(weight) AS weight FROM ("
        f"{_light(plan, columns, [*conditions, f'NOT {member}'])} UNION ALL "
        f"SELECT {names}, sum(p.n * h.weight) FROM ({per_unit}) AS p JOIN heavy AS h USING (unit){group_by(width)}"
        f") AS parts{group_by(width)}"
    )


def _units(plan: BlockPlan, value: str, extreme: str, conditions: Sequence[str]) -> str:
    """Each unit's own minimum or maximum in each of its groups, with the unit's weight."""
    width, most = len(plan.keys), plan.contribution.groups
    keys = names("k", plan.keys)
    unit = unit_columns(plan)
    own = [*key_columns(plan), *(f"{sql} AS {name}" for name, sql in unit.items()), f"{extreme}({value}) AS x"]
    grouped = f"SELECT {', '.join(own)} {rows_clause(plan, *conditions)}{by_unit(plan, width)}"
    counted = with_windows(grouped, ["count(*) OVER w AS groups"], unit=unit)
    scaled = f"trunc({CELLS} * {SLACK} * {most.numerator} / {most.denominator} / groups)::bigint"
    weight = f"CASE WHEN groups * {most.denominator} <= {most.numerator} THEN {CELLS} ELSE {scaled} END"
    outputs = ", ".join([*keys, "x", f"sum({weight}) AS weight"])
    return f"SELECT {outputs} FROM ({counted}) AS own{group_by(width + 1)}"


def _values_of_units(plan: BlockPlan, value: str, conditions: Sequence[str]) -> str:
    """For each value the number of its units; there are no groups."""
    own = [f"{value} AS x", *(f"{sql} AS {name}" for name, sql in unit_columns(plan).items())]
    each = f"SELECT {', '.join(own)} {rows_clause(plan, *conditions)}{by_unit(plan, 1)}"
    return f"SELECT x, count(*) * {CELLS} AS weight FROM ({each}) AS own{group_by(1)}"

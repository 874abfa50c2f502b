"""Scaling a unit's contribution down to its bound, as SQL over one row per unit and group (theorem 1).

A unit gets one weight w = min(1, C / norm of its row counts) for the whole block. Inside the bound w is exactly 1 and
everything stays in integers; outside, products are computed in double precision a little below their value and
truncated toward zero, so that no rounding exceeds the bound.

Where totals are measured too, w keeps both norms, L1 within C₁ and the one that the noise needs (`planning.levels`).
For Laplace noise that is the same; for Gaussian noise w = min(1, C₂ / ‖n‖₂, C₁ / ‖n‖₁). A unit with at most C₂ rows is
inside both bounds, as C₂ = √(M·m) <= M = C₁ and ‖n‖₂ <= ‖n‖₁.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.planning.statistic import GridSum, RowCount, Statistic, UnitCount
from proxy.sql.terms.term import number_sql

SLACK = "(1 - 2.0 ^ -30)::double precision"
"""Keeps a scaled contribution below its bound whatever the rounding: sums of up to 2^22 doubles are off by 2^-31."""


def _is_gaussian(plan: BlockPlan) -> bool:
    return plan.noise_name == "gaussian"


def _limit(plan: BlockPlan) -> int:
    """C₂² for Gaussian noise, C₁ for Laplace noise; both below 2^53."""
    bounds = plan.contribution
    return bounds.max_rows * bounds.max_rows_per_group if _is_gaussian(plan) else bounds.max_rows


def most_rows_inside(plan: BlockPlan) -> int:
    """A unit with at most this many rows in the whole block is inside the bound, however they are grouped."""
    return math.isqrt(_limit(plan)) if _is_gaussian(plan) else _limit(plan)


def _scale(plan: BlockPlan, norm: str) -> str:
    """w in cells, for a unit outside the bound; `norm` is squared for Gaussian noise."""
    ratio = f"{_limit(plan)}::double precision / ({norm})"
    return f"{REFINEMENT} * {SLACK} * {f'sqrt({ratio})' if _is_gaussian(plan) else f'({ratio})'}"


def keeps_both_norms(plan: BlockPlan) -> bool:
    """Is a unit's weight also bounded by its number of rows, because of totals?"""
    return _is_gaussian(plan) and plan.levels is not None and plan.levels.has_totals


def norms_sql(plan: BlockPlan) -> str:
    """Query over per_unit: for each unit its scale (NULL inside the bound), and its shares of unit counts and of key
    selection. Units that need none of these are left out."""
    norm = "sum(n::double precision * n)" if _is_gaussian(plan) else "sum(n::double precision)"
    outside, scale = f"{norm} > {_limit(plan)}", _scale(plan, norm)
    if keeps_both_norms(plan):
        rows, most = "sum(n::double precision)", plan.contribution.max_rows
        outside = f"({outside} OR {rows} > {most})"
        scale = f"LEAST({scale}, {REFINEMENT} * {SLACK} * ({most}::double precision / {rows}))"
    columns = ["unit", f"CASE WHEN {outside} THEN {scale} END AS scale"]
    everyone = False
    if any(isinstance(statistic, UnitCount) for statistic in plan.statistics):
        columns.append(f"{_unit_share(plan)} AS unit_share")
        everyone = True
    if plan.selection is not None:
        columns += selection_columns(plan)
        everyone = True
    having = "" if everyone else f" HAVING {outside}"
    return f"SELECT {', '.join(columns)} FROM per_unit GROUP BY unit{having}"


def _unit_share(plan: BlockPlan) -> str:
    """What a unit counts in each of its K groups, in cells: 1 while K <= k = max(1, M/m), else scaled to the bound."""
    most = plan.contribution.groups
    ratio = f"{most.numerator}::double precision / {most.denominator} / count(*)"
    share = f"sqrt({ratio})" if _is_gaussian(plan) else f"({ratio})"
    return (
        f"CASE WHEN count(*)::numeric * {most.denominator} <= {most.numerator} THEN {REFINEMENT} "
        f"ELSE trunc({REFINEMENT} * {SLACK} * {share})::bigint END"
    )


def selection_columns(plan: BlockPlan) -> list[str]:
    """Columns of a query that has one row for each unit: the number of its groups, and its share of key selection."""
    return ["count(*) AS groups", f"{_selection_share(plan)} AS selection_share"]


def _selection_share(plan: BlockPlan) -> str:
    """1/√K (Gaussian) or 1/K (Laplace) in cells, with K at most max_groups."""
    selection = plan.selection
    if selection is None:
        raise AssertionError("only selected keys have shares")
    groups = f"LEAST(count(*), {plan.contribution.max_groups})::double precision"
    share = f"sqrt({groups})" if selection.weight_is_inverse_square_root else groups
    cells = selection.resolution
    return f"CASE WHEN count(*) = 1 THEN {cells} ELSE trunc({cells} * {SLACK} / {share})::bigint END"


def cutoffs_sql(plan: BlockPlan, seed: int) -> str:
    """Query: for each unit in more than max_groups groups, the hash below which its groups keep their share.

    The cutoff is the hash that follows the max_groups smallest ones. Only smaller hashes count, so that equal hashes
    can only reduce the number of groups.
    """
    most = plan.contribution.max_groups
    hash_sql = _key_hash(plan, seed)
    return (
        f"SELECT p.unit, (array_agg({hash_sql} ORDER BY {hash_sql}))[{most + 1}] AS cutoff "
        f"FROM per_unit AS p JOIN norms AS m USING (unit) WHERE m.groups > {most} GROUP BY p.unit"
    )


def _key_hash(plan: BlockPlan, seed: int) -> str:
    return keyed_hash([f"p.k{index}" for index in range(len(plan.keys))], seed)


def keyed_hash(columns: Sequence[str], seed: int, *, unit: str | None = None) -> str:
    """A keyed 64-bit hash of the columns' texts, and of the unit that they belong to.

    Equal values have equal hashes: columns are in a canonical form (`terms.canonical_values`), and so is the unit,
    except under a nondeterministic collation. Then its text is hashed whole and under its own collation, with which
    Postgres gives equal texts equal hashes; cut texts would no longer be equal.
    """
    sql = str(seed)
    if unit is not None:
        sql = f"hashtextextended({unit}::text, {sql})"
    for column in columns:
        sql = f"hashtextextended(coalesce(left({column}::text, 1000000), ''), {sql})"
    return sql


def selection_weight(plan: BlockPlan, seed: int) -> str:
    """Total selection weight of a group, in cells."""
    kept = f"c.cutoff IS NULL OR {_key_hash(plan, seed)} < c.cutoff"
    return f"sum(CASE WHEN {kept} THEN m.selection_share ELSE 0 END) AS weight"


def contribution(plan: BlockPlan, index: int) -> str:
    """Sum over units of one statistic's scaled contributions, in cells.

    A unit inside the bound has at most max_rows rows, so its cells fit the carrier type chosen for that many. Those of
    a unit outside are computed in numeric, since nothing bounds its rows, and scaled in double precision.
    """
    statistic = plan.statistics[index]
    if isinstance(statistic, UnitCount):
        share = "m.unit_share" if plan.path == "general" else str(REFINEMENT)
        present = f"CASE WHEN p.s{index} > 0 THEN {share} END" if statistic.filter_sql is not None else share
        return f"sum({present}) AS v{index}"
    if plan.path == "general":
        outside, scale = "m.scale IS NOT NULL", "m.scale"
    else:
        norm = "p.n::double precision * p.n" if _is_gaussian(plan) else "p.n::double precision"
        outside, scale = f"{norm} > {_limit(plan)}", _scale(plan, norm)
    carrier = "bigint" if plan.contribution.max_rows * _largest(statistic) < 2**62 else "numeric"
    scaled = f"trunc({_cells(statistic, index, 'numeric')}::double precision * ({scale}))::{carrier}"
    whole = f"{_cells(statistic, index, carrier)} * {REFINEMENT}"
    return f"sum(CASE WHEN {outside} THEN {scaled} ELSE {whole} END) AS v{index}"


def _largest(statistic: Statistic) -> int:
    """What a row adds at most to a number of `_cells`, or to its parts: around a centre far from 0 they are larger."""
    parts = max(abs(statistic.grid.low), abs(statistic.grid.high)) if isinstance(statistic, GridSum) else 0
    return max(statistic.reach * REFINEMENT, parts)


def _cells(statistic: Statistic, index: int, carrier: str) -> str:
    """A unit's cells in one group, from the columns of per_unit."""
    if isinstance(statistic, GridSum) and statistic.grid.centre:
        return f"(p.s{index}::{carrier} - {number_sql(Fraction(statistic.grid.centre))}::{carrier} * p.c{index})"
    return f"p.n::{carrier}" if statistic == RowCount() else f"p.s{index}::{carrier}"

"""Noise intervals of variances, covariances, correlations and regressions, which the stage computes.

A function f of several noisy numbers s_i with half widths h_i: how far f moves when one number moves by its h_i, the
others staying where they are, is that number's share. Shares are added as the root of their squares, those upward and
those downward apart (as in the MOVER method of Zou and Donner 2008). That is exact for Gaussian noise where f is linear
over the noise's width, and a little too wide for Laplace noise. f is taken without the limits that noise can push it
beyond (a variance below 0); the ends are moved inside them. `python -m tests.benchmarks intervals` measures what the
intervals hold.
"""

from __future__ import annotations

from fractions import Fraction

from proxy.dp.noise_intervals import part_width
from proxy.sql.planning.aggregates import Aggregate
from proxy.sql.planning.moments import Moments, moments_sql
from proxy.sql.planning.noise_intervals import NoiseInterval
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.terms.term import number_sql

_SQUARED = {"stddev": "var_samp", "stddev_samp": "var_samp", "stddev_pop": "var_pop", "regr_r2": "corr"}
"""Functions whose interval follows from that of another one: its roots, or its squares."""


def moment_interval_sql(aggregate: Aggregate, interval: NoiseInterval, plan: BlockPlan) -> str:
    """An end of the interval, or the standard deviation of the noise, over the released statistics r.s0, r.s1, …

    NULL where the function itself is NULL. An end is the least or greatest possible value, or infinite, where the noise
    may have made a denominator from zero.
    """
    if aggregate.moments is None:
        raise AssertionError("only moments are computed here")
    shown = moments_sql(aggregate.function, aggregate.moments, lambda index: f"r.s{index}")
    if interval.function == "stddev":
        number = _deviation(aggregate.function, aggregate.moments, plan)
    else:
        number = _end(aggregate.function, aggregate.moments, interval, plan)
    return f"(CASE WHEN ({shown}) IS NOT NULL THEN {number} END)"


def _moved(function: str, moments: Moments, index: int, by: Fraction, *, bounded: bool) -> str:
    """The function with one of its numbers moved."""
    return moments_sql(
        function,
        moments,
        lambda one: f"(r.s{one} + {number_sql(by)})" if one == index else f"r.s{one}",
        bounded=bounded,
    )


def _decimal(width: float) -> Fraction:
    """A width with at most fifteen digits, as SQL can spell it."""
    return Fraction(f"{width:.15g}")


def _unit(plan: BlockPlan, index: int) -> float:
    grid = plan.statistics[index].grid
    return float(grid.step if grid is not None else 1) / plan.cells_per_contribution


def _deviation(function: str, moments: Moments, plan: BlockPlan) -> str:
    """The root of the sum of squares of what a standard deviation of each number does to the function."""
    shares = []
    for index in moments.statistics:
        by = _decimal(plan.mechanisms[index].standard_deviation * _unit(plan, index))
        more, less = (_moved(function, moments, index, one, bounded=True) for one in (by, -by))
        shares.append(f"((({more}) - ({less}))::double precision / 2) ^ 2")
    return f"sqrt({' + '.join(shares)})"


def _end(function: str, moments: Moments, interval: NoiseInterval, plan: BlockPlan) -> str:
    base = _SQUARED.get(function, function)
    low, high = (_end_of_base(base, moments, one, interval, plan) for one in ("low", "high"))
    if base == function:
        return low if interval.function == "low" else high
    if base != "corr":
        return f"sqrt({low if interval.function == 'low' else high})"
    if interval.function == "high":
        return f"greatest({low} ^ 2, {high} ^ 2)"
    return f"CASE WHEN {low} > 0 OR {high} < 0 THEN least({low} ^ 2, {high} ^ 2) ELSE 0 END"


def _end_of_base(function: str, moments: Moments, end: str, interval: NoiseInterval, plan: BlockPlan) -> str:
    columns = [f"({moments_sql(function, moments, lambda one: f'r.s{one}', bounded=False)})::double precision AS f"]
    names = ["x.f"]
    chosen, sign = ("least", "-") if end == "low" else ("greatest", "+")
    shares = []
    for index in moments.statistics:
        by = _decimal(part_width(plan.mechanisms[index], float(interval.confidence)) * _unit(plan, index))
        for name, one in (("more", by), ("less", -by)):
            moved = _moved(function, moments, index, one, bounded=False)
            columns.append(f"({moved})::double precision AS {name}{index}")
            names.append(f"x.{name}{index}")
        shares.append(f"({chosen}(x.f, x.more{index}, x.less{index}) - x.f) ^ 2")
    least, most = _possible(function, moments)
    unknown = least if end == "low" else most
    # A sum is NULL if one of its parts is.
    end_sql = f"CASE WHEN {' + '.join(names)} IS NOT NULL THEN x.f {sign} sqrt({' + '.join(shares)}) ELSE {unknown} END"
    return f"(SELECT least(greatest({end_sql}, {least}), {most}) FROM (SELECT {', '.join(columns)}) AS x)"


def _possible(function: str, moments: Moments) -> tuple[str, str]:
    """The least and the greatest value that the function can have."""
    least, most = "'-Infinity'::double precision", "'Infinity'::double precision"
    if function == "corr":
        least, most = "-1::double precision", "1::double precision"
    elif function in ("regr_sxx", "regr_syy"):
        least = "0::double precision"
    elif function in ("var_pop", "var_samp", "variance"):
        largest = moments.largest_variance(population=function == "var_pop")
        least, most = "0::double precision", f"{number_sql(largest)}::double precision"
    return least, most

"""One call of each aggregate over the clinic's visits, and what is known of it: a registered one without is a failure."""

from __future__ import annotations

from dataclasses import dataclass, replace

_OF_X = "from noisy numbers 1, 2 and 3; values outside [0, 240] count as the nearest bound"
_OF_XY = "from noisy numbers {}; values outside [0, 2000] or [0, 240] count as the nearest bound"

_ALL = "from noisy number 1; false if that is above "
_ANY = "from noisy number 1; true if that is above "
_NO_NUMBER = "function dp.low(boolean) does not exist"


@dataclass(frozen=True)
class Case:
    """A call and what is said of it.

    Attributes:
        call: over a column that can be NULL.
        explained: its line in EXPLAIN, up to a number that depends on the noise.
        without_interval: why it has no interval, in the words of the refusal; None if it has one.
        over_nothing: what it is over nothing, where that is not Postgres's own answer.
        meant: the same in Postgres, which has no aggregate of this name.
    """

    call: str
    explained: str
    without_interval: str | None = None
    over_nothing: object = None
    meant: str | None = None

    @property
    def on_the_source(self) -> str:
        return self.meant or self.call


def _one(name: str) -> Case:
    return Case(f"{name}(minutes)", _OF_X)


def _two(name: str, numbers: str) -> Case:
    return Case(f"{name}(cost, minutes)", _OF_XY.format(numbers))


def _chosen(call: str) -> Case:
    return Case(call, "from choice 1", f"there is no noise interval for {call.partition('(')[0]}()")


CASES = {
    "count": Case("count(minutes)", "from noisy number 1"),
    "approx_count_distinct": Case(
        "approx_count_distinct(minutes)", "from noisy number 1", meant="count(DISTINCT minutes)"
    ),
    "sum": Case("sum(minutes)", "from noisy number 1; values outside [0, 240] count as the nearest bound"),
    "avg": Case("avg(minutes)", "from noisy numbers 1 and 2; values outside [0, 240] count as the nearest bound"),
    "var_pop": _one("var_pop"),
    "var_samp": _one("var_samp"),
    "variance": _one("variance"),
    "stddev_pop": _one("stddev_pop"),
    "stddev_samp": _one("stddev_samp"),
    "stddev": _one("stddev"),
    "covar_pop": _two("covar_pop", "1, 2, 3 and 4"),
    "covar_samp": _two("covar_samp", "1, 2, 3 and 4"),
    "corr": _two("corr", "1, 2, 3, 4, 5 and 6"),
    "regr_slope": _two("regr_slope", "1, 2, 3, 4 and 5"),
    "regr_intercept": _two("regr_intercept", "1, 2, 3, 4 and 5"),
    "regr_r2": _two("regr_r2", "1, 2, 3, 4, 5 and 6"),
    "regr_sxy": _two("regr_sxy", "1, 2, 3 and 4"),
    "regr_count": Case("regr_count(cost, minutes)", "from noisy number 1"),
    "regr_avgx": Case("regr_avgx(cost, minutes)", _OF_X.replace("1, 2 and 3", "1 and 2")),
    "regr_avgy": Case("regr_avgy(minutes, cost)", _OF_X.replace("1, 2 and 3", "1 and 2")),
    "regr_sxx": Case("regr_sxx(cost, minutes)", _OF_X),
    "regr_syy": Case("regr_syy(minutes, cost)", _OF_X),
    "min": _chosen("min(minutes)"),
    "max": _chosen("max(minutes)"),
    "percentile_cont": _chosen("percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)"),
    "percentile_disc": _chosen("percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes)"),
    "median": replace(_chosen("median(minutes)"), meant="percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)"),
    "mode": Case("mode() WITHIN GROUP (ORDER BY minutes < 50)", "from choice 1", _NO_NUMBER),
    "bool_and": Case("bool_and(minutes < 60)", _ALL, _NO_NUMBER, over_nothing=True),
    "every": Case("every(minutes < 300)", _ALL, _NO_NUMBER, over_nothing=True),
    "bool_or": Case("bool_or(minutes > 60)", _ANY, _NO_NUMBER, over_nothing=False),
}

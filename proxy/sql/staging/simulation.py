"""The noise of expressions over several released numbers, simulated by the stage (post-processing).

Each statistic has a pool of values that are spread as its noise is (`noise_widths.spread`), as a constant `q.p0`, …
beside the literal relation `r`. A row draws from it in an order of its own, by a hash with the row's seed `r.seed`: so
the draws of two numbers are independent, and those of one number the same wherever it is used and whenever it is shown.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from proxy.dp.mechanisms import Mechanism
from proxy.dp.noise_widths import spread
from proxy.dp.simulated import DRAWS
from proxy.sql.planning.aggregates.aggregate import End, Shown
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.simulated import DRAWN, SimulatedExpression
from proxy.sql.planning.total_draws import FARTHEST
from proxy.sql.terms.term import decimal_places, decimal_text

_DRAWS, _FEW_DRAWS, _MANY_ROWS = 999, 199, 200
"""Draws for each row, and where there are more rows than so many. With one less than a round number the k-th of them in
order is the quantile k/1000, neither too far inside nor outside."""

_MOST_DRAWN_ROWS = 2000
"""Rows whose draws are shown to queries outside of the block."""

_SEED_BITS = 62
"""A seed and the number of a statistic together fit a bigint."""


class Simulation:
    """How the expressions of one block are drawn.

    Args:
        plan: of the block.
        key_types, aggregate_types: the types that the stage gives the plan's keys and aggregates.
        rows: the number of its released rows.
        question: the hash of what was asked: two blocks with the same numbers have independent noise.
    """

    def __init__(
        self, plan: BlockPlan, key_types: Sequence[str], aggregate_types: Sequence[str], rows: int, question: str
    ) -> None:
        self._plan = plan
        self._key_types = key_types
        self._aggregate_types = aggregate_types
        self._question = question
        self._draws = _FEW_DRAWS if rows > _MANY_ROWS else _DRAWS
        if any(interval.function == "draws" for interval in plan.intervals):
            # Other blocks' draws may meet these: there have to be as many.
            self._draws = DRAWS
        self._shows_draws = rows <= _MOST_DRAWN_ROWS
        self._ends: dict[SimulatedExpression, list[str]] = {}

    def number(self, expression: SimulatedExpression) -> str:
        """The expression of the released numbers themselves."""
        return f"(SELECT {expression.sql} FROM ({self._aggregates(expression)}) AS {DRAWN})"

    def end(self, expression: SimulatedExpression, end: End, confidence: Fraction) -> str:
        """An end of the expression's interval, or the standard deviation of its noise; NULL where too many draws are,
        as where a divisor may be 0."""
        enough, shown = math.ceil(confidence * self._draws), _of_draws(end, confidence, self._draws)
        return self._column(expression, f"CASE WHEN count(x.e) >= {enough} THEN {shown} END")

    def draws(self, expression: SimulatedExpression) -> str:
        """The draws of the expression as an array, in the same order for all of a row; none in a very long answer."""
        if not self._shows_draws:
            return f"ARRAY(SELECT x.e FROM {self.number(expression)} AS x(e) WHERE false)"
        return self._column(expression, "array_agg(x.e)")

    def _column(self, expression: SimulatedExpression, column: str) -> str:
        """The place of what is computed of an expression's draws."""
        ends = self._ends.setdefault(expression, [])
        if column not in ends:
            ends.append(column)
        return f"e{list(self._ends).index(expression)}.x{ends.index(column)}"

    def beside(self) -> str:
        """What stands beside the literal relation in FROM: the pools, and the ends of each expression, if any."""
        if not self._ends:
            return ""
        used = sorted({index for expression in self._ends for index in self._statistics(expression)})
        mechanisms = {"": self._plan.mechanisms}
        if self._plan.levels is not None:
            mechanisms = {level.grouping: level.mechanisms for level in self._plan.levels.measured}
        pools = [
            by_level({grouping: self._pool(index, found[index]) for grouping, found in mechanisms.items()})
            for index in used
        ]
        names = ", ".join(f"{pool} AS p{index}" for index, pool in zip(used, pools, strict=True))
        drawn = (f", LATERAL ({self._drawn_ends(expression)}) AS e{i}" for i, expression in enumerate(self._ends))
        return f", LATERAL (SELECT {names}) AS q{''.join(drawn)}"

    def seeds(self, keys: Sequence[object], rows: Sequence[object]) -> tuple[str, ...]:
        """A seed for each row, which follows from what was released."""
        return tuple(_seed(repr((self._question, key, row))) for key, row in zip(keys, rows, strict=True))

    def _drawn_ends(self, expression: SimulatedExpression) -> str:
        """All ends of an expression's draws in one pass."""
        statistics = self._statistics(expression)
        keys = [f"r.k{index}" for index in range(len(self._key_types))]
        moved = [f"r.s{index} + d.v{index} AS s{index}" for index in statistics]
        draws = ", ".join(f"unnest({self._in_order(index)})" for index in statistics)
        names = ", ".join(f"v{index}" for index in statistics)
        drawn = f"SELECT {', '.join([*keys, *moved])} FROM ROWS FROM ({draws}) AS d({names})"
        values = f"SELECT {expression.sql} AS e FROM ({self._aggregates(expression)} FROM ({drawn}) AS r) AS {DRAWN}"
        columns = ", ".join(f"{column} AS x{place}" for place, column in enumerate(self._ends[expression]))
        return f"SELECT {columns} FROM ({values}) AS x"

    def _aggregates(self, expression: SimulatedExpression) -> str:
        """Keys and aggregates as columns of `DRAWN`, over statistics r.s0, …"""
        columns = [f"r.k{index}::{type_name} AS k{index}" for index, type_name in enumerate(self._key_types)]
        for index in expression.aggregates:
            shown = Shown(self._plan, self._aggregate_types[index], farthest=FARTHEST)
            columns.append(f"{self._plan.aggregates[index].sql(shown)} AS a{index}")
        return f"SELECT {', '.join(columns)}"

    def _statistics(self, expression: SimulatedExpression) -> list[int]:
        used = {index for position in expression.aggregates for index in self._plan.aggregates[position].statistics}
        return sorted(used)

    def _in_order(self, index: int) -> str:
        """The pool of a statistic in the order of the row."""
        return (
            f"ARRAY(SELECT p.v FROM unnest(q.p{index}) WITH ORDINALITY AS p(v, o) "
            f"ORDER BY pg_catalog.hashint8extended(p.o, r.seed::bigint + {index}))"
        )

    def _pool(self, index: int, mechanism: Mechanism) -> str:
        """The spread noise as it is shown: in whole steps of the statistic."""
        step, cells = self._plan.statistics[index].step, self._plan.cells_per_step(index)
        places = decimal_places(step)
        values = (
            decimal_text(round(Fraction(value, cells)) * step, places) for value in spread(mechanism, self._draws)
        )
        return f"'{{{','.join(values)}}}'::numeric[]"


def by_level(expressions: Mapping[str, str]) -> str:
    """The expression of the row's level; alike for all where there are no grouping sets."""
    if list(expressions) == [""]:
        return expressions[""]
    cases = " ".join(f"WHEN '{grouping}' THEN {sql}" for grouping, sql in expressions.items())
    return f"(CASE r.grouping {cases} END)"


def _of_draws(end: End, confidence: Fraction, draws: int) -> str:
    if end == "stddev":
        return "stddev_pop(x.e::double precision)"
    outside = max(1, math.floor((1 - confidence) / 2 * (draws + 1)))
    place = outside if end == "low" else draws + 1 - outside
    # In the middle between two places, so that no rounding of the double chooses another one.
    return f"percentile_disc({(place - 0.5) / draws!r}) WITHIN GROUP (ORDER BY x.e)"


def _seed(text: str) -> str:
    return str(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> (64 - _SEED_BITS))

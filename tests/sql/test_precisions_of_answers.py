"""An answer at several precisions: its noise is that of asking once, for plain groups and for totals (theorem 23)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.query.same_question import block_hashes
from proxy.release.precision import can_be_coarse, coarse_answer, mean_answer
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

# Twenty thousand groups of noise, drawn at random.
pytestmark = pytest.mark.statistical

ROWS = 20_000
SHARP, FIRST, SECOND = Fraction(1, 100), Fraction(1, 1000), Fraction(1, 250)


def plan(text: str, **settings: object) -> BlockPlan:
    return plan_of(text, SCHEMA, QuerySettings(**settings))  # type: ignore[arg-type]


GAUSSIAN: dict[str, object] = {"mechanism": "gaussian", "max_rows": 8, "max_rows_per_group": 4}
PLAIN = plan("SELECT region, count(*), sum(cost) FROM visits GROUP BY region", **GAUSSIAN)
TOTALS = plan("SELECT region, count(*) FROM visits GROUP BY ROLLUP (region)", **GAUSSIAN)


def measured(of: BlockPlan, rho: Fraction) -> tuple[Fraction, StoredAnswer]:
    """A measurement of nothing but zeros, in very many groups."""
    levels = of.at_rho(rho).levels
    groupings = {level.grouping: level.mechanisms for level in levels.measured} if levels is not None else {}
    keys, values = [], []
    for grouping, mechanisms in (groupings or {"": of.at_rho(rho).mechanisms}).items():
        columns = [mechanism.draw(ROWS).tolist() for mechanism in mechanisms]
        keys += [(grouping, str(row)) if grouping else (str(row),) for row in range(ROWS)]
        values += list(zip(*columns, strict=True))
    return rho, StoredAnswer(tuple(keys), tuple(values))


def variances(answer: StoredAnswer, of: BlockPlan) -> list[float]:
    """Of each statistic, at each level."""
    numbers = np.array(answer.values, dtype=np.float64)
    levels = len(of.levels.measured) if of.levels is not None else 1
    return [float(part.var()) for half in np.split(numbers, levels) for part in half.T]


def asked_once(of: BlockPlan, rho: Fraction) -> list[float]:
    at = of.at_rho(rho)
    levels = [level.mechanisms for level in at.levels.measured] if at.levels is not None else [at.mechanisms]
    return [mechanism.standard_deviation**2 for mechanisms in levels for mechanism in mechanisms]


@pytest.mark.parametrize("of", [PLAIN, TOTALS], ids=["plain", "totals"])
def test_every_way_to_a_precision_has_the_noise_of_asking_once(of: BlockPlan) -> None:
    """A variance of 20 000 draws is off by 1 %, so that 6 % has a false alarm in 10^8, and 30 % of noise fails."""
    sharp = measured(of, SHARP)
    first = coarse_answer(of, sharp, None, FIRST)
    second = coarse_answer(of, sharp, (FIRST, first), SECOND)
    more = measured(of, SHARP)
    for answer, rho in (
        (sharp[1], SHARP),
        (first, FIRST),
        (second, SECOND),
        (mean_answer([sharp, more]), 2 * SHARP),
        (mean_answer([sharp, (FIRST, coarse_answer(of, more, None, FIRST))]), SHARP + FIRST),
    ):
        assert variances(answer, of) == pytest.approx(asked_once(of, rho), rel=0.06), rho


def test_only_gaussian_noise_of_stated_bounds_is_refined() -> None:
    assert PLAIN.is_refinable
    assert TOTALS.is_refinable
    text = "SELECT region, count(*) FROM visits GROUP BY region"
    assert not plan(text, **GAUSSIAN | {"mechanism": "laplace"}).is_refinable
    assert not plan(text, **GAUSSIAN | {"delta": Fraction("1e-8")}).is_refinable
    assert not plan("SELECT note, count(*) FROM visits GROUP BY note", **GAUSSIAN).is_refinable
    assert not plan("SELECT max(cost) FROM visits", **GAUSSIAN).is_refinable


def test_a_family_is_one_question_at_any_epsilon_and_no_other() -> None:
    text = "SELECT region, count(*) FROM visits GROUP BY region"

    def family(text: str, epsilon: str = "0.1", **changed: object) -> str | None:
        return block_hashes(plan(text, **GAUSSIAN | changed, epsilon=Fraction(epsilon)), (), SCHEMA)[1]

    assert family(text) is not None
    assert family(text) == family(text, "0.05")
    assert family(text) != family(text, max_rows=9)
    assert family(text) != family(f"{text} HAVING count(*) > 1".replace("visits GROUP", "visits WHERE urgent GROUP"))


def test_a_part_is_not_seen_where_noise_has_few_cells() -> None:
    assert can_be_coarse(PLAIN, SHARP, FIRST, 10)
    assert not can_be_coarse(PLAIN, SHARP, FIRST, 10**6)
    few = plan("SELECT count(*) FROM patients", mechanism="gaussian")
    if few.is_refinable:
        assert can_be_coarse(few, Fraction(1, 50), Fraction(1, 100), 1)
        assert not can_be_coarse(few, Fraction(1), Fraction(1, 2), 1)

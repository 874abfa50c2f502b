"""What the notice says of bool_or and bool_and: how many rows it takes, and what they are of none."""

from __future__ import annotations

from fractions import Fraction

from proxy.dp.mechanisms import LaplaceMechanism
from proxy.sql.planning.accuracy import decisions_text
from proxy.sql.planning.aggregates.quantifiers import Quantifier
from proxy.sql.replacing import replace
from tests.planned import plan_of
from tests.plans.schema import SCHEMA


def test_how_many_rows_it_takes_to_decide_is_told() -> None:
    calls = "bool_or(urgent), bool_or(cost > 5), every(urgent), bool_and(cost > 5), bool_or(TRUE)"
    assert decisions_text(plan_of(f"SELECT {calls} FROM visits", SCHEMA)).split(". ") == [
        "For bool_or(urgent) and bool_or(cost > 5) to be true, it takes more than about 980 rows that make it so; of no "
        "rows they are false",
        "For every(urgent) and bool_and(cost > 5) to be false, it takes more than about 980 rows that make it so; of no "
        "rows they are true",
        "For bool_or(TRUE) to be true, it takes more than about 44 units with rows; of no rows it is false",
    ]
    assert not decisions_text(plan_of("SELECT count(*) FROM visits", SCHEMA))
    # Of a limit that the data choose the answer tells it.
    chosen = plan_of("SELECT bool_or(nights > 3) FROM stays", SCHEMA)
    assert not decisions_text(chosen)
    assert "more than about" in decisions_text(chosen.clipped_at((0,)))


def test_what_was_written_as_exists_is_called_so() -> None:
    for query in (
        "SELECT EXISTS (SELECT FROM visits WHERE cost > 5)",
        "SELECT 1 FROM visits WHERE cost > 5 LIMIT 1",
    ):
        text = decisions_text(plan_of(query, SCHEMA))
        assert text == "For EXISTS to be true, it takes more than about 20 units with rows; of no rows it is false"


def test_noise_that_rounding_takes_away_decides_nothing() -> None:
    plan = plan_of("SELECT EXISTS (SELECT FROM visits WHERE cost > 5)", SCHEMA)
    (exists,) = plan.aggregates
    assert isinstance(exists, Quantifier)
    cells = plan.cells_per_step(0)
    for epsilon, most in ((Fraction(100), 0), (Fraction(3), 1), (Fraction(1, 10), 30)):
        mechanism = LaplaceMechanism(cells, epsilon)
        found = exists.decisive_rows(replace(plan, mechanisms=(mechanism,)))
        assert found == most
        # What is shown is rounded: it is above `most` where the noise is half a unit more, or farther up.
        assert (2 * most + 1) * cells > 2 * mechanism.half_width(0.95)

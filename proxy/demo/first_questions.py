"""The demo's questions: those that an analyst would ask first, one for each peculiarity of dpproxy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class FirstQuestion:
    """One SELECT of group keys and bare aggregates, so that columns and noisy numbers correspond.

    Attributes:
        title: the question in words.
        keys: the group keys, first in the select list.
        aggregates: the other columns of the select list.
        rest: the statement from FROM on.
        remark: what to look at in the answer.
    """

    title: str
    keys: tuple[str, ...]
    aggregates: tuple[str, ...]
    rest: str
    remark: str

    @property
    def sql(self) -> str:
        """The statement, which the source understands too."""
        return f"SELECT {', '.join([*self.keys, *self.aggregates])}\n{self.rest}"

    @property
    def sql_with_intervals(self) -> str:
        """The statement with the ends of each aggregate's noise interval after the aggregates."""
        ends = [end for aggregate in self.aggregates for end in (f"dp.low({aggregate})", f"dp.high({aggregate})")]
        return f"SELECT {', '.join([*self.keys, *self.aggregates, *ends])}\n{self.rest}"


QUESTIONS: Final = (
    FirstQuestion(
        "How many patients live in each region?",
        ("region",),
        ("count(*)",),
        "FROM patients GROUP BY region ORDER BY region",
        "One row per patient, so a little noise is enough.",
    ),
    FirstQuestion(
        "Visits, revenue and average cost by region",
        ("region",),
        ("count(*)", "sum(cost)", "avg(cost)"),
        "FROM visits GROUP BY region ORDER BY region",
        "Three columns, two noisy numbers: the average comes from the sum and the count at no further price.",
    ),
    FirstQuestion(
        "How busy is each quarter on the coast?",
        ("date_trunc('quarter', visited_at)::date AS quarter",),
        ("count(*)",),
        "FROM visits JOIN regions ON regions.name = visits.region\nWHERE zone = 'coast' GROUP BY 1 ORDER BY 1",
        "Public tables join freely. Bounds declare the quarters: each is answered, also an empty one.",
    ),
    FirstQuestion(
        "Which departments take the most time?",
        ("department",),
        ("count(minutes)", "avg(minutes)"),
        "FROM visits JOIN specialties ON specialties.name = visits.specialty\nGROUP BY department ORDER BY department",
        "Small departments get the same noise as large ones, so it shows more.",
    ),
    FirstQuestion(
        "What brings people to cardiology and neurology?",
        ("diagnosis",),
        ("count(*)",),
        "FROM visits\nWHERE specialty IN ('cardiology', 'neurology')\nGROUP BY diagnosis ORDER BY diagnosis",
        "Nobody declared which diagnoses exist: only those of enough patients are shown, the others do not appear.",
    ),
    FirstQuestion(
        "How many patients live in each region, once more?",
        ("region",),
        ("count(*)",),
        "FROM patients GROUP BY region ORDER BY region",
        "The same question gets the same answer: averaging over repetitions shows nothing, so it costs nothing.",
    ),
)

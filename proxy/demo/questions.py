"""The demo's questions: what an analyst would ask first, one per thing that dpproxy does differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Question:
    """One SELECT with group keys first and bare aggregates after them, so that columns and noisy numbers correspond.

    Attributes:
        title: the question in words.
        sql: the same text is asked through the wire and of the source.
        remark: what to look at in the answer.
    """

    title: str
    sql: str
    remark: str


QUESTIONS: Final = (
    Question(
        "How many patients live in each region?",
        "SELECT region, count(*) FROM patients GROUP BY region ORDER BY region",
        "One row per patient, so a little noise is enough.",
    ),
    Question(
        "Visits, revenue and average cost by region",
        "SELECT region, count(*), sum(cost), avg(cost)\nFROM visits GROUP BY region ORDER BY region",
        "Three columns, two noisy numbers: the average comes from the sum and the count at no further price.",
    ),
    Question(
        "How busy is each quarter on the coast?",
        "SELECT date_trunc('quarter', visited_at)::date AS quarter, count(*)\n"
        "FROM visits JOIN regions ON regions.name = visits.region\n"
        "WHERE zone = 'coast' GROUP BY 1 ORDER BY 1",
        "Public tables join freely. Bounds declare the quarters; the last one is empty and has noise like the others.",
    ),
    Question(
        "Which departments take the most time?",
        "SELECT department, count(minutes), avg(minutes)\n"
        "FROM visits JOIN specialties ON specialties.name = visits.specialty\n"
        "GROUP BY department ORDER BY department",
        "Small departments get the same noise as large ones, so it shows more.",
    ),
    Question(
        "What brings people to cardiology and neurology?",
        "SELECT diagnosis, count(*) FROM visits\n"
        "WHERE specialty IN ('cardiology', 'neurology')\n"
        "GROUP BY diagnosis ORDER BY diagnosis",
        "Nobody declared which diagnoses exist: only those of enough patients are shown, the others do not appear.",
    ),
    Question(
        "How many patients live in each region, once more?",
        "SELECT region, count(*) FROM patients GROUP BY region ORDER BY region",
        "The same question gets the same answer: averaging over repetitions shows nothing, so it costs nothing.",
    ),
)

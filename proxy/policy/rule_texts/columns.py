"""The rules on columns (4xx)."""

from __future__ import annotations

from typing import Final

from proxy.policy.rule_texts.row import Row

COLUMNS: Final[tuple[Row, ...]] = (
    (
        "DP401",
        "error",
        "two declarations of one column contradict each other",
        "tables: {public.visits: {columns: {cost: {range: [1, 5]}}}}",
    ),
    (
        "DP402",
        "error",
        "bounds of two kinds, or the wrong way round",
        "tables: {public.visits: {columns: {cost: {bounds: [9, 1]}}}}",
    ),
    (
        "DP403",
        "error",
        "a range of other than whole numbers or dates",
        "tables: {public.patients: {columns: {born: {range: [0.5, 2]}}}}",
    ),
    (
        "DP404",
        "warning",
        "a range declares very many groups",
        "tables: {public.patients: {columns: {born: {range: [0, 1000000]}}}}",
    ),
    (
        "DP405",
        "error",
        "a step of something other than a number, or wider than the bounds",
        "tables: {public.visits: {columns: {cost: {step: 9999}}}}",
    ),
    (
        "DP406",
        "error",
        "a list of values is empty, mixed or has one twice",
        "tables: {public.visits: {columns: {specialty: {values: [a, a]}}}}",
    ),
    (
        "DP407",
        "error",
        "`values_from` names no listed public column",
        "tables: {public.patients: {columns: {region: {values_from: public.visits.cost}}}}",
    ),
    ("DP408", "warning", "a step without bounds", "tables: {public.visits: {columns: {minutes: {step: 1}}}}"),
    (
        "DP409",
        "error",
        "a name for other values that means nothing",
        "tables: {public.visits: {columns: {minutes: {others: other}}}}",
    ),
    (
        "DP410",
        "warning",
        "bounds so wide that noise hides every answer",
        "tables: {public.visits: {columns: {cost: {bounds: [0, 1e30]}}}}",
    ),
    ("DP411", "warning", "a listed column tells who somebody is", "tables: {public.patients: {columns: {email: {}}}}"),
    (
        "DP412",
        "warning",
        "the column of the unit, or of the way to it, is not listed",
        "tables: {public.patients: {unit: {column: person}}}",
    ),
    (
        "DP413",
        "warning",
        "an exact birth date and a postcode",
        "tables: {public.patients: {columns: {birth_date: {bounds: [1900-01-01, 2026-01-01]}, postcode: {}}}}",
    ),
    (
        "DP414",
        "warning",
        "a public column seems to be about people",
        "tables: {public.regions: {columns: {name: {}, email: {}}}}",
    ),
    (
        "DP415",
        "warning",
        "a listed column seems to hold free text",
        "tables: {public.visits: {columns: {doctors_note: {}}}}",
    ),
    (
        "DP416",
        "warning",
        "bounds of days that no row has",
        "tables: {public.visits: {columns: {visited_at: {bounds: [2999-01-01, 2999-12-31]}}}}",
    ),
    (
        "DP417",
        "warning",
        "a point that seems to separate thousands",
        "tables: {public.visits: {columns: {cost: {bounds: [0, 200.000]}}}}",
    ),
    (
        "DP418",
        "warning",
        "values of the unit's own column",
        "tables: {public.patients: {columns: {patient_id: {range: [1, 3000]}}}}",
    ),
    (
        "DP419",
        "warning",
        "texts that differ in case or blanks alone",
        "tables: {public.visits: {columns: {specialty: {values: [cardiology, Cardiology]}}}}",
    ),
)

"""Which of the 22 queries are answered, and why the others are not."""

from __future__ import annotations

from typing import Final

from tests.tpch.specification import queries

QUERIES: Final = queries()

ONE_PERSON: Final = {"Q3": "l_orderkey", "Q10": "c_custkey", "Q18": "c_custkey"}
"""Queries with groups that belong to one customer each, and the key that says so."""

ANSWERED: Final = tuple(name for name in QUERIES if name not in ONE_PERSON)

REFUSED: Final = tuple(ONE_PERSON)

"""Which of the 22 queries are answered, and why the others are not."""

from __future__ import annotations

from typing import Final

from tests.tpch.specification import queries

QUERIES: Final = queries()

ONE_PERSON: Final = {"Q3": "l_orderkey", "Q10": "c_custkey", "Q18": "c_custkey"}
"""Queries with groups that belong to one customer each, and the key that says so."""

NOT_YET: Final = {"Q3", "Q5", "Q10", "Q13", "Q17", "Q18", "Q20", "Q22"}
"""Queries whose answer or right refusal needs parts of the compiler that do not exist yet."""

ANSWERED: Final = tuple(name for name in QUERIES if name not in ONE_PERSON and name not in NOT_YET)

REFUSED: Final = tuple(name for name in ONE_PERSON if name not in NOT_YET)

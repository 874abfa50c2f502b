"""Words for whose rows those of a table may be."""

from __future__ import annotations

from typing import Final

from proxy.policy.named_keys import singular

SERVED: Final = frozenset(
    """applicant borrower buyer child citizen client contact customer donor guest household individual member
    participant passenger patient people person player pupil resident respondent student subject subscriber user visitor
    voter""".split()
)
WORKING: Final = frozenset("author driver employee rep staff teacher worker".split())


def is_called_like_people(relation: str) -> bool:
    """Is a table, by its name without the schema, one of people?"""
    return singular(relation).rpartition("_")[2] in SERVED | WORKING

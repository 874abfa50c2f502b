"""What a hint says to write instead is planned: a statement that is refused, its hint, and the statement mended so."""

from __future__ import annotations

import pytest

from proxy.errors import DpproxyError
from tests.sql.events import plan

MENDED = {
    "an unaliased table in IN": (
        "SELECT count(*) FROM events WHERE amount IN (SELECT amount FROM events WHERE many > 5)",
        "Give the table in the subquery an alias, and tie it to the person: WHERE alias.person_id = events.person_id.",
        "SELECT count(*) FROM events WHERE amount IN "
        "(SELECT e.amount FROM events e WHERE e.many > 5 AND e.person_id = events.person_id)",
    ),
    "a number of each row": (
        "SELECT count(*) FROM events WHERE left(note, many) = 'a'",
        "Write the number out;",
        "SELECT count(*) FROM events WHERE CASE WHEN many = 1 THEN left(note, 1) ELSE left(note, 2) END = 'a'",
    ),
}


@pytest.mark.parametrize(("refused", "hint", "mended"), MENDED.values(), ids=MENDED.keys())
def test_what_the_hint_says_to_write_is_planned(refused: str, hint: str, mended: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan(refused)
    assert (refusal.value.hint or "").replace("privacy unit", "person").startswith(hint), refusal.value.hint
    plan(mended)

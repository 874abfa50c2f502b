"""What becomes of declared groups that look empty, where the session shows them, and of groups that do not show.

Each declared key is answered, since it is private which keys have rows. Numbers of an empty group are about 0, and
PostgreSQL would have no such group at all: what divides by its count fails, and an average over groups counts it. So
what fails is computed again without such groups, at no price, and what adds groups up comes with a warning.
"""

from __future__ import annotations

from dataclasses import replace

from proxy.query.session_state import SessionState
from proxy.wire.router import Notice

_HIDE = (
    "SET dp.empty_groups = 'hide' leaves such groups out, as PostgreSQL does. A free list of declared keys, as of "
    "SELECT DISTINCT, shows all of them."
)


def hiding(state: SessionState) -> SessionState:
    """The session as if it hid groups that look empty."""
    return replace(state, settings=replace(state.settings, empty_groups="hide"))


def left_out(empty: int, groups: int) -> Notice:
    """The notice of a statement that was computed without the groups that look empty."""
    return Notice(
        f"{empty} of {groups} groups look empty and were left out, since the statement fails with their numbers",
        "They are declared, and their number of rows is within the noise of 0.",
        f"{_HIDE} To keep them, guard what fails, as in x / NULLIF(y, 0).",
        warning=True,
    )


def made_null() -> Notice:
    """The notice of a statement that fails with its numbers unless what is undefined is NULL."""
    return Notice(
        "what cannot be computed of the released numbers is NULL here",
        "The statement fails with them, in a division by zero, the logarithm of a negative number, a cast of a number "
        "that its type cannot hold, or the like.",
        "To decide what is shown instead, guard it, as in x / NULLIF(y, 0) or CASE WHEN x > 0 THEN ln(x) END.",
        warning=True,
    )


def counted(empty: int, groups: int) -> Notice:
    """The notice of a statement that adds up groups of which some look empty."""
    return Notice(
        f"{empty} of {groups} groups look empty, and count among the groups here",
        "They are declared, and their number of rows is within the noise of 0.",
        _HIDE,
        warning=True,
    )


def counted_declared() -> Notice:
    """The notice of a statement that adds up declared groups of which nobody has counted the rows."""
    return Notice(
        "the groups counted here are those that the policy declares, with or without rows",
        "A list of declared keys is free, since it does not depend on the rows.",
        "count(DISTINCT x) counts the values that units have. HAVING count(*) > 100 in the subquery counts the rows of "
        "each group; for several keys, so does SET dp.empty_groups = 'hide'.",
        warning=True,
    )


def misses_small_groups() -> Notice:
    """The notice of a statement that takes the groups which show for all that there are."""
    return Notice(
        "small groups, which do not show, are missing here where all groups are added up, counted, joined or looked up",
        "Groups of keys that the policy does not declare show only if they have enough units; how many others there "
        "are, and what is in them, is not known.",
        "Ask for numbers of all rows without such groups, or for larger ones; keys that the policy declares show "
        "whatever rows they have.",
        warning=True,
    )

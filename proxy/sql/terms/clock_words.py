"""'today' and the like, which Postgres reads by its clock where a date, time or timestamp is expected.

With a type, as in date 'today', they are constants that the stage computes anew for each statement, like now(). Without
one they would stay texts, and the answer of the day on which they were first asked would be recalled for ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind, element_type

_WORDS = re.compile(r"(?<![a-z])(now|today|tomorrow|yesterday)(?![a-z])", re.IGNORECASE)

_INSTEAD = {"now": "now()", "today": "current_date", "tomorrow": "current_date + 1", "yesterday": "current_date - 1"}


def reads_clock(text: str) -> bool:
    """Would a date, time or timestamp of this text depend on the clock?"""
    return _WORDS.search(text) is not None


def check_no_clock(node: exp.Expr, terms: Sequence[Term]) -> None:
    """Refuse a bare constant that becomes a date, time or timestamp by what stands beside it, and reads the clock.

    Args:
        node: what they stand in, for the position of a refusal.
        terms: operands that get one type.

    Raises:
        UnsupportedError: there is one.
    """
    if not any(_is_of_time(term) for term in terms):
        return
    for term in terms:
        word = _WORDS.search(term.literal) if term.kind is Kind.UNKNOWN and term.literal is not None else None
        if word is not None:
            raise unsupported(
                node,
                f"'{word[0]}' without a type is not supported over private rows",
                rule="clock-word",
                detail="It follows the clock, while the same question is recalled with the answer that it once had.",
                hint=f"Write {_INSTEAD[word[0].lower()]}, or the type before it, as in date '{word[0].lower()}'.",
            )


def _is_of_time(term: Term) -> bool:
    element = element_type(term.type)
    kind = element.kind if element is not None else term.kind
    return kind in (Kind.DATE, Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMPTZ)

"""What a client sends and what it must see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """What a client sends and what it must see.

    Attributes:
        query: the statement.
        sqlstate: of the error.
        message: how its text begins.
        at: what stands in the statement where the error points; None for errors of the whole statement.
        detail: how DETAIL begins; None if there is none.
        hint: how HINT begins; None if there is none.
        first: statements that are sent before, and must work.
        extended: send it by the extended protocol.
    """

    query: str
    sqlstate: str
    message: str
    at: str | None = None
    detail: str | None = None
    hint: str | None = None
    first: Sequence[str] = ()
    extended: bool = False


UNSUPPORTED, DENIED, INVALID = "0A000", "42501", "22023"
COUNT = "SELECT count(*) FROM visits"

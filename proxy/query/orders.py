"""dp.cancel and dp.kill: a steward ends what a session does, or the session."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from proxy.errors import RefusedError
from proxy.policy.model import Policy
from proxy.wire.roster import Roster
from proxy.wire.router import Answer, Notice, Parameter

logger = logging.getLogger(__name__)

_ORDER: Final = re.compile(r"\s*select\s+dp\s*\.\s*(cancel|kill)\s*\(\s*([0-9]{1,10}|\$1)\s*\)\s*;?\s*", re.I | re.A)
_LONGEST: Final = 100
_MOST: Final = 2**31 - 1


@dataclass(frozen=True)
class Order:
    """What is to be done to a session; `pid` is as in dp.sessions, None if it is NULL or no such number."""

    what: Literal["cancel", "kill"]
    pid: int | None


def order_in(text: str, parameters: Sequence[Parameter]) -> Order | None:
    """The order that a statement is, with the parameter that it may have; None if it is another statement."""
    found = _ORDER.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    number = found[2]
    if number == "$1":
        number = (parameters[0].text if len(parameters) == 1 else None) or ""
    known = number.isascii() and number.isdigit() and int(number) <= _MOST
    return Order(cast("Literal['cancel', 'kill']", found[1].lower()), int(number) if known else None)


def carried_out(order: Order, login: str, policy: Policy, roster: Roster) -> Answer:
    """Obey a steward, and answer as pg_cancel_backend and pg_terminate_backend do.

    Raises:
        RefusedError: an analyst gave the order.
    """
    if login not in policy.stewards:
        raise RefusedError(
            f"dp.{order.what}() is for stewards",
            detail=f'"{login}" is an analyst, who ends sessions of its own by leaving them.',
            rule="stewards-only",
        )
    session = None if order.pid is None else roster.find(order.pid)
    if session is None:
        warning = Notice(f"PID {order.pid} is not a session of this dpproxy", warning=True)
        return Answer(f"SELECT false AS {order.what}", (warning,))
    facts = session.facts()
    logger.info("session %d of %r is told to %s by %r", facts.number, facts.login, order.what, login)
    if order.what == "cancel":
        session.cancel()
    else:
        session.terminate()
    return Answer(f"SELECT true AS {order.what}")

"""The sessions of one proxy, for those who may see and end them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

State = Literal["active", "idle", "idle in transaction", "idle in transaction (aborted)"]


@dataclass(frozen=True)
class SessionFacts:
    """A session as it is now.

    Attributes:
        pid: what `pg_backend_pid()` is in it. It is not the number of its CancelRequest, which is half of a secret.
        number: as in the log, from 1.
        login: whose it is.
        address: where the client is; None for a Unix socket.
        application_name: as the client says.
        since: when it began.
        state: in the words of pg_stat_activity.
        heard_at: when the client last said something.
        statement: the number of its last question to dpproxy itself, as in the log; 0 if there was none.
    """

    pid: int
    number: int
    login: str
    address: str | None
    application_name: str
    since: dt.datetime
    state: State
    heard_at: dt.datetime
    statement: int


class Seen(Protocol):
    """A session that can be described and ended."""

    def facts(self) -> SessionFacts:
        """As it is now."""

    def cancel(self) -> None:
        """Cancel what it is doing, as a CancelRequest would."""

    def terminate(self) -> None:
        """End it."""


class Roster:
    """Who is there."""

    def __init__(self) -> None:
        self._sessions: list[Seen] = []

    def enter(self, session: Seen) -> None:
        """Note that a session has begun."""
        self._sessions.append(session)

    def leave(self, session: Seen) -> None:
        """Note that it has ended."""
        self._sessions.remove(session)

    def facts(self) -> Sequence[SessionFacts]:
        """All sessions, in the order in which they began."""
        return [session.facts() for session in self._sessions]

    def find(self, pid: int) -> Seen | None:
        """The session with this number."""
        return next((session for session in self._sessions if session.facts().pid == pid), None)

"""Which of a session's prepared statements are claimed by the router.

The map follows ParseComplete and CloseComplete, not what was merely sent. It cannot follow DEALLOCATE, DISCARD and
PREPARE in SQL: so a claimed entry is compared with pg_prepared_statements before it is used, and a claimed statement
that the map does not know reaches the stage natively, which reads no private table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from proxy.errors import UnsupportedError
from proxy.wire.router import Origin, Remark

UNNAMED = b""
_MAXIMUM_CLAIMED = 1000
_MOST_MEGABYTES = 4
"""Of memory for the texts of a session's claimed statements with a name; one letter can need four bytes of it."""


@dataclass
class ClaimedStatement:
    """A prepared statement that must go through the router.

    Attributes:
        text: the client's SQL.
        parameter_types: OIDs as the stage inferred them; None until it was asked.
        columns: how many the result has, asked with them.
        held_at: `Channel.changes` when the stage last said that it holds the statement; None before.
    """

    text: str
    parameter_types: tuple[int, ...] | None = None
    columns: int = 0
    held_at: int | None = None


@dataclass(frozen=True, eq=False)
class _Attempt:
    statement: ClaimedStatement | None


class ClaimedStatements:
    """Claimed statements by name, and those whose ParseComplete is still to come; portals of their answers."""

    def __init__(self) -> None:
        self._prepared: dict[bytes, ClaimedStatement] = {}
        self._pending: dict[bytes, _Attempt] = {}
        self._origins: dict[bytes, tuple[Origin, ...]] = {}
        self._tags: dict[bytes, str] = {}
        self._remarks: dict[bytes, Remark] = {}

    def may_hold(self, name: bytes) -> bool:
        """Would a Bind of this name, sent now, find a claimed statement if everything before it succeeds?"""
        attempt = self._pending.get(name)
        return name in self._prepared if attempt is None else attempt.statement is not None

    def get(self, name: bytes) -> ClaimedStatement | None:
        return self._prepared.get(name)

    def forget(self, name: bytes) -> None:
        self._prepared.pop(name, None)

    def parsing(self, name: bytes, text: str | None) -> Callable[[bool | None], None] | None:
        """A Parse is being sent: of a claimed `text`, or of an unclaimed one (None). Returns what to call at its end.

        Raises:
            UnsupportedError: the session holds too many claimed statements, or too much text of them.
        """
        if text is None and name not in self._prepared and name not in self._pending:
            return None
        if len(self._prepared) + len(self._pending) >= _MAXIMUM_CLAIMED and name not in self._prepared:
            raise UnsupportedError(
                f"more than {_MAXIMUM_CLAIMED} prepared statements over private tables in one session",
                hint="Close or deallocate statements that are no longer needed.",
                rule="prepared_statements",
            )
        if (
            text is not None
            and name != UNNAMED
            and self._held_beside(name) + sys.getsizeof(text) > _MOST_MEGABYTES << 20
        ):
            raise UnsupportedError(
                f"more than {_MOST_MEGABYTES} MB of prepared statements over private tables in one session",
                hint="Close or deallocate statements that are no longer needed, or send long ones without a name.",
                rule="prepared_statements",
            )
        attempt = self._pending[name] = _Attempt(None if text is None else ClaimedStatement(text))

        def done(succeeded: bool | None) -> None:
            if self._pending.get(name) is attempt:
                del self._pending[name]
            if succeeded and attempt.statement is not None:
                self._prepared[name] = attempt.statement
            elif succeeded or (succeeded is False and name == UNNAMED):
                # A failed Parse has dropped the unnamed statement; one that the stage skipped has not.
                self.forget(name)

        return done

    def _held_beside(self, name: bytes) -> int:
        """Bytes of the texts that other names have, or will have."""
        pending = {
            known: attempt.statement for known, attempt in self._pending.items() if attempt.statement is not None
        }
        held = self._prepared | pending
        return sum(sys.getsizeof(each.text) for known, each in held.items() if known not in (name, UNNAMED))

    def clear(self) -> None:
        """Forget everything, as the session has ended: the collector might find its texts hours later."""
        for known in (self._prepared, self._pending, self._origins, self._tags, self._remarks):
            known.clear()

    def closing(self, name: bytes) -> Callable[[bool | None], None] | None:
        """A Close is being sent. Returns what to call at its end."""
        if name not in self._prepared and name not in self._pending:
            return None

        def done(succeeded: bool | None) -> None:
            if succeeded:
                self.forget(name)

        return done

    def bound(
        self,
        portal: bytes,
        origins: tuple[Origin, ...] = (),
        tag: str | None = None,
        remark: Remark | None = None,
    ) -> None:
        """A Bind is being sent; to an answer, the columns of whose statement have these origins, whose command has this
        tag, and beside whose error this is told."""
        self._tags.pop(portal, None)
        if tag is not None and len(self._tags) < _MAXIMUM_CLAIMED:
            self._tags[portal] = tag
        self._remarks.pop(portal, None)
        if remark is not None and len(self._remarks) < _MAXIMUM_CLAIMED:
            self._remarks[portal] = remark
        if not origins:
            self._origins.pop(portal, None)
            return
        if len(self._origins) >= _MAXIMUM_CLAIMED:
            self._origins.clear()
        self._origins[portal] = origins

    def origins(self, portal: bytes) -> tuple[Origin, ...]:
        """What the columns of a portal are taken from. It may have been closed and made again in SQL, so a description
        with another number of columns is none of this portal."""
        return self._origins.get(portal, ())

    def tag(self, portal: bytes) -> str | None:
        """What the command of a portal is called once it is done; None for what the stage says."""
        return self._tags.get(portal)

    def remark(self, portal: bytes) -> Remark | None:
        """What is told beside an error of a portal; None for nothing."""
        return self._remarks.get(portal)

    def querying(self) -> Callable[[bool | None], None] | None:
        """A simple query is being sent; it drops the unnamed statement. Returns what to call at its end."""
        return self.closing(UNNAMED)

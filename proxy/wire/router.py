"""The interface between the wire, which knows nothing of privacy or SQL, and the `Router` behind it.

A session relays messages between the client and its own stage connection. Statements that the router claims are not
relayed: the router turns each into SQL for the stage (with released values in it as literals), which the session then
executes in place of the statement, natively, with the client's own result formats and row limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol


@dataclass(frozen=True)
class StatementText:
    """One statement of a simple query. `claimed` statements must go through `Router.answer`."""

    text: str
    claimed: bool


@dataclass(frozen=True)
class Parameter:
    """A bound parameter: its type's OID and its text form in the session's own DateStyle (None is NULL)."""

    type_oid: int
    text: str | None


Origin = tuple[int, int]
"""The OID of a table, and the number of an attribute of it."""

NO_ORIGIN: Final[Origin] = (0, 0)


@dataclass(frozen=True)
class ResultColumn:
    """A column as described by the stage's RowDescription.

    Attributes:
        name: its name.
        type_oid: its type.
        type_modifier: the type's length, precision and scale; -1 if none.
        origin: the column of a table that it is, if it is one.
    """

    name: str
    type_oid: int
    type_modifier: int
    origin: Origin = NO_ORIGIN


@dataclass(frozen=True)
class Description:
    """What the stage says about a statement without running it. `columns` is None if it returns no rows."""

    parameter_types: tuple[int, ...]
    columns: tuple[ResultColumn, ...] | None


@dataclass(frozen=True)
class Notice:
    """Fields of a NoticeResponse; as a warning it has SQLSTATE 01000."""

    message: str
    detail: str | None = None
    hint: str | None = None
    warning: bool = False


@dataclass(frozen=True)
class Remark:
    """What an error of the stage says beside its own words.

    Attributes:
        detail: a sentence behind its DETAIL.
        hints: its HINT by its SQLSTATE, if it has none.
    """

    detail: str
    hints: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """`sql` for the stage in place of the client's statement, and notices to send before its result.

    With None the stage runs the statement as it is, with its parameters.

    Attributes:
        sql: what the stage runs.
        notices: what the client is told first.
        origins: for each column of the result, what the client's own statement takes it from; empty if not known.
        quiet: `sql` is a query that changes no setting of the session.
        tag: what the client's own command is called once it is done; None for that of `sql`.
        remark: what the client is told beside an error if `sql` fails; None for nothing.
    """

    sql: str | None
    notices: tuple[Notice, ...] = ()
    origins: tuple[Origin, ...] = ()
    quiet: bool = False
    tag: str | None = None
    remark: Remark | None = None


class StageError(Exception):
    """The stage's own ErrorResponse to an internal request; the session relays `body` to the client unchanged.

    Args:
        body: the message body (the fields, without type byte and length).
        sqlstate: its field C.
        parsed: had it accepted the statement, so that what failed was its execution?
    """

    def __init__(self, body: bytes, sqlstate: str, *, parsed: bool = False) -> None:
        super().__init__(sqlstate)
        self.body = body
        self.sqlstate = sqlstate
        self.parsed = parsed

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.body, self.sqlstate), {"parsed": self.parsed}


class StageLink(Protocol):
    """A session's own stage connection, as the router may use it, inside the client's transaction.

    Requests work in the middle of an extended-protocol pipeline too (no Sync is sent then). Both raise `StageError`.
    """

    @property
    def changes(self) -> int:
        """While this is the same, no setting of the session has changed: nothing was executed that could do that."""

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        """Parse and describe `sql`; 0 in `parameter_types` leaves a type to the stage.

        Args:
            sql: a statement.
            parameter_types: of $1, $2 …
            written: is it the client's own text? Positions of errors in other texts mean nothing to the client.
        """

    async def rows(self, sql: str, *, quiet: bool = False) -> list[tuple[str | None, ...]]:
        """Run one statement of ours and return its rows in text form.

        Args:
            sql: the statement.
            quiet: it changes no setting of the session.
        """


@dataclass(frozen=True)
class SessionContext:
    """Who asks.

    Attributes:
        analyst: the authenticated one.
        stage: the session's own stage connection.
        memory: what the router keeps for the session, as long as that lasts.
    """

    analyst: str
    stage: StageLink
    memory: dict[str, object] = field(default_factory=dict)


class Classifier(Protocol):
    """Decides, by a text alone, which statements may not simply be relayed."""

    def claims(self, text: str) -> bool:
        """Must some statement of a text go through `answer`? Called for every text of every client, on the event loop,
        so it is fast however long the text is. Never raises."""

    def split_short(self, text: str) -> tuple[StatementText, ...] | None:
        """`split` on the event loop, of a text that takes no time; None for a longer one. Raises what that raises."""

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        """Cut a claimed simple query's text into statements, separators included, so that joining gives the input.

        Neighbouring unclaimed statements may come as one piece.

        Raises:
            DpproxyError: the text is too large to be cut.
        """

    async def check(self, text: str, analyst: str) -> bool:
        """Refuse what can be refused by the text of a claimed statement alone (called at Parse).

        Returns:
            Must it go through `answer`? `claims` does not look closely at long texts.

        Raises:
            DpproxyError: the refusal.
        """


class Router(Classifier, Protocol):
    """Answers the statements that may not simply be relayed."""

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:
        """Refuse a session because of its startup parameters (called once the password is checked), or greet it.

        Raises:
            DpproxyError: the refusal, which ends the connection.
        """

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        """Release what a claimed statement asks for. Cancelling the task cancels the source query on the source.

        Raises:
            DpproxyError: a refusal, exhausted budget or failed source; nothing reaches the client but its public text.
            StageError: the stage refuses the statement (syntax, types, failed transaction); relayed as it is.
        """

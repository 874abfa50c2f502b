"""Errors that reach a client: each class fixes its SQLSTATE, each instance carries only public text.

Refusals raise; nothing writes an error and returns. Messages never hold a private value: they are built from the
client's own statement, the policy and constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

PRIVACY_UNIT = "privacy unit"
"""What messages call a policy's unit where they do not know its name."""

NOTHING_CHARGED = "; nothing was charged"
"""Ends messages of refusals that may come when other blocks of the statement were charged."""


OWN_FAILURES = ("0A", "21", "22", "23", "42", "54", "55")
"""First characters of the SQLSTATEs of errors that are a statement's own: what is not supported, cardinality violation,
data exception, constraint violation, syntax error, program limit and prerequisite; not what time and load do."""


class DpproxyError(Exception):
    """Base of everything that is reported to a client.

    Args:
        message: one sentence that says what happened.
        detail: why.
        hint: what to write or do instead.
        position: where in the client's statement, counted in characters from 1.
        rule: stable short name of the rule that refused (tests and documentation refer to it).
    """

    sqlstate: ClassVar[str] = "XX000"

    def __init__(
        self,
        message: str,
        *,
        detail: str | None = None,
        hint: str | None = None,
        position: int | None = None,
        rule: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.hint = hint
        self.position = position
        self.rule = rule

    def name_unit(self, unit: str) -> None:
        """Use the privacy unit's name in the policy."""
        self.message = self.message.replace(PRIVACY_UNIT, unit)
        self.detail = self.detail and self.detail.replace(PRIVACY_UNIT, unit)
        self.hint = self.hint and self.hint.replace(PRIVACY_UNIT, unit)
        self.args = (self.message,)

    def name_together(self, blocks: int) -> None:
        """Say that the price is that of several blocks together.

        Args:
            blocks: how many.
        """
        if blocks > 1:
            together = f"That is the price of the {blocks} blocks of the statement together."
            self.detail = f"{self.detail} {together}" if self.detail else together

    def name_paid(self, labels: Sequence[str]) -> None:
        """Say that other blocks of the statement were charged before this one was refused.

        Args:
            labels: what was charged, at least one.
        """
        self.message = self.message.replace(NOTHING_CHARGED, "")
        self.detail = (
            self.detail
            and self.detail.replace("Nothing was charged; t", "T").replace("Nothing was charged.", "").strip()
        )
        paid = f"Charged before it, and answered again for free: {'; '.join(labels)}."
        self.detail = f"{self.detail} {paid}" if self.detail else paid
        self.args = (self.message,)


class UnsupportedError(DpproxyError):
    """A construct that dpproxy does not (yet) prove private (feature_not_supported)."""

    sqlstate = "0A000"


class ProgramLimitError(DpproxyError):
    """A text larger than the limit for reading (program_limit_exceeded)."""

    sqlstate = "54000"


class TooComplexError(DpproxyError):
    """A statement of more parts than can be planned (statement_too_complex)."""

    sqlstate = "54001"


class TooManyColumnsError(DpproxyError):
    """A SELECT of more columns than Postgres allows (too_many_columns)."""

    sqlstate = "54011"


class RefusedError(DpproxyError):
    """A request that the policy or the privacy rules forbid (insufficient_privilege)."""

    sqlstate = "42501"


class InvalidSettingError(DpproxyError):
    """A dp.* setting outside its domain or the policy's limits (invalid_parameter_value)."""

    sqlstate = "22023"


class InvalidTextError(DpproxyError):
    """A constant that is no value of its type, in Postgres's own words (invalid_text_representation)."""

    sqlstate = "22P02"


class BudgetExhaustedError(DpproxyError):
    """An account cannot pay the price, or dp.max_price forbids it (configuration_limit_exceeded); nothing was charged
    or measured."""

    sqlstate = "53400"


class StaleBudgetError(DpproxyError):
    """What was spent of an account would not count any more under the windows that this dpproxy's policy gives it;
    nothing was charged (object_not_in_prerequisite_state). It depends on the policy and the ledger only.

    Args:
        account: the account that was to pay.
        other: the one that has paid before, as the ledger names it.
    """

    sqlstate = "55000"

    def __init__(self, account: str, other: str) -> None:
        super().__init__(
            f'the budget of "{account}" has other windows than what was spent of it{NOTHING_CHARGED}',
            detail=f'The ledger has charges of "{other}", which would not count: the policy was edited, or another '
            "dpproxy has another version of it.",
            hint="Ask the operator to restart dpproxy, which says what to write in the policy, and to give every "
            "dpproxy that uses the ledger the same one.",
            rule="stale-budget",
        )


class CancelledError(DpproxyError):
    """The client cancelled (query_canceled). What was charged stays charged."""

    sqlstate = "57014"


class SourceFailedError(DpproxyError):
    """The source failed. The message is constant; details go to the operator's log only (system_error)."""

    sqlstate = "58000"

    def __init__(self) -> None:
        super().__init__(
            "the private database could not answer",
            detail="The price of the query stays charged; the operator's log has the cause.",
        )


class SourceUnavailableError(DpproxyError):
    """The source cannot be asked at all, as was found before anything was charged (cannot_connect_now)."""

    sqlstate = "57P03"

    def __init__(self) -> None:
        super().__init__(
            "the private database is not available",
            detail="Nothing was charged; the operator's log has the cause.",
            hint="Try again later.",
            rule="source-unavailable",
        )


class SourceCannotRunError(DpproxyError):
    """The source does not accept the source query, as was found before anything was charged (feature_not_supported).
    This does not depend on a row.

    Args:
        message: the source's message, about constants, released values, names and types.
    """

    sqlstate = "0A000"

    def __init__(self, message: str) -> None:
        super().__init__(
            "the private database cannot compute this",
            detail=f"Nothing was charged. It is another version of PostgreSQL, reads a value otherwise, or cannot "
            f"spread the work over its cluster, and says: {message}",
            hint="Write it with functions, patterns and values that it knows; moments are printed and read under the "
            "session's TimeZone.",
            rule="source-version",
        )


class SourceBusyError(DpproxyError):
    """Too many source queries are running, of this analyst or of all; nothing was charged (too_many_connections)."""

    sqlstate = "53300"

    def __init__(self) -> None:
        super().__init__(
            "the private database is busy with other questions",
            detail="Nothing was charged.",
            hint="Try again later, and ask fewer questions at a time.",
            rule="source-busy",
        )


class StageBusyError(DpproxyError):
    """The stage cannot compute a part of the question now: no connection is free, or its server is out of memory or
    locks, or is shutting down (cannot_connect_now)."""

    sqlstate = "57P03"

    def __init__(self) -> None:
        super().__init__(
            "the session's database is not available for a part of this question",
            hint="Close sessions that are not needed, and try again later.",
            rule="stage-busy",
        )


class StaleSchemaError(DpproxyError):
    """The source lost a key or a type that the plan's proof rests on, or a table, or the right to read it; nothing was
    charged (object_not_in_prerequisite_state). It depends on the schema only, never on a row."""

    sqlstate = "55000"

    def __init__(self) -> None:
        super().__init__(
            "the tables of the private database have changed since dpproxy read their schema",
            detail="Nothing was charged; the operator's log has the cause.",
            hint="Ask the operator to undo the change, or to restart dpproxy.",
            rule="stale-schema",
        )


class SourceQueryFailedError(SourceFailedError):
    """The source query itself failed: an SQL error of the source, a timeout, or a connection that was lost on the way,
    as by a crash of the server. Unlike a shutdown by the operator that can depend on a row, so it is counted
    (`proxy.query.failing`). The client sees the same as for every failure.

    Args:
        sqlstate_class: the first two characters of the source's SQLSTATE; 57, as of a timeout, if it did not answer in
            time, 08 if the connection was lost.
    """

    def __init__(self, sqlstate_class: str) -> None:
        super().__init__()
        self.sqlstate_class = sqlstate_class


class ProtocolViolationError(DpproxyError):
    """The client broke the wire protocol (protocol_violation)."""

    sqlstate = "08P01"


class AuthenticationError(DpproxyError):
    """Login failed (invalid_password); the same message for every cause."""

    sqlstate = "28P01"


class AuthorizationError(DpproxyError):
    """Nobody may log in this way (invalid_authorization_specification)."""

    sqlstate = "28000"


class ChannelBindingError(AuthorizationError):
    """The ends of a TLS connection do not agree what they see of it: there may be somebody in the middle."""


class UnknownDatabaseError(DpproxyError):
    """The requested database does not exist (invalid_catalog_name)."""

    sqlstate = "3D000"


class TooManyConnectionsError(DpproxyError):
    """A connection limit was reached (too_many_connections)."""

    sqlstate = "53300"


class LedgerUnavailableError(DpproxyError):
    """The ledger cannot be reached or written, so nothing can be charged and nothing is asked (cannot_connect_now)."""

    sqlstate = "57P03"

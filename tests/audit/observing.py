"""What a client sees of statements, to the letter, and what they cost."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import psycopg

from proxy.policy.model import Policy
from tests.audit.databases import SOURCE_TIMEOUT, Databases
from tests.audit.recorder import Recorder, Released
from tests.conftest import drop_databases
from tests.end_to_end.running import RunningProxy

FIELDS: Final = (
    "severity sqlstate message_primary message_detail message_hint statement_position internal_position internal_query "
    "context schema_name table_name column_name datatype_name constraint_name"
).split()
"""What an error or a notice may say."""

SLOW, FACTOR = 3.0, 8
"""Seconds from which an answer is slow, and how many times as long as its neighbour's it then has to take to count as
a difference. Finer differences are the business of the tests of response times."""


@dataclass(frozen=True)
class Seen:
    """What a client sees of one statement.

    Attributes:
        outcome: answered, refused (before anything was charged), or failed.
        aspects: everything else, by name.
        seconds: until the answer was there.
    """

    outcome: str
    aspects: dict[str, object]
    seconds: float


@dataclass(frozen=True)
class Observation:
    """One case on one database.

    Attributes:
        seen: what a client sees of each statement.
        charged: by account, epsilon (None where it is not pure), rho and delta.
        released: the blocks that were released.
    """

    seen: tuple[Seen, ...]
    charged: dict[str, tuple[Fraction | None, Fraction, Fraction]]
    released: tuple[Released, ...]


_SPENT = "SELECT account, epsilon, rho, delta FROM dpproxy.account"
_ENDED = (
    psycopg.errors.SystemError,
    psycopg.errors.QueryCanceled,
    psycopg.OperationalError,
    psycopg.errors.InternalError,
)


class Observer:
    """A session of an analyst before one database, and a look into the ledger behind it.

    Args:
        proxy: started.
        ledger: its ledger's connection string.
        recorder: of this process.
        user: the analyst.
    """

    def __init__(self, proxy: RunningProxy, ledger: str, recorder: Recorder, user: str = "ana") -> None:
        self._proxy = proxy
        self._user = user
        self._ledger = psycopg.connect(ledger, autocommit=True)
        self._recorder = recorder
        self._notices: list[tuple[str | None, ...]] = []
        self._client = self._connected()

    def close(self) -> None:
        self._client.close()
        self._ledger.close()

    def observe(self, statements: Sequence[str], script: Sequence[Released] | None = None) -> Observation:
        """Run a case: statements of one session, whose settings end with it.

        Args:
            statements: in order.
            script: what a neighbour has released for it.
        """
        if self._client.closed:
            self._client = self._connected()
        before = self._spent()
        self._recorder.start(script)
        seen = tuple(self._see(statement) for statement in statements)
        if not self._client.closed:
            self._client.execute("ROLLBACK; RESET ALL; DEALLOCATE ALL")
        after = self._spent()
        charged = {name: _difference(spent, before.get(name)) for name, spent in after.items()}
        return Observation(
            seen, {name: amounts for name, amounts in charged.items() if any(amounts)}, tuple(self._recorder.released)
        )

    def _connected(self) -> psycopg.Connection:
        client = self._proxy.connect(self._user)
        client.add_notice_handler(lambda diagnostic: self._notices.append(_fields(diagnostic)))
        return client

    def _spent(self) -> dict[str, tuple[Fraction | None, Fraction, Fraction]]:
        rows = self._ledger.execute(_SPENT).fetchall()
        return {
            name: (None if epsilon is None else Fraction(epsilon), Fraction(rho), Fraction(delta))
            for name, epsilon, rho, delta in rows
        }

    def _see(self, statement: str) -> Seen:
        self._notices.clear()
        started = time.monotonic()
        aspects: dict[str, object] = {}
        outcome = "answered"
        try:
            cursor = self._client.cursor()
            if statement.startswith("COPY"):
                with cursor.copy(statement.encode()) as copy:
                    aspects["copied"] = [bytes(line) for line in copy]
            else:
                cursor.execute(statement.encode())
            result = cursor.pgresult
            assert result is not None
            aspects["columns"] = [
                (result.fname(i), result.ftype(i), result.fmod(i), result.fformat(i)) for i in range(result.nfields)
            ]
            aspects["rows"] = [
                tuple(_any_minute(result.get_value(row, column)) for column in range(result.nfields))
                for row in range(result.ntuples)
            ]
            aspects["tag"] = cursor.statusmessage
        except psycopg.Error as error:
            outcome = "failed" if isinstance(error, _ENDED) else "refused"
            aspects["error"] = _fields(error.diag)
            aspects["session"] = "closed" if self._client.closed else "open"
        aspects["notices"] = list(self._notices)
        return Seen(outcome, aspects, time.monotonic() - started)


def _fields(diagnostic: psycopg.errors.Diagnostic) -> tuple[str | None, ...]:
    fields = (getattr(diagnostic, name) for name in FIELDS)
    return tuple(None if field is None else (_any_minute(field.encode()) or b"").decode() for field in fields)


_ASKED: Final = re.compile(rb"asked at \d{4}-\d\d-\d\d \d\d:\d\d UTC")
"""Two databases are asked one after the other, and their clients know when."""


def _any_minute(told: bytes | None) -> bytes | None:
    return None if told is None else _ASKED.sub(b"asked at this minute", told)


Spent = tuple[Fraction | None, Fraction, Fraction]


def _difference(after: Spent, before: Spent | None) -> Spent:
    if before is None:
        return after
    epsilon = None if after[0] is None or before[0] is None else after[0] - before[0]
    return epsilon, after[1] - before[1], after[2] - before[2]


class Before:
    """A proxy before a source, with an observer, for the time of a `with`."""

    def __init__(
        self,
        databases: Databases,
        source: str,
        policy: Policy,
        recorder: Recorder,
        source_timeout: float = SOURCE_TIMEOUT,
    ) -> None:
        self._ledger = databases.ledger()
        self._proxy = databases.proxy(source, self._ledger, policy, source_timeout)
        self._recorder = recorder
        self._observers: list[Observer] = []

    def __enter__(self) -> Observer:
        self._proxy.__enter__()
        return self.observer("ana")

    def observer(self, user: str) -> Observer:
        """Another session, of any analyst."""
        self._observers.append(Observer(self._proxy, self._ledger, self._recorder, user))
        return self._observers[-1]

    def __exit__(self, *_: object) -> None:
        for observer in self._observers:
            observer.close()
        self._proxy.__exit__(None, None, None)
        drop_databases([self._ledger])

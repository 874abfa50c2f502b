"""An analyst who attacks, and an observer who sees what the attack cost: for the tests of single attacks (README.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import test_private_joins
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.recording import recording
from tests.end_to_end.running import RunningProxy

UNSUPPORTED, DENIED = "0A000", "42501"
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Attacker:
    """A session of an analyst.

    Attributes:
        client: the session, in autocommit mode.
        observer: another session, which reads the accounts.
        source: the owner's connection to the private database.
        rules: the rules that refused, in order.
        proxy: the proxy between them.
    """

    client: psycopg.Connection
    observer: psycopg.Connection
    source: psycopg.Connection
    rules: list[str | None]
    proxy: RunningProxy

    def ask(self, query: str) -> Rows:
        """The rows of the proxy's answer."""
        return self.client.execute(query.encode()).fetchall()

    def ask_source(self, query: str) -> Rows:
        """The rows of Postgres's own answer, which no client may see."""
        return self.source.execute(query.encode()).fetchall()

    def assert_refused(self, query: str, sqlstate: str, rule: str | None) -> None:
        """Refused by this rule (None: by the stage) before anything is charged; the session lives on."""
        before = all_spent(self.observer)
        self.rules.clear()
        with pytest.raises(psycopg.Error) as refusal:
            self.ask(query)
        assert (refusal.value.sqlstate, self.rules) == (sqlstate, [rule] if rule else []), str(refusal.value)
        assert all_spent(self.observer) == before
        assert self.ask("SELECT 1") == [(1,)]


def exact_policy(*, max_rows: int = 2000) -> Policy:
    """A policy under which answers are exact but for the bounds of contributions; undeclared keys cost little delta."""
    content = test_private_joins.policy().model_dump(exclude_none=True)
    for table in content["tables"].values():
        if not table.get("public"):
            table["query"] |= {"delta": "1e-6"}
            table["contribution"] = {"max_rows": max_rows, "max_rows_per_group": max_rows, "max_groups": 64}
    return Policy.model_validate(content)


@contextmanager
def attacking(
    proxies: StartProxy, copy_clinic: Callable[[], str], policy: Policy | None = None, changes: str = ""
) -> Iterator[Attacker]:
    """Start a proxy before a clinic with prescriptions and insurances.

    Args:
        proxies: starts proxies.
        copy_clinic: makes a copy of the clinic.
        policy: of the proxy; exact answers if there is none.
        changes: SQL that the owner runs on the source first.
    """
    source_dsn = copy_clinic()
    rules: list[str | None] = []
    with psycopg.connect(source_dsn, autocommit=True) as source:
        source.execute(test_private_joins.SCHEMA)
        source.execute(changes.encode())
        with recording(rules):
            proxy = proxies(policy or exact_policy(), source=source_dsn)
        with proxy.connect() as client, proxy.connect() as observer:
            client.execute("SET dp.notices = off")
            yield Attacker(client, observer, source, rules, proxy)

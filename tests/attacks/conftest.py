"""The whole proxy before a clinic, as the end-to-end tests start it, and what attackers look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_clinic, proxies, stage_cluster
from tests.end_to_end.running import RunningProxy

__all__ = ["clinic_template", "copy_clinic", "proxies", "stage_cluster"]

EXTREMES = """
UPDATE visits SET cost = 'NaN' WHERE visit_id = 1;
UPDATE visits SET discount = ('1e' || 100000)::numeric WHERE visit_id = 2;
UPDATE visits SET score = '5e-324', minutes = 2147483647 WHERE visit_id = 3;
UPDATE visits SET score = '-Infinity', minutes = -2147483648, visited_at = 'infinity' WHERE visit_id = 4;
UPDATE visits SET score = '1e308', visited_at = '294276-12-31', seen_at = '-infinity' WHERE visit_id = 5;
UPDATE patients SET birth_year = 32767, registered = 'infinity' WHERE patient_id = 3;
UPDATE patients SET birth_year = -32768, registered = '5874897-12-31' WHERE patient_id = 4;
UPDATE patients SET registered = '4713-01-01 BC', height = 'NaN' WHERE patient_id = 5;
"""


@pytest.fixture(scope="module")
def target(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """A proxy whose answers are exact, before a clinic with the worst values that its columns can hold."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(EXTREMES)
    return proxies(clinic.exact_policy(), source=source)


@pytest.fixture
def client(target: RunningProxy) -> Iterator[psycopg.Connection]:
    """A session of the analyst `ana`."""
    with target.connect() as connection:
        yield connection


Spent = Callable[[], list[tuple[object, ...]]]


@pytest.fixture
def spent(client: psycopg.Connection) -> Spent:
    """What all accounts have spent so far."""

    def read() -> list[tuple[object, ...]]:
        return client.execute("SELECT account, rho_spent, delta_spent FROM dp.budget ORDER BY 1").fetchall()

    return read


def assert_refused(statement: str, sqlstate: str, message: str, client: psycopg.Connection, spent: Spent) -> None:
    """Refused with this SQLSTATE and text, and nothing is charged."""
    before = spent()
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(statement.encode())
    assert (refusal.value.sqlstate, message in str(refusal.value)) == (sqlstate, True), str(refusal.value)
    assert spent() == before

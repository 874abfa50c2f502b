"""A clinic on a source, a ledger of its own for each test, and a policy without bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from proxy.cli import main
from proxy.policy.load import load_policy
from proxy.policy.model import Policy
from proxy.postgres.embedded import EmbeddedPostgres
from tests.attacks.conftest import EXTREMES
from tests.conftest import copy_database
from tests.end_to_end.clinic import VERIFIER
from tests.end_to_end.conftest import clinic_template, copy_lasting_clinic, stage_cluster

__all__ = ["clinic_template", "copy_lasting_clinic", "stage_cluster"]

POLICY = f"""\
version: 1
source: ${{CLINIC}}   # the owner's
analysts:
  ana: {{password: "{VERIFIER}"}}
  bob: {{password: "{VERIFIER}"}}
units:
  patient: {{budget: {{epsilon: 50, delta: 1e-6}}}}
tables:
  public.visits:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 20, delta: 1e-6}}   # for ever
    per_analyst: {{epsilon: 12, delta: 1e-7}}
    query: {{epsilon: 1}}
    columns:
      patient_id: {{}}
      region: {{values_from: public.regions.name}}
      cost: {{}}             # euros
      minutes: {{bounds: [7, 9]}}
      score: {{}}
      visited_at: {{}}
  public.regions: {{public: true}}
"""


@dataclass
class Steward:
    """What a steward works with: a policy file, the private database, the ledger's database.

    Attributes:
        policy: the file.
        source: connection string.
        ledger: connection string.
    """

    policy: Path
    source: str
    ledger: str

    def run(self, *options: str) -> int:
        """`dpproxy suggest-bounds` on the policy; the exit code."""
        return main(["suggest-bounds", str(self.policy), "--ledger", self.ledger, *options])

    def loaded(self) -> Policy:
        return load_policy(self.policy)

    def charges(self) -> list[tuple[object, ...]]:
        """Account, analyst, epsilon, rho and label of all charges, by account."""
        with psycopg.connect(self.ledger) as connection:
            if connection.execute("SELECT to_regclass('dpproxy.charge')").fetchone() == (None,):
                return []
            query = "SELECT account, analyst, epsilon, rho, statement FROM dpproxy.charge ORDER BY sequence, account"
            return connection.execute(query).fetchall()


@pytest.fixture(scope="session")
def extreme_clinic(copy_lasting_clinic: Callable[[], str]) -> str:
    """A clinic with the worst values that its columns can hold."""
    dsn = copy_lasting_clinic()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(EXTREMES)
        connection.execute("ALTER TABLE visits ALTER patient_id DROP NOT NULL")
        connection.execute("UPDATE visits SET patient_id = NULL, cost = 99999999 WHERE visit_id BETWEEN 100 AND 130")
    return dsn


@pytest.fixture
def steward(
    tmp_path: Path, extreme_clinic: str, stage_cluster: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> Steward:
    monkeypatch.setenv("CLINIC", extreme_clinic)
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY, encoding="utf-8")
    name = f"ledger_of_{tmp_path.name}"
    return Steward(path, extreme_clinic, copy_database(stage_cluster.dsn(), "template1", name))

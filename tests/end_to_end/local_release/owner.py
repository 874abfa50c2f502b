"""The owner of a clinic who makes local releases on the command line, and asks source and ledger what is true."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from proxy.budget.audit import ChargeRecord
from proxy.budget.ledger import Ledger
from proxy.cli import main
from tests.end_to_end import clinic

PRESCRIPTIONS = """
CREATE TYPE form AS ENUM ('pill', 'drops');
CREATE TABLE prescriptions (visit_id bigint NOT NULL REFERENCES visits, drug text, form form);
INSERT INTO prescriptions
SELECT visit_id, 'drug ' || visit_id % 3, (ARRAY['pill', 'drops']::form[])[1 + visit_id % 2]
FROM visits WHERE visit_id % 5 < 2;
"""
POLICY = f"""\
version: 1
analysts:
  ana: {{password: "{clinic.VERIFIER}"}}
  bob: {{password: "{clinic.VERIFIER}"}}
units: {{patient: {{}}}}
tables:
  public.patients:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 1e9}}
    columns:
      patient_id: {{}}
      region: {{values_from: public.regions.name}}
      birth_year: {{range: [1930, 1950]}}
      sex: {{values: [F, M]}}
      smoker: {{}}
      registered: {{}}
      height: {{}}
  public.visits:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 4, delta: 1e-6}}
    per_analyst: {{epsilon: 3, delta: 1e-6}}
    columns: {{patient_id: {{}}, visit_id: {{}}, region: {{values_from: public.regions.name}}, diagnosis: {{}}}}
    data_version: "1"
  public.prescriptions:
    unit: {{name: patient, via: visit_id -> public.visits.visit_id}}
    budget: {{epsilon: 1e9}}
    columns: {{visit_id: {{}}, drug: {{values: [drug 0, drug 1, drug 7]}}, form: {{values: [pill, drops]}}}}
  public.regions: {{public: true}}
"""
GENEROUS = POLICY.replace("epsilon: 4, delta: 1e-6", "epsilon: 1e9").replace(
    "per_analyst", "per_analyst: {epsilon: 1e9} #"
)
EXACT = "1000000"
"""An epsilon at which nothing is flipped."""


@dataclass
class Owner:
    """A source, a ledger of its own, a policy file, and a directory for releases."""

    source: str
    ledger: str
    directory: Path

    @property
    def policy(self) -> Path:
        return self.directory / "policy.yaml"

    def export(self, table: str, columns: str, epsilon: str, *further: str, out: str = "release") -> int:
        """Run export-local and return its exit code."""
        databases = ["--source", self.source, "--ledger", self.ledger]
        question = ["--table", table, "--columns", columns, "--epsilon", epsilon, "--out", str(self.directory / out)]
        return main(["export-local", str(self.policy), *question, *databases, *further])

    def content(self, out: str = "release") -> bytes:
        return (self.directory / out).read_bytes()

    def charges(self) -> list[ChargeRecord]:
        """Everything in the ledger, oldest first."""

        async def read() -> list[ChargeRecord]:
            ledger = Ledger(self.ledger)
            await ledger.open()
            try:
                return list(reversed(await ledger.history(1000)))
            finally:
                await ledger.close()

        return asyncio.run(read())

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the source itself, as only the owner can."""
        with psycopg.connect(self.source, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

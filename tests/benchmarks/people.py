"""A table of people with one row each, and a proxy in front of it, for benchmark programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from proxy.policy.model import Policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.end_to_end.clinic import VERIFIER
from tests.end_to_end.running import RunningProxy

DATABASE = "people"
STATISTICS = 50
"""Conditions c0, c1, … of which each person meets about half."""

_FLAGS = ", ".join(f"(hashint8(i * 64 + {index}) & 1) = 1 AS c{index}" for index in range(STATISTICS))
_TABLE = f"""
CREATE TABLE people AS
SELECT i AS person_id, least(round(exp(6 + 1.2 * sqrt(-2 * ln((i - 0.5) / {{rows}})) * cos(i * 2.399963))::numeric, 2), 20000) AS income,
    {_FLAGS}
FROM generate_series(1, {{rows}}) AS i;
ALTER TABLE people ADD PRIMARY KEY (person_id);
ANALYZE;
"""
"""Incomes are lognormal: the angles of the golden ratio stand for random ones."""


@dataclass(frozen=True)
class People:
    """A proxy in front of the table, and the connection string of its source."""

    proxy: RunningProxy
    source: str


@contextmanager
def people(rows: int) -> Iterator[People]:
    """The table with so many people, under a policy with budget for any number of repetitions."""
    policy = Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": VERIFIER}},
            "units": {"person": {}},
            "tables": {
                "public.people": {
                    "unit": {"name": "person", "column": "person_id"},
                    "budget": {"epsilon": "1e12", "delta": "1e-5"},
                    "query": {"epsilon": "0.1", "max_epsilon": "10"},
                    "columns": {"person_id": {}, "income": {"bounds": ["0", "20000"], "step": "0.01"}}
                    | {f"c{index}": {} for index in range(STATISTICS)},
                }
            },
        }
    )
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedPostgres(Path(directory) / "source", durable=False) as source,
        EmbeddedPostgres(Path(directory) / "stage") as stage,
    ):
        dsn = ensure_database(source.dsn(), DATABASE)
        with psycopg.connect(dsn, autocommit=True) as owner:
            owner.execute(_TABLE.format(rows=rows).encode())
        ledger = ensure_database(stage.dsn(), LEDGER_DATABASE)
        options = ServiceOptions(policy, dsn, stage.dsn(), ledger, owns_stage_cluster=True, port=0)
        with RunningProxy(options, DATABASE) as proxy:
            yield People(proxy, dsn)

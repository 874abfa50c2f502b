"""Rows that were asked about do not get a fresh budget by standing under another name: no proxy starts, or reads such a
policy again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.postgres.embedded import EmbeddedPostgres
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.conftest import starting

STAYS = """
CREATE TABLE stays (patient_id integer NOT NULL, since date NOT NULL) PARTITION BY RANGE (since);
CREATE TABLE stays_2026 PARTITION OF stays FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
INSERT INTO stays SELECT i, date '2026-01-01' + i % 300 FROM generate_series(1, 500) AS i;
CREATE VIEW long_stays AS SELECT patient_id FROM stays WHERE since > '2026-02-01';
CREATE TABLE others (patient_id integer NOT NULL);
"""


def listing(name: str, **budget: object) -> Policy:
    table: dict[str, Any] = {
        "unit": {"name": "patient", "column": "patient_id"},
        "budget": {"epsilon": "1", "delta": "1e-6", **budget},
        "query": {"epsilon": "0.5"},
        "contribution": {"max_rows": 5},
        "columns": {"patient_id": {}},
    }
    return Policy.model_validate(clinic.POLICY | {"tables": {name: table}})


@pytest.mark.parametrize("later", ["public.stays_2026", "public.long_stays"])
def test_what_was_spent_of_a_table_counts_for_its_partitions_and_views_or_they_are_refused(
    stage_cluster: EmbeddedPostgres,
    copy_clinic: Callable[[], str],
    caplog: pytest.LogCaptureFixture,
    later: str,
) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute(STAYS)
    ledger = copy_database(stage_cluster.dsn(), "template1", f"ledger_before_{later[7:]}")
    read = [listing("public.stays")]
    refused = (
        "what was spent under other accounts, such as table:public.stays, would not count any more, since rows of "
        f"{later} are rows of public.stays"
    )
    with starting(stage_cluster, copy_clinic) as proxies:
        proxy = proxies(read[0], source=source, ledger=ledger, read_policy=lambda: read[-1])
        with proxy.connect() as client:
            client.execute("SELECT count(*) FROM stays")
        read.append(listing(later))
        assert proxy.service is not None
        with caplog.at_level(logging.ERROR):
            proxy.run(proxy.service.reload())
        assert refused in caplog.text
    with pytest.raises(PolicyError) as error, starting(stage_cluster, copy_clinic) as proxies:
        proxies(read[-1], source=source, ledger=ledger)
    assert [(found.rule, found.path) for found in error.value.findings] == [("DP640", f"tables.{later}.budget")]
    assert refused in error.value.findings[0].message
    for allowed in (listing("public.others"), listing(later, new_accounts=True)):
        with starting(stage_cluster, copy_clinic) as proxies:
            proxies(allowed, source=source, ledger=ledger)

"""Limits that are added, or were away for a while: operators are told what their accounts do not count."""

from __future__ import annotations

import logging

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

LIMIT = {"epsilon": "5", "delta": "1e-6"}
QUERY = {"epsilon": "0.5", "max_epsilon": "2", "mechanism": "gaussian"}
SHARED = {"query": QUERY, "per_analyst": LIMIT}
GROUPS = {"bi": {"members": ["ana", "bob"], "budget": LIMIT}}
UNITS = {"patient": {"budget": LIMIT}}
ASKED = [
    "SELECT count(*) FROM visits",
    "SELECT region, count(*), sum(cost) FROM visits GROUP BY region",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
    "SELECT count(*) FROM visits JOIN patients USING (patient_id) WHERE birth_year > 1950",
    "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
]


def limited(*, units: bool = True) -> Policy:
    return clinic.policy(visits=SHARED, patients=SHARED, groups=GROUPS, units=UNITS if units else {"patient": {}})


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "proxy.serving.uncounted"]


def test_accounts_that_were_always_there_count_all(proxies: StartProxy, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever was asked: at several precisions, again, by both members of a group."""
    proxy = proxies(limited(), read_policy=limited)
    assert proxy.service is not None
    for user in ("ana", "bob"):
        with proxy.connect(user=user) as client:
            for epsilon in ("0.2", "0.3", "0.1"):
                client.execute(f"SET dp.epsilon = {epsilon}")
                for query in ASKED:
                    client.execute(query.encode())
    with caplog.at_level(logging.WARNING):
        proxy.run(proxy.service.reload())
    assert told(caplog) == []


def test_a_cap_that_was_away_is_told_at_the_start_and_when_the_policy_is_read(
    proxies: StartProxy, caplog: pytest.LogCaptureFixture
) -> None:
    read = [limited()]
    proxy = proxies(read[0], read_policy=lambda: read[-1])
    assert proxy.service is not None
    with proxy.connect() as client:
        client.execute(ASKED[0].encode())
        read.append(limited(units=False))
        proxy.run(proxy.service.reload())
        client.execute("SELECT count(*) FROM visits WHERE cost > 100")
        client.execute("SELECT count(*) FROM visits WHERE cost > 200")
        read.append(limited())
        with caplog.at_level(logging.WARNING):
            proxy.run(proxy.service.reload())
    (warning,) = told(caplog)
    assert warning.startswith("unit:patient counts since ")
    assert ": 2 charges from " in warning
    assert warning.endswith("of what it covers, ρ 0.25, δ 0, are not in it; its budget promises nothing of them")
    caplog.clear()
    options = proxy.service._options
    with caplog.at_level(logging.WARNING):
        proxies(limited(), source=options.source_dsn, ledger=options.ledger_dsn)
    assert told(caplog) == [warning]

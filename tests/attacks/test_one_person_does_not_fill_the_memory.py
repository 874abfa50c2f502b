"""No person's values are so large, or so many, that the proxy's memory tells of them.

Undeclared keys are cut at the source, which sends no more groups of one person than the person helps to select; of
declared keys, and of what a mode is chosen from, it sends only what is declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attacks.attacker import Attacker, attacking, exact_policy
from tests.end_to_end.conftest import StartProxy

LARGE, MANY = 2001, 2002
"""A patient with 300 texts of a megabyte, and one with 60 000 rows of values that nobody else has."""

CHANGES = f"""
INSERT INTO patients (patient_id, birth_year) VALUES ({LARGE}, 1950), ({MANY}, 1960);
INSERT INTO visits (visit_id, patient_id, visited_at, urgent, diagnosis)
SELECT 1000000 + i, {LARGE}, '2025-01-01', false, repeat('x', 1000000) || i FROM generate_series(1, 300) AS i;
INSERT INTO visits (visit_id, patient_id, visited_at, urgent, region, diagnosis, minutes)
SELECT 2000000 + i, {MANY}, '2025-01-01', false, repeat('r', 1000) || i, repeat('d', 1000) || i, i % 200
FROM generate_series(1, 60000) AS i;
ANALYZE;
"""

QUERIES = {
    "an undeclared key": "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
    "an undeclared key and distinct values": "SELECT diagnosis, count(DISTINCT minutes) FROM visits GROUP BY diagnosis",
    "an undeclared key and a choice": "SELECT diagnosis, count(*), max(minutes) FROM visits GROUP BY diagnosis",
    "an undeclared key and a mode": "SELECT diagnosis, mode() WITHIN GROUP (ORDER BY region) FROM visits GROUP BY diagnosis",
    "many undeclared keys": "SELECT diagnosis || '1', diagnosis || '2', diagnosis || '3', count(*) FROM visits GROUP BY 1, 2, 3",
    "a declared key": "SELECT region, count(*) FROM visits GROUP BY region",
    "two declared keys": "SELECT region, urgent, count(*) FROM visits GROUP BY region, urgent",
    "a declared key and a choice": "SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits GROUP BY region",
    "a mode": "SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits",
}  # fmt: skip

_MOST_MEGABYTES = 60


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, exact_policy(), CHANGES) as attacker:
        attacker.ask("SELECT diagnosis, count(*), max(minutes) FROM visits WHERE urgent GROUP BY diagnosis")
        yield attacker


def _megabytes(field: str) -> float:
    found = re.search(rf"^{field}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_memory_of_the_proxy_does_not_follow_one_persons_values(query: str, attacker: Attacker) -> None:
    """The proxy runs in this process. Without limits most of these take 100 to 500 megabytes more."""
    Path("/proc/self/clear_refs").write_text("5")  # The peak so far is forgotten.
    before = _megabytes("VmRSS")
    rows = attacker.ask(query)
    assert _megabytes("VmHWM") - before < _MOST_MEGABYTES
    assert not any("xxxx" in str(row) or "dddd" in str(row) or "rrrr" in str(row) for row in rows)


def test_long_keys_are_cut_at_the_source(attacker: Attacker) -> None:
    """Longer texts that begin alike are one group."""
    attacker.source.execute(
        "INSERT INTO visits (visit_id, patient_id, visited_at, urgent, diagnosis) "
        "SELECT 3000000 + i, i, '2025-01-01', true, repeat('z', 10000) || i FROM generate_series(1, 1500) AS i"
    )
    query = "SELECT diagnosis, count(*) FROM visits WHERE visit_id > 3000000 GROUP BY diagnosis"
    assert attacker.ask(query) == [("z" * 2000, 1500)]


def test_groups_at_the_limits_equal_postgres(attacker: Attacker) -> None:
    """Keys without anything beyond the limits, declared and not, with NULLs among them."""
    for query in (
        "SELECT diagnosis, count(*) FROM visits WHERE visit_id < 1000000 GROUP BY diagnosis ORDER BY 1",
        "SELECT region, urgent, count(*) FROM visits WHERE visit_id < 1000000 AND region <> 'nowhere' GROUP BY 1, 2 ORDER BY 1, 2",
        "SELECT sex, count(*) FROM patients WHERE patient_id <= 2000 GROUP BY sex ORDER BY 1",
        "SELECT discount + 0, count(*) FROM visits WHERE discount < 0.01 GROUP BY 1 ORDER BY 1",
    ):
        shown = attacker.ask(query)
        assert [row for row in shown if row[-1] > 0] == attacker.ask_source(query)

"""Intervals hold the exact number in 95 of 100 cells, for every mechanism; with noise of another width they do not."""

from __future__ import annotations

from decimal import Decimal

import psycopg
import pytest

from proxy.dp import mechanisms
from proxy.dp.noise import discrete_gaussian, discrete_laplace
from tests.conftest import PostgresCluster
from tests.end_to_end import coverage
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

AGGREGATES = ("count(*)", "sum(y)", "avg(x)", "sum(x)")
SPREADS = ("variance(x)", "stddev_pop(x)", "covar_pop(x, y)")
EXPRESSIONS = (
    "sum(y) / count(*)",
    "avg(x) - avg(y)",
    "sum(x) - 2 * sum(y)",
    "100.0 * count(*) FILTER (WHERE x > 55) / nullif(count(*), 0)",
)
OUTER = (
    "t.s / t.n",
    "t.s - w.u",
    "t.n - lag(t.n) OVER (ORDER BY t.cell)",
    "sum(t.n) OVER (ORDER BY t.cell ROWS 3 PRECEDING)",
    "100 * t.n / sum(t.n) OVER (PARTITION BY t.cell / 10)",
)
GROUPS, ROWS, REPETITIONS = 500, 300, 8
HELD = (0.932, 0.974)
"""0.950 to 0.956 are expected: counts of noise as narrow as a deviation of 25 rows are whole. Five standard deviations
below and above in 4 000 cells, a false alarm once in 3 million runs. Noise 30 % wider or narrower is held in less than
0.91 or more than 0.985 of the cells."""


@pytest.fixture(scope="module")
def events_source(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("events")
    coverage.create(dsn, GROUPS, ROWS)
    return dsn


@pytest.fixture(scope="module")
def events_proxy(proxies: StartProxy, events_source: str) -> RunningProxy:
    return proxies(coverage.policy(GROUPS), source=events_source)


def held(
    proxy: RunningProxy,
    source_dsn: str,
    mechanism: str,
    epsilon: str,
    aggregates: tuple[str, ...] = AGGREGATES,
    repetitions: int = REPETITIONS,
) -> dict[str, float]:
    with proxy.connect() as client, psycopg.connect(source_dsn, autocommit=True) as source:
        client.execute(f"SET dp.mechanism = '{mechanism}'".encode())
        client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
        return dict(coverage.coverage(client, source, aggregates, repetitions, "0.95"))


@pytest.mark.parametrize(("mechanism", "epsilon"), [("gaussian", "0.25"), ("laplace", "0.5")])
def test_counts_sums_and_averages_are_held_in_95_of_100_cells(
    events_proxy: RunningProxy, events_source: str, mechanism: str, epsilon: str
) -> None:
    found = held(events_proxy, events_source, mechanism, epsilon)
    assert all(HELD[0] < share < HELD[1] for share in found.values()), found


@pytest.mark.parametrize(("mechanism", "epsilon"), [("gaussian", "0.261"), ("laplace", "0.522")])
def test_expressions_of_outer_queries_are_held_in_95_of_100_cells(
    events_proxy: RunningProxy, events_source: str, mechanism: str, epsilon: str
) -> None:
    with events_proxy.connect() as client, psycopg.connect(events_source, autocommit=True) as source:
        client.execute(f"SET dp.mechanism = '{mechanism}'".encode())
        client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
        # Sums of four cells share their noise: what is held of 3 000 has a standard deviation of 0.6 %.
        found = coverage.outer_coverage(client, source, OUTER, 6)
    assert all(0.92 < share < 0.98 for share in found.values()), found


def test_spreads_are_held_in_95_of_100_cells(events_proxy: RunningProxy, events_source: str) -> None:
    found = held(events_proxy, events_source, "gaussian", "0.25", SPREADS)
    assert all(HELD[0] < share < HELD[1] for share in found.values()), found


@pytest.mark.parametrize(("mechanism", "epsilon"), [("gaussian", "0.25"), ("laplace", "0.5")])
def test_expressions_are_held_in_95_of_100_cells(
    events_proxy: RunningProxy, events_source: str, mechanism: str, epsilon: str
) -> None:
    found = held(events_proxy, events_source, mechanism, epsilon, EXPRESSIONS, 3)
    assert all(0.92 < share < 0.98 for share in found.values()), found


@pytest.mark.parametrize(
    ("mechanism", "aggregates", "repetitions"),
    [
        ("gaussian", AGGREGATES, 3),
        ("laplace", AGGREGATES, REPETITIONS),
        ("gaussian", SPREADS, 3),
        ("gaussian", EXPRESSIONS, 3),
    ],
)
@pytest.mark.parametrize(("noise", "epsilon"), [(0.7, "0.241"), (1.3, "0.242")])
def test_noise_of_another_width_would_be_noticed(
    events_proxy: RunningProxy,
    events_source: str,
    mechanism: str,
    aggregates: tuple[str, ...],
    repetitions: int,
    noise: float,
    epsilon: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Gaussian noise is held in 0.87 to 0.88 of the cells if it is wider, in 0.994 if it is narrower: with 1 500 cells
    six standard deviations outside of `HELD`. Laplace noise is held in 0.90 and 0.986, as far outside with all 4 000.
    """
    for name, sampler in (("discrete_gaussian", discrete_gaussian), ("discrete_laplace", discrete_laplace)):
        monkeypatch.setattr(
            mechanisms, name, lambda scale, size, sampler=sampler: (sampler(scale, size) * noise).astype(int)
        )
    doubled = str(2 * Decimal(epsilon)) if mechanism == "laplace" else epsilon
    found = held(events_proxy, events_source, mechanism, doubled, aggregates, repetitions)
    assert not any(HELD[0] < share < HELD[1] for share in found.values()), found

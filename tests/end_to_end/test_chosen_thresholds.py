"""How much of a unit counts, chosen by the query itself, through the wire (theorem 22)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same
from tests.end_to_end.test_session_settings import plan_of

WITHOUT_BOUNDS = [
    "SELECT sum(visit_id), avg(visit_id) FROM visits",
    "SELECT region, sum(visit_id), count(*) FROM visits GROUP BY region",
    "SELECT urgent, sum(-visit_id) FILTER (WHERE minutes > 60), avg(visit_id - 9000.5) FROM visits GROUP BY urgent",
    "SELECT region, urgent, sum(visit_id) FROM visits GROUP BY ROLLUP (region, urgent)",
    "SELECT sum(patient_id), avg(patient_id), count(*) FROM patients",
    "SELECT sex, sum(patient_id), count(DISTINCT patient_id) FROM patients GROUP BY sex",
    "SELECT count(DISTINCT diagnosis), sum(visit_id) FROM visits",
    "SELECT region, sum(visit_id), count(DISTINCT minutes), avg(DISTINCT cost), count(*) FROM visits GROUP BY region",
    "SELECT diagnosis, sum(visit_id), count(DISTINCT minutes) FROM visits GROUP BY diagnosis",
    "SELECT sum(patient_id), count(DISTINCT sex) FROM patients",
    "SELECT sum(n), avg(n), avg(total) FROM (SELECT patient_id, count(*) AS n, sum(minutes) AS total FROM visits GROUP BY 1) AS each",
    "SELECT sum(place) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY visit_id) AS place FROM visits) AS each",
]
"""No client may aggregate these numbers where a policy states max_rows, since nothing bounds them."""


@pytest.fixture
def clients(choosing_proxy: RunningProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of a proxy whose queries choose, and one of the source."""
    dsn = choosing_proxy.options.source_dsn
    with choosing_proxy.connect() as client, psycopg.connect(dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        yield client, source


@pytest.mark.parametrize("query", WITHOUT_BOUNDS)
def test_with_a_huge_epsilon_sums_without_bounds_are_postgres_own(
    query: str, clients: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    rows, expected = (sorted(client.execute(query.encode()).fetchall(), key=repr) for client in clients)
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert_same(row, wanted)


@pytest.fixture(scope="module")
def ordinary(proxies: StartProxy) -> RunningProxy:
    """A proxy at ordinary prices, whose queries choose."""
    plenty = {"budget": {"epsilon": "1000", "delta": "1e-6"}, "per_analyst": None, "contribution": {}}
    return proxies(clinic.policy(visits=plenty))


def test_a_session_that_states_a_bound_gets_it(ordinary: RunningProxy) -> None:
    with ordinary.connect() as client:
        assert "chooses from the data for 1/10 of the price" in plan_of(client, "SELECT count(*) FROM visits")
        client.execute("SET dp.max_rows = 7")
        assert "Contribution: max_rows 7," in plan_of(client, "SELECT count(*) FROM visits")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds"):
            client.execute("SELECT sum(visit_id) FROM visits")


@pytest.mark.parametrize("of", ["stddev(DISTINCT n)", "variance(DISTINCT place)"])
def test_counts_of_a_units_rows_have_no_bound_that_nobody_states(ordinary: RunningProxy, of: str) -> None:
    """With 64 for a bound, a value of units with 80 rows each would be 64, and nothing would say so."""
    text = (
        f"SELECT {of} FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS each"
        if "place" not in of
        else f"SELECT {of} FROM (SELECT rank() OVER (PARTITION BY patient_id ORDER BY minutes) AS place FROM visits) AS each"
    )
    with ordinary.connect() as client:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds") as refusal:
            client.execute(text.encode())
        assert "least(greatest(" in (refusal.value.diag.message_hint or "")
        client.execute("SET dp.max_rows = 64")
        client.execute(text.encode())


def _explained_and_told(proxy: RunningProxy, text: str) -> tuple[str, str, str]:
    """EXPLAIN of a query before its answer, what the answer tells, and EXPLAIN after it, at a low price."""
    details: list[str] = []
    with proxy.connect() as client:
        client.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
        client.execute("SET dp.epsilon = 2")
        before = plan_of(client, text)
        answer = client.execute(text.encode()).fetchall()
        (detail,) = details
        after = plan_of(client, text)
        assert client.execute(text.encode()).fetchall() == answer
    return before, detail, after


def test_the_answer_says_how_many_values_of_a_unit_do_not_count(ordinary: RunningProxy) -> None:
    """Of visits whose minutes differ in each row, a patient with many keeps a few at a low price. One answer in five
    finds next to nothing left out (30 of 150 did), and in some it cannot be told: fourteen in a row will in one run of a
    million."""
    values = "count(DISTINCT visit_id * 1000 + minutes)"
    details: list[str] = []
    for number in range(14):
        text = f"SELECT specialty_id, region, {values} FROM visits WHERE visit_id > -{number} GROUP BY 1, 2"
        before, detail, after = _explained_and_told(ordinary, text)
        assert f"by their values in {values}" in before
        said = re.search(
            r"(?:About [\d.]+%|Between \d+% and \d+%) of units were scaled down to [\d.]+ of their values in count\(DISTINCT .*?\): "
            r"(about|up to about|between|at least) .*%,? .*of values are not counted, if no other unit has these\.",
            detail,
        )
        if said is not None:
            assert said.group() in after
            return
        assert re.search("Hardly any unit was scaled down|cannot be told", detail)
        details.append(detail)
    pytest.fail("\n".join(details))


def test_the_answer_says_how_much_does_not_count(ordinary: RunningProxy) -> None:
    """At a low price the few patients with the most visits are scaled down, and EXPLAIN then knows the limit."""
    text = "SELECT specialty_id, region, count(*) FROM visits GROUP BY 1, 2"
    before, detail, after = _explained_and_told(ordinary, text)
    assert "times the limit of their rows" in before
    assert "Clipping:" not in before
    said = detail.split(" are in no group. ", 1)[1]
    assert "Clipping: " + said in after
    assert "units are scaled down to " in after
    assert "chosen from the data" in after
    assert "standard deviation" in after
    assert "times the limit" not in after


def test_intervals_follow_the_threshold_that_was_chosen(ordinary: RunningProxy) -> None:
    text = "SELECT region, count(*), dp.low(count(*)), dp.high(count(*)), dp.stddev(count(*)) FROM visits GROUP BY 1"
    with ordinary.connect() as client:
        client.execute("SET dp.epsilon = 1")
        rows = client.execute(text.encode()).fetchall()
    for _, number, low, high, deviation in rows:
        assert low < number < high
        assert high - number == pytest.approx(1.96 * deviation, rel=0.05, abs=1.5)


def test_an_answer_that_cannot_tell_what_it_leaves_out_warns(ordinary: RunningProxy) -> None:
    """Of eight patients nothing can be told, but in one answer of eighteen, whose noise is far out (8 of 149 told
    something): five of six will in one run of 300,000."""
    told = _told(ordinary, "0.5", [f"patient_id < 9 AND visit_id > -{number}" for number in range(6)])
    silent = [codes for codes, detail in told if "cannot be told from so few units" in detail]
    assert len(silent) >= 2, told
    assert set(silent) == {("WARNING", "01000")}


def test_of_no_rows_nothing_is_left_out_where_noise_is_little(choosing_proxy: RunningProxy) -> None:
    told = _told(
        choosing_proxy, "1e20", ["minutes < -5", "cost > 1999999 AND urgent", "minutes IS NULL AND minutes = 3"]
    )
    assert [codes for codes, _ in told] == [("NOTICE", "00000")] * 3
    assert all("Hardly any unit was scaled down." in detail for _, detail in told), told


def test_an_answer_that_leaves_next_to_nothing_out_does_not_warn(ordinary: RunningProxy) -> None:
    """Of two thousand patients with few visits each. One answer in fifty does warn by chance: 7 of 394 did. Three of
    five will in one run of 17,000."""
    seen = [codes for codes, _ in _told(ordinary, "2", [f"visit_id > -{number}" for number in range(1, 6)])]
    assert seen.count(("NOTICE", "00000")) >= 3, seen
    assert len(seen) == 5


def _told(
    proxy: RunningProxy, epsilon: str, conditions: Sequence[str]
) -> list[tuple[tuple[str | None, str | None], str]]:
    """Severity, SQLSTATE and detail of what is told with a count of visits under each condition."""
    told: list[tuple[tuple[str | None, str | None], str]] = []
    with proxy.connect() as client:
        client.add_notice_handler(
            lambda notice: told.append(((notice.severity, notice.sqlstate), notice.message_detail or ""))
        )
        client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
        for condition in conditions:
            client.execute(f"SELECT count(*) FROM visits WHERE {condition}".encode())
    return told


def test_how_values_without_a_grid_are_rounded_is_said(ordinary: RunningProxy) -> None:
    details: list[str] = []
    with ordinary.connect() as client:
        client.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
        client.execute("SET dp.epsilon = 1")
        client.execute("SELECT sum(visit_id), sum(visit_id / 7.0::float8) FROM visits")
    (detail,) = details
    assert "steps of 0.000001, and cut at ±1.15292e+12." in detail
    assert detail.count("are added in steps of") == 1

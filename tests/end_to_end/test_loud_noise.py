"""An answer whose noise goes farther than its numbers comes with a warning that says so, and what to do."""

from __future__ import annotations

import re

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

STATED = {"contribution": {"max_rows": 32, "max_rows_per_group": 4, "max_groups": 8}}


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    plenty = {"budget": {"epsilon": "1e9", "delta": "1e-6"}, "per_analyst": None}
    query = {"query": {"epsilon": "1", "max_epsilon": "1e6", "min_epsilon": "1e-5", "delta": "1e-7"}}
    return proxies(clinic.policy(visits=plenty | query | STATED, patients=plenty | query))


def notice(proxy: RunningProxy, epsilon: str, query: str) -> tuple[str | None, ...]:
    """Severity, SQLSTATE, detail and hint."""
    seen: list[tuple[str | None, ...]] = []

    def add(told: psycopg.errors.Diagnostic) -> None:
        seen.append((told.severity, told.sqlstate, told.message_detail, told.message_hint))

    with proxy.connect() as client:
        client.add_notice_handler(add)
        client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
        client.execute(query.encode())
    (only,) = seen
    return only


@pytest.mark.parametrize(
    ("query", "loud", "advice"),
    [
        ("SELECT count(*) FROM visits", "count(*) (±", "Ask about more rows, or SET dp.epsilon"),
        ("SELECT region, count(*), sum(cost) FROM visits GROUP BY 1", "sum(cost) (±", "Ask for fewer groups"),
        ("SELECT region, sum(cost) FROM visits GROUP BY 1", "sum(cost) (±", "narrow bounds: sum(least(greatest("),
        ("SELECT sum(cost) FROM visits", "sum(cost) (±", "narrow bounds"),
    ],
)
def test_noise_beyond_the_numbers_warns(proxy: RunningProxy, query: str, loud: str, advice: str) -> None:
    # One number in twenty goes farther than 95 % of the noise: then another question is asked.
    asked = [query, *(query.replace("FROM visits", f"FROM visits WHERE visit_id > {-n}") for n in range(4))]
    answers = (notice(proxy, "0.0001", text) for text in asked)
    severity, sqlstate, detail, hint = next(answer for answer in answers if answer[0] == "WARNING")
    assert (severity, sqlstate) == ("WARNING", "01000")
    assert str(detail).startswith("Noise goes farther than the numbers themselves, which say little: ")
    assert loud in str(detail)
    assert advice in str(hint)


def test_what_is_made_of_several_numbers_warns_too(proxy: RunningProxy) -> None:
    # Where noise makes the number of rows next to nothing they are NULL: then another question is asked.
    asked = (f"SELECT stddev(cost), max(cost), count(*) FROM visits WHERE visit_id > {-n}" for n in range(300))
    answers = (notice(proxy, "0.003", text) for text in asked)
    severity, _, detail, hint = next(answer for answer in answers if str(answer[2]).count("say little") == 2)
    assert severity == "WARNING"
    said = "Noise goes farther than the numbers themselves, or over much of what they could be, which say little: "
    assert str(detail).startswith(f"{said}stddev(cost)")
    assert "These may be farther from the rank that is sought than a quarter of all rows" in str(detail)
    assert "what is made of them" in str(hint)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits",
        "SELECT region, sum(cost) FROM visits GROUP BY 1",
        "SELECT region, count(*), avg(cost), stddev(cost), corr(cost, minutes), max(cost) FROM visits GROUP BY 1",
    ],
)
def test_numbers_beyond_the_noise_do_not(proxy: RunningProxy, query: str) -> None:
    severity, _, detail, hint = notice(proxy, "1e5", query)
    assert (severity, hint) == ("NOTICE", None)
    assert "farther" not in str(detail)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT avg(1) FROM visits",
        "SELECT avg(CASE WHEN urgent THEN 5 END) FROM patients JOIN visits USING (patient_id)",
    ],
)
def test_an_average_that_no_noise_moves_is_not_loud(query: str, proxy: RunningProxy) -> None:
    assert "Noise goes farther" not in str(notice(proxy, "1", query)[2])


@pytest.mark.parametrize(
    ("aggregate", "told"),
    [
        ("avg(n)", "1 to 32 count as its ends in avg(n), since max_rows is 32 and a unit may have more rows."),
        ("max(n)", "1 to 32 count as its ends in max(n), since max_rows is 32 and a unit may have more rows."),
        ("sum(m)", "0 to 7680 count as its ends in sum(m), since max_rows is 32 and a unit may have more rows."),
        ("avg(least(n, 20))", None),
    ],
)
def test_numbers_of_units_with_more_rows_than_are_stated_are_told(
    aggregate: str, told: str | None, proxy: RunningProxy
) -> None:
    inner = "SELECT patient_id, count(*) AS n, sum(minutes) AS m FROM visits GROUP BY patient_id"
    detail = str(notice(proxy, "1", f"SELECT {aggregate} FROM ({inner}) AS q")[2])
    assert ("since max_rows" in detail) == (told is not None)
    assert told is None or f"Values outside {told}" in detail


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT count(*) FROM visits", "than max_rows = 32 allows are"),
        ("SELECT region, sum(cost) FROM visits GROUP BY 1", "than max_rows = 32 and max_rows_per_group = 4 allow are"),
        ("SELECT count(*) FROM patients", None),
        ("SELECT count(DISTINCT patient_id) FROM visits", None),
    ],
)
def test_stated_limits_that_scale_units_down_are_told(query: str, told: str | None, proxy: RunningProxy) -> None:
    detail = str(notice(proxy, "1", query)[2])
    assert ("scaled down" in detail) == (told is not None)
    assert f"Units with more rows {told} scaled down; how much that leaves out is not told." in detail or not told


def test_how_much_stated_most_rows_leave_out_of_numbers_of_units_is_not_told(proxy: RunningProxy) -> None:
    inner = "SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id"
    with proxy.connect() as client:
        shares = client.execute(f"SELECT dp.clipped(avg(n)), dp.clipped(count(*)) FROM ({inner}) AS q".encode())
        assert shares.fetchall() == [(None, 0.0)]


def test_in_how_many_groups_a_unit_counts_in_full_is_told(proxy: RunningProxy) -> None:
    by_region = notice(proxy, "10", "SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY region")
    said = "Each unit is counted in full in up to 8 groups, as less in more, by max_rows / max_rows_per_group."
    assert said in str(by_region[2])
    of_all = notice(proxy, "10", "SELECT count(DISTINCT patient_id) FROM visits")
    assert "in full" not in str(of_all[2])


def test_a_join_in_which_some_rows_of_a_unit_take_part_warns(proxy: RunningProxy) -> None:
    both = "SELECT count(*) FROM visits AS v JOIN visits AS w USING (patient_id)"
    severity, _, detail, hint = notice(proxy, "1e5", both)
    assert severity == "WARNING"
    assert re.search(r"Of public\.visits at most \d+ rows of a unit take part, as they meet others\.", str(detail))
    assert "unique key" in str(hint)
    severity, _, detail, _ = notice(proxy, "1e5", "SELECT count(*) FROM visits WHERE visit_id > -9")
    assert severity == "NOTICE"
    assert "take part" not in str(detail)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (
            "date_trunc('month', visited_at)",
            "Rows with other values of date_trunc('month', visited_at) are in no group.",
        ),
        ("floor(cost / 50)", "Rows with other values of floor(cost / 50) are in no group."),
        ("urgent, minutes / 60", "Rows with other values of minutes / 60 are in no group."),
        ("urgent", None),
        ("cost > 50", None),
    ],
)
def test_rows_that_are_in_no_group_are_told(key: str, told: str | None, proxy: RunningProxy) -> None:
    detail = str(notice(proxy, "1e5", f"SELECT {key}, count(*) FROM visits GROUP BY {key}")[2])
    assert told in detail if told else "in no group" not in detail


def test_counts_of_units_that_count_in_full_in_one_group_alone_warn(proxies: StartProxy) -> None:
    alone = {"contribution": {"max_rows": 32}}
    proxy = proxies(clinic.policy(visits=clinic.PLENTY | {"query": {"epsilon": "1", "max_epsilon": "1e4"}} | alone))
    by_region = notice(proxy, "100", "SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY region")
    assert by_region[0] == "WARNING"
    assert "in full in up to 1 group," in str(by_region[2])
    assert "SET dp.max_rows_per_group" in str(by_region[3])
    assert notice(proxy, "100", "SELECT count(DISTINCT patient_id) FROM visits")[0] == "NOTICE"
    assert notice(proxy, "100", "SELECT region, count(*) FROM visits GROUP BY region")[0] == "NOTICE"


def test_noise_beyond_what_an_interval_holds_makes_no_paid_answer_fail(proxy: RunningProxy) -> None:
    with proxy.connect() as client:
        client.execute("SET dp.epsilon = '1e-5'")
        query = "SELECT extract(epoch FROM sum((visited_at - timestamp '2024-01-01') * 50)) FROM visits"
        ((seconds,),) = client.execute(query.encode()).fetchall()
    assert abs(seconds) <= 9e12

"""Declared groups without rows: what they make fail is answered without them, and what counts them says so."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.charging import all_spent
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

# 2024 and 2025 have rows, 2026 and 2027 have none.
YEARS = {"bounds": "[2024-01-01, 2028-01-01)"}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    policy = clinic.exact_policy()
    visits = policy.tables["public.visits"].model_dump(exclude_unset=True)
    columns = visits["columns"] | {"visited_at": YEARS}
    proxy = proxies(
        clinic.policy(
            visits=visits | {"columns": columns},
            patients=policy.tables["public.patients"].model_dump(exclude_unset=True),
        )
    )
    with client_and_source(proxy) as both:
        both[0].execute("SET dp.notices = on")
        yield both


@pytest.fixture
def showing(connections: Connections) -> Iterator[Connections]:
    connections[0].execute("SET dp.empty_groups = 'show'")
    yield connections
    connections[0].execute("SET dp.empty_groups = 'hide'")


def told(client: psycopg.Connection, query: str) -> list[tuple[str, str]]:
    """Message and hint of each warning of a statement."""
    found: list[tuple[str, str]] = []

    def add(notice: psycopg.errors.Diagnostic) -> None:
        if notice.severity == "WARNING":
            found.append((str(notice.message_primary), str(notice.message_hint)))

    client.add_notice_handler(add)
    try:
        client.execute(query.encode())
    finally:
        client.remove_notice_handler(add)
    return found


FAILING = [
    "SELECT extract(year FROM visited_at) AS y, sum(minutes) / count(*) FROM visits GROUP BY 1",
    "SELECT extract(year FROM visited_at) AS y, 100 * count(*) FILTER (WHERE urgent) / count(*) FROM visits GROUP BY 1",
    "SELECT date_trunc('month', visited_at), 1.0 * count(minutes) / count(*) FROM visits WHERE minutes > 5 GROUP BY 1",
    "SELECT y, ln(n) FROM (SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1) AS t",
    "SELECT avg(1.0 / n) FROM (SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1) AS t",
    "SELECT count(*) FROM visits WHERE minutes > (SELECT min(1000 / n) FROM (SELECT extract(year FROM visited_at) AS y, "
    "count(*) AS n FROM visits GROUP BY 1) AS t)",
]


@pytest.mark.parametrize("query", FAILING)
def test_what_fails_for_empty_groups_alone_is_answered_without_them(query: str, showing: Connections) -> None:
    ((message, hint),) = told(showing[0], query)
    assert "groups look empty and were left out" in message
    assert "dp.empty_groups" in hint
    spent = all_spent(showing[0])
    assert_same_answer(query, showing)
    assert all_spent(showing[0]) == spent


def test_what_fails_for_all_groups_is_null(showing: Connections) -> None:
    ((message, hint),) = told(
        showing[0], "SELECT extract(year FROM visited_at), 1 / (count(*) - count(*)) FROM visits GROUP BY 1"
    )
    assert message == "what cannot be computed of the released numbers is NULL here"
    assert "NULLIF" in hint


_YEARS = "x AS (SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1)"
COUNTING = [
    "SELECT avg(n) FROM (SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1) AS t",
    "SELECT count(*) FROM (SELECT extract(year FROM visited_at) AS y FROM visits GROUP BY 1 HAVING count(*) < 5) AS t",
    "WITH t AS (SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1) SELECT min(n) FROM t",
    "SELECT extract(year FROM visited_at) AS y, avg(minutes) FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
    "SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1 ORDER BY n LIMIT 2",
    "SELECT y FROM (SELECT extract(year FROM visited_at) AS y, avg(minutes) AS m, count(*) FROM visits GROUP BY 1) AS t ORDER BY m DESC LIMIT 2",
    f"WITH {_YEARS}, a AS (SELECT avg(n) AS m FROM x) SELECT m FROM a",
    f"WITH {_YEARS} SELECT (SELECT avg(n) FROM x)",
    f"WITH {_YEARS}, a AS (SELECT avg(n) AS m, stddev(n) AS s FROM x) SELECT y, (n - m) / s FROM x, a WHERE n > 5",
    f"WITH {_YEARS}, z AS (SELECT * FROM x), a AS (SELECT min(n) AS m FROM z) SELECT m FROM a",
    f"WITH {_YEARS} SELECT avg(n) OVER () FROM x WHERE n > 5",
    f"WITH {_YEARS} SELECT y, percent_rank() OVER (ORDER BY n), ntile(2) OVER (ORDER BY n) FROM x WHERE n > 5",
    "SELECT extract(year FROM visited_at) AS y, cume_dist() OVER (ORDER BY count(*)) FROM visits GROUP BY 1",
    f"SELECT count(*) FROM visits WHERE minutes > (WITH {_YEARS} SELECT avg(n) / 1e6 FROM x)",
]


@pytest.mark.parametrize("query", COUNTING)
def test_what_counts_empty_groups_warns(query: str, showing: Connections) -> None:
    ((message, _),) = told(showing[0], query)
    assert message == "2 of 4 groups look empty, and count among the groups here"


@pytest.mark.parametrize("query", FAILING + COUNTING)
def test_hidden_groups_are_like_groups_that_do_not_exist(query: str, connections: Connections) -> None:
    assert not told(connections[0], query)
    assert_same_answer(query, connections)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT extract(year FROM visited_at) AS y, count(*) FROM visits GROUP BY 1",
        "SELECT region, count(*) / 2 FROM visits GROUP BY 1",
        "SELECT sum(n) FROM (SELECT region, count(*) AS n FROM patients GROUP BY 1) AS t",
        "SELECT extract(year FROM visited_at) AS y, count(*) AS n FROM visits GROUP BY 1 ORDER BY n DESC LIMIT 2",
        "SELECT y FROM (SELECT extract(year FROM visited_at) AS y, sum(minutes) AS m FROM visits GROUP BY 1) AS t ORDER BY m DESC LIMIT 2",
        "SELECT extract(year FROM visited_at) AS y, avg(minutes) FROM visits GROUP BY 1 ORDER BY 2 DESC",
    ],
)
def test_groups_that_only_show_do_not_warn(query: str, showing: Connections) -> None:
    assert not told(showing[0], query)


LISTS = [
    "SELECT DISTINCT extract(year FROM visited_at) FROM visits WHERE minutes > 3",
    "SELECT region FROM visits WHERE specialty_id = 1 AND region <> 'north' GROUP BY region",
    "SELECT count(*) FROM (SELECT DISTINCT region FROM visits WHERE minutes > 50 AND cost > 20) AS t",
    "SELECT DISTINCT region, specialty_id FROM visits",
    "SELECT DISTINCT region FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND cost > 990)",
    "SELECT region FROM patients p WHERE NOT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id) GROUP BY 1",
    "SELECT count(*) FROM (SELECT DISTINCT region, urgent, specialty_id FROM visits) AS t",
    "SELECT region FROM visits WHERE urgent GROUP BY 1 EXCEPT SELECT region FROM visits WHERE NOT urgent GROUP BY 1",
]


@pytest.mark.parametrize("query", LISTS)
def test_keys_of_some_rows_are_counted_where_empty_groups_are_hidden(query: str, connections: Connections) -> None:
    before = all_spent(connections[0])
    assert_same_answer(query, connections)
    assert all_spent(connections[0]) > before


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM (SELECT DISTINCT region FROM visits) AS t",
        "SELECT zone, count(*) FROM (SELECT DISTINCT region FROM visits) AS t JOIN regions ON name = region GROUP BY zone",
        "SELECT region, count(*) FROM (SELECT region, specialty_id FROM visits GROUP BY 1, 2) AS t GROUP BY region",
    ],
)
def test_what_counts_declared_keys_warns_that_nobody_counted_their_rows(query: str, showing: Connections) -> None:
    ((message, hint),) = told(showing[0], query)
    assert message == "the groups counted here are those that the policy declares, with or without rows"
    assert "count(DISTINCT x)" in hint


@pytest.mark.parametrize(
    "query",
    [
        "SELECT DISTINCT region FROM visits",
        "SELECT region FROM visits GROUP BY region ORDER BY region LIMIT 100",
        "SELECT DISTINCT region FROM visits WHERE region <> 'north'",
        "SELECT region, n FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) AS t",
    ],
)
def test_lists_that_only_show_keys_do_not_warn(query: str, showing: Connections) -> None:
    assert not told(showing[0], query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT DISTINCT region FROM visits WHERE minutes > 239",
        "SELECT region FROM visits WHERE region <> 'north' AND urgent GROUP BY region",
        "SELECT region FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id) GROUP BY 1",
    ],
)
def test_lists_under_conditions_warn_that_nobody_counted_their_rows(query: str, showing: Connections) -> None:
    ((message, hint),) = told(showing[0], query)
    assert message.startswith("dpproxy listed declared keys of ")
    assert hint == "SET dp.empty_groups = hide shows only those with rows, for the price of a count."


@pytest.mark.parametrize(
    "query", ["SELECT DISTINCT region FROM visits", "SELECT region FROM visits WHERE region LIKE '%th' GROUP BY 1"]
)
def test_keys_of_all_rows_are_free(query: str, connections: Connections) -> None:
    before = all_spent(connections[0])
    connections[0].execute(query.encode())
    assert all_spent(connections[0]) == before


def test_an_error_of_the_attempt_without_empty_groups_says_that_the_answer_is_paid(showing: Connections) -> None:
    """Made-up numbers are small: what is computed of them takes no time."""
    client, _ = showing
    client.execute("SET statement_timeout = '700ms'")
    query = (
        "SELECT y, (SELECT max(s + t) FROM generate_series(1, (2 ^ least(n / 160.0, 20))::bigint) AS s, "
        "generate_series(1, (2 ^ least(n / 160.0, 20))::bigint) AS t) FROM (SELECT extract(year FROM visited_at) AS y, "
        "count(*) AS n FROM visits WHERE minutes < 118 GROUP BY 1) AS years"
    )
    spent = all_spent(client)
    with pytest.raises(psycopg.errors.QueryCanceled) as caught:
        client.execute(query.encode())
    client.execute("RESET statement_timeout")
    assert all_spent(client) != spent
    assert "Charged before it, and answered again for free: count(*) over public.visits" in str(
        caught.value.diag.message_detail
    )


HIDDEN = {
    "a count of a condition that some groups lack beside a maximum": "SELECT region, count(*) FILTER (WHERE region = 'north'), "
    "max(minutes) FROM visits GROUP BY 1",
    "a count of values beside an extreme": "SELECT region, count(CASE WHEN region = 'east' THEN cost END), min(minutes) FROM visits "
    "GROUP BY 1",
    "a sum that is 0 beside a mode": "SELECT region, sum(CASE WHEN region = 'west' THEN minutes ELSE 0 END), "
    "max(minutes) FROM visits GROUP BY 1",
    "an extreme of no rows": "SELECT region, count(*), max(minutes) FILTER (WHERE region = 'north'), "
    "min(minutes) FILTER (WHERE region = 'south') FROM visits GROUP BY 1",
    "an extreme of no rows that nothing else counts": "SELECT region, max(minutes) FILTER (WHERE region = 'north') FROM visits "
    "GROUP BY 1",
    "an extreme of no values": "SELECT region, count(CASE WHEN region = 'north' THEN minutes END), "
    "max(CASE WHEN region = 'north' THEN minutes END) FROM visits GROUP BY 1",
    "a percentile of no rows": "SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FILTER (WHERE region = 'north') "
    "FROM visits GROUP BY 1",
    "of a year without rows": "SELECT extract(year FROM visited_at) AS y, max(minutes) FILTER (WHERE urgent), "
    "count(*) FILTER (WHERE urgent AND minutes < 0) FROM visits GROUP BY 1",
    "a number of few values": "SELECT count(DISTINCT region) FROM visits WHERE visited_at >= '2027-01-01'",
}


@pytest.mark.parametrize("query", HIDDEN.values(), ids=HIDDEN)
def test_groups_with_rows_stay_and_nothing_is_chosen_of_nothing(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


CHOSEN = "min({0}), max({0}), percentile_disc(0.5) WITHIN GROUP (ORDER BY {0}), percentile_cont(0.9) WITHIN GROUP (ORDER BY {0})"


@pytest.mark.parametrize(
    "outputs",
    [
        "count(*), " + CHOSEN.format("minutes"),
        "count(minutes), " + CHOSEN.format("minutes"),
        "avg(minutes), " + CHOSEN.format("minutes"),
        "count(*) FILTER (WHERE urgent), max(minutes) FILTER (WHERE urgent), min(cost) FILTER (WHERE urgent)",
        "count(*), mode() WITHIN GROUP (ORDER BY region)",
    ],
)
def test_nothing_is_chosen_of_rows_that_a_count_shows_to_be_none(outputs: str, showing: Connections) -> None:
    query = f"SELECT extract(year FROM visited_at) AS y, {outputs} FROM visits GROUP BY 1 ORDER BY 1"
    *_, last = showing[0].execute(query.encode()).fetchall()
    assert last[0] == 2027
    assert last[1] in (0, None)
    assert last[2:] == (None,) * len(last[2:])


_SELECTED = "SELECT diagnosis AS d, count(*) AS n FROM visits GROUP BY 1"
MISSING = [
    f"SELECT count(*) FROM ({_SELECTED}) AS t",
    f"SELECT sum(n), avg(n) FROM ({_SELECTED}) AS t",
    f"WITH t AS ({_SELECTED}) SELECT d, n / (SELECT sum(n) FROM t) FROM t",
    "SELECT count(*) FROM (SELECT DISTINCT diagnosis FROM visits) AS t",
    "SELECT diagnosis, 100.0 * count(*) / sum(count(*)) OVER () FROM visits GROUP BY 1",
    f"SELECT d, sum(n) OVER (ORDER BY d) FROM ({_SELECTED}) AS t",
    f"SELECT x, coalesce(n, 0) FROM (VALUES ('diagnosis 1'), ('none')) AS v (x) LEFT JOIN ({_SELECTED}) AS t ON d = x",
    f"WITH t AS ({_SELECTED}) SELECT x, coalesce(n, 0) FROM t RIGHT JOIN (VALUES ('none')) AS v (x) ON d = x",
    f"SELECT * FROM ({_SELECTED}) AS t FULL JOIN (VALUES ('none')) AS v (x) ON d = x",
    f"{_SELECTED} ORDER BY 2 LIMIT 3",
    "SELECT diagnosis, avg(minutes) FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
    f"SELECT d, ntile(4) OVER (ORDER BY n) FROM ({_SELECTED}) AS t",
    f"SELECT count(*) FROM visits WHERE diagnosis IN (SELECT d FROM ({_SELECTED}) AS t)",
    "SELECT count(*) FROM visits WHERE diagnosis IN (SELECT diagnosis FROM visits GROUP BY 1 HAVING avg(minutes) > 3)",
    f"WITH t AS ({_SELECTED}) SELECT CASE WHEN n > 250 THEN 'many' ELSE 'few' END, count(*) FROM visits JOIN t ON d = diagnosis GROUP BY 1",
    "SELECT count(*) FROM visits v WHERE minutes > (SELECT avg(minutes) FROM visits w WHERE w.diagnosis = v.diagnosis)",
]


@pytest.mark.parametrize("query", MISSING)
def test_what_takes_selected_groups_for_all_that_there_are_warns(query: str, showing: Connections) -> None:
    ((message, _),) = told(showing[0], query)
    assert (
        message
        == "small groups, which do not show, are missing here where all groups are added up, counted, joined or looked up"
    )


@pytest.mark.parametrize(
    "query",
    [
        _SELECTED,
        f"SELECT max(n) FROM ({_SELECTED}) AS t",
        f"SELECT * FROM ({_SELECTED}) AS t LEFT JOIN (VALUES ('diagnosis 1')) AS v (x) ON d = x",
        f"SELECT * FROM ({_SELECTED}) AS t JOIN (VALUES ('diagnosis 1')) AS v (x) ON d = x",
        f"{_SELECTED} ORDER BY 2 DESC LIMIT 1",
        f"{_SELECTED} ORDER BY 1 LIMIT 3",
        f"{_SELECTED} ORDER BY 2 LIMIT 1000",
        f"SELECT count(*) FROM visits WHERE diagnosis IN (SELECT d FROM ({_SELECTED}) AS t ORDER BY n DESC LIMIT 3)",
        f"WITH t AS ({_SELECTED}), u AS (SELECT d FROM t ORDER BY n DESC LIMIT 3) SELECT diagnosis, count(*) FROM visits JOIN u ON d = diagnosis GROUP BY 1",
        "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM patients GROUP BY 1)",
        "SELECT sum(n) FROM (SELECT region, count(*) AS n FROM patients GROUP BY 1) AS t",
    ],
)
def test_selected_groups_that_only_show_do_not_warn(query: str, showing: Connections) -> None:
    assert not told(showing[0], query)

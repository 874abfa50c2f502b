"""What a client computes from released numbers fails before it is charged if it always fails, and says so otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest

from proxy.query import made_up_answers
from tests.end_to_end.running import RunningProxy

HINTS = {
    "22012": "Guard the division, as in x / NULLIF(y, 0).",
    "2201E": "Guard the logarithm, as in CASE WHEN x > 0 THEN ln(x) END.",
    "2201F": "Guard the root or power, as in CASE WHEN x >= 0 THEN sqrt(x) END.",
    "22003": "Use a wider type.",
    "22001": "Use a wider type.",
}
"""What the errors of these SQLSTATEs say to write."""


@pytest.fixture
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


def charges(client: psycopg.Connection) -> list[tuple[object, ...]]:
    return client.execute("SELECT count(*) FROM dp.ledger").fetchall()


def failure(client: psycopg.Connection, query: str, *, prepare: bool) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.Error) as failed:
        client.execute(query.encode(), prepare=prepare)
    return failed.value.diag


@pytest.mark.parametrize(
    ("query", "sqlstate"),
    [
        ("SELECT region::int, count(*) FROM visits WHERE cost > 1 GROUP BY region", "22P02"),
        ("SELECT ('x' || count(*))::int FROM visits WHERE cost > 2", "22P02"),
        ("SELECT 1 / (count(*) - count(*)) FROM visits WHERE cost > 3", "22012"),
        ("SELECT ln(-count(*)) FROM visits WHERE cost > 4", "2201E"),
        ("SELECT sqrt(-count(*)) FROM visits WHERE cost > 9", "2201F"),
        ("SELECT json_object_agg(NULLIF(r, r), n) FROM (SELECT region AS r, count(*) AS n FROM visits WHERE cost > 10 GROUP BY 1) q",
         "22023"),
        ("SELECT now() AT TIME ZONE (region || 'x'), count(*) FROM visits WHERE cost > 15 GROUP BY region", "22023"),
        ("SELECT width_bucket(100, 0, sum(cost) - sum(cost), 5) FROM visits WHERE cost > 16", "2201G"),
        ("SELECT width_bucket(5, count(*), count(cost) * 0 + count(*), 5) FROM visits WHERE cost > 17", "2201G"),
        ("SELECT length(repeat('x', (2000000000 + count(*))::int)) FROM visits WHERE cost > 8", "54000"),
        ("SELECT (diagnosis || 'x')::int, count(*) FROM visits GROUP BY diagnosis", "22P02"),
        ("SELECT to_char(count(*), '9V9.9') FROM visits WHERE cost > 5", "42601"),
        ("SELECT (SELECT region FROM (SELECT region, count(*) FROM visits GROUP BY region) AS r)", "21000"),
        ("SELECT count(*) FROM visits WHERE cost > (SELECT 1 / (count(*) - count(*)) FROM visits)", "22012"),
        ("SELECT region, a / (a - a) FROM (SELECT region, sum(cost) AS a FROM visits GROUP BY region) AS r", "22012"),
        ("CREATE TEMP TABLE kept AS SELECT region::date, count(*) FROM visits WHERE cost > 6 GROUP BY region", "22007"),
        ("SELECT diagnosis || '-' || count(*), 1 / (count(*) * 0) FROM visits GROUP BY diagnosis", "22012"),
        ("SELECT region, lag(sum(cost), -1 * NULLIF(1, 1)) OVER (), chr((-sum(minutes))::int) FROM visits GROUP BY 1",
         "22023"),
        ("INSERT INTO three SELECT region FROM (SELECT region, count(*) FROM visits WHERE cost > 7 GROUP BY 1) AS r",
         "22001"),
        ("SELECT extract(foo FROM max(visited_at)) FROM visits WHERE cost > 41", "22023"),
        ("SELECT region, date_part('foo', min(visited_at)), count(*) FROM visits WHERE cost > 42 GROUP BY region", "22023"),
        ("SELECT date_trunc('foo', percentile_disc(0.5) WITHIN GROUP (ORDER BY seen_at)) FROM visits WHERE cost > 43", "22023"),
        ("SELECT extract(hour FROM max(visited_at)::date) FROM visits WHERE cost > 44", "0A000"),
        ("SELECT date_trunc('month', m, 'Nowhere') FROM (SELECT max(seen_at) AS m FROM visits WHERE cost > 45) AS r", "22023"),
        ("SELECT count(*) FROM visits WHERE cost > (SELECT extract(foo FROM max(visited_at)) FROM visits WHERE cost > 46)", "22023"),
        ("SELECT mode() WITHIN GROUP (ORDER BY region)::int FROM visits WHERE cost > 47", "22P02"),
        ("SELECT (percentile_cont(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY cost))[2]::text::date FROM visits WHERE cost > 48",
         "22007"),
        ("SELECT chr(-count(DISTINCT region)::int) FROM visits WHERE cost > 49", "22023"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "prepared"])
def test_what_always_fails_is_not_charged(
    client: psycopg.Connection, query: str, sqlstate: str, *, prepare: bool
) -> None:
    client.execute("CREATE TEMP TABLE three (text varchar(3))")
    before = charges(client)
    failed = failure(client, query, prepare=prepare)
    assert (failed.sqlstate, charges(client)) == (sqlstate, before)
    assert "Nothing was charged" in str(failed.message_detail)
    assert str(failed.message_hint).startswith(HINTS.get(sqlstate, "What is computed from an answer"))


@pytest.mark.parametrize(
    ("query", "sqlstate"),
    [
        ("SELECT timestamp '2024-01-01' + count(*) * interval '100000 years' FROM visits WHERE cost > 11", "22008"),
        ("SELECT lpad('x', 10, repeat('y', 10 - count(*)::int)) || chr(10 - count(*)::int) FROM visits WHERE cost > 12", "22023"),
        ("INSERT INTO few SELECT count(*) FROM visits WHERE cost > 13", "22003"),
        ("CREATE TEMP TABLE kept AS SELECT timestamp '2024-01-01' + count(*) * interval '100000 years' AS d FROM visits WHERE cost > 14",
         "22008"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "prepared"])
def test_what_fails_for_these_numbers_says_that_they_are_kept(
    client: psycopg.Connection, query: str, sqlstate: str, *, prepare: bool
) -> None:
    client.execute("CREATE TEMP TABLE few (n numeric(2, 0))")
    query += f" AND minutes > {prepare:d}"
    before = charges(client)
    failed = failure(client, query, prepare=prepare)
    assert failed.sqlstate == sqlstate
    assert "Charged before it, and answered again for free: count(*) over public.visits." in str(failed.message_detail)
    assert failed.message_hint == HINTS.get(sqlstate)
    charged = charges(client)
    assert charged != before
    client.execute(b"SELECT count(*) " + query[query.index("FROM") :].encode())
    assert charges(client) == charged


UNDEFINED = {
    "a root": ("SELECT sqrt(10 - count(*)) FROM visits WHERE cost > 21", [None]),
    "whole numbers": ("SELECT (count(*) * 10000000)::int, count(*) / 1000000 FROM visits WHERE cost > 22", [None, 0]),
    "a product": ("SELECT count(*) * 5000000000000000, count(*) / 1000000, count(*)::int * 1000000 FROM visits "
                  "WHERE cost > 28", [None, 0, None]),
    "a share": ("SELECT (100.0 * count(*) / 7)::numeric(4, 2) FROM visits WHERE cost > 23", [None]),
    "a ratio": ("SELECT n / ((n - 5000) / 1000000), n / 1000000 FROM (SELECT count(*) AS n FROM visits WHERE cost > 24) AS r",
                [None, 0]),
    "a total": ("SELECT coalesce(sum(1 / (n / 1000000)), -1) FROM (SELECT region, count(*) AS n FROM visits WHERE cost > 25 "
                "GROUP BY region) AS r", [-1]),
    "what a block reads": ("SELECT count(*) FROM visits WHERE cost > 26 AND minutes > (SELECT sqrt(10 - count(*)) FROM visits)",
                           None),
    "rows that are kept": ("CREATE TEMP TABLE roots AS SELECT sqrt(10 - count(*)) FROM visits WHERE cost > 27", ()),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDEFINED)
@pytest.mark.parametrize("prepare", [False, True], ids=["simple", "prepared"])
def test_what_is_not_defined_for_these_numbers_is_null_and_said_so(
    client: psycopg.Connection, name: str, *, prepare: bool
) -> None:
    query, expected = UNDEFINED[name]
    told: list[str] = []
    client.add_notice_handler(lambda notice: told.append(str(notice.message_primary)))
    found = client.execute(query.replace("cost > 2", f"minutes > {prepare:d} AND cost > 2").encode(), prepare=prepare)
    if expected == ():
        assert client.execute("TABLE roots").fetchall() == [(None,)]
    elif expected is None:
        assert len(found.fetchall()) == 1
    else:
        assert [list(row) for row in found.fetchall()] == [expected]
    assert "what cannot be computed of the released numbers is NULL here" in told


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ln(p / (1 - p)) FROM (SELECT count(*) FILTER (WHERE minutes > 20) / count(*)::float AS p FROM visits) AS r",
        "SELECT sqrt(a.n - b.n) FROM (SELECT count(*) AS n FROM visits) AS a, "
        "(SELECT count(*) AS n FROM visits WHERE cost > 150) AS b",
        "SELECT stddev(cost) / avg(cost), ln(variance(cost)), log(sum(cost)) FROM visits",
        "SELECT region, 1.0 / (count(*) - 5), count(*) / sum(count(*)) OVER () FROM visits GROUP BY region",
        "SELECT make_date(2024, 1 + count(*)::int % 12, 1) FROM visits",
        "SELECT 100 / (max(n) - min(n)) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS r",
        "SELECT to_char(max(visited_at), 'YYYY')::int, avg(cost)::numeric(5, 2) FROM visits",
        "SELECT region::varchar(2), count(*)::text::numeric FROM visits GROUP BY ROLLUP (region)",
        "SELECT diagnosis, round((n - min(n) OVER ())::numeric / (max(n) OVER () - min(n) OVER ()), 2) "
        "FROM (SELECT diagnosis, count(*) AS n FROM visits GROUP BY diagnosis) AS r",
        "SELECT width_bucket(n, min(n) OVER (), max(n) OVER (), 5) "
        "FROM (SELECT diagnosis, count(*) AS n FROM visits GROUP BY diagnosis) AS r",
        "SELECT json_object_agg(diagnosis, n), count(*) / (count(*) - 1) "
        "FROM (SELECT diagnosis, count(*) AS n FROM visits WHERE diagnosis IS NOT NULL GROUP BY diagnosis) AS r",
        "SELECT format('%I', diagnosis), count(*) FROM visits WHERE diagnosis <> '' GROUP BY diagnosis",
        "SELECT jsonb_build_object(mode() WITHIN GROUP (ORDER BY region), 1) FROM visits WHERE minutes > 50",
        "SELECT make_date(2024, (count(*) / 1500)::int, 1) FROM visits",
        "SELECT ln(max(height) - 189), 1 / (max(height) - max(birth_year)), chr(max(birth_year) - 1900) FROM patients",
        "SELECT 100 / (max(cost) - min(cost)), sqrt(percentile_cont(0.9) WITHIN GROUP (ORDER BY cost) - avg(cost)) FROM visits",
        "SELECT region, 100 / (max(n) - min(n)) FROM (SELECT region, urgent, max(cost) AS n FROM visits GROUP BY 1, 2) AS r "
        "GROUP BY region",
        "SELECT region, 1 / (max(cost) - lag(max(cost)) OVER (ORDER BY region)) FROM visits GROUP BY region",
        "SELECT 100 / (a.m - b.m) FROM (SELECT max(cost) AS m FROM visits) AS a, "
        "(SELECT max(cost) AS m FROM visits WHERE urgent) AS b",
        "SELECT replace(mode() WITHIN GROUP (ORDER BY title), 'dermatology', '7')::int FROM visits JOIN specialties USING (specialty_id)",
        "SELECT (max(minutes) * 10000000)::int, (max(discount) * 3000)::smallint FROM visits",
    ],
)
def test_what_can_succeed_is_answered(exact_proxy: RunningProxy, query: str) -> None:
    with exact_proxy.connect() as client:
        assert client.execute(query.encode()).fetchall()


def test_a_trial_of_many_numbers_is_of_few_groups(client: psycopg.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pays for a trial, so it must not take long, whatever is tried."""
    written: list[int] = []
    succeeds = made_up_answers._succeeds

    async def noted(queries: Sequence[str], *others: Any, **named: Any) -> bool:
        written.append(sum(map(len, queries)))
        return await succeeds(queries, *others, **named)

    monkeypatch.setattr(made_up_answers, "_succeeds", noted)
    sums = ", ".join(f"sum(height + {number})" for number in range(150))
    failed = failure(client, f"SELECT birth_year, {sums}, 1 / (count(*) * 0) FROM patients GROUP BY 1", prepare=False)
    assert "Nothing was charged" in str(failed.message_detail)
    assert len(written) == 2
    assert sum(written) < 600_000


def test_an_error_of_the_clients_own_timeout_says_nothing_of_numbers(client: psycopg.Connection) -> None:
    client.execute("SET statement_timeout = '300ms'")
    query = "SELECT n, count(*) FROM (SELECT count(*) AS n FROM visits WHERE minutes > 34) AS q, generate_series(1, 3000000) AS g"
    failed = failure(client, f"{query} WHERE g % n <> 7.5 GROUP BY n", prepare=False)
    assert (failed.sqlstate, failed.message_hint) == ("57014", None)
    assert "fails each time" not in str(failed.message_detail)


def test_what_fails_each_time_can_be_computed_from_an_answer_of_before(client: psycopg.Connection) -> None:
    """The trial does not know all numbers; who does not believe it asks for them alone."""
    query = "SELECT 1 / (n - n) FROM (SELECT count(*) AS n FROM visits WHERE minutes > 35) AS r"
    hint = failure(client, query, prepare=False).message_hint
    assert "an answer that was released before is not tried" in str(hint)
    client.execute("SELECT count(*) AS n FROM visits WHERE minutes > 35")
    assert client.execute(query.encode()).fetchall() == [(None,)]


def test_a_trial_leaves_a_transaction_as_it_was(client: psycopg.Connection) -> None:
    client.execute("CREATE TEMP TABLE few (n numeric(3, 0))")
    with client.transaction():
        client.execute("INSERT INTO few SELECT sqrt(count(*)) FROM visits WHERE cost > 21")
        ((kept,),) = client.execute("SELECT count(*) FROM few").fetchall()
    assert kept == 1


@pytest.mark.parametrize(
    "attempt",
    [
        "SELECT set_config('TimeZone', 'Asia/Tokyo', false)",
        "SET TimeZone = 'Asia/Tokyo'",
        "CALL dp.keep_rows('kept', '{a}', '{text}', '[[1]]', 'fail', false)",
    ],
)
def test_trial_leaves_nothing(client: psycopg.Connection, attempt: str) -> None:
    client.execute("SELECT dp.try_each(ARRAY[%s], NULL, true)", [attempt])
    assert client.execute("SHOW TimeZone").fetchone() == ("UTC",)
    assert client.execute("SELECT FROM pg_tables WHERE tablename = 'kept'").fetchall() == []


@pytest.mark.parametrize("attempt", ["CREATE TABLE kept AS SELECT 1", "SELECT * FROM visits", "DO 'BEGIN END'"])
def test_trial_has_the_rights_of_its_caller_alone(client: psycopg.Connection, attempt: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        client.execute(
            "SELECT dp.try_each(ARRAY[replace(%s, '_', '')], NULL, true)", [attempt.replace("visits", "vis_its")]
        )
    assert refused.value.sqlstate in ("42501", "0A000")

"""min, max, percentiles, mode, bool_and and bool_or: with a huge epsilon and loose bounds, Postgres's own answers."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import asyncpg
import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.programs import psql
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

HOUR = "date_trunc('hour', {})"
QUERIES = {
    "whole numbers": "SELECT min(minutes), max(minutes), min(birth_year), max(birth_year) FROM visits JOIN patients USING (patient_id)",
    "cents": "SELECT min(cost), max(cost), max(cost) - min(cost) AS range FROM visits",
    "a declared step": "SELECT max(NULLIF(discount, 'NaN')::numeric(6, 3)), min(ratio), max(ratio), max(ratio * 2) FROM visits",
    "dates": "SELECT min(registered), max(registered) FROM patients",
    "timestamps": f"SELECT min({HOUR.format('visited_at')}), max({HOUR.format('visited_at')}) FROM visits",
    "time zones": f"SELECT min({HOUR.format('seen_at')}), max(seen_at::date), min(seen_at::timestamp) FROM visits",
    "casts of dates": "SELECT max(visited_at::date), min(registered::timestamp), max(registered::timestamptz) FROM visits JOIN patients USING (patient_id)",
    "months": "SELECT min(date_trunc('month', visited_at)), max(date_trunc('quarter', seen_at)), max(date_trunc('year', registered)) "
    "FROM visits JOIN patients USING (patient_id)",
    "casts": "SELECT max(cost::int), min(minutes::numeric), max(cost::numeric(12, 1)) FROM visits",
    "expressions": "SELECT max(minutes / 7), min(abs(minutes - 60)), max(minutes % 10), min(-minutes), max(coalesce(minutes, 0) + 1) FROM visits",
    "distinct": "SELECT min(DISTINCT minutes), max(DISTINCT cost) FROM visits",
    "filter": "SELECT max(minutes) FILTER (WHERE urgent), min(cost) FILTER (WHERE region = 'north' AND minutes > 3), count(*) FROM visits",
    "where": "SELECT min(cost), max(cost) FROM visits WHERE region = 'north' AND minutes > 50",
    "the person's only row": "SELECT min(height), max(height), max(birth_year) FILTER (WHERE smoker) FROM patients",
    "declared keys": "SELECT region, min(cost), max(minutes), count(*) FROM visits GROUP BY region",
    "declared keys alone": "SELECT region, max(cost) FROM visits WHERE region <> 'nowhere' GROUP BY region",
    "two keys": "SELECT region, urgent, min(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), count(*) FROM visits GROUP BY 1, 2",
    "selected keys": "SELECT diagnosis, max(cost), percentile_disc(0.9) WITHIN GROUP (ORDER BY minutes) FROM visits GROUP BY diagnosis",
    "selected keys beside counts": "SELECT diagnosis, count(*), min(cost), bool_or(urgent) FROM visits GROUP BY diagnosis",
    **{
        f"percentile_disc({fraction})": f"SELECT percentile_disc({fraction}) WITHIN GROUP (ORDER BY cost), percentile_disc({fraction}) WITHIN GROUP "
        f"(ORDER BY minutes DESC), percentile_disc({fraction}) WITHIN GROUP (ORDER BY visited_at::date) FROM visits"
        for fraction in ("0", "0.001", "0.01", "0.25", ".5", "5e-1", "0.75", "0.9", "0.99", "1", "1.0")
    },
    "an even number of rows": "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY height), percentile_disc(0.5) WITHIN GROUP (ORDER BY height DESC) "
    "FROM patients WHERE birth_year > 1940",
    "few rows": "SELECT birth_year, percentile_disc(0.5) WITHIN GROUP (ORDER BY height), percentile_disc(0.3) WITHIN GROUP (ORDER BY height DESC), "
    "count(*) FROM patients WHERE birth_year BETWEEN 1950 AND 1970 GROUP BY birth_year",
    "arrays": "SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost), percentile_disc(ARRAY[1, 0, .5, .5]) WITHIN GROUP "
    "(ORDER BY minutes) FROM visits",
    "array literals": "SELECT percentile_disc('{0.1,0.9}'::float8[]) WITHIN GROUP (ORDER BY minutes), percentile_disc('{0.5}'::float8[]) WITHIN GROUP "
    "(ORDER BY visited_at::date DESC) FROM visits",
    "arrays of few rows": "SELECT birth_year, percentile_disc(ARRAY[0.2, 0.25, 0.33, 0.5, 0.7, 0.75]) WITHIN GROUP (ORDER BY height), count(*) "
    "FROM patients WHERE birth_year BETWEEN 1950 AND 1990 GROUP BY birth_year",
    "arrays of ten rows": "SELECT percentile_disc(ARRAY[0.33, 0.7]) WITHIN GROUP (ORDER BY height), percentile_disc(ARRAY[0.17, 0.45, 0.33, 0.9]) "
    "WITHIN GROUP (ORDER BY height DESC) FROM patients WHERE patient_id <= 10",
    "typed fractions": "SELECT percentile_disc(0.5::float8) WITHIN GROUP (ORDER BY cost), percentile_disc(1 - 0.25) WITHIN GROUP (ORDER BY cost), "
    "percentile_disc(1/4.0) WITHIN GROUP (ORDER BY cost) FROM visits",
    "one value in half of the rows": "SELECT percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY CASE WHEN urgent THEN minutes ELSE 7 END) FROM visits",
    "filtered percentiles": "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FILTER (WHERE urgent), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FROM visits",
    "most frequent texts": "SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits WHERE region <> 'north' AND minutes < 35",
    "most frequent of public values": "SELECT mode() WITHIN GROUP (ORDER BY title), mode() WITHIN GROUP (ORDER BY r.zone) FROM visits v "
    "JOIN specialties USING (specialty_id) JOIN regions r ON r.name = v.region WHERE minutes < 60",
    "most frequent padded text": "SELECT mode() WITHIN GROUP (ORDER BY sex), mode() WITHIN GROUP (ORDER BY sex || 'x') FROM patients",
    "most frequent number": "SELECT mode() WITHIN GROUP (ORDER BY specialty_id), mode() WITHIN GROUP (ORDER BY birth_year / 10 * 10) FROM visits JOIN patients USING (patient_id)",
    "most frequent boolean": "SELECT mode() WITHIN GROUP (ORDER BY urgent), mode() WITHIN GROUP (ORDER BY cost > 300) FILTER (WHERE minutes > 3) FROM visits",
    "most frequent month": "SELECT mode() WITHIN GROUP (ORDER BY date_trunc('year', visited_at)), mode() WITHIN GROUP (ORDER BY extract(dow FROM seen_at)) FROM visits WHERE cost < 77",
    "most frequent of a list": "SELECT mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits WHERE diagnosis IN ('diagnosis 1', 'diagnosis 2') AND minutes > 20",
    "most frequent by key": "SELECT region, mode() WITHIN GROUP (ORDER BY specialty_id), count(*) FROM visits WHERE minutes < 13 GROUP BY region",
    "whether any": "SELECT bool_or(urgent), bool_or(minutes > 118), bool_or(minutes > 500), bool_or(cost IS NULL) FROM visits",
    "whether all": "SELECT bool_and(minutes < 500), every(minutes < 119), bool_and(urgent), every(visited_at > '2023-01-01') FROM visits",
    "whether any by key": "SELECT region, bool_or(minutes > 118) FILTER (WHERE urgent), bool_and(DISTINCT minutes < 200), count(*) FROM visits GROUP BY region",
    "join with a public table": "SELECT r.zone, max(v.minutes), min(r.population), bool_or(r.population > 1000) FROM visits v JOIN regions r ON r.name = v.region "
    "WHERE r.population > 700 GROUP BY r.zone".replace(", min(r.population)", ""),
    "left join": "SELECT p.sex, max(v.cost), min(v.minutes) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.sex",
    "public rows that nobody has": "SELECT r.name, max(v.cost), percentile_disc(0.5) WITHIN GROUP (ORDER BY v.minutes), bool_or(v.urgent), count(v.visit_id) FROM regions r "
    "LEFT JOIN visits v ON v.region = r.name WHERE r.name <> 'nowhere' GROUP BY r.name",
    "derived table": "SELECT region, max(m), percentile_disc(0.5) WITHIN GROUP (ORDER BY m), count(*) FROM (SELECT region, minutes * 2 AS m FROM visits WHERE urgent) AS v GROUP BY region",
    "rows of each person aggregated": "SELECT max(n), min(n), percentile_disc(0.5) WITHIN GROUP (ORDER BY n), max(m) FROM "
    "(SELECT patient_id, least(greatest(count(*), 0), 2000) AS n, max(minutes) AS m FROM visits GROUP BY patient_id) AS v",
    "latest date of each person": "SELECT min(latest), percentile_disc(0.5) WITHIN GROUP (ORDER BY latest) FROM (SELECT patient_id, registered AS latest FROM patients) AS x",
    "feedback": "SELECT max(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits WHERE cost > (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FROM visits)",
    "a fed back maximum": "SELECT count(*) FROM visits WHERE minutes = (SELECT max(minutes) FROM visits)",
    "beside other aggregates": "SELECT count(*), max(cost), sum(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), avg(minutes), mode() WITHIN GROUP (ORDER BY region) "
    "FROM visits WHERE minutes < 63",
    "expressions above": "SELECT region, 'from ' || min(minutes) || ' to ' || max(minutes), round(100.0 * percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) / max(cost), 1) FROM visits WHERE region <> 'nowhere' GROUP BY region",
    "having and order": "SELECT region FROM visits WHERE region <> 'nowhere' GROUP BY region HAVING max(minutes) > 5 AND NOT bool_and(urgent) ORDER BY percentile_disc(0.3) WITHIN GROUP (ORDER BY cost) DESC, region",
    "windows above": "SELECT region, rank() OVER (ORDER BY max(cost) DESC), max(max(minutes)) OVER () FROM visits WHERE region <> 'nowhere' GROUP BY region",
    "subquery above": "SELECT max(m) FROM (SELECT region, min(cost) AS m FROM visits WHERE region <> 'nowhere' GROUP BY region) AS g",
    "names": "SELECT min(cost), max(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), mode() WITHIN GROUP (ORDER BY urgent), bool_and(urgent), every(urgent) FROM visits",
}
"""Queries that a huge epsilon answers as Postgres does."""


def policy(*, chooses: bool = False) -> Policy:
    """Answers exactly, with fixed limits or those that each choice finds out; its delta is enough for every selection of
    keys here. Where rows are cut between several fractions is found out with a hundredth of the price, and between a
    row and the bounds 1e-3 of a value is 5e-7 of the row: epsilon 1e13 was missed by one answer in 2000 there."""
    exact = {
        "budget": {"epsilon": "1e20", "delta": "0.4"},
        "per_analyst": {"epsilon": "1e19", "delta": "0.3"},
        "query": {"epsilon": "1e15", "delta": "1e-3"},
        "contribution": {} if chooses else {"max_rows": 2000, "max_rows_per_group": 2000},
    }
    content = clinic.policy(visits=exact, patients=exact).model_dump(exclude_none=True)
    content["tables"]["public.visits"]["columns"]["ratio"]["step"] = "0.125"
    content["tables"]["public.visits"]["columns"]["seen_at"]["bounds"] = [dt.date(2024, 1, 1), dt.date(2025, 12, 10)]
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def exact(proxies: StartProxy) -> RunningProxy:
    return proxies(policy())


@pytest.fixture(scope="module")
def choosing(proxies: StartProxy) -> RunningProxy:
    return proxies(policy(chooses=True))


Connections = tuple[psycopg.Connection, psycopg.Connection]


@pytest.fixture(scope="module", params=["exact", "choosing"], ids=["fixed", "chosen"])
def connections(request: pytest.FixtureRequest) -> Iterator[Connections]:
    """A client of a proxy, and one of the source itself."""
    exact: RunningProxy = request.getfixturevalue(request.param)
    with exact.connect() as client, psycopg.connect(exact.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        for connection in (client, source):
            connection.execute("SET TimeZone = 'Europe/Paris'")
        yield client, source


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres(query: str, connections: Connections) -> None:
    client, source = connections
    answered, expected = client.execute(query.encode()), source.execute(query.encode())
    assert [(c.name, c.type_code) for c in answered.description or ()] == [
        (c.name, c.type_code) for c in expected.description or ()
    ]
    rows, wanted = answered.fetchall(), expected.fetchall()
    if "ORDER BY" not in query.rpartition("GROUP BY")[2]:
        rows, wanted = sorted(rows, key=repr), sorted(wanted, key=repr)
    assert len(rows) == len(wanted)
    for row, wanted_row in zip(rows, wanted, strict=True):
        assert_same(row, wanted_row)


INTERPOLATED = {
    "the median": "percentile_cont(0.5) WITHIN GROUP (ORDER BY cost), median(minutes)",
    "whole numbers": "percentile_cont(0.25) WITHIN GROUP (ORDER BY minutes), percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes DESC)",
    "the ends": "percentile_cont(0) WITHIN GROUP (ORDER BY cost), percentile_cont(ARRAY[0, 1]) WITHIN GROUP (ORDER BY minutes)",
    "quartiles": "percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost), percentile_cont(0.37) WITHIN GROUP (ORDER BY minutes)",
    "an array with its ends": "percentile_cont(ARRAY[0, 0.3, 0.5, 0.7, 1]) WITHIN GROUP (ORDER BY cost DESC)",
    "expressions": "percentile_cont(0.1) WITHIN GROUP (ORDER BY -cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes * 3 + 1) FILTER (WHERE urgent)",
    "beside discrete ones": "percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)",
}


@pytest.mark.parametrize("wanted", INTERPOLATED.values(), ids=INTERPOLATED.keys())
@pytest.mark.parametrize(
    "visits", ["cost > 0", "visit_id < 80", "visit_id < 81", "visit_id IN (7, 11, 13, 20, 21, 31)", "visit_id = 60"]
)
def test_percentile_cont_interpolates_as_postgres_does(visits: str, wanted: str, connections: Connections) -> None:
    client, source = connections
    query = f"SELECT {wanted}, count(*) FROM visits WHERE {visits} AND cost > 0 AND minutes > 0".encode()
    plain = query.replace(b"median(minutes)", b"percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)")
    ((*answered, _),), ((*expected, rows),) = client.execute(query).fetchall(), source.execute(plain).fetchall()
    assert rows > 0
    flat = [
        [x for value in row for x in (value if isinstance(value, list) else [value])] for row in (answered, expected)
    ]
    assert_same(*flat)


def test_interpolated_percentiles_of_groups_are_postgres_own(connections: Connections) -> None:
    query = (
        "SELECT birth_year, percentile_cont(0.5) WITHIN GROUP (ORDER BY height), "
        "percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY height DESC), count(*) "
        "FROM patients WHERE birth_year BETWEEN 1950 AND 1970 GROUP BY birth_year HAVING count(*) > 2 ORDER BY 1"
    )
    client, source = connections
    answered, expected = client.execute(query).fetchall(), source.execute(query).fetchall()
    assert len(answered) == len(expected) > 5
    for (year, median, quartiles, rows), wanted in zip(answered, expected, strict=True):
        assert_same((year, median, *quartiles, rows), (wanted[0], wanted[1], *wanted[2], wanted[3]))


def test_a_timestamp_is_rounded_down_to_the_step_that_explain_shows(connections: Connections) -> None:
    query = "SELECT min(visited_at), max(visited_at), max(seen_at) FROM visits"
    client, source = connections
    plan = "\n".join(line for (line,) in client.execute(f"EXPLAIN {query}".encode()))
    assert plan.count("in steps of 0:05:00;") == 2
    assert plan.count("in steps of 0:01:00;") == 1
    ((*rounded, seen),) = client.execute(query).fetchall()
    ((*exact, exactly_seen),) = source.execute(query).fetchall()
    for value, wanted in zip(rounded, exact, strict=True):
        assert dt.timedelta() <= wanted - value < dt.timedelta(minutes=5)
    assert seen == exactly_seen


def test_declared_values_of_another_length_are_found_in_padded_columns(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("ALTER TABLE patients ALTER sex TYPE char(4)")
        query = "SELECT mode() WITHIN GROUP (ORDER BY sex), count(*) FROM patients WHERE sex = 'M' OR patient_id < 9"
        expected = owner.execute(query).fetchall()
    with proxies(policy(), source=source).connect() as client:
        assert client.execute(query).fetchall() == expected


@pytest.mark.parametrize("nothing", ["minutes < -5", "false"])
def test_a_choice_from_nothing_is_null_where_rows_are_counted_and_empty_groups_hidden(
    nothing: str, connections: Connections
) -> None:
    query = (
        f"SELECT max(minutes), percentile_disc(ARRAY[0.5, 1]) WITHIN GROUP (ORDER BY cost), min(visited_at::date), "
        f"mode() WITHIN GROUP (ORDER BY urgent), count(*) FROM visits WHERE {nothing}"
    )
    client, _ = connections
    assert client.execute(query.encode()).fetchall() == [(None, None, None, None, 0)]


def test_a_choice_from_nothing_is_null_whether_groups_are_hidden_or_not(connections: Connections) -> None:
    """Hidden, the block counts rows itself; shown, one of a hundred is a declared value."""
    client, _ = connections
    query = "SELECT max(minutes), mode() WITHIN GROUP (ORDER BY region), min(visited_at::date), max(seen_at::date) FROM visits WHERE minutes < -6"
    assert client.execute(query).fetchall() == [(None, None, None, None)]
    client.execute("SET dp.empty_groups = 'show'")
    client.execute("SET dp.recall = off")
    found = [value for _ in range(20) for row in client.execute(query).fetchall() for value in row]
    client.execute("RESET dp.recall")
    client.execute("SET dp.empty_groups = 'hide'")
    assert found.count(None) >= 70


def test_a_join_without_rows_has_no_extreme(connections: Connections) -> None:
    client, _ = connections
    client.execute("SET dp.recall = off")
    client.execute("SET dp.empty_groups = 'show'")
    query = "SELECT max(cost) FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND p.height < 0"
    found = [row for _ in range(20) for row in client.execute(query).fetchall()]
    client.execute("SET dp.empty_groups = 'hide'")
    client.execute("RESET dp.recall")
    assert found.count((None,)) >= 15


def test_of_a_group_without_values_none_is_made_up(connections: Connections) -> None:
    """Its rows are counted, whether the session hides groups without rows or not; its values are not."""
    client, source = connections
    query = "SELECT cost IS NULL AS missing, count(*), min(cost), max(cost) FROM visits GROUP BY 1 ORDER BY 1"
    client.execute("SET dp.recall = off")
    found = [client.execute(query).fetchall() for _ in range(20)]
    client.execute("RESET dp.recall")
    ((_, none, least, most),) = [row for row in source.execute(query).fetchall() if row[0]]
    assert (least, most) == (None, None)
    values = [row[2:] for rows in found for row in rows if row[0]]
    assert values.count((None, None)) >= 15
    assert all(row[1] == none for rows in found for row in rows if row[0])
    assert all(None not in row for rows in found for row in rows if not row[0])


NOISY = (
    "SELECT region, max(cost), percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY minutes), "
    "mode() WITHIN GROUP (ORDER BY region), bool_or(urgent) FROM visits GROUP BY region ORDER BY region"
)


def rows_and_prices(connection: psycopg.Connection, query: str) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The answer, and what the notices say of its price."""
    said: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        said.append(diagnostic.message_primary or "")

    connection.add_notice_handler(note)
    try:
        return connection.execute(query.encode()).fetchall(), said
    finally:
        connection.remove_notice_handler(note)


def test_chosen_values_are_recalled_by_spellings_analysts_and_after_a_restart(
    stage_cluster: EmbeddedPostgres, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source, ledger = copy_clinic(), ensure_database(stage_cluster.dsn(), "ledger_of_choices")
    first = proxies(clinic.policy(), source=source, ledger=ledger)
    with first.connect() as ana, first.connect("bob") as bob:
        answer, (price,) = rows_and_prices(ana, NOISY)
        assert "charged" in price
        assert len({row[1] for row in answer}) > 1, "epsilon is small, so groups differ"
        spelled = NOISY.replace("visits", "public.visits AS v").replace("max(cost)", "MAX(v.cost)")
        assert rows_and_prices(ana, spelled)[0] == answer
        assert rows_and_prices(bob, NOISY)[0] == answer
        again, _ = rows_and_prices(ana, NOISY.replace("0.25, 0.75", "0.25, 0.76"))
        assert [row[1] for row in again] != [row[1] for row in answer]
    second = proxies(clinic.policy(), source=source, ledger=ledger)
    with second.connect() as ana:
        recalled, (price,) = rows_and_prices(ana, NOISY)
    assert recalled == answer
    assert "charged" not in price


def test_continuous_percentiles_are_one_question_in_either_order_and_no_discrete_one(proxies: StartProxy) -> None:
    query = "SELECT percentile_{}) FROM visits"
    with proxies().connect() as client:
        first, (price,) = rows_and_prices(client, query.format("cont(0.25) WITHIN GROUP (ORDER BY minutes"))
        again, (recalled,) = rows_and_prices(client, query.format("cont(0.75) WITHIN GROUP (ORDER BY minutes DESC"))
        _, (other,) = rows_and_prices(client, query.format("disc(0.25) WITHIN GROUP (ORDER BY minutes"))
    assert first == again
    assert ["charged" in said for said in (price, recalled, other)] == [True, False, True]


TYPED = (
    "SELECT max(cost) AS cost, min(ratio) AS ratio, max(registered) AS day, min(seen_at::timestamp) AS moment, percentile_disc(ARRAY[0, 1]) "
    "WITHIN GROUP (ORDER BY minutes) AS minutes, bool_and(urgent) AS urgent, mode() WITHIN GROUP (ORDER BY sex) AS sex "
    "FROM visits JOIN patients USING (patient_id) WHERE cost < 80"
)


def test_binary_results_have_postgres_own_types(connections: Connections) -> None:
    client, source = connections
    binary = [connection.execute(TYPED.encode(), binary=True).fetchall() for connection in (client, source)]
    assert binary[0] == binary[1]
    assert [type(value) for value in binary[0][0]] == [type(value) for value in binary[1][0]]


@pytest.mark.parametrize("fraction", [0.5, Decimal("0.5"), 1])
def test_a_fraction_can_be_a_parameter(fraction: object, connections: Connections) -> None:
    client, source = connections
    query = b"SELECT percentile_disc(%s) WITHIN GROUP (ORDER BY cost) FROM visits WHERE minutes > %s"
    assert client.execute(query, [fraction, 7]).fetchall() == source.execute(query, [fraction, 7]).fetchall()


def test_fractions_can_be_an_array_parameter(connections: Connections) -> None:
    client, source = connections
    query = b"SELECT percentile_disc(%s) WITHIN GROUP (ORDER BY cost) FROM visits"
    fractions = [[0.25, 0.5]]
    assert client.execute(query, fractions).fetchall() == source.execute(query, fractions).fetchall()


def test_asyncpg_reads_the_types_of_postgres(exact: RunningProxy) -> None:
    async def ask(dsn: dict[str, Any]) -> tuple[Any, ...]:
        connection = await asyncpg.connect(**dsn, ssl=False)
        try:
            await connection.execute("SET TimeZone = 'Europe/Paris'")
            row = await connection.fetchrow(TYPED.replace("cost < 80", "cost < $1"), Decimal(81))
            fraction = await connection.fetchval(
                "SELECT percentile_disc($1) WITHIN GROUP (ORDER BY cost) FROM visits", 0.25
            )
            return (*row.values(), fraction)
        finally:
            await connection.close()

    def address(dsn: str) -> dict[str, Any]:
        parts = psycopg.conninfo.conninfo_to_dict(dsn)
        names = {"host": "host", "port": "port", "dbname": "database", "user": "user", "password": "password"}
        return {names[name]: value for name, value in parts.items() if name in names}

    answers = [asyncio.run(ask(address(dsn))) for dsn in (exact.dsn(), exact.options.source_dsn)]
    assert answers[0] == answers[1]
    assert [type(value) for value in answers[0]] == [type(value) for value in answers[1]]


def test_psql_shows_them_as_postgres_does(exact: RunningProxy) -> None:
    query = "SELECT urgent, max(cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes), bool_or(minutes > 3) FROM visits GROUP BY urgent ORDER BY urgent;"
    lines = psql(exact, "SET dp.notices = off;", query).stdout.splitlines()
    assert " urgent |  max   | percentile_cont | bool_or " in lines
    assert sum(line.endswith("| t") for line in lines) >= 2

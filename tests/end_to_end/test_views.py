"""Views that the policy lists stand for their queries: proven, bounded and paid for like the tables that they read."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

VIEWS = """
CREATE VIEW urgent_visits AS
    SELECT v.visit_id, v.patient_id, v.cost / NULLIF(v.minutes, 0) AS rate, v.cost, p.sex, r.zone
    FROM visits v JOIN patients p USING (patient_id) LEFT JOIN regions r ON r.name = v.region WHERE v.urgent;
CREATE VIEW totals (id, visits, total) AS SELECT patient_id, count(*), sum(cost) FROM visits GROUP BY patient_id;
CREATE VIEW big_totals AS SELECT * FROM totals WHERE total > 1000;
CREATE VIEW by_region AS SELECT region, count(*) AS n, avg(cost) AS usual FROM visits GROUP BY region;
CREATE VIEW unreadable AS SELECT patient_id, region FROM visits ORDER BY region USING ~<~;
ALTER TABLE visits ADD COLUMN note text DEFAULT 'private';
CREATE VIEW all_visits AS SELECT v.*, p.sex FROM visits v JOIN patients p USING (patient_id);
CREATE VIEW few_columns AS SELECT * FROM visits;
CREATE VIEW ranked AS SELECT visit_id, rank() OVER (ORDER BY cost) AS place FROM visits;
CREATE VIEW mixed AS SELECT v.region, p.sex FROM visits v JOIN patients p ON p.patient_id = v.visit_id;
CREATE VIEW of_mixed AS SELECT sex, count(*) AS n FROM mixed GROUP BY sex;
"""

QUERIES = {
    "a join": "SELECT zone, sex, count(*), sum(cost) FROM urgent_visits GROUP BY 1, 2",
    "beside its tables": "SELECT p.smoker, count(*) FROM urgent_visits u JOIN patients p ON p.patient_id = u.patient_id GROUP BY 1",
    "rows of each person": "SELECT count(*), avg(visits), sum(total) FROM totals",
    "a view of a view": "SELECT visits, count(*) FROM public.big_totals AS b GROUP BY visits",
    "a released view": "SELECT region, n FROM by_region WHERE n > (SELECT avg(n) FROM by_region)",
    "a released view among rows": "SELECT count(*) FROM visits v JOIN by_region b ON b.region = v.region WHERE v.cost > b.usual",
    "inside a cte": "WITH u AS (SELECT * FROM urgent_visits WHERE cost > 10) SELECT count(*), count(DISTINCT patient_id) FROM u",
    "of all columns, one of which nobody may see": "SELECT sex, count(*), sum(cost) FROM all_visits GROUP BY 1",
    "of all columns, with a list": "SELECT region, count(*), sum(cost) FROM few_columns GROUP BY region",
    "renamed": "SELECT sum(b) FROM totals AS t (a, b)",
}


@pytest.fixture(scope="module")
def viewed(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """An exact proxy whose policy lists views."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(VIEWS)
    policy = clinic.exact_policy()
    content = policy.model_dump(mode="python", exclude_unset=True)
    content = copy.deepcopy(content)
    for name in ("urgent_visits", "totals", "big_totals", "by_region", "unreadable", "all_visits", "mixed", "of_mixed"):
        content["tables"][f"public.{name}"] = {"view": True}
    content["tables"]["public.few_columns"] = {"view": True, "columns": {"visit_id": {}, "region": {}, "cost": {}}}
    content["tables"]["public.ranked"] = {"view": True, "columns": {"place": {}}}
    return proxies(Policy.model_validate(content), source=source)


@pytest.fixture(scope="module")
def connections(viewed: RunningProxy) -> Iterator[Connections]:
    """A client of the proxy, and one of the source itself."""
    with client_and_source(viewed) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_question_about_a_view_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_view_is_charged_to_the_tables_that_it_reads(viewed: RunningProxy) -> None:
    with viewed.connect() as client:
        plan = [row[0] for row in client.execute("EXPLAIN SELECT count(*) FROM urgent_visits")]
    assert any("table:public.patients" in line for line in plan)
    assert any("table:public.visits" in line for line in plan)


def test_view_over_several_people_is_refused(viewed: RunningProxy) -> None:
    with (
        viewed.connect() as client,
        pytest.raises(psycopg.errors.FeatureNotSupported, match="more than one privacy unit") as refusal,
    ):
        client.execute("SELECT count(*) FROM ranked WHERE place < 10")
    assert "in the query of the view public.ranked: ask the data steward" in str(refusal.value.diag.message_hint)


@pytest.mark.parametrize("view", ["mixed", "of_mixed"])
def test_what_a_view_is_refused_for_is_said_to_be_in_its_query(view: str, viewed: RunningProxy) -> None:
    """Its aliases are none of the client's."""
    with viewed.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported, match="this join") as refusal:
        client.execute(f"SELECT count(*) FROM {view} AS m".encode())
    hint = refusal.value.diag.message_hint or ""
    assert "v.patient_id = p.patient_id" in hint
    assert "in the query of the view public.mixed: " in hint


def test_what_a_client_writes_beside_a_view_is_not_said_to_be_in_its_query(viewed: RunningProxy) -> None:
    query = b"SELECT count(*) FROM urgent_visits u JOIN patients p ON p.patient_id = u.visit_id"
    with viewed.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported, match="this join") as refusal:
        client.execute(query)
    assert "view" not in (refusal.value.diag.message_hint or "")


def test_rows_of_a_view_are_refused(viewed: RunningProxy) -> None:
    with viewed.connect() as client, pytest.raises(psycopg.errors.InsufficientPrivilege, match="would return rows"):
        client.execute("SELECT rate FROM urgent_visits")


def test_columns_that_the_policy_does_not_list_are_hidden(viewed: RunningProxy) -> None:
    with viewed.connect() as client, pytest.raises(psycopg.errors.UndefinedColumn):
        client.execute("SELECT count(visit_id) FROM ranked")


def test_view_whose_definition_cannot_be_parsed_is_refused(viewed: RunningProxy) -> None:
    with (
        viewed.connect() as client,
        pytest.raises(psycopg.errors.FeatureNotSupported, match="could not parse the definition"),
    ):
        client.execute("SELECT count(*) FROM unreadable")


def test_views_are_tables_to_a_client(viewed: RunningProxy) -> None:
    with viewed.connect() as client:
        rows = client.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'totals' ORDER BY ordinal_position"
        ).fetchall()
    assert rows == [("id",), ("visits",), ("total",)]


@pytest.mark.parametrize(
    ("view", "error"),
    [("all_visits", psycopg.errors.InsufficientPrivilege), ("few_columns", psycopg.errors.UndefinedColumn)],
)
def test_a_view_hands_on_no_column_that_the_policy_does_not_list(
    view: str, error: type[psycopg.Error], connections: Connections
) -> None:
    with pytest.raises(error, match="note"):
        connections[0].execute(f"SELECT count(note) FROM {view}".encode())

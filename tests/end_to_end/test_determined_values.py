"""MIN and MAX of what the group determines is that value; of anything else they stay what they are."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy


@pytest.fixture(scope="module")
def exact(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(clinic.exact_policy(chooses=True))) as both:
        yield both


TOTALS = "(SELECT region, sum(cost) AS total FROM visits GROUP BY region)"
DETERMINED = {
    "the key": "SELECT region, min(region), max(region), count(*) FROM visits GROUP BY region",
    "Tableau's attribute": "SELECT region AS r, CASE WHEN min(region) = max(region) THEN min(region) ELSE '*' END AS a, "
    "count(*) FROM visits GROUP BY 1",
    "an expression that is a key": "SELECT date_trunc('month', visited_at) AS m, min(date_trunc('month', visited_at)), "
    "count(*) FROM visits GROUP BY 1",
    "an expression of a key": "SELECT region, min(upper(region)) || '!', count(*) FROM visits GROUP BY region "
    "HAVING max(region) > 'f' ORDER BY min(region) DESC",
    "a public column by its table's key": "SELECT v.region, min(r.zone), max(r.population) AS p, count(*) FROM visits v "
    "JOIN regions r ON r.name = v.region GROUP BY v.region",
    "a public column by WHERE": "SELECT r.name, min(r.zone), count(*) FROM visits v, regions r WHERE r.name = v.region "
    "GROUP BY r.name",
    "a public column of an outer join": "SELECT v.region, min(r.zone), count(*) FROM visits v LEFT JOIN regions r "
    "ON r.name = v.region AND r.population > 900 GROUP BY v.region",
    "a public column by USING": "SELECT specialty_id, max(title), count(*) FROM visits JOIN specialties USING (specialty_id) "
    "GROUP BY 1",
    "a public column of a subquery": "SELECT region, min(zone), count(*) FROM visits JOIN (SELECT name AS region, "
    "lower(zone) AS zone FROM regions) q USING (region) GROUP BY region",
    "a public row that nobody's row meets": "SELECT r.name, min(r.zone), count(v.visit_id) FROM regions r "
    "LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
    "a released number": f"SELECT v.region, min(t.total), count(*) FROM visits v JOIN {TOTALS} t ON t.region = v.region "
    "GROUP BY v.region",
    "a share of a released number": f"SELECT v.region, sum(cost) / max(t.total) FROM visits v JOIN {TOTALS} t "
    "USING (region) GROUP BY v.region",
}


@pytest.mark.parametrize("query", DETERMINED.values(), ids=DETERMINED.keys())
def test_it_equals_postgres_and_has_its_names(query: str, exact: Connections) -> None:
    assert_same_answer(query, exact)
    here, there = (connection.execute(query.encode()).description or () for connection in exact)
    assert [column.name for column in here] == [column.name for column in there]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region, min(region) FILTER (WHERE minutes > 3), count(*) FROM visits GROUP BY region",
        "SELECT region, min(region), count(*) FROM visits GROUP BY ROLLUP (region)",
        "SELECT zone, min(name), count(*) FROM visits JOIN regions ON name = region GROUP BY zone",
        "SELECT upper(region), min(region), count(*) FROM visits GROUP BY 1",
        "SELECT v.region, min(r.zone), count(*) FROM visits v JOIN regions r ON r.name = v.region OR r.population > 9 "
        "GROUP BY v.region",
        "SELECT v.region, min(r.zone), count(*) FROM visits v LEFT JOIN regions r ON r.name = v.region AND v.minutes > 9 "
        "GROUP BY v.region",
        "SELECT urgent, min(diagnosis), count(*) FROM visits GROUP BY urgent",
        "SELECT min(region) FROM visits",
    ],
)
def test_what_the_group_does_not_determine_stays_refused(query: str, exact: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        exact[0].execute(query.encode())
    assert "of text is not supported" in str(refusal.value.diag.message_primary) or "multiply" in str(
        refusal.value.diag.message_primary
    )

"""count(x) of stored texts and documents: whatever their size, and as many in one statement as a profiler asks for; and
what is read of members of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TABLE notes (id integer PRIMARY KEY, a text, b text, c text, d text, e text, f text, g text, h text, document jsonb,
    facts jsonb);
INSERT INTO notes SELECT i, CASE WHEN i % 3 > 0 THEN repeat('x', i * 50) END, CASE WHEN i % 5 > 0 THEN 'b' END, 'c', 'd', 'e', 'f', 'g',
    CASE WHEN i % 2 > 0 THEN '' END, CASE WHEN i % 7 > 0 THEN to_jsonb(repeat('y', i * 40)) END,
    jsonb_build_object('n', i % 100, 't', (i % 90)::text, 'in', jsonb_build_object('n', i % 9), 'd', i / 8.0, 'b', i % 2 = 0,
        'on', date '2024-01-01' + i % 60) FROM generate_series(1, 400) AS i;
"""
SAME = {
    "many columns": "SELECT count(*), count(a), count(b), count(c), count(d), count(e), count(f), count(g), count(h) FROM notes",
    "long documents": "SELECT count(document) FROM notes",
    "FILTER": "SELECT count(a) FILTER (WHERE id > 100), count(document) FILTER (WHERE h IS NOT NULL) FROM notes",
    "groups": "SELECT id > 200, count(a), count(document) FROM notes GROUP BY 1",
    "behind a subquery": "SELECT count(x) FROM (SELECT a AS x, id FROM notes) n WHERE id < 300",
    "computed": "SELECT count(b || 'x') FROM notes",
    "the inner side of an outer join": "SELECT count(m.a) FROM notes n LEFT JOIN notes m ON m.id = n.id AND m.id > 50",
}


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    columns: dict[str, object] = {name: {} for name in ("id", *"abcdefgh", "document", "facts")}
    notes = {"unit": {"name": "note", "column": "id"}, "columns": columns, **generous}
    content = {**clinic.POLICY, "units": {"note": {}}, "tables": {"public.notes": notes}}
    with over_tables(TABLE, Policy.model_validate(content), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_counts_of_values_that_are_present_are_postgres_own(query: str, both: Connections) -> None:
    assert_same_answer(query, both)


MEMBERS = {
    "integers": "SELECT count(*) FROM notes WHERE (facts ->> 'n')::int > 50",
    "texts of integers": "SELECT count(*) FROM notes WHERE (facts ->> 't')::smallint < 50 OR (facts #>> '{in,n}')::bigint = 7",
    "buckets": "SELECT width_bucket((facts ->> 'n')::int, 0, 100, 5), count(*) FROM notes GROUP BY 1",
    "decimals": "SELECT count(*) FROM notes WHERE (facts ->> 'd')::numeric >= 20.5",
    "booleans": "SELECT (facts ->> 'b')::boolean, count(*) FROM notes GROUP BY 1",
    "days": "SELECT count(*) FROM notes WHERE (facts ->> 'on')::date > '2024-02-10'",
}


@pytest.mark.parametrize("query", MEMBERS.values(), ids=MEMBERS)
def test_members_of_documents_are_read_as_values(query: str, both: Connections) -> None:
    assert_same_answer(query, both)

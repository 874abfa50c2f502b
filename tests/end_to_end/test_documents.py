"""Members of documents, and what is asked of them: with a huge epsilon, Postgres's own answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

FILLED = """
ALTER TABLE visits ADD COLUMN doc jsonb;
UPDATE visits SET doc = jsonb_build_object(
    'device', (ARRAY['ios', 'android', 'web'])[1 + visit_id % 3], 'n', visit_id % 7, 'amount', (visit_id % 100) / 10.0,
    'geo', jsonb_build_object('country', (ARRAY['de', 'fr'])[1 + visit_id % 2]), 'tags', jsonb_build_array('a', visit_id % 4));
UPDATE visits SET doc = '"device"' WHERE visit_id % 50 = 1;
UPDATE visits SET doc = '["device", null, 3]' WHERE visit_id % 50 = 2;
UPDATE visits SET doc = (SELECT jsonb_agg(''::text) || '["device"]' FROM generate_series(1, 2000)) WHERE visit_id = 3;
UPDATE visits SET doc = (SELECT jsonb_agg(''::text) || '["device"]' FROM generate_series(1, 1999)) WHERE visit_id = 4;
UPDATE visits SET doc = NULL WHERE visit_id = 5;
"""

CONDITIONS = {
    "a member": "doc ->> 'device' = 'ios'",
    "members of members": "doc -> 'geo' ->> 'country' = 'de' AND doc #>> '{geo,country}' <> 'fr'",
    "a number": "(doc ->> 'n')::int > 3",
    "a member as text": "doc -> 'geo' IS NOT NULL AND doc ->> 'geo' LIKE '%fr%'",
    "a constant object": """doc @> '{"device": "ios", "geo": {"country": "de"}, "n": 3}'""",
    "the other way round": """'{"device": "ios"}' <@ doc""",
    "an element": """doc @> '{"tags": ["a"]}'""",
    "an element that is a number": """doc -> 'tags' @> '[3]'""",
    "a constant array": """doc @> '["device"]' AND visit_id > 4""",
    "a key": "doc ? 'device' AND visit_id <> 3",
    "one of many keys": "doc ?| ARRAY['geo', 'place'] AND visit_id <> 3",
    "all keys": "doc ?& ARRAY['geo', 'tags'] AND visit_id <> 3",
    "a key of a member": "doc -> 'tags' ? 'a'",
    "six members": "doc ->> 'device' = 'ios' AND doc -> 'geo' ->> 'country' = 'de' AND (doc ->> 'n')::int > 1 "
    "AND doc ? 'tags' AND doc @> '{\"n\": 4}'",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute(FILLED)
    content = clinic.exact_policy().model_dump(exclude_none=True)
    content["tables"]["public.visits"]["columns"]["doc"] = {}
    with client_and_source(proxies(Policy.model_validate(content), source=source)) as both:
        yield both


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS.keys())
def test_answer_equals_postgres(condition: str, connections: Connections) -> None:
    assert_same_answer(f"SELECT count(*) FROM visits WHERE {condition}", connections)


def test_a_key_is_not_looked_for_in_a_long_array(connections: Connections) -> None:
    asked = "SELECT count(*) FROM visits WHERE {} AND visit_id IN (3, 4)"
    assert_same_answer(asked.format("doc ? 'device'"), connections, asked.format("doc ? 'device' AND visit_id = 4"))
    assert_same_answer(asked.format("doc ?| ARRAY['device']"), connections, asked.format("visit_id = 4"))


def test_members_are_keys_and_values(connections: Connections) -> None:
    devices = "doc ->> 'device' IN ('ios', 'android', 'web')"
    assert_same_answer(
        f"SELECT doc ->> 'device', doc -> 'geo' ->> 'country' = 'de', count(*), avg(least(greatest((doc ->> 'n')::int, 0), 6)) FROM visits WHERE {devices} GROUP BY 1, 2",
        connections,
    )


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM ({both}) t WHERE doc ->> 'device' = 'ios'",
        "SELECT count(*), sum(minutes) FROM ({both}) t",
        "SELECT region, sum(minutes) FROM ({both}) t GROUP BY region",
        "SELECT count(*) FROM ({both}) t (a, b, c, d) WHERE d = 'north'",
        "SELECT r.zone, count(*) FROM ({both}) t JOIN regions r ON r.name = t.region GROUP BY r.zone",
        "SELECT count(*) FROM ({both}) t JOIN regions r ON r.name = t.region WHERE EXISTS "
        "(SELECT FROM specialties s WHERE s.specialty_id = t.specialty_id AND s.title > 'd')",
    ],
)
def test_rows_of_several_queries_are_told_apart_by_what_is_read(query: str, connections: Connections) -> None:
    both = "SELECT * FROM visits WHERE cost > 900 UNION ALL SELECT * FROM visits WHERE minutes < 9"
    assert_same_answer(query.format(both=both), connections)

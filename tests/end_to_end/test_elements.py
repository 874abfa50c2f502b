"""unnest() and its like of values in private rows, in FROM, in SELECT lists and in EXISTS, as Postgres lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE people (person integer PRIMARY KEY, sex text, langs text, hobbies text[]);
CREATE TABLE events (
    id serial PRIMARY KEY, person integer NOT NULL REFERENCES people, tags text[], nums integer[], list text, doc jsonb,
    amount numeric(8, 2)
);
CREATE TABLE labels (tag text PRIMARY KEY, kind text NOT NULL);
CREATE TABLE films (film integer PRIMARY KEY, genres text, tags text[]);
CREATE TABLE ratings (
    id serial PRIMARY KEY, person integer NOT NULL REFERENCES people, film integer NOT NULL REFERENCES films, stars numeric(2, 1)
);
INSERT INTO labels VALUES ('a', 'x'), ('b', 'x'), ('c', 'y');
INSERT INTO people
SELECT i, (ARRAY['F', 'M'])[1 + i % 2], (ARRAY['Python;SQL', 'R', 'SQL;Java;C', '', NULL])[1 + i % 5],
    CASE WHEN i % 4 > 0 THEN (ARRAY['a', 'b', 'c'])[1:i % 4] END
FROM generate_series(1, 300) AS i;
INSERT INTO events (person, tags, nums, list, doc, amount)
SELECT 1 + i * 7 % 300, CASE WHEN i % 9 > 0 THEN (ARRAY['a', 'b', 'c', NULL])[1:i % 5] END, ARRAY[i % 3, i % 7],
    (ARRAY['x, y', 'y', 'z ,x,w', ''])[1 + i % 4],
    jsonb_build_object(
        'tags', CASE i % 6 WHEN 0 THEN '"s"' WHEN 1 THEN '[]' ELSE '["a", "b", 3, null]' END::jsonb, 'n', i % 3
    ), i % 90
FROM generate_series(1, 6000) AS i;
INSERT INTO films
SELECT i, (ARRAY['Drama', 'Comedy|Drama', 'Action|Thriller|Drama', 'Horror'])[1 + i % 4],
    CASE WHEN i % 2 = 0 THEN ARRAY['a', 'b'] ELSE ARRAY['c'] END
FROM generate_series(1, 500) AS i;
INSERT INTO ratings (person, film, stars) SELECT 1 + i * 7 % 300, 1 + i * 13 % 500, i % 10 / 2.0 FROM generate_series(1, 6000) AS i;
"""

ELEMENTS = {
    "of an array, with NULL": "SELECT tag, count(*) FROM events e, unnest(e.tags) AS tag GROUP BY 1",
    "of an array, without NULL": "SELECT tag, count(*) FROM events e, unnest(e.tags) AS tag WHERE tag IS NOT NULL GROUP BY 1",
    "with sums and units": "SELECT t.tag, count(*), round(sum(amount)), count(DISTINCT person) FROM events e CROSS JOIN LATERAL unnest(tags) AS t(tag) WHERE t.tag <> 'b' GROUP BY 1",
    "kept by LEFT JOIN": "SELECT t.tag, count(*) FROM events e LEFT JOIN LATERAL unnest(tags) AS t(tag) ON true GROUP BY 1",
    "kept by LEFT JOIN with a condition": "SELECT count(*), count(t.tag) FROM events e LEFT JOIN LATERAL unnest(tags) AS t(tag) ON t.tag <> 'a'",
    "joined with a condition": "SELECT count(*) FROM events e JOIN unnest(tags) AS t(tag) ON t.tag = 'a'",
    "of numbers": "SELECT n, count(*) FROM events e, unnest(nums) AS n GROUP BY 1",
    "sums of numbers": "SELECT sum(n), avg(n) FROM events e, unnest(nums) AS n WHERE n BETWEEN 0 AND 6",
    "by their place": "SELECT t.n, count(*) FROM events e, unnest(tags) WITH ORDINALITY AS t(tag, n) GROUP BY 1",
    "the first of each": "SELECT t.tag, count(*) FROM events e, unnest(tags) WITH ORDINALITY AS t(tag, n) WHERE n = 1 GROUP BY 1",
    "of a text that is split": "SELECT lang, count(*) FROM people p, unnest(string_to_array(p.langs, ';')) AS lang GROUP BY 1",
    "by string_to_table": "SELECT lang, count(*) FROM people p, string_to_table(langs, ';') AS lang GROUP BY 1",
    "by a pattern": "SELECT trim(x), count(*) FROM events e CROSS JOIN LATERAL regexp_split_to_table(list, '\\s*,\\s*') AS x GROUP BY 1",
    "of a document": "SELECT x, count(*) FROM events e CROSS JOIN LATERAL jsonb_array_elements_text(doc -> 'tags') AS x WHERE jsonb_typeof(doc -> 'tags') = 'array' GROUP BY 1",
    "of a document, by the name of its result": "SELECT value, count(*) FROM events e, jsonb_array_elements_text(e.doc -> 'tags') WHERE jsonb_typeof(doc -> 'tags') = 'array' GROUP BY 1",
    "of a document, by both names": "SELECT d.value, d, count(*) FROM events e CROSS JOIN LATERAL jsonb_array_elements_text(e.doc -> 'tags') AS d WHERE jsonb_typeof(doc -> 'tags') = 'array' GROUP BY 1, 2",
    "by the place in a text": "SELECT x.o, count(*) FROM events e CROSS JOIN LATERAL string_to_table(e.list, ',') WITH ORDINALITY AS x(w, o) GROUP BY 1",
    "by the place in a pattern": "SELECT w, ordinality, count(*) FROM events e CROSS JOIN LATERAL regexp_split_to_table(e.list, ',') WITH ORDINALITY AS x(w) GROUP BY 1, 2",
    "by the place in a document": "SELECT o, value, count(*) FROM events e, jsonb_array_elements_text(e.doc -> 'tags') WITH ORDINALITY AS x(value, o) WHERE o < 3 AND jsonb_typeof(doc -> 'tags') = 'array' GROUP BY 1, 2",
    "a window over a unit's groups of elements": "SELECT c, count(*) FROM (SELECT person, c, row_number() OVER (PARTITION BY person ORDER BY count(*) DESC, c) AS rn "
    "FROM events, unnest(tags) AS c WHERE c IS NOT NULL GROUP BY person, c) x WHERE rn = 1 GROUP BY c",
    "filtered in LATERAL": "SELECT d.c, count(*) FROM events e LEFT JOIN LATERAL (SELECT x FROM unnest(e.tags) x WHERE x <> 'a') d(c) ON true GROUP BY 1",
    "filtered in LATERAL, by other columns": "SELECT d.n, count(*), round(sum(e.amount)) FROM events e CROSS JOIN LATERAL (SELECT t.n FROM unnest(e.nums) AS t(n) "
    "WHERE t.n > 1 AND t.n < e.amount) d WHERE e.amount > 3 GROUP BY 1",
    "filtered in LATERAL, behind a comma": "SELECT word, count(*) FROM events e, LATERAL (SELECT w AS word FROM string_to_table(e.list, ',') AS w WHERE w <> '') AS d "
    "JOIN labels l ON true GROUP BY 1",
    "kept though none passes": "SELECT count(*), count(d.c) FROM events e LEFT JOIN LATERAL (SELECT x FROM unnest(e.tags) x WHERE x = 'none') d(c) ON d.c > ''",
    "selected from a call in LATERAL": "SELECT d.x, count(*) FROM events e CROSS JOIN LATERAL (SELECT x FROM unnest(e.tags) AS x) d GROUP BY 1",
    "joined with a public table": "SELECT l.kind, count(*) FROM events e CROSS JOIN unnest(e.tags) AS t(tag) JOIN labels l ON l.tag = t.tag GROUP BY 1",
    "beside the unit's own columns": "SELECT p.sex, t.tag, count(*) FROM events e JOIN people p USING (person) CROSS JOIN LATERAL unnest(e.tags) AS t(tag) GROUP BY 1, 2",
    "in a list": "SELECT tag, count(*), avg(amount) FROM events e, unnest(e.tags) AS tag WHERE tag IN ('a','b') GROUP BY 1",
    "in a subquery": "SELECT tag, count(*) FROM (SELECT person, tag FROM events, unnest(tags) AS tag) x GROUP BY 1",
    "counted for each unit": "SELECT n, count(*) FROM (SELECT person, count(DISTINCT tag) AS n FROM events, unnest(tags) AS tag GROUP BY 1) x GROUP BY 1",
    "distinct for each unit": "SELECT tag, count(*) FROM (SELECT DISTINCT person, tag FROM events, unnest(tags) AS tag) x GROUP BY 1",
    "selected in LATERAL": "SELECT x.tag, count(*) FROM events e, LATERAL (SELECT unnest(e.tags) AS tag) x GROUP BY 1",
    "in the SELECT list": "SELECT unnest(tags) AS tag, count(*) FROM events GROUP BY 1",
    "in the SELECT list of a CTE": "WITH t AS (SELECT person, amount, unnest(tags) AS tag FROM events) SELECT tag, count(*), round(sum(amount)) FROM t GROUP BY 1",
    "in the SELECT list of a subquery": "SELECT lang, count(*) FROM (SELECT unnest(string_to_array(langs, ';')) AS lang FROM people WHERE sex = 'F') x GROUP BY lang",
    "in EXISTS": "SELECT count(*) FROM events e WHERE EXISTS (SELECT 1 FROM unnest(e.tags) AS t(tag) WHERE t.tag = 'a')",
    "in EXISTS with any condition": "SELECT p.sex, count(*) FROM events e JOIN people p USING (person) WHERE EXISTS (SELECT 1 FROM unnest(e.tags) AS t(tag) WHERE t.tag LIKE 'b%' OR t.tag IS NULL) GROUP BY 1",
    "in NOT EXISTS": "SELECT count(*) FROM events e WHERE NOT EXISTS (SELECT 1 FROM unnest(e.tags) AS t(tag) WHERE t.tag > 'a')",
    "in EXISTS, compared with the row": "SELECT count(*) FROM events e WHERE EXISTS (SELECT 1 FROM unnest(string_to_array(e.list, ', ')) AS t(tag) WHERE t.tag = (e.doc ->> 'n') OR t.tag = 'y')",
    "of other rows of the unit, in EXISTS": "SELECT count(*) FROM people p WHERE EXISTS (SELECT 1 FROM events e, unnest(e.tags) AS t(tag) WHERE e.person = p.person AND t.tag = 'c')",
    "of other rows of the unit, in IN": "SELECT count(*) FROM people p WHERE p.person IN (SELECT e.person FROM events e CROSS JOIN LATERAL unnest(e.tags) AS t(tag) WHERE t.tag = 'c')",
    "joined with the unit's other rows": "SELECT h, count(DISTINCT p.person), count(*) FROM people p CROSS JOIN LATERAL unnest(p.hobbies) h JOIN events e ON e.person = p.person AND h = ANY(e.tags) GROUP BY 1",
    "repeated by a join": "SELECT h, count(*) FROM people p JOIN events e ON e.person = p.person CROSS JOIN LATERAL unnest(p.hobbies) h GROUP BY 1",
    "counted for each unit, with none": "SELECT n, count(*) FROM (SELECT p.person, count(h) AS n FROM people p LEFT JOIN LATERAL unnest(p.hobbies) h ON true GROUP BY 1) x GROUP BY 1",
    "in totals": "SELECT p.sex, h, count(*) FROM people p, unnest(hobbies) h WHERE h IN ('a','b') GROUP BY ROLLUP(p.sex, h)",
    "in a union": "SELECT h, count(*) FROM (SELECT person, unnest(hobbies) AS h FROM people UNION ALL SELECT person, unnest(tags) FROM events) x GROUP BY 1",
    "joined along the unit": "SELECT count(*) FROM (SELECT person, unnest(tags) AS tag FROM events) a JOIN people p ON p.person = a.person AND a.tag = ANY(p.hobbies)",
    "inside a function": "SELECT trim(unnest(string_to_array(list, ','))) AS x, count(*) FROM events GROUP BY 1",
    "as DISTINCT": "SELECT DISTINCT unnest(tags) FROM events ORDER BY 1",
    "ordered by their count": "SELECT unnest(tags) AS tag, count(*) AS n FROM events GROUP BY tag ORDER BY n DESC LIMIT 2",
    "with shares": "WITH s AS (SELECT person, unnest(tags) AS tag, amount FROM events WHERE amount > 10), g AS (SELECT tag, count(*) AS n, avg(amount) AS a FROM s GROUP BY tag) SELECT tag, n, round(a, 2), n * 100.0 / sum(n) OVER () FROM g ORDER BY n DESC",
    "extremes": "SELECT max(n), min(n), avg(n) FROM events, unnest(nums) AS n WHERE n BETWEEN 0 AND 6",
    "percentiles": "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY n) FROM events, unnest(nums) AS n WHERE n BETWEEN 0 AND 6",
    "of a document, in a list": "SELECT x, count(*) FROM events e, jsonb_array_elements_text(e.doc -> 'tags') x WHERE jsonb_typeof(e.doc->'tags') = 'array' AND x IN ('a','3') GROUP BY x",
    "of elements": "SELECT w, count(*) FROM events e, unnest(e.tags) AS t(tag), LATERAL unnest(string_to_array(t.tag || ' z', ' ')) AS w GROUP BY 1",
    "without an alias": "SELECT unnest, count(*) FROM events, unnest(tags) GROUP BY 1",
}

OF_PUBLIC_ROWS = {
    "of a public array beside private rows": "SELECT t, count(*) FROM ratings r JOIN films f USING (film), unnest(f.tags) AS t GROUP BY 1",
    "of a public text beside private rows": "SELECT g, count(*), avg(stars) FROM ratings r JOIN films f USING (film) "
    "CROSS JOIN LATERAL unnest(string_to_array(f.genres, '|')) AS g GROUP BY 1",
    "of a public array in the SELECT list": "SELECT unnest(f.tags) AS t, count(*) FROM ratings r JOIN films f USING (film) GROUP BY 1",
    "in a public CTE": "WITH g AS (SELECT film, unnest(string_to_array(genres, '|')) AS genre FROM films) "
    "SELECT genre, count(*), avg(stars) FROM ratings JOIN g USING (film) GROUP BY genre",
    "in a public subquery": "SELECT g.tag, count(*) FROM ratings r JOIN (SELECT film, unnest(tags) AS tag FROM films) g ON g.film = r.film GROUP BY 1",
}

_BESIDE = "VALUES and functions in FROM cannot read the private rows beside them"

REFUSED = {
    "numbers up to one of the row": (
        "SELECT count(*) FROM events e, unnest(e.nums) AS n, generate_series(1, n) AS g",
        _BESIDE,
    ),
    "in IN": ("SELECT count(*) FROM events e WHERE 'c' IN (SELECT t.tag FROM unnest(e.tags) AS t(tag))", _BESIDE),
    "beside a window": (
        "SELECT tag, count(*) FROM (SELECT unnest(tags) AS tag, row_number() OVER (PARTITION BY person ORDER BY id) AS n FROM events) x "
        "WHERE n = 1 GROUP BY 1",
        "the function unnest(), which returns several rows, is not supported over private rows",
    ),
    "of public rows that have none of a unit beside them": (
        "SELECT t, count(r.id) FROM films f CROSS JOIN unnest(f.tags) AS t JOIN ratings r ON r.film = f.film GROUP BY 1",
        _BESIDE,
    ),
    "of two arrays": ("SELECT count(*) FROM events e, unnest(e.tags, e.nums) AS t(a, b)", _BESIDE),
}


def _policy() -> Policy:
    def table(**columns: object) -> dict[str, object]:
        return {
            "unit": {"name": "person", "column": "person"},
            "budget": {"epsilon": "1e12", "delta": "1e-6"},
            "query": {"epsilon": "1e7", "max_epsilon": "1e8"},
            "columns": columns,
        }

    tables = {
        "public.people": table(person={}, sex={"values": ["F", "M"]}, langs={}, hobbies={}),
        "public.events": table(id={}, person={}, tags={}, nums={}, list={}, doc={}, amount={"bounds": [0, 100]}),
        "public.ratings": table(id={}, person={}, film={}, stars={"bounds": [0, 5], "step": "0.5"}),
        "public.labels": {"public": True},
        "public.films": {"public": True},
    }
    return Policy.model_validate(clinic.POLICY | {"units": {"person": {}}, "tables": tables})


@pytest.fixture(scope="module")
def connections(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    with over_tables(TABLES, _policy(), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", ELEMENTS.values(), ids=ELEMENTS.keys())
def test_elements_of_values_in_private_rows_are_those_of_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", OF_PUBLIC_ROWS.values(), ids=OF_PUBLIC_ROWS.keys())
def test_elements_of_values_in_public_rows_are_those_of_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_other_rows_that_are_made_of_private_rows_are_refused(
    query: str, message: str, connections: Connections
) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        connections[0].execute(query.encode())
    assert refusal.value.diag.message_primary == message


def test_the_first_fifty_elements_count_and_the_answer_says_so(connections: Connections) -> None:
    client, _ = connections
    notices: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        notices.append(f"{diagnostic.message_primary} {diagnostic.message_detail}")

    text = "SELECT count(*) FROM people p, unnest(string_to_array(repeat('x,', {}) || p.person, ',')) AS t(x)"
    assert client.execute(text.format(49).encode()).fetchone() == (300 * 50,)
    client.add_notice_handler(note)
    client.execute("SET dp.notices = on")
    try:
        assert client.execute(text.format(60).encode()).fetchone() == (300 * 50,)
    finally:
        client.execute("SET dp.notices = off")
        client.remove_notice_handler(note)
    assert any("Of each array or text in FROM the first 50 elements take part" in notice for notice in notices)
    explained = [line for (line,) in client.execute(f"EXPLAIN {text.format(3)}".encode())]
    assert "  Elements of arrays and texts in FROM: the first 50 of each, 500 characters of an element" in explained


def test_elements_make_several_rows_of_a_unit_of_one(connections: Connections) -> None:
    """Without elements each person has one row of people, and nothing is scaled down."""
    lines = [line for (line,) in connections[0].execute("EXPLAIN SELECT count(*) FROM people, unnest(hobbies) AS h")]
    contribution = next(line for line in lines if line.strip().startswith("Contribution:"))
    assert "scaled down to a limit that the query chooses" in contribution

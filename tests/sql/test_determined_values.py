"""Which calls of min, max and any_value are written as what they aggregate, and which stay calls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.policy.catalog import Column, Table
from proxy.policy.model import TablePolicy
from proxy.sql.analysis import query_text
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement
from proxy.sql.trees.determined_values import write_determined_values_as_keys
from proxy.sql.trees.passes import PASSES, Pass
from tests.sql.events import CATALOG, POLICY


def _table(name: str, columns: dict[str, str], *keys: str, nullable: bool = False) -> Table:
    """A table with one unique key, whose columns are NOT NULL unless said otherwise."""
    found = {
        column: Column(column, type_, 0, nullable=nullable or column not in keys) for column, type_ in columns.items()
    }
    return Table(f"public.{name}", found, keys, frozenset([frozenset(keys)]), row_count=5)


PUBLIC = {
    "public.codes": _table("codes", {"code": "text", "label": "text"}, "code", nullable=True),
    "public.pairs": _table("pairs", {"code": "text", "note": "text", "label": "text"}, "code", "note"),
    "public.scores": _table("scores", {"score": "double precision", "label": "character varying"}, "score"),
    "public.large": _table("large", {"size": "bigint", "label": "text"}, "size"),
}
SCHEMA = Schema(
    POLICY.model_copy(
        update={
            "tables": {
                **POLICY.tables,
                **dict.fromkeys(PUBLIC, TablePolicy(public=True)),
                "public.marks": POLICY.tables["public.people"],
            }
        }
    ),
    replace(
        CATALOG,
        tables={
            **CATALOG.tables,
            **PUBLIC,
            "public.marks": _table("marks", {"person_id": "integer", "age": "integer", "name": "text"}, "age", "name"),
        },
    ),
)
TOTALS = "(SELECT code, sum(amount) AS total FROM events GROUP BY code) t"


def _rewritten(text: str, passes: tuple[Pass, ...] = PASSES) -> str:
    statement = parse_statement(text)
    assert statement is not None
    query = statement.query.copy()
    for rewrite in passes:
        query = rewrite(query, SCHEMA, ("public",))
    return query_text(query).replace('"public".', "")


WRITTEN = {
    "a key": (
        "SELECT code, min(code), count(*) FROM events GROUP BY code",
        'SELECT code, code AS "min", count(*) FROM events GROUP BY code',
    ),
    "a comparison that is named after its ELSE": (
        "SELECT CASE WHEN min(code) < max(code) THEN '*' ELSE max(code) END FROM events GROUP BY code",
        "SELECT CASE WHEN code < code THEN '*' ELSE code END AS \"max\" FROM events GROUP BY code",
    ),
    "a comparison that has no name of a call": (
        "SELECT CASE WHEN min(code) = max(code) THEN min(code) ELSE '*' END FROM events GROUP BY code",
        "SELECT CASE WHEN code = code THEN code ELSE '*' END FROM events GROUP BY code",
    ),
    "an expression of keys": (
        "SELECT any_value(upper(code) || many) FROM events GROUP BY 1 + many, upper(code), many",
        'SELECT (upper(code) || many) AS "any_value" FROM events GROUP BY 1 + many, upper(code), many',
    ),
    "outputs that are named after a call inside": (
        'SELECT (min(code)), max(code)::varchar, min(code) COLLATE "de-x-icu" FROM events GROUP BY code',
        'SELECT (code) AS "min", CAST(code AS VARCHAR) AS "max", code COLLATE "de-x-icu" AS "min" '
        "FROM events GROUP BY code",
    ),
    "CASE and casts of keys": (
        "SELECT max(CASE WHEN (code) = 'a' THEN code::varchar(3) END) AS m FROM events GROUP BY code",
        "SELECT (CASE WHEN code = 'a' THEN CAST(code AS VARCHAR(3)) END) AS m FROM events GROUP BY code",
    ),
    "ORDER BY of an expression": (
        "SELECT count(*) FROM events GROUP BY upper(code) ORDER BY min(upper(code))",
        "SELECT count(*) FROM events GROUP BY upper(code) ORDER BY (upper(code))",
    ),
    "rows of a subquery with all columns of a table": (
        "SELECT min(size) AS m FROM (SELECT e.* FROM events e JOIN people p USING (person_id)) e "
        "JOIN towns t ON t.name = e.code GROUP BY e.code",
        "SELECT size AS m FROM (SELECT e.* FROM events AS e JOIN people AS p USING (person_id)) AS e "
        'JOIN towns AS t ON t.name = e.code GROUP BY e.code, "t"."size"',
    ),
    "rows of a subquery with all columns of two tables": (
        "SELECT min(size) AS m FROM (SELECT * FROM events JOIN people USING (person_id)) e "
        "JOIN towns t ON t.name = e.code GROUP BY e.code",
        "SELECT size AS m FROM (SELECT * FROM events JOIN people USING (person_id)) AS e "
        'JOIN towns AS t ON t.name = e.code GROUP BY e.code, "t"."size"',
    ),
    "a subquery beside a key of GROUP BY": (
        "SELECT min(t.m) AS m FROM events e JOIN (SELECT name, (SELECT max(size) FROM towns) AS m, count(*) FROM towns "
        "GROUP BY name) t ON t.name = e.code GROUP BY e.code",
        "SELECT t.m AS m FROM events AS e JOIN (SELECT name, (SELECT max(size) FROM towns) AS m, count(*) FROM towns "
        'GROUP BY name) AS t ON t.name = e.code GROUP BY e.code, "t"."m"',
    ),
    "a column that every call needs, once": (
        "SELECT min(size) AS low, max(size + 1) AS high FROM events e JOIN towns t ON t.name = e.code GROUP BY e.code",
        "SELECT size AS low, (size + 1) AS high FROM events AS e JOIN towns AS t ON t.name = e.code "
        'GROUP BY e.code, "t"."size"',
    ),
    "a text of limited length": (
        "SELECT max(s.label) AS m, any_value(s.label) AS a FROM events e JOIN scores s USING (score) GROUP BY e.score",
        "SELECT CAST(s.label AS TEXT) AS m, s.label AS a FROM events AS e JOIN scores AS s USING (score) "
        'GROUP BY e.score, "s"."label"',
    ),
    "ORDER BY, where an output has the name": (
        "SELECT count(*) AS code FROM events e GROUP BY e.code ORDER BY min(code)",
        'SELECT count(*) AS code FROM events AS e GROUP BY e.code ORDER BY "e"."code"',
    ),
    "a key of two columns": (
        "SELECT min(label) AS m FROM events e JOIN pairs p ON p.code = e.code AND p.note = e.note GROUP BY e.code, p.note",
        "SELECT label AS m FROM events AS e JOIN pairs AS p ON p.code = e.code AND p.note = e.note "
        'GROUP BY e.code, p.note, "p"."label"',
    ),
    "numbers of two exact types": (
        "SELECT min(label) AS m FROM events e JOIN large ON size = many GROUP BY many",
        'SELECT label AS m FROM events AS e JOIN large ON size = many GROUP BY many, "large"."label"',
    ),
    "the only row of a released result": (
        "SELECT min(t.n) AS m FROM events e LEFT JOIN (SELECT count(*) AS n FROM people) t ON true GROUP BY e.code",
        "SELECT t.n AS m FROM events AS e LEFT JOIN (SELECT count(*) AS n FROM people) AS t ON TRUE "
        'GROUP BY e.code, "t"."n"',
    ),
    "what holds whichever rows a FULL JOIN leaves without a match": (
        "SELECT min(size) AS m FROM events e FULL JOIN towns t ON t.name = e.code AND e.urgent GROUP BY t.name",
        "SELECT size AS m FROM events AS e FULL JOIN towns AS t ON t.name = e.code AND e.urgent "
        'GROUP BY t.name, "t"."size"',
    ),
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.values(), ids=WRITTEN.keys())
def test_what_the_keys_determine_is_written_as_itself(text: str, expected: str) -> None:
    assert _rewritten(text) == expected


TOWNS = "SELECT min(t.size) FROM events e JOIN towns t ON"
LEFT = "SELECT min(t.size) FROM events e LEFT JOIN towns t ON"
CALLS = {
    "FILTER": "SELECT min(code) FILTER (WHERE urgent) FROM events GROUP BY code",
    "DISTINCT": "SELECT min(DISTINCT code) FROM events GROUP BY code",
    "ORDER BY in the call": "SELECT any_value(code ORDER BY many) FROM events GROUP BY code",
    "another aggregate": "SELECT avg(many) FROM events GROUP BY many",
    "a window function": "SELECT min(code) OVER () FROM events GROUP BY code",
    "a noise interval": "SELECT dp.low(min(many)) FROM events GROUP BY many",
    "a constant": "SELECT min(5) FROM events GROUP BY code",
    "ROLLUP": "SELECT min(code) FROM events GROUP BY ROLLUP (code)",
    "CUBE among keys": "SELECT min(code) FROM events GROUP BY code, CUBE (many)",
    "GROUPING SETS": "SELECT min(code) FROM events GROUP BY GROUPING SETS ((code), ())",
    "no GROUP BY": "SELECT min(t.total) FROM events CROSS JOIN (SELECT sum(amount) AS total FROM events) t",
    "rows of one unit": (
        "SELECT count(*) FROM (SELECT person_id, min(code) AS c FROM events GROUP BY person_id, code) AS q GROUP BY c"
    ),
    "another column": "SELECT min(note) FROM events GROUP BY code",
    "a key under a function": "SELECT min(code) FROM events GROUP BY upper(code)",
    "a function that gives another value each time": "SELECT min(code || random()) FROM events GROUP BY code",
    "a column of a private table": (
        "SELECT min(p.age) FROM events e JOIN people p USING (person_id) WHERE p.name = e.code GROUP BY e.code"
    ),
    "a private column that keys determine": "SELECT min(person_id) FROM marks GROUP BY age, name",
    "public rows alone": "SELECT min(name) FROM towns GROUP BY name",
    "a call of nothing": "SELECT min() FROM events GROUP BY code",
    "a call of two values": "SELECT min(code, many) FROM events GROUP BY code",
    "a private column that equals a key": (
        "SELECT min(p.name) FROM events e JOIN people p USING (person_id) WHERE p.name = e.code GROUP BY e.code"
    ),
    "a column that is joined along another than the key": (
        "SELECT min(t.size) FROM events e JOIN people p USING (person_id) JOIN towns t ON t.name = p.name "
        "WHERE p.name = e.code GROUP BY e.code"
    ),
    "a computed key": (
        "SELECT min(t.n) FROM (SELECT upper(code) AS c FROM events) e "
        "JOIN (SELECT upper(code) AS c, count(*) AS n FROM events GROUP BY 1) t ON t.c = e.c GROUP BY e.c"
    ),
    "no unique key": f"{TOWNS} t.size = e.many GROUP BY e.many",
    "a part of a unique key": "SELECT min(label) FROM events e JOIN pairs p ON p.code = e.code GROUP BY e.code",
    "one of several conditions": f"{TOWNS} t.name = e.code OR t.name = e.note GROUP BY e.code",
    "no equality": f"{TOWNS} t.name < e.code GROUP BY e.code",
    "equality with a column that is no key": f"{TOWNS} t.name = e.note GROUP BY e.code",
    "equality with a function of a key": f"{TOWNS} t.name = upper(e.code) GROUP BY e.code",
    "a joined key under a function": f"{TOWNS} t.name = e.code GROUP BY upper(e.code)",
    "types of which two values can equal one": "SELECT min(label) FROM events e JOIN large l ON l.size = e.score GROUP BY e.score",
    "a condition that only some rows of a group meet": f"{LEFT} t.name = e.code AND e.urgent GROUP BY e.code",
    "an equality that only some rows of a group meet": f"{LEFT} t.name = e.code AND t.size = e.many GROUP BY e.code",
    "a condition on the joined row": f"{LEFT} t.name = e.code AND t.size > 5 GROUP BY e.code",
    "rows that RIGHT JOIN leaves without a match": (
        "SELECT min(t.size) FROM events e RIGHT JOIN towns t ON t.name = e.code GROUP BY e.code"
    ),
    "a NULL that equals nothing, many times": (
        "SELECT min(c.label) FROM codes c LEFT JOIN events e ON e.code = c.code GROUP BY c.code"
    ),
    "a NULL that equals every other": (
        "SELECT min(c.label) FROM events e JOIN codes c ON c.code IS NOT DISTINCT FROM e.code GROUP BY e.code"
    ),
    "a NULL that may also mean no row": f"SELECT min(t.total) FROM events e LEFT JOIN {TOTALS} ON e.urgent GROUP BY t.code",
    "a NULL in WHERE that may also mean no row": (
        f"SELECT min(t.total) FROM events e LEFT JOIN {TOTALS} ON e.urgent WHERE t.code IS NOT DISTINCT FROM e.code "
        "GROUP BY e.code"
    ),
    "a NULL that a later RIGHT JOIN may have made": (
        f"SELECT min(t.total) FROM events e JOIN {TOTALS} ON t.code IS NOT DISTINCT FROM e.code "
        "RIGHT JOIN towns w ON w.size = e.many GROUP BY e.code"
    ),
    "a NULL of a left join that a later RIGHT JOIN may have made": (
        f"SELECT min(t.total) FROM events e LEFT JOIN {TOTALS} ON t.code IS NOT DISTINCT FROM e.code "
        "RIGHT JOIN towns w ON w.size = e.many GROUP BY e.code"
    ),
    "the only row of a released result, which a later RIGHT JOIN may leave out": (
        "SELECT min(t.n) FROM events e LEFT JOIN (SELECT count(*) AS n FROM people) t ON true "
        "RIGHT JOIN towns w ON w.size = e.many GROUP BY e.code"
    ),
    "a NULL that a join in parentheses may have made": (
        f"SELECT min(t.total) FROM people p JOIN ({TOTALS} RIGHT JOIN events e ON e.urgent) "
        "ON p.person_id = e.person_id GROUP BY t.code"
    ),
    "a column that FULL JOIN merges in ORDER BY": (
        "SELECT count(*) FROM events e NATURAL FULL JOIN codes GROUP BY code ORDER BY min(code)"
    ),
    "rows joined along a column that FULL JOIN merges": (
        "SELECT min(c.label) FROM events e FULL JOIN pairs p USING (code) JOIN codes c USING (code) GROUP BY e.code"
    ),
    "a column that USING merges with one that is not known": (
        "WITH t AS (SELECT code, count(*) FROM events GROUP BY code) "
        "SELECT min(code) FROM t LEFT JOIN events e USING (code) GROUP BY e.code"
    ),
    "rows joined along a column that USING merges with one that is not known": (
        "WITH t AS (SELECT code, count(*) FROM events GROUP BY code) "
        "SELECT min(c.label) FROM t LEFT JOIN events e USING (code) LEFT JOIN codes c USING (code) GROUP BY e.code"
    ),
    "a column that FULL JOIN merges": "SELECT min(e.code) FROM events e FULL JOIN codes USING (code) GROUP BY code",
    "NATURAL LEFT JOIN": "SELECT min(t.many) FROM events e NATURAL LEFT JOIN (SELECT max(many) AS many FROM events) t GROUP BY e.code",
    "joins in parentheses": (
        "SELECT min(t.size) FROM events e LEFT JOIN (people p JOIN towns t ON t.name = p.name) "
        "ON e.person_id = p.person_id AND t.name = e.code GROUP BY e.code"
    ),
    "a released number that is joined by another": (
        f"SELECT min(t.code) FROM events e JOIN {TOTALS} ON t.total = e.many GROUP BY e.many"
    ),
    "a released result that does not show its key": (
        "SELECT min(t.n) FROM events e JOIN (SELECT avg(many) AS m, count(*) AS n FROM events GROUP BY many) t "
        "ON t.m = e.many GROUP BY e.many"
    ),
    "a CTE's name with a schema": (
        "WITH t AS (SELECT code, count(*) AS n FROM events GROUP BY code) "
        "SELECT min(t.n) FROM events e JOIN other.t ON t.code = e.code GROUP BY e.code"
    ),
    "a CTE's name in itself": (
        "WITH t AS (SELECT min(t.n) AS n, e.code FROM events e JOIN t ON t.code = e.code GROUP BY e.code) SELECT n FROM t"
    ),
    "public rows that do not show their key": (
        "SELECT min(t.size) FROM events e JOIN (SELECT size FROM towns) t ON t.size = e.many GROUP BY e.many"
    ),
    "public rows joined with others": (
        "SELECT min(t.size) FROM events e JOIN (SELECT t.name, w.size FROM towns t JOIN towns w ON w.size > t.size) t "
        "ON t.name = e.code GROUP BY e.code"
    ),
    "a subquery without a name": (
        "SELECT min(size) FROM (SELECT * FROM (SELECT code, many FROM events)) e "
        "JOIN towns t ON t.name = e.code GROUP BY e.code"
    ),
    "names for all columns of a table": (
        "SELECT min(t.n) FROM events e JOIN (SELECT * FROM towns) AS t(code, n) ON t.code = e.code GROUP BY e.code"
    ),
    "names for the columns of a CTE": (
        "WITH t AS (SELECT code, count(*) AS n FROM events GROUP BY code) "
        "SELECT min(x.code) FROM events e JOIN t AS x(n, code) ON x.n = e.code GROUP BY e.code"
    ),
    "a later CTE's name where all see each other": (
        "WITH t AS (SELECT code, count(*) AS n FROM events GROUP BY code) SELECT q.n FROM t, "
        "(WITH RECURSIVE u AS (SELECT min(t.n) AS n FROM events e JOIN t ON t.code = e.code GROUP BY e.code), "
        "t AS (SELECT code, min(amount) AS n FROM events GROUP BY code, many) SELECT n FROM u) q"
    ),
    "a subquery as a key of GROUP BY": (
        "SELECT min(t.n) FROM events e JOIN (SELECT (SELECT max(name) FROM towns) AS m, count(*) AS n FROM towns "
        "GROUP BY (SELECT min(name) FROM towns)) t ON t.m = e.code GROUP BY e.code"
    ),
    "several released rows": (
        "SELECT min(t.c) FROM events e CROSS JOIN "
        "(SELECT g.c FROM (SELECT code AS c, count(*) FROM events GROUP BY 1) g) t GROUP BY e.code"
    ),
    "a released result with totals": (
        "SELECT min(t.n) FROM events e JOIN (SELECT code, count(*) AS n FROM events GROUP BY ROLLUP (code)) t "
        "ON t.code = e.code GROUP BY e.code"
    ),
    "a function that makes several rows of a group": (
        "SELECT min(t.n) FROM events e JOIN (SELECT code, generate_series(1, count(*)) AS n FROM events GROUP BY code) t "
        "ON t.code = e.code GROUP BY e.code"
    ),
    "a released row that is joined with some rows": (
        "SELECT min(t.total) FROM events e LEFT JOIN (SELECT sum(amount) AS total FROM events) t ON e.urgent GROUP BY code"
    ),
}


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS.keys())
def test_everything_else_stays_a_call(text: str) -> None:
    others = tuple(rewrite for rewrite in PASSES if rewrite is not write_determined_values_as_keys)
    assert _rewritten(text) == _rewritten(text, others)

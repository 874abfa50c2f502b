"""The order of the passes is what it is for a reason: with two of them the other way round, a query means something else."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.policy.model import TablePolicy
from proxy.sql.analysis import query_text
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement
from proxy.sql.trees.kinds import Kind, kinds_in
from proxy.sql.trees.passes import ADDED, MADE_OF, NEEDED, PASSES, Pass, rewritten
from proxy.sql.trees.repeated_keys import write_repeated_keys_as_positions
from tests.plans.cases import read
from tests.rewriting import schema as clinic
from tests.sql.events import CATALOG, POLICY

_VIEW = replace(
    CATALOG.tables["public.events"],
    name="public.seen",
    view_definition="SELECT person_id, amount FROM public.events WHERE many > 0",
)
SCHEMA = Schema(
    POLICY.model_copy(update={"tables": {**POLICY.tables, "public.seen": TablePolicy(view=True)}}),
    replace(CATALOG, tables={**CATALOG.tables, "public.seen": _VIEW}),
)

ORDERS = {
    ("write_quantifiers_as_in", "write_existence_as_counts"): (
        "SELECT count(*) FROM events e WHERE urgent OR e.person_id = ANY (SELECT p.person_id FROM people p)"
    ),
    ("write_out_ctes", "write_quantifiers_as_existence"): (
        "WITH q AS (SELECT * FROM events) SELECT count(*) FROM q WHERE many > ALL (SELECT size FROM towns)"
    ),
    ("write_row_equalities_as_conjunctions", "join_lateral_subqueries"): (
        "SELECT count(*) FROM people p, LATERAL "
        "(SELECT amount FROM events e WHERE (e.person_id, e.many) = (p.person_id, p.age)) l"
    ),
    ("write_row_equalities_as_conjunctions", "join_scalar_subqueries"): (
        "SELECT count(*) FROM people p "
        "WHERE 2 < (SELECT count(*) FROM events e WHERE (e.person_id, e.many) = (p.person_id, p.age))"
    ),
    ("drop_schemas_of_aggregates", "qualify_names_of_tools"): (
        "SELECT n FROM (SELECT count(*) AS n FROM events) q, (SELECT public.median(size) AS m FROM towns) t WHERE n > m"
    ),
    ("drop_database_names", "drop_schemas_of_columns"): (
        "SELECT sum(postgres.public.events.amount) FROM postgres.public.events"
    ),
    ("write_named_joins_as_subqueries", "write_out_ctes"): (
        "WITH q AS (SELECT j.person_id FROM (people p JOIN events e USING (person_id)) AS j GROUP BY j.person_id) "
        "SELECT count(*) FROM q"
    ),
    ("drop_schemas_of_columns", "write_out_ctes"): "SELECT sum(public.seen.amount) FROM public.seen",
    ("write_out_ctes", "drop_casts_to_own_types"): (
        "WITH q AS (SELECT * FROM events) SELECT code, count(*) FROM q GROUP BY code::text"
    ),
    ("drop_casts_to_own_types", "write_quantifiers_as_existence"): (
        "SELECT count(*) FROM events WHERE many::integer > ALL (SELECT size::integer FROM towns)"
    ),
    ("write_out_ctes", "write_out_stars_beside_groups"): (
        "SELECT t.*, count(*) FROM towns t JOIN events e ON e.code = t.name GROUP BY t.name"
    ),
    ("write_out_ctes", "lift_outer_joins"): (
        "WITH q AS (SELECT t.name, e.many FROM towns t LEFT JOIN events e ON e.code = t.name) "
        "SELECT name, sum(many) FROM q GROUP BY name"
    ),
    ("write_named_joins_as_subqueries", "lift_outer_joins"): (
        "SELECT j.name, sum(j.many) FROM (towns t LEFT JOIN events e ON e.code = t.name) AS j GROUP BY j.name"
    ),
    ("write_out_ctes", "empty_queries_without_rows"): "WITH q AS (SELECT * FROM events) SELECT * FROM q LIMIT 0",
    ("empty_queries_without_rows", "join_lateral_subqueries"): (
        "SELECT * FROM towns t, LATERAL (SELECT many FROM events e WHERE e.many > t.size) l WHERE 1 = 0"
    ),
    ("write_existence_as_decisions", "join_scalar_subqueries"): (
        "SELECT name FROM towns t WHERE EXISTS (SELECT FROM events e WHERE e.code = t.name)"
    ),
    ("write_out_ctes", "write_constants_plainly"): (
        "WITH q AS (SELECT * FROM events) SELECT count(*) FROM q WHERE many = '7'"
    ),
    ("write_out_ctes", "write_conditions_plainly"): (
        "WITH q AS (SELECT * FROM events) SELECT count(*) FROM q WHERE urgent = true"
    ),
    ("write_constants_plainly", "write_conditions_plainly"): "SELECT count(*) FROM events WHERE many BETWEEN '7' AND 7",
    ("write_out_ctes", "write_constant_rows_as_subqueries"): (
        "SELECT count(*) FROM people JOIN (VALUES (30), (40)) AS w(x) ON age = x"
    ),
    ("write_computed_items_as_expressions", "join_lateral_subqueries"): (
        "SELECT count(*) FROM events e, LATERAL (SELECT e.many + 1 AS more) l WHERE l.more > 2"
    ),
    ("write_out_ctes", "join_lateral_subqueries"): (
        "SELECT sum(n) FROM people p, LATERAL (SELECT count(*) AS n FROM events e WHERE e.person_id = p.person_id) l"
    ),
    ("write_out_ctes", "write_first_rows_in_subqueries"): (
        "WITH q AS (SELECT person_id, row_number() OVER (PARTITION BY person_id) AS n FROM events) "
        "SELECT count(*) FROM q JOIN people USING (person_id) WHERE n = 1"
    ),
    ("write_existence_as_counts", "join_scalar_subqueries"): (
        "SELECT count(*) FROM people p WHERE age < 9 OR EXISTS (SELECT FROM events e WHERE e.person_id = p.person_id)"
    ),
    ("join_scalar_subqueries", "write_determined_values_as_keys"): (
        "SELECT min((SELECT size FROM towns t WHERE t.name = e.code)) FROM events e GROUP BY e.code"
    ),
    ("join_scalar_subqueries", "write_outer_intervals"): (
        "SELECT dp.low(n) FROM "
        "(SELECT name, (SELECT count(*) FROM events e WHERE e.code = t.name) AS n FROM towns t) AS q"
    ),
}


def _named(name: str) -> Pass:
    (found,) = [rewrite for rewrite in PASSES if rewrite.__name__ == name]
    return found


def _result(passes: tuple[Pass, ...], text: str, schema: Schema = SCHEMA) -> str:
    """The query after these passes, or the rule by which one refuses it."""
    return _by(lambda query: reduce(lambda so_far, rewrite: rewrite(so_far, schema, ("public",)), passes, query), text)


def _by(rewriting: Callable[[exp.Query], exp.Query], text: str) -> str:
    """The rewritten query, or the rule that refuses it."""
    statement = parse_statement(text)
    assert statement is not None
    try:
        return query_text(rewriting(statement.query.copy()))
    except DpproxyError as refusal:
        return refusal.rule or ""


@pytest.mark.parametrize(("names", "text"), ORDERS.items(), ids=[" before ".join(names) for names in ORDERS])
def test_the_order_matters(names: tuple[str, str], text: str) -> None:
    earlier, later = map(_named, names)
    rest = [rewrite for rewrite in PASSES if rewrite is not earlier]
    place = rest.index(later) + 1
    assert PASSES.index(earlier) < PASSES.index(later)
    assert _result((*rest[:place], earlier, *rest[place:]), text) != _result(PASSES, text)


@pytest.mark.parametrize(("outputs", "key"), [("{}, p.*", "1"), ("p.*, {}", "{}"), ("age, {}", "2"), ("age", "{}")])
def test_a_key_is_written_as_its_position_where_that_is_known(outputs: str, key: str) -> None:
    exists = "EXISTS(SELECT 1 FROM events AS e WHERE e.person_id = p.person_id)"
    texts = (f"SELECT {outputs}, count(*) FROM people AS p GROUP BY {by}".replace("{}", exists) for by in ("{}", key))
    written, expected = texts
    statement = parse_statement(written)
    assert statement is not None
    assert query_text(write_repeated_keys_as_positions(statement.query, SCHEMA, ())) == expected


CASES = [case.statement for file in sorted(Path(clinic.__file__).parent.glob("cases/*.sql")) for case in read(file)]


def test_a_pass_changes_and_refuses_nothing_where_no_node_is_that_it_needs() -> None:
    left_out = set()
    for text in CASES:
        with contextlib.suppress(DpproxyError):
            statement = parse_statement(text)
            assert statement is not None
            query = statement.query.copy()
            for rewrite in PASSES:
                if rewrite in NEEDED and NEEDED[rewrite].isdisjoint(kinds_in(query)):
                    left_out.add(rewrite)
                    before = query_text(query)
                    assert _rewritten(rewrite, query) == before, (rewrite.__name__, text)
                else:
                    query = rewrite(query, clinic.SCHEMA, clinic.SEARCH_PATH)
    assert left_out == set(NEEDED)


MAKING = [
    "SELECT count(*) FROM visits WHERE 'true'",
    "SELECT count(minutes::int) FROM visits",
    "SELECT EXISTS (SELECT FROM prices), count(*) FROM visits GROUP BY EXISTS (SELECT FROM prices)",
    "SELECT count(*) FROM visits WHERE (region, note) = (diagnosis, region)",
    "SELECT count(*) FROM visits WHERE minutes = '-7' AND day = '2024-01-02'",
    "SELECT count(*) FROM visits WHERE minutes = ANY ('{1,2}')",
    "SELECT count(*) FROM visits WHERE urgent IS FALSE",
    "SELECT count(*) FROM visits WHERE note LIKE 'a' IS FALSE",
    "SELECT count(*) FILTER (WHERE 1 > 2 OR 2 < 1) FROM visits",
    *(f"SELECT count(*) FROM visits WHERE NOT (cost {sign} 5)" for sign in ("=", "<>", "<", "<=", ">", ">=")),
    "SELECT max(short) FROM readings GROUP BY short",
    "SELECT min(minutes + 1) FROM visits GROUP BY minutes",
]
"""Statements with few kinds of nodes, of which passes make others."""


def test_passes_make_nodes_of_the_kinds_that_they_say_and_of_no_others() -> None:
    making: dict[Pass, set[Kind]] = {rewrite: set() for rewrite in ADDED}
    of_others = set()
    for text in (*CASES, *MAKING):
        with contextlib.suppress(DpproxyError):
            statement = parse_statement(text)
            assert statement is not None
            query = statement.query.copy()
            for rewrite in PASSES:
                before = kinds_in(query) if rewrite in ADDED else set()
                query = rewrite(query, clinic.SCHEMA, clinic.SEARCH_PATH)
                if rewrite in ADDED:
                    made = kinds_in(query) - before
                    making[rewrite] |= made
                    of_others |= {
                        (rewrite, kind) for kind in made & MADE_OF.get(rewrite, {}).keys() - _made_of(rewrite, before)
                    }
    assert not of_others
    assert making == {rewrite: set(kinds) for rewrite, kinds in ADDED.items()}


def _made_of(rewrite: Pass, before: set[Kind]) -> set[Kind]:
    return {kind for kind, other in MADE_OF[rewrite].items() if other in before} if rewrite in MADE_OF else set()


VIEWS = [
    "SELECT person_id, amount FROM public.events WHERE many = ANY ('{1,2}')",
    "SELECT person_id, amount FROM public.events WHERE urgent IS FALSE",
    "SELECT person_id, max(amount) AS amount FROM public.events GROUP BY person_id",
    "SELECT e.person_id, l.amount FROM public.events e, LATERAL (SELECT e.amount) AS l",
]
QUERIES = [
    "SELECT count(*) FROM seen",
    "SELECT count(*), sum(amount) FROM seen AS s JOIN people USING (person_id)",
    "WITH q AS (SELECT * FROM events) SELECT count(*) FROM q",
    "WITH q AS (SELECT * FROM towns) SELECT count(*) FROM events JOIN q ON q.name = code",
    "SELECT count(*) FROM (WITH q AS (SELECT code FROM events) SELECT * FROM q) AS r",
]


@pytest.mark.parametrize("text", [*QUERIES, *ORDERS.values()])
@pytest.mark.parametrize("view", [None, *VIEWS])
def test_no_pass_is_left_out_that_would_change_what_a_view_or_a_cte_is_written_out_as(
    view: str | None, text: str
) -> None:
    views = [name for name in ["public.seen"] if view is not None]
    schema = Schema(
        POLICY.model_copy(update={"tables": {**POLICY.tables, **dict.fromkeys(views, TablePolicy(view=True))}}),
        replace(CATALOG, tables=CATALOG.tables | {name: replace(_VIEW, view_definition=view) for name in views}),
    )
    assert schema.has_views == bool(view)
    assert _by(lambda query: rewritten(query, schema, ("public",))[0], text) == _result(PASSES, text, schema)


def _rewritten(rewrite: Pass, query: exp.Query) -> str:
    try:
        return query_text(rewrite(query, clinic.SCHEMA, clinic.SEARCH_PATH))
    except DpproxyError as refusal:
        return f"refused: {refusal.message}"

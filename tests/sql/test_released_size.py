"""What an evaluated subquery may hold, by its text alone and once its rows are known: rows, characters, keys."""

from __future__ import annotations

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.dialect import parse
from proxy.sql.rows.feedback import (
    MOST_CHARACTERS,
    MOST_ROWS,
    Promises,
    check_released_size,
    evaluation_sql,
    promise_sql,
    promises_of,
)
from proxy.sql.rows.released_keys import released_keys
from proxy.sql.rows.stage_columns import StageColumn
from tests.plans.schema import SCHEMA

REGION, COUNT = StageColumn("region", "text"), StageColumn("count", "bigint")
GROUPED = "SELECT region, count(*) FROM public.visits GROUP BY region"
ONE_ROW = "SELECT max(region) AS region FROM public.visits"
LIMITED = "SELECT region FROM public.visits GROUP BY region LIMIT 3"


def _query(text: str) -> exp.Query:
    query = parse(text)
    assert isinstance(query, exp.Query)
    return query


def _promises(columns: list[StageColumn], text: str) -> Promises:
    return promises_of(_query(text), columns, SCHEMA)


def _refusal(
    columns: list[StageColumn], text: str, rows: list[tuple[str | None, ...]], most_uncounted: int = MOST_ROWS
) -> UnsupportedError:
    with pytest.raises(UnsupportedError) as refusal:
        check_released_size(columns, _promises(columns, text), rows, most_uncounted)
    return refusal.value


def test_rows_up_to_the_limit_are_taken_and_one_more_is_refused() -> None:
    rows: list[tuple[str | None, ...]] = [(str(number),) for number in range(MOST_ROWS + 1)]
    check_released_size(
        [REGION], _promises([REGION], "SELECT region FROM public.visits GROUP BY region"), rows[:-1], MOST_ROWS
    )
    refusal = _refusal([REGION], "SELECT region FROM public.visits GROUP BY region", rows)
    assert (refusal.rule, refusal.sqlstate) == ("feedback-size", "0A000")


@pytest.mark.parametrize(("columns", "longest"), [([REGION], MOST_CHARACTERS), ([REGION, COUNT], MOST_CHARACTERS // 2)])
def test_columns_share_the_characters_of_a_row(columns: list[StageColumn], longest: int) -> None:
    others = (None,) * (len(columns) - 1)
    check_released_size(columns, _promises(columns, GROUPED), [("a" * longest, *others), (None, *others)], MOST_ROWS)
    refusal = _refusal(columns, GROUPED, [("a" * (longest + 1), *others)])
    assert (refusal.rule, refusal.sqlstate) == ("feedback-size", "0A000")


def test_no_more_is_read_from_the_stage_than_what_refuses_it() -> None:
    sql = evaluation_sql("SELECT 1, 2", [REGION, COUNT])
    assert f"left(r.c0::text, {MOST_CHARACTERS // 2 + 1})" in sql
    assert sql.endswith(f"LIMIT {MOST_ROWS + 1}")


def test_a_query_of_one_row_has_one_row() -> None:
    assert released_keys(_query(ONE_ROW), [REGION], SCHEMA) == (frozenset({frozenset()}), 1)
    check_released_size([REGION], _promises([REGION], ONE_ROW), [("north",)], MOST_ROWS)
    refusal = _refusal([REGION], ONE_ROW, [("north",), ("south",)])
    assert (refusal.rule, refusal.sqlstate) == ("feedback-keys", "0A000")


def test_limit_limits_what_is_taken_for_granted() -> None:
    assert released_keys(_query(LIMITED), [REGION], SCHEMA)[1] == 3
    check_released_size([REGION], _promises([REGION], LIMITED), [("a",), ("b",), ("c",)], MOST_ROWS)
    refusal = _refusal([REGION], LIMITED, [("a",), ("b",), ("c",), ("d",)])
    assert (refusal.rule, refusal.sqlstate) == ("feedback-size", "0A000")
    assert "count(*) <= 3 AND" in promise_sql([REGION], _promises([REGION], LIMITED), "released")


def test_the_source_counts_the_rows_that_it_was_sent() -> None:
    sql = promise_sql([REGION, COUNT], _promises([REGION, COUNT], GROUPED), "released")
    assert sql == (f"SELECT count(*) <= {MOST_ROWS} AND count(*) = count(DISTINCT ROW(r.c0)) FROM released AS r")
    greater = f"SELECT region FROM public.visits GROUP BY region LIMIT {MOST_ROWS + 5}"
    assert f"count(*) <= {MOST_ROWS} AND" in promise_sql([REGION], _promises([REGION], greater), "released")


def test_a_limit_beyond_what_may_be_released_is_none() -> None:
    text = f"SELECT region FROM public.visits GROUP BY region LIMIT {MOST_ROWS + 5}"
    refusal = _refusal([REGION], text, [(str(number),) for number in range(MOST_ROWS + 1)])
    assert (refusal.rule, refusal.sqlstate) == ("feedback-size", "0A000")


def test_a_series_has_as_many_rows_as_its_text_says() -> None:
    assert released_keys(_query("SELECT * FROM generate_series(1, 9) AS g"), [COUNT], SCHEMA)[1] == 9
    assert released_keys(_query("SELECT * FROM generate_series(1, 9) AS g LIMIT 30"), [COUNT], SCHEMA)[1] == 9


def test_rows_that_no_text_counts_are_as_many_as_the_work_of_a_row_allows() -> None:
    text = "SELECT * FROM unnest(string_to_array('a b c', ' ')) AS u"
    check_released_size([REGION], _promises([REGION], text), [("a",), ("b",)], 2)
    refusal = _refusal([REGION], text, [("a",), ("b",), ("c",)], 2)
    assert (refusal.rule, refusal.sqlstate) == ("feedback-size", "0A000")
    check_released_size([REGION], _promises([REGION], text), [("a",), ("b",), ("c",)], 3)


def test_rows_that_the_stage_has_counted_are_no_more_when_they_are_evaluated() -> None:
    query = _query("SELECT * FROM unnest(string_to_array('a b c', ' ')) AS u")
    rows: list[tuple[str | None, ...]] = [("a",), ("b",), ("c",)]
    for counted in (MOST_ROWS, 4, 3):
        check_released_size([REGION], promises_of(query, [REGION], SCHEMA, counted), rows, 1)
    promises = promises_of(query, [REGION], SCHEMA, 2)
    with pytest.raises(UnsupportedError) as refusal:
        check_released_size([REGION], promises, rows, MOST_ROWS)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("feedback-size", "0A000")
    assert "count(*) <= 2" in promise_sql([REGION], promises, "released")


NAME, NUMBER = StageColumn("name", "text"), StageColumn("n", "bigint")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name, upper(zone) AS n FROM public.regions",
        "SELECT DISTINCT r.name, people AS n FROM public.regions AS r WHERE people > 5",
        "SELECT name, row_number() OVER (ORDER BY people) AS n FROM public.regions ORDER BY 2 LIMIT 9",
        "SELECT name, n FROM (SELECT *, 2 * people AS n FROM public.regions) AS r",
        "SELECT * FROM (SELECT name, lower(zone) AS n FROM public.regions) AS r",
    ],
)
def test_rows_of_a_public_table_keep_its_key(text: str) -> None:
    assert frozenset({"name"}) in released_keys(_query(text), [NAME, NUMBER], SCHEMA)[0]


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (
            "SELECT g.name, g.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY region) AS g",
            None,
        ),
        (
            "SELECT g.r AS name, n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY 1 LIMIT 5) AS g",
            5,
        ),
        (
            "SELECT r AS name, n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY 1 LIMIT 5) AS g LIMIT 2",
            2,
        ),
        (
            "SELECT r AS name, n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY 1) AS g WHERE n > 1",
            None,
        ),
        (
            "SELECT x.r AS name, x.n FROM (SELECT * FROM (SELECT region AS r, 1 AS n FROM public.visits GROUP BY 1) y) x",
            None,
        ),
        (
            "SELECT r AS name, n FROM (SELECT DISTINCT region AS r, 1 AS n FROM public.visits LIMIT 7) AS g ORDER BY n",
            7,
        ),
        (
            "WITH g AS (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY region LIMIT 4) "
            "SELECT name, n FROM g WHERE n > 1",
            4,
        ),
    ],
)
def test_a_query_around_groups_keeps_their_keys_and_their_number(text: str, most: int | None) -> None:
    keys, found = released_keys(_query(text), [NAME, NUMBER], SCHEMA)
    assert any(key <= {"name", "n"} for key in keys)
    assert found == most


@pytest.mark.parametrize(
    "text",
    [
        "SELECT g.n AS name, g.n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY region) AS g",
        "SELECT upper(g.r) AS name, g.n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY region) AS g",
        "SELECT r AS name, n FROM (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY 1) AS g, public.regions",
        "SELECT g.r AS name, g.n FROM (SELECT region, 1 FROM public.visits GROUP BY region) AS g (r, n)",
        "SELECT r AS name, n FROM (SELECT upper(region) AS r, 1 AS n FROM public.visits GROUP BY region) AS g",
        "SELECT r AS name, n FROM (SELECT region AS r, 1 AS n FROM public.visits GROUP BY region, day) AS g",
        "WITH g (r, n) AS (SELECT region, 1 FROM public.visits GROUP BY region) SELECT r AS name, n FROM g",
    ],
)
def test_a_query_around_groups_that_hides_a_part_of_their_key_has_none(text: str) -> None:
    assert released_keys(_query(text), [NAME, NUMBER], SCHEMA)[0] == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT upper(name) AS name, people AS n FROM public.regions",
        "SELECT zone AS name, people AS n FROM public.regions",
        "SELECT r.name, p.amount AS n FROM public.regions AS r JOIN public.prices AS p ON p.amount > r.people",
        "SELECT name, people AS n FROM public.regions UNION ALL SELECT name, people FROM public.regions",
        "SELECT diagnosis AS name, visit_id AS n FROM public.visits",
    ],
)
def test_what_may_repeat_a_row_keeps_no_key(text: str) -> None:
    assert released_keys(_query(text), [NAME, NUMBER], SCHEMA)[0] == frozenset()


JOINED = {
    "with one row": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x, "
    "(SELECT count(*) AS t FROM public.visits) t", True),
    "by the other's key": ("SELECT x.name, p.n FROM (SELECT region AS name FROM public.visits GROUP BY 1) x "
    "LEFT JOIN (SELECT region AS r, count(*) AS n FROM public.visits GROUP BY 1) p ON p.r = x.name", True),
    "by WHERE": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x, "
    "public.regions r WHERE r.name = x.name", True),
    "by another column": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x "
    "JOIN public.regions r ON r.zone = x.name", False),
    "the other way round": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x "
    "RIGHT JOIN public.regions r ON r.name = x.name", False),
    "a condition of another kind": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x "
    "JOIN public.regions r ON r.name >= x.name", False),
    "one of two conditions": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x "
    "JOIN public.regions r ON r.name = x.name OR r.people = x.n", False),
    "an inner condition of an outer join": ("SELECT x.name, x.n FROM (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x "
    "LEFT JOIN public.regions r ON r.people > x.n WHERE r.name = x.name", False),
    "several rows of one": ("SELECT name, generate_series(1, n) AS n FROM "
    "(SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1) x", False),
}  # fmt: skip


@pytest.mark.parametrize(("text", "is_key"), JOINED.values(), ids=JOINED.keys())
def test_a_join_by_a_key_repeats_no_row(text: str, is_key: bool) -> None:
    assert (frozenset({"name"}) in released_keys(_query(text), [NAME, NUMBER], SCHEMA)[0]) == is_key


def test_ctes_that_read_each_other_twice_are_read_once() -> None:
    steps = ", ".join(
        f"c{n} AS (SELECT a.name, b.n FROM c{n - 1} a JOIN c{n - 1} b ON b.name = a.name)" for n in range(1, 40)
    )
    text = f"WITH c0 AS (SELECT region AS name, count(*) AS n FROM public.visits GROUP BY 1), {steps} SELECT name, n FROM c39"
    assert frozenset({"name"}) in released_keys(_query(text), [NAME, NUMBER], SCHEMA)[0]

"""Cutting scripts and recognising what carries a query; nothing is lost, and what cannot run is refused by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql import dialect, grammar
from proxy.sql.names import folded
from proxy.sql.normal_form import normal_form
from proxy.sql.plain_postgres import render
from proxy.sql.scripts import cut, names_outside_strings, set_statement
from proxy.sql.statement import Statement, parse_statement

pieces = st.sampled_from(
    [
        "SELECT 1",
        "select ';'",
        "SELECT $$;$$",
        'select "a;b"',
        "-- ; comment\n",
        "/* ; */",
        ";",
        " ",
        "E'\\';'",
        "BEGIN",
        "x" * 3,
    ]
)


@given(st.lists(pieces, max_size=8).map(" ".join) | st.text(max_size=60))
def test_cutting_loses_nothing(text: str) -> None:
    assert "".join(cut(text)) == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("SELECT 1; SELECT 2", 2),
        ("SELECT ';'; SELECT 2;", 2),
        ("SELECT $$a;b$$", 1),
        ("SELECT $tag$;$tag$; SELECT 1", 2),
        ("SELECT 1 -- ; not here\n; SELECT 2", 2),
        ('SELECT "a;b" /* ; */ ; BEGIN; COMMIT', 3),
        ("", 1),
    ],
)
def test_semicolons_cut_only_between_statements(text: str, count: int) -> None:
    assert len(cut(text)) == count


@pytest.mark.parametrize(
    ("text", "carrier"),
    [
        ("SELECT count(*) FROM visits", "query"),
        ("  -- hello\n /* there */ select 1;", "query"),
        ("WITH a AS (SELECT 1) SELECT * FROM a", "query"),
        ("(SELECT 1) UNION SELECT 2", "query"),
        ("EXPLAIN SELECT 1", "explain"),
        ("EXPLAIN (VERBOSE, COSTS off) SELECT 1", "explain"),
        ("explain verbose select 1", "explain"),
        ("EXPLAIN (FORMAT text, COSTS off) SELECT 1", "explain"),
        ("EXPLAIN ((SELECT 1))", "explain"),
        ("EXPLAIN (SELECT (1)) UNION SELECT 2", "explain"),
        ("DECLARE c CURSOR FOR SELECT 1", "declare"),
        ('declare "my c" no scroll cursor with hold for select 1', "declare"),
        ("COPY (SELECT 1) TO STDOUT", "copy"),
        ("copy (select (1), ')') to stdout (format csv)", "copy"),
    ],
)
def test_carrier_is_recognised_and_put_back_together(text: str, carrier: str) -> None:
    statement = parse_statement(text)
    assert isinstance(statement, Statement)
    assert statement.carrier == carrier
    rebuilt = parse_statement(statement.wrapping.around(statement.query_text))
    assert isinstance(rebuilt, Statement)
    assert rebuilt.query == statement.query


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("INSERT INTO public.visits VALUES (1)", "writes"),
        ("DELETE FROM visits", "writes"),
        ("UPDATE visits SET cost = 1", "writes"),
        ("TRUNCATE visits", "writes"),
        ("WITH d AS (DELETE FROM visits RETURNING *) SELECT count(*) FROM d", "writes"),
        ("SELECT count(*) INTO other FROM visits", "writes"),
        ("SELECT 1 FROM visits FOR UPDATE", "writes"),
        ("CREATE TABLE other AS SELECT count(*) FROM visits", "writes"),
        ("COPY visits TO STDOUT", "rows"),
        ("EXPLAIN ANALYZE SELECT count(*) FROM visits", "explain-analyze"),
        ("EXPLAIN (ANALYZE) SELECT count(*) FROM visits", "explain-analyze"),
        ("EXPLAIN (ANALYZE true, BUFFERS) SELECT count(*) FROM visits", "explain-analyze"),
        ("EXPLAIN (FORMAT CSV) SELECT count(*) FROM visits", "explain"),
        ("EXPLAIN (costs off, format 'dot') SELECT count(*) FROM visits", "explain"),
        ("PREPARE p AS DELETE FROM visits", "only-select"),
        ("PREPARE p (int) AS SELECT count(* FROM visits", "parse"),
        ("SELECT count(*) FROM visits; SELECT 1", "one-statement"),
        ("SELECT count(* FROM visits", "parse"),
        ("EXPLAIN SELECT 'a text without an end", "explain"),
        ("(EXPLAIN SELECT 1)", "explain"),
        ("EXPLAIN (", "parse"),
        ("EXPLAIN (FORMAT text, unknown of dpproxy) SELECT 1", "parse"),
        ("DECLARE", "declare"),
        ("(DECLARE c CURSOR FOR SELECT 1)", "declare"),
        ("DECLARE 'c' CURSOR FOR SELECT 1", "declare"),
        ("DECLARE c POINTER FOR SELECT 1", "declare"),
        ("DECLARE c CURSOR SELECT 1", "declare"),
        ("COPY", "rows"),
        ("COPY (", "copy"),
        ("COPY (SELECT 1) TO STDOUT, STDOUT", "parse"),
        ("(SELECT 1 AS a LIMIT 5) LIMIT 3", "parse"),
        ("SELECT 1 IN (VALUES (1), (2) LIMIT 1)", "parse"),
        ("SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (1) ORDER BY 1) x(a)", "parse"),
        ("WITH t AS (VALUES (1), (2) OFFSET 1) SELECT 1 FROM t", "parse"),
    ],
)
def test_statement_is_refused_by_its_rule(text: str, rule: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    "text",
    [
        "SET search_path = x",
        "SHOW dp.epsilon",
        "BEGIN",
        "LISTEN visits",
        "CREATE INDEX ON visits (cost)",
        "COMMENT ON TABLE visits IS 'as they were'",
    ],
)
def test_statements_without_a_query_are_left_to_the_stage(text: str) -> None:
    assert parse_statement(text) is None


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("SET dp.epsilon = 0.5", ("dp.epsilon", "0.5")),
        ("set session DP.Epsilon to '1';", ("dp.epsilon", "1")),
        ("SET LOCAL dp.mechanism = laplace", ("dp.mechanism", "laplace")),
        ("-- x\nSET dp.notices TO DEFAULT", ("dp.notices", "")),
        ("SET dp.epsilon = 'it''s'", ("dp.epsilon", "it's")),
        ("SET search_path = dp", None),
        ("SELECT 'SET dp.epsilon = 1'", None),
        ("SELECT dp.epsilon = 1", None),
        ("SET other.epsilon = 1", None),
        ('SET dp."epsilon" = 1', None),
        ("SET dp.epsilon", None),
        ("SET dp.epsilon =", None),
        ("SET dp.epsilon , 1", None),
        ("SET dp.epsilon = E'1'", None),
        ("SET dp.epsilon = 1 2", None),
        ("SET dp.epsilon = 1;2", None),
    ],
)
def test_settings_are_read_from_set(text: str, setting: tuple[str, str] | None) -> None:
    assert set_statement(text) == setting


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("SELECT count(*) FROM Visits", True),
        ('SELECT count(*) FROM "visits"', True),
        ('SELECT count(*) FROM U&"\\0076isits"', True),
        ("SELECT 'visits' || $$visits$$ /* visits */ -- visits", False),
        ('SELECT "a visit"', False),
        ("SELECT visit, 'a text without an end", True),
    ],
)
def test_a_name_is_found_wherever_it_can_be_an_identifier(text: str, answer: bool) -> None:
    assert names_outside_strings(text, frozenset({"visits"})) is answer


def test_a_name_without_quotes_is_stored_in_small_ascii_letters() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert folded(exp.Identifier(this=f"{letters}Ä")) == f"{letters.lower()}Ä"
    assert folded(exp.Identifier(this=letters, quoted=True)) == letters


def test_what_follows_a_query_in_parentheses_belongs_to_it() -> None:
    statement = parse_statement("(SELECT a FROM b) ORDER BY a LIMIT 3 OFFSET 2")
    assert statement is not None
    assert dialect.render(statement.query) == "SELECT a FROM b ORDER BY a LIMIT 3 OFFSET 2"


def test_parameters_need_no_blank_between_them() -> None:
    text = "SELECT count(*) FROM visits WHERE visit_id IN($1,$2,$3)AND region<>'$4,$5'"
    assert [text[token.start : token.end + 1] for token in dialect.tokenize(text)][-7:-2] == [
        "$",
        "3",
        ")",
        "AND",
        "region",
    ]
    statement = parse_statement(text)
    assert statement is not None
    assert [node.name for node in statement.query.find_all(exp.Parameter)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("around", "inside"),
    [
        ("(SELECT 1 AS a LIMIT 5) ORDER BY a", "SELECT 1 AS a ORDER BY a LIMIT 5"),
        ("(((SELECT 1 AS a) OFFSET 5)) ORDER BY a", "SELECT 1 AS a ORDER BY a OFFSET 5"),
        ("WITH q AS (SELECT 1 AS a) ((SELECT a FROM q) LIMIT 2)", "WITH q AS (SELECT 1 AS a) SELECT a FROM q LIMIT 2"),
        ("SELECT a FROM (((SELECT 1 AS a) ORDER BY a)) AS x", "SELECT a FROM (SELECT 1 AS a ORDER BY a) AS x"),
        (
            "SELECT a FROM t WHERE a > (((SELECT 2)) LIMIT 0) AND a IN ((TABLE u) OFFSET 3)",
            "SELECT a FROM t WHERE a > (SELECT 2 LIMIT 0) AND a IN (SELECT * FROM u OFFSET 3)",
        ),
        (
            "SELECT a FROM ((SELECT 1 AS a UNION SELECT 2) LIMIT 1) AS x, LATERAL ((SELECT x.a AS b) FETCH FIRST ROW ONLY) AS y",
            "SELECT a FROM (SELECT 1 AS a UNION SELECT 2 LIMIT 1) AS x, LATERAL (SELECT x.a AS b FETCH FIRST ROWS ONLY) AS y",
        ),
        (
            "SELECT 1 FROM ((SELECT 1) AS a CROSS JOIN (SELECT 2) AS b)",
            "SELECT 1 FROM ((SELECT 1) AS a CROSS JOIN (SELECT 2) AS b)",
        ),
    ],
)
def test_what_stands_around_parentheses_belongs_to_the_query_inside(around: str, inside: str) -> None:
    """So does Postgres's own grammar: both have one parse tree."""
    (expected,), (found,) = grammar.statements(inside), grammar.statements(around)
    assert normal_form(found) == normal_form(expected)
    statement = parse_statement(around)
    assert statement is not None
    assert render(statement.query) == inside

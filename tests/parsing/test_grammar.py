"""No text crashes or stalls the process in Postgres's grammar, which is C code without limits of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from proxy.errors import DpproxyError
from proxy.sql import grammar
from proxy.sql.statement import parse_statement

DEEP = {
    "parentheses": "'SELECT ' + '(' * n + '1' + ')' * n",
    "open parentheses": "'SELECT ' + '(' * n",
    "sums": "'SELECT ' + '+'.join(['1'] * n)",
    "signs": "'SELECT ' + '- ' * n + '1'",
    "texts put together": "'SELECT ' + '||'.join(['a'] * n)",
    "negations": "'SELECT ' + 'NOT ' * n + 'true'",
    "connectives": "'SELECT ' + '(a AND (a OR ' * n + 'a' + '))' * n",
    "branches": "'SELECT ' + 'CASE WHEN a THEN ' * n + '1' + ' END' * n",
    "scalar subqueries": "'SELECT ' + '(SELECT ' * n + '1' + ')' * n",
    "subqueries in FROM": "'SELECT 1 FROM ' + '(SELECT 1 FROM ' * n + 't' + ') x' * n",
    "calls": "'SELECT ' + 'f(' * n + '1' + ')' * n",
    "set operations": "' UNION ALL '.join(['SELECT 1, 2'] * n)",
    "casts": "'SELECT 1' + '::int' * n",
    "null tests": "'SELECT a' + ' ISNULL' * n",
    "truth tests": "'SELECT a' + ' IS TRUE' * n",
    "joins": "'SELECT 1 FROM t' + ' JOIN t ON a' * n",
    "natural joins": "'SELECT 1 FROM t' + ' NATURAL JOIN t' * n",
    "nested joins": "'SELECT 1 FROM ' + 't JOIN ' * n + 't' + ' ON a' * n",
    "arrays": "'SELECT ARRAY' + '[' * n + '1' + ']' * n",
    "rows": "'SELECT ' + 'ROW(' * n + '1' + ')' * n",
    "names": "'SELECT a' + '.b' * n",
    "subscripts": "'SELECT a' + '[1]' * n",
    "collations": "'SELECT a' + ' COLLATE b' * n",
    "zones": "'SELECT a' + ' AT TIME ZONE b' * n",
    "local times": "'SELECT a' + ' AT LOCAL' * n",
    "common table expressions": "'WITH x AS (' * n + 'SELECT 1' + ') SELECT 1' * n",
    "cases": "'SELECT ' + 'CASE WHEN a THEN 1 ELSE ' * n + '1' + ' END' * n",
    "columns called when": "'SELECT CASE WHEN a THEN x.when' + ' + x.when' * n + ' END'",
    "sets of grouping sets": "'SELECT 1 GROUP BY ' + 'GROUPING SETS (' * n + 'a' + ')' * n",
}

PROGRAM = """
import json, sys, threading
from proxy.sql import grammar

def run():
    n = grammar.MOST_LEVELS
    for name, text in json.loads(sys.argv[1]).items():
        # As many as the limit on nesting lets through.
        least, most = 1, n + 1
        while most - least > 1:
            middle = (least + most) // 2
            try:
                grammar._check_size(eval(text, {"n": middle}))
                least = middle
            except grammar.TooLargeError:
                most = middle
        try:
            grammar.statements(eval(text, {"n": least}))
        except (grammar.NotReadError, grammar.TooLargeError, RecursionError):
            pass
        print(name, least)

threading.stack_size(1 << 20)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""


@pytest.mark.postgres
def test_the_deepest_texts_that_are_read_need_less_than_a_megabyte_of_stack() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(DEEP)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    reached = dict(line.rsplit(" ", 1) for line in ran.stdout.splitlines())
    assert reached.keys() == DEEP.keys()
    assert all(int(count) >= 500 for count in reached.values()), reached


@pytest.mark.parametrize("name", DEEP)
def test_deep_texts_are_refused_at_once(name: str) -> None:
    text = eval(DEEP[name], {"n": 100_000})
    began = time.monotonic()
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.rule in ("complexity", "depth", "operators", "parse", "size")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM visits WHERE cost IN (" + "1," * 5_000_000 + "1)",
        "SELECT count(*) FROM visits WHERE region = '" + "x" * 10_000_000 + "'",
        "SELECT count(*) FROM visits WHERE " + "/*" * 100_000 + "*/" * 100_000 + "true",
        "SELECT count(*) FROM visits WHERE a " + "+-" * 100_000 + " b",
        "SELECT count(*) FROM visits -- " + "=" * 100_000,
    ],
    ids=["10 MB of constants", "a text of 10 MB", "nested comments", "one long operator", "one long line"],
)
def test_large_texts_are_refused_at_once(text: str) -> None:
    began = time.monotonic()
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert refusal.value.rule in ("complexity", "depth", "operators", "parse", "size")
    assert time.monotonic() - began < 10


def test_long_lists_are_no_nesting() -> None:
    (tree,) = grammar.statements("SELECT 1 WHERE a IN (" + ", ".join(f"-{n}::int" for n in range(20_000)) + ")")
    assert len(tree["SelectStmt"]["whereClause"]["A_Expr"]["rexpr"]["List"]["items"]) == 20_000


def test_branches_of_a_case_are_no_nesting() -> None:
    branches = "".join(f" WHEN a = {n} AND a.end <> 1 THEN {n} + 1" for n in range(2_000))
    (tree,) = grammar.statements(f"SELECT CASE{branches} ELSE 1 END AS when, a when FROM t")
    assert len(tree["SelectStmt"]["targetList"][0]["ResTarget"]["val"]["CaseExpr"]["args"]) == 2_000


@pytest.mark.parametrize("text", ["SELECT 'a\0b'", "SELECT '\ud800'", "SELECT \x01"])
def test_characters_that_no_statement_has_are_no_sql(text: str) -> None:
    with pytest.raises(grammar.NotReadError):
        grammar.statements(text)


def test_an_error_is_placed_in_characters() -> None:
    with pytest.raises(grammar.NotReadError) as error:
        grammar.statements("SELECT 'ä😀' FORM x y z")
    assert error.value.start == len("SELECT 'ä😀' FORM ")


TOO_LARGE = {
    "characters": "SELECT 1" + " " * grammar.MOST_CHARACTERS,
    "nested brackets": f"SELECT {'(' * grammar.MOST_LEVELS}1{')' * grammar.MOST_LEVELS}",
    "brackets beside each other in one another": f"SELECT {'f(a, [' * 2600}1{'], b)' * 2600}",
    "open brackets": f"SELECT {'(' * (grammar.MOST_LEVELS + 1)}",
    "a long element behind a short one": f"SELECT a, {'- ' * grammar.MOST_LEVELS}1",
    "a long element before a short one": f"SELECT {'- ' * grammar.MOST_LEVELS}1, a",
    "a long element around brackets": f"SELECT {'- ' * 2600}(a, {'- ' * 2600}1)",
    "CASE in CASE": "SELECT " + "CASE WHEN a THEN 1 ELSE " * 2600 + "1" + " END" * 2600,
    "a long branch of a CASE": f"SELECT CASE WHEN a THEN 1 WHEN b THEN {'- ' * grammar.MOST_LEVELS}1 END",
    "CASE in a long element": f"SELECT {'- ' * 2600}CASE WHEN a THEN 1 ELSE {'- ' * 2600}1 END",
    "a long element behind CASE": f"SELECT CASE WHEN a THEN 1 END {'+ 1 ' * grammar.MOST_LEVELS}",
    "WHEN as a column": f"SELECT CASE WHEN a THEN x.when {'+ x.when ' * grammar.MOST_LEVELS} END",
    "CASE as a column": f"SELECT x.case {'+ x.when ' * grammar.MOST_LEVELS}",
    "CASE as a name": f"SELECT 1 AS case, 1 {'+ x.when ' * grammar.MOST_LEVELS}",
    "CASE as a bare name": f"SELECT (SELECT 1 case) {'+ x.when ' * 1700}",
    "END as a column": f"SELECT CASE WHEN a THEN x.end {'+ x.end ' * grammar.MOST_LEVELS} END",
    "set operations between lists": " UNION ".join(["SELECT 1, 2, 3"] * (grammar.MOST_LEVELS + 1)),
}
UNREADABLE = {
    "a run of operator characters": ("SELECT 1 " + "+-" * 125 + " 2", "too many operator characters in a row"),
    "a NUL": ("SELECT '\0'", "a character that no statement has"),
    "half a character": ("SELECT '\ud800'", "a character that no statement has"),
    "an open comment": ("SELECT 1 /* " + "a " * grammar.MOST_LEVELS, "no lexeme of SQL"),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_the_grammar_is_not_given_what_is_too_large_for_it(name: str) -> None:
    with pytest.raises(grammar.TooLargeError):
        grammar.statements(TOO_LARGE[name])


@pytest.mark.parametrize("name", UNREADABLE)
def test_the_grammar_is_not_given_what_it_would_read_slowly_or_not_at_all(name: str) -> None:
    text, message = UNREADABLE[name]
    with pytest.raises(grammar.NotReadError) as refusal:
        grammar.statements(text)
    assert refusal.value.message == message


def test_long_lists_are_not_deep() -> None:
    (statement,) = grammar.statements(f"SELECT {', '.join(['(a + 1)'] * 10_000)}")
    assert len(statement["SelectStmt"]["targetList"]) == 10_000

"""Printing a tree leaves it as it is, and a copy has all that the tree has."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.sql import dialect
from proxy.sql.explicit import explicit
from proxy.sql.nodes import copied, walk
from proxy.sql.plain_postgres import must_be_copied, render
from tests.plans.cases import FILES, read

STATEMENTS = [case.statement for file in FILES for case in read(file)]

TEXTS = [
    "WITH w AS (SELECT region, count(*) AS n FROM visits GROUP BY 1) SELECT a.n FROM w AS a JOIN w b USING (region)",
    "SELECT a FROM (WITH w AS (SELECT 1 AS a) SELECT a FROM w) AS x UNION SELECT 2 ORDER BY 1 LIMIT 3",
    "SELECT CASE WHEN urgent THEN cost::numeric(5, 2) END, x[1:2], f(VARIADIC ARRAY[1, 2]) FROM visits AS v",
    "SELECT DISTINCT ON (a) percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY b DESC) FILTER (WHERE c IS NOT NULL) FROM t",
    "SELECT sum(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t, LATERAL f(t.a) AS g(x)",
]


def everything(tree: exp.Expr) -> list[tuple[object, ...]]:
    """The nodes in their order, each with its place and its marks."""
    return [
        (type(node), node.arg_key, node.index, node.parent and node.parent.key, dict(node.meta), [*node.args])
        for node in tree.walk()
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_printing_changes_nothing(text: str) -> None:
    tree = dialect.parse(text)
    assert tree is not None
    before = tree.copy()
    for printed in (render, explicit):
        assert printed(tree) == printed(tree)
        assert everything(tree) == everything(before)


@pytest.mark.parametrize("text", TEXTS)
def test_a_copy_has_all_that_the_tree_has_and_nothing_in_common_with_it(text: str) -> None:
    tree = dialect.parse(text)
    assert tree is not None
    for number, node in enumerate(tree.walk()):
        node.meta["mark"] = number
    copy = copied(tree)
    assert copy == tree
    assert everything(copy) == everything(tree)
    nodes = {id(part) for node in tree.walk() for part in (node, node.args, node.meta)}
    assert not any(id(part) in nodes for node in copy.walk() for part in (node, node.args, node.meta))


def parsed() -> list[exp.Expr]:
    found = []
    for statement in STATEMENTS:
        with suppress(SqlglotError, dialect.NotReadError):  # some are refused
            found.append(dialect.parse(statement))
    return [tree for tree in found if tree is not None]


def test_what_is_printed_without_a_copy_stays_as_it_is() -> None:
    trees = [tree for tree in parsed() if not must_be_copied(walk(tree))]
    assert len(trees) > 0.5 * len(STATEMENTS)
    assert {type(node) for tree in trees for node in walk(tree)} > {exp.Case, exp.Window, exp.CTE, exp.Cast, exp.Join}
    for tree in trees:
        nodes, before = walk(tree), everything(tree)
        for printed in (render, explicit):
            assert printed(tree, copy=False) == printed(tree)
            assert everything(tree) == before
            assert [id(node) for node in walk(tree)] == [id(node) for node in nodes]


def test_what_stands_in_something_else_is_printed_from_a_copy() -> None:
    query = exp.Subquery(this=parsed()[0])
    assert must_be_copied(walk(query.this))

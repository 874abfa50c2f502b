"""Trees are searched as sqlglot's own methods search them: every step that decides about privacy sees every node."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

import pytest
from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.sql.dialect import NotReadError, parse
from proxy.sql.nodes import LEAVES, copied, find, find_all, identical, shape, walk
from tests.plans.cases import FILES, read

MOST = 100_000
STATEMENTS = [case.statement for file in FILES for case in read(file)]


@pytest.fixture(scope="module")
def trees() -> list[exp.Expr]:
    found = []
    for statement in STATEMENTS:
        with suppress(SqlglotError, NotReadError):  # some are refused
            found.append(parse(statement))
    assert len(found) > 0.9 * len(STATEMENTS)
    return [tree for tree in found if tree is not None]


def ids(nodes: list[exp.Expr]) -> list[int]:
    return [id(node) for node in nodes]


def test_every_node_is_found_in_the_same_order(trees: list[exp.Expr]) -> None:
    for tree in trees:
        assert ids(walk(tree)) == ids(list(tree.walk()))


def test_nodes_are_found_by_their_kinds(trees: list[exp.Expr]) -> None:
    kinds = (exp.Column, exp.Query)
    for tree in trees:
        assert ids(find_all(tree, *kinds)) == ids(list(tree.find_all(*kinds)))
        assert find(tree, exp.Window, exp.Case) is tree.find(exp.Window, exp.Case)


def test_leaves_hold_texts_alone(trees: list[exp.Expr]) -> None:
    leaves = [node for tree in trees for node in tree.walk() if type(node) in LEAVES]
    assert len(leaves) > 1000
    assert not [leaf for leaf in leaves if list(leaf.iter_expressions())]


def test_a_copy_has_all_nodes_in_their_places(trees: list[exp.Expr]) -> None:
    for tree in trees:
        copy = copied(tree)
        assert copy == tree
        assert not {*ids(walk(copy))} & {*ids(walk(tree))}
        for old, new in zip(tree.walk(), copy.walk(), strict=True):
            assert (new.arg_key, new.index) == (old.arg_key, old.index) or old is tree
            assert new is copy or (new.parent is not None and new in new.parent.iter_expressions())


def test_a_tree_is_identical_to_its_copy_and_to_nothing_that_differs_anywhere(trees: list[exp.Expr]) -> None:
    for tree, other in pairwise(trees):
        copy = copied(tree)
        assert identical(tree, copy)
        assert shape(tree, MOST) == shape(copy, MOST)
        assert identical(tree, other) == (repr(tree) == repr(other)) == (shape(tree, MOST) == shape(other, MOST))
        for node in [node for node in walk(copy) if type(node) in LEAVES][:5]:
            text = node.args["this"]
            node.args["this"] = text.swapcase() if text.swapcase() != text else f"{text}x"
            assert not identical(tree, copy)
            assert not identical(copy, tree)
            assert shape(tree, MOST) != shape(copy, MOST)
            node.args["this"] = text


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("SELECT a FROM t", 'SELECT "a" FROM t'),
        ("SELECT 1", "SELECT '1'"),
        ("SELECT a, b, c FROM t", "SELECT a, b FROM t"),
        ("SELECT f(a, g(b))", "SELECT f(g(a), b)"),
        ("SELECT count(*) FROM t", "SELECT count(*) FROM t AS t"),
        ("SELECT count(*) FROM t", "SELECT DISTINCT count(*) FROM t"),
        ("SELECT count(*) FROM a.t", "SELECT count(*) FROM b.t"),
        ("SELECT count(*) FROM t", "SELECT count(*) FROM a.t"),
    ],
)
def test_what_postgres_reads_as_two_texts_is_not_identical(one: str, another: str) -> None:
    left, right = parse(one), parse(another)
    assert left is not None
    assert right is not None
    assert shape(left, MOST) != shape(right, MOST)
    added = ((exp.Table, "db"),)
    assert not identical(left, right, added)
    assert identical(parse("SELECT x FROM a.t") or left, parse("SELECT x FROM t") or right, added)


def test_equal_values_of_other_classes_and_places_are_other_shapes() -> None:
    one = exp.Boolean(this=True)
    assert shape(one, MOST) != shape(exp.Boolean(this=1), MOST)
    assert shape(exp.Ordered(this=one, desc=False), MOST) != shape(exp.Ordered(this=one), MOST)
    assert shape(exp.Tuple(expressions=["this", "x"]), MOST) != shape(exp.Tuple(expressions=[], this="x"), MOST)
    hash(shape(exp.Tuple(expressions=[exp.DataType(this=exp.DType.INT, nested=False)]), MOST))


def test_a_tree_of_more_nodes_than_are_wanted_has_no_shape() -> None:
    tree = parse("SELECT a + 1")
    assert tree is not None
    nodes = len(walk(tree))
    assert shape(tree, nodes) is not None
    assert shape(tree, nodes - 1) is None

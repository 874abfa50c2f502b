"""Where NULL counts as false: only as a conjunct of WHERE, where IN over a subquery may be planned as a join."""

from __future__ import annotations

import pytest
from sqlglot import exp

from proxy.sql import dialect
from proxy.sql.terms.expressions import is_required


@pytest.mark.parametrize(
    ("query", "required"),
    [
        ("SELECT 1 FROM t WHERE x IN (SELECT 1)", True),
        ("SELECT 1 FROM t WHERE (y AND (x IN (SELECT 1)))", True),
        ("SELECT 1 FROM t WHERE NOT x IN (SELECT 1)", False),
        ("SELECT 1 FROM t WHERE y OR x IN (SELECT 1)", False),
        ("SELECT 1 FROM t WHERE (x IN (SELECT 1)) IS NULL", False),
        ("SELECT x IN (SELECT 1) FROM t", False),
        ("SELECT 1 FROM t JOIN u ON x IN (SELECT 1)", False),
        ("SELECT count(*) FILTER (WHERE x IN (SELECT 1)) FROM t", False),
    ],
)
def test_a_conjunct_of_where_is_required_and_nothing_else(query: str, required: bool) -> None:
    tree = dialect.parse(query)
    assert isinstance(tree, exp.Select)
    (node,) = tree.find_all(exp.In)
    assert is_required(node) == required

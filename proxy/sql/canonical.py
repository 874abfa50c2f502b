"""Texts of expressions that are equal for equal expressions over the same relation."""

from __future__ import annotations

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.dialect import render
from proxy.sql.relation import Relation
from proxy.sql.trees import own_nodes


def canonical(node: exp.Expr, relation: Relation) -> str:
    """Text of an expression with every column resolved.

    Names that are not columns of the relation stay as they are (output aliases in ORDER BY, for example).
    """
    copy = node.copy()
    for column in [found for found in own_nodes(copy) if isinstance(found, exp.Column)]:
        try:
            origin = relation.origin(column)
        except DpproxyError:
            continue
        resolved = exp.column(exp.to_identifier(origin.column, quoted=True), table=origin.member.alias)
        if column is copy:
            copy = resolved
        else:
            column.replace(resolved)
    while isinstance(copy, exp.Paren):
        copy = copy.this
    return render(copy)

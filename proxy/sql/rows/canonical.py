"""Strings that are equal for equal expressions over the same relation."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from proxy.budget.cache import ImmutableCache
from proxy.errors import DpproxyError
from proxy.sql.nodes import Shape, copied, shape
from proxy.sql.plain_postgres import render
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import quote_identifier
from proxy.sql.trees.walking import own_nodes

_MOST = 50
"""Nodes of an expression whose text is kept."""

_TEXTS: Final[ImmutableCache[Shape, str]] = ImmutableCache(200)
"""The texts of expressions without columns, which the texts of many statements have."""


def canonical(node: exp.Expr, relation: Relation) -> str:
    """An expression as SQL with every column resolved.

    Names that are not columns of the relation stay as they are (output aliases in ORDER BY, for example).
    """
    node = node.unnest()
    if isinstance(node, exp.Column):
        return _column_text(node, relation)
    made_of = shape(node, _MOST)
    if made_of is None:
        return _text(node, relation)
    if exp.Column not in made_of:
        return _text_without_columns(made_of, node)
    text = relation.texts.get(made_of)
    if text is None:
        text = relation.texts[made_of] = _text(node, relation)
    return text


def _text_without_columns(made_of: Shape, node: exp.Expr) -> str:
    """The text of what is the same over every relation, as count(*) is: it follows from what it is made of."""
    text = _TEXTS.get(made_of)
    if text is None:
        text = render(node)
        _TEXTS.put(made_of, text, weight=1)
    return text


def _text(node: exp.Expr, relation: Relation) -> str:
    copy = copied(node)
    for column in [found for found in own_nodes(copy) if isinstance(found, exp.Column)]:
        try:
            origin = relation.origin(column)
        except DpproxyError:
            continue
        name = exp.Identifier(this=origin.column, quoted=True)
        column.replace(exp.Column(this=name, table=exp.to_identifier(origin.member.alias)))
    return render(copy, copy=False)


def _column_text(column: exp.Column, relation: Relation) -> str:
    try:
        origin = relation.origin(column)
    except DpproxyError:
        return render(column)
    return f"{origin.member.alias}.{quote_identifier(origin.column)}"

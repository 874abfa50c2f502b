"""Writes texts that stand for conditions as such: Hasura asks for everything with WHERE ('true')."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from sqlglot.expressions.core import Expr

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema

_PLACES: Final = {
    exp.Where: ("this",),
    exp.Having: ("this",),
    exp.Join: ("on",),
    exp.If: ("this",),
    exp.Not: ("this",),
    exp.And: ("this", "expression"),
    exp.Or: ("this", "expression"),
}

_TRUE: Final = frozenset("t tr tru true y ye yes on 1".split())
_FALSE: Final = frozenset("f fa fal fals false n no of off 0".split())
"""What Postgres reads as boolean, besides blanks around it."""


def write_texts_as_truth(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write them in place, in every query. Other texts stay, which Postgres refuses.

    Args:
        query: a tree with parameters as literals.
    """
    for node in find_all(query, *_PLACES):
        if isinstance(node, exp.If) and isinstance(node.parent, exp.Case) and node.parent.this is not None:
            continue  # CASE x WHEN 'true'
        for place in _PLACES[node.__class__]:
            child = node.args.get(place)
            text = child.unnest() if isinstance(child, Expr) else None
            if isinstance(child, Expr) and isinstance(text, exp.Literal) and text.is_string:
                truth = truth_of(text.name)
                if truth is not None:
                    child.replace(exp.Boolean(this=truth))
    return query


def truth_of(text: str) -> bool | None:
    """What Postgres reads a text as, as a boolean; None for what it refuses."""
    word = text.strip(" \t\n\r\f\v").lower()
    return word in _TRUE if word in _TRUE | _FALSE else None

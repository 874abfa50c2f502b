"""GROUP BY: its keys with ordinals and aliases resolved, in a form whose text depends on their value alone.

Postgres shows a group by one of its rows, and equal values can look different: 1.0 and 1.00, 0 and -0, 1 month and
30 days, or texts under a case-insensitive collation. Which one is shown, and under a collation even which declared key
the group answers for, would be one person's doing.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term, decimal_places
from proxy.sql.terms.types import Kind
from proxy.sql.trees.walking import unaliased

_MOST_PLACES = 100


def grouping_term(node: exp.Expr, term: Term) -> Term:
    """The term of a group key with one text for each value.

    Args:
        node: the key's expression, for the position of a refusal.
        term: its term.

    Raises:
        UnsupportedError: a type whose equal values have several texts.
    """
    if term.kind in (Kind.OTHER, Kind.INTERVAL):
        raise unsupported(
            node,
            f"GROUP BY a {term.type.name} is not supported",
            rule="key-type",
            hint="Group by numbers, texts, dates or timestamps made of it.",
        )
    if term.kind is Kind.TEXT:
        return replace(term, sql=f'({term.sql} COLLATE "C")', literal=None)
    return uniform_number(term)


def uniform_number(term: Term) -> Term:
    """A number with one spelling for each value: which of equal ones DISTINCT, GROUP BY, min or max keep depends on the
    order of the rows, and that on other people's rows."""
    if term.kind is Kind.NUMERIC:
        return replace(term, sql=_uniform_scale(term), literal=None)
    if term.kind is Kind.FLOAT:
        return replace(term, sql=f"({term.sql} + 0::{term.type.name})", literal=None)
    return term


def _uniform_scale(term: Term) -> str:
    """Every value of a known grid with the grid's digits after the point, as Postgres prints most of them anyway."""
    places = decimal_places(term.grid) if term.grid is not None else _MOST_PLACES + 1
    return f"round({term.sql}, {places})" if places <= _MOST_PLACES else f"trim_scale({term.sql})"


def group_keys(select: exp.Select, relation: Relation) -> list[exp.Expr]:
    """The expressions of GROUP BY in order, those inside grouping sets too, with ordinals and aliases resolved."""
    group = select.args.get("group")
    return [group_item(leaf, select, relation) for leaf in group_leaves(group)] if group is not None else []


def group_leaves(node: exp.Expr) -> list[exp.Expr]:
    """The expressions below GROUP BY, ROLLUP, CUBE, GROUPING SETS and their lists."""
    leaves: list[exp.Expr] = []
    for item in node.expressions:
        bare = item.unnest()
        leaves.extend(group_leaves(bare) if isinstance(bare, _GROUPING) else [item])
    return leaves


_GROUPING = (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)


def group_item(item: exp.Expr, select: exp.Select, relation: Relation) -> exp.Expr:
    """One item of GROUP BY with an ordinal or an output alias resolved."""
    item = item.unnest()
    if isinstance(item, exp.Literal) and not item.is_string:
        ordinal = int(item.name) if item.name.isdigit() else 0
        if not 1 <= ordinal <= len(select.expressions):
            raise unsupported(item, f"GROUP BY position {item.name} is not in the select list", rule="group-ordinal")
        return unaliased(select.expressions[ordinal - 1])
    if isinstance(item, exp.Column) and not item.args.get("table"):
        name = folded(item.this)
        # Postgres prefers a column of FROM over an output alias here.
        if not any(member.table.visible(name) for member in relation.members):
            for output in select.expressions:
                if isinstance(output, exp.Alias) and folded(output.args["alias"]) == name:
                    return unaliased(output)
    return item

"""GROUP BY: its keys with ordinals and aliases resolved, in a form whose text depends only on their value.

Postgres shows a group's key as one of its rows has it, and equal values can look different (`terms.canonical_values`).
So can texts under a case-insensitive collation, which are therefore grouped octet by octet. Otherwise a single unit
could decide how a key looks, or even for which declared key the group answers.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.canonical_values import require_canonical
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.trees.walking import unaliased


def grouping_term(node: exp.Expr, term: Term) -> Term:
    """The term of a group key whose equal values have the same text.

    Args:
        node: the key's expression, for the position of a refusal.
        term: its term.

    Raises:
        UnsupportedError: a type whose equal values have several texts.
    """
    value = require_canonical(node, term)
    return value.with_sql(f'({value.sql} COLLATE "C")') if value.kind is Kind.TEXT else value


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
            raise unsupported(item, f"GROUP BY position {item.name} is not in select list", rule="group-ordinal")
        return unaliased(select.expressions[ordinal - 1])
    if isinstance(item, exp.Column) and not item.args.get("table"):
        name = folded(item.this)
        # Postgres prefers a column of FROM over an output alias here.
        if not any(member.table.visible(name) for member in relation.members):
            for output in select.expressions:
                if isinstance(output, exp.Alias) and folded(output.args["alias"]) == name:
                    return unaliased(output)
    return item

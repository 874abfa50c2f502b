"""Leaves out what a query does not read of a set operation in its FROM.

Such rows have no key of their own, so that all columns are compared where a limited number of a unit's rows take part
(`cuts`). Rows that are equal in what the query reads are the same to it, whatever else they hold.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import walk
from proxy.sql.replacing import replace
from proxy.sql.rows.members import Derived
from proxy.sql.terms.work import octets_of
from proxy.sql.trees.walking import alias_of, body_of, is_star


def without_unread(derived: Derived, item: exp.Expr) -> Derived:
    """The relation of an item of FROM with the columns that the query around it may read; one of them at least.

    The SQL of the relation has all columns, as before. One that has keys keeps its columns.
    """
    if not derived.private or derived.unique_keys or not isinstance(body_of(item), exp.SetOperation):
        return derived
    read = _names_read(item)
    if read is None:
        return derived
    kept = {name: column for name, column in derived.columns.items() if name in read}
    if not kept and derived.columns:
        name = min(derived.columns, key=lambda name: octets_of(derived.columns[name].value))
        kept = {name: derived.columns[name]}
    return replace(derived, columns=kept, unit_outputs=derived.unit_outputs & kept.keys())


def _names_read(item: exp.Expr) -> set[str] | None:
    """The names of all columns that the query around an item reads of whatever relation; None where it reads columns
    that it does not name."""
    select = item.find_ancestor(exp.Select)
    if select is None:
        return None
    inside, names, alias = {id(node) for node in walk(item)}, set[str](), alias_of(item)
    # What an output is called changes nothing of its rows.
    inside |= {id(output.args["alias"]) for output in select.expressions if isinstance(output, exp.Alias)}
    for node in walk(select):
        if id(node) in inside:
            continue
        if isinstance(node, exp.Identifier):
            # Those of tables, too: a few more than are read.
            names.add(folded(node))
        shows_all = isinstance(node, exp.Select) and any(map(is_star, node.expressions))
        is_natural = isinstance(node, exp.Join) and bool(node.args.get("method"))
        if shows_all or is_natural or _is_whole_row(node, alias):
            return None
    return names


def _is_whole_row(node: exp.Expr, alias: str | None) -> bool:
    """Is it t.*, or t as a value by itself?"""
    if not isinstance(node, exp.Column):
        return False
    return is_star(node) or (not node.args.get("table") and folded(node.this) == alias)

"""Rewrites window functions over a unit's own groups as those over the rows of a subquery that groups:

    SELECT patient_id, region, row_number() OVER (PARTITION BY patient_id ORDER BY count(*) DESC) AS r
    FROM visits GROUP BY patient_id, region

numbers the rows of `(SELECT patient_id AS k0, region AS k1, count(*) AS a0 FROM visits GROUP BY …) AS groups`. So
each patient's most frequent region is found like any first row of a unit (`derived`).
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all, identical
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import output_name, own_nodes, unaliased

_ALIAS = "groups"
_INNER = ("from_", "joins", "where", "group", "having")
_OUTER = ("distinct", "order", "limit", "offset")


def write_windows_over_groups_as_windows(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite such subqueries, in place, where each key and aggregate can be named.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        if select is not query and _has_windows_over_groups(select) and scopes.is_rows(select):
            _Writer(select, scopes).write()
    return query


def _has_windows_over_groups(select: exp.Select) -> bool:
    group = select.args.get("group")
    if group is None or any(value for name, value in group.args.items() if name != "expressions"):
        return False
    if any(value for name, value in select.args.items() if name not in ("expressions", *_INNER, *_OUTER)):
        return False
    return any(isinstance(node, exp.Window) for output in select.expressions for node in own_nodes(output))


class _Writer:
    def __init__(self, select: exp.Select, scopes: Scopes) -> None:
        self.select = select
        self.scopes = scopes
        self.keys = [key.copy() for key in key_expressions(select, scopes)]
        self.aggregates: list[exp.Expr] = []

    def write(self) -> None:
        outputs = []
        for output in self.select.expressions:
            name = output_name(output)
            written = self._over_groups(unaliased(output))
            if written is None or name is None:
                return
            outputs.append(exp.alias_(written, name, quoted=True))
        outer = exp.Select(expressions=outputs)
        for name in _OUTER:
            clause = self.select.args.get(name)
            if clause is not None:
                items = [item.this for item in clause.expressions] if name == "order" else []
                if not all(isinstance(item, exp.Literal) or self._is_output(item) for item in items):
                    return
                outer.set(name, clause.copy())
        inner = exp.Select(expressions=[*self._named(self.keys, "k"), *self._named(self.aggregates, "a")])
        for name in _INNER:
            clause = self.select.args.get(name)
            inner.set(name, [part.copy() for part in clause] if isinstance(clause, list) else clause and clause.copy())
        inner.set("group", exp.Group(expressions=[exp.Literal.number(n + 1) for n in range(len(self.keys))]))
        alias = exp.TableAlias(this=exp.to_identifier(_ALIAS))
        outer.set("from_", exp.From(this=exp.Subquery(this=inner, alias=alias)))
        for name in list(self.select.args):
            self.select.set(name, None)
        for name, value in outer.args.items():
            self.select.set(name, value)

    @staticmethod
    def _named(expressions: list[exp.Expr], letter: str) -> list[exp.Expr]:
        return [exp.alias_(each.copy(), f"{letter}{number}") for number, each in enumerate(expressions)]

    def _is_output(self, item: exp.Expr) -> bool:
        return isinstance(item, exp.Column) and any(
            output_name(output) == folded(item.this) for output in self.select.expressions
        )

    def _over_groups(self, node: exp.Expr) -> exp.Expr | None:
        """An expression over the columns of the groups; None if it reads something else."""
        for number, key in enumerate(self.keys):
            if self._means(node, key):
                return exp.column(f"k{number}", table=_ALIAS)
        call = node.this if isinstance(node, exp.Filter) else node
        if is_aggregate(call):
            known = next((n for n, each in enumerate(self.aggregates) if identical(each, node)), None)
            if known is None:
                known = len(self.aggregates)
                self.aggregates.append(node.copy())
            return exp.column(f"a{known}", table=_ALIAS)
        if isinstance(node, (exp.Column, exp.Query, exp.Subquery)):
            return None
        copy = node.copy()
        for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
            written = self._over_groups(original)
            if written is None:
                return None
            child.replace(written)
        return copy

    def _means(self, node: exp.Expr, key: exp.Expr) -> bool:
        if not isinstance(node, exp.Column) or not isinstance(key, exp.Column):
            return identical(node, key)
        owners = self.scopes.owner(node, self.select), self.scopes.owner(key, self.select)
        if owners == (None, None):
            return identical(node, key)  # of a function in FROM, whose columns are not known yet
        return folded(node.this) == folded(key.this) and owners[0] is owners[1]

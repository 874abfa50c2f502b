"""In which columns no two rows of an earlier answer share the values, and how many rows it has at most, by its text.

Nothing private rests on it: the source verifies the promise on the released rows before anything is charged
(`feedback.promise_sql`). So a text that is misread here is refused, and never wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.replacing import replace
from proxy.sql.rows.constant_rows import promised_keys, promised_rows
from proxy.sql.rows.joined_keys import Column, Item, combined_keys, equalities_of, resolved
from proxy.sql.rows.stage_columns import KINDS_OF_ONE_TEXT, StageColumn, type_of
from proxy.sql.schema import Schema
from proxy.sql.terms.calling import gives_several_rows
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.common_tables import body_of_cte
from proxy.sql.trees.walking import alias_of, is_star, items_of, output_name, own_nodes, unaliased

Keys = frozenset[frozenset[str]]

_NONE: Final[Keys] = frozenset()
_ONE_ROW: Final[Keys] = frozenset([frozenset()])


def released_keys(query: exp.Expr, columns: Sequence[StageColumn], schema: Schema) -> tuple[Keys, int | None]:
    """Sets of output columns of which no two rows share the values, and the most rows, as far as text and catalog tell.

    A key is told by the names of its columns, so that none may be the name of two: column aliases could leave it to
    another column than the one that is looked at.

    Args:
        query: the evaluated query, in which every table of the policy has its schema.
        columns: as the stage describes them.
        schema: policy and catalog.
    """
    query = behind_star(query)
    names = [column.name for column in columns]
    found, most = _Reader(schema).keys_of(query, tuple(columns))
    keys = frozenset(key for key in found if all(names.count(name) == 1 for name in key))
    promised = promised_rows(query)
    if promised is None:
        return keys, most
    return keys | _promised_keys(query, columns), promised if most is None else min(most, promised)


def _promised_keys(query: exp.Expr, columns: Sequence[StageColumn]) -> Keys:
    """The keys of constant rows, of types of which no two equal values have different texts: so the text of the query
    tells whether they are keys, and a refusal names a mistake."""
    names = [column.name for column in columns]
    return frozenset(
        frozenset(names[position] for position in key)
        for key in promised_keys(query, len(columns))
        if all(names.count(names[p]) == 1 and type_of(columns[p]).kind in KINDS_OF_ONE_TEXT for p in key)
    )


_KEEPING_ROWS: Final = frozenset(
    {"expressions", "from_", "joins", "where", "order", "limit", "offset", "with_", "distinct", "windows"}
)
"""Clauses that leave rows out, or combine those of several items, and never make two of one."""
_MOST_KEYS: Final = 20


@dataclass
class _Reader:
    """Reads each query once for each use of its columns: CTEs can read each other twice.

    Attributes:
        schema: policy and catalog.
    """

    schema: Schema
    _keys: dict[tuple[int, tuple[StageColumn, ...]], tuple[Keys, int | None]] = field(default_factory=dict)
    _outputs: dict[int, list[exp.Expr] | None] = field(default_factory=dict)

    def keys_of(self, query: exp.Expr, columns: tuple[StageColumn, ...]) -> tuple[Keys, int | None]:
        """The keys of a query with these outputs, by their names, and the most rows."""
        place = id(query), columns
        if place not in self._keys:
            self._keys[place] = _NONE, None  # what reads itself
            self._keys[place] = self._found(query, columns)
        return self._keys[place]

    def _found(self, query: exp.Expr, columns: tuple[StageColumn, ...]) -> tuple[Keys, int | None]:
        if not isinstance(query, exp.Select):
            return _NONE, None
        limit = query.args.get("limit")
        most = int(limit.expression.name) if limit is not None and _is_number(limit.expression) else None
        outputs = self.outputs_of(query)
        if outputs is None or len(outputs) != len(columns):
            return _NONE, most
        if query.args.get("from_") is None:
            one_row = all(isinstance(unaliased(output), (exp.Subquery, exp.Literal)) for output in outputs)
            return (_ONE_ROW, 1) if one_row else (_NONE, None)
        group = query.args.get("group")
        aggregated = any(is_aggregate(node) for output in outputs for node in own_nodes(output))
        several = any(gives_several_rows(node) for output in outputs for node in own_nodes(output))
        if most == 1 or (not several and group is None and (aggregated or query.args.get("having") is not None)):
            return _ONE_ROW, 1
        if group is not None and not several:
            return _of_group(group, query, outputs, columns), most
        keys, inside = (_NONE, None) if several else self._of_items(query, outputs, columns)
        distinct = query.args.get("distinct")
        if distinct is not None:
            chosen = distinct.args.get("on")
            shown = [_shown(item, outputs, columns) for item in chosen.expressions] if chosen is not None else None
            named = shown if shown is not None else [column.name for column in columns]
            keys |= {frozenset(name for name in named if name is not None)} if None not in named else _NONE
        return keys, min((count for count in (most, inside) if count is not None), default=None)

    def outputs_of(self, query: exp.Select) -> list[exp.Expr] | None:
        """The outputs with the columns that a star stands for; None where they are not known."""
        if id(query) not in self._outputs:
            self._outputs[id(query)] = None  # what reads itself
            self._outputs[id(query)] = self._written_out(query)
        return self._outputs[id(query)]

    def _written_out(self, query: exp.Select) -> list[exp.Expr] | None:
        found: list[exp.Expr] = []
        for output in query.expressions:
            if not is_star(output):
                found.append(output)
                continue
            of = output.args.get("table") if isinstance(output, exp.Column) else None
            holders = [holder for holder in items_of(query) if of is None or alias_of(holder.this) == folded(of)]
            if of is None and any(holder.args.get("using") for holder in holders):
                return None
            for holder in holders:
                names, alias = self._names(holder.this), alias_of(holder.this)
                if names is None or alias is None:
                    return None
                found += [exp.column(exp.to_identifier(name, quoted=True), alias, quoted=True) for name in names]
        return found

    def _names(self, item: exp.Expr) -> list[str] | None:
        """The columns of a FROM item; None where they are not known."""
        body = _body(item)
        if body is not None:
            outputs = self.outputs_of(body) if isinstance(body, exp.Select) else None
            names = [output_name(output) for output in outputs] if outputs is not None else [None]
            return [name for name in names if name is not None] if None not in names else None
        named = self.schema.find(item, ()) if isinstance(item, exp.Table) and item.args.get("db") else None
        return named.visible_columns() if named is not None and not _renames(item) else None

    def _of_items(
        self, query: exp.Select, outputs: Sequence[exp.Expr], columns: tuple[StageColumn, ...]
    ) -> tuple[Keys, int | None]:
        """The keys and the most rows of what is in FROM, as a SELECT shows them that has no combination twice."""
        keeps = not any(value for name, value in query.args.items() if name not in _KEEPING_ROWS)
        if not keeps:
            return _NONE, None
        names = [self._names(holder.this) for holder in items_of(query)]
        aliases = [alias_of(holder.this) for holder in items_of(query)]
        known = {alias: found for alias, found in zip(aliases, names, strict=True) if alias is not None and found}
        if len(known) < len(names):
            return _NONE, None
        equal = equalities_of(query, known)
        if equal is None:
            return _NONE, None
        shown: dict[Column, StageColumn] = {}
        for output, column in zip(outputs, columns, strict=True):
            bare = unaliased(output).unnest()
            place = resolved(bare, known, equal.merged) if isinstance(bare, exp.Column) else None
            if place is not None:
                shown[place] = column
        items = [self._item(holder.this, known, shown) for holder in items_of(query)]
        keys, most = combined_keys(items, equal)
        as_shown = []
        for key in sorted(keys, key=sorted)[:_MOST_KEYS]:
            places = [[shown[same].name for same in equal.same(part) if same in shown] for part in sorted(key)]
            as_shown += [frozenset(found) for found in product(*(place[:1] for place in places))]
        return frozenset(as_shown), most

    def _item(self, item: exp.Expr, known: dict[str, list[str]], shown: dict[Column, StageColumn]) -> Item:
        """A FROM item with its keys; the types of columns that are shown are those of the outputs."""
        alias, body = alias_of(item) or "", _body(item)
        if body is None:
            named = self.schema.find(item, ()) if isinstance(item, exp.Table) else None
            if named is None or named.private:
                return Item(alias, _NONE, None)
            # Rows without a value can be many.
            return Item(alias, frozenset(key for key in named.unique_keys if not any(map(named.nullable, key))), None)
        unseen = [StageColumn(name, "unknown") for name in known[alias]]
        inside = [replace(shown.get((alias, column.name), column), name=column.name) for column in unseen]
        keys, most = self.keys_of(body, tuple(inside))
        unclear = {name for name in known[alias] if known[alias].count(name) > 1}
        return Item(alias, frozenset(key for key in keys if key.isdisjoint(unclear)), most)


def _body(item: exp.Expr) -> exp.Expr | None:
    """The query of a subquery or a CTE in FROM that gives its columns no other names."""
    if _renames(item):
        return None
    return item.this if isinstance(item, exp.Subquery) else body_of_cte(item)


def _renames(item: exp.Expr) -> bool:
    alias = item.args.get("alias")
    return alias is not None and bool(alias.args.get("columns"))


def _of_group(group: exp.Expr, query: exp.Select, outputs: Sequence[exp.Expr], columns: Sequence[StageColumn]) -> Keys:
    """The keys of GROUP BY, if all of them are shown."""
    if any(value for name, value in group.args.items() if name != "expressions"):
        return _all_columns(query, columns)
    shown = [_shown(item, outputs, columns) for item in group.expressions]
    if None in shown:
        return _all_columns(query, columns)
    return frozenset([frozenset(name for name in shown if name is not None)])


def _all_columns(query: exp.Select, columns: Sequence[StageColumn]) -> Keys:
    distinct = query.args.get("distinct")
    plain = distinct is not None and not distinct.args.get("on")
    return frozenset([frozenset(column.name for column in columns)]) if plain else _NONE


def _is_number(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()


def behind_star(query: exp.Expr) -> exp.Expr:
    """The query of a CTE or subquery that `SELECT * FROM it` is."""
    while isinstance(query, exp.Select) and len(query.expressions) == 1 and isinstance(query.expressions[0], exp.Star):
        items = items_of(query)
        if len(items) != 1 or any(query.args.get(name) for name in ("where", "limit", "offset", "group")):
            return query
        item, with_ = items[0].this, query.args.get("with_")
        if isinstance(item, exp.Subquery) and isinstance(item.this, exp.Select):
            query = item.this
            continue
        named = {folded(cte.args["alias"].this): cte for cte in (with_.expressions if with_ is not None else ())}
        is_name = isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier)
        cte = named.get(folded(item.this)) if is_name else None
        if cte is None or (cte.args["alias"].args.get("columns") and promised_rows(cte.this) is None):
            return query
        query = cte.this
    return query


def _shown(item: exp.Expr, outputs: Sequence[exp.Expr], columns: Sequence[StageColumn]) -> str | None:
    """The name of the output that a group key is.

    An output of the key's name need not be the key: in `SELECT x::numeric AS x FROM t GROUP BY x` the key is the column
    of t. Then only the promise that is verified tells whether its values are apart (`feedback.promise_sql`).
    """
    item = item.unnest()
    if _is_number(item) and 1 <= int(item.name) <= len(columns):
        return columns[int(item.name) - 1].name
    for column, output in zip(columns, outputs, strict=False):
        if unaliased(output).unnest() == item:
            return column.name
        named = isinstance(item, exp.Column) and not item.args.get("table") and output_name(output) == folded(item.this)
        if named and (type_of(column).kind in KINDS_OF_ONE_TEXT or _is_column(output, item)):
            return column.name
    return None


def _is_column(output: exp.Expr, name: exp.Expr) -> bool:
    """Is an output the column of FROM that a name without a table means?"""
    bare = unaliased(output).unnest()
    return isinstance(bare, exp.Column) and folded(bare.this) == folded(name.this)

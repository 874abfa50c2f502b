"""Row-level subqueries and CTEs merged into the block that uses them (DESIGN section 3).

BI tools wrap a dataset's SELECT into a derived table and aggregate that; analysts write CTEs. A SELECT that only
projects, filters and joins private rows adds nothing that a block cannot hold itself, so it is put in its place: its
tables into FROM, its condition into WHERE, its output expressions where its columns were used. What is not that simple
stays, and is refused when the block is compiled. The merged tree is what gets checked and planned: a mistake here could
make an answer wrong, but not less private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.aggregates import is_aggregate
from proxy.sql.blocks import direct_tables, nested_queries, own_nodes
from proxy.sql.schema import Schema, folded

_ROW_LEVEL_ARGUMENTS = frozenset(["expressions", "from_", "joins", "where", "order"])


@dataclass(frozen=True)
class _RowLevel:
    """A SELECT that can be merged: its outputs by name, in order, over its own tables."""

    select: exp.Select
    outputs: dict[str, exp.Expr]


def flatten(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Merge row-level subqueries and CTEs over private tables into the SELECTs that read them, in place."""
    _Flattener(schema, search_path).visit(query, {})
    return query


class _Flattener:
    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self.schema = schema
        self.search_path = search_path

    def visit(self, query: exp.Expr, outer: dict[str, exp.Query]) -> None:
        """Inner queries first, so that a chain of them collapses from the inside."""
        ctes = dict(outer)
        with_ = query.args.get("with_")
        if with_ is not None:
            for cte in with_.expressions:
                self.visit(cte.this, ctes)
                ctes[folded(cte.args["alias"].this)] = cte.this
        for child in list(nested_queries(query)):
            if with_ is None or not _is_below(child, with_):
                self.visit(child, ctes)
        if isinstance(query, exp.Select):
            self._merge_sources(query, ctes)
        if with_ is not None:
            self._drop_merged_ctes(query, with_, ctes)

    def _merge_sources(self, select: exp.Select, ctes: dict[str, exp.Query]) -> None:
        source = select.args.get("from_")
        if source is None:
            return
        for item in [source, *_joins(select)]:
            alias = _alias_of(item.this)
            if alias is None or item.args.get("using") or item.args.get("method"):
                continue
            merged = self._row_level(item.this, alias, ctes)
            if merged is None or (item.args.get("side") and not _fits_left_join(item, merged)):
                continue
            if _expand_stars(select, alias, merged.outputs):
                self._merge(select, item, alias, merged)

    def _row_level(self, item: exp.Expr, alias: str, ctes: dict[str, exp.Query]) -> _RowLevel | None:
        """The SELECT behind a FROM item, as a copy whose tables have names of their own, if it can be merged."""
        body: exp.Expr | None = None
        if isinstance(item, exp.Subquery) and not item.args.get("joins"):
            body = item.this
        elif isinstance(item, exp.Table) and not item.args.get("db") and isinstance(item.this, exp.Identifier):
            body = ctes.get(folded(item.this))
        table_alias = item.args.get("alias")
        if not isinstance(body, exp.Select) or (table_alias is not None and table_alias.args.get("columns")):
            return None
        if any(value for name, value in body.args.items() if name not in _ROW_LEVEL_ARGUMENTS):
            return None
        tables = direct_tables(body)
        named = [self.schema.find(table, self.search_path) for table in tables]
        if not any(one is not None and one.private for one in named) or any(one is None for one in named):
            return None
        if any(is_aggregate(node) or isinstance(node, exp.Window) for node in own_nodes(body)):
            return None
        if list(nested_queries(body)) or any(
            join.args.get("using") or join.args.get("method") for join in _joins(body)
        ):
            return None
        return self._copy(body, alias)

    def _copy(self, body: exp.Select, alias: str) -> _RowLevel | None:
        """A copy in which every column is qualified, with `alias` if there is one table, else `alias_table`."""
        copy = body.copy()
        columns: dict[str, list[tuple[str, str]]] = {}
        aliases: dict[str, str] = {}
        order: list[tuple[str, str]] = []
        tables = direct_tables(copy)
        for table in tables:
            named = self.schema.find(table, self.search_path)
            if named is None:
                return None
            exposed = _alias_of(table)
            fresh = alias if len(tables) == 1 else f"{alias}_{exposed}"
            aliases[str(exposed)] = fresh
            table.set("alias", exp.TableAlias(this=exp.to_identifier(fresh, quoted=True)))
            for name in named.visible_columns():
                columns.setdefault(name, []).append((str(exposed), name))
                order.append((str(exposed), name))
        for column in [node for node in own_nodes(copy) if isinstance(node, exp.Column)]:
            if not isinstance(column.this, exp.Identifier):
                continue
            name = folded(column.this)
            qualifier = column.args.get("table")
            owners = [one for one, _ in columns.get(name, []) if qualifier is None or one == folded(qualifier)]
            if len(owners) != 1:
                return None
            column.set("table", exp.to_identifier(aliases[owners[0]], quoted=True))
            column.set("this", exp.to_identifier(name, quoted=True))
        outputs = _outputs(copy, [(aliases[owner], name) for owner, name in order], aliases)
        return _RowLevel(copy, outputs) if outputs is not None else None

    def _merge(self, select: exp.Select, item: exp.Expr, alias: str, merged: _RowLevel) -> None:
        """Put the merged SELECT in the place of `item`."""
        inner = merged.select
        first, joins = inner.args["from_"].this, _joins(inner)
        conditions = [inner.args["where"].this] if inner.args.get("where") is not None else []
        outer_joins = list(select.args.get("joins") or [])
        others = self._other_columns(select, item)
        if isinstance(item, exp.Join) and item.args.get("side"):
            self._merge_left(item, merged, conditions)
            _substitute(select, alias, merged.outputs, others)
            return
        if isinstance(item, exp.Join):
            position = next(index for index, join in enumerate(outer_joins) if join is item)
            if item.args.get("on") is not None:
                conditions.append(item.args["on"])
            outer_joins[position : position + 1] = [exp.Join(this=first), *joins]
        else:
            select.set("from_", exp.From(this=first))
            outer_joins = [*joins, *outer_joins]
        select.set("joins", outer_joins or None)
        if conditions:
            where = select.args.get("where")
            parts = [*conditions, where.this] if where is not None else conditions
            select.set("where", exp.Where(this=_conjunction(parts)))
        _substitute(select, alias, merged.outputs, others)

    @staticmethod
    def _merge_left(join: exp.Join, merged: _RowLevel, conditions: list[exp.Expr]) -> None:
        """The right side of a LEFT JOIN: its own condition goes into ON."""
        join.set("this", merged.select.args["from_"].this)
        on = join.args.get("on")
        join.set("on", _conjunction([*conditions, on] if on is not None else conditions))

    def _other_columns(self, select: exp.Select, item: exp.Expr) -> frozenset[str]:
        """Names that other FROM items may give, so that an unqualified one of them is not ours alone."""
        names: set[str] = set()
        for other in [select.args.get("from_"), *(select.args.get("joins") or [])]:
            if other is None or other is item:
                continue
            for node in own_nodes(other):
                if isinstance(node, exp.Table):
                    named = self.schema.find(node, self.search_path)
                    names.update(named.visible_columns() if named is not None else ())
        return frozenset(names)

    def _drop_merged_ctes(self, query: exp.Expr, with_: exp.With, ctes: dict[str, exp.Query]) -> None:
        """Remove row-level CTEs that nothing reads any more."""
        for cte in reversed(list(with_.expressions)):
            name = folded(cte.args["alias"].this)
            used = any(
                isinstance(table.this, exp.Identifier) and folded(table.this) == name and not table.args.get("db")
                for table in query.find_all(exp.Table)
            )
            if not used and self._row_level(exp.Table(this=exp.to_identifier(name, quoted=True)), name, ctes):
                cte.pop()
        if not with_.expressions:
            query.set("with_", None)


def _conjunction(parts: Sequence[exp.Expr]) -> exp.Expr:
    return exp.and_(*(exp.Paren(this=part.copy()) for part in parts), copy=False)


def _fits_left_join(item: exp.Expr, merged: _RowLevel) -> bool:
    """On the right of a LEFT JOIN only plain columns of one table become NULL where nothing matches."""
    plain = all(isinstance(output, exp.Column) for output in merged.outputs.values())
    return str(item.args["side"]).upper() == "LEFT" and plain and not _joins(merged.select)


def _expand_stars(select: exp.Select, alias: str, outputs: dict[str, exp.Expr]) -> bool:
    """Write out * and alias.* of the outer SELECT; False if a * would cover other tables too."""
    expanded: list[exp.Expr] = []
    for output in select.expressions:
        qualified = isinstance(output, exp.Column) and isinstance(output.this, exp.Star)
        if isinstance(output, exp.Star) and (_joins(select) or any(output.args.values())):
            return False
        if isinstance(output, exp.Star) or (qualified and folded(output.args["table"]) == alias):
            table = exp.to_identifier(alias, quoted=True)
            expanded.extend(exp.column(exp.to_identifier(name, quoted=True), table=table.copy()) for name in outputs)
        else:
            expanded.append(output)
    select.set("expressions", expanded)
    return True


def _is_below(node: exp.Expr, ancestor: exp.Expr) -> bool:
    parent: exp.Expr | None = node
    while parent is not None and parent is not ancestor:
        parent = parent.parent
    return parent is ancestor


def _joins(select: exp.Select) -> list[exp.Join]:
    return list(select.args.get("joins") or [])


def _alias_of(item: exp.Expr) -> str | None:
    alias = item.args.get("alias")
    if alias is not None and alias.this:
        return folded(alias.this)
    return folded(item.this) if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier) else None


def _outputs(
    select: exp.Select, all_columns: Sequence[tuple[str, str]], aliases: dict[str, str]
) -> dict[str, exp.Expr] | None:
    """Output expressions by name; stars are expanded. None if two outputs share a name."""
    outputs: dict[str, exp.Expr] = {}

    def add(name: str, expression: exp.Expr) -> bool:
        known = name in outputs
        outputs[name] = expression
        return not known

    for output in select.expressions:
        if isinstance(output, exp.Star) or (isinstance(output, exp.Column) and isinstance(output.this, exp.Star)):
            wanted = aliases.get(folded(output.args["table"])) if isinstance(output, exp.Column) else None
            if any(output.this.args.values() if isinstance(output, exp.Column) else output.args.values()):
                return None
            for alias, name in all_columns:
                column = exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True))
                if wanted in (None, alias) and not add(name, column):
                    return None
        elif isinstance(output, exp.Alias):
            if not add(folded(output.args["alias"]), output.this):
                return None
        elif isinstance(output, exp.Column) and not add(output.name, output):
            return None
    return outputs


def _substitute(select: exp.Select, alias: str, outputs: dict[str, exp.Expr], others: frozenset[str]) -> None:
    """Replace references to the merged item's columns by its output expressions."""
    own_aliases = {folded(o.args["alias"]) for o in select.expressions if isinstance(o, exp.Alias)}
    order = select.args.get("order")
    for node in list(own_nodes(select)):
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            continue
        name, qualifier = folded(node.this), node.args.get("table")
        if qualifier is not None and folded(qualifier) != alias:
            continue
        if name not in outputs or (qualifier is None and name in others):
            continue
        if qualifier is None and name in own_aliases and order is not None and node.parent_select is select:
            ordered = node.find_ancestor(exp.Ordered)
            if ordered is not None and ordered.this is node and _is_below(ordered, order):
                continue
        replacement = outputs[name].copy()
        bare = isinstance(replacement, exp.Column)
        named = node.parent is select and node in select.expressions
        value = replacement if bare else exp.Paren(this=replacement)
        node.replace(exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True)) if named else value)

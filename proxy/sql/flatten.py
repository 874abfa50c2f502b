"""Row-level subqueries and CTEs merged into the block that uses them (DESIGN section 3).

BI tools wrap a dataset's SELECT into a derived table and aggregate that; analysts write CTEs. A SELECT that only
projects, filters and joins private rows adds nothing that a block cannot hold itself, so it is put in its place: its
tables into FROM, its condition into WHERE, its output expressions where its columns were used. What is not that simple
stays, and is refused when the block is compiled. The merged tree is what gets checked and planned: a mistake here could
make an answer wrong, but not less private.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.blocks import nested_queries, own_nodes
from proxy.sql.names import Ctes, NameResolver, Reference, Source, alias_of, is_star, items_of, output_name
from proxy.sql.row_level import RowLevel, RowLevelReader, may_return_sets
from proxy.sql.schema import Schema, folded


def flatten(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Merge row-level subqueries and CTEs over private tables into the SELECTs that read them, in place."""
    _Flattener(schema, search_path).visit(query, {})
    return query


class _Flattener:
    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self.names = NameResolver(schema, search_path)
        self.reader = RowLevelReader(schema, search_path)

    def visit(self, query: exp.Expr, outer: Ctes) -> None:
        """Inner queries first, so that a chain of them collapses from the inside."""
        ctes: dict[str, exp.Expr | None] = dict(outer)
        with_ = query.args.get("with_")
        in_with: set[int] = set()
        if with_ is not None:
            if with_.args.get("recursive"):
                ctes |= dict.fromkeys([folded(cte.args["alias"].this) for cte in with_.expressions], None)
            for cte in with_.expressions:
                self.visit(cte.this, ctes)
                in_with.add(id(cte.this))
                known = not with_.args.get("recursive") and not cte.args["alias"].args.get("columns")
                ctes[folded(cte.args["alias"].this)] = cte.this if known else None
        for child in list(nested_queries(query)):
            if id(child) not in in_with:
                self.visit(child, ctes)
        if isinstance(query, exp.Select):
            self.names.qualify_tables(query, ctes)
            self._merge_sources(query, ctes)
        if with_ is not None:
            self._drop_merged_ctes(query, with_, ctes)

    def _merge_sources(self, select: exp.Select, ctes: Ctes) -> None:
        """Merge what FROM holds, unless some name could then mean something else."""
        found = [(item, self._mergeable(select, item, ctes)) for item in items_of(select)]
        merging = [(item, merged) for item, merged in found if merged is not None]
        if not merging or any(item.args.get("method") for item, _ in found):
            return
        if not all(_expand_stars(select, merged) for _, merged in merging):
            return
        _resolve_group_aliases(select, self.names.sources(select, ctes))
        references = self._references(select, ctes)
        if not _qualify(references, self.names.sources(select, ctes), merging, _using_names(select), select):
            return
        for item, merged in merging:
            _put_in_place(select, item, merged, [reference.column for reference in references])
            references = self._references(select, ctes)

    def _mergeable(self, select: exp.Select, item: exp.Expr, ctes: Ctes) -> RowLevel | None:
        """The row-level SELECT behind a FROM item, if it can be put in the item's place."""
        alias = alias_of(item.this)
        if alias is None or item.args.get("using") or item.args.get("method"):
            return None
        taken = frozenset(alias_of(table) or "" for table in select.find_all(exp.Table, exp.Subquery))
        merged = self.reader.read(item.this, alias, ctes, taken)
        if merged is None or (item.args.get("side") and not _fits_left_join(item, merged)):
            return None
        using = _using_names(select)
        return merged if all(merged.keeps(name) for name in using) else None

    def _references(self, select: exp.Select, ctes: Ctes) -> list[Reference]:
        """The columns that are looked up in the FROM of `select`: its own, and those its subqueries take from it."""
        in_from = {id(child) for item in items_of(select) for child in nested_queries(item.this)}
        with_ = select.args.get("with_")
        in_with = {id(cte.this) for cte in with_.expressions} if with_ is not None else set()
        found = [
            Reference(node, certain=True)
            for node in own_nodes(select)
            if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier)
        ]
        for child in nested_queries(select):
            if id(child) not in in_from | in_with:
                found.extend(self.names.outer_references(child, ctes))
        return found

    def _drop_merged_ctes(self, query: exp.Expr, with_: exp.With, ctes: Ctes) -> None:
        """Remove row-level CTEs that nothing reads any more."""
        for cte in reversed(list(with_.expressions)):
            name = folded(cte.args["alias"].this)
            used = any(
                isinstance(table.this, exp.Identifier) and folded(table.this) == name and not table.args.get("db")
                for table in query.find_all(exp.Table)
            )
            table = exp.Table(this=exp.to_identifier(name, quoted=True))
            if not used and self.reader.read(table, name, ctes, frozenset()) is not None:
                cte.pop()
        if not with_.expressions:
            query.set("with_", None)


def _using_names(select: exp.Select) -> frozenset[str]:
    return frozenset(folded(name) for item in items_of(select) for name in item.args.get("using") or [])


def _fits_left_join(item: exp.Expr, merged: RowLevel) -> bool:
    """On the right of a LEFT JOIN only plain columns of one table become NULL where nothing matches."""
    plain = all(isinstance(output, exp.Column) for output in merged.outputs.values())
    return str(item.args["side"]).upper() == "LEFT" and plain and len(items_of(merged.select)) == 1


def _expand_stars(select: exp.Select, merged: RowLevel) -> bool:
    """Write out * and alias.* of the outer SELECT; False if a * would cover other tables too."""
    expanded: list[exp.Expr] = []
    for output in select.expressions:
        if isinstance(output, exp.Star) and (len(items_of(select)) > 1 or any(output.args.values())):
            return False
        if is_star(output) and (isinstance(output, exp.Star) or folded(output.args["table"]) == merged.alias):
            table = exp.to_identifier(merged.alias, quoted=True)
            names = [exp.to_identifier(name, quoted=True) for name in merged.outputs]
            expanded.extend(exp.column(name, table=table.copy()) for name in names)
        else:
            expanded.append(output)
    select.set("expressions", expanded)
    return True


def _resolve_group_aliases(select: exp.Select, sources: Sequence[Source]) -> None:
    """Replace output aliases in GROUP BY: columns that appear by merging would win over them."""
    group = select.args.get("group")
    aliased = {folded(o.args["alias"]): o.this for o in select.expressions if isinstance(o, exp.Alias)}
    for item in list(group.expressions) if group is not None else []:
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier) and not item.args.get("table"):
            name = folded(item.this)
            shown = any(source.columns is None or name in source.columns for source in sources)
            if not shown and name in aliased and not isinstance(aliased[name], exp.Literal):
                item.replace(exp.Paren(this=aliased[name].copy()))


def _qualify(
    references: Sequence[Reference],
    sources: Sequence[Source],
    merging: Sequence[tuple[exp.Expr, RowLevel]],
    using: frozenset[str],
    select: exp.Select,
) -> bool:
    """Write its FROM item before each column, so that names which appear by merging change no meaning.

    Returns:
        False if that cannot be told for a name that the merged tables have, or if an output is lost by merging which
        may change the number of rows.
    """
    if any(source.columns is None for source in sources):
        return False
    by_alias = {merged.alias: merged for _, merged in merging}
    used: set[tuple[str, str]] = set()
    for reference in references:
        column, name = reference.column, folded(reference.column.this)
        qualifier = column.args.get("table")
        if qualifier is None and (name in using or _is_ordered_output(column, select)):
            continue
        if qualifier is None:
            owners = [source.alias for source in sources if source.columns and name in source.columns]
            appears = any(name in merged.outputs or name in merged.columns for merged in by_alias.values())
            if (len(owners) != 1 or not reference.certain) and appears:
                return False
            if len(owners) == 1 and reference.certain:
                if _is_hidden(column, owners[0], select):
                    return False
                column.set("table", exp.to_identifier(owners[0], quoted=True))
                qualifier = column.args["table"]
        if qualifier is not None and folded(qualifier) in by_alias:
            if name not in by_alias[folded(qualifier)].outputs:
                return False
            used.add((folded(qualifier), name))
    return not any(
        may_return_sets(output)
        for merged in by_alias.values()
        for name, output in [*merged.outputs.items(), *((None, unnamed) for unnamed in merged.unnamed)]
        if name is None or (merged.alias, name) not in used
    )


def _is_ordered_output(column: exp.Column, select: exp.Select) -> bool:
    """Does ORDER BY name an output? There outputs win over the columns of FROM."""
    ordered, order = column.parent, select.args.get("order")
    return (
        isinstance(ordered, exp.Ordered)
        and order is not None
        and ordered.parent is order
        and folded(column.this) in {output_name(output) for output in select.expressions}
    )


def _is_hidden(column: exp.Column, alias: str, select: exp.Select) -> bool:
    """Does a subquery between the column and `select` have a FROM item of the same name?"""
    query = column.parent_select
    while query is not None and query is not select:
        if any(alias_of(item.this) == alias for item in items_of(query)):
            return True
        query = query.parent_select
    return False


def _put_in_place(select: exp.Select, item: exp.Expr, merged: RowLevel, columns: Sequence[exp.Column]) -> None:
    """Put the merged SELECT in the place of `item`, and its outputs in the place of `columns` that name them."""
    _substitute(select, merged, columns)
    inner = merged.select
    first, joins = inner.args["from_"].this, list(inner.args.get("joins") or [])
    for join in joins:
        if not any(join.args.get(name) for name in ("side", "kind", "on")):
            # A comma binds less than JOIN: further joins would not see the tables before it.
            join.set("kind", "CROSS")
    conditions = [inner.args["where"].this] if inner.args.get("where") is not None else []
    on = item.args.get("on")
    if isinstance(item, exp.Join) and item.args.get("side"):
        item.set("this", first)
        item.set("on", _conjunction([*conditions, on] if on is not None else conditions))
        return
    outer_joins = list(select.args.get("joins") or [])
    if isinstance(item, exp.Join):
        position = next(index for index, join in enumerate(outer_joins) if join is item)
        conditions += [on] if on is not None else []
        outer_joins[position : position + 1] = [exp.Join(this=first, kind="CROSS"), *joins]
    else:
        select.set("from_", exp.From(this=first))
        outer_joins = [*joins, *outer_joins]
    select.set("joins", outer_joins or None)
    if conditions:
        where = select.args.get("where")
        parts = [*conditions, where.this] if where is not None else conditions
        select.set("where", exp.Where(this=_conjunction(parts)))


def _conjunction(parts: Sequence[exp.Expr]) -> exp.Expr:
    return exp.and_(*(exp.Paren(this=part.copy()) for part in parts), copy=False)


def _substitute(select: exp.Select, merged: RowLevel, columns: Sequence[exp.Column]) -> None:
    for column in columns:
        qualifier, name = column.args.get("table"), folded(column.this)
        if qualifier is None or folded(qualifier) != merged.alias or name not in merged.outputs:
            continue
        named = column.parent is select and column.arg_key == "expressions"
        value = _standing_alone(merged.outputs[name], column)
        column.replace(exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True)) if named else value)


def _standing_alone(output: exp.Expr, column: exp.Column) -> exp.Expr:
    """An output in the place of a column that named it: of the type that it had as a column, and no ordinal."""
    value = output.copy()
    if isinstance(value, exp.Column):
        return value
    bare = value.unnest()
    if isinstance(bare, exp.Null) or (isinstance(bare, exp.Literal) and bare.is_string):
        return exp.Paren(this=exp.Cast(this=bare, to=exp.DataType.build("text")))
    if isinstance(column.parent, (exp.Group, exp.Ordered)) and isinstance(bare, (exp.Literal, exp.Boolean)):
        type_name = "boolean" if isinstance(bare, exp.Boolean) else "numeric"
        return exp.Paren(this=exp.Cast(this=bare, to=exp.DataType.build(type_name)))
    return exp.Paren(this=value)

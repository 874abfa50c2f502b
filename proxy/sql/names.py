"""Which FROM item a column reference means, by Postgres's rules of scope, in trees that are not compiled yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.blocks import direct_tables, nested_queries, own_nodes
from proxy.sql.schema import Schema, folded

Ctes = Mapping[str, exp.Expr | None]
"""The CTEs in scope by name; None for one of which nothing is known but that its name hides tables."""


@dataclass(frozen=True)
class Source:
    """A FROM item: the name that qualifies its columns, and their names (None if unknown)."""

    alias: str
    columns: frozenset[str] | None


@dataclass(frozen=True)
class Reference:
    """A column that is looked up outside a query; `certain` unless a source of unknown columns may give it."""

    column: exp.Column
    certain: bool


def alias_of(item: exp.Expr) -> str | None:
    """The name of a FROM item, or None."""
    alias = item.args.get("alias")
    if alias is not None and alias.this:
        return folded(alias.this)
    return folded(item.this) if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier) else None


def items_of(select: exp.Expr) -> list[exp.Expr]:
    """The FROM clause and the joins of a SELECT, each with its item as `this`."""
    source = select.args.get("from_")
    return [*([source] if source is not None else []), *(select.args.get("joins") or [])]


def output_name(output: exp.Expr) -> str | None:
    """The name that Postgres gives an output, where it follows from an alias or a column; None otherwise."""
    if isinstance(output, exp.Alias):
        return folded(output.args["alias"])
    while isinstance(output, (exp.Cast, exp.Paren)):
        output = output.this
    is_column = isinstance(output, exp.Column) and isinstance(output.this, exp.Identifier)
    return folded(output.this) if is_column else None


def is_star(output: exp.Expr) -> bool:
    """Is it * or table.*?"""
    return isinstance(output, exp.Star) or (isinstance(output, exp.Column) and isinstance(output.this, exp.Star))


class NameResolver:
    """Looks names up in the policy's tables and in CTEs, in trees whose tables are qualified.

    Args:
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
    """

    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self._schema = schema
        self._search_path = search_path

    def qualify_tables(self, select: exp.Select, ctes: Ctes) -> None:
        """Write the schema before each of the policy's tables in FROM, so that no CTE of another scope hides it."""
        for table in direct_tables(select):
            if table.args.get("db") or not isinstance(table.this, exp.Identifier) or folded(table.this) in ctes:
                continue
            named = self._schema.find(table, self._search_path)
            if named is not None:
                table.set("db", exp.to_identifier(named.catalog.schema_name, quoted=True))

    def sources(self, select: exp.Expr, ctes: Ctes) -> list[Source]:
        """The FROM items of a SELECT."""
        return [Source(alias_of(item.this) or "", self._columns(item.this, ctes)) for item in items_of(select)]

    def outer_references(self, query: exp.Expr, ctes: Ctes) -> Iterator[Reference]:
        """The columns in a query that its own FROM does not give."""
        known = dict(ctes)
        with_ = query.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            known[folded(cte.args["alias"].this)] = None
            yield from self.outer_references(cte.this, known)
        sources = self.sources(query, known) if isinstance(query, exp.Select) else []
        for node in own_nodes(query) if isinstance(query, exp.Select) else ():
            if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
                yield from _passed_on(Reference(node, certain=True), sources)
        in_from = {id(child) for item in items_of(query) for child in nested_queries(item.this)}
        for child in nested_queries(query):
            if with_ is not None and child.find_ancestor(exp.With) is with_:
                continue
            for reference in self.outer_references(child, known):
                # Items of FROM do not see each other, unless LATERAL says so.
                yield from [reference] if id(child) in in_from else _passed_on(reference, sources)

    def _columns(self, item: exp.Expr, ctes: Ctes) -> frozenset[str] | None:
        alias = item.args.get("alias")
        if (alias is not None and alias.args.get("columns")) or item.args.get("joins"):
            return None
        if isinstance(item, exp.Subquery):
            return self._outputs(item.this, ctes)
        if not isinstance(item, exp.Table) or not isinstance(item.this, exp.Identifier):
            return None
        if not item.args.get("db"):
            body = ctes.get(folded(item.this))
            return self._outputs(body, {}) if body is not None else None
        named = self._schema.find(item, self._search_path)
        return frozenset(named.visible_columns()) if named is not None else None

    def _outputs(self, query: exp.Expr, ctes: Ctes) -> frozenset[str] | None:
        while isinstance(query, exp.SetOperation):
            query = query.this
        if not isinstance(query, exp.Select):
            return None
        names: set[str] = set()
        for output in query.expressions:
            if is_star(output):
                wanted = folded(output.args["table"]) if isinstance(output, exp.Column) else None
                for source in self.sources(query, ctes):
                    if source.columns is None:
                        return None
                    names |= source.columns if wanted in (None, source.alias) else set()
            else:
                name = output_name(output)
                if name is None:
                    return None
                names.add(name)
        return frozenset(names)


def _passed_on(reference: Reference, sources: list[Source]) -> Iterator[Reference]:
    """The reference, unless one of `sources` is what it means."""
    qualifier, name = reference.column.args.get("table"), folded(reference.column.this)
    if qualifier is not None:
        if all(source.alias != folded(qualifier) for source in sources):
            yield reference
    elif not any(source.columns is not None and name in source.columns for source in sources):
        unknown = any(source.columns is None for source in sources)
        yield Reference(reference.column, reference.certain and not unknown)

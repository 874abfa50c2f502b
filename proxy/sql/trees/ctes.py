"""Row-level CTEs written out where they are read, and tables with their schemas, so that names mean one thing.

Analysts write `WITH recent AS (SELECT * FROM visits WHERE …)` and aggregate that; BI tools do it with datasets. A CTE
whose rows belong to units is no result that could be released: it is part of every block that reads it. Other CTEs of a
subquery whose rows belong to units become those of the whole statement, under names of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.sql import dialect
from proxy.sql.grammar import NotReadError, TooLargeError
from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import find_all, walk
from proxy.sql.refusal import VIEW, clause_name, unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.marks import CTE, WRITTEN_OUT
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, is_star, items_of, nested_queries, unaliased

_VIEW = "dpview"
"""What a view's own query is called where the policy lists its columns."""

_MOST_TABLES = 100
"""CTEs that read each other twice double with every level."""


@dataclass(frozen=True)
class _Cte:
    """A CTE in scope.

    Attributes:
        number: of its own in the statement.
        body: its query if its rows belong to units, or are those of a public table; else None.
        columns: names that WITH gives its columns.
    """

    number: int
    body: exp.Expr | None
    columns: tuple[str, ...] = ()


_Scope = Mapping[str, _Cte]
_OF_SELECTIONS = ("expressions", "from_", "joins", "where")
_OF_JOINS = ("this", "side", "kind", "on", "using")


def write_out_ctes(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Qualify the policy's tables and write row-level CTEs out, in place.

    Raises:
        UnsupportedError: a CTE that is hidden by another one of its name where its text would have to stand.
    """
    writer = _Writer(schema, search_path)
    writer.visit(query, {}, is_whole=True)
    return query


class _Writer:
    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self.schema = schema
        self.search_path = search_path
        self.scopes = Scopes(schema)
        self.tables = 0
        self.numbers = count()
        self.lifted: list[exp.CTE] = []
        self.of_whole: set[int | None] = set()
        self.renamed: set[int | None] = set()

    def visit(self, query: exp.Expr, outer: _Scope, *, is_whole: bool = False) -> None:
        scope = dict(outer)
        with_ = query.args.get("with_")
        bodies = []
        own: list[exp.CTE] = []
        if with_ is not None:
            recursive = bool(with_.args.get("recursive"))
            names = [folded(cte.args["alias"].this) for cte in with_.expressions]
            if recursive:
                scope |= dict.fromkeys(names, _Cte(next(self.numbers), None))
            for name, cte in zip(names, list(with_.expressions), strict=True):
                bodies.append(cte.this)
                self.visit(cte.this, scope)
                is_rows = self.scopes.is_rows(cte.this) or self._is_selection(cte.this)
                columns = tuple(folded(column) for column in cte.args["alias"].args.get("columns") or [])
                scope[name] = _Cte(next(self.numbers), cte.this if is_rows else None, columns)
                if is_whole:
                    own += self._taken()
                    self.of_whole.add(scope[name].number)
                own += [cte] if not is_rows else []
            _set_ctes(query, own)
        for item in items_of(query) if isinstance(query, exp.Select) else ():
            self._item(item, scope)
        for child in nested_queries(query):
            if all(child is not body for body in bodies) and not WRITTEN_OUT.on(child):
                self.visit(child, scope)
        if is_whole:
            _set_ctes(query, own + self._taken())
        elif own and with_ is not None and not with_.args.get("recursive"):
            self._lift(query, own, scope)

    def _taken(self) -> list[exp.CTE]:
        """What has been lifted since."""
        taken, self.lifted = self.lifted, []
        return taken

    def _lift(self, query: exp.Expr, ctes: list[exp.CTE], scope: _Scope) -> None:
        """Make the CTEs of a subquery those of the whole statement, if without them its rows belong to units."""
        _set_ctes(query, [])
        if not self.scopes.is_rows(query) or any(self._reads_others(cte.this, ctes, scope) for cte in ctes):
            _set_ctes(query, ctes)
            return
        for cte in ctes:
            number = scope[folded(cte.args["alias"].this)].number
            name = exp.to_identifier(f"dpcte_{number}", quoted=True)
            for table in [table for body in (query, *ctes) for table in find_all(body, exp.Table)]:
                if CTE.of(table) == number:
                    if not table.args.get("alias"):
                        table.set("alias", exp.TableAlias(this=table.this))
                    table.set("this", name.copy())
            cte.args["alias"].set("this", name)
            self.of_whole.add(number)
            self.renamed.add(number)
            self.lifted.append(cte)

    def _reads_others(self, body: exp.Expr, beside: list[exp.CTE], scope: _Scope) -> bool:
        """Does a CTE read what the whole statement could not: a column of a query around it, or another query's CTE?"""
        numbers = {scope[folded(cte.args["alias"].this)].number for cte in beside}
        read = {CTE.of(table) for table in find_all(body, exp.Table) if CTE.on(table)}
        return bool(self.scopes.outer_columns(body)) or not read <= numbers | self.of_whole

    def _is_selection(self, body: exp.Expr) -> bool:
        """Is it a plain SELECT of columns of public tables, joined or not? Written out, it is known to have the tables'
        keys, and its rows need not be computed before the block that reads it."""
        if not isinstance(body, exp.Select) or any(v for name, v in body.args.items() if name not in _OF_SELECTIONS):
            return False
        joins = body.args.get("joins") or []
        if any(value for join in joins for name, value in join.args.items() if name not in _OF_JOINS):
            return False
        conditions = [clause for clause in (body.args.get("where"), *(join.args.get("on") for join in joins)) if clause]
        items = items_of(body)
        return (
            bool(items)
            and all(self._is_selected(holder.this) for holder in items)
            and all(is_star(output) or isinstance(unaliased(output), exp.Column) for output in body.expressions)
            and not any(_is_computed(node) for clause in conditions for node in walk(clause))
        )

    def _is_selected(self, item: exp.Expr) -> bool:
        """Is an item of FROM a public table, or a CTE that was written out as such a SELECT?"""
        if isinstance(item, exp.Subquery):
            return WRITTEN_OUT.on(body_of(item)) and self._is_selection(body_of(item))
        named = self.schema.find(item, self.search_path) if isinstance(item, exp.Table) else None
        return named is not None and named.policy.public

    def _item(self, holder: exp.Expr, scope: _Scope) -> None:
        item = holder.this
        if not isinstance(item, exp.Table) or not isinstance(item.this, exp.Identifier):
            return
        cte = scope.get(folded(item.this)) if not item.args.get("db") else None
        if cte is None:
            self._table(item, scope)
            return
        if cte.body is None:
            CTE.put(item, cte.number)
            return
        body = cte.body.copy()
        WRITTEN_OUT.put(body, 1)
        self.tables += len(find_all(body, exp.Table))
        if self.tables > _MOST_TABLES:
            raise unsupported(
                item,
                f"with its CTEs expanded, this query reads more than {_MOST_TABLES} tables",
                rule="depth",
                hint="Reference each CTE once or twice.",
            )
        self._refuse_hidden(find_all(body, exp.Table), scope)
        columns = [exp.to_identifier(column, quoted=True) for column in _columns(item) or cte.columns]
        alias = exp.TableAlias(this=exp.to_identifier(alias_of(item), quoted=True), columns=columns or None)
        subquery = exp.Subquery(this=body, alias=alias, joins=item.args.get("joins"))
        for argument, value in item.args.items():
            if value and argument not in ("this", "alias", "joins"):
                raise unsupported(item, f"{clause_name(argument)} is not supported on a CTE", rule="from-decoration")
        item.replace(subquery)

    def _table(self, item: exp.Table, scope: _Scope) -> None:
        """Write the schema before a table of the policy, and a view's query in its place; drop ONLY where it says
        nothing."""
        named = self.schema.find(item, self.search_path)
        if named is None:
            return
        if not item.args.get("db"):
            item.set("db", exp.to_identifier(named.catalog.schema_name, quoted=True))
        if item.args.get("only") and not self.schema.has_children(named.name):
            item.set("only", None)
        if not named.policy.view:
            return
        if any(value for argument, value in item.args.items() if argument not in ("this", "db", "alias", "joins")):
            return
        body = view_query(named)
        self.visit(body, {})
        self._drop_unlisted(body)
        self._refuse_hidden([table for table in find_all(body, exp.Table) if not CTE.on(table)], scope)
        WRITTEN_OUT.put(body, 1)
        columns = [exp.to_identifier(column, quoted=True) for column in _columns(item)]
        alias = exp.TableAlias(this=exp.to_identifier(alias_of(item), quoted=True), columns=columns or None)
        item.replace(exp.Subquery(this=body, alias=alias, joins=item.args.get("joins")))

    def _drop_unlisted(self, query: exp.Query) -> None:
        """Leave out what a view only hands on of columns that clients cannot see, as `*` in a client's text does."""
        own = [body_of(holder.this) for holder in items_of(query) if alias_of(holder.this) == _VIEW]
        for select in (query, *own):
            if not isinstance(select, exp.Select) or any(v for k, v in select.args.items() if k not in _OF_SELECTIONS):
                continue
            seen = [output for output in select.expressions if not self._is_unlisted(unaliased(output), select)]
            if seen:
                select.set("expressions", seen)

    def _is_unlisted(self, output: exp.Expr, select: exp.Select) -> bool:
        if not isinstance(output, exp.Column) or not isinstance(output.this, exp.Identifier):
            return False
        name, qualifier = folded(output.this), output.args.get("table")
        tables = [
            named
            for holder in items_of(select)
            if (named := self.scopes.table(holder.this)) is not None
            and (qualifier is None or alias_of(holder.this) == folded(qualifier))
        ]
        found = [named for named in tables if name in named.catalog.columns]
        return len(found) == 1 and name not in found[0].visible_columns()

    def _refuse_hidden(self, tables: list[exp.Table], scope: _Scope) -> None:
        """Refuse names in a text that would mean something else where it is written out.

        Args:
            tables: the text's, each marked with the CTE that it reads, if it reads one.
            scope: the CTEs in the text's new place.
        """
        for table in tables:
            if table.args.get("db") or not isinstance(table.this, exp.Identifier) or CTE.of(table) in self.renamed:
                continue
            known = scope.get(folded(table.this))
            if CTE.of(table) != (known.number if known is not None else None):
                raise unsupported(
                    table,
                    f'another CTE named "{table.name}" hides the relation referenced here',
                    rule="cte-name",
                    hint="Rename it.",
                )


def _set_ctes(query: exp.Expr, ctes: list[exp.CTE]) -> None:
    with_ = query.args.get("with_")
    if not ctes:
        query.set("with_", None)
    elif with_ is None:
        query.set("with_", exp.With(expressions=ctes))
    else:
        with_.set("expressions", ctes)


def _is_computed(node: exp.Expr) -> bool:
    return isinstance(node, exp.Query) or (
        isinstance(node, exp.Func) and not isinstance(node, (exp.Connector, exp.Cast))
    )


def view_query(view: NamedTable) -> exp.Query:
    """The query that a view of the policy stands for, with the columns that clients may see.

    Raises:
        UnsupportedError: a definition that cannot be parsed.
    """
    try:
        query = dialect.parse(view.catalog.view_definition or "")
    except (SqlglotError, NotReadError, TooLargeError):
        query = None
    if not isinstance(query, exp.Query):
        raise unsupported(
            None,
            f"could not parse the definition of view {view.name}",
            rule="view",
            hint="Query the tables that it reads.",
        )
    for node in walk(query):
        # Positions in the definition mean nothing in the client's text.
        if node.meta_get("start") is not None:
            del node.meta["start"]
        node.meta[VIEW] = view.name
    if view.policy.columns is None:
        return query
    names = [exp.column(exp.to_identifier(name, quoted=True)) for name in view.visible_columns()]
    inner = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(_VIEW)))
    return exp.Select(expressions=names, from_=exp.From(this=inner))


def _columns(item: exp.Table) -> list[str]:
    alias = item.args.get("alias")
    return [folded(column) for column in (alias.args.get("columns") or [])] if alias is not None else []

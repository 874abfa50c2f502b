"""Which SELECTs only project, filter and join rows, and what their outputs are (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql import calls, constants, datetimes, texts
from proxy.sql.aggregates import is_aggregate
from proxy.sql.blocks import direct_tables, nested_queries, own_nodes
from proxy.sql.names import Ctes, alias_of, is_star, items_of, output_name
from proxy.sql.schema import Schema, folded

_ARGUMENTS = frozenset(["expressions", "from_", "joins", "where", "order"])


@dataclass(frozen=True)
class RowLevel:
    """A SELECT that can be merged into another one.

    Attributes:
        alias: the name under which the other one knows it.
        select: a copy whose tables have names of their own and whose columns are all qualified.
        outputs: its outputs by name, in order.
        unnamed: outputs whose names are of Postgres's making.
        columns: all columns that its tables have, and that merging makes visible.
    """

    alias: str
    select: exp.Select
    outputs: dict[str, exp.Expr]
    unnamed: tuple[exp.Expr, ...]
    columns: frozenset[str]

    def keeps(self, name: str) -> bool:
        """Does an unqualified `name`, as USING takes it, mean the same among the tables as among the outputs?"""
        output = self.outputs.get(name)
        if output is None:
            return name not in self.columns
        return isinstance(output, exp.Column) and output.name == name


def may_return_sets(output: exp.Expr) -> bool:
    """Might the expression give several rows, or none? All functions but known ones might."""
    functions = [node for node in output.walk() if isinstance(node, (exp.Anonymous, exp.UDTF, exp.Explode))]
    return any(not isinstance(node, exp.Anonymous) or not _is_scalar(node.name.lower()) for node in functions)


def _is_scalar(name: str) -> bool:
    return any(name in known for known in (calls.NAMES, texts.CALLS, datetimes.CALLS, constants.FUNCTIONS))


class RowLevelReader:
    """Recognises row-level SELECTs over the policy's tables.

    Args:
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
    """

    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self._schema = schema
        self._search_path = search_path

    def read(self, item: exp.Expr, alias: str, ctes: Ctes, taken: frozenset[str]) -> RowLevel | None:
        """The SELECT behind a FROM item, if it is row-level, over private tables and tables of the policy only.

        Args:
            item: the item, in a tree whose tables are qualified.
            alias: its name.
            ctes: the CTEs in scope.
            taken: names that the merged tables must not get.
        """
        body: exp.Expr | None = None
        if isinstance(item, exp.Subquery) and not item.args.get("joins"):
            body = item.this
        elif isinstance(item, exp.Table) and not item.args.get("db") and isinstance(item.this, exp.Identifier):
            body = ctes.get(folded(item.this))
        table_alias = item.args.get("alias")
        if not isinstance(body, exp.Select) or (table_alias is not None and table_alias.args.get("columns")):
            return None
        if not self._is_row_level(body):
            return None
        return self._copy(body, alias, taken)

    def _is_row_level(self, body: exp.Select) -> bool:
        if any(value for name, value in body.args.items() if name not in _ARGUMENTS):
            return False
        tables = direct_tables(body)
        found = [self._schema.find(table, self._search_path) if table.args.get("db") else None for table in tables]
        if None in found or not any(named is not None and named.private for named in found):
            return False
        if any(is_aggregate(node) or isinstance(node, exp.Window) for node in own_nodes(body)):
            return False
        merges_columns = any(item.args.get("using") or item.args.get("method") for item in items_of(body))
        return not merges_columns and not list(nested_queries(body))

    def _copy(self, body: exp.Select, alias: str, taken: frozenset[str]) -> RowLevel | None:
        """A copy in which every column is qualified, with `alias` if there is one table, else `alias_table`."""
        copy = body.copy()
        copy.set("order", None)
        tables = direct_tables(copy)
        aliases: dict[str, str] = {}
        shown: list[tuple[str, str]] = []
        for table in tables:
            named, exposed = self._schema.find(table, self._search_path), alias_of(table)
            if named is None or exposed is None or exposed in aliases:
                return None
            aliases[exposed] = alias if len(tables) == 1 else _free(f"{alias}_{exposed}", taken)
            table.set("alias", exp.TableAlias(this=exp.to_identifier(aliases[exposed], quoted=True)))
            shown.extend((exposed, name) for name in named.visible_columns())
        for column in [node for node in own_nodes(copy) if isinstance(node, exp.Column)]:
            if not isinstance(column.this, exp.Identifier):
                continue
            name, qualifier = folded(column.this), column.args.get("table")
            wanted = folded(qualifier) if qualifier is not None else None
            owners = [one for one, known in shown if known == name and wanted in (None, one)]
            if len(owners) != 1:
                return None
            column.set("table", exp.to_identifier(aliases[owners[0]], quoted=True))
            column.set("this", exp.to_identifier(name, quoted=True))
        return _with_outputs(copy, alias, [(aliases[owner], name) for owner, name in shown], aliases)


def _free(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _with_outputs(
    select: exp.Select, alias: str, shown: Sequence[tuple[str, str]], aliases: dict[str, str]
) -> RowLevel | None:
    """The SELECT with its outputs, stars expanded; None if two outputs share a name."""
    named: list[tuple[str, exp.Expr]] = []
    unnamed: list[exp.Expr] = []
    for output in select.expressions:
        if is_star(output):
            if any((output.this if isinstance(output, exp.Column) else output).args.values()):
                return None
            wanted = aliases.get(folded(output.args["table"])) if isinstance(output, exp.Column) else None
            named.extend((name, _column(table, name)) for table, name in shown if wanted in (None, table))
            continue
        name, value = output_name(output), output.this if isinstance(output, exp.Alias) else output
        if name is None:
            unnamed.append(value)
        else:
            named.append((name, value))
    if len(dict(named)) < len(named):
        return None
    return RowLevel(alias, select, dict(named), tuple(unnamed), frozenset(name for _, name in shown))


def _column(table: str, name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))

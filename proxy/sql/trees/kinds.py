"""What kinds of nodes a statement has, by which passes are left out that would find nothing (`passes`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sqlglot import exp

from proxy.sql.nodes import walk
from proxy.sql.trees.walking import is_function_item

Kind = type[exp.Expr] | str
"""The class of a node, the name of a function that is called, or something else about one."""

DATABASE: Final = "the name of a database"
SCHEMA_OF_COLUMN: Final = "the schema of a column"
QUALIFIED_CALL: Final = "a call as a column of its schema"
QUALIFIED_STAR: Final = "name.*"
COUNTED_COLUMN: Final = "count of a column"
FUNCTION_ITEM: Final = "a function in FROM"
USING: Final = "a join with USING"
JOINED_ITEM: Final = "a joined item with joins of its own"
DISTINCT_ON: Final = "DISTINCT ON"
INNER_QUERY: Final = "a query in another one"
TEXT: Final = "a text"


def kinds_in(query: exp.Query) -> set[Kind]:
    """The kinds of all nodes of a query."""
    found: set[Kind] = set()
    for node in walk(query):
        found.add(node.__class__)
        about = _ABOUT.get(node.__class__)
        if about is not None:
            about(node, found)
        if node is not query and isinstance(node, exp.Query):
            found.add(INNER_QUERY)
    return found


def _about_call(call: exp.Expr, found: set[Kind]) -> None:
    name = call.name.lower()
    found.add(name)
    if name == "count" and any(isinstance(counted, exp.Column) for counted in call.expressions):
        found.add(COUNTED_COLUMN)


def _about_column(column: exp.Expr, found: set[Kind]) -> None:
    if column.args.get("catalog") is not None:
        found.add(DATABASE)
    if column.args.get("db") is not None:
        found.add(SCHEMA_OF_COLUMN)
    name = column.args["this"].__class__
    if name is not exp.Identifier:
        found.add(QUALIFIED_STAR if name is exp.Star else QUALIFIED_CALL)


def _about_table(table: exp.Expr, found: set[Kind]) -> None:
    if table.args.get("catalog") is not None:
        found.add(DATABASE)
    if is_function_item(table):
        found.add(FUNCTION_ITEM)


def _about_join(join: exp.Expr, found: set[Kind]) -> None:
    if join.args.get("using"):
        found.add(USING)
    if join.this.args.get("joins"):
        found.add(JOINED_ITEM)


def _about_distinct(distinct: exp.Expr, found: set[Kind]) -> None:
    if distinct.args.get("on"):
        found.add(DISTINCT_ON)


def _about_literal(literal: exp.Expr, found: set[Kind]) -> None:
    if literal.args["is_string"]:
        found.add(TEXT)


_ABOUT: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, set[Kind]], None]]] = {
    exp.Anonymous: _about_call,
    exp.Column: _about_column,
    exp.Table: _about_table,
    exp.Join: _about_join,
    exp.Distinct: _about_distinct,
    exp.Literal: _about_literal,
}
"""What there is to say of nodes besides their class."""

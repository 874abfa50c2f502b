"""What a steward can ask suggestions for: a table, or the rows of a query (theorem 17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.policy.lint import identifier_columns
from proxy.settings import QuerySettings
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.pricing import contribution_bounds
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.probes import source_probes
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement
from proxy.sql.suggesting.scales import scale_of
from proxy.sql.terms.term import Term
from proxy.sql.trees.constants import pattern_probes
from proxy.sql.trees.ctes import write_out_ctes
from proxy.sql.trees.qualified_columns import drop_schemas_of_columns

SEARCH_PATH = ("public",)

CHOICES_PER_COLUMN = 2
"""First a cap on the distance from 0, then both bounds inside it at once."""


class RequestError(ValueError):
    """A request that cannot be asked; the text is one line for the steward."""


@dataclass(frozen=True)
class Request:
    """What a steward asks about some rows.

    Attributes:
        relation: the rows, each with its unit.
        columns: the columns whose bounds are asked.
        max_rows: is max_rows asked?
        group_by: the columns of the groups whose max_rows_per_group is asked; empty if it is not.
        probes: expressions of constants that the source has to be able to compute.

    Raises:
        RequestError: a column that does not exist or takes no bounds, or rows that a key limits to one per unit.
    """

    relation: Relation
    columns: tuple[str, ...] = ()
    max_rows: bool = False
    group_by: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.columns:
            if scale_of(term_of(name, self.relation)) is None:
                raise RequestError(f"{name} is not a number, date or timestamp, so it cannot have bounds")
            if self.relation.origin(column_node(name)).policy.range is not None:
                raise RequestError(f"{name} has a range, which declares its keys: edit it by hand")
        for name in self.group_by:
            term_of(name, self.relation)
        if (self.max_rows or self.group_by) and self.relation.unit_unique:
            raise RequestError("a unit has only one row there, so its number of rows needs no bound")

    @property
    def choices(self) -> int:
        """The number of private choices."""
        return int(self.max_rows) + int(bool(self.group_by)) + CHOICES_PER_COLUMN * len(self.columns)


def missing(schema: Schema, name: str) -> Request:
    """What the private table `name` lacks: bounds of numbers, dates and timestamps. Identifiers are left out, since
    nobody sums them, and so are columns with declared values, which are keys. Without max_rows, queries choose from the
    data how much of a unit counts."""
    table, relation = schema.table(name), table_relation(schema, name)
    columns = tuple(column for column in _askable(table) if table.column_policy(column).bounds is None)
    return Request(relation, columns)


def everything(schema: Schema, name: str) -> Request:
    """What `missing` looks for, even what the table has already."""
    relation = table_relation(schema, name)
    return Request(relation, tuple(_askable(schema.table(name))), not relation.unit_unique)


def all_numbers(relation: Relation) -> tuple[str, ...]:
    """The columns of a query's rows that take bounds and do not identify the unit."""
    return tuple(
        name
        for member in relation.members
        for name in member.table.visible_columns()
        if scale_of(term_of(name, relation)) is not None and not member.table.identities(name)
    )


def table_relation(schema: Schema, name: str) -> Relation:
    """The rows of a table, with their unit as in a query of this table alone."""
    schema_name, relation_name = name.split(".", 1)
    return _relation(exp.Table(this=_quoted(relation_name), db=_quoted(schema_name)), schema)


def query_relation(schema: Schema, text: str) -> Relation:
    """The rows of a query, each of one unit, as in an analyst's subquery.

    Raises:
        RequestError: no query, or one that reads no private table.
        DpproxyError: rows that are not proven to belong to one unit each.
    """
    relation = _relation(_item(schema, text), schema)
    if relation.unit is None:
        raise RequestError("the query reads no private table, so its bounds can be computed directly")
    return relation


def query_probes(schema: Schema, text: str) -> tuple[str, ...]:
    """The patterns and time zones that the source has to be able to compute before the query's rows are read.

    Raises:
        RequestError: no query.
    """
    return source_probes(pattern_probes(_all_of(_item(schema, text))))


def _item(schema: Schema, text: str) -> exp.Subquery:
    statement = parse_statement(text)
    if statement is None or statement.carrier != "query":
        raise RequestError("--query requires a SELECT")
    query = write_out_ctes(drop_schemas_of_columns(statement.query.copy(), schema, SEARCH_PATH), schema, SEARCH_PATH)
    return exp.Subquery(this=query, alias=exp.TableAlias(this=_quoted("asked")))


def _all_of(item: exp.Expr) -> exp.Select:
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=item))


def _relation(item: exp.Expr, schema: Schema) -> Relation:
    def most_rows(tables: Sequence[NamedTable]) -> int:
        return contribution_bounds(tables, QuerySettings()).max_rows if tables else 1

    return RowCompiler(schema, SEARCH_PATH, most_rows).relation(_all_of(item))


def term_of(name: str, relation: Relation) -> Term:
    """A column of the relation as a term.

    Raises:
        RequestError: there is none of this name.
    """
    if not any(member.table.visible(name) for member in relation.members):
        raise RequestError(f"there is no column {name!r}")
    return relation.column(column_node(name))


def column_node(name: str) -> exp.Column:
    """A reference to a column."""
    return exp.Column(this=_quoted(name))


def _quoted(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def _askable(table: NamedTable) -> list[str]:
    identifiers = identifier_columns(table.policy, table.catalog)
    keys = {"range", "values", "values_from"}
    return [
        name
        for name, column in (table.policy.columns or {}).items()
        if table.visible(name)
        and name not in identifiers
        and not column.model_fields_set & keys
        and scale_of(table.term(name)) is not None
    ]

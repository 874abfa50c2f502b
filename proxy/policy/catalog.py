"""What dpproxy knows of the source's schema: columns, types, keys. No row, no statistic, no default expression; only of
public tables the number of rows, the range of their numbers and dates, how long their texts are, which ones, where they
are few, and texts that a policy declares by them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

MOST_TEXTS: Final = 100
"""Texts of a public column that are kept, since an extreme can be chosen from as many."""


@dataclass(frozen=True)
class Column:
    """One column of a source table.

    Attributes:
        name: column name as stored.
        type_name: `format_type(oid, -1)` of the base type, in pg_catalog (`integer`, `numeric`, `text`, …).
        type_oid: the type's OID (domains resolved to their base type).
        type_modifier: `atttypmod`, -1 if none.
        nullable: False where the catalog has NOT NULL.
        scale: digits after the decimal point for numeric(p, s) columns, else None.
        cast_to_text: the source's own type is outside pg_catalog (an enum, an extension's); a source query reads the
            column as `column::text`.
        collation: OID of the column's collation if different texts can be equal under it, else 0.
        own_collation: the column has another collation than the database.
        own_equality: the name of the source's own type if `cast_to_text` and its values can be equal without having
            the same text (citext, a composite; not an enum), else empty.
        enum: "schema.name" of the source's type if it is an enum whose name is none of Postgres's own, else empty.
        labels: the texts of all values that the column can hold, where it is an enum or a validated CHECK (column IN …)
            lists them; else empty.
        full_type: `type_name` with its length, precision and scale, where it has some; else empty.
    """

    name: str
    type_name: str
    type_oid: int
    type_modifier: int = -1
    nullable: bool = True
    scale: int | None = None
    cast_to_text: bool = False
    collation: int = 0
    own_collation: bool = False
    own_equality: str = ""
    enum: str = ""
    labels: tuple[str, ...] = ()
    full_type: str = ""

    @property
    def is_enum(self) -> bool:
        """Is it of an enum type, whose labels are short?"""
        return self.cast_to_text and not self.own_equality

    @property
    def shown_type(self) -> str:
        """The type that clients see."""
        return self.full_type or self.type_name

    @property
    def limit(self) -> Decimal | None:
        """A power of two or ten that no integer or numeric(p, s) exceeds in size; None for other types."""
        if self.type_name in _MOST_OF_INTEGERS:
            return Decimal(_MOST_OF_INTEGERS[self.type_name])
        if self.type_name != "numeric" or self.scale is None:
            return None
        precision = (self.type_modifier - _TYPMOD_HEADER) >> 16
        return Decimal(1).scaleb(precision - self.scale) if precision > 0 else None


_MOST_OF_INTEGERS: Final = {"smallint": 1 << 15, "integer": 1 << 31, "bigint": 1 << 63}
_TYPMOD_HEADER: Final = 4  # atttypmod of numeric(p, s) is p << 16 | s, plus 4


@dataclass(frozen=True)
class ForeignKey:
    """`columns` of the table reference `target_columns` of `target` ("schema.table").

    Attributes:
        two_equalities: columns differ in which of their values are equal, as character(n) and text do.
    """

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    two_equalities: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Table:
    """One table of the source.

    Attributes:
        name: "schema.table".
        columns: by name, in attnum order.
        primary_key: column names, empty if there is none.
        unique_keys: column sets of valid, immediate, non-partial unique indexes on plain columns (the primary key too).
        foreign_keys: validated foreign keys.
        indexes: columns of the other valid btree indexes on plain columns of all rows, in the index's order.
        row_count: rows of a public table when the catalog was read; None for private ones, which are never counted.
        ranges: the least and the greatest number in columns of a public table when the catalog was read, as far as both
            are finite; NaN is not among them. Empty for private tables.
        moments: likewise, the first and the last date or timestamp, as far as both are in the years 1 to 9999. A date
            is its midnight, and a timestamp with time zone is what the clock of UTC shows.
        octets: those of the longest text in columns of a public table when the catalog was read, where it has any.
            Empty for private tables.
        texts: those in columns of a public table when the catalog was read, in the order of code points, where the
            column has at most `MOST_TEXTS` and the table is not large. Empty for private tables.
        declared: the texts in columns of a public table from which a policy takes values beside others, when the
            catalog was read, in the order of code points; without NULL, and without columns that have too many.
        checks: expressions of validated CHECK constraints, which hold for every row.
        domain_checks: those of the domain that a column has, by column; VALUE stands for it.
        view_definition: the query of a view, with every table's schema; None for tables.
        row_security: policies of the table decide which of its rows the reader sees.
        parent: the table of which this is a partition; None for others.
        distributed_by: on a Citus cluster, the column by whose values the rows are spread over the workers; None for
            tables that are whole on one node or on each.
    """

    name: str
    columns: dict[str, Column]
    primary_key: tuple[str, ...] = ()
    unique_keys: frozenset[frozenset[str]] = frozenset()
    foreign_keys: tuple[ForeignKey, ...] = ()
    indexes: frozenset[tuple[str, ...]] = frozenset()
    row_count: int | None = None
    ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    moments: Mapping[str, tuple[dt.datetime, dt.datetime]] = field(default_factory=dict)
    octets: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    domain_checks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    view_definition: str | None = None
    row_security: bool = False
    parent: str | None = None
    distributed_by: str | None = None

    @property
    def schema_name(self) -> str:
        return self.name.split(".", 1)[0]

    def has_null(self, column: str) -> bool:
        """Can a row have NULL in the column? A cluster has no place for a row whose own place is NULL."""
        return column in self.columns and self.columns[column].nullable and column != self.distributed_by

    @property
    def relation_name(self) -> str:
        return self.name.split(".", 1)[1]


@dataclass(frozen=True)
class Dependency:
    """Rows of `target` can be seen in `reader`. Both are "schema.name", with "()" behind functions and " (type)" behind
    types.

    Attributes:
        reader: the relation, function or type that reads.
        target: the relation, function or type that it reads.
        how: `inherits` for a child or partition, whose rows are rows of `reader`; `query` for a view, a materialized
            view, a function's body, the conditions of row-level security or of a domain, or what a type is made of;
            `rule` for a table whose rule may write to `reader` what is written to the table.
        unseen: it is unknown what `target` reads itself: a foreign table, a relation or function of the server's, a
            function whose body is text, or a sequence that no table is known to take numbers from.
    """

    reader: str
    target: str
    how: Literal["inherits", "query", "rule"]
    unseen: bool = False


@dataclass(frozen=True)
class Catalog:
    """The source's tables that the policy lists, by "schema.table".

    Attributes:
        database: name of the source's database (clients see it as their database's name).
        server_version: e.g. 150018.
        encoding: the server's name of the database's encoding. Unless it is UTF8 nothing else was read.
        superuser: is the reader one, so that no privilege and no row-level security limits it?
        unreadable: listed tables of which the reader may not SELECT, each with the privilege that it lacks.
        dependencies: of the listed tables, and of what they depend on, and so on.
        definitions: what each of these relations and functions is, in words with a digest of its query or body;
            ordinary tables are absent.
        collations: by place, the database ("") or a listed column ("schema.table.column"): the names of collations that
            do not order by code point.
        overriding: what users made that source queries would call in the place of what PostgreSQL has, each as DROP
            names it: casts between its types, functions, operators and default operator classes.
        on_cluster: is the source the coordinator of a Citus cluster?
    """

    tables: dict[str, Table] = field(default_factory=dict)
    database: str = "postgres"
    server_version: int = 150000
    encoding: str = "UTF8"
    superuser: bool = False
    unreadable: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[Dependency, ...] = ()
    definitions: Mapping[str, str] = field(default_factory=dict)
    collations: Mapping[str, str] = field(default_factory=dict)
    overriding: tuple[str, ...] = ()
    on_cluster: bool = False

"""What dpproxy knows of the source's schema: columns, types, keys. No row, no statistic, no default expression."""

from __future__ import annotations

from dataclasses import dataclass, field


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
        cast_to_text: the source's own type is outside pg_catalog (an enum, an extension's); a measurement reads the
            column as `column::text`.
        collation: OID of the column's collation if texts that differ can be equal under it, else 0.
    """

    name: str
    type_name: str
    type_oid: int
    type_modifier: int = -1
    nullable: bool = True
    scale: int | None = None
    cast_to_text: bool = False
    collation: int = 0


@dataclass(frozen=True)
class ForeignKey:
    """`columns` of the table reference `target_columns` of `target` ("schema.table")."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One table of the source.

    Attributes:
        name: "schema.table".
        columns: by name, in attnum order.
        primary_key: column names, empty if there is none.
        unique_keys: column sets of valid, immediate, non-partial unique indexes on plain columns (the primary key too).
        foreign_keys: validated foreign keys.
        row_count: rows of a public table when the catalog was read; None for private ones, whose rows nobody counts.
        view_definition: the query of a view, with every table's schema; None for tables.
    """

    name: str
    columns: dict[str, Column]
    primary_key: tuple[str, ...] = ()
    unique_keys: frozenset[frozenset[str]] = frozenset()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_count: int | None = None
    view_definition: str | None = None

    @property
    def schema_name(self) -> str:
        return self.name.split(".", 1)[0]

    @property
    def relation_name(self) -> str:
        return self.name.split(".", 1)[1]


@dataclass(frozen=True)
class Catalog:
    """The source's tables that the policy lists, by "schema.table".

    Attributes:
        database: name of the source's database (clients see it as their database's name).
        server_version: e.g. 150018.
    """

    tables: dict[str, Table] = field(default_factory=dict)
    database: str = "postgres"
    server_version: int = 150000

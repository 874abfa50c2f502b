"""The names that a client can use: the policy's tables and columns, with what the catalog knows of them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from sqlglot import exp

from proxy.budget.cache import ImmutableCache
from proxy.policy import catalog as source_catalog
from proxy.policy import model
from proxy.policy.column_types import can_hold
from proxy.policy.durations import seconds_of
from proxy.policy.enum_types import named_enums
from proxy.policy.row_keys import lone_row_key
from proxy.policy.unit_paths import UnitPath, unit_path
from proxy.sql.names import folded
from proxy.sql.refusal import DRAWN_ANEW, SAMPLE_HINT, clause_name, refused, unsupported
from proxy.sql.terms import clocks
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.other_values import OtherValues, stored_type
from proxy.sql.terms.spans import Span
from proxy.sql.terms.stored import Stored, stored, stored_as_is
from proxy.sql.terms.term import Read, Term, quote_identifier, quote_table
from proxy.sql.terms.types import Kind, type_of_column


@dataclass(frozen=True)
class Identity:
    """What a value of a column identifies: a unit, or a row of a private table by a unique column, and so its unit.

    Two equal columns of one identity belong to the same unit (decision 3).

    Attributes:
        unit: name of the unit.
        table: the table whose row it is ("schema.table"); None for the unit itself.
        column: the table's unique column that has the value; None for the unit itself.
    """

    unit: str
    table: str | None = None
    column: str | None = None


_READINGS_KEPT: Final = 500
"""Of a table's columns under the names that generated SQL gives the table."""


def _kept() -> ImmutableCache[Any, Any]:
    return ImmutableCache(_READINGS_KEPT)


@dataclass(frozen=True)
class NamedTable:
    """A table of the policy as found by a client's name.

    Attributes:
        name: "schema.table".
        catalog: what the source knows of it.
        policy: what the policy says of it.
        path: how its rows find their unit; None for a public table.
        can_lack_unit: the column ("schema.table.column") in which NULL leaves rows without a unit, so that they do not
            count; None if NOT NULL rules that out, and for public tables and views.
        others: columns in which one name stands for all values that are not declared.
        lone_key: the key of rows that are units of their own, as their unit's column is NULL; empty if there are none.
        lone_column: the column ("schema.table.column") whose NULLs make such rows, here or on the way to the unit.
        lone_units: some table of the policy has such rows, and the same unit as this one.
        declaring_rows: for each column with `values_from`, the rows of the public table that has its values.
    """

    name: str
    catalog: source_catalog.Table
    policy: model.TablePolicy
    path: UnitPath | None = None
    can_lack_unit: str | None = None
    others: Mapping[str, OtherValues] = field(default_factory=dict)
    lone_key: tuple[str, ...] = ()
    lone_column: str | None = None
    lone_units: bool = False
    declaring_rows: Mapping[str, int] = field(default_factory=dict)
    _stored: ImmutableCache[tuple[str, str, bool], Stored] = field(
        default_factory=_kept, init=False, repr=False, compare=False
    )
    _terms: ImmutableCache[tuple[str, str], Term] = field(default_factory=_kept, init=False, repr=False, compare=False)

    @property
    def private(self) -> bool:
        return not self.policy.public

    @property
    def from_sql(self) -> str:
        """The table's SQL in FROM, before the alias."""
        return quote_table(self.name)

    @property
    def unique_keys(self) -> frozenset[frozenset[str]]:
        """The unique keys that hold for columns as they are read: other values of one name are equal."""
        keys = self.catalog.unique_keys
        return frozenset(key for key in keys if key.isdisjoint(self.others)) if self.others else keys

    @property
    def unit_unique(self) -> bool:
        """Has every unit at most one row, by a unique key of the table itself?"""
        unit = self.policy.unit
        return unit is not None and unit.column is not None and frozenset({unit.column}) in self.unique_keys

    @property
    def row_count(self) -> int | None:
        return self.catalog.row_count

    def visible(self, column: str) -> bool:
        """May clients name this column? They never may name system columns."""
        listed = self.policy.columns
        return column in self.catalog.columns and (listed is None or column in listed)

    def visible_columns(self) -> list[str]:
        return [name for name in self.catalog.columns if self.visible(name)]

    def column_sql(self, column: str) -> str:
        """The column's name in generated SQL."""
        return quote_identifier(column)

    def stored(self, column: str, name: str, *, as_unit: bool = False) -> Stored:
        """How the column is read under `name` in generated SQL, to identify the unit or for everything else."""
        known = self._stored.get((column, name, as_unit))
        if known is None:
            known = self._found_stored(column, name, as_unit)
            self._stored.put((column, name, as_unit), known, weight=1)
        return known

    def _found_stored(self, column: str, name: str, as_unit: bool) -> Stored:
        unique = any(column in key for key in self.unique_keys) or (as_unit and column in self.lone_key)
        indexed = unique or any(column in foreign.columns for foreign in self.catalog.foreign_keys)
        distinct = unique or bool(self.identities(column))
        found = self.catalog.columns[column]
        read = stored_as_is if as_unit else stored
        as_stored = read(name, found, indexed=indexed, distinct=distinct, public=not self.private)
        others = self.others.get(column)
        return as_stored if others is None or as_unit else others.read(as_stored, name, found)

    def reference(self, column: str, alias: str) -> str:
        """The column's SQL, of the table that generated SQL calls `alias`."""
        return self.stored(column, f"{alias}.{self.column_sql(column)}").sql

    def compared(self, column: str, alias: str) -> str:
        """The column in the joins that lead to the unit. A type from outside pg_catalog has its own equality, and so
        has a collation."""
        if self.catalog.columns[column].cast_to_text:
            return f"{alias}.{self.column_sql(column)}"
        return self.identifying(column, alias)

    def identifying(self, column: str, alias: str) -> str:
        """The column's SQL where it identifies the unit, under the collation in which units are equal."""
        return self.stored(column, f"{alias}.{self.column_sql(column)}", as_unit=True).sql

    def collated(self, column: str) -> bool:
        """Are different texts of the column equal in the private database, so that they can be one unit?"""
        return self.catalog.columns[column].collation != 0

    def _is_plain(self, column: str) -> bool:
        """Is the column read as it is stored, and are its equal values identical (`Term.plain`)?"""
        found = self.catalog.columns[column]
        if self.reference(column, "") != f".{self.column_sql(column)}":
            return False
        if found.type_name in ("text", "character varying"):
            return not found.own_collation
        return found.scale is not None and found.scale <= 0

    def comparison(self, column: str) -> tuple[str, int]:
        """The type by which `=` compares the column, and the collation in which its texts identify units. A cast, or
        units of another collation, could make several units equal to one."""
        found = self.catalog.columns[column]
        return found.type_name, found.collation

    def nullable(self, column: str) -> bool:
        return self.catalog.columns[column].nullable or self.stored(column, "").missing

    def column_policy(self, column: str) -> model.ColumnPolicy:
        return (self.policy.columns or {}).get(column, model.ColumnPolicy())

    def term(self, column: str, alias: str = "") -> Term:
        """The column as a term with the policy's step and bounds, of the table that generated SQL calls `alias`.

        Where the policy gives a public column none, its bounds are the range of its rows: noise and price may depend on
        them. Should rows change, values beyond it are clamped like all others.
        """
        known = self._terms.get((column, alias))
        if known is None:
            known = self._found_term(column, alias)
            self._terms.put((column, alias), known, weight=1)
        return known

    def _found_term(self, column: str, alias: str) -> Term:
        found, policy = self.catalog.columns[column], self.column_policy(column)
        type_ = type_of_column(found)
        bounds = step = grid = span = None
        if type_.is_number:
            if type_.kind is Kind.INTEGER:
                grid = Fraction(1)
            elif type_.scale is not None:
                grid = Fraction(1, 10**type_.scale) if type_.scale >= 0 else Fraction(10**-type_.scale)
            step = Fraction(policy.step) if policy.step is not None else grid
            limits = bounds_of(policy) or self.catalog.ranges.get(column)
            bounds = Bounds(*limits) if limits is not None else None
        elif (pair := policy.bounds or policy.range) is not None:
            bounds = clocks.declared(*pair, type_.kind)
            span = _span_of(*pair)
        bare = replace(type_, magnitude=None, scale=None) if type_.kind is Kind.NUMERIC else type_
        read = self.stored(column, f"{alias}.{self.column_sql(column)}" if alias else self.column_sql(column))
        nullable = found.nullable or read.missing
        return Term(
            read.sql,
            bare,
            nullable,
            bounds,
            step,
            grid,
            type_.magnitude,
            size=read.size,
            work=read.work,
            plain=read.sql if self._is_plain(column) else None,
            reads=frozenset([Read(alias, self.name, column)]),
            span=span,
        )

    def identities(self, column: str) -> frozenset[Identity]:
        """What a value of the column identifies."""
        if self.path is None or column in self.others:
            return frozenset()
        found = set()
        unit = self.path.unit
        if column == self.identity_column:
            found.add(Identity(unit))
        if self.path.hops and column == self.path.hops[0].column:
            hop = self.path.hops[0]
            found.add(Identity(unit, hop.target, hop.target_column))
        if frozenset({column}) in self.unique_keys:
            found.add(Identity(unit, self.name, column))
        return frozenset(found)

    def lacks_unit(self, column: str) -> bool:
        """Does the column hold the unit's identity but in rows that are units of their own, where it is NULL?"""
        return bool(self.lone_key) and column == self.identity_column

    @property
    def identity_column(self) -> str | None:
        """The column of the row itself that holds the unit's identity, if there is one.

        A foreign key to the very column that identifies the unit is such a column.
        """
        if self.path is None:
            return None
        if not self.path.hops:
            return self.path.column
        if len(self.path.hops) == 1 and self.path.hops[0].target_column == self.path.column:
            return self.path.hops[0].column
        return None


_OF_DP = re.compile(r"dp\"?\s*+\.")
_SEARCHED_BY_WORDS = 100_000
_HASHES_LISTS = 140_000


@dataclass(frozen=True)
class Schema:
    """The policy and the source's catalog together; both immutable, so that plans can be cached by text.

    `enums` are those that clients can name, as `named_enums` gives them.
    """

    policy: model.Policy
    catalog: source_catalog.Catalog
    enums: Mapping[str, AbstractSet[str] | None] = field(init=False, repr=False, compare=False)
    _mentions: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _fragments: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _tables: dict[str, NamedTable] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        relations = {name.split(".", 1)[1] for name, table in self.policy.tables.items() if not table.public}
        names = "|".join(re.escape(name) for name in sorted(relations, key=len, reverse=True)) or r"(?!)"
        pattern = re.compile(
            rf"(?<![\w$])(?:{names})(?![\w$])|(?<![\w$])(?:\"?dp\"?\s*\.|alter(?![\w$]))|(?<![\w$])u&\"", re.IGNORECASE
        )
        object.__setattr__(self, "_mentions", pattern)
        object.__setattr__(self, "_fragments", (*(name.casefold() for name in relations), "alter", 'u&"'))
        found = self.catalog.tables
        listed = {name: table for name, table in self.policy.tables.items() if name in found}
        lone = {name: key for name, table in listed.items() if (key := lone_row_key(table, found[name]))}
        units = {unit.name for name in lone if (unit := listed[name].unit) is not None}
        tables = {name: self._named(name, table, lone, units) for name, table in listed.items()}
        object.__setattr__(self, "_tables", tables)
        object.__setattr__(self, "enums", named_enums(self.policy, self.catalog))

    def _named(
        self,
        name: str,
        table: model.TablePolicy,
        lone: Mapping[str, tuple[str, ...]],
        units: AbstractSet[str],
    ) -> NamedTable:
        """The table, given the keys of rows that are units of their own, by table, and the names of their units."""
        path = None if table.public or table.view else unit_path(self.policy, name)
        found = self.catalog.tables[name]
        return NamedTable(
            name,
            found,
            table,
            path,
            next((place for place, is_lone in self._nullable_on(name, path, lone) if not is_lone), None),
            dict(self._others(found, table)),
            lone.get(name, ()),
            next((place for place, is_lone in self._nullable_on(name, path, lone) if is_lone), None),
            path is not None and path.unit in units,
            dict(self._declaring_rows(table)),
        )

    def _declaring_rows(self, policy: model.TablePolicy) -> Iterator[tuple[str, int]]:
        for name, column in (policy.columns or {}).items():
            if column.values_from is not None:
                declaring = self.catalog.tables.get(column.values_from.rpartition(".")[0])
                if declaring is not None and declaring.row_count is not None:
                    yield name, declaring.row_count

    def _others(self, table: source_catalog.Table, policy: model.TablePolicy) -> Iterator[tuple[str, OtherValues]]:
        for name, column in (policy.columns or {}).items():
            if column.others is None or name not in table.columns:
                continue
            found = table.columns[name]
            values = tuple(map(str, column.listed))
            if column.values_from is not None:
                target, _, declaring = column.values_from.rpartition(".")
                known = self.catalog.tables[target].declared[declaring]
                values = tuple(value for value in known if can_hold(found, value))
            hashed = self.catalog.server_version >= _HASHES_LISTS
            yield name, OtherValues(column.others, values, stored_type(found), hashed)

    def _nullable_on(
        self, name: str, path: UnitPath | None, lone: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[str, bool]]:
        """The columns on a table's way to its unit that can be NULL, and whether such rows are units of their own."""
        if path is None:
            return
        tables = [name, *(hop.target for hop in path.hops)]
        columns = [*(hop.column for hop in path.hops), path.column]
        for table, column in zip(tables, columns, strict=True):
            found = self.catalog.tables.get(table)
            unit = self.policy.tables[table].unit
            is_lone = table in lone and unit is not None and unit.column == column
            if found is not None and found.has_null(column):
                yield f"{table}.{column}", is_lone

    def mentions(self, text: str) -> bool:
        """Might `text` name a private table or something of the dp schema? False only saves time: the stage refuses to
        read a table whose name is missed. In long texts parts of words count too, since everybody waits for the
        search."""
        folded_text = text.casefold()
        if not any(fragment in folded_text for fragment in self._fragments) and _OF_DP.search(folded_text) is None:
            return False
        return len(text) > _SEARCHED_BY_WORDS or self._mentions.search(text) is not None

    def unit_in(self, text: str) -> str | None:
        """The privacy unit of the private tables whose names occur in `text`; None if they have several."""
        folded_text = text.casefold()
        units = {
            table.unit.name
            for name, table in self.policy.tables.items()
            if table.unit is not None and name.split(".", 1)[1].casefold() in folded_text
        }
        return units.pop() if len(units) == 1 else None

    @property
    def private_names(self) -> frozenset[str]:
        """Names of private relations without their schemas, in lower case."""
        return frozenset(
            name.split(".", 1)[1].lower() for name, table in self.policy.tables.items() if not table.public
        )

    def find(self, table: exp.Table, search_path: tuple[str, ...]) -> NamedTable | None:
        """The policy's table that `table` names, or None (a catalog table, a CTE, a function …)."""
        if not isinstance(table.this, exp.Identifier):
            return None
        relation = folded(table.this)
        written = table.args.get("db")
        schemas = (folded(written),) if isinstance(written, exp.Identifier) else search_path
        for schema in schemas:
            name = f"{schema}.{relation}"
            if name in self.policy.tables and name in self.catalog.tables:
                return self.table(name)
        return None

    def table(self, name: str) -> NamedTable:
        """The policy's table "schema.table"."""
        return self._tables[name]


def check_plain_table(table: exp.Table) -> None:
    """Refuse everything but an alias on a FROM item (ONLY, TABLESAMPLE, ORDINALITY, column aliases …)."""
    allowed = {"this", "db", "alias", "joins"}
    for name, value in table.args.items():
        if value and name not in allowed:
            raise unsupported(
                table,
                f"{clause_name(name)} is not supported in a FROM clause with private tables",
                rule="from-decoration",
                detail=DRAWN_ANEW if name == "sample" else None,
                hint=SAMPLE_HINT if name == "sample" else "Write the table name and, optionally, an alias.",
            )
    alias = table.args.get("alias")
    if alias is not None and alias.args.get("columns"):
        raise unsupported(
            table,
            "column aliases of a table in FROM are not supported",
            rule="column-aliases",
            hint="Name columns in a subquery, as in FROM (SELECT x AS a FROM …) AS v.",
        )


def bounds_of(column: model.ColumnPolicy) -> tuple[Fraction, Fraction] | None:
    """Numeric clamping bounds of a column: `bounds`, or else `range`. None for dates and where neither is given."""
    pair = column.bounds or column.range
    if pair is None:
        return None
    low, high = pair
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return Fraction(low), Fraction(high)
    return None


def _span_of(low: model.Bound, high: model.Bound) -> Span | None:
    """What bounds say of an interval column; None if they are none of intervals."""
    if isinstance(low, dt.timedelta) and isinstance(high, dt.timedelta):
        return Span.stored(Bounds(seconds_of(low), seconds_of(high)))
    return None


def unknown_column(node: exp.Column) -> Exception:
    """The refusal for a column that clients cannot see or that is ambiguous."""
    return refused(
        node,
        f"column {node.sql()} cannot be used here",
        rule="unknown-column",
        detail="The policy does not list it for any table in FROM, or the name is ambiguous.",
        hint="\\d and dp.columns show the columns; qualify the name as table.column if two tables have it.",
    )

"""A table of the policy with what the catalog knows of it: how its columns are read, and whom their values identify."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from proxy.budget.cache import ImmutableCache
from proxy.policy import catalog as source_catalog
from proxy.policy import model
from proxy.policy.check_constraints import allowed_by_checks
from proxy.policy.durations import seconds_of
from proxy.policy.unit_paths import UnitPath
from proxy.sql.replacing import replace
from proxy.sql.terms import clocks
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.other_values import OtherValues
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
        declaring_ranges: likewise, the least and the greatest of these values, if they are numbers.
        declaring_moments: likewise, if they are dates or timestamps.
        declaring_texts: likewise, all of them as the column can hold them, if they are few texts.
        listed_octets: for each private column whose texts the source limits to a list, by a CHECK or a foreign key to a
            public table, the octets of the longest one when the catalog was read.
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
    declaring_ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    declaring_moments: Mapping[str, tuple[dt.date, dt.date]] = field(default_factory=dict)
    declaring_texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listed_octets: Mapping[str, int] = field(default_factory=dict)
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

    def enumerated_sql(self, column: str, alias: str) -> str:
        """The column where the stage enumerates keys, which has the types that clients see: an enum as text."""
        text = "::text" if self.catalog.columns[column].is_enum else ""
        return f"{alias}.{self.column_sql(column)}{text}"

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
        longest = self.catalog.octets.get(column)
        if longest is None and not distinct:
            longest = self.listed_octets.get(column)
        as_stored = read(name, found, indexed=indexed, distinct=distinct, public=not self.private, longest=longest)
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
        return (self.policy.columns or {}).get(column, model.unlisted_column())

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
        if column in self.others:
            type_ = replace(type_, foreign="")  # The name of other values is no label of an enum.
        bounds = step = grid = span = None
        if type_.is_number:
            if type_.kind is Kind.INTEGER:
                grid = Fraction(1)
            elif type_.scale is not None:
                grid = Fraction(1, 10**type_.scale) if type_.scale >= 0 else Fraction(10**-type_.scale)
            step = Fraction(policy.step) if policy.step is not None else grid
            limits = bounds_of(policy) or self.catalog.ranges.get(column) or self._declared_limits(column)
            bounds = Bounds(*limits) if limits is not None else None
        elif (pair := self.moments(column)) is not None:
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

    def moments(self, column: str) -> tuple[model.Bound, model.Bound] | None:
        """The least and the greatest value of a column of dates, timestamps or intervals: by the policy, else by the
        rows of the public table that it is in, or that has its values."""
        policy = self.column_policy(column)
        stated = policy.range or policy.bounds
        if stated is not None:
            return stated
        listed = [value for value in policy.listed if isinstance(value, dt.date)]
        if listed:
            return min(listed), max(listed)
        return moments_of_rows(self.catalog, column) or self.declaring_moments.get(column)

    def _declared_limits(self, column: str) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest declared number; None where none is."""
        listed = [Fraction(value) for value in self.column_policy(column).listed if isinstance(value, (int, Decimal))]
        return (min(listed), max(listed)) if listed else self.declaring_ranges.get(column)

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

    @cached_property
    def identified(self) -> Mapping[str, frozenset[Identity]]:
        """What the values of each column that clients can name identify."""
        return {name: self.identities(name) for name in self.visible_columns()}

    @cached_property
    def held_inside(self) -> frozenset[str]:
        """The columns of numbers that CHECK constraints keep inside the policy's `range` or `bounds`."""
        found = set()
        for column, allowed in allowed_by_checks(self.catalog).items():
            limits, (low, high) = bounds_of(self.column_policy(column)), allowed.numbers
            if limits is not None and low is not None and high is not None and limits[0] <= low <= high <= limits[1]:
                found.add(column)
        return frozenset(found)

    def lacks_unit(self, column: str) -> bool:
        """Does the column hold the unit's identity but in rows that are units of their own, where it is NULL?"""
        return bool(self.lone_key) and column == self.identity_column

    @cached_property
    def partial_identities(self) -> frozenset[str]:
        """The private columns whose values are unique, but which can be NULL in any number of rows that have units."""
        if self.path is None:
            return frozenset()
        own = {self.identity_column, *(hop.column for hop in self.path.hops[:1])}
        return frozenset(
            name
            for name in self.visible_columns()
            if name not in own and frozenset({name}) in self.unique_keys and self.catalog.has_null(name)
        )

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


def moments_of_rows(table: source_catalog.Table, column: str) -> tuple[dt.date, dt.date] | None:
    """The first and the last date or timestamp in a column of a public table when the catalog was read."""
    found = table.moments.get(column)
    is_date = table.columns[column].type_name == "date"
    return (found[0].date(), found[1].date()) if found is not None and is_date else found


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

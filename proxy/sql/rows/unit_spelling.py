"""The unit of a row as generated SQL spells it: every unit in one spelling, and no two in the same (theorem 21).

A unit is hashed, and the hash decides which of its rows or values count. Of several spellings of a unit Postgres keeps
one, and which one depends on other units. (A text under a nondeterministic collation has no single spelling; its hash
is the same for all equal texts, `source_queries.bounding`.)

Where each value is spelled as it is stored (`Term.plain`), the column stands there alone. So the planner knows its
statistics, and a source of several servers sees that the unit is what distributes the rows (`postgres.cluster`).

Where the policy makes rows without a unit units of their own, such a row is spelled by its table and its key. All units
of that name are then texts that begin with a letter for what they are, in all tables: no value of a unit's column
can be spelled like a row, whatever it holds. A row's text is the lengths and texts of the table's name and of the
key's columns, so that it can be read back in one way only.

Where the columns of one unit are numbers in one table and texts or uuids in another, rows of both have the text of the
unit: a number and a uuid have one text each in the form that they have here.
"""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.terms.arithmetic import plainly_collated
from proxy.sql.terms.canonical_values import bare_value
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TEXT, Kind

_OF_UNIT, _OF_ROW = "u", "r"


def unit_sql(origin: ColumnOrigin) -> str:
    """The unit that a column of a table identifies, or that its row is if the column is NULL.

    It is the same whichever column of whichever table it is read from: elsewhere 7 may be 7.0. Texts get one collation
    too. Otherwise the rows of two tables could not be grouped by their units (UNION ALL) without an error, which would
    tell that there are rows.
    """
    table = origin.member.table
    identified = _identified(origin)
    if not isinstance(table, NamedTable) or not table.lone_units:
        return identified
    known = _text(f"'{_OF_UNIT}' || ({identified})::text")
    if not origin.lacks_unit:
        return known
    # The stored value decides: one that is not read, as it is too long, is that of a unit which may have more rows.
    stored = f"{origin.member.alias}.{table.column_sql(origin.column)}"
    return f"(CASE WHEN {stored} IS NULL THEN {_row(table, origin.member.alias)} ELSE {known} END)"


def unit_kind(origin: ColumnOrigin) -> Kind:
    """What `unit_sql` is: all numbers compare, but no number with a text."""
    table = origin.member.table
    if isinstance(table, NamedTable) and (table.lone_units or table.collated(origin.column)):
        return Kind.TEXT
    kind = origin.term().kind
    return Kind.NUMERIC if kind is Kind.INTEGER else kind


def alike(units: Sequence[tuple[str, Kind | None]]) -> tuple[list[str], Kind | None]:
    """Spellings of a unit, with what they are, in which it is the same wherever it comes from."""
    kinds = {kind for _, kind in units}
    if len(kinds) == 1:
        return [sql for sql, _ in units], kinds.pop()
    return [sql if kind is Kind.TEXT else _text(f"{sql}::text") for sql, kind in units], Kind.TEXT


def spreading_column(origin: ColumnOrigin) -> str | None:
    """The column by which a source of several servers spreads the rows, if that is what `unit_sql` spells in a form
    that these servers do not see through. To group by both is to group by the unit: of texts under a collation by which
    only identical ones are equal, and of numerics, two values have one spelling if and only if they are equal."""
    table = origin.member.table
    if not isinstance(table, NamedTable) or origin.column != table.catalog.distributed_by:
        return None
    found, bare = table.catalog.columns[origin.column], f"{origin.member.alias}.{table.column_sql(origin.column)}"
    unfit = found.cast_to_text or table.collated(origin.column) or unit_sql(origin) == bare
    return None if unfit or origin.term().kind not in (Kind.TEXT, Kind.NUMERIC) else bare


def lacks_unit(origin: ColumnOrigin) -> bool:
    """Can `unit_sql` be NULL?"""
    table = origin.member.table
    if not isinstance(table, NamedTable) or not table.lacks_unit(origin.column):
        return origin.nullable
    return origin.member.optional or table.stored(origin.column, "").missing


def unit_read(table: NamedTable, column: str) -> Footprint:
    """What `unit_sql` reads of the table, and the key that it rests on."""
    if not table.lacks_unit(column):
        return Footprint(columns=frozenset([(table.name, column)]))
    columns = frozenset((table.name, name) for name in (column, *table.lone_key))
    return Footprint(columns=columns, verified_keys=((table.name, table.lone_key),))


def _identified(origin: ColumnOrigin) -> str:
    """The unit by the column's value."""
    table, column = origin.member.table, origin.column
    if isinstance(table, NamedTable) and table.collated(column):
        return f"({table.identifying(column, origin.member.alias)})::text"
    term = bare_value(origin.term())
    if term is None:
        raise AssertionError("a unit is an integer, numeric, text or uuid")
    return plainly_collated(term).sql


def _row(table: NamedTable, alias: str) -> str:
    """The text of a row that is a unit of its own; NULL for a row that an outer join left out."""
    name = table.name.replace("'", "''")
    parts = [f"'{_OF_ROW}{len(table.name)}:{name}'"]
    for column in table.lone_key:
        text = _key_text(table, column, alias)
        parts.append(f"length({text}) || ':' || {text}")
    return _text(" || ".join(parts))


def _key_text(table: NamedTable, column: str, alias: str) -> str:
    """A column of a key, in a text that differs for different values whatever the session's settings."""
    sql = table.identifying(column, alias)
    if table.term(column).kind is Kind.TIMESTAMPTZ:
        # In a session's time zone one name can stand for two offsets.
        sql = f"timezone('UTC', {sql})"
    return _text(f"{sql}::text")


def _text(sql: str) -> str:
    return plainly_collated(Term(f"({sql})", TEXT)).sql

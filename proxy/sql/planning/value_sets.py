"""The values that columns and expressions can have, as public queries of one column c0 for the stage."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.policy import catalog
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.atoms import most_values
from proxy.sql.planning.statistic import ListedValues
from proxy.sql.rows.members import ColumnOrigin, DerivedColumn
from proxy.sql.terms import datetimes
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.other_values import stored_type
from proxy.sql.terms.term import Term, number_sql, quote_identifier, quote_literal, quote_table
from proxy.sql.terms.types import Kind, SqlType

_MOST_COMPUTED = 100
"""The most values of what is computed of one unit's rows: of more, those that occur are selected."""
_MOST_RANGE = 10_000
"""The most values that clamping bounds declare without `range`."""
_MOST_DAYS = 100_000
"""The most days of a date that is a key, or that one is made of, as many as of a moment that is cut to days."""

TRUE_AND_FALSE = "SELECT v.c0 FROM (VALUES (true), (false)) AS v(c0)"
TRUE_FALSE_NULL = "SELECT v.c0 FROM (VALUES (true), (false), (NULL)) AS v(c0)"


@dataclass(frozen=True)
class Values:
    """The values that an expression can have.

    Attributes:
        sql: query of one column c0 for the stage, without NULL.
        label: for EXPLAIN.
        nullable: can it be NULL, too?
        complete: whatever a row holds, its value is one of them; else they are those inside the policy's limits.
        most: how many there are at most, where the expression's type and bounds do not tell.
    """

    sql: str
    label: str
    nullable: bool
    complete: bool = False
    most: int | None = None

    @property
    def all(self) -> str:
        """The query with NULL, if the expression can be NULL."""
        return f"{self.sql} UNION ALL SELECT NULL" if self.nullable else self.sql


def declared_values(origin: ColumnOrigin) -> tuple[str, str] | None:
    """SQL of one column c0 with a private column's declared values (without NULL), and a label."""
    if not isinstance(origin.member.table, NamedTable):
        return _computed_values(origin.column, origin.member.table.columns[origin.column])
    others = origin.member.table.others.get(origin.column)
    policy = origin.policy
    if others is not None:
        return others.enumerated, f"{policy.values_from or f'values of {origin.column}'} and {others.name!r} for others"
    stored = origin.member.table.catalog.columns[origin.column]
    type_ = origin.term().type
    if policy.listed:
        rows = ", ".join(f"({_value(value)}::{stored_type(stored)})" for value in policy.listed)
        return f"SELECT v.c0 FROM (VALUES {rows}) AS v(c0)", f"values of {origin.column}"
    if policy.values_from is not None:
        table, name = policy.values_from.rsplit(".", 1)
        quoted = quote_identifier(name)
        value = f"{quoted}::{stored_type(stored)}"
        return (
            f"SELECT DISTINCT {value} AS c0 FROM {quote_table(table)} WHERE {quoted} IS NOT NULL",
            f"{policy.values_from}",
        )
    if type_.kind is Kind.BOOLEAN:
        return TRUE_AND_FALSE, f"true and false of {origin.column}"
    limits = policy.range or policy.bounds
    if limits is None:
        return None
    low, high = limits
    if type_.kind is Kind.INTEGER and isinstance(low, Decimal) and isinstance(high, Decimal):
        first, last = int(low.to_integral_value("ROUND_CEILING")), int(high.to_integral_value("ROUND_FLOOR"))
        if policy.range is None and last - first >= _MOST_RANGE:
            return None
        series = f"SELECT s::{stored.type_name} AS c0 FROM generate_series({first}::bigint, {last}::bigint) AS s"
        return series, f"range of {origin.column}"
    if type_.kind is Kind.DATE and isinstance(low, dt.date) and isinstance(high, dt.date):
        if policy.range is None and (high - low).days >= _MOST_DAYS:
            return None
        start, days = _day(low), (high - low).days
        return f"SELECT {start} + s AS c0 FROM generate_series(0, {days}) AS s", f"days of {origin.column}"
    return None


def stepped_column(origin: ColumnOrigin) -> Values | None:
    """The values that a private column with bounds has by its step, or by the scale of its type; of a date, the days.

    They are keys of their own, but no parts of larger ones: another value than these makes no group of that key, while
    an expression may well make one of it. None where the column has no step, or too many values.
    """
    table = origin.member.table
    if not isinstance(table, NamedTable) or not table.private or origin.column in table.others:
        return None
    limits, term = origin.policy.range or origin.policy.bounds, origin.term()
    if limits is None:
        return None
    low, high = limits
    nullable = origin.nullable and (origin.member.optional or origin.column not in origin.member.present)
    if term.kind is Kind.DATE and isinstance(low, dt.date) and isinstance(high, dt.date):
        days = (high - low).days
        sql = f"SELECT {_day(low)} + s AS c0 FROM generate_series(0, {days}) AS s"
        return Values(sql, f"days of {origin.column}", nullable) if days < _MOST_DAYS else None
    step = term.step or term.grid
    if not term.type.is_number or step is None or not isinstance(low, Decimal) or not isinstance(high, Decimal):
        return None
    first, last = math.ceil(Fraction(low) / step), math.floor(Fraction(high) / step)
    if not 0 <= last - first < _MOST_RANGE:
        return None
    type_ = stored_type(table.catalog.columns[origin.column])
    value = f"s * {number_sql(step)}"
    value = f"trim_scale({value})" if type_ == "numeric" else f"({value})::{type_}"
    sql = f"SELECT {value} AS c0 FROM generate_series({first}::bigint, {last}::bigint) AS s"
    exact = term.grid is not None and (term.grid / step).denominator == 1
    held = exact and origin.column in table.held_inside
    return Values(sql, f"steps of {origin.column}", nullable, complete=held)


def declared_texts(origin: ColumnOrigin) -> tuple[str, ...]:
    """The declared values of a column of texts that are known without a query, by the policy or as public rows had them
    when the catalog was read, in their order: of an enum, that of its labels; of texts, that of their code points. None
    of types whose order is unknown."""
    table = origin.member.table
    if not isinstance(table, NamedTable):
        return ()
    others = table.others.get(origin.column)
    column = table.catalog.columns[origin.column]
    texts = {*others.values, others.name} if others is not None else {*map(str, origin.policy.listed)}
    if not texts:
        of_rows = table.catalog.texts.get(origin.column, column.labels if table.policy.public else ())
        texts = {*table.declaring_texts.get(origin.column, of_rows)}
    if not origin.term().type.foreign:
        return tuple(sorted(texts))
    return tuple(label for label in column.labels if label in texts) if column.is_enum else ()


def listed_values(origin: ColumnOrigin) -> ListedValues | None:
    """What the policy says of a private column's values, where their greatest number is known without a query."""
    table = origin.member.table
    if not isinstance(table, NamedTable) or origin.column in table.others:
        return None
    if origin.policy.listed:
        return ListedValues(len(origin.policy.listed), is_complete(origin))
    if origin.column in table.declaring_rows:
        # Of a table without rows, too, noise is made for one value.
        return ListedValues(max(table.declaring_rows[origin.column], 1), is_complete(origin))
    if origin.term().kind is Kind.BOOLEAN:
        return ListedValues(2, complete=True)
    return None


def most_declared(origin: ColumnOrigin) -> int | None:
    """At most how many values `declared_values` has of a column; None where nobody knows."""
    table = origin.member.table
    if not isinstance(table, NamedTable):
        column = table.columns[origin.column]
        return column.counted + 1 if column.counted is not None else len(column.results) or None
    listed = listed_values(origin)
    if listed is not None:
        return listed.number
    is_listed = origin.column in table.others or origin.policy.values_from is not None
    return None if is_listed else most_values(origin.term())


def is_complete(origin: ColumnOrigin) -> bool:
    """Does the source guarantee that a private column has only declared values? It does for booleans unless one is
    declared, for enums and CHECK (column IN …) whose values are declared, for a CHECK that keeps numbers inside the
    policy's range, for a foreign key to the column that declares them, and where others have a name."""
    table = origin.member.table
    if not isinstance(table, NamedTable):
        column = table.columns[origin.column]
        return column.value.kind is Kind.BOOLEAN or bool(column.results)
    if origin.column in table.others:
        return True
    policy = origin.policy
    if policy.values_from is not None:
        target, name = policy.values_from.rsplit(".", 1)
        wanted = catalog.ForeignKey((origin.column,), target, (name,))
        return wanted in table.catalog.foreign_keys
    if policy.listed:
        if origin.term().kind is Kind.BOOLEAN:
            return {*policy.listed} == {True, False}
        labels = table.catalog.columns[origin.column].labels
        return bool(labels) and {*labels} <= {str(value) for value in policy.listed}
    if origin.column in table.held_inside:
        return True
    return origin.term().kind is Kind.BOOLEAN


def _day(value: dt.date) -> str:
    return f"'{value.year:04d}-{value.month:02d}-{value.day:02d}'::date"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "'true'" if value else "'false'"
    return quote_literal(str(value))


def _computed_values(name: str, column: DerivedColumn) -> tuple[str, str] | None:
    """The values of an aggregate or window function over one unit's rows: of conditions, and counts up to a bound."""
    if column.value.kind is Kind.BOOLEAN:
        return TRUE_AND_FALSE, f"true and false of {name}"
    if column.results:
        rows = ", ".join(f"({constant})" for constant in column.results)
        return f"SELECT v.c0 FROM (VALUES {rows}) AS v(c0)", f"results of CASE in {name}"
    if column.counted is None:
        return _few_numbers(name, column)
    if column.counted >= _MOST_RANGE:
        return None
    # Ranks begin at 1; where a count does, its own bounds say 0.
    first = 1 if column.value.bounds is not None and column.value.bounds.low >= 1 else 0
    label = f"{first} to {column.counted} of {name}, greater ones are not shown"
    return f"SELECT s AS c0 FROM generate_series({first}::bigint, {column.counted}) AS s", label


def _few_numbers(name: str, column: DerivedColumn) -> tuple[str, str] | None:
    """The whole numbers inside the bounds of what is computed of counts, as least(count(*), 10)."""
    bounds = column.value.bounds
    if column.definitions or column.value.kind is not Kind.INTEGER or bounds is None or bounds.width > _MOST_COMPUTED:
        return None
    first, last = math.ceil(bounds.low), math.floor(bounds.high)
    series = f"SELECT s::{column.value.type.name} AS c0 FROM generate_series({first}::bigint, {last}::bigint) AS s"
    return series, f"{first} to {last} of {name}, others are not shown"


def can_be(constant: Term, type_: SqlType) -> bool:
    """Can the constant be a value of the type? NULL is in no group, and 1.5 equals no integer."""
    if constant.literal is None:
        return False
    if type_.length is not None and len(constant.literal.rstrip(" ")) > type_.length:
        return False
    if type_.kind is not Kind.INTEGER:
        return True
    try:
        value = Fraction(constant.literal)
    except ValueError:
        return False
    return value.denominator == 1 and type_.magnitude is not None and abs(value) < type_.magnitude


_STEPS = {"quarter": "3 months", "decade": "10 years", "century": "100 years"}


def truncated_in_zone(field: str, low: str, high: str, zone: str) -> str:
    """date_trunc(field, …, zone) of moments between the constants `low` and `high`.

    What that makes of days and more is the moment at which the zone's clock shows their beginning. Hours and less are
    as far from each other as their names say, but for changes of the clock, which are whole half hours.
    """
    if field in ("hour", "minute", "second"):
        step = "30 minutes" if field == "hour" else f"1 {field}"
        series = f"generate_series({low}, {high} + interval '{step}', '{step}'::interval) AS series(s)"
        return f"SELECT DISTINCT date_trunc('{field}', least(s, {high}), {zone}) AS c0 FROM {series}"
    step = _STEPS.get(field, f"1 {field}")
    first, last = (f"date_trunc('{field}', timezone({zone}, {limit}))" for limit in (low, high))
    # Where the clock was put back just before, an earlier moment may have shown more.
    last = f"greatest({last}, date_trunc('{field}', timezone({zone}, {high} - interval '24 hours')))"
    series = f"generate_series({first}, {last}, '{step}'::interval) AS series(s)"
    return f"SELECT DISTINCT timezone({zone}, s) AS c0 FROM {series}"


def truncated_values(field: str, low: str, high: str, *, zoned: bool) -> str:
    """date_trunc(field, …) of dates between the constants `low` and `high`."""
    step = f"'{_STEPS.get(field, f'1 {field}')}'::interval"
    first, last = (f"date_trunc('{field}', {limit})" for limit in (low, high))
    if not zoned:
        return f"SELECT DISTINCT s AS c0 FROM generate_series({first}, {last}, {step}) AS series(s)"
    # Truncating again keeps the series on the grid across changes of daylight saving time. After a midnight that a
    # clock leaves out all steps are an hour late, so that the last one would come behind the end.
    value, series = f"date_trunc('{field}', s)", f"generate_series({first}, {last} + {step}, {step}) AS series(s)"
    return f"SELECT DISTINCT {value} AS c0 FROM {series} WHERE {value} <= {last}"


def is_limited(field: str) -> bool:
    """Are a field's values few only because of the policy's limits?"""
    return field in ("year", "isoyear", "decade", "century")


def field_values(field: str, type_: SqlType, limits: tuple[str, str] | None) -> str | None:
    """The values of extract(field from …), between the constants `limits` if there are any; None if too many."""
    known = datetimes.field_range(field)
    if known is None:
        return None
    low, high = str(known[0]), str(known[1])
    if is_limited(field):
        if limits is None:
            return None
        low, high = (f"extract({field} from {limit})::int" for limit in limits)
    return f"SELECT s::{type_.name} AS c0 FROM generate_series({low}, {high}) AS s"


def is_limiting(node: exp.Expr) -> bool:
    """Is it least(…) or greatest(…), as least(n, 10) of a count?"""
    return isinstance(node, exp.Anonymous) and node.name.lower() in ("least", "greatest")


def limited(term: Term) -> Values | None:
    """The whole numbers that least(…) and greatest(…) leave; None if they are too many."""
    bounds = term.bounds
    if term.kind is not Kind.INTEGER or bounds is None or bounds.width > _MOST_COMPUTED:
        return None
    carried = "numeric" if term.wide else term.type.name
    sql = f"SELECT s::{carried} AS c0 FROM generate_series({int(bounds.low)}, {int(bounds.high)}) AS s"
    return Values(sql, f"{int(bounds.low)} to {int(bounds.high)}", nullable=term.nullable)


def bucket_values(bounds: Bounds) -> str:
    """The whole numbers within bounds."""
    return f"SELECT s::integer AS c0 FROM generate_series({int(bounds.low)}, {int(bounds.high)}) AS s"

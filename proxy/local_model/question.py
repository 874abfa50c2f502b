"""What a local release is asked for, checked against the policy before anything is charged."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Final

from proxy.dp.local.slots import LocalPrivacy
from proxy.errors import InvalidSettingError, RefusedError, UnsupportedError
from proxy.local_model.file_format import MOST_COLUMNS, MOST_VALUES, Mechanism
from proxy.policy.column_rules import range_size
from proxy.policy.model import Bound, Value
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.pricing import check_least
from proxy.sql.schema import Schema
from proxy.sql.source_queries.unit_rows import UnitRows, unit_rows
from proxy.sql.terms.types import Kind, SqlType, type_of_column

_KINDS: Final = (Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE)
MOST_CANDIDATES: Final = 100_000
"""The most declared values that the header of a sketch lists."""

_MOST_VALUES_PER_UNIT: Final = 1000
_LARGEST_EPSILON: Final = 10**12


@dataclass(frozen=True)
class LocalRequest:
    """The operator's request.

    Attributes:
        table: "schema.table".
        columns: names of columns.
        mechanism: how values are reported.
        epsilon: of the whole release.
        values_per_unit: most rows of a unit.
    """

    table: str
    columns: tuple[str, ...]
    mechanism: Mechanism
    epsilon: Fraction
    values_per_unit: int = 1


@dataclass(frozen=True)
class PublicValues:
    """The values of a public table's column, to be read from the source."""

    table: NamedTable
    column: str


@dataclass(frozen=True)
class LocalQuestion:
    """A request that the policy allows.

    Attributes:
        request: the request.
        table: the table.
        rows: its rows with their units.
        privacy: how epsilon is divided.
        domains: the declared values of each column as text, or a public table's column where the policy names one;
            empty where nothing is declared.
    """

    request: LocalRequest
    table: NamedTable
    rows: UnitRows
    privacy: LocalPrivacy
    domains: tuple[tuple[str, ...] | PublicValues, ...]

    @property
    def label(self) -> str:
        """What the ledger shows of the release."""
        columns = ", ".join(self.request.columns)
        return f"local release ({self.request.mechanism}) of {columns} over {self.table.name}"

    def hash(self, schema: Schema, domains: Sequence[Sequence[str]], versions: Sequence[str] = ()) -> str:
        """The hash of what makes two releases the same question: the request, the domains, the data version.

        Args:
            schema: policy and catalog.
            domains: the declared values of each column.
            versions: of the data, as the source tells them (`query.live_versions`).
        """
        content = {
            "local release": 1,
            "database": schema.catalog.database,
            "rows": self.rows.sql(self.request.values_per_unit, 0),
            "columns": list(self.request.columns),
            "mechanism": self.request.mechanism,
            "epsilon": str(self.privacy.epsilon),
            "domains": [list(domain) for domain in domains],
            "versions": {
                table.name: str(schema.table(table.name).policy.data_version) for table in self.rows.footprint.tables
            },
        }
        if versions:
            content["live versions"] = list(versions)
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def local_question(request: LocalRequest, schema: Schema) -> LocalQuestion:
    """Check a request.

    Raises:
        RefusedError: a table, a column or a domain that the policy does not have.
        UnsupportedError: a column of another type.
        InvalidSettingError: an impossible epsilon or number of values.
    """
    table = _table(request.table, schema)
    _check_columns(request, table)
    privacy = _privacy(request)
    check_least([table], request.epsilon, "--epsilon", "Give --epsilon {} or more.")
    domains = tuple(_domain(request, table, column, schema) for column in request.columns)
    return LocalQuestion(request, table, unit_rows(schema, table, request.columns), privacy, domains)


def check_size(request: LocalRequest, column: str, size: int) -> None:
    """Refuse a domain that makes RAPPOR's reports too long.

    Raises:
        UnsupportedError: too many values.
    """
    if request.mechanism == "rappor" and size > MOST_VALUES:
        raise UnsupportedError(
            f"column {column} has {size} declared values, and RAPPOR takes at most {MOST_VALUES}",
            hint="Use --mechanism sketch.",
            rule="local-domain-size",
        )


def _table(name: str, schema: Schema) -> NamedTable:
    private = [known for known, table in schema.policy.tables.items() if not table.public and not table.view]
    if name not in private:
        raise RefusedError(
            f"{name} is not a private table of the policy",
            hint=f"There are {', '.join(private)}." if private else None,
            rule="local-table",
        )
    return schema.table(name)


def _check_columns(request: LocalRequest, table: NamedTable) -> None:
    if len(set(request.columns)) < len(request.columns):
        raise InvalidSettingError("a column is named twice", rule="local-columns")
    if len(request.columns) > MOST_COLUMNS:
        raise InvalidSettingError(f"at most {MOST_COLUMNS} columns can be released together", rule="local-columns")
    for column in request.columns:
        if not table.visible(column):
            raise RefusedError(
                f"the policy lists no column {column!r} of {table.name}",
                hint=f"Its columns are {', '.join(table.visible_columns())}.",
                rule="local-column",
            )
        if table.identities(column):
            raise RefusedError(
                f"column {column} identifies individual units or rows",
                detail="Nearly every value would occur once, so no frequency could be estimated.",
                hint="Release columns whose values many units share.",
                rule="local-unit-column",
            )
        type_ = type_of_column(table.catalog.columns[column])
        if type_.kind not in _KINDS:
            raise UnsupportedError(
                f"column {column} has type {type_.name}, which has no categories",
                hint="Texts, whole numbers, booleans and dates can be released.",
                rule="local-type",
            )


def _privacy(request: LocalRequest) -> LocalPrivacy:
    if not 1 <= request.values_per_unit <= _MOST_VALUES_PER_UNIT:
        raise InvalidSettingError(
            f"--values-per-unit must be between 1 and {_MOST_VALUES_PER_UNIT}, got {request.values_per_unit}",
            rule="local-values-per-unit",
        )
    try:
        if request.epsilon > _LARGEST_EPSILON or request.epsilon.denominator > _LARGEST_EPSILON:
            raise ValueError(f"epsilon must be at most {_LARGEST_EPSILON:.0e}, and have at most 12 decimals")
        return LocalPrivacy(request.epsilon, len(request.columns), request.values_per_unit)
    except ValueError as error:
        raise InvalidSettingError(
            str(error), hint="Increase --epsilon, or release fewer columns.", rule="local-epsilon"
        ) from None


def _domain(request: LocalRequest, table: NamedTable, column: str, schema: Schema) -> tuple[str, ...] | PublicValues:
    policy, type_ = table.column_policy(column), type_of_column(table.catalog.columns[column])
    others = table.others.get(column)
    if others is not None:
        texts = (_text(value, type_) for value in (*others.values, others.name))
        return sized(request, column, tuple(dict.fromkeys(texts)))
    if policy.values_from is not None:
        name, _, public_column = policy.values_from.rpartition(".")
        return PublicValues(schema.table(name), public_column)
    if policy.values is not None:
        texts = (_text(value, type_) for value in policy.values)
        return sized(request, column, tuple(dict.fromkeys(texts)))
    if policy.range is not None:
        check_size(request, column, range_size(*policy.range) or 0)
        return tuple(islice(_range(*policy.range), MOST_CANDIDATES))
    if type_.kind is Kind.BOOLEAN:
        return ("false", "true")
    if request.mechanism == "rappor":
        raise RefusedError(
            f"the values of column {column} are not declared, and RAPPOR has a bit for each of them",
            detail="Which values occur is private.",
            hint="Declare them in the policy (values, values_from or range), or use --mechanism sketch.",
            rule="local-domain",
        )
    return ()


def sized(request: LocalRequest, column: str, values: tuple[str, ...]) -> tuple[str, ...]:
    check_size(request, column, len(values))
    return values[:MOST_CANDIDATES]


def _text(value: Value, type_: SqlType) -> str:
    """A declared value as PostgreSQL prints the column's values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return str(int(value))
    if isinstance(value, dt.date):
        return value.isoformat()
    return value.rstrip(" ") if type_.name == "bpchar" else value


def _range(low: Bound, high: Bound) -> Iterator[str]:
    if isinstance(low, dt.date) and isinstance(high, dt.date):
        return ((low + dt.timedelta(days=day)).isoformat() for day in range((high - low).days + 1))
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return (str(number) for number in range(int(low), int(high) + 1))
    raise AssertionError("a range has whole numbers or dates")

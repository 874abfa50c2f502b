"""The names that a client can use: the policy's tables and columns, with what the catalog knows of them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlglot import exp

from proxy.budget.cache import ImmutableCache
from proxy.policy import catalog as source_catalog
from proxy.policy import model
from proxy.policy.column_types import can_hold
from proxy.policy.enum_types import named_enums
from proxy.policy.row_keys import lone_row_key
from proxy.policy.unit_paths import UnitPath, unit_path
from proxy.sql.named_tables import NamedTable, moments_of_rows
from proxy.sql.names import folded
from proxy.sql.refusal import DRAWN_ANEW, SAMPLE_HINT, clause_name, reads_beside, refused, unsupported
from proxy.sql.repeats import Repeats
from proxy.sql.terms.other_values import OtherValues, stored_type
from proxy.sql.terms.term import quote_table

_OF_DP = re.compile(r"dp\"?\s*+\.")
_SEARCHED_BY_WORDS = 100_000
_HASHES_LISTS = 140_000
_FACTS_KEPT = 1_000


@dataclass(frozen=True)
class Schema:
    """The policy and the source's catalog together; both immutable, so that plans can be cached by text.

    `repeats` is what was counted of public tables, None where nobody counts; `enums` are those that clients can name,
    as `named_enums` gives them; `known` is what follows from both alone and is often asked for, by what decides it.
    """

    policy: model.Policy
    catalog: source_catalog.Catalog
    repeats: Repeats | None = field(default=None, repr=False, compare=False)
    enums: Mapping[str, tuple[str, ...] | None] = field(init=False, repr=False, compare=False)
    _mentions: re.Pattern[str] = field(init=False, repr=False, compare=False)
    _fragments: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _tables: dict[str, NamedTable] = field(init=False, repr=False, compare=False)
    known: ImmutableCache[Any, Any] = field(
        default_factory=lambda: ImmutableCache(_FACTS_KEPT), init=False, repr=False, compare=False
    )

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

    @cached_property
    def public_columns(self) -> tuple[tuple[str, tuple[source_catalog.Column, ...]], ...]:
        """The public tables, as SQL names them, and their columns."""
        return tuple(
            (quote_table(name), tuple(table.columns.values()))
            for name, table in self.catalog.tables.items()
            if self.table(name).policy.public
        )

    @cached_property
    def has_views(self) -> bool:
        """Does the policy list views that are read by their queries?"""
        return any(table.policy.view for table in self._tables.values())

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
            {name: rows.row_count for name, rows, _ in self._declaring(table) if rows.row_count is not None},
            {name: rows.ranges[column] for name, rows, column in self._declaring(table) if column in rows.ranges},
            dict(self._declaring_moments(table)),
            dict(self._declaring_texts(table, found)),
            dict(self._listed_octets(found)) if not table.public else {},
        )

    def _declaring(self, policy: model.TablePolicy) -> Iterator[tuple[str, source_catalog.Table, str]]:
        """The columns with `values_from`, each with the table and the column that have its values."""
        for name, column in (policy.columns or {}).items():
            if column.values_from is not None:
                table, _, declaring = column.values_from.rpartition(".")
                if table in self.catalog.tables:
                    yield name, self.catalog.tables[table], declaring

    def _declaring_moments(self, policy: model.TablePolicy) -> Iterator[tuple[str, tuple[dt.date, dt.date]]]:
        """The first and the last of the dates or timestamps that public rows declare of a column, which has their type
        (DP506)."""
        for name, rows, column in self._declaring(policy):
            moments = moments_of_rows(rows, column) if column in rows.columns else None
            if moments is not None:
                yield name, moments

    def _declaring_texts(
        self, policy: model.TablePolicy, table: source_catalog.Table
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The texts that public rows declared of a column when the catalog was read."""
        for name, rows, column in self._declaring(policy):
            if name in table.columns and column in rows.texts:
                yield name, tuple(text for text in rows.texts[column] if can_hold(table.columns[name], text))

    def _listed_octets(self, table: source_catalog.Table) -> Iterator[tuple[str, int]]:
        """The columns of texts that the source limits to a list, and the octets of the longest one.

        Not by the policy's word. Should the source limit them no longer, longer texts are cut (`terms.stored`)."""
        for name, column in table.columns.items():
            if not _is_text_by_itself(column):
                continue
            octets = [max(len(label.encode()) for label in column.labels)] if column.labels else []
            for key in table.foreign_keys:
                rows = self.catalog.tables.get(key.target)
                if key.columns == (name,) and rows is not None:
                    (referenced,) = key.target_columns  # Of private tables nothing is known.
                    known = rows.octets.get(referenced) if _is_text_by_itself(rows.columns[referenced]) else None
                    octets += [known] if known is not None else []
            if octets:
                yield name, min(octets)

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
            found = self._tables.get(f"{schema}.{relation}")
            if found is not None:
                return found
        return None

    def has_children(self, name: str) -> bool:
        """Has the table "schema.table" children or partitions, whose rows are rows of it unless ONLY says otherwise?"""
        return any(found.reader == name and found.how == "inherits" for found in self.catalog.dependencies)

    def table(self, name: str) -> NamedTable:
        """The policy's table "schema.table"."""
        return self._tables[name]


def check_plain_table(table: exp.Table) -> None:
    """Refuse everything but an alias on a FROM item (ONLY, TABLESAMPLE, ORDINALITY, column aliases …)."""
    if not isinstance(table.this, exp.Identifier):
        raise reads_beside(table)
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


def unknown_column(node: exp.Column, *, is_row: bool = False) -> Exception:
    """The refusal for a column that clients cannot see or that is ambiguous, or for the name of a FROM item."""
    if is_row:
        return refused(
            node,
            f"rows of {node.sql()} cannot be used as a whole here",
            rule="unknown-column",
            hint=f"Name columns: where a column that is never NULL in {node.sql()} is NULL, an outer join met no row.",
        )
    return refused(
        node,
        f"column {node.sql()} cannot be used here",
        rule="unknown-column",
        detail="The policy does not list it for any table in FROM, or the name is ambiguous.",
        hint="\\d and dp.columns show the columns; qualify the name as table.column if two tables have it, or if it "
        "belongs to a query around this one.",
    )


def _is_text_by_itself(column: source_catalog.Column) -> bool:
    """Is it a text without a limit of its type, and equal to no other text?"""
    is_text = column.type_name in ("text", "character varying") and column.type_modifier < 0
    return is_text and not column.cast_to_text and not column.collation

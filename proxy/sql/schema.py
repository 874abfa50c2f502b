"""Names that a client can use: the policy's tables and columns with what the catalog knows of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.policy import catalog as source_catalog
from proxy.policy import model
from proxy.sql.refusal import refused, unsupported


@dataclass(frozen=True)
class NamedTable:
    """A table of the policy as found by a client's name."""

    name: str
    catalog: source_catalog.Table
    policy: model.Table

    @property
    def private(self) -> bool:
        return not self.policy.public

    def visible(self, column: str) -> bool:
        """May clients name this column? System columns never are."""
        listed = self.policy.columns
        return column in self.catalog.columns and (listed is None or column in listed)

    def visible_columns(self) -> list[str]:
        return [name for name in self.catalog.columns if self.visible(name)]


@dataclass(frozen=True)
class Schema:
    """The policy and the source's catalog together; both immutable, so that plans can be cached by text."""

    policy: model.Policy
    catalog: source_catalog.Catalog
    _mentions: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        relations = {name.split(".", 1)[1] for name, table in self.policy.tables.items() if not table.public}
        names = "|".join(re.escape(name) for name in sorted(relations, key=len, reverse=True)) or r"(?!)"
        pattern = re.compile(
            rf"(?<![\w$])(?:{names})(?![\w$])|(?<![\w$])(?:\"?dp\"?\s*\.|alter(?![\w$]))", re.IGNORECASE
        )
        object.__setattr__(self, "_mentions", pattern)

    def mentions(self, text: str) -> bool:
        """Might `text` name a private table or something of the dp schema? Only False is relied upon for speed;
        a name that slips through unseen fails on the stage for lack of SELECT."""
        return self._mentions.search(text) is not None

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
                return NamedTable(name, self.catalog.tables[name], self.policy.tables[name])
        return None

    def table(self, name: str) -> NamedTable:
        """The policy's table "schema.table"."""
        return NamedTable(name, self.catalog.tables[name], self.policy.tables[name])


def folded(identifier: exp.Expr) -> str:
    """An identifier's name as Postgres stores it: unquoted ASCII letters fold to lower case."""
    name = identifier.name
    if isinstance(identifier, exp.Identifier) and identifier.args.get("quoted"):
        return name
    return "".join(character.lower() if "A" <= character <= "Z" else character for character in name)


_DECORATIONS = {"sample": "TABLESAMPLE", "ordinality": "WITH ORDINALITY"}


def check_plain_table(table: exp.Table) -> None:
    """Refuse every decoration of a FROM item but an alias (ONLY, TABLESAMPLE, ORDINALITY, column aliases …)."""
    allowed = {"this", "db", "alias", "joins"}
    for name, value in table.args.items():
        if value and name not in allowed:
            raise unsupported(
                table,
                f"{_DECORATIONS.get(name, name.upper())} is not supported on a private table or beside one",
                rule="from-decoration",
                hint="Write the table's name and, if you like, an alias.",
            )
    alias = table.args.get("alias")
    if alias is not None and alias.args.get("columns"):
        raise unsupported(table, "column aliases in FROM are not supported", rule="column-aliases")


def bounds_of(column: model.Column) -> tuple[Fraction, Fraction] | None:
    """Numeric clamping bounds of a column: `bounds`, or else `range`. None for dates and where neither is given."""
    pair = column.bounds or column.range
    if pair is None:
        return None
    low, high = pair
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return Fraction(low), Fraction(high)
    return None


def unknown_column(node: exp.Column) -> Exception:
    """The refusal for a column that clients cannot see or that is ambiguous."""
    return refused(
        node,
        f"column {node.sql()} cannot be used here",
        rule="unknown-column",
        detail="It is not one of the columns that the policy lists for the tables in FROM, or it is ambiguous.",
        hint="\\d and dp.columns show the columns; write table.column where two tables share a name.",
    )

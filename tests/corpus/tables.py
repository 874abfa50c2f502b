"""The library's tables as FROM items."""

from __future__ import annotations

from dataclasses import replace

from tests.corpus.statement import Item, Value


def _number(
    name: str, reach: int, places: int = 0, type_: str = "integer", *, nullable: bool = True, declared: bool = False
) -> Value:
    exact = type_ != "float"
    return Value(
        name, type_, nullable=nullable, bounded=True, declared=declared, exact=exact, reach=reach, places=places
    )


def _plain(name: str, type_: str, *, nullable: bool = True, declared: bool = False, role: str | None = None) -> Value:
    return Value(name, type_, nullable=nullable, declared=declared, role=role)


_READER = _plain("reader_id", "integer", nullable=False, role="reader")
_LOAN = _plain("loan_id", "integer", nullable=False, role="loan")
_GENRE = _plain("genre_id", "integer", declared=True, role="genre")
_BRANCH = _plain("branch", "text", declared=True, role="branch")

# In the order of SELECT *.
_TABLES: dict[str, tuple[Value, ...]] = {
    "readers": (
        _READER,
        _BRANCH,
        _number("born", 4, declared=True),
        _plain("grade", "text", declared=True),
        _plain("active", "boolean", declared=True),
        _plain("joined", "date", nullable=False),
        _number("height", 3, 1, "numeric"),
    ),
    "loans": (
        _LOAN,
        _READER,
        _GENRE,
        _BRANCH,
        _plain("lent_at", "timestamp", nullable=False),
        _plain("back_at", "timestamptz"),
        _number("fee", 2, 2, "numeric"),
        _number("pages", 2),
        _number("days", 1, nullable=False, declared=True),
        _number("score", 2, type_="float"),
        _plain("note", "text"),
        _plain("renewed", "boolean", declared=True),
    ),
    "fines": (
        _plain("fine_id", "integer", nullable=False),
        _LOAN,
        _number("amount", 2, 2, "numeric", nullable=False),
        _plain("reason", "text", declared=True),
        _plain("issued", "date"),
        _plain("paid", "boolean", nullable=False, declared=True),
    ),
    "complaints": (
        _plain("complaint_id", "integer", nullable=False),
        _READER,
        _GENRE,
        _number("urgency", 1, declared=True),
        _plain("filed", "date"),
    ),
    "branches": (
        _number("size", 2, nullable=False, declared=True),
        _plain("name", "text", nullable=False, declared=True, role="branch"),
        _plain("city", "text", declared=True),
    ),
    "genres": (
        _number("shelf", 1, declared=True),
        _plain("genre_id", "integer", nullable=False, declared=True, role="genre"),
        _plain("title", "text", nullable=False, declared=True),
    ),
}
PRIVATE = ("loans", "readers", "fines", "complaints")
PUBLIC = ("genres", "branches")


def named(column: Value, qualifier: str | None) -> Value:
    """A table's column as an expression with that qualifier, or with none."""
    return replace(column, sql=f"{qualifier}.{column.sql}" if qualifier else column.sql, name=column.sql)


def table(name: str, alias: str | None, *, qualified: bool = True) -> Item:
    """A table under an alias, or under its own name."""
    qualifier = (alias or name) if qualified else None
    columns = tuple(named(column, qualifier) for column in _TABLES[name])
    return Item(f"{name} {alias}" if alias else name, columns, name in PRIVATE)


def has_role(name: str, roles: tuple[str, ...]) -> bool:
    return any(column.role in roles for column in _TABLES[name])

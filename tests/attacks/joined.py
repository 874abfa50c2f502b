"""A database whose rows lead to their unit in every way that a policy knows, and strategies for joins over it.

Nothing is enforced but the keys: references dangle, are NULL, and lead to rows without a unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from proxy.policy.model import Policy

SCHEMA = """
CREATE TABLE regions (name text PRIMARY KEY, zone text, code integer NOT NULL UNIQUE);
INSERT INTO regions VALUES ('north', 'cold', 1), ('south', 'warm', 2), ('east', 'cold', 3);
CREATE TABLE factors (code integer NOT NULL, factor integer);
INSERT INTO factors VALUES (1, 1), (1, 2), (2, 3), (2, NULL), (3, 1);
CREATE TABLE people (unit integer PRIMARY KEY, grade integer, region text);
CREATE TABLE events (event integer PRIMARY KEY, unit integer, amount integer, region text);
CREATE TABLE notes (note integer PRIMARY KEY, event integer, amount integer NOT NULL, region text);
CREATE TABLE stars (star integer PRIMARY KEY, note integer, amount integer, region text);
CREATE TABLE cards (unit integer NOT NULL, amount integer, region text);
"""

COLUMNS = {
    "people": ("unit", "grade", "region"),
    "events": ("event", "unit", "amount", "region"),
    "notes": ("note", "event", "amount", "region"),
    "stars": ("star", "note", "amount", "region"),
    "cards": ("unit", "amount", "region"),
    "regions": ("name", "zone", "code"),
    "factors": ("code", "factor"),
}
PRIVATE = ("people", "events", "notes", "stars", "cards")

_UNITS = {
    "people": {"column": "unit"},
    "events": {"column": "unit"},
    "notes": {"via": "event -> public.events.event"},
    "stars": {"via": "note -> public.notes.note"},
    "cards": {"via": "unit -> public.people.unit"},
}

REMOVE_UNIT_1 = (
    "DELETE FROM public.stars WHERE note IN (SELECT note FROM public.notes JOIN public.events USING (event) WHERE unit = 1)",
    "DELETE FROM public.notes WHERE event IN (SELECT event FROM public.events WHERE unit = 1)",
    *(f"DELETE FROM public.{table} WHERE unit = 1" for table in ("events", "people", "cards")),
)
"""All rows whose path leads to unit 1; rows that lead nowhere stay."""


def policy(bounds: dict[str, tuple[int, int, int]]) -> Policy:
    """A policy in which each table has the given (max_rows, max_rows_per_group, max_groups)."""
    number: dict[str, Any] = {"bounds": ["-3", "7"]}
    tables: dict[str, Any] = {"public.regions": {"public": True}, "public.factors": {"public": True}}
    for table in PRIVATE:
        max_rows, max_rows_per_group, max_groups = bounds[table]
        columns = {name: number for name in COLUMNS[table] if name != "region"}
        tables[f"public.{table}"] = {
            "unit": {"name": "person", **_UNITS[table]},
            "budget": {"epsilon": "100", "delta": "1e-3"},
            "contribution": {"max_rows": max_rows, "max_rows_per_group": max_rows_per_group, "max_groups": max_groups},
            "columns": columns | {"region": {"values_from": "public.regions.name"} if table != "cards" else {}},
        }
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


_BOUNDS = st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(1, 3))
POLICIES = st.one_of(
    _BOUNDS.map(lambda bounds: dict.fromkeys(PRIVATE, bounds)),
    st.fixed_dictionaries(dict.fromkeys(PRIVATE, _BOUNDS)),
).map(policy)

_KEYS = st.integers(1, 6)
_SMALL = _KEYS | _KEYS | st.none()
_REGIONS = st.sampled_from(["north", "south", "east", "elsewhere", None])


def _rows(key: st.SearchStrategy[int], *others: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Rows of their own, or a row for every key, alike but for it: there a wrong proof shows most."""
    alike = st.tuples(*others).map(lambda values: [(number, *values) for number in range(1, 7)])
    return alike | st.lists(st.tuples(key, *others), min_size=2, max_size=12)


ROWS = st.fixed_dictionaries(
    {
        "people": _rows(_KEYS, _SMALL, _REGIONS),
        "events": _rows(_KEYS, st.just(1) | _SMALL, _SMALL, _REGIONS),
        "notes": _rows(_KEYS, _SMALL, _KEYS, _REGIONS),
        "stars": _rows(_KEYS, _SMALL, _SMALL, _REGIONS),
        "cards": _rows(st.just(1) | _KEYS, _SMALL, _REGIONS),
    }
)
"""Rows by table; where two of a table have the same key only the first is inserted."""

_TIES = {
    ("people", "people"): ("unit", "unit"),
    ("people", "events"): ("unit", "unit"),
    ("people", "cards"): ("unit", "unit"),
    ("events", "events"): ("unit", "unit"),
    ("events", "cards"): ("unit", "unit"),
    ("events", "notes"): ("event", "event"),
    ("cards", "cards"): ("unit", "unit"),
    ("notes", "notes"): ("event", "event"),
    ("notes", "stars"): ("note", "note"),
    ("stars", "stars"): ("note", "note"),
    ("events", "regions"): ("region", "name"),
    ("people", "regions"): ("region", "name"),
    ("events", "factors"): ("amount", "code"),
    ("notes", "factors"): ("amount", "code"),
}
"""Columns by which two tables are usually joined."""


@dataclass(frozen=True)
class Named:
    """A table in FROM under an alias."""

    alias: str
    table: str

    def numbers(self) -> list[str]:
        """Its integer columns."""
        texts = ("region", "name", "zone")
        return [f"{self.alias}.{name}" for name in COLUMNS[self.table] if name not in texts]


def _usual(item: Named, other: Named) -> str | None:
    for (left, right), (column, other_column) in _TIES.items():
        if (item.table, other.table) == (left, right):
            return f"{item.alias}.{column} = {other.alias}.{other_column}"
        if (other.table, item.table) == (left, right):
            return f"{other.alias}.{column} = {item.alias}.{other_column}"
    return None


@st.composite
def _condition(draw: st.DrawFn, new: Named, earlier: list[Named]) -> str:
    """Mostly the usual equality with a table before, and often further ones, true or false ties alike."""
    usual = [condition for item in earlier if (condition := _usual(item, new)) is not None]
    anything = st.tuples(
        st.sampled_from([column for item in earlier for column in item.numbers()]),
        st.sampled_from(["=", "=", "<", "<>"]),
        st.sampled_from(new.numbers()),
    ).map(" ".join)
    likely = st.sampled_from(usual) if usual else anything
    parts = draw(st.lists(likely, min_size=1, max_size=3))
    if draw(st.integers(0, 7)) == 0:
        parts = [draw(anything), *parts[1:]]
    return " AND ".join(dict.fromkeys(parts))


@st.composite
def _from(draw: st.DrawFn) -> tuple[list[Named], str, list[str]]:
    """Tables, the text of FROM, and conditions for WHERE."""
    names = [Named("t0", draw(st.sampled_from(PRIVATE)))]
    text, where = f"{names[0].table} t0", list[str]()
    for number in range(1, draw(st.integers(1, 4))):
        # Parents more often: a join that can multiply the rows of two private tables is refused.
        new = Named(f"t{number}", draw(st.sampled_from([*PRIVATE, "people", "people", "events", "regions", "factors"])))
        kind = draw(st.sampled_from(["JOIN", "LEFT JOIN", "LEFT JOIN", "CROSS JOIN"]))
        condition = draw(_condition(new, names))
        if kind == "CROSS JOIN":
            text += f" CROSS JOIN {new.table} {new.alias}"
            if draw(st.integers(0, 2)):
                where.append(condition)
        else:
            text += f" {kind} {new.table} {new.alias} ON {condition}"
        names.append(new)
    return names, text, where


@st.composite
def _subquery(draw: st.DrawFn, outer: list[Named]) -> str:
    """EXISTS or IN with a table that is usually tied to one of the outer ones."""
    inner = Named("i0", draw(st.sampled_from([*PRIVATE, "regions", "factors"])))
    condition = draw(_condition(inner, outer))
    text = f"FROM {inner.table} i0"
    if draw(st.booleans()):
        more = Named("i1", draw(st.sampled_from([*PRIVATE, "factors"])))
        kind = draw(st.sampled_from(["JOIN", "LEFT JOIN"]))
        text += f" {kind} {more.table} i1 ON {draw(_condition(more, [inner, *outer]))}"
    negated = draw(st.sampled_from(["", "NOT "]))
    if draw(st.booleans()):
        return f"{negated}EXISTS (SELECT {text} WHERE {condition})"
    value = draw(st.sampled_from([column for item in outer for column in item.numbers()]))
    output = draw(st.sampled_from(inner.numbers()))
    return f"{value} {negated}IN (SELECT {output} {text}{draw(st.sampled_from(['', f' WHERE {condition}']))})"


@st.composite
def queries(draw: st.DrawFn) -> str:
    """An aggregate query over a join, plain, or over the join as a derived table or CTE."""
    names, text, where = draw(_from())
    if draw(st.integers(0, 3)) == 0:
        where.append(draw(_subquery(names)))
    numbers = [column for item in names for column in item.numbers()]
    texts = [f"{item.alias}.{name}" for item in names for name in COLUMNS[item.table] if name in ("region", "zone")]
    keys = draw(st.lists(st.sampled_from(texts), max_size=2, unique=True)) if texts else []
    number = st.sampled_from(numbers)
    aggregate = st.one_of(
        st.just("count(*)"),
        number.map(lambda column: f"count(DISTINCT {column})"),
        st.tuples(st.sampled_from(["sum", "avg", "count"]), number).map(lambda t: f"{t[0]}({t[1]})"),
    )
    filtered = st.tuples(aggregate, st.none() | st.tuples(number, number)).map(
        lambda t: t[0] if t[1] is None else f"{t[0]} FILTER (WHERE {t[1][0]} <= {t[1][1]})"
    )
    outputs = [*keys, *draw(st.lists(filtered, min_size=1, max_size=3))]
    body = f"FROM {text}" + (f" WHERE {' AND '.join(where)}" if where else "")
    shape = draw(st.sampled_from(["plain", "plain", "derived", "cte"]))
    if shape != "plain":
        used = [column for column in [*numbers, *texts] if any(column in output for output in outputs)]
        columns = ", ".join(f"{column} AS {column.replace('.', '_')}" for column in used)
        for column in used:
            outputs = [output.replace(column, column.replace(".", "_")) for output in outputs]
        inner = f"(SELECT {columns or 'NULL AS x'} {body})"
        body = f"FROM {inner} d" if shape == "derived" else "FROM d"
        select = f"WITH d AS {inner} SELECT " if shape == "cte" else "SELECT "
    else:
        select = "SELECT "
    group = f" GROUP BY {', '.join(str(index + 1) for index in range(len(keys)))}" if keys else ""
    return f"{select}{', '.join(outputs)} {body}{group}"

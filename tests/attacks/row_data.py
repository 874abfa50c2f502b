"""The database that row-level relations are tried on, with rows meant to break a wrong proof.

References dangle and are NULL, units are NULL, rows repeat hundreds of times, many rows differ in one column only, and
numbers come in several spellings and at every extreme.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from hypothesis import strategies as st

from proxy.policy.model import Policy

SCHEMA = """
CREATE TABLE regions (name text PRIMARY KEY, zone text, code integer NOT NULL UNIQUE);
INSERT INTO regions VALUES ('north', 'cold', 1), ('south', 'warm', 2), ('east', 'cold', 3);
CREATE TABLE factors (code integer NOT NULL, factor integer);
INSERT INTO factors VALUES (1, 1), (1, 2), (2, 3), (2, NULL), (3, 1);
CREATE TABLE people (unit integer PRIMARY KEY, grade integer, region text);
CREATE TABLE badges (unit integer UNIQUE, amount integer, region text);
CREATE TABLE cards (unit integer, amount integer, cost numeric, score double precision, region text);
CREATE TABLE events (event integer PRIMARY KEY, unit integer, amount integer, region text);
CREATE TABLE notes (note integer PRIMARY KEY, event integer, amount integer NOT NULL, region text);
"""
PRIVATE = ("people", "badges", "cards", "events", "notes")
TABLES = [f"public.{table}" for table in (*PRIVATE, "regions", "factors")]
PUBLIC_TABLES = ["public.regions", "public.factors"]

_INSERT = {
    "people": "SELECT %s::integer, %s::integer, %s FROM generate_series(1, least(%s, 1))",
    "badges": "SELECT %s::integer, %s::integer, %s FROM generate_series(1, least(%s, 1))",
    "cards": "SELECT %s::integer, %s::integer, %s::numeric, %s::double precision, %s FROM generate_series(1, %s)",
    "events": "SELECT %s + i, %s::integer, %s::integer, %s FROM generate_series(1, %s) AS i",
    "notes": "SELECT %s + i, %s::integer + i %% 2, %s::integer, %s FROM generate_series(1, %s) AS i",
}
APART = 1000
"""Keys of the runs of `events` and `notes` are so far apart."""


def remove(connection: psycopg.Connection, units: Literal["= 1", "<> 1"]) -> None:
    """Delete all rows whose path leads to these units; rows that lead nowhere stay."""
    owned = f"SELECT event FROM public.events WHERE unit {units}"
    connection.execute(f"DELETE FROM public.notes WHERE event IN ({owned})".encode())
    for table in ("people", "badges", "cards", "events"):
        connection.execute(f"DELETE FROM public.{table} WHERE unit {units}".encode())


@dataclass(frozen=True)
class Run:
    """Rows of a table that are alike but for their key."""

    values: tuple[Any, ...]
    count: int


Rows = dict[str, list[Run]]


def insert(connection: psycopg.Connection, rows: Rows, *, backwards: bool = False) -> None:
    """Insert rows. Where they lie on disk is no part of what they say, so either order is the same database."""
    for table, runs in rows.items():
        arguments = []
        for position, run in enumerate(runs):
            key = (position * APART,) if table in ("events", "notes") else ()
            arguments.append((*key, *run.values, run.count))
        statement = f"INSERT INTO public.{table} {_INSERT[table]}"
        connection.cursor().executemany(statement.encode(), arguments[::-1] if backwards else arguments)


_UNITS = {table: {"column": "unit"} for table in PRIVATE} | {"notes": {"via": "event -> public.events.event"}}
_COLUMNS = {
    "people": ("unit", "grade", "region"),
    "badges": ("unit", "amount", "region"),
    "cards": ("unit", "amount", "cost", "score", "region"),
    "events": ("event", "unit", "amount", "region"),
    "notes": ("note", "event", "amount", "region"),
}


def policy(max_rows: int, max_rows_per_group: int, max_groups: int) -> Policy:
    """A policy with these bounds; of some tables, regions are declared."""
    number = {"bounds": ["-3", "7"]}
    tables: dict[str, Any] = {
        "public.regions": {"public": True, "columns": {"name": {}, "zone": {}, "code": {"bounds": ["0", "3"]}}},
        "public.factors": {
            "public": True,
            "columns": {"code": {"bounds": ["0", "3"]}, "factor": {"bounds": ["0", "3"]}},
        },
    }
    for table in PRIVATE:
        columns: dict[str, Any] = {name: number for name in _COLUMNS[table] if name in ("grade", "amount", "score")}
        columns |= {name: {} for name in _COLUMNS[table] if name in ("unit", "event", "note", "region")}
        if table == "cards":
            columns["cost"] = {"bounds": ["0", "2.5"], "step": "0.01"}
        if table in ("people", "events"):
            columns["region"] = {"values_from": "public.regions.name"}
        tables[f"public.{table}"] = {
            "unit": {"name": "person", **_UNITS[table]},
            "budget": {"epsilon": "100", "delta": "1e-3"},
            "contribution": {"max_rows": max_rows, "max_rows_per_group": max_rows_per_group, "max_groups": max_groups},
            "columns": columns,
        }
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


POLICIES = st.builds(policy, st.integers(1, 6), st.integers(1, 4), st.integers(1, 3))

_UNIT = st.sampled_from([1, 1, 2, 3, 4, None])
_AMOUNT = st.sampled_from([7, 7, 2, 1, -3, -3, 0, 1000, -(2**31), 2**31 - 1, None])
_COST = st.sampled_from(["1", "1.0", "1.00", "2.5", "0.01", "NaN", "1e300", "-1e5000", None])
_SCORE = st.sampled_from(["7", "0", "-0", "0.1", "1e150", "-1e150", "1e308", "NaN", "Infinity", "-Infinity", "5e-324"])
_REGION = st.sampled_from(["north", "north", "south", "east", "elsewhere", None])
_EVENT = st.integers(0, 6).map(lambda position: position * APART + 1) | st.sampled_from([None, 7])
_COUNT = st.sampled_from([1, 1, 1, 2, 3])


def _rows_of(most: int, *columns: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Run]]:
    """Rows of anybody and a long run of unit 1; or the same rows for every unit and for nobody, where a wrong proof
    shows most."""
    anybody = st.lists(st.builds(Run, st.tuples(_UNIT, *columns), _COUNT), min_size=2, max_size=8)
    long = st.builds(Run, st.tuples(st.just(1), *columns), st.sampled_from([1, 12, most]))
    own = st.tuples(long, anybody).map(lambda parts: [parts[0], *parts[1]])
    runs = st.lists(st.builds(Run, st.tuples(*columns), _COUNT), min_size=1, max_size=3)
    alike = runs.map(lambda runs: [Run((unit, *run.values), run.count) for run in runs for unit in (1, 2, 3, 4, None)])
    return own | alike


def _once(runs: list[Run]) -> list[Run]:
    """One row for each unit, and any number without one."""
    with_unit = {run.values[0]: run for run in runs if run.values[0] is not None}
    return [*with_unit.values(), *(run for run in runs if run.values[0] is None)]


def _of_somebody(runs: list[Run]) -> list[Run]:
    return [run for run in runs if run.values[0] is not None]


ROWS: st.SearchStrategy[Rows] = st.fixed_dictionaries(
    {
        "people": _rows_of(1, _AMOUNT, _REGION).map(_once).map(_of_somebody),
        "badges": _rows_of(1, _AMOUNT, _REGION).map(_once),
        "cards": _rows_of(60, _AMOUNT, _COST, _SCORE, _REGION),
        "events": _rows_of(12, _AMOUNT, _REGION),
        "notes": st.lists(
            st.builds(Run, st.tuples(_EVENT, _AMOUNT.map(lambda amount: amount or 0), _REGION), _COUNT | st.just(8)),
            min_size=2,
            max_size=8,
        ),
    }
)
"""Runs of rows by table."""

_VALUES = [(7, "north"), (-3, "north"), (1, "north"), (7, "south"), (-3, "north")]
_LONG = [Run((1, 7, "1", "7", "north"), 300)]
EVERYBODY: Rows = {
    "people": [Run((unit, 7, "north"), 1) for unit in range(1, 7)],
    "badges": [Run((unit, 7, "north"), 1) for unit in (*range(1, 7), None, None)],
    "cards": [
        Run((unit, amount, cost, score, region), 2)
        for (amount, region), cost, score in zip(
            _VALUES, ("1", "1.0", "2", "1.00", "2"), ("1e150", "-1e150", "7", "3", "0.1"), strict=True
        )
        for unit in (*range(1, 7), None)
    ]
    + _LONG,
    "events": [Run((unit, amount, region), 1) for amount, region in _VALUES for unit in (*range(1, 7), None)],
    "notes": [Run((position * APART + 1, 7, "north"), 2) for position in range(21)],
}
"""The same few rows for six units and for nobody, and hundreds of one."""

"""A table's entry in a policy, line by line: what the catalog proves of its columns, and what is left to decide."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import NUMBERS, TIMES, can_hold, family_of
from proxy.policy.free_text import is_free_text
from proxy.policy.identifying import identifying, words_of
from proxy.postgres.survey import Survey
from proxy.sql.check_constraints import Allowed
from proxy.starter.limits import allowed_by_checks
from proxy.starter.spelling import comment, decide, key, limit, text, values
from proxy.starter.units import Owner

_LARGEST_RANGE: Final = 32
"""A range declares a group for each of its numbers."""

_ON_A_POSTER: Final = "public only if nobody would mind its rows on a poster; remove the line otherwise"


def cannot_be_named(name: str) -> bool:
    """Is it a relation or column that a policy has no way to write?"""
    schema, _, relation = name.partition(".")
    return "${" in name or "." in relation or "\0" in name or not schema


def private_table(survey: Survey, name: str, owner: Owner, budget: str, query: str | None = None) -> list[str]:
    """The entry of a table whose rows belong to units; commented out where it is open to which."""
    table = survey.catalog.tables[name]
    lines = [decide(f"{key(name)}:", *(_row_security(),) if table.row_security else ())]
    lines.append(f"  unit: {_unit(table, owner)}")
    lines.append(f"  budget: {budget}")
    lines += [f"  query: {query}"] if query is not None else []
    columns = column_lines(survey, name, owner, table.columns)
    active = any(not line.startswith("#") for line in columns)
    lines.append("  columns:" if active else "  columns: {}")
    lines += [f"    {line}" for line in columns]
    return [f"# {line}" for line in lines] if owner.disputed else lines


def _row_security() -> str:
    return "row-level security decides which rows are seen; use a reader with BYPASSRLS, or a policy that shows it all"


def _unit(table: Table, owner: Owner) -> str:
    questions = list(owner.doubts)
    way = f"column: {key(owner.column)}"
    if owner.target is not None:
        way = f"via: {_flow(f'{owner.column} -> {owner.target}')}"
    if table.columns[owner.column].nullable:
        way += ", when_null: exclude"
        lone = ", or count each as a unit of its own (each_row)" if owner.target is None else ""
        questions.append(f"{owner.column} can be NULL; such rows do not count{lone}")
    return decide(f"{{name: {key(owner.unit)}, {way}}}", *questions)


def _flow(words: str) -> str:
    """A path inside braces; plain unless a name has a letter that means something there."""
    return words if all(key(part.strip()) == part.strip() for part in words.split("->")) else text(words)


def column_lines(survey: Survey, name: str, owner: Owner | None, columns: Iterable[str]) -> list[str]:
    """Entries of a private table's columns; those that tell who somebody is are commented out."""
    table = survey.catalog.tables[name]
    allowed = allowed_by_checks(table)
    lines = []
    for column_name in columns:
        column = table.columns[column_name]
        if cannot_be_named(f"s.{column_name.replace('.', '_')}"):
            lines.append(f"# {comment(column_name)}: no policy can name this column")
            continue
        said = allowed.get(column_name, Allowed(values=survey.labels.get((name, column_name), ())))
        reason = _identifies(table, column, owner)
        if reason is None and not said.values and is_free_text(column_name, column):
            reason = "free text may name somebody"
        if reason is not None:
            lines.append(f"# {comment(key(column_name))}: {{}}  # left out: {reason}")
        else:
            lines.append(_column(table, column, owner, said))
    return lines


def _identifies(table: Table, column: Column, owner: Owner | None) -> str | None:
    if owner is not None and owner.column == column.name:
        return None
    meaning = identifying(column.name, column.type_name)
    if meaning is not None:
        return f"{meaning} tells who somebody is"
    refers = any(column.name in key.columns for key in table.foreign_keys)
    if owner is not None and any(
        key.target == table.name and key.columns == (column.name,) and key.target_columns == (owner.column,)
        for key in table.foreign_keys
    ):
        return f"it tells of another {owner.unit}, who is not protected by what the row says"
    is_key = frozenset({column.name}) in table.unique_keys and (column.name,) != table.primary_key
    if is_key and not refers and family_of(column) == "text":
        return "each row has a value of its own"
    return None


def _column(table: Table, column: Column, owner: Owner | None, allowed: Allowed) -> str:
    name, family = key(column.name), family_of(column)
    owner_column = owner.column if owner is not None else None
    if column.own_equality or column.collation:
        question = "values are compared and grouped by their text here, unlike on the source: tell analysts"
        return decide(f"{name}: {{}}", question)
    if family == "boolean":
        return f"{name}: {{values: [false, true]}}"
    if allowed.values and (family == "text" or column.cast_to_text):
        kept = list(dict.fromkeys(value for value in allowed.values if can_hold(column, value)))
        if kept:
            return f"{name}: {{values: {values(kept)}}}"
    if family in NUMBERS and column.name not in _identifiers(table, owner):
        return _number(name, column, allowed)
    if family in TIMES:
        return _time(name, allowed)
    return decide(f"{name}: {{}}", *([] if column.name == owner_column else _values_from(table, column)))


def _identifiers(table: Table, owner: Owner | None) -> set[str]:
    referring = {name for found in table.foreign_keys for name in found.columns}
    return {*table.primary_key, *referring, *([owner.column] if owner is not None else [])}


def _number(name: str, column: Column, allowed: Allowed) -> str:
    low, high = (bound if isinstance(bound, Decimal) else None for bound in (allowed.low, allowed.high))
    step = f", step: {Decimal(1).scaleb(-column.scale):f}" if column.scale is not None and column.scale > 0 else ""
    if low is not None and high is not None and low < high:
        whole = family_of(column) == "integer" and low == int(low) and high == int(high)
        if whole and high - low < _LARGEST_RANGE:
            return f"{name}: {{range: [{limit(low)}, {limit(high)}]}}"
        return f"{name}: {{bounds: [{limit(low)}, {limit(high)}]{step}}}"
    ends = f"{'low' if low is None else limit(low)}, {'high' if high is None else limit(high)}"
    return decide(f"{name}: {{}}", f"{{bounds: [{ends}]{step}}} from what is known of the world, not from the data")


def _time(name: str, allowed: Allowed) -> str:
    low, high = (bound if isinstance(bound, dt.date) else None for bound in (allowed.low, allowed.high))
    if low is not None and high is not None and low < high:
        return f"{name}: {{bounds: [{limit(low)}, {limit(high)}]}}"
    ends = f"{'first day' if low is None else limit(low)}, {'last day' if high is None else limit(high)}"
    return decide(f"{name}: {{}}", f"{{bounds: [{ends}]}} from what is known; days, months and years become groups")


def _values_from(table: Table, column: Column) -> list[str]:
    """Where a foreign key keeps other values out of the column, the table that could declare them."""
    return [
        f"{{values_from: {found.target}.{found.target_columns[0]}}} once {found.target} is public"
        for found in table.foreign_keys
        if found.columns == (column.name,) and family_of(column) == "text" and found.target != table.name
    ][:1]


def unowned_table(survey: Survey, name: str, units: Mapping[str, object]) -> list[str]:
    """A commented entry of a table that leads to no unit."""
    table = survey.catalog.tables[name]
    told = [column for column in table.columns.values() if identifying(column.name, column.type_name) is not None]
    whom = " or ".join(units) or "unit"
    question = f"{name} leads to no {whom}, and is {_ON_A_POSTER}"
    if any(words_of(column.name) != ["name"] for column in told):  # lists of things have names, too
        names = ", ".join(column.name for column in told)
        question = f"{name} leads to no {whom}, but {names} may tell of somebody: whose rows are these? {_ON_A_POSTER}"
    return [decide(f"# {comment(key(name))}: {{public: true}}", question)]


def view(survey: Survey, name: str) -> list[str]:
    """A commented entry of a view."""
    read = sorted(
        found.target for found in survey.catalog.dependencies if found.reader == name and not found.target.endswith(")")
    )
    question = f"{name} is a view of {', '.join(read) or 'nothing'}; list it once all of these are listed"
    return [decide(f"# {comment(key(name))}: {{view: true}}", question)]

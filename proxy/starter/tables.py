"""A table's entry in a policy, line by line: what the catalog proves of its columns, and what is left to decide."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Final

from proxy.policy.catalog import Column, Table
from proxy.policy.check_constraints import Allowed, allowed_by_checks
from proxy.policy.column_types import NUMBERS, TIMES, family_of
from proxy.policy.free_text import is_free_text
from proxy.policy.identifying import identifying, words_of
from proxy.policy.row_keys import keys_of_rows, row_key
from proxy.policy.type_values import label_value
from proxy.postgres.survey import Survey
from proxy.starter.spelling import comment, decide, key, limit, text, values
from proxy.starter.units import Candidate, Owner

_LARGEST_RANGE: Final = 32
"""A range declares a group for each of its numbers."""

_OWN_WORDS: Final = "leave it out if it can hold somebody's own words, or tell who somebody is"
_MONEY: Final = "money can be compared as in x > '10', but not summed, grouped or cast: make it numeric on the source"
_OF_THE_WORLD: Final = "from what is known of the world, not from the data"
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
        can_be_lone = owner.target is None and bool(row_key(table))
        lone = ", or count each as a unit of its own (each_row)" if can_be_lone else ""
        questions.append(f"{owner.column} can be NULL; such rows do not count{lone}")
    return decide(f"{{name: {key(owner.unit)}, {way}}}", *questions)


def _flow(words: str) -> str:
    """A path inside braces; plain unless a name has a letter that means something there."""
    return words if all(key(part.strip()) == part.strip() for part in words.split("->")) else text(words)


def column_lines(survey: Survey, name: str, owner: Owner | None, columns: Iterable[str]) -> list[str]:
    """Entries of a private table's columns; those that tell who somebody is are commented out."""
    table = survey.catalog.tables[name]
    allowed = allowed_by_checks(table)
    keys = [key for other in survey.catalog.tables.values() for key in other.foreign_keys]
    joined = {column for key in keys if key.target == name for column in key.target_columns}
    lines = []
    for column_name in columns:
        column = table.columns[column_name]
        if cannot_be_named(f"s.{column_name.replace('.', '_')}"):
            lines.append(f"# {comment(column_name)}: no policy can name this column")
            continue
        reason = _identifies(table, column, owner, joined)
        if reason is None and not column.labels and is_free_text(column_name, column):
            reason = "free text may name somebody"
        if reason is not None:
            lines.append(f"# {comment(key(column_name))}: {{}}  # left out: {reason}")
        else:
            lines.append(_column(table, column, owner, allowed.get(column_name, Allowed())))
    return lines


def _identifies(table: Table, column: Column, owner: Owner | None, joined: Collection[str]) -> str | None:
    if owner is not None and owner.column == column.name:
        return None
    meaning = identifying(column.name, column.type_name)
    if meaning is not None:
        return f"{meaning} tells who somebody is"
    if owner is not None and any(
        key.target == table.name and key.columns == (column.name,) and key.target_columns == (owner.column,)
        for key in table.foreign_keys
    ):
        return f"it tells of another {owner.unit}, who is not protected by what the row says"
    is_key = frozenset({column.name}) in table.unique_keys and column.name not in joined
    if is_key and column.name not in _identifiers(table, owner):
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
    listed = [label_value(label, column) for label in column.labels]
    if listed:
        limits = _limits(column, allowed) if family in NUMBERS else ""
        return f"{name}: {{values: {values(listed)}{limits}}}"
    if column.name in _identifiers(table, owner):
        return decide(f"{name}: {{}}", *([] if column.name == owner_column else _asked_of_key(table, column)))
    if family in NUMBERS:
        return _number(name, column, allowed)
    if family in TIMES:
        return _time(name, allowed)
    if column.type_name == "money":
        return decide(f"{name}: {{}}", _MONEY)
    if family == "interval":
        return decide(f"{name}: {{}}", f"{{bounds: [0 minutes, 8 hours]}} or other limits {_OF_THE_WORLD}")
    known = "; {values: [first, second]} if all its values are known" if family == "text" else ""
    return decide(f"{name}: {{}}", f"{_OWN_WORDS}{known}")


def _identifiers(table: Table, owner: Owner | None) -> set[str]:
    referring = {name for found in table.foreign_keys for name in found.columns}
    return {*keys_of_rows(table), *referring, *([owner.column] if owner is not None else [])}


def _number(name: str, column: Column, allowed: Allowed) -> str:
    low, high = allowed.numbers
    limits = _limits(column, allowed)
    if low is not None and high is not None and limits:
        if family_of(column) == "integer" and high - low < _LARGEST_RANGE:
            return f"{name}: {{range: [{limit(low)}, {limit(high)}]}}"
        return f"{name}: {{{limits.removeprefix(', ')}}}"
    ends = f"{'low' if low is None else limit(low)}, {'high' if high is None else limit(high)}"
    return decide(f"{name}: {{}}", f"{{bounds: [{ends}]{_step(column)}}} {_OF_THE_WORLD}")


def _limits(column: Column, allowed: Allowed) -> str:
    """Bounds behind other keys, where both ends are known."""
    low, high = allowed.numbers
    if low is None or high is None or low >= high:
        return ""
    return f", bounds: [{limit(low)}, {limit(high)}]{_step(column)}"


def _step(column: Column) -> str:
    return f", step: {Decimal(1).scaleb(-column.scale):f}" if column.scale is not None and column.scale > 0 else ""


def _time(name: str, allowed: Allowed) -> str:
    low, high = (bound if isinstance(bound, dt.date) else None for bound in (allowed.low, allowed.high))
    if low is not None and high is not None and low < high:
        return f"{name}: {{bounds: [{limit(low)}, {limit(high)}]}}"
    ends = f"{'first day' if low is None else limit(low)}, {'last day' if high is None else limit(high)}"
    return decide(f"{name}: {{}}", f"{{bounds: [{ends}]}} from what is known: days, months and years become groups")


def _asked_of_key(table: Table, column: Column) -> list[str]:
    """Of a text that refers to other rows, what could declare its values; of a row's own, if it tells of somebody."""
    if family_of(column) != "text":
        return []
    targets = [
        (found.target, found.target_columns[0]) for found in table.foreign_keys if found.columns == (column.name,)
    ]
    for target, name in targets:
        return [f"{{values_from: {target}.{name}}} once {target} is public"] if target != table.name else []
    return [_OWN_WORDS]


def unowned_table(
    survey: Survey, name: str, units: Mapping[str, object], elsewhere: Mapping[str, Candidate]
) -> list[str]:
    """A commented entry of a table that leads to no unit of the policy, but maybe to somebody `elsewhere`."""
    table = survey.catalog.tables[name]
    told = [column for column in table.columns.values() if identifying(column.name, column.type_name) is not None]
    whom = " or ".join(units) or "unit"
    question = f"{name} leads to no {whom}, and is {_ON_A_POSTER}"
    if any(words_of(column.name) != ["name"] for column in told):  # lists of things have names, too
        names = ", ".join(column.name for column in told)
        question = f"{name} leads to no {whom}, but {names} may tell of somebody: whose rows are these? {_ON_A_POSTER}"
    if name in elsewhere:
        other = elsewhere[name].table or elsewhere[name].column
        led = f"has one row of each {elsewhere[name].unit}" if other == name else f"leads to {other}"
        question = (
            f"{name} leads to no {whom}, but {led}: whose rows are these? `dpproxy init --unit {other}`, beside other "
            f"--unit, makes them private; {_ON_A_POSTER}"
        )
    return [decide(f"# {comment(key(name))}: {{public: true}}", question)]


def view(survey: Survey, name: str, owned: AbstractSet[str]) -> list[str]:
    """A commented entry of a view: public, where it reads nothing but tables that are not `owned`, as they may be."""
    dependencies = survey.catalog.dependencies
    read = sorted(found.target for found in dependencies if found.reader == name and not found.target.endswith(")"))
    reached = [name]
    for reader in reached:
        reached += {found.target for found in dependencies if found.reader == reader} - set(reached)
    listed = ", ".join(read) or "nothing"
    if not read or not owned.isdisjoint(reached):
        question = f"{name} is a view of {listed}; list it once all of these are listed"
        return [decide(f"# {comment(key(name))}: {{view: true}}", question)]
    question = f"{name} is a view of {listed}; list it once all of these are public"
    return [decide(f"# {comment(key(name))}: {{public: true}}", question)]

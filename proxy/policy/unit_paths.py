"""Foreign-key paths from a private row to its unit, as the policy declares them (decisions 3 and 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from proxy.policy.findings import PolicyPath, did_you_mean
from proxy.policy.model import Policy, UnitReference

MOST_HOPS: Final = 16
"""Of a path; each table on the way is followed anew to its unit."""
_HOP: Final = re.compile(r"\s*([^\s.,>]+)\s*->\s*([^\s.,>]+\.[^\s.,>]+)\.([^\s.,>]+)\s*")


class ViaError(ValueError):
    """A `via` that does not lead to a unit.

    Args:
        message: what is wrong.
        hint: what would be right.
        missing: the part of the policy whose absence is the cause, if any.
    """

    def __init__(self, message: str, hint: str, missing: PolicyPath = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.missing = missing


class OtherUnitError(ViaError):
    """A `via` that leads to a table of another unit, `other`."""

    def __init__(self, table: str, unit: str, other: str) -> None:
        message = f"the path leads to {table}, whose unit is {other!r}, not {unit!r}"
        super().__init__(message, f"name the unit {other!r}, or follow another foreign key")
        self.other = other


@dataclass(frozen=True)
class Hop:
    """`column` of one table refers to `target_column`, a unique column, of `target` ("schema.table")."""

    column: str
    target: str
    target_column: str


@dataclass(frozen=True)
class UnitPath:
    """How a private row leads to its unit.

    Attributes:
        unit: name of the unit.
        hops: foreign keys to follow from the row's table, in order; empty where the table has the unit's column.
        table: the table at the end of the hops.
        column: the column of `table` that identifies the unit.
    """

    unit: str
    hops: tuple[Hop, ...]
    table: str
    column: str


@lru_cache(maxsize=4096)
def parse_via(via: str) -> tuple[Hop, ...]:
    """Parse `column -> schema.table.column`, hops separated by commas.

    Raises:
        ViaError: the text does not have this form.
    """
    hops = []
    for text in via.split(","):
        match = _HOP.fullmatch(text)
        if match is None:
            raise ViaError(
                "does not read as a foreign-key path",
                "write `column -> schema.table.column`, further hops after commas",
            )
        hops.append(Hop(*match.groups()))
    return tuple(hops)


def unit_path(policy: Policy, table: str) -> UnitPath:
    """Follow a private table's `unit` to the column that identifies the unit.

    If the table at the end of a `via` has a `via` itself, that is followed too. Every table on the way must belong to
    the same unit as the row: a unit that leaves takes those rows along, and with them the path of the rows behind them.

    Args:
        policy: the policy.
        table: "schema.table", a private table of it with `unit`.

    Raises:
        ViaError: the path does not parse, leaves the policy's private tables, goes in a circle, meets another unit, or
            passes a table that leads to the unit in another way.
    """
    path = _followed(policy, table)
    for index, hop in enumerate(path.hops):
        own = _followed(policy, hop.target)
        if own.unit != path.unit:
            raise OtherUnitError(hop.target, path.unit, own.unit)
        rest = UnitPath(path.unit, path.hops[index + 1 :], path.table, path.column)
        if own != rest and not _is_key_of_unit(own, rest):
            raise ViaError(
                f"the path goes on from {hop.target} another way than that table's own unit says",
                f"end it at {hop.target}, whose unit is followed from there",
            )
    return path


def _is_key_of_unit(own: UnitPath, rest: UnitPath) -> bool:
    """Does `rest` only lead from a table's unit column to the same identity in another table?"""
    return not own.hops and len(rest.hops) == 1 and rest.hops[0] == Hop(own.column, rest.table, rest.column)


def _followed(policy: Policy, table: str) -> UnitPath:
    """The path that the `via` of this table and of the table at its end define."""
    reference = policy.tables[table].unit
    if reference is None:
        raise ViaError("the table has no unit", "add `unit: {name: …, column: …}`")
    unit, hops, visited = reference.name, list[Hop](), [table]
    while reference.column is None:
        if reference.via is None:
            missing: PolicyPath = ("tables", visited[-1], "unit")
            raise ViaError(f"{visited[-1]} has neither column nor via", "give one of them", missing)
        for hop in parse_via(reference.via):
            if hop.target in visited:
                circle = " -> ".join((*visited, hop.target))
                raise ViaError(f"the path goes in a circle: {circle}", "end it at a table that has the unit's column")
            if len(hops) == MOST_HOPS:
                hint = "let a column lead to the unit more directly"
                raise ViaError(f"the path has more than {MOST_HOPS} steps", hint)
            visited.append(hop.target)
            hops.append(hop)
            reference = _target_unit(policy, hop.target)
    if reference.name != unit:
        raise OtherUnitError(visited[-1], unit, reference.name)
    return UnitPath(unit, tuple(hops), visited[-1], reference.column)


def _target_unit(policy: Policy, target: str) -> UnitReference:
    table = policy.tables.get(target)
    if table is None:
        private = [name for name, candidate in policy.tables.items() if not candidate.public]
        raise ViaError(
            f"the path goes to {target}, which the policy does not list",
            did_you_mean(target, private, f"list {target} under tables, with its own unit"),
            missing=("tables", target),
        )
    if table.public:
        raise ViaError(
            f"the path goes to {target}, which is public",
            "follow a foreign key to a private table: public rows belong to nobody",
        )
    if table.unit is None:
        missing: PolicyPath = ("tables", target, "unit")
        raise ViaError(f"the path goes to {target}, which has no unit", f"add `unit` to {target}", missing)
    return table.unit

"""Plans of single statements, for tests of the planner and of what follows from a plan."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from proxy.query.dialog import Known, unpacked, written
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.analysis import Analysis
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement

PUBLIC = ("public",)
"""The search path of those who have not set one."""


def analysed(text: str, schema: Schema, search_path: tuple[str, ...] = PUBLIC) -> Analysis:
    """A statement before its constants are computed. Raises DpproxyError for what is refused so far."""
    statement = parse_statement(text)
    assert statement is not None
    return analysis.analyse(statement, (), schema, search_path)


def only_plan(
    found: Analysis, schema: Schema, settings: QuerySettings | None = None, search_path: tuple[str, ...] = PUBLIC
) -> BlockPlan:
    """The plan of the only block, for the analyst `ana`. Raises DpproxyError for what is refused."""
    (block,) = found.blocks
    return analysis.plan_block(block, schema, search_path, settings or QuerySettings(), "ana").plan


def plan_of(text: str, schema: Schema, settings: QuerySettings | None = None) -> BlockPlan:
    """The plan of the only block of a statement whose constants need no stage. Raises DpproxyError for a refusal."""
    return only_plan(analysed(text, schema), schema, settings)


def as_sent(planned: object, schema: Schema) -> str:
    """All that a planning process sends of a plan, as a text that is the same for equal plans."""
    return repr(_plain(unpacked(written(planned), schema, Known(0))))


def _plain(value: object) -> object:
    """A value without identities and without an order of sets."""
    match value:
        case NamedTable():
            return value.name
        case dict():
            return sorted((repr(_plain(name)), repr(_plain(each))) for name, each in value.items())
        case set() | frozenset():
            return sorted(repr(_plain(each)) for each in value)
        case tuple() | list():
            return [_plain(each) for each in value]
    if is_dataclass(value):
        return type(value).__name__, [(field.name, _plain(getattr(value, field.name))) for field in fields(value)]
    return value

"""Plans of single statements, for tests of the planner and of what follows from a plan."""

from __future__ import annotations

from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.analysis import Analysis
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

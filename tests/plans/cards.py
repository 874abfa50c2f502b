"""A plan as text: everything that decides what an answer may reveal, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from proxy.errors import DpproxyError
from proxy.query.dialog import Known, unpacked, written
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.explain import explain_block
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.exact_sums import source_statements
from tests.planned import PUBLIC, analysed
from tests.plans.schema import SCHEMA


def card(statement: str) -> list[str]:
    """The lines of a statement's card: its blocks' plans, or the refusal.

    Args:
        statement: a SELECT whose constants need no server.
    """
    try:
        return [line for plan in _plans(statement) for line in _lines(plan)]
    except DpproxyError as error:
        return [f"refused {error.sqlstate} {error.rule}: {error.message}"]


def _plans(statement: str) -> list[BlockPlan]:
    found = analysed(statement, SCHEMA)
    assert found.probe_sql is None, "the constants of a case are literals"
    planned = [analysis.plan_block(block, SCHEMA, PUBLIC, QuerySettings(), "ana") for block in found.blocks]
    # As they come from a planning process: without trees, and with tables by name.
    return [unpacked(written(block.plan), SCHEMA, Known(0)) for block in planned]


def _lines(plan: BlockPlan) -> Iterator[str]:
    yield f"path: {plan.path}"
    if plan.domain is not None:
        yield f"declared keys: {plan.domain.sql}"
    yield from _explained(plan)
    footprint = plan.footprint
    yield f"reads: {', '.join(f'{table}.{column}' for table, column in sorted(footprint.columns))}"
    yield from (f"rests on: {table} ({', '.join(columns)})" for table, columns in footprint.verified_keys)
    yield from (f"cut: {cut.name} to {cut.most} rows: {cut.units_sql}" for cut in footprint.cuts)
    yield f"work of a row: {plan.relation.work} ns"
    yield from (f"source: {statement}" for statement in source_statements(plan))


def _explained(plan: BlockPlan) -> Iterator[str]:
    """What EXPLAIN says, without the mechanisms that were not chosen."""
    lines = explain_block(plan)
    return (line for line in lines if not line.startswith(("  Alternatives", "    laplace", "    gaussian")))

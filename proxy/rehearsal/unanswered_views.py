"""Finds the views of a policy of which no query can be answered, without a stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from proxy.errors import DpproxyError, RefusedError, UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy
from proxy.policy.type_values import with_values_of_types
from proxy.policy.views import tables_read
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.refusal import IN_VIEW
from proxy.sql.repeats import UncountedError
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement
from proxy.sql.terms.term import quote_table

_OF_UNITS: Final = ("private-join", "window-over-units")
"""Rules whose hints say how a query would have to be written; others are for who asks."""


def check_views_can_be_queried(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Of a view, its rows can be counted, or those that it releases be read. Constants that only a stage can compute
    leave it open.

    Args:
        policy: one that fits the catalog.
        catalog: what its statements are planned with.
        places: in the policy's file.
    """
    schema = Schema(with_values_of_types(policy, catalog), catalog)
    for name, table in policy.tables.items():
        read = tables_read(policy, catalog, name)
        if not table.view or not read or any(each not in policy.tables for each in read):
            continue
        refusal = _refusal(name, schema)
        if refusal is not None:
            change = (refusal.hint or "").partition(IN_VIEW)[0].strip() if refusal.rule in _OF_UNITS else ""
            hint = f"change its query, or leave it out{f': {change}' if change else ''}"
            yield places.warning(
                "DP537", ("tables", name, "view"), f"a query of it is refused: {refusal.message}", hint
            )


def _refusal(name: str, schema: Schema) -> DpproxyError | None:
    """Why neither the rows of a view can be counted nor what it releases be read; None if that is not certain."""
    refusals = []
    for asked in ("count(*)", "*"):
        try:
            _plan(f"SELECT {asked} FROM {quote_table(name)}", schema)
        except (RefusedError, UnsupportedError) as error:
            refusals.append(error)
            continue
        except (DpproxyError, UncountedError, RecursionError):
            pass
        return None
    unit = schema.unit_in(" ".join(tables_read(schema.policy, schema.catalog, name)))
    if unit is not None:
        refusals[0].name_unit(unit)
    return refusals[0]


def _plan(text: str, schema: Schema) -> None:
    """Plan a statement, as far as no stage is needed.

    Raises:
        DpproxyError: a refusal.
        UncountedError: a plan depends on public rows.
    """
    statement = parse_statement(text)
    assert statement is not None
    found = analysis.analyse(statement, (), schema, ())
    if found.probe_sql is None:
        for block in found.blocks:
            if not block.feedback:
                analysis.plan_block(block, schema, (), QuerySettings(), "")

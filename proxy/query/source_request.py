"""The request for a source query: its statements, and everything that their proof rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proxy.postgres.transaction import SourceRequest
from proxy.sql.rows.footprint import Footprint


def source_request(
    statements: Sequence[str],
    footprint: Footprint,
    settings: Mapping[str, str],
    promises: Sequence[str] = (),
    trials: Sequence[str] = (),
    tried: Sequence[str] = (),
) -> SourceRequest:
    """Make the request.

    Args:
        statements: generated from checked terms.
        footprint: what they read and rest on; its keys, NOT NULLs and column types are verified.
        settings: TimeZone, DateStyle and IntervalStyle of the session.
        promises: what the proof assumes of released rows (`feedback.promise_sql`).
        trials: what the source has to compute as the stage does (`source_checks`).
        tried: statements like those that will follow from the rows of `statements`.
    """
    tables = {table.name: table for table in footprint.tables}
    columns = [(table, name, tables[table].catalog.columns[name]) for table, name in sorted(footprint.columns)]
    return SourceRequest(
        tuple(statements),
        dict(settings),
        tuple(tables),
        footprint.verified_keys,
        tuple((table, name) for table, name, column in columns if not column.nullable),
        tuple((table, column) for table, _, column in columns),
        tuple(promises),
        tuple(trials),
        tuple(tried),
    )

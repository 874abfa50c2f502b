"""What the source is asked with a measurement: its text, and everything that the proof behind it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proxy.postgres.source import MeasurementRequest
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import quote_identifier


def measurement_request(
    statements: Sequence[str],
    relation: Relation,
    settings: Mapping[str, str],
    promises: Sequence[str] = (),
    trials: Sequence[str] = (),
    tried: Sequence[str] = (),
) -> MeasurementRequest:
    """The request for a measurement of a relation's rows.

    Args:
        statements: generated from checked terms over `relation`.
        relation: the rows; its keys, and the NOT NULL and types of the columns in them, are verified with it.
        settings: TimeZone, DateStyle and IntervalStyle of the session.
        promises: what the proof takes for granted about released rows (`feedback.promise_sql`).
        trials: what the source has to compute as the stage does (`source_checks`).
        tried: statements like those that will follow from the rows of `statements`.
    """
    columns = [
        (table.name, name, column)
        for table in relation.all_tables
        for name, column in table.catalog.columns.items()
        if any(quote_identifier(name) in statement for statement in (*statements, *tried))
    ]
    return MeasurementRequest(
        tuple(statements),
        dict(settings),
        relation.tables,
        relation.unique_keys,
        tuple((table, name) for table, name, column in columns if not column.nullable),
        tuple((table, column) for table, _, column in columns),
        tuple(promises),
        tuple(trials),
        tuple(tried),
    )

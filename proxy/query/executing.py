"""EXECUTE, or EXPLAIN EXECUTE, of a statement that was prepared in SQL: its query, with its arguments as parameters."""

from __future__ import annotations

import json

from proxy.sql.prepared import execution, prepared_query
from proxy.sql.schema import Schema
from proxy.sql.temporary import may_be_temporary
from proxy.sql.terms.term import quote_literal
from proxy.wire.router import Parameter, SessionContext

_WITHOUT_LENGTH = {"character": "bpchar", "bit": '"bit"'}
"""Types of parameters whose names alone would be those of a single character or bit."""

_HELD = (
    "SELECT statement, from_sql, pg_catalog.array_to_json(parameter_types::pg_catalog.oid[]), "
    "pg_catalog.array_to_json(parameter_types::pg_catalog.text[]) "
    "FROM pg_catalog.pg_prepared_statements WHERE name OPERATOR(pg_catalog.=) "
)


async def executed_query(
    text: str, session: SessionContext, schema: Schema
) -> tuple[str, tuple[Parameter, ...]] | None:
    """The query that EXECUTE runs and the values of its parameters; None where the stage can execute it alone, as it
    names nothing private and keeps no rows, or reports what is wrong.

    Raises:
        StageError: an argument that cannot be computed.
    """
    found = execution(text)
    if found is None:
        return None
    held = await session.stage.rows(_HELD + quote_literal(found.name))
    if not held:
        return None
    statement, from_sql, oids, types = held[0]
    query = prepared_query(statement or "") if from_sql == "t" else statement
    type_oids, type_names = json.loads(oids or "[]"), json.loads(types or "[]")
    # Postgres looks at no argument where the statement has no parameter.
    if query is None or len(type_oids) not in (0, len(found.arguments)):
        return None
    if not schema.mentions(query) and not may_be_temporary(query):
        return None
    values: tuple[str | None, ...] = ()
    if type_oids:
        names = (_WITHOUT_LENGTH.get(name, name) for name in type_names)
        casts = (f"({argument})::{name}" for argument, name in zip(found.arguments, names, strict=True))
        (values,) = await session.stage.rows(f"SELECT {', '.join(casts)}")
    return found.prefix + query, tuple(Parameter(int(oid), value) for oid, value in zip(type_oids, values, strict=True))

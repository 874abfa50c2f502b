"""What a source query needs where the source is a Citus cluster.

The coordinator holds no row. It cuts a query into tasks that run on the workers, and reads what they send.

- *Settings.* Workers have their own: a date that the coordinator prints in one DateStyle would be read in another.
  Citus passes on what is SET LOCAL while it is told to, and nothing else. It sends the whole message that has the SET,
  so it is told to stop before the source query, which shares its message with others.
- *Snapshots.* Each connection to a worker has its own. A task is one statement on one connection; where all rows of a
  unit are in one shard, they are seen at one moment. A statement that reads the same rows twice may become tasks that
  follow each other on different connections, and the units that the first finds heavy would not be those that are heavy
  in the second. One connection for each worker has one snapshot.
- *Plans.* Citus finds out what it cannot distribute when it plans, which PREPARE does not do. EXPLAIN does. It is kept
  on the coordinator, which knows no statistic of the workers' rows, so what it says is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from psycopg import sql

_ON_COORDINATOR = {"citus.explain_distributed_queries": "off"}
_ONE_SNAPSHOT = {"citus.max_adaptive_executor_pool_size": "1", "citus.force_max_query_parallelization": "off"}
_PASSING_ON = "citus.propagate_set_commands"


def setting_statements(
    passed_on: Mapping[str, str], statements: Iterable[str], tables: Iterable[str]
) -> list[sql.Composed]:
    """SET LOCAL of the settings of a transaction, on the coordinator and on the workers.

    Args:
        passed_on: what the workers have to know as well.
        statements: the transaction's source queries.
        tables: "schema.table" of everything that they read.
    """
    names = list(tables)
    twice = any(reads_twice(statement, names) for statement in statements)
    own = {**_ON_COORDINATOR, **(_ONE_SNAPSHOT if twice else {})}
    settings = [*own.items(), (_PASSING_ON, "local"), *passed_on.items(), (_PASSING_ON, "none")]
    return [_set_local(name, value) for name, value in settings]


def reads_twice(statement: str, tables: Iterable[str]) -> bool:
    """May a statement read the same rows at two moments? It names a table twice, or a query that is not to be
    materialized. This is true of some that do not, which then work on one core of each worker."""
    names = [sql.Identifier(*table.split(".", 1)).as_string(None) for table in tables]
    return "NOT MATERIALIZED" in statement or any(statement.count(name) > 1 for name in names)


def planning_statements(prepared: str) -> tuple[bytes, ...]:
    """What fails if the cluster cannot distribute a prepared statement. After an EXPLAIN the coordinator would reach
    itself by the network only, unless that is undone."""
    explain = f"EXPLAIN (COSTS OFF) EXECUTE {prepared}"
    return b"SAVEPOINT before_planning", explain.encode(), b"ROLLBACK TO SAVEPOINT before_planning"


def _set_local(name: str, value: str) -> sql.Composed:
    # As one literal, the schemas of a path would be one name.
    parts = value.split(", ") if name == "search_path" else [value]
    values = sql.SQL(", ").join([sql.Literal(part) for part in parts])
    return sql.SQL("SET LOCAL {} = {}").format(sql.Identifier(*name.split(".")), values)

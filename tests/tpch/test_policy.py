"""policies/tpch.yaml fits the data of the specification, and its budget is enough for the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import psycopg
from psycopg import sql

from proxy.commands.check import findings_of_file
from proxy.policy.load import examine_policy
from proxy.policy.model import ColumnPolicy
from proxy.postgres.catalog_reader import read_catalog
from tests.docs.markdown import CHECKOUT
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.tpch.expectations import ANSWERED, QUERIES
from tests.tpch.policies import tpch_policy

DECLARED = {
    (table_name, column_name): column
    for table_name, table in tpch_policy().tables.items()
    for column_name, column in (table.columns or {}).items()
    if column.bounds or column.range or column.values or column.values_from
}


def outside(table: str, name: str, column: ColumnPolicy) -> sql.Composed:
    """A count of the rows whose value the policy does not expect."""
    limits = column.bounds or column.range
    value = sql.Identifier(name)
    if limits is not None:
        condition = sql.SQL("{} NOT BETWEEN {} AND {}").format(value, *map(sql.Literal, limits))
    elif column.values is not None:
        listed = sql.SQL(", ").join(map(sql.Literal, column.values))
        condition = sql.SQL("{} NOT IN ({})").format(value, listed)
    else:
        target, _, target_column = str(column.values_from).rpartition(".")
        condition = sql.SQL("{} NOT IN (SELECT {} FROM {})").format(
            value, sql.Identifier(target_column), sql.Identifier(*target.split("."))
        )
    return sql.SQL("SELECT count(*) FROM {} WHERE {}").format(sql.Identifier(*table.split(".")), condition)


def test_every_declared_value_and_bound_holds(source: psycopg.Connection) -> None:
    unexpected = {place: source.execute(outside(*place, column)).fetchall() for place, column in DECLARED.items()}
    assert len(DECLARED) >= 20
    assert {place: rows for place, rows in unexpected.items() if rows != [(0,)]} == {}


def test_check_against_the_tables_finds_nothing(exact_proxy: RunningProxy) -> None:
    policy = tpch_policy()
    catalog = replace(read_catalog(exact_proxy.options.source_dsn, list(policy.tables)), superuser=False)
    file = CHECKOUT / "policies" / "tpch.yaml"
    assert findings_of_file(file.name, examine_policy(file), catalog) == []


def test_budget_pays_for_every_query(lasting_proxies: StartProxy, load_tpch: Callable[[], str]) -> None:
    with lasting_proxies(tpch_policy(), source=load_tpch()).connect() as client:
        for name in ANSWERED:
            client.execute(QUERIES[name].encode())
        spent = client.execute("SELECT account, rho_spent, rho FROM dp.budget").fetchall()
    assert spent
    assert [account for account, used, limit in spent if not 0 < used <= limit] == []

"""Sums over TPC-H without any bound in the policy, against the published errors of R2T (Dong, Yi et al. 2022).

Each of their self-join-free queries is asked as it is published: a count or sum over all rows, of whose units the query
itself chooses how much counts. With `--caps` it is asked as a total for each unit instead, from which `suggest-bounds`
chooses a cap; the proxy then adds the capped totals up, and both prices come from one ε. Queries and exact results are
those of the authors' public repository, Race-to-the-Top; joins with public tables that change nothing are left out. As
in the paper: ε = 0.8, scale 1, the mean absolute error of ten runs without the two best and the two worst. Everything
is pure, with Laplace noise.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import psycopg

from proxy.budget.ledger import Ledger
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source import Source
from proxy.serving.options import ServiceOptions
from proxy.sql.schema import Schema
from proxy.sql.suggesting.questions import plan_questions
from proxy.sql.suggesting.requests import Request, query_relation
from proxy.suggest_bounds.choosing import ask
from tests.benchmarks.tpch import SOURCE_TIMEOUT_SECONDS, generated_files, loaded_source
from tests.end_to_end.clinic import VERIFIER
from tests.end_to_end.running import RunningProxy

EPSILON = Fraction(4, 5)


@dataclass(frozen=True)
class Published:
    """A query of the paper: its unit, what it adds up, over which rows, R2T's error, and the unit's column there."""

    unit: str
    aggregate: str
    rows: str
    error: float
    column: str

    @property
    def totals(self) -> str:
        """The total of each unit."""
        return f"SELECT {self.column}, {self.aggregate} AS total FROM {self.rows} GROUP BY {self.column}"


_LINES_OF_ORDERS = "lineitem JOIN orders ON o_orderkey = l_orderkey"

QUERIES = {
    "Q3": Published("customer", "count(*)", f"{_LINES_OF_ORDERS} WHERE o_orderdate < '1995-03-11'", 7_339, "o_custkey"),
    "Q10": Published("customer", "count(*)", "orders", 2_615, "o_custkey"),
    "Q12": Published("orders", "count(*)", "lineitem", 1_373, "l_orderkey"),
    "Q20": Published("supplier", "count(*)", "lineitem", 34_730, "l_suppkey"),
    "Q11": Published("supplier", "sum(ps_supplycost * ps_availqty / 1000000)", "partsupp", 36_440, "ps_suppkey"),
    "Q18": Published("customer", "sum(l_quantity)", _LINES_OF_ORDERS, 202_000, "o_custkey"),
}

_LINES: tuple[str, ...] = ("l_orderkey", "l_suppkey", "l_quantity", "l_shipdate")
_ORDERS = ("o_orderkey", "o_custkey", "o_orderdate")
TABLES: dict[str, dict[str, tuple[dict[str, str], tuple[str, ...]]]] = {
    "customer": {
        "public.customer": ({"column": "c_custkey"}, ("c_custkey",)),
        "public.orders": ({"via": "o_custkey -> public.customer.c_custkey"}, _ORDERS),
        "public.lineitem": ({"via": "l_orderkey -> public.orders.o_orderkey"}, _LINES),
    },
    "orders": {
        "public.orders": ({"column": "o_orderkey"}, _ORDERS),
        "public.lineitem": ({"column": "l_orderkey"}, _LINES),
    },
    "supplier": {
        "public.partsupp": ({"column": "ps_suppkey"}, ("ps_suppkey", "ps_availqty", "ps_supplycost")),
        "public.lineitem": ({"column": "l_suppkey"}, _LINES),
    },
}
"""For each unit the tables, how their rows find it, and the columns that the queries read."""


def policy(unit: str, *, capped: bool) -> Policy:
    """Pure budgets for any number of runs; no bounds, but for the most rows that count(*) of a unit counts."""
    contribution = {"contribution": {"max_rows": 100_000}} if capped else {}
    tables: dict[str, Any] = {
        name: {
            "unit": {"name": unit, **reference},
            "budget": {"epsilon": "1e6"},
            "query": {"epsilon": "0.1", "max_epsilon": "1"},
            "columns": {column: {} for column in columns},
            **contribution,
        }
        for name, (reference, columns) in TABLES[unit].items()
    }
    analysts = {"ana": {"password": VERIFIER}}
    return Policy.model_validate({"version": 1, "analysts": analysts, "units": {unit: {}}, "tables": tables})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--scale", type=float, default=1.0, help="of TPC-H (default: 1, as published)")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--caps", action="store_true", help="cap the totals of units at what suggest-bounds finds")
    parser.add_argument("--share", type=Fraction, default=Fraction(1, 4), help="of ε for the caps (default: 1/4)")
    parser.add_argument("--data", type=Path, help="directory that keeps the generated files between runs")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as temporary:
        files = generated_files(arguments.data or Path(temporary), arguments.scale)
        with loaded_source(files) as source:
            print(f"{'':4} {'exact':>14} {'mean error':>12} {'of R2T':>10} {'times below':>12}  caps")
            for unit in TABLES:
                with running(source, policy(unit, capped=arguments.caps)) as proxy:
                    for name, query in QUERIES.items():
                        if query.unit == unit:
                            print(f"{name:4} {measure(proxy, query, arguments)}", flush=True)


@contextmanager
def running(source_dsn: str, used: Policy) -> Iterator[RunningProxy]:
    """A proxy with a stage and a ledger of its own."""
    with tempfile.TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "stage") as stage:
        ledger = ensure_database(stage.dsn(), LEDGER_DATABASE)
        options = ServiceOptions(
            used,
            source_dsn,
            stage.dsn(),
            ledger,
            owns_stage_cluster=True,
            port=0,
            source_timeout=SOURCE_TIMEOUT_SECONDS,
        )
        with RunningProxy(options, "tpch") as proxy:
            yield proxy


def measure(proxy: RunningProxy, query: Published, arguments: argparse.Namespace) -> str:
    """One line of the table, each answer chosen and asked anew."""
    with psycopg.connect(proxy.options.source_dsn) as source:
        row = source.execute(f"SELECT sum(total) FROM ({query.totals}) AS each".encode()).fetchone()
    assert row is not None
    exact, errors, caps = float(row[0]), [], []
    with proxy.connect() as client:
        for repetition in range(arguments.repetitions):
            # Each epsilon of its own makes a question of its own.
            epsilon = float(EPSILON * (1 - arguments.share if arguments.caps else 1)) * (1 - repetition * 1e-7)
            client.execute(f"SET dp.epsilon = {epsilon:.12g}".encode())
            if arguments.caps:
                caps.append(asyncio.run(suggested_cap(proxy, query, EPSILON * arguments.share)))
                text = f"SELECT sum(least(greatest(total, 0), {caps[-1]})) FROM ({query.totals}) AS each"
            else:
                text = f"SELECT {query.aggregate} FROM {query.rows}"
            answer = client.execute(text.encode()).fetchone()
            assert answer is not None
            errors.append(abs(float(answer[0]) - exact))
    dropped = min(2, (len(errors) - 1) // 2)
    kept = sorted(errors)[dropped : len(errors) - dropped]
    error = sum(kept) / len(kept)
    shown = f"{min(caps)} to {max(caps)}" if caps else "none"
    return f"{exact:14,.0f} {error:12,.0f} {query.error:10,.0f} {query.error / error:11.0f}x  {shown}"


async def suggested_cap(proxy: RunningProxy, query: Published, epsilon: Fraction) -> Decimal:
    """The high bound that `suggest-bounds --query` chooses for the totals, charged to the proxy's own ledger."""
    options = proxy.options
    catalog = await asyncio.to_thread(read_catalog, options.source_dsn, options.policy.tables)
    schema = Schema(options.policy, catalog)
    request = Request(query_relation(schema, query.totals), ("total",))
    questions = plan_questions(request, options.policy, epsilon)
    source = Source(options.source_dsn, None, statement_timeout_seconds=SOURCE_TIMEOUT_SECONDS)
    ledger = Ledger(options.ledger_dsn)
    await ledger.open()
    try:
        _, suggestions = await ask(questions, query.totals, ledger, source)
        high = suggestions.columns[0].high
    finally:
        await source.close()
        await ledger.close()
    assert isinstance(high, Decimal)
    return high

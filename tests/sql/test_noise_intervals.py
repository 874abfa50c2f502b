"""What dp.low, dp.high and dp.stddev are in a plan: nothing that is measured or paid for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.query.same_question import block_hash
from proxy.sql.schema import Schema
from proxy.sql.staging.simulation import Simulation
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.planned import plan_of


@pytest.fixture(scope="module")
def schema(postgres_cluster: PostgresCluster) -> Schema:
    dsn = postgres_cluster.create_database("planning_intervals")
    clinic.create(dsn)
    catalog: Catalog = read_catalog(dsn, list(clinic.policy().tables), ["public.regions", "public.specialties"])
    return Schema(clinic.policy(), catalog)


def test_intervals_change_neither_the_question_nor_its_price(schema: Schema) -> None:
    bare = plan_of("SELECT avg(cost), count(*) FROM visits", schema)
    with_intervals = plan_of(
        "SELECT dp.low(avg(cost)), dp.high(avg(cost), 0.5) FROM visits HAVING dp.stddev(count(*)) > 1", schema
    )
    assert with_intervals.price == bare.price
    assert block_hash(with_intervals, (), schema) == block_hash(bare, (), schema)


def test_each_interval_is_planned_once(schema: Schema) -> None:
    found = plan_of(
        "SELECT dp.low(count(*)), avg(cost), DP.low(count(*), 0.95), dp.high(avg(cost), 0.5) FROM visits "
        "HAVING dp.low(count(*)) > 0 ORDER BY dp.stddev(count(*)), dp.low(count(*), 0.950)",
        schema,
    )
    assert [(interval.function, interval.of, interval.confidence) for interval in found.intervals] == [
        ("low", 0, Fraction(95, 100)),
        ("high", 1, Fraction(1, 2)),
        ("stddev", 0, Fraction(95, 100)),
    ]


def test_deviation_called_dp_stddev_is_no_aggregate(schema: Schema) -> None:
    found = plan_of("SELECT dp.stddev(stddev(cost)) FROM visits", schema)
    assert [aggregate.function for aggregate in found.aggregates] == ["stddev"]


def test_the_same_numbers_of_two_questions_have_draws_of_their_own(schema: Schema) -> None:
    found = plan_of("SELECT dp.low(count(*) / 2) FROM visits", schema)
    seeds = {question: Simulation(found, [], ["bigint"], 1, question).seeds([()], [(5,)]) for question in ("a", "b")}
    assert seeds["a"] == Simulation(found, [], ["bigint"], 1, "a").seeds([()], [(5,)])
    assert seeds["a"] != seeds["b"]


@pytest.mark.parametrize("call", ["max(cost)", "bool_or(urgent)", "mode() WITHIN GROUP (ORDER BY region)"])
def test_aggregate_without_a_width_has_no_interval(call: str, schema: Schema) -> None:
    with pytest.raises(UnsupportedError, match="there is no noise interval for ") as error:
        plan_of(f"SELECT dp.low({call}) FROM visits", schema)
    assert (error.value.rule, error.value.sqlstate) == ("noise-interval-aggregate", "0A000")

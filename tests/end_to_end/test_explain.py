"""What EXPLAIN says of clipping, of proofs and of blocks that read one another."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import psycopg
import pytest
from ruamel.yaml import YAML

from tests.end_to_end.running import RunningProxy


@pytest.fixture(scope="module")
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect() as connection:
        yield connection


def explain(client: psycopg.Connection, query: str) -> dict[str, str]:
    """The plan's lines by what stands before the colon."""
    lines = [row[0].strip() for row in client.execute(f"EXPLAIN {query}".encode()).fetchall()]
    return {name: rest.strip() for name, _, rest in (line.partition(": ") for line in lines)}


def test_explain_says_in_how_many_groups_a_unit_counts_in_full(client: psycopg.Connection) -> None:
    """The clinic's policy has 20 rows of a unit, and 10 of them in a group (theorem 3)."""
    query = "SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY region"
    units = "units, counted in full in up to {}, as less in more; "
    assert explain(client, query)["Noisy number 1"].startswith(units.format("2 groups"))
    assert explain(client, "SELECT count(DISTINCT patient_id) FROM visits")["Noisy number 1"].startswith("units; ")
    client.execute("SET dp.max_rows = 10")
    assert explain(client, query)["Noisy number 1"].startswith(units.format("1 group"))
    client.execute("RESET dp.max_rows")


@pytest.mark.parametrize(
    ("aggregate", "bounds"),
    [
        ("sum(cost)", "[0, 2000]"),
        ("avg(minutes)", "[0, 240]"),
        ("sum(cost * 2)", "[0, 4000]"),
        ("corr(cost, minutes)", "[0, 2000] or [0, 240]"),
        ("stddev(discount)", "[0, 1]"),
    ],
)
def test_explain_says_which_bounds_move_values(client: psycopg.Connection, aggregate: str, bounds: str) -> None:
    lines = explain(client, f"SELECT {aggregate} FROM visits")
    assert lines[aggregate].endswith(f"; values outside {bounds} count as the nearest bound")
    assert lines["Noise intervals (dp.low, dp.high)"] == (
        "cover the noise only, not units that are scaled down, not values moved to a bound"
    )


@pytest.mark.parametrize(
    ("query", "covered"),
    [
        ("SELECT count(*) FROM patients", "cover everything, nothing is clipped"),
        ("SELECT avg(height) FROM patients", "cover the noise only, not values moved to a bound"),
        ("SELECT count(*) FROM visits", "cover the noise only, not units that are scaled down"),
        (
            "SELECT count(DISTINCT minutes) FROM visits",
            "cover the noise only, not distinct values that a unit has too many of",
        ),
    ],
)
def test_explain_says_what_intervals_do_not_cover(client: psycopg.Connection, query: str, covered: str) -> None:
    assert explain(client, query)["Noise intervals (dp.low, dp.high)"] == covered


EACH = "SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id"


@pytest.mark.parametrize(
    ("query", "proof"),
    [
        ("SELECT count(*) FROM patients", "proven by a unique key of the source"),
        ("SELECT count(*) FROM (SELECT sex FROM patients) AS p", "proven by a unique key of the source"),
        (f"SELECT avg(n) FROM ({EACH}) AS each", "because a subquery groups by the unit"),
        (f"SELECT avg(n) FROM (SELECT n FROM ({EACH}) AS a) AS b", "because a subquery groups by the unit"),
    ],
)
def test_explain_says_why_there_is_one_row_per_unit(client: psycopg.Connection, query: str, proof: str) -> None:
    assert explain(client, query)["Contribution"] == f"one row per unit, {proof}; no unit is scaled down"


def test_explain_says_that_counts_per_person_end_at_the_bound(client: psycopg.Connection) -> None:
    keys = explain(client, f"SELECT n, count(*) FROM ({EACH}) AS each GROUP BY n")["Group keys"]
    assert keys.startswith("n: declared (1 to 20 of n, greater ones are not shown)")


def test_explain_says_which_block_reads_which(client: psycopg.Connection) -> None:
    rows = client.execute(
        "EXPLAIN SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) "
        "AND minutes < (SELECT avg(minutes) FROM visits WHERE cost > (SELECT avg(cost) FROM visits))"
    ).fetchall()
    lines = [row[0] for row in rows]
    heads = [(index, line) for index, line in enumerate(lines) if line.startswith("Block")]
    assert [line for _, line in heads] == [
        f"Block {number}: Differentially private aggregate of public.visits" for number in range(1, 4)
    ]
    readings = [lines[index + 1].strip() for index, _ in heads]
    assert readings[1:] == ["Reads what block 1 released", "Reads what block 1 and block 2 released"]
    assert not readings[0].startswith("Reads")


@pytest.mark.parametrize(
    "query",
    [
        "WITH x AS (SELECT region, avg(cost) AS a FROM visits GROUP BY 1) SELECT count(*) FROM visits v JOIN x USING (region) "
        "WHERE v.cost > x.a",
        "SELECT count(*) FROM visits v JOIN (SELECT region, avg(cost) AS a FROM visits GROUP BY 1) AS x USING (region) "
        "WHERE v.cost > x.a",
        "WITH x AS (SELECT region, avg(cost) AS a FROM visits GROUP BY 1) SELECT count(*), (SELECT max(a) FROM x) "
        "FROM visits v JOIN x USING (region) WHERE v.cost > x.a",
    ],
)
def test_a_block_that_is_released_once_is_shown_once(query: str, client: psycopg.Connection) -> None:
    lines = [row[0] for row in client.execute(f"EXPLAIN {query}".encode()).fetchall()]
    blocks = [line for line in lines if line.startswith("Block ")]
    assert [line.partition(":")[0] for line in blocks] == ["Block 1", "Block 2"]
    assert [line.strip() for line in lines if line.startswith("  Reads what")] == ["Reads what block 1 released"]


def test_a_single_block_has_no_number(client: psycopg.Connection) -> None:
    (first, *_) = client.execute("EXPLAIN SELECT count(*) FROM visits").fetchall()
    assert first[0] == "Differentially private aggregate of public.visits"


TWO_BLOCKS = "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits)"


def _one(client: psycopg.Connection, query: str) -> tuple[object, str]:
    """The only value of a statement's answer, and the name of its type."""
    cursor = client.execute(query.encode())
    ((value,),) = cursor.fetchall()
    assert cursor.description is not None
    (column,) = cursor.description
    return value, f"{column.name} {column.type_display}"


@pytest.mark.parametrize("query", ["SELECT region, count(*) FROM visits GROUP BY 1", TWO_BLOCKS, "SELECT 1"])
def test_formats_have_the_types_and_the_shape_of_postgres(query: str, client: psycopg.Connection) -> None:
    """SELECT 1 is explained by Postgres itself."""
    plan, type_ = _one(client, f"EXPLAIN (COSTS off, FORMAT JSON) {query}")
    assert type_ == "QUERY PLAN json"
    assert isinstance(plan, list)
    assert isinstance(plan[0]["Plan"]["Node Type"], str)
    text, type_ = _one(client, f"EXPLAIN (FORMAT 'yaml') {query}")
    assert type_ == "QUERY PLAN text"
    assert isinstance(YAML(typ="safe").load(str(text))[0]["Plan"]["Node Type"], str)
    text, type_ = _one(client, f"EXPLAIN (VERBOSE, FORMAT xml) {query}")
    assert type_ == "QUERY PLAN xml"
    root = ElementTree.fromstring(str(text))
    assert root.tag == "{http://www.postgresql.org/2009/explain}explain"
    assert [step.tag.rpartition("}")[2] for step in (root[0], root[0][0], root[0][0][0])] == [
        "Query",
        "Plan",
        "Node-Type",
    ]


def test_formats_say_what_the_text_says(client: psycopg.Connection) -> None:
    query = "SELECT sum(cost) FILTER (WHERE region <> '<a: \"&\">') FROM visits"
    lines = [row[0].strip() for row in client.execute(f"EXPLAIN {query}".encode()).fetchall()]
    plans = [_one(client, f"EXPLAIN (FORMAT {name}) {query}")[0] for name in ("JSON", "YAML")]
    node, read = plans[0][0]["Plan"], YAML(typ="safe").load(str(plans[1]))[0]["Plan"]  # type: ignore[index]
    assert node == read
    assert node["Node Type"] == lines[0]
    said = [f"{name}: {value}" for name, value in node.items() if isinstance(value, str)]
    told = [item for value in node.values() if isinstance(value, list) for item in value]
    assert set(lines[1:]) <= {*said, *told, *(f"{name}:" for name in node)}
    ElementTree.fromstring(str(_one(client, f"EXPLAIN (FORMAT XML) {query}")[0]))


def test_blocks_are_plans_of_one_plan(client: psycopg.Connection) -> None:
    plan, _ = _one(client, f"EXPLAIN (FORMAT JSON) {TWO_BLOCKS}")
    plans = plan[0]["Plan"]["Plans"]  # type: ignore[index]
    assert [found["Node Type"] for found in plans] == [
        f"Block {number}: Differentially private aggregate of public.visits" for number in (1, 2)
    ]
    assert plans[1]["Remarks"] == "Reads what block 1 released"


def test_another_format_is_refused_as_in_postgres(client: psycopg.Connection) -> None:
    with pytest.raises(psycopg.Error, match='unrecognized value for EXPLAIN option "format": "csv"'):
        client.execute("EXPLAIN (FORMAT csv) SELECT count(*) FROM visits")


@pytest.mark.parametrize("calibration", ["zcdp", "analytic", "classic"])
@pytest.mark.parametrize(
    "query", ["SELECT count(*) FROM visits", "SELECT region, sum(cost) FROM visits GROUP BY region"]
)
def test_laplace_noise_is_explained_whatever_gaussian_noise_could_be_calibrated_to(
    exact_proxy: RunningProxy, query: str, calibration: str
) -> None:
    with exact_proxy.connect() as client:
        client.execute("SET dp.mechanism = laplace; SET dp.epsilon = '1e20'; SET dp.delta = '1e-7'")
        client.execute(f"SET dp.calibration = {calibration}".encode())
        assert explain(client, query)["Mechanism"].startswith("laplace; ")
        client.execute(query.encode())
        assert "Already answered" in explain(client, query)

"""dp.low, dp.high and dp.stddev through a proxy: what they look like, what they cost, where they are refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy


@pytest.fixture(scope="module")
def client(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    with proxies(clinic.policy(visits=clinic.PLENTY)).connect() as connection:
        yield connection


def one_row(client: psycopg.Connection, query: str) -> tuple[object, ...]:
    (row,) = client.execute(query.encode()).fetchall()
    return tuple(row)


EACH = ("count(*)", "count(cost)", "count(DISTINCT patient_id)", "sum(cost)", "sum(minutes)", "avg(cost)", "avg(score)")
MOMENTS = ("stddev(cost)", "var_pop(minutes)", "covar_samp(cost, minutes)", "corr(cost, minutes)")
REGRESSIONS = tuple(f"regr_{name}(cost, minutes)" for name in "slope intercept r2 count avgx avgy sxx syy sxy".split())


@pytest.mark.parametrize("aggregates", [EACH, MOMENTS, REGRESSIONS], ids=["sums", "moments", "regressions"])
def test_interval_holds_the_shown_number_and_has_its_type(
    client: psycopg.Connection, aggregates: tuple[str, ...]
) -> None:
    columns = [
        f"{aggregate}, dp.low({aggregate}), dp.high({aggregate}), dp.stddev({aggregate})" for aggregate in aggregates
    ]
    cursor = client.execute(f"SELECT {', '.join(columns)} FROM visits".encode())
    types = [column.type_code for column in cursor.description or ()]
    (row,) = cursor.fetchall()
    for index in range(0, len(row), 4):
        shown, low, high, deviation = row[index : index + 4]
        assert low <= shown <= high, row[index : index + 4]
        assert low < high
        assert deviation > 0
        assert types[index + 1] == types[index + 2] == types[index]
        assert types[index + 3] == psycopg.adapters.types["float8"].oid


def test_interval_of_a_released_number_costs_nothing(client: psycopg.Connection) -> None:
    notices: list[str | None] = []
    client.execute("SELECT region, avg(discount) FROM visits GROUP BY region")
    client.add_notice_handler(lambda diagnostic: notices.append(diagnostic.message_primary))
    for confidence in (0.5, 0.9):
        client.execute(f"SELECT region, dp.low(avg(discount), {confidence}) FROM visits GROUP BY region".encode())
    assert notices == ["dpproxy recalled an earlier answer, free of charge"] * 2


def test_another_confidence_gives_another_interval_of_the_same_answer(client: psycopg.Connection) -> None:
    ends = [
        one_row(client, f"SELECT count(*), dp.high(count(*), {confidence}) - count(*) FROM visits WHERE minutes > 3")
        for confidence in ("0.5", ".9", "0.95", "1 - 0.01", "0.999::numeric")
    ]
    assert len({count for count, _ in ends}) == 1
    widths = [int(str(width)) for _, width in ends]
    assert widths == sorted(set(widths))


def test_confidence_is_95_of_100_and_can_be_a_parameter(client: psycopg.Connection) -> None:
    query = "SELECT dp.low(count(*)), dp.low(count(*), %s), dp.low(count(*), %s), dp.low(count(*), 0.95) FROM visits"
    (row,) = client.execute(query, [Decimal("0.95"), 0.95]).fetchall()
    assert row[0] == row[1] == row[2] == row[3]


def test_width_of_a_count_is_the_noise_that_explain_shows(client: psycopg.Connection) -> None:
    width, deviation = one_row(client, "SELECT dp.high(count(*)) - count(*), dp.stddev(count(*)) FROM visits")
    plan = "\n".join(row[0] for row in client.execute("EXPLAIN SELECT count(*) FROM visits").fetchall())
    assert f"standard deviation {deviation:.6g}, 95 % of the noise within ±" in plan
    assert width == round(float(plan.partition("noise within ±")[2].split()[0]))


def test_intervals_work_wherever_released_numbers_do(client: psycopg.Connection) -> None:
    rows = client.execute(
        "SELECT region, dp.high(count(*)) - dp.low(count(*)) AS width, round(dp.low(avg(cost)), 1), "
        "sum(dp.low(count(*))) OVER (), dp.low(count(*) FILTER (WHERE urgent)) + 0.5 "
        "FROM visits GROUP BY region HAVING dp.low(count(*)) > 500 ORDER BY dp.high(avg(cost)) DESC"
    ).fetchall()
    assert {row[0] for row in rows} == {"north", "south", "east", "west"}
    assert len({row[1] for row in rows}) == 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT l FROM (SELECT dp.low(count(*)) AS l FROM visits) AS inner_query",
        "WITH a AS (SELECT dp.low(count(*)) AS l FROM visits) SELECT l FROM a",
        "SELECT DP.Low(count(*)) FROM visits",
        'SELECT "dp"."low"((count(*))) FROM visits',
        "SELECT dp.low(count(*)) AS x FROM visits ORDER BY x",
        "SELECT dp.low(count(*)) FROM visits ORDER BY dp.low(count(*))",
    ],
)
def test_interval_is_the_same_however_it_is_written(client: psycopg.Connection, query: str) -> None:
    assert one_row(client, query) == one_row(client, "SELECT dp.low(count(*)) FROM visits")


@pytest.mark.parametrize(
    ("outside", "inside"),
    [
        ("dp.stddev(n) FROM (SELECT count(*) AS n FROM visits) t", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(n) FROM (SELECT count(*) AS n FROM visits) AS t (n)", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(m) FROM (SELECT * FROM (SELECT count(*) AS m FROM visits) t) u", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(2 * n - n) FROM (SELECT count(*) AS n FROM visits) t", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(sum(n)) FROM (SELECT count(*) AS n FROM visits) t", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(avg(n)) FROM (SELECT count(*) AS n FROM visits) t", "dp.stddev(count(*)) FROM visits"),
        (
            "dp.stddev(CASE WHEN n > 0 THEN n ELSE 0 END) FROM (SELECT count(*) AS n FROM visits) t",
            "dp.stddev(count(*)) FROM visits",
        ),
        ("dp.stddev((SELECT count(*) FROM visits))", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(sum(count(*)) OVER ()) FROM visits", "dp.stddev(count(*)) FROM visits"),
        ("dp.stddev(-n::numeric) FROM (SELECT sum(cost) AS n FROM visits) t", "dp.stddev(sum(cost)) FROM visits"),
        (
            "dp.stddev(n) FROM (SELECT 'v' AS k, count(*) AS n FROM visits UNION ALL SELECT 'c', sum(cost) FROM visits "
            "UNION ALL (SELECT 'five', 5)) t WHERE k = 'c'",
            "dp.stddev(sum(cost)) FROM visits",
        ),
        (
            "dp.stddev(n) FROM (WITH t AS (SELECT 'v' AS k, count(*) AS n FROM visits UNION ALL SELECT 'p', count(*) "
            "FROM patients) SELECT * FROM t) u WHERE k = 'p'",
            "dp.stddev(count(*)) FROM patients",
        ),
    ],
)
def test_outer_query_has_the_noise_of_the_number(client: psycopg.Connection, outside: str, inside: str) -> None:
    """499 values that are spread as the noise is have its deviation but for what lies beyond the outermost."""
    ((outer,), (inner,)) = (one_row(client, f"SELECT {query}") for query in (outside, inside))
    assert float(str(outer)) == pytest.approx(float(str(inner)), rel=0.03)


def test_number_without_noise_in_a_union_is_its_own_interval(client: psycopg.Connection) -> None:
    query = "SELECT n, dp.low(n), dp.high(n) FROM (SELECT count(*) AS n FROM visits UNION ALL SELECT 5) t ORDER BY 1 LIMIT 1"
    assert one_row(client, query) == (5, 5, 5)


def test_the_same_released_number_has_no_noise_against_itself(client: psycopg.Connection) -> None:
    query = "WITH t AS (SELECT count(*) AS n FROM visits) SELECT dp.low(a.n - b.n), dp.high(a.n - b.n) FROM t a, t b"
    assert one_row(client, query) == (0, 0)


def test_interval_is_found_through_the_search_path(client: psycopg.Connection) -> None:
    expected = one_row(client, "SELECT dp.low(count(*)) FROM visits")
    with client.transaction():
        client.execute("SET LOCAL search_path = dp, public")
        assert one_row(client, "SELECT low(count(*)) FROM visits") == expected


def test_interval_beside_each_public_row_is_null_for_a_key_without_rows(client: psycopg.Connection) -> None:
    query = "SELECT r.name, (SELECT dp.low(count(*)) FROM visits v WHERE v.region = r.zone) FROM regions r"
    found: dict[str, int | None] = dict(client.execute(query.encode()).fetchall())
    assert [name for name, low in found.items() if low is None] == ["west"]
    assert len(found) == 5


def test_interval_of_a_released_number_can_filter_rows(client: psycopg.Connection) -> None:
    (count,) = one_row(client, "SELECT count(*) FROM visits WHERE cost > (SELECT dp.low(avg(cost)) FROM visits)")
    assert 4000 < int(str(count)) < 9000


def test_ends_of_an_average_stay_inside_its_bounds(client: psycopg.Connection) -> None:
    low, high, deviation = one_row(
        client,
        "SELECT dp.low(avg(cost)), dp.high(avg(cost)), dp.stddev(avg(cost)) FROM visits WHERE abs(cost) < 0",
    )
    assert 0 <= float(str(low)) <= float(str(high)) <= 2000
    assert 0 < float(str(deviation)) <= 1000


def test_ends_of_moments_stay_where_such_moments_can_be(client: psycopg.Connection) -> None:
    rows = client.execute(
        "SELECT dp.low(variance(cost)), dp.high(variance(cost)), dp.low(corr(cost, minutes)), dp.high(corr(cost, minutes)), "
        "dp.low(regr_slope(cost, minutes)), dp.high(regr_slope(cost, minutes)) FROM visits GROUP BY region"
    ).fetchall()
    for row in rows:
        for value, (least, most) in zip(
            row, [(0, 2e6), (0, 2e6), (-1, 1), (-1, 1), (-math.inf, math.inf), (-math.inf, math.inf)], strict=True
        ):
            assert value is None or least <= value <= most, row


def test_every_level_of_totals_has_the_width_of_its_own_noise(client: psycopg.Connection) -> None:
    """A person may add 20 rows to the grand total and 10 to a group, so the total's noise is √2 times as wide."""
    client.execute("SET dp.consistency = off")
    rows = client.execute(
        "SELECT grouping(region), count(*), dp.low(count(*)), dp.high(count(*)), dp.stddev(count(*)), "
        "dp.high(avg(cost)) - dp.low(avg(cost)), dp.high(stddev(cost)) - dp.low(stddev(cost)) "
        "FROM visits GROUP BY ROLLUP (region)"
    ).fetchall()
    client.execute("RESET dp.consistency")
    deviations = {level: {row[4] for row in rows if row[0] == level} for level in (0, 1)}
    ((group,), (total,)) = deviations.values()
    assert math.isclose(total, group * math.sqrt(2), rel_tol=1e-6)
    widths = {level: {row[3] - row[2] for row in rows if row[0] == level} for level in (0, 1)}
    assert [len(found) for found in widths.values()] == [1, 1]
    assert 1.3 < min(widths[1]) / min(widths[0]) < 1.5
    assert all(row[2] <= row[1] <= row[3] and row[5] >= 0 for row in rows)
    assert all(row[6] is None or row[6] >= 0 for row in rows)


def test_sum_over_nothing_has_no_interval_where_it_is_hidden(client: psycopg.Connection) -> None:
    """Nothing looks like something once in 22 times; ten times in a row, never."""
    asked = "SELECT sum(cost), dp.low(sum(cost)), dp.stddev(sum(cost)), count(*) FROM visits WHERE visit_id < -{}"
    with client.transaction():
        client.execute("SET LOCAL dp.empty_groups = 'hide'")
        rows = [one_row(client, asked.format(number)) for number in range(10)]
    assert all(len({value is None for value in row[:3]}) == 1 for row in rows)
    assert any(row[:3] == (None, None, None) for row in rows)


def test_an_exact_answer_is_its_own_interval(exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as connection:
        row = one_row(
            connection,
            "SELECT count(*), dp.low(count(*)), dp.high(count(*)), sum(cost), dp.low(sum(cost)), dp.high(sum(cost)) FROM visits",
        )
    assert row == (12000, 12000, 12000, row[3], row[3], row[3])


def test_what_is_null_has_no_interval(exact_proxy: RunningProxy) -> None:
    ends = [
        f"dp.{name}({aggregate})"
        for aggregate in ("stddev(cost)", "corr(cost, minutes)")
        for name in ("low", "high", "stddev")
    ]
    with exact_proxy.connect() as connection:
        row = one_row(connection, f"SELECT stddev(cost), {', '.join(ends)} FROM visits WHERE cost < 0")
    assert row == (None,) * 7


@pytest.mark.parametrize("call", ["dp.low(count(*))", "dp.high(sum(population), 0.5)", "dp.stddev(avg(population))"])
def test_what_has_no_noise_has_no_interval(client: psycopg.Connection, call: str) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="requires a number with noise"):
        client.execute(f"SELECT {call} FROM regions".encode())


@pytest.mark.parametrize("call", ["low(count(*))", "high(sum(population), 0.5)", "low(1.5::float)"])
def test_the_stages_own_functions_fail(client: psycopg.Connection, call: str) -> None:
    with client.transaction(force_rollback=True):
        client.execute("SET LOCAL search_path = dp, public")
        with pytest.raises(psycopg.errors.FeatureNotSupported) as error, client.transaction():
            client.execute(f"SELECT {call} FROM regions".encode())
    assert error.value.diag.message_hint == f"Leave dp.{call.partition('(')[0]}() out here."


REFUSED = (
    "SELECT dp.low(n) FROM (SELECT DISTINCT count(*) AS n FROM visits) AS released",
    "SELECT dp.low(k) FROM (SELECT length(region) AS k, count(*) FROM visits GROUP BY region) AS released",
    "SELECT dp.low(max(n)) FROM (SELECT count(*) AS n FROM visits GROUP BY region) AS released",
    "SELECT dp.low(sum(n) - percentile_disc(0.5) WITHIN GROUP (ORDER BY n)) FROM (SELECT count(*) AS n FROM visits) AS t",
    "SELECT dp.low(exp(n)) FROM (SELECT count(*) AS n FROM visits) AS released",
    "SELECT dp.low(m) FROM (SELECT max(cost) AS m FROM visits) AS released",
    "SELECT dp.low(n) FROM (SELECT count(*) AS n FROM visits UNION SELECT 5) AS released",
    "SELECT dp.low(n) FROM (SELECT count(*) AS n FROM visits EXCEPT ALL SELECT 5) AS released",
    "SELECT dp.low(n) FROM (SELECT DISTINCT 5 AS n UNION ALL SELECT count(*) FROM visits) AS released",
    "SELECT dp.low(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t GROUP BY n",
    "SELECT *, dp.low(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) t "
    "JOIN (SELECT name AS region FROM regions) r USING (region)",
    "SELECT dp.reliable(n) FROM (SELECT count(*) AS n FROM visits) AS released",
    "SELECT dp.clipped(n) FROM (SELECT count(*) AS n FROM visits) AS released",
    "SELECT dp.low(n, 0.999) FROM (SELECT count(*) AS n FROM visits) AS released",
    "SELECT dp.low(count(*) / (sum(count(*)) OVER () + (SELECT count(*) FROM visits))) FROM visits GROUP BY region",
    "SELECT dp.low(cost) FROM visits",
    "SELECT count(*) FROM visits WHERE dp.low(cost) > 0",
    "SELECT avg(dp.low(cost)) FROM visits",
    "SELECT avg(l) FROM (SELECT patient_id, dp.low(count(*)) AS l FROM visits GROUP BY patient_id) AS each",
    "SELECT count(*), (SELECT dp.low(count(*)) FROM regions) FROM visits",
)


@pytest.mark.parametrize("query", REFUSED)
def test_anything_but_a_released_aggregate_is_refused_before_it_is_paid_for(
    client: psycopg.Connection, query: str
) -> None:
    before = client.execute("SELECT account, rho_spent FROM dp.budget").fetchall()
    with pytest.raises(psycopg.errors.FeatureNotSupported) as error:
        client.execute(query.encode())
    assert re.search(
        r"interval|noise|same SELECT|dp\.reliable|grouped by|its kin|released number",
        error.value.diag.message_primary or "",
    )
    assert client.execute("SELECT account, rho_spent FROM dp.budget").fetchall() == before


@pytest.mark.parametrize(
    "confidence", ["0", "1", "0.0", "1.5", "-0.5", "0.1234567891", "1e-3", "NULL", "'NaN'", "count(*)"]
)
def test_confidence_outside_its_range_is_refused(client: psycopg.Connection, confidence: str) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="confidence of an interval"):
        client.execute(f"SELECT dp.low(count(*), {confidence}) FROM visits".encode())


def test_interval_of_an_expression_without_arithmetic_is_that_of_the_aggregate(client: psycopg.Connection) -> None:
    """The draws have each part of the law: their quantiles are the mechanism's own."""
    query = "SELECT region, {} FROM visits GROUP BY region ORDER BY region"
    for end in ("low", "high"):
        own = client.execute(query.format(f"dp.{end}(count(*))").encode()).fetchall()
        simulated = client.execute(query.format(f"dp.{end}((count(*) + 5) - 5)").encode()).fetchall()
        assert simulated == own


@pytest.mark.parametrize(
    ("expression", "is_known"),
    [
        ("count(*) * 1000000000000", True),
        ("count(*) * '3'", True),
        ("(count(*) * 1e10)::bigint / 7 - count(minutes)", True),
        ("count(*) * 4604000000000000", False),
        ("count(*) * count(*) * count(*) * count(*) * count(*) * count(*)", False),
        ("(count(*) * 1e15::double precision)::bigint", False),
        ("count(*)::double precision * 1e200 * 1e200", False),
        ("count(*)::double precision / 1e200 / 1e200", False),
    ],
)
def test_draws_beyond_their_type_make_no_paid_answer_fail(
    client: psycopg.Connection, expression: str, is_known: bool
) -> None:
    text = f"SELECT dp.low({expression}), dp.high({expression}), dp.stddev({expression}) FROM visits"
    (row,) = client.execute(text.encode()).fetchall()
    assert [value is not None for value in row] == [is_known] * 3


def test_interval_of_an_expression_is_the_same_each_time_and_wherever_it_stands(client: psycopg.Connection) -> None:
    ratio = "dp.high(sum(cost) / nullif(count(*), 0), 0.8)"
    shown = client.execute(f"SELECT region, {ratio} FROM visits GROUP BY region ORDER BY 1".encode()).fetchall()
    again = client.execute(
        f"SELECT region, x FROM (SELECT region, {ratio} AS x, count(*) FROM visits GROUP BY region) AS r ORDER BY 1".encode()
    ).fetchall()
    assert again == shown
    assert len({high for _, high in shown}) == len(shown)


def test_draws_of_one_number_are_the_same_and_those_of_others_independent(client: psycopg.Connection) -> None:
    """What cancels has no noise; what does not has the root of the squares, here of a count and of another one twice."""
    deviations = [
        "dp.stddev(count(*) - count(*))",
        "dp.stddev(count(*))",
        "dp.stddev(1 * count(*))",
        "dp.stddev(count(*) - 2 * count(*) FILTER (WHERE urgent))",
        "dp.stddev(count(*) FILTER (WHERE urgent))",
    ]
    for row in client.execute(f"SELECT {', '.join(deviations)} FROM visits GROUP BY region".encode()).fetchall():
        nothing, own, simulated, both, other = row
        assert nothing == 0
        assert simulated == pytest.approx(own, rel=0.01)
        assert both == pytest.approx(math.hypot(own, 2 * other), rel=0.1)


def test_a_divisor_that_may_be_nothing_gives_no_interval(client: psycopg.Connection) -> None:
    nobody = "count(*) FILTER (WHERE cost > 1 AND cost < 1)"
    (ends,) = client.execute(
        f"SELECT dp.low(count(*) / nullif({nobody} - {nobody}, 0)), dp.low(1.0 * count(*)) FROM visits".encode()
    ).fetchall()
    assert ends[0] is None
    assert ends[1] is not None


def test_reliable_tells_whether_the_interval_is_within_a_share_of_the_number(client: psycopg.Connection) -> None:
    query = (
        "SELECT count(*), dp.low(count(*)), dp.reliable(count(*)), dp.reliable(count(*), 0.001), "
        "dp.reliable(count(*), 1000000), dp.reliable(count(*) * 1.0), dp.reliable(count(*) * 1.0, 1e0) FROM visits"
    )
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="the share in dp"):
        client.execute(query)
    (row,) = client.execute(query.replace("1e0", "1").encode()).fetchall()
    number, low, usual, strict, loose, simulated, whole = row
    assert usual == simulated == (number - low <= number / 5)
    assert strict == (number - low <= number / 1000)
    assert loose
    assert whole == (number - low <= number)


def test_numbers_with_more_noise_than_max_error_are_null(client: psycopg.Connection) -> None:
    query = (
        "SELECT region, count(*), avg(cost), dp.low(count(*)), dp.high(avg(cost)), dp.low(avg(cost)) FROM visits "
        "GROUP BY region ORDER BY region"
    )
    all_numbers = client.execute(query).fetchall()
    width = all_numbers[0][1] - all_numbers[0][3]
    middle: int = sorted(abs(row[1]) for row in all_numbers)[len(all_numbers) // 2]
    percent = Decimal(f"{100 * width / middle:.6f}")
    try:
        for setting, most in (
            (f"{percent} %", lambda number: abs(number) * percent / 100),
            ("±0.000001", lambda _: Decimal("0.000001")),
            (f"{width}", lambda _: width),
        ):
            client.execute("SELECT set_config('dp.max_error', %s, false)", (setting,))
            shown = client.execute(query).fetchall()
            for row, all_of_it in zip(shown, all_numbers, strict=True):
                _, number, average, low, _, _ = all_of_it
                assert row[3:] == all_of_it[3:]
                assert row[1] == (number if number - low <= most(number) else None)
                # An average of too few rows is NULL by itself.
                if average is not None and max(all_of_it[4] - average, average - all_of_it[5]) > most(average):
                    average = None
                assert row[2] == average
            assert {row[1] is None for row in shown} == ({True, False} if "%" in setting else {setting.startswith("±")})
    finally:
        client.execute("RESET dp.max_error")

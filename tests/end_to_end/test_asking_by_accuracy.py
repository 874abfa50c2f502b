"""dp.error chooses epsilon from what is known without data; dp.digits rounds to what the noise leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy


@pytest.fixture
def client(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    silent = {**clinic.PLENTY, "contribution": {}}
    with proxies(clinic.policy(visits=clinic.PLENTY, patients=silent)).connect() as connection:
        yield connection


def explained(client: psycopg.Connection, query: str) -> tuple[float, float]:
    """The epsilon of a block, and how far 95 % of its widest noise goes."""
    lines = "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()))
    epsilon = re.search(r"Mechanism: \w+; epsilon (\S+) for", lines)
    assert epsilon is not None
    accuracy = next(line for line in lines.split("\n") if line.startswith("  95 % of the noise"))
    return float(epsilon[1]), max(float(width) for width in re.findall(r"±([\d.e+]+)", accuracy))


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("SELECT count(*) FROM visits", 100),
        ("SELECT region, count(*), count(minutes) FROM visits GROUP BY region", 150),
        ("SELECT region, sum(cost) FROM visits GROUP BY region", 250_000),
        ("SELECT region, specialty_id, count(*) FROM visits GROUP BY ROLLUP (region, specialty_id)", 200),
        ("SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis", 150),
        ("SELECT count(DISTINCT patient_id), max(cost) FROM visits", 40),
        ("SELECT count(*) FROM patients", 12),
        ("SELECT region, count(*) FROM patients GROUP BY region", 7.96),
    ],
)
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace", "auto"])
def test_least_epsilon_with_noise_within_the_error_is_taken(
    client: psycopg.Connection, query: str, error: float, mechanism: str
) -> None:
    client.execute(f"SET dp.mechanism = {mechanism}".encode())
    client.execute(f"SET dp.error = {error}".encode())
    epsilon, width = explained(client, query)
    assert width <= error
    client.execute("RESET dp.error")
    client.execute(f"SET dp.epsilon = {epsilon * 0.9}".encode())
    assert explained(client, query)[1] > error


def test_price_follows_from_the_error_whatever_epsilon_is_set(client: psycopg.Connection) -> None:
    query = "SELECT count(*) FROM visits"
    client.execute("SET dp.error = 100")
    first = explained(client, query)
    answer = client.execute(query.encode()).fetchone()
    for epsilon in ("0.01", "1e9"):  # the last is more than the policy allows
        client.execute(f"SET dp.epsilon = {epsilon}".encode())
        assert explained(client, query) == first
        assert client.execute(query.encode()).fetchone() == answer
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"dp\.epsilon is 1e\+09"):
        client.execute("SELECT max(cost) FROM visits")


def test_explain_says_what_half_the_noise_costs(client: psycopg.Connection) -> None:
    def lines(query: str) -> list[str]:
        return [
            row[0].strip()
            for row in client.execute(f"EXPLAIN {query}".encode())
            if "noise:" in row[0] or "policy's" in row[0]
        ]

    query = "SELECT count(*) FROM visits"
    client.execute("SET dp.mechanism = gaussian")
    assert lines(query)[1:] == ["Half the noise: dp.epsilon = 1, rho 0.5, which is 4 times as much"]
    client.execute("SET dp.epsilon = 1.5")
    assert lines(query)[1:] == [
        "Half the noise: not possible, the policy allows at most epsilon 2",
        "At the policy's epsilon 0.5: 3 times as much noise",
    ]
    client.execute("RESET dp.epsilon; SET dp.mechanism = laplace")
    assert lines(query)[1].startswith("Half the noise: dp.epsilon = 1, pure epsilon 1, rho ")
    client.execute("SET dp.error = 400")
    assert lines(query)[1].startswith("Half the noise: dp.error = 200, pure epsilon ")


def test_block_without_such_a_number_has_its_usual_price(client: psycopg.Connection) -> None:
    usual = client.execute("EXPLAIN SELECT max(cost) FROM visits").fetchall()
    client.execute("SET dp.error = 3")
    assert client.execute("EXPLAIN SELECT max(cost) FROM visits").fetchall() == usual
    assert client.execute("SELECT DISTINCT region FROM visits").rowcount > 3


def test_max_price_holds_for_what_an_error_costs(client: psycopg.Connection) -> None:
    client.execute("SET dp.error = 60")
    client.execute("SET dp.max_price = '0.00000001 %'")
    with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
        client.execute("SELECT count(*) FROM visits")


@pytest.mark.parametrize("aggregate", ["count(*)", "sum(cost)", "avg(cost)", "sum(score)", "stddev(cost)"])
def test_last_digit_is_the_first_of_the_deviation(client: psycopg.Connection, aggregate: str) -> None:
    query = f"SELECT region, {aggregate}, dp.stddev({aggregate}), dp.low({aggregate}) FROM visits GROUP BY region"
    exact = {row[0]: row[1:] for row in client.execute(query.encode())}
    client.execute("SET dp.digits = on")
    rounded = {row[0]: row[1:] for row in client.execute(query.encode())}
    assert exact.keys() == rounded.keys()
    for key, (number, deviation, low) in exact.items():
        shown = rounded[key][0]
        if number is None or deviation is None:  # of a group without rows
            assert rounded[key] == (number, deviation, low)
            continue
        step = 10.0 ** int(f"{deviation:e}".partition("e")[2])
        assert rounded[key][1:] == (deviation, low)
        assert abs(float(shown) - float(number)) <= step / 2 * 1.0001
        assert abs(float(shown) / step - round(float(shown) / step)) < 1e-6
    assert exact != rounded


def test_what_has_no_noise_keeps_its_digits(client: psycopg.Connection) -> None:
    query = b"SELECT birth_year, count(*), max(height) FROM patients WHERE birth_year < 1935 GROUP BY 1 ORDER BY 1"
    before = client.execute(query).fetchall()
    client.execute("SET dp.digits = auto")
    assert [(row[0], row[2]) for row in client.execute(query)] == [(row[0], row[2]) for row in before]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE cost > 3",
        "SELECT region, count(*) FROM visits WHERE cost > 4 GROUP BY region",
        "SELECT (SELECT count(*) FROM patients WHERE height > 3), (SELECT count(*) FROM visits WHERE cost > 5)",
    ],
)
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_share_is_of_what_was_released_before(client: psycopg.Connection, query: str, mechanism: str) -> None:
    client.execute(f"SET dp.mechanism = {mechanism}".encode())
    client.execute("SET dp.epsilon = 0.2")
    client.execute(query.encode())
    client.execute("SET dp.error = '40 %'")
    explained_lines = "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()))
    allowed = [float(width) for width in re.findall(r"dp.error: 40 % .*: count\(\*\) ±([\d.]+)", explained_lines)]
    widths = [
        float(width) for width in re.findall(r"(?m)^  95 % of the noise: count\(\*\) within ±([\d.]+)", explained_lines)
    ]
    assert len(allowed) == len(widths) == query.count("FROM")
    assert all(width <= limit for width, limit in zip(widths, allowed, strict=True))


def test_share_is_of_what_was_released_at_a_lower_epsilon_too(client: psycopg.Connection) -> None:
    query = "SELECT region, count(*) FROM visits WHERE cost > 9 GROUP BY region"
    client.execute("SET dp.mechanism = gaussian; SET dp.epsilon = 0.05")
    client.execute(query.encode())
    client.execute("RESET dp.epsilon; SET dp.error = '40 %'")
    lines = "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()))
    assert re.search(r"dp.error: 40 % .*: count\(\*\) ±[\d.]+", lines)


def test_share_that_is_asked_again_is_free(client: psycopg.Connection) -> None:
    query = "SELECT region, count(*) FROM visits WHERE cost > 6 GROUP BY region"
    client.execute("SET dp.mechanism = gaussian; SET dp.epsilon = 0.2")
    client.execute(query.encode())
    client.execute("SET dp.error = '3 %'")
    told: list[str | None] = []
    client.add_notice_handler(lambda notice: told.append(notice.message_primary))
    answers = [client.execute(query.encode()).fetchall() for _ in range(5)]
    assert all(answer == answers[0] for answer in answers)
    assert str(told[0]).startswith("dpproxy charged rho ")
    assert {str(text)[:16] for text in told[1:]} == {"dpproxy recalled"}


def test_share_chooses_epsilon_whatever_is_set(client: psycopg.Connection) -> None:
    query = "SELECT count(*) FROM visits WHERE cost > 8"
    client.execute(query.encode())
    client.execute("SET dp.error = '40 %'")
    expected = explained(client, query)
    client.execute("SET dp.epsilon = 1e9")
    assert explained(client, query) == expected
    client.execute(query.encode())
    # Nothing of it is within a share: its epsilon is that of the session.
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"dp.epsilon is 1e\+09, but the policy allows"):
        client.execute("SELECT min(cost) FROM visits")


def test_share_beyond_the_policys_largest_epsilon_is_refused(client: psycopg.Connection) -> None:
    client.execute("SELECT count(*) FROM visits WHERE cost > 7")
    client.execute("SET dp.error = '0.001 %'")
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"but the noise of this query is .* % at best"):
        client.execute("SELECT count(*) FROM visits WHERE cost > 7")


@pytest.mark.parametrize(
    "query", ["SELECT avg(cost) FROM visits", "SELECT count(*) FROM patients GROUP BY ROLLUP (region)"]
)
def test_share_of_what_has_no_such_noise_is_refused(client: psycopg.Connection, query: str) -> None:
    client.execute(query.encode())
    client.execute("SET dp.error = '10 %'")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="cannot be a share"):
        client.execute(query.encode())

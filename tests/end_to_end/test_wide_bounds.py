"""Values that are close together between bounds that are far apart: with a huge epsilon, no digit of theirs is lost.

Where the policy states how many rows of a unit count, the noise of a sum is as wide as bounds, and hides rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, over_tables
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TABLE parts (id integer PRIMARY KEY, maker integer, price numeric(12, 2), value numeric(18, 2), n bigint, share float8);
INSERT INTO parts SELECT i, i % 400, x, x, i % 900, x / 7 FROM generate_series(1, 4000) AS i, round(5 + (i * 7919 % 5000) / 100.0, 2) AS x;
"""
SUMS = {
    "a quotient that is always 1": "avg(value / nullif(price, 0))",
    "a product": "sum(n * price)",
    "a square": "sum(n * n)",
    "a product divided": "sum(price * n / 3)",
    "an average of a product": "avg(n * value)",
    "a product of a float": "sum(share * n)",
    "a difference far from zero": "avg(price * n - value)",
}
MOMENTS = {
    "a deviation of a numeric": "stddev(price)",
    "a deviation of a float": "stddev(share)",
    "a variance of an exponential": "variance(exp(least(share, 20) / 2))",
    "a covariance": "covar_pop(share, price)",
    "a correlation": "corr(share, sqrt(price))",
    "a slope": "regr_slope(share, price)",
    "a deviation beside an average": "avg(share) + 0 * stddev(share)",
    "an average beside a deviation": "stddev(share) + 0 * avg(share)",
}


@pytest.fixture(scope="module", params=[None, 12], ids=["auto", "stated"])
def both(request: pytest.FixtureRequest, proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    generous = {"budget": {"epsilon": "1e60", "delta": "0.4"}, "query": {"epsilon": "1e50", "delta": "0.1"}}
    columns: dict[str, object] = {
        "price": {"bounds": [0, 1_000_000]},
        "value": {"bounds": [0, 100_000_000]},
        "n": {"bounds": [0, 1_000_000_000]},
        "share": {"bounds": [0, 10_000]},
    }
    parts = {"unit": {"name": "maker", "column": "maker"}, "columns": columns, **generous}
    stated = {"contribution": {"max_rows": request.param}} if request.param is not None else {}
    content = {**clinic.POLICY, "units": {"maker": {}}, "tables": {"public.parts": parts | stated}}
    with over_tables(TABLE, Policy.model_validate(content), copy_clinic(), proxies) as found:
        yield found


def _relative_error(expression: str, both: Connections) -> float:
    query = f"SELECT {expression} FROM parts".encode()
    found, expected = (float(row[0]) for connection in both for row in connection.execute(query).fetchall())
    return math.inf if math.isnan(found) else abs(found - expected) / abs(expected)


@pytest.mark.parametrize("both", [None], indirect=True, ids=["auto"])
@pytest.mark.parametrize("expression", SUMS.values(), ids=SUMS)
def test_sums_keep_the_digits_of_their_values(expression: str, both: Connections) -> None:
    assert _relative_error(expression, both) < 1e-3


@pytest.mark.parametrize("expression", MOMENTS.values(), ids=MOMENTS)
def test_rounding_does_not_pass_for_variance(expression: str, both: Connections) -> None:
    assert _relative_error(expression, both) < 2e-3

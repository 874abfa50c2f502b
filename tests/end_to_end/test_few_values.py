"""Rows of one unit that meet few others, by a key whose other columns have few values, take part in full."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE campaigns (campaign integer PRIMARY KEY, first date NOT NULL, last date NOT NULL);
CREATE TABLE targets (buyer integer, campaign integer REFERENCES campaigns, PRIMARY KEY (buyer, campaign));
CREATE TABLE baskets (basket integer PRIMARY KEY, buyer integer NOT NULL, day date NOT NULL);
INSERT INTO campaigns SELECT i, date '2024-01-01' + 10 * i, date '2024-01-31' + 12 * i FROM generate_series(1, 20) AS i;
INSERT INTO targets SELECT b, c FROM generate_series(1, 60) AS b, generate_series(1, 20) AS c WHERE (b + c) % 3 > 0;
INSERT INTO baskets SELECT i, 1 + i % 6, date '2024-01-01' + i / 18 FROM generate_series(1, 6000) AS i;
"""
"""Six buyers have a thousand baskets each."""

MET = "baskets b JOIN targets t ON t.buyer = b.buyer"
SAME = {
    "a foreign key": f"SELECT c.campaign, count(*) FROM {MET} JOIN campaigns c ON c.campaign = t.campaign AND b.day BETWEEN c.first AND c.last GROUP BY 1",
    "a list": f"SELECT t.campaign, count(*) FROM {MET} WHERE t.campaign IN (3, 4, 7) AND b.day > date '2024-01-01' + t.campaign GROUP BY 1",
    "a list in an outer join": "SELECT count(*), count(t.campaign) FROM baskets b LEFT JOIN targets t ON t.buyer = b.buyer AND t.campaign IN (3, 5) "
    "AND b.day > date '2024-01-01' + t.campaign",
    "existence": "SELECT count(*) FROM baskets b WHERE EXISTS (SELECT FROM targets t JOIN campaigns c USING (campaign) "
    "WHERE t.buyer = b.buyer AND b.day BETWEEN c.first AND c.last)",
}


def policy() -> Policy:
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}

    def table(**columns: object) -> dict[str, object]:
        return {"unit": {"name": "buyer", "column": "buyer"}, "columns": {"buyer": {}} | columns, **generous}

    tables = {
        "public.campaigns": {"public": True},
        "public.targets": table(campaign={"values_from": "public.campaigns.campaign"}),
        "public.baskets": table(basket={}, day={"bounds": [dt.date(2024, 1, 1), dt.date(2024, 12, 31)]}),
    }
    return Policy.model_validate({**clinic.POLICY, "units": {"buyer": {}}, "tables": tables})


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    with over_tables(TABLES, policy(), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_units_with_many_rows_count_as_in_postgres(query: str, both: Connections) -> None:
    assert_same_answer(query, both)

"""A percentile falls on a row as it does in PostgreSQL, also with an epsilon that is large but not huge."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from proxy.dp.histogram import Histogram
from proxy.dp.quantiles import QuantileMechanism
from proxy.sql.planning.choices import CELLS
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY


@pytest.mark.parametrize(("order", "expected"), [("minutes", 40), ("minutes DESC", 50)])
def test_half_of_an_even_number_of_rows_is_the_row_that_comes_first(order: str, expected: int) -> None:
    text = f"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY {order}) FROM visits"
    (mechanism,) = plan_of(text, Schema(POLICY, CATALOG)).choosing
    assert isinstance(mechanism, QuantileMechanism)
    rows = np.arange(0, 100, 10)
    counted = Histogram(mechanism.buckets, rows, np.full(len(rows), CELLS))
    exact = QuantileMechanism(
        mechanism.fractions, CELLS, mechanism.buckets, Fraction(10**5), mechanism.lean, mechanism.row
    )
    assert exact.release(counted) == [expected]

"""`SET dp.delta` and `SET dp.calibration` through the wire: the crossovers of theorem 16, prices, and answers."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import psycopg
import pytest

from proxy.dp.calibrated import CALIBRATIONS, calibrated_rho
from proxy.dp.conversion import largest_rho
from proxy.sql.planning.pricing import REFINEMENT
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_session_settings import plan_of, prices


@pytest.fixture(scope="module")
def rich_proxy(proxies: StartProxy) -> RunningProxy:
    plenty = {"budget": {"epsilon": "1000", "delta": "1e-3"}, "per_analyst": None}
    return proxies(clinic.policy(visits=plenty, patients=plenty))


def ask_for(client: psycopg.Connection, **values: object) -> None:
    for name, value in values.items():
        client.execute(f"SET dp.{name} = '{value}'".encode())


def equal_counts(count: int, table: str, column: str) -> str:
    """A query of `count` statistics, each of which one person changes by 1."""
    return f"SELECT {', '.join(f'count(*) FILTER (WHERE {column} > {n})' for n in range(count))} FROM {table}"


@pytest.mark.parametrize(("table", "column"), [("patients", "birth_year"), ("visits", "minutes")])
@pytest.mark.parametrize(
    ("epsilon", "calibration", "first"),
    [("1", "analytic", 7), (str(math.log(3)), "analytic", 8), ("1", "zcdp", 9)],
    ids=["1", "ln 3", "zcdp"],
)
def test_auto_changes_from_laplace_to_gaussian_at_the_reference_number_of_statistics(
    epsilon: str, calibration: str, first: int, table: str, column: str, rich_proxy: RunningProxy
) -> None:
    with rich_proxy.connect() as client:
        ask_for(client, epsilon=epsilon, delta="1e-5", calibration=calibration, max_rows=1)
        for count in (first - 1, first):
            plan = plan_of(client, equal_counts(count, table, column))
            chosen = "gaussian" if count == first else "laplace"
            assert f"Mechanism: {chosen}; epsilon {float(epsilon):.6g}, delta 1e-05 for the block" in plan
            assert plan.count("(chosen)") == 1


def test_explain_shows_each_alternative_with_its_numbers(rich_proxy: RunningProxy) -> None:
    with rich_proxy.connect() as client:
        ask_for(client, epsilon="1", delta="1e-5", calibration="analytic", max_rows=1)
        plan = plan_of(client, equal_counts(50, "visits", "minutes"))
    assert "    laplace: standard deviation 70.7107, price pure epsilon 1, rho 0.00999967\n" in plan
    assert "    gaussian zcdp: standard deviation 28.6034, price rho 0.0305566\n" in plan
    assert "    gaussian analytic: standard deviation 26.3796, price rho 0.0359257 (chosen)\n" in plan
    assert (
        "    gaussian classic: not possible, the classic calibration is proven only for epsilon below 1, got 1" in plan
    )


def test_the_ledger_is_charged_the_rho_that_the_noise_has(rich_proxy: RunningProxy) -> None:
    with rich_proxy.connect() as client:
        ask_for(client, epsilon="0.5", delta="1e-5", mechanism="gaussian")
        for calibration in CALIBRATIONS:
            ask_for(client, calibration=calibration)
            rho = f"{float(calibrated_rho(calibration, Fraction(1, 2), Fraction(1, 10**5), REFINEMENT)):.6g}"
            before = spent_rho(client)
            texts = prices(client, "SELECT count(*) FROM visits")
            assert texts == [f"dpproxy charged epsilon 0.5, delta 1e-05 (rho {rho})"]
            assert spent_rho(client) - before == pytest.approx(float(rho), rel=1e-5)


def spent_rho(client: psycopg.Connection) -> float:
    row = client.execute("SELECT rho_spent FROM dp.budget WHERE account = 'table:public.visits'").fetchone()
    assert row is not None
    return float(row[0])


def test_answers_of_a_continuous_calibration_are_counts_with_the_noise_that_explain_shows(
    rich_proxy: RunningProxy,
) -> None:
    """480 counts of 2000 patients that are known.

    The mean square of their noises is between 0.68 and 1.36 of σ² (chi-squared; false alarm 2.5e-7). Noise scaled by 1.3
    or 0.7 is found with a chance above 99.9 %, and cells that are taken for rows always.
    """
    numbers = range(481, 961)
    columns = ", ".join(f"count(*) FILTER (WHERE patient_id % {n} = 0)" for n in numbers)
    with rich_proxy.connect() as client:
        ask_for(client, epsilon="2", delta="1e-5", calibration="analytic", mechanism="gaussian", notices="off")
        plan = plan_of(client, f"SELECT {columns} FROM patients")
        (row,) = client.execute(f"SELECT {columns} FROM patients".encode()).fetchall()
    deviation = float(plan.partition("standard deviation ")[2].partition(",")[0])
    noises = [value - 2000 // n for value, n in zip(row, numbers, strict=True)]
    assert 0.68 < statistics.fmean(noise**2 for noise in noises) / deviation**2 < 1.36


def test_another_delta_or_calibration_is_another_question(rich_proxy: RunningProxy) -> None:
    question = "SELECT urgent, count(*) FROM visits GROUP BY urgent"
    with rich_proxy.connect() as client:
        ask_for(client, epsilon="0.5", mechanism="gaussian")
        for name, value in (("delta", "1e-5"), ("delta", "1e-6"), ("calibration", "analytic"), ("delta", "1e-5")):
            ask_for(client, **{name: value})
            assert "charged" in str(prices(client, question))
            assert "recalled" in str(prices(client, question))


def test_keys_and_noise_share_the_stated_delta(rich_proxy: RunningProxy) -> None:
    with rich_proxy.connect() as client:
        ask_for(client, epsilon="1", delta="1e-5", mechanism="gaussian")
        plan = plan_of(client, "SELECT diagnosis, count(*) FROM visits GROUP BY 1")
    assert "Delta: 5e-06 for the noise calibrated by zcdp, 5e-06 for selecting group keys" in plan
    rho = float(largest_rho(Fraction(1), Fraction(5, 10**6)))
    assert f"\n  Price: rho {rho:.6g}, delta 5e-06\n" in plan


@pytest.mark.parametrize("value", ["0", "1", "-1e-6", "NaN", "1e-400", "2", "1e-6; SELECT 1"])
def test_a_delta_that_is_no_probability_is_refused_by_set_and_by_set_config(
    value: str, rich_proxy: RunningProxy
) -> None:
    with rich_proxy.connect() as client:
        with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"invalid value for setting .dp"):
            client.execute(f"SET dp.delta = '{value}'".encode())
        client.execute("SELECT set_config('dp.delta', %s, false)", (value,))
        with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"invalid value for setting .dp"):
            client.execute("SELECT count(*) FROM visits")

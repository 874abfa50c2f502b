"""Prices, accounts and the conversion from zCDP (theorems 14 and 15)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proxy.dp.accounting import QUERIES_CAP, Account, Price, Remaining
from proxy.dp.conversion import QUANTUM, largest_rho, pure_rho
from tests.dp.conversion import conversion_delta, log_delta

pytestmark = pytest.mark.statistical

REFERENCE = Account(Fraction(3), Fraction(2, 10**6))  # 1e-6 for the conversion alone
AMOUNTS = st.fractions(min_value=0, max_value=5, max_denominator=10**6)
PRICES = st.builds(Price, st.none() | AMOUNTS, AMOUNTS, st.fractions(0, Fraction(1, 10**6)))
ACCOUNTS = st.builds(
    Account,
    st.sampled_from([Fraction(1, 10), Fraction(3), Fraction(10)]),
    st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 100)]),
)


@pytest.mark.parametrize(
    ("price", "admitted"),
    [
        (Price.laplace(Fraction(1, 10)), 37),
        (Price.laplace(Fraction(1, 100)), 3701),
        (Price.laplace(Fraction(1, 2)), 6),
        (Price.gaussian(1 / (2 * Fraction("50.21") ** 2)), 933),
        (Price(Fraction(1, 10), Fraction(1, 800), Fraction(0)), 148),
    ],
    ids=["laplace 0.1", "laplace 0.01", "laplace 0.5", "gaussian", "exponential"],
)
def test_an_account_admits_as_many_queries_as_the_reference_table(price: Price, admitted: int) -> None:
    spent = Price.zero()
    assert REFERENCE.queries_left(spent, price) == admitted
    for _ in range(admitted):
        assert REFERENCE.admits(spent, price)
        spent += price
    assert not REFERENCE.admits(spent, price)


def test_the_reference_budget_converts_to_its_rho() -> None:
    assert float(REFERENCE.rho_max) == pytest.approx(0.1851, abs=5e-5)
    assert conversion_delta(Fraction(1, 2), Fraction("5.2215")) == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.parametrize("delta", [Fraction(1, 10**300), Fraction(1, 10**6), Fraction(1, 2)], ids=float)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10**6), Fraction(1, 3), Fraction(100), Fraction(10**12)], ids=float)
def test_largest_rho_is_sound_and_tight_at_every_magnitude(epsilon: Fraction, delta: Fraction) -> None:
    rho = largest_rho(epsilon, delta)
    more = rho * (1 + Fraction(1, 10**12)) + QUANTUM
    assert rho % QUANTUM == 0
    with mpmath.workdps(150):
        goal = mpmath.log(mpmath.mpf(delta.numerator) / delta.denominator)
        grid = [mpmath.mpf(step) / 4 for step in range(-160, 160)]
        nearest = min(grid, key=lambda x: log_delta(rho, epsilon, mpmath.exp(x)))
        slope = lambda x: mpmath.diff(lambda y: log_delta(rho, epsilon, mpmath.exp(y)), x)  # noqa: E731
        best = mpmath.exp(mpmath.findroot(slope, nearest))
        assert log_delta(rho, epsilon, best) <= goal
        orders = [best * (1 + mpmath.mpf(step) / 10**4) for step in range(-50, 51)]
        assert min(log_delta(more, epsilon, order) for order in orders) > goal


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**12))
def test_the_rho_of_a_pure_release_is_rounded_up_by_less_than_two_quanta(epsilon: Fraction) -> None:
    rho = pure_rho(epsilon)
    with mpmath.workdps(120):
        exact = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        exact *= mpmath.tanh(exact / 2)
        surplus = mpmath.mpf(rho.numerator) / rho.denominator - exact
        assert 0 <= surplus <= mpmath.mpf(2) * 10**-27
    assert rho % QUANTUM == 0


@given(PRICES, PRICES, PRICES)
def test_totals_do_not_depend_on_the_order(first: Price, second: Price, third: Price) -> None:
    assert first + second == second + first
    assert (first + second) + third == first + (second + third)
    assert first + Price.zero() == first


@given(ACCOUNTS, PRICES, PRICES, PRICES)
def test_admission_is_monotone(account: Account, spent: Price, price: Price, extra: Price) -> None:
    if account.admits(spent + extra, price):
        assert account.admits(spent, price)
    if account.admits(spent, price + extra):
        assert account.admits(spent, price)


@given(ACCOUNTS, st.lists(PRICES, max_size=12))
def test_what_an_account_admits_never_exceeds_its_limits(account: Account, prices: list[Price]) -> None:
    spent = Price.zero()
    for price in prices:
        if account.admits(spent, price):
            spent += price
    assert spent.delta <= account.delta_keys
    pure = spent.epsilon is not None and spent.epsilon <= account.epsilon
    assert pure or (account.delta > 0 and conversion_delta(spent.rho, account.epsilon) <= account.delta_conversion)


@example(REFERENCE, Price(Fraction(0), Fraction(1), Fraction(0)), Price(None, Fraction(0), Fraction(1, 10**9)))
@given(ACCOUNTS, PRICES, PRICES)
def test_queries_left_is_where_admission_ends(account: Account, spent: Price, price: Price) -> None:
    left = account.queries_left(spent, price)
    total = Price(None if price.epsilon is None else left * price.epsilon, left * price.rho, left * price.delta)
    if left == QUERIES_CAP:
        return
    if left and account.admits(Price.zero(), spent):
        assert account.admits(spent, total)
    assert not account.admits(spent + total, price)


@given(PRICES)
def test_prices_survive_their_decimal_form(price: Price) -> None:
    assert Price.from_decimals(*price.as_decimals()) == price


def test_prices_are_rounded_up_to_thirty_decimals() -> None:
    third = Price.gaussian(Fraction(1, 3))
    assert third.as_decimals() == (None, Decimal("0." + "3" * 29 + "4"), Decimal(0))
    assert Price.key_selection(Fraction(1, 10**40)).delta == QUANTUM


def test_pure_accounts_have_only_the_pure_rail() -> None:
    account = Account(Fraction(1), Fraction(0))
    assert account.rho_max == 0
    assert account.admits(Price.zero(), Price.laplace(Fraction(1)))
    assert not account.admits(Price.zero(), Price.laplace(Fraction(1)) + Price.laplace(Fraction(1, 10**20)))
    assert not account.admits(Price.zero(), Price.gaussian(Fraction(1, 10**9)))
    assert not account.admits(Price.zero(), Price.key_selection(Fraction(1, 10**9)))


def test_one_charge_that_is_not_pure_closes_the_pure_rail() -> None:
    pure = Price.laplace(Fraction(1, 2))
    spent = Price.gaussian(Fraction(1, 10))
    assert REFERENCE.admits(Price.zero(), pure)
    assert not REFERENCE.admits(spent, pure)  # 0.1 + 0.122 is beyond 0.185, though epsilon 0.5 is within 3
    assert REFERENCE.admits(spent, Price.laplace(Fraction(1, 10)))


def test_remaining_is_never_negative_and_says_when_the_pure_rail_is_closed() -> None:
    assert REFERENCE.remaining(Price.zero()) == Remaining(Fraction(3), REFERENCE.rho_max, Fraction(1, 10**6))
    assert REFERENCE.remaining(Price.laplace(Fraction(4))) == Remaining(Fraction(0), Fraction(0), Fraction(1, 10**6))
    assert REFERENCE.remaining(Price.gaussian(Fraction(1))).epsilon is None
    assert REFERENCE.remaining(Price.key_selection(Fraction(1, 2))).delta == 0


def test_the_share_that_is_left_is_that_of_the_rail_with_more_room() -> None:
    spent = Price.laplace(Fraction(1, 10))
    by_epsilon = 1 - Fraction(1, 30)
    by_rho = 1 - spent.rho / REFERENCE.rho_max
    assert by_rho > by_epsilon
    assert REFERENCE.share_left(REFERENCE.remaining(spent)) == by_rho
    large = Price.laplace(Fraction(5, 2))
    assert REFERENCE.share_left(REFERENCE.remaining(large)) == Fraction(1, 6)
    assert REFERENCE.share_left(REFERENCE.remaining(Price.gaussian(Fraction(1)))) == 0
    pure = Account(Fraction(1), Fraction(0))
    assert pure.share_left(pure.remaining(Price.gaussian(Fraction(1)))) == 0


def test_queries_left_are_counted_up_to_a_thousand_million_and_where_a_part_costs_nothing() -> None:
    pure = Account(Fraction(1), Fraction(0))
    assert pure.queries_left(Price.zero(), Price.laplace(Fraction(1, 4))) == 4
    assert pure.queries_left(Price.zero(), Price.laplace(Fraction(1, 10**12))) == 10**9 == QUERIES_CAP
    assert pure.queries_left(Price.zero(), Price.zero()) == QUERIES_CAP
    tiny = Price.laplace(Fraction(1, 10**12)) + Price.key_selection(Fraction(1, 10**30))
    assert REFERENCE.queries_left(Price.zero(), tiny) == QUERIES_CAP


def test_huge_epsilons_are_paid_from_huge_budgets() -> None:
    account = Account(Fraction(10**12), Fraction(1, 10**6))
    assert account.queries_left(Price.zero(), Price.laplace(Fraction(10**6))) == 10**6
    # ρ_max is about ε - 2·√(ε·ln(1/δ_conv)) = 1e12 - 7.6e6.
    assert account.queries_left(Price.zero(), Price.gaussian(Fraction(10**6))) == 999992


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), Decimal("sNaN")])
def test_accounts_and_prices_refuse_what_is_not_positive_and_finite(bad: object) -> None:
    with pytest.raises(ValueError, match="epsilon must be"):
        Account(bad, Fraction(0))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="epsilon must be"):
        Price.laplace(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rho must be"):
        Price.gaussian(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="delta must be"):
        Price.key_selection(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("delta", [Fraction(-1), Fraction(1), Fraction(2)])
def test_accounts_refuse_a_delta_outside_zero_to_one(delta: Fraction) -> None:
    with pytest.raises(ValueError, match="delta must"):
        Account(Fraction(1), delta)


def test_an_account_admits_all_of_each_rail_and_not_a_quantum_more() -> None:
    account, nothing = Account(Fraction(1), Fraction(1, 10**6)), Fraction(0)
    free = Price(nothing, nothing, nothing)
    assert account.admits(free, Price(Fraction(1), account.rho_max + 1, nothing))
    assert not account.admits(free, Price(1 + QUANTUM, account.rho_max + 1, nothing))
    assert account.admits(free, Price(None, account.rho_max, nothing))
    assert not account.admits(free, Price(None, account.rho_max + QUANTUM, nothing))
    assert account.admits(free, Price(None, nothing, account.delta_keys))
    assert not account.admits(free, Price(None, nothing, account.delta_keys + QUANTUM))


@pytest.mark.parametrize("release", [Price.laplace, lambda epsilon: Price.gaussian(epsilon**2 / 2), Price.exponential])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
def test_the_payable_share_of_an_epsilon_is_admitted(release: Callable[[Fraction], Price], delta: Fraction) -> None:
    account, epsilon = Account(Fraction(2), delta), Fraction(5)
    spent = Price.laplace(Fraction(1, 3))
    share = account.payable_share(spent, release(epsilon))
    if not share:
        assert release(epsilon).epsilon is None
        assert not delta
        return
    assert share < 1
    # Each part of a price is rounded up to a quantum.
    assert account.admits(spent, release(epsilon * share * (1 - Fraction(1, 10**9))))


def test_the_payable_share_is_the_largest_one_for_noise_of_one_kind() -> None:
    account = Account(Fraction(2), Fraction(1, 10**6))
    gaussian = account.payable_share(Price.zero(), Price.gaussian(Fraction(25, 2)))
    assert not account.admits(Price.zero(), Price.gaussian((5 * gaussian * Fraction(1001, 1000)) ** 2 / 2))
    assert Account(Fraction(2), Fraction(0)).payable_share(Price.zero(), Price.laplace(Fraction(5))) == Fraction(2, 5)


def test_share_of_a_limit_is_by_the_cheaper_rail_and_by_the_delta_for_keys() -> None:
    pure, mixed = Account(Fraction(2), Fraction(0)), Account(Fraction(2), Fraction(1, 10**6))
    assert pure.share_of(Price.laplace(Fraction(1, 2))) == Fraction(1, 4)
    assert pure.share_of(Price.gaussian(Fraction(1, 2))) > 1
    assert mixed.share_of(Price.gaussian(mixed.rho_max / 4)) == pytest.approx(0.25)
    assert mixed.share_of(Price.key_selection(Fraction(1, 4 * 10**6))) == Fraction(1, 2)
    assert pure.share_of(Price.key_selection(Fraction(1, 10**6))) > 1

"""The refusal when an account cannot pay: the price, what is left, what to do."""

from __future__ import annotations

import datetime as dt
import decimal
from fractions import Fraction
from typing import Final

from proxy.dp.accounting import Price, Remaining
from proxy.errors import BudgetExhaustedError

# Prices are rounded up and remainders down, so that no printed price seems to fit when it does not.
_UP: Final = decimal.Context(prec=4, rounding=decimal.ROUND_UP)
_DOWN: Final = decimal.Context(prec=4, rounding=decimal.ROUND_DOWN)


def budget_exhausted(
    account: str,
    price: Price,
    remaining: Remaining,
    payable: Fraction | None = None,
    renews: dt.datetime | None = None,
    *,
    unlocks: bool = False,
) -> BudgetExhaustedError:
    """The error for `account`, which can pay `price` neither as pure ε nor as zCDP (theorem 15).

    Args:
        account: its name.
        price: what it cannot pay.
        remaining: what it has left.
        payable: the largest epsilon that all accounts could pay for, if there is one.
        renews: when the account begins anew, if it does.
        unlocks: will more of it be available tomorrow?
    """
    lower = (
        f"SET dp.epsilon = {_digits(payable, _DOWN)} would still pass" if payable is not None else "Lower dp.epsilon"
    )
    later = "wait a day, until more of the budget is unlocked, " if unlocks else ""
    if renews is not None:
        later += f"wait until {renews:%Y-%m-%d %H:%M} UTC, when the budget begins anew, "
    return BudgetExhaustedError(
        f'the budget of "{account}" cannot pay for this query; nothing was charged',
        detail=(
            f"The query costs {_amounts(price.epsilon, price.rho, price.delta, _UP)}; the account has "
            f"{_amounts(remaining.epsilon, remaining.rho, remaining.delta, _DOWN)} left."
        ),
        hint=f"{lower}, repeat an earlier query (its answer is free), {later}or ask the data steward for budget.",
        rule="budget_exhausted",
    )


def _amounts(epsilon: Fraction | None, rho: Fraction, delta: Fraction, rounding: decimal.Context) -> str:
    """All three amounts in words. An account that no longer counts pure epsilon has rho alone."""
    parts = {"epsilon": epsilon, "rho": rho, "delta": delta}
    return ", ".join(f"{name} {_digits(part, rounding)}" for name, part in parts.items() if part is not None)


def _digits(amount: Fraction, rounding: decimal.Context) -> str:
    """A few significant digits, in scientific notation where the number is very small or very large."""
    return format(rounding.divide(decimal.Decimal(amount.numerator), decimal.Decimal(amount.denominator)), "g")

"""The refusal when an account cannot pay: the price, what is left, what to do."""

from __future__ import annotations

import datetime as dt
import decimal
from fractions import Fraction
from typing import Final

from proxy.dp.accounting import Price, Remaining
from proxy.errors import NOTHING_CHARGED, BudgetExhaustedError

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
        f"SET dp.epsilon = {_digits(payable, _DOWN)}; is still possible" if payable is not None else "Lower dp.epsilon"
    )
    needs_delta = price.delta > 0
    if needs_delta and price.delta > remaining.delta:
        lower = (
            "Delta is what selected group keys, dp.delta and protected response times cost: group by declared keys, as "
            "those that WHERE lists"
        )
    elif price.epsilon is None and remaining.epsilon:
        lower += ", or SET dp.mechanism = 'laplace'; for noise that pure epsilon pays for"
    later = "More of it is unlocked each day. " if unlocks else ""
    if renews is not None:
        later += f"The budget begins anew on {renews:%Y-%m-%d %H:%M} UTC. "
    # A delta is told where the query needs one: it can be what is missing.
    return BudgetExhaustedError(
        f'the budget of "{account}" cannot pay for this query{NOTHING_CHARGED}',
        detail=(
            f"The query costs {_amounts(price, _UP, needs_delta=needs_delta)}; the account has "
            f"{_amounts(remaining, _DOWN, needs_delta=needs_delta)} left."
        ),
        hint=f"{lower}. Earlier queries are answered again for free. {later}The data steward can raise the budget.",
        rule="budget_exhausted",
    )


def _amounts(amounts: Price | Remaining, rounding: decimal.Context, *, needs_delta: bool) -> str:
    """The amounts in words. An account that no longer counts pure epsilon has rho alone."""
    parts = {"pure epsilon": amounts.epsilon, "rho": amounts.rho, "delta": amounts.delta if needs_delta else None}
    return ", ".join(f"{name} {_digits(part, rounding)}" for name, part in parts.items() if part is not None)


def _digits(amount: Fraction, rounding: decimal.Context) -> str:
    """A few significant digits, in scientific notation where the number is very small or very large."""
    return format(rounding.divide(decimal.Decimal(amount.numerator), decimal.Decimal(amount.denominator)), "g")

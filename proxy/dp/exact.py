"""Exact rationals: argument checks that name the argument, and rounding in a stated direction.

Prices, budgets and noise parameters are `Fraction`s throughout. A float that prints as 0.1 is not 0.1, and comparing
floats could admit one query too many.
"""

from __future__ import annotations

import decimal
import math
from contextlib import AbstractContextManager
from decimal import Decimal
from fractions import Fraction

_PRECISE = decimal.Context(
    prec=120,
    rounding=decimal.ROUND_HALF_EVEN,
    Emin=decimal.MIN_EMIN,
    Emax=decimal.MAX_EMAX,
    traps=[decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow],
)


def finite(name: str, value: Fraction | Decimal | float) -> Fraction:
    """`value` as an exact rational; errors call it `name`.

    Raises:
        ValueError: NaN or an infinity.
    """
    if type(value) is Fraction:
        return value
    # Decimal's own test, since float() of a signaling NaN raises with another message.
    if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise ValueError(f"{name} must be a finite number, got {value}")
    return Fraction(value)


def positive(name: str, value: Fraction | Decimal | float) -> Fraction:
    """`value` as an exact rational greater than zero.

    Raises:
        ValueError: NaN, an infinity, zero or a negative number.
    """
    number = finite(name, value)
    if number.numerator <= 0:
        raise ValueError(f"{name} must be greater than zero, got {value}")
    return number


def non_negative(name: str, value: Fraction | Decimal | float) -> Fraction:
    """`value` as an exact rational of at least zero.

    Raises:
        ValueError: NaN, an infinity or a negative number.
    """
    number = finite(name, value)
    if number.numerator < 0:
        raise ValueError(f"{name} must not be negative, got {value}")
    return number


def probability(name: str, value: Fraction | Decimal | float) -> Fraction:
    """`value` as an exact rational strictly between zero and one.

    Raises:
        ValueError: anything else.
    """
    number = positive(name, value)
    if number >= 1:
        raise ValueError(f"{name} must be less than one, got {value}")
    return number


def positive_count(name: str, value: int) -> int:
    """`value`, an integer of at least one.

    Raises:
        ValueError: zero or a negative number.
        TypeError: not an integer.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least one, got {value}")
    return value


def precise() -> AbstractContextManager[decimal.Context]:
    """Decimal arithmetic with 120 digits inside the `with` block, for this thread and task only.

    The decimal module's exp and ln are correctly rounded. mpmath's context is shared by threads, so that one could
    lower another's precision.
    """
    return decimal.localcontext(_PRECISE)


def to_decimal(value: Fraction) -> Decimal:
    """`value`, rounded to the digits of the current decimal context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def ceil_to(value: Fraction, quantum: Fraction) -> Fraction:
    """The least multiple of `quantum` that is not below `value`."""
    if quantum.numerator == 1 and quantum.denominator % value.denominator == 0:
        return value
    return math.ceil(value / quantum) * quantum


def floor_to(value: Fraction, quantum: Fraction) -> Fraction:
    """The greatest multiple of `quantum` that is not above `value`."""
    return math.floor(value / quantum) * quantum


def square_root_above(value: Fraction) -> Fraction:
    """A rational at least √value for value > 0, too large by less than a part in 2**30."""
    shift = max(0, 64 - value.numerator.bit_length() + value.denominator.bit_length())
    scaled = math.ceil(value * 4**shift)
    return Fraction(math.isqrt(scaled - 1) + 1, 2**shift)


def square_root_below(value: Fraction) -> Fraction:
    """A rational at most √value for value > 0, too small by less than a part in 2**30."""
    return value / square_root_above(value)

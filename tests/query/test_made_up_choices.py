"""Made-up values of what is chosen are among those that can be chosen, and differ enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proxy.query.made_up_choices import Made, can_make_up, made_up
from proxy.sql.planning.buckets import number_buckets, text_buckets
from proxy.sql.planning.choices import ModeChoice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.domains import Domain
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BIGINT

FRACTIONS = tuple(map(Fraction, ("0", "0.25", "0.5", "1")))
MADE = [
    Made(number, place, rows, block)
    for block in (0, 2)
    for number, (place, rows) in enumerate(
        [(Fraction(1, 2), 9), (Fraction(0), 9), (Fraction(1), 9), (None, 1), (None, 200), (None, 10**8)]
    )
]


def numbers(low: int, high: int) -> Term:
    bounds = Bounds(Fraction(low), Fraction(high))
    return Term("x", BIGINT, False, bounds, Fraction(1), Fraction(1), magnitude=bounds.magnitude)


def quantiles(low: int, high: int, texts: tuple[str, ...] = ()) -> QuantileChoice:
    value = numbers(low, high)
    buckets = text_buckets(value, texts, "") if texts else number_buckets(value)
    return QuantileChoice(value, None, buckets, FRACTIONS)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 2), (-5, 10**9), (-(10**6), 10**6), (7, 100)])
@pytest.mark.parametrize("interpolated", [False, True])
def test_buckets_are_among_those_there_are(low: int, high: int, *, interpolated: bool) -> None:
    choice = replace(quantiles(low, high), interpolated=interpolated)
    found = [int(text or -1) for made in MADE for row in made_up([choice, choice], [[], []], made, 20) for text in row]
    assert 0 <= min(found) <= max(found) <= (choice.buckets.count - 1) * choice.parts
    assert all(number % choice.parts == 0 for number in found)


def test_they_differ_between_fractions_choices_blocks_and_groups() -> None:
    choices = [quantiles(0, 1000), quantiles(0, 1000)]
    rows = [made_up(choices, [[], []], replace(MADE[0], block=block), 2) for block in (0, 1)]
    texts = [text for groups in rows for row in groups for text in row]
    assert len(set(texts)) == len(texts)


def test_every_text_and_value_comes_by_itself_in_all_groups() -> None:
    texts = ("a", "b", "c")
    mode = ModeChoice(numbers(0, 2), None, Domain("", ""))
    values = [(text,) for text in texts]
    assert can_make_up([quantiles(0, 2, texts), mode], [[], values], 3)
    assert not can_make_up([quantiles(0, 2, texts)], [[]], 2)
    assert not can_make_up([mode], [values], 2)
    answers = [made_up([mode], [values], replace(MADE[0], number=number), 2) for number in range(4)]
    assert [{text for row in answer for text in row} for answer in answers] == [{"a"}, {"b"}, {"c"}, {"a", "b"}]


def test_numbers_of_values_are_at_most_what_there_can_be() -> None:
    choice = ValueCountChoice(numbers(0, 2), None, Domain("", ""), 3)
    assert can_make_up([choice], [[]], 1)
    found = {int(text or -1) for made in MADE for row in made_up([choice], [[]], made, 1) for text in row}
    assert min(found) >= 0
    assert max(found) == 3

"""Made-up values of what is chosen, not summed: extremes, percentiles, modes and numbers of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.planning.choices import Choice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.group_keys import KeyRow


@dataclass(frozen=True)
class Made:
    """Which of many made-up answers it is.

    Attributes:
        number: counted from 0.
        place: of values between their bounds, from 0 to 1; None where they are near 0, or their lower bound.
        rows: how many each group has, about.
        block: the number of the block.
    """

    number: int
    place: Fraction | None
    rows: int
    block: int


def can_make_up(choices: Sequence[Choice], candidates: Sequence[Sequence[KeyRow]], most: int) -> bool:
    """Can each be made up in so many answers? What fails for one text or value may succeed for another one, so that
    all of them have to be tried."""
    return all(
        isinstance(choice, ValueCountChoice) or 0 < _count(choice, values) <= most
        for choice, values in zip(choices, candidates, strict=True)
        if not isinstance(choice, QuantileChoice) or choice.buckets.texts
    )


def made_up(
    choices: Sequence[Choice], candidates: Sequence[Sequence[KeyRow]], made: Made, groups: int
) -> list[list[str | None]]:
    """What is chosen in each group, in text form as `release.chosen_values` has it.

    Args:
        choices: of a block.
        candidates: for each of them, the declared values that it is about; empty for buckets.
        made: which answer it is.
        groups: how many groups it has.
    """
    return [
        [
            text
            for place, (choice, values) in enumerate(zip(choices, candidates, strict=True))
            for text in _texts(choice, values, made, place, group)
        ]
        for group in range(groups)
    ]


def _count(choice: Choice, values: Sequence[KeyRow]) -> int:
    """How many there are to choose from."""
    return choice.buckets.count if isinstance(choice, QuantileChoice) else len(values)


def _texts(choice: Choice, values: Sequence[KeyRow], made: Made, place: int, group: int) -> Sequence[str | None]:
    """Values that differ between choices, blocks and groups, since they may be subtracted or divided."""
    count = _count(choice, values)
    if isinstance(choice, ValueCountChoice):
        return [str(max(min(made.rows - made.block - place - group, choice.most), 0))]
    # Each value by itself in all groups; once all were, another one in each group.
    turn = made.number + place + made.block + (group if made.number >= count else 0)
    if not isinstance(choice, QuantileChoice):
        return list(values[turn % count])
    if choice.buckets.texts:
        return [str((turn + round(fraction * (count - 1))) % count) for fraction in choice.fractions]
    return [str(_bucket(choice, fraction, made, place, group) * choice.parts) for fraction in choice.fractions]


def _bucket(choice: QuantileChoice, fraction: Fraction, made: Made, place: int, group: int) -> int:
    """The number of a bucket: that of a greater fraction is greater."""
    count, apart = choice.buckets.count, Fraction(4, 4 + place) * Fraction(9, 9 + made.block)
    if made.place is not None:
        number = (made.place + fraction) / 2 * count * apart
    else:
        number = _zero(choice) + made.rows * (1 + fraction) * apart
        if number >= count:
            number = count - 1 - number % count
    return (int(number) + group) % count


def _zero(choice: QuantileChoice) -> Fraction:
    """The bucket of the value that is nearest to 0, of numbers; else the first one."""
    bounds = choice.value.bounds if choice.value.type.is_number else None
    if bounds is None or bounds.low >= 0 or bounds.high <= bounds.low:
        return Fraction(0)
    return min(-bounds.low / (bounds.high - bounds.low), Fraction(1)) * (choice.buckets.count - 1)

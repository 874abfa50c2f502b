"""Before a statement is charged: does what its client computes from released numbers fail, whatever they are?

`try_out` lets the stage parse what stands around the blocks. Here the stage computes it, from the declared keys, or
made-up ones, and made-up numbers of several sizes. What fails each time would be paid for and end in an error, so it is
refused; what fails for some numbers alone is charged, and its error says that the answer is kept (`failure_remark`).
What might depend on values that nobody can make up is not tried: undeclared texts, or one of many declared ones.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Final

from proxy.errors import OWN_FAILURES
from proxy.query.asking import Asker
from proxy.query.keeping import trial_of_rows
from proxy.query.made_up_choices import Made, can_make_up, made_up
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.query.session_state import SessionState
from proxy.release.noisy_answers import answered_keys
from proxy.sql.planning.aggregates.chosen_value import columns_of
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, ProductSum, RowCount, Statistic, UnitCount
from proxy.sql.rows.feedback import evaluation_sql
from proxy.sql.staging import staged
from proxy.sql.terms.term import quote_literal
from proxy.sql.terms.types import Kind, type_named
from proxy.wire.backend import Report
from proxy.wire.router import Remark, SessionContext, StageError

_CANNOT_FAIL: Final = re.compile(r'(?:[\w\s.,"$<>=)]|(?<=[ (])\((?!SELECT|WITH|VALUES))*')
"""SQL for the stage that only names and compares things: without a call, another operator, a cast or a query that has
to return one row."""
_MOST_GROUPS, _MOST_NUMBERS, _FEW_GROUPS = 20, 400, 3
"""Groups of a made-up answer, and the numbers in them; an answer with many numbers still has a few groups. More would
take longer than they tell."""
_LONGEST: Final = 50_000
"""Characters of the SQL around released rows that is tried."""
_WIDEST: Final = 1 << 40
"""Cells of a grid that somebody has declared; those of values without bounds are more."""
_WIDER: Final = "Use a wider type."
GUARDS: Final[Mapping[str, str]] = {
    "22012": "Guard the division, as in x / NULLIF(y, 0).",
    "2201E": "Guard the logarithm, as in CASE WHEN x > 0 THEN ln(x) END.",
    "2201F": "Guard the root or power, as in CASE WHEN x >= 0 THEN sqrt(x) END.",
    "22003": _WIDER,
    "22001": _WIDER,
}
"""What to write against errors of released numbers, by SQLSTATE; against others nothing helps that is true of all."""


@dataclass(frozen=True)
class _Guess:
    """Made-up numbers of a statement.

    Attributes:
        rows: how many each group has, about.
        shrinks: how many times less each further number counts than the one before, of which the first is all rows.
        place: of an average value between its bounds, from 0 to 1.
    """

    rows: int
    shrinks: Fraction
    place: Fraction


_HALF: Final = Fraction(1, 2)
_GUESSES: Final = (
    _Guess(1_000, Fraction(2), _HALF),
    _Guess(1_000, Fraction(1), _HALF),
    _Guess(20, Fraction(2), Fraction(1, 4)),
    _Guess(1_000_000, Fraction(3), Fraction(3, 4)),
    _Guess(100, _HALF, Fraction(9, 10)),
    _Guess(1, Fraction(1), _HALF),
    _Guess(50, Fraction(2), Fraction(1, 10)),
    *(_Guess(rows, Fraction(3, 2), _HALF) for rows in (5, 10, 200, 500, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)),
    *(_Guess(rows, Fraction(3, 2), _HALF) for rows in (200_000, 500_000, 2_000_000, 10_000_000, 100_000_000)),
)
_MANY_ROWS: Final = 7
"""The first of the guesses that differ in nothing but their rows."""

_TEXTS: Final = (("a", "b", "c"), ("1", "2", "3"), ("2024-01-01", "2024-01-02", "2024-01-03"))
_DAYS: Final = (("2024-01-01", "2024-01-02", "2024-01-03"), ("1990-05-17", "1999-12-31", "2031-08-08"))
_NUMBERS: Final = (("1", "2", "3"), ("10", "20", "40"), ("2000", "2010", "2024"))
_SAMPLES: Final[Mapping[Kind, Sequence[tuple[str, ...]]]] = {
    Kind.TEXT: _TEXTS,
    Kind.INTEGER: _NUMBERS,
    Kind.NUMERIC: _NUMBERS,
    Kind.FLOAT: _NUMBERS,
    Kind.DATE: _DAYS,
    Kind.TIMESTAMP: _DAYS,
    Kind.TIMESTAMPTZ: _DAYS,
    Kind.TIME: (("00:00", "08:30", "17:45"),),
    Kind.INTERVAL: (("1 day", "2 days", "3 days"),),
    Kind.UUID: (tuple(f"00000000-0000-4000-8000-00000000000{digit}" for digit in "123"),),
}
"""Made-up keys of the types of which one can be made up."""


async def try_made_up(
    plan: Plan, asker: Asker, state: SessionState, session: SessionContext, virtual: Mapping[str, str]
) -> None:
    """Refuse a statement that fails with every made-up answer.

    Args:
        plan: of the statement.
        asker: enumerates the declared keys.
        state: the session's settings.
        session: whose stage connection computes it; whatever that changes is taken back.
        virtual: the rows of dp.budget, dp.last, dp.ledger and dp.sessions, as far as they are read.

    Raises:
        StageError: Postgres's own error, with its remedy; or it takes too long.
        UnsupportedError: keys that cannot be enumerated.
    """
    for block in all_blocks(plan.blocks):
        for feedback in block.feedback:
            if may_fail(feedback.template):
                made = [await _groups(inner, asker, state) for inner in feedback.blocks]
                read = (
                    evaluation_sql(staged.fill(feedback.template, relations, dict(virtual)), feedback.columns)
                    for relations in _relations(feedback.blocks, made)
                )
                await _try(read, None, session, quiet=plan.quiet)
    kept = plan.wrapping.kept
    adds = kept is not None and kept.present == "add"
    if len(plan.template) > _LONGEST or not (adds or may_fail(plan.template)):
        return
    made = [await _groups(block, asker, state) for block in plan.blocks]
    queries: Iterator[str] = (plan.result_sql(relations, virtual) for relations in _relations(plan.blocks, made))
    keeping = None
    if adds and kept is not None:
        queries, keeping = trial_of_rows(plan, kept, queries)
    await _try(queries, keeping, session, quiet=plan.quiet)


async def fails(sql: str, session: SessionContext, *, quiet: bool) -> bool:
    """Does the stage fail to compute this of released numbers? Whatever it changes is taken back; `quiet` if that is
    no setting of the session."""
    return not await _succeeds([sql], None, session, last=False, quiet=quiet)


def may_fail(template: str) -> bool:
    """Does SQL around released rows, of no unusual length, do more than name things?"""
    return len(template) <= _LONGEST and _CANNOT_FAIL.fullmatch(template) is None


async def _try(queries: Iterator[str], keeping: str | None, session: SessionContext, *, quiet: bool) -> None:
    """Nearly all succeed at the first or second attempt; the others are not even written before. Nobody else waits
    while that is done."""
    first = await asyncio.to_thread(list, islice(queries, 2))
    if not first or await _succeeds(first, keeping, session, last=False, quiet=quiet):
        return
    try:
        everything = first[:1] + await asyncio.to_thread(list, queries)
        await _succeeds(everything, keeping, session, last=True, quiet=quiet)
    except StageError as error:
        if not error.sqlstate.startswith(OWN_FAILURES):
            raise  # It has been cancelled, or takes too long.
        hints = [GUARDS.get(error.sqlstate), "What is computed from an answer that was released before is not tried."]
        told = Remark(
            "Nothing was charged: with made-up numbers, large and small, this fails each time.",
            {error.sqlstate: " ".join(filter(None, hints))},
        )
        raise remarked(error, told) from None


def remarked(error: StageError, told: Remark | None) -> StageError:
    """The stage's error with a remark, if there is one."""
    if told is None:
        return error
    return StageError(Report.decode(error.body).remarked(told).encode(), error.sqlstate, parsed=error.parsed)


async def _succeeds(
    queries: Sequence[str], keeping: str | None, session: SessionContext, *, last: bool, quiet: bool
) -> bool:
    listed = ", ".join(map(quote_literal, queries))
    into = "NULL" if keeping is None else quote_literal(keeping)
    ((succeeds,),) = await session.stage.rows(f"SELECT dp.try_each(ARRAY[{listed}], {into}, {last})", quiet=quiet)
    return succeeds == "t"


def failure_remark(labels: Sequence[str]) -> Remark | None:
    """What an error of the stage says beside Postgres's own words once something was charged.

    Args:
        labels: what was charged for the statement.
    """
    if not labels:
        return None
    return Remark(f"Charged before it, and answered again for free: {'; '.join(labels)}.", GUARDS)


@dataclass(frozen=True)
class _Groups:
    """The groups of a block's made-up answers.

    Attributes:
        variants: their keys; none if these, or what is chosen in them, cannot be made up.
        candidates: for each choice, the declared values that it is about; empty for buckets.
    """

    variants: Sequence[Sequence[KeyRow]]
    candidates: Sequence[Sequence[KeyRow]] = ()


async def _groups(block: PlannedBlock, asker: Asker, state: SessionState) -> _Groups:
    """The first keys of a block's answer, or made-up ones where they are not known before it."""
    plan = block.plan
    if not plan.choices:
        return _Groups(await _keys(block, asker, state))
    if block.feedback and any(choice.candidates is not None for choice in plan.choices):
        return _Groups(())
    candidates = await asker.candidates(block, state)
    can_be = can_make_up(plan.choices, candidates, len(_GUESSES))
    return _Groups(await _keys(block, asker, state) if can_be else (), candidates)


async def _keys(block: PlannedBlock, asker: Asker, state: SessionState) -> Sequence[Sequence[KeyRow]]:
    """Keys of a made-up answer, in several variants; none if no keys can be made up."""
    plan = block.plan
    if plan.domain is not None and not block.feedback:
        numbers = len(plan.statistics) + columns_of(plan.choices)
        most = max(_FEW_GROUPS, min(_MOST_GROUPS, _MOST_NUMBERS // max(numbers, 1)))
        return (answered_keys(plan, (await asker.domain(block, state))[:most]),)
    if not plan.keys:
        return ([()],)
    samples = [_SAMPLES.get(type_named(name.partition("(")[0]).kind, ()) for name in block.types.keys]
    if plan.levels is not None or not all(samples):
        return ()
    most = max(map(len, samples))
    return [list(zip(*(sample[variant % len(sample)] for sample in samples), strict=True)) for variant in range(most)]


def _relations(blocks: Sequence[PlannedBlock], groups: Sequence[_Groups]) -> Iterator[list[str]]:
    """For each guess the made-up answers of the blocks. Each block has other numbers, since they may be divided or
    subtracted."""
    known = [each.variants for each in groups]
    variants = max(map(len, known), default=0) if all(known) else 0
    for (turn, guess), variant in product(enumerate(_GUESSES), range(variants)):
        found = []
        for number, (block, made) in enumerate(zip(blocks, groups, strict=True)):
            plan, keys = block.plan.clipped_least, made.variants[variant % len(made.variants)]
            times = guess.shrinks**-number
            numbers = [_numbers(plan, guess, (guess.rows + place) * times) for place in range(len(keys))]
            which = Made(turn, guess.place if turn < _MANY_ROWS else None, guess.rows, number)
            chosen = made_up(plan.choices, made.candidates, which, len(keys))
            found.append(staged.literal_relation(plan, block.types, staged.ReleasedRows(keys, numbers, chosen)))
        yield found


def _numbers(plan: BlockPlan, guess: _Guess, rows: Fraction) -> tuple[Fraction, ...]:
    return tuple(
        _number(statistic, guess, rows if _counts_all(statistic) else rows * guess.shrinks**-place)
        for place, statistic in enumerate(plan.statistics, start=1)
    )


def _counts_all(statistic: Statistic) -> bool:
    return isinstance(statistic, (RowCount, UnitCount)) and statistic.counts_all


def _number(statistic: Statistic, guess: _Guess, rows: Fraction) -> Fraction:
    """A made-up number in the statistic's own steps."""
    if not isinstance(statistic, GridSum):
        each = Fraction(1)
    elif isinstance(statistic, ProductSum):
        each = Fraction(statistic.grid.reach, 4)
    elif statistic.grid.reach < _WIDEST:
        grid = statistic.grid
        each = grid.low + guess.place * (grid.high - grid.low) - grid.centre
    else:
        each = Fraction(1 if guess.place > Fraction(1, 8) else -1)
    return round(rows * each) * statistic.step

"""Chooses suggested bounds privately: charges, measures, chooses (theorem 17).

As with a query, the price is on disk before rows are read, and is not given back whatever happens then. Both source
queries of a table are paid for by one charge and see one snapshot; the second one looks inside caps that the first one
released (adaptive composition). Asking again queries the source and costs again: nothing is recalled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proxy.budget.ledger import Ledger
from proxy.budget.order import Receipt
from proxy.dp.noise import IntegerArray
from proxy.dp.search import cap_penalties, pair_penalties
from proxy.policy.model import ContributionPolicy, Place
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest, SourceResult, Transaction
from proxy.query.limits import account_charge
from proxy.query.source_request import source_request
from proxy.sql.planning.pricing import DEFAULT_ROWS
from proxy.sql.suggesting.exceedances import CapCounts, caps_sql, ends_sql, read_caps, read_ends
from proxy.sql.suggesting.questions import ROW_CAPS, AskedColumn, Questions

STEWARD = "dpproxy suggest-bounds"
"""The analyst's name in the ledger for these charges. No login can have it (`proxy.policy.rules`)."""

_TIME_ZONE = {"TimeZone": "UTC", "DateStyle": "ISO", "IntervalStyle": "postgres"}

_LOW_END_NATS = 3.0
"""A cap within this penalty of the smallest one may also come from a search with too few units."""


@dataclass(frozen=True)
class SuggestedBounds:
    """Privately chosen bounds of one column.

    Attributes:
        column: its name.
        low: the lower bound, as the policy writes it.
        high: the upper bound.
        at_low_end: did the search end near its smallest cap? Values are that small, or there were too few units.
    """

    column: str
    low: Place
    high: Place
    at_low_end: bool


@dataclass(frozen=True)
class Suggestions:
    """The privately chosen bounds of one table.

    Attributes:
        max_rows: most rows of a unit; None if not asked.
        max_rows_per_group: most rows of a unit in a group; None if not asked.
        columns: bounds of columns.
    """

    max_rows: int | None
    max_rows_per_group: int | None
    columns: tuple[SuggestedBounds, ...]


async def ask(
    questions: Questions, about: str, ledger: Ledger, source: Source, known: ContributionPolicy | None = None
) -> tuple[Receipt, Suggestions]:
    """Charge every account for the questions about a table or query, durably, then measure and choose.

    The charge comes after everything that can be known without a row: the accounts can pay, and the source is there,
    has the expected schema, and accepts both source queries. It is not given back whatever happens then.

    Args:
        questions: the questions.
        about: "schema.table" or the query's text, for the ledger.
        ledger: the accounts, open.
        source: where the rows are.
        known: the contribution bounds that hold where they are not asked; a unit has one row if None.

    Raises:
        BudgetExhaustedError: an account cannot pay; nothing is charged.
        SourceUnavailableError, SourceBusyError, SourceCannotRunError, StaleSchemaError: the source cannot be asked;
            nothing is charged.
        LedgerUnavailableError: the ledger could not record it.
        SourceFailedError: a source query failed; the text is constant.
    """
    charges = [account_charge(account, questions.price) for account in questions.accounts]
    block = hashlib.sha256(f"{STEWARD}:{caps_sql(questions)}".encode()).hexdigest()
    label = f"suggest-bounds: {', '.join(questions.asked)} over {about}"
    await ledger.check(charges)
    async with source.place(STEWARD), source.transaction(_request(questions)) as transaction:
        receipt = await ledger.charge(STEWARD, charges, block, label)
        return receipt, await _suggest(questions, transaction, known)


def _request(questions: Questions) -> SourceRequest:
    """The first source query; one like the second, with other numbers, is tried with it."""
    widest = [column.scale.ends(column.scale.caps()[-1]) for column in questions.columns]
    tried = [ends_sql(questions, widest)] if questions.columns else []
    trials = [f"SELECT {', '.join(questions.probes)}"] if questions.probes else []
    return source_request([caps_sql(questions)], questions.footprint, _TIME_ZONE, trials=trials, tried=tried)


@dataclass(frozen=True)
class _Caps:
    """What follows from the first source query.

    Attributes:
        max_rows: as in `Suggestions`.
        max_rows_per_group: as in `Suggestions`.
        allowed: how many units may be outside bounds.
        chosen: for each column, the index of its cap.
    """

    max_rows: int | None
    max_rows_per_group: int | None
    allowed: int
    chosen: tuple[int, ...]

    def ends(self, questions: Questions) -> list[tuple[Fraction, ...]]:
        """For each column, the candidates for its bounds."""
        columns = zip(questions.columns, self.chosen, strict=True)
        return [tuple(column.scale.ends(column.scale.caps()[index])) for column, index in columns]


async def _suggest(questions: Questions, transaction: Transaction, known: ContributionPolicy | None) -> Suggestions:
    found: list[_Caps] = []

    def second(first: SourceResult) -> list[str]:
        found[:] = [_choose_caps(questions, read_caps(questions, first.results[0]), known)]
        return [ends_sql(questions, found[0].ends(questions))]

    if not questions.columns:
        counts = read_caps(questions, (await transaction.run()).results[0])
        rows = _choose_caps(questions, counts, known)
        return Suggestions(rows.max_rows, rows.max_rows_per_group, ())
    measured = await transaction.run(second)
    (caps,) = found
    ends = caps.ends(questions)
    outside = read_ends(ends, measured.results[1])
    bounds = []
    for column, index, candidates, counts_outside in zip(questions.columns, caps.chosen, ends, outside, strict=True):
        low, high = _pair(questions, column, candidates, counts_outside, caps.allowed)
        at_low_end = bool(cap_penalties(column.scale.caps())[index] <= _LOW_END_NATS)
        bounds.append(SuggestedBounds(column.name, low, high, at_low_end))
    return Suggestions(caps.max_rows, caps.max_rows_per_group, tuple(bounds))


def _choose_caps(questions: Questions, counts: CapCounts, known: ContributionPolicy | None) -> _Caps:
    max_rows = _row_cap(questions, counts.max_rows, ROW_CAPS) if questions.max_rows else None
    most = max_rows or ((known.max_rows or DEFAULT_ROWS) if known is not None else 1)
    per_group = None
    if questions.group_keys:
        # A unit's rows in one group are some of its rows.
        candidates = [cap for cap in ROW_CAPS if cap <= most] if max_rows or known else ROW_CAPS
        per_group = _row_cap(questions, counts.max_rows_per_group, candidates)
    most_in_group = per_group or (known.max_rows_per_group if known is not None else None) or most
    allowed = questions.balance.values_outside(most, min(most, most_in_group))
    chosen = [
        questions.search.choose(above, cap_penalties(column.scale.caps()), allowed)
        for column, above in zip(questions.columns, counts.columns, strict=True)
    ]
    return _Caps(max_rows, per_group, allowed, tuple(chosen))


def _row_cap(questions: Questions, above: IntegerArray, candidates: Sequence[Fraction]) -> int:
    penalties, allowed = cap_penalties(candidates), questions.balance.rows_outside()
    return int(candidates[questions.search.choose(above[: len(candidates)], penalties, allowed)])


def _pair(
    questions: Questions, column: AskedColumn, ends: Sequence[Fraction], outside: IntegerArray, allowed: int
) -> tuple[Place, Place]:
    penalties = pair_penalties(ends, column.scale.not_at_zero)
    pairs = np.argwhere(np.isfinite(penalties))
    lows, highs = pairs[:, 0], pairs[:, 1]
    low, high = pairs[questions.search.choose(outside[lows, highs], penalties[lows, highs], allowed)]
    return column.scale.bound(ends[low]), column.scale.bound(ends[high])

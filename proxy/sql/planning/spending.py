"""How a block's price is split among its parts, and the noise and choices that they buy (theorems 7 to 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import Mechanism
from proxy.dp.selection import KeySelection
from proxy.dp.timing import ResponseDelay
from proxy.policy import model
from proxy.settings import QuerySettings
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning import pricing
from proxy.sql.planning.accounts import AccountPrice, check_groups, paying_accounts
from proxy.sql.planning.aggregates.compiling import Compiled
from proxy.sql.planning.clipping import Clipping, Norm, Path, plan_clipping
from proxy.sql.planning.guarantees import Guarantee, Noise
from proxy.sql.planning.levels import Levels, plan_levels
from proxy.sql.planning.limits import choice_limit, limited_parts
from proxy.sql.planning.pricing import ChoosingMechanism, Contribution
from proxy.sql.planning.statistic import GridSum, Statistic
from proxy.sql.replacing import replace
from proxy.sql.rows.time_windows import NO_WINDOWS, TimeWindows
from proxy.sql.schema import Schema


@dataclass(frozen=True)
class Payer:
    """Who asks about which private tables, and which of their windows of time, under which policy and settings."""

    tables: Sequence[NamedTable]
    schema: Schema
    settings: QuerySettings
    analyst: str
    windows: TimeWindows


@dataclass(frozen=True)
class _Means:
    """What the policy and the session's settings let a block spend, whatever it asks.

    Attributes:
        bounds: those of a unit's rows, where it may have several.
        accounts: who pays.
        guarantee: what the block promises.
    """

    bounds: Contribution
    accounts: tuple[AccountPrice, ...]
    guarantee: Guarantee


@dataclass(frozen=True)
class Spending:
    """The price of a block and what it buys.

    Attributes:
        contribution: the bounds in force.
        accounts: who pays.
        guarantee: what the block promises.
        selection: how undeclared keys are selected; None if there are none.
        levels: the noise of each statistic at each level of its grouping sets; one level for plain keys.
        clipping: how the data choose how much of a unit counts; None if the bounds are fixed.
        limits: likewise for each choice.
        choosing: the mechanism of each choice, as in `BlockPlan`.
        price: of everything together, including the time of release; at least the policy's least price.
        delay: how long the answer waits, by the policy; None if response times are not protected, or nothing is
            measured.
    """

    contribution: Contribution
    accounts: tuple[AccountPrice, ...]
    guarantee: Guarantee
    selection: KeySelection | None
    levels: Levels
    clipping: Clipping | None
    limits: tuple[Norm | None, ...]
    choosing: tuple[ChoosingMechanism, ...]
    price: Price
    delay: ResponseDelay | None


def spend(
    payer: Payer,
    compiled: Compiled,
    sets: tuple[Sequence[str], Sequence[int]],
    selected: exp.Expr | None,
    *,
    path: Path,
    one_row: bool,
) -> Spending:
    """Split a block's price among its statistics, choices and selected keys, in equal parts, alike for each level.

    Args:
        payer: who asks.
        compiled: what is asked.
        sets: the levels to measure and which of them are shown (`levels.groupings`).
        selected: the first group key if keys are selected, for the position of a refusal.
        path: how a unit's contribution is bounded.
        one_row: has each unit at most one row?

    Raises:
        RefusedError: undeclared keys, and an account without delta.
        InvalidSettingError: settings beyond the policy's limits.
    """
    tables, settings = payer.tables, payer.settings
    means = _means(payer, selects_keys=selected is not None)
    accounts, guarantee = means.accounts, means.guarantee
    contribution = replace(pricing.ONE_ROW if one_row else means.bounds, has_groups=path != "single group")
    chooses = _chooses_bounds(payer, compiled.statistics, one_row=one_row)
    if compiled.choices or chooses:
        guarantee = guarantee.by_zcdp
    parts = len(compiled.statistics) + len(compiled.choices) + (1 if selected is not None else 0)
    all_parts = max(parts, 1) * len(sets[0])
    selecting = None
    if selected is not None:
        key = selected

        def selecting(noise: Noise) -> KeySelection:
            return pricing.key_selection(
                key, tables, contribution, accounts, noise, guarantee, parts, payer.windows.of_unit
            )

    noise = pricing.choose_noise(
        tables, settings, contribution, accounts, all_parts, guarantee, chooses=chooses, selection=selecting
    )
    selection = selecting(noise) if selecting is not None else None
    clipping = None
    if chooses:
        clipping = plan_clipping(
            compiled.statistics, compiled.aggregates, noise, guarantee, parts, path=path, has_totals=len(sets[0]) > 1
        )

    def mechanisms(totals: bool, share: Fraction) -> list[Mechanism]:
        if not compiled.statistics:
            return []  # There may be no parts at all.
        if clipping is not None:
            return _clipped(clipping, compiled.statistics, noise, guarantee, parts / share)
        bounds = replace(contribution, max_rows_per_group=contribution.max_rows) if totals else contribution
        cells = guarantee.cells_per_contribution(scaled=path != "unique")
        part = guarantee.share(noise, parts / share)
        return [pricing.statistic_mechanism(statistic, bounds, cells, noise, part) for statistic in compiled.statistics]

    levels = plan_levels(*sets, mechanisms)
    limits: tuple[Norm | None, ...] = (None,) * len(compiled.choices)
    if pricing.chooses_bounds(tables, settings):
        limits = tuple(choice_limit(choice, noise, guarantee, parts, path) for choice in compiled.choices)
    choosing = tuple(
        pricing.choosing_mechanism(
            choice, contribution if limit is None else pricing.ONE_ROW, noise, guarantee, limited_parts(limit, parts)
        )
        for choice, limit in zip(compiled.choices, limits, strict=True)
    )
    thresholds = [limit.choice for limit in limits if limit is not None and limit.choice is not None]
    thresholds += clipping.choices if clipping is not None else []
    paid = [*(mechanism for level in levels.measured for mechanism in level.mechanisms), *choosing, *thresholds]
    price = sum((mechanism.price for mechanism in paid), selection.price if selection is not None else Price.zero())
    if paid or selection is not None:
        price = pricing.at_least(price, tables)
    delay = response_delay(payer.schema.policy) if paid or selection is not None else None
    if delay is not None:
        price += delay.price
    check_groups(price, accounts)
    return Spending(contribution, accounts, guarantee, selection, levels, clipping, limits, choosing, price, delay)


def _means(payer: Payer, *, selects_keys: bool) -> _Means:
    """Found once for each analyst, tables and settings, unless windows of time are read."""
    if payer.windows is not NO_WINDOWS:
        return _means_of(payer, selects_keys=selects_keys)
    key = (payer.analyst, tuple(table.name for table in payer.tables), payer.settings, selects_keys)
    found: _Means | None = payer.schema.known.get(key)
    if found is None:
        found = _means_of(payer, selects_keys=selects_keys)
        payer.schema.known.put(key, found, weight=1)
    return found


def _means_of(payer: Payer, *, selects_keys: bool) -> _Means:
    tables, settings = payer.tables, payer.settings
    accounts = paying_accounts(tables, payer.schema.policy, payer.analyst, payer.windows)
    return _Means(
        pricing.contribution_bounds(tables, settings),
        accounts,
        pricing.block_guarantee(tables, settings, accounts, selects_keys),
    )


def _chooses_bounds(payer: Payer, statistics: Sequence[Statistic], *, one_row: bool) -> bool:
    """Do the data choose how much of a unit counts? Not where a unit has one row, unless values without bounds are
    summed."""
    if not statistics:
        return False
    if one_row:
        return any(isinstance(found, GridSum) and found.unbounded for found in statistics)
    return pricing.chooses_bounds(payer.tables, payer.settings)


def _clipped(
    clipping: Clipping, statistics: Sequence[Statistic], noise: Noise, promise: Guarantee, parts: Fraction
) -> list[Mechanism]:
    """The noise of statistics that are clipped to thresholds."""
    return [
        pricing.clipped_mechanism(
            clipping.sensitivity(index, statistic.reach), noise, promise, parts / clipping.parts(index)
        )
        for index, statistic in enumerate(statistics)
    ]


def response_delay(policy: model.Policy) -> ResponseDelay | None:
    """The delay of each block that is measured."""
    timing = policy.timing
    if timing is None:
        return None
    return ResponseDelay(Fraction(timing.epsilon), Fraction(timing.delta), timing.work_seconds)

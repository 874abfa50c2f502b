"""What a block may spend, and the noise that follows from that: bounds, accounts, epsilon, mechanism (theorems 1, 12).

A block over several private tables takes the strictest of their prices, the widest of their contribution bounds (any
bounds are sound, since the noise is scaled to them), and charges the accounts of all of them.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from sqlglot import exp

from proxy.dp.accounting import Account, Price
from proxy.dp.comparison import Candidate, candidates, choose
from proxy.dp.exponential import ModeMechanism, exponential_epsilon
from proxy.dp.interpolated_quantiles import InterpolatedQuantiles
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism, gaussian_rho
from proxy.dp.quantiles import QuantileMechanism
from proxy.dp.selection import KeySelection
from proxy.dp.value_counts import ValueCountMechanism
from proxy.errors import InvalidSettingError
from proxy.settings import QuerySettings
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.accounts import AccountPrice
from proxy.sql.planning.choices import CELLS, Choice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.guarantees import Guarantee, Noise, guarantee, impossible
from proxy.sql.planning.statistic import Distinct, DistinctSum, Statistic, UnitCount
from proxy.sql.refusal import refused
from proxy.sql.replacing import replace

DEFAULT_ROWS, DEFAULT_ROWS_PER_GROUP = 64, 16
"""The bounds of a unit's rows where the policy has none and the data cannot choose them: for quantiles, modes, and
distinct values."""

REFINEMENT = 1024
"""Cells of a contribution that may be scaled down: with so many, truncation costs little (theorem 1)."""

_UP = decimal.Context(prec=6, rounding=decimal.ROUND_UP)

ChoosingMechanism = QuantileMechanism | ModeMechanism | ValueCountMechanism


@dataclass(frozen=True)
class Contribution:
    """The bounds in force: `max_rows` of a unit in the query (M), `max_rows_per_group` of them in a group (m), and
    `max_groups` that a unit helps to select; whether there are groups at all."""

    max_rows: int
    max_rows_per_group: int
    max_groups: int
    has_groups: bool = True

    @property
    def groups(self) -> Fraction:
        """k = max(1, M/m): the number of groups that M and m allow, which bounds COUNT(DISTINCT unit), min and max."""
        return max(Fraction(1), Fraction(self.max_rows, self.max_rows_per_group)) if self.has_groups else Fraction(1)


ONE_ROW = Contribution(1, 1, 1)
"""The bounds of a relation in which no unit has two rows."""


def contribution_bounds(tables: Sequence[NamedTable], settings: QuerySettings) -> Contribution:
    """The session's bounds, or else the widest of the tables'; a table without bounds has the default ones."""
    bounds = [_table_bounds(table) for table in tables]
    rows = settings.max_rows or max(most for most, _ in bounds)
    per_group = settings.max_rows_per_group or max(most for _, most in bounds)
    groups = settings.max_groups or max(table.policy.contribution.max_groups for table in tables)
    return Contribution(rows, min(rows, per_group), groups)


def chooses_bounds(tables: Sequence[NamedTable], settings: QuerySettings) -> bool:
    """Does the block choose from the data how much of a unit counts? Not if the session states bounds, nor if a table
    does and all others do as well or have one row of each unit."""
    if settings.max_rows is not None or settings.max_rows_per_group is not None:
        return False
    silent = [table for table in tables if table.policy.contribution.max_rows is None]
    return len(silent) == len(tables) or not all(table.unit_unique for table in silent)


def stated_rows(tables: Sequence[NamedTable], settings: QuerySettings) -> int | None:
    """How many rows of a unit count, by the session or the tables; None where the data decide it."""
    if not tables:
        return 1
    return None if chooses_bounds(tables, settings) else contribution_bounds(tables, settings).max_rows


def _table_bounds(table: NamedTable) -> tuple[int, int]:
    """M and m of one table."""
    bounds = table.policy.contribution
    if bounds.max_rows is not None:
        return bounds.max_rows, bounds.max_rows_per_group or bounds.max_rows
    return (1, 1) if table.unit_unique else (DEFAULT_ROWS, DEFAULT_ROWS_PER_GROUP)


def block_epsilon(tables: Sequence[NamedTable], settings: QuerySettings) -> Fraction:
    """The session's epsilon within the policy's limits, or the policy's default.

    Raises:
        InvalidSettingError: the session's epsilon is outside the limits, or no epsilon is inside those of both tables.
    """
    limit, least = most_epsilon(tables), least_epsilon(tables)
    if least > limit:
        raise InvalidSettingError(
            f"no price is possible for a query over {' and '.join(table.name for table in tables)}",
            detail=f"The policy allows at most epsilon {float(limit):g} for one of these tables and requires at "
            f"least {float(least):g} for another.",
            hint="Query each table separately, or ask the data steward to lower query.min_epsilon.",
            rule="no-price",
        )
    if settings.epsilon is None:
        return usual_epsilon(tables)
    check_least(tables, settings.epsilon, "dp.epsilon", "SET dp.epsilon = {};")
    if settings.epsilon > limit:
        raise InvalidSettingError(
            f"dp.epsilon is {float(settings.epsilon):g}, but the policy allows at most {float(limit):g} here",
            hint=f"SET dp.epsilon = {float(limit):g};",
            rule="setting-limit",
        )
    return settings.epsilon


def usual_epsilon(tables: Sequence[NamedTable]) -> Fraction:
    """The policy's price where the session states none."""
    return max(least_epsilon(tables), min(Fraction(table.policy.query.epsilon) for table in tables))


def profile_epsilon(tables: Sequence[NamedTable]) -> Fraction:
    """The policy's price of a block that only describes columns, where the session states none."""
    return max(least_epsilon(tables), min(table.policy.query.describing_epsilon for table in tables))


def most_epsilon(tables: Sequence[NamedTable]) -> Fraction:
    """The strictest of the tables' greatest prices."""
    return min(table.policy.query.most_epsilon for table in tables)


def least_epsilon(tables: Sequence[NamedTable]) -> Fraction:
    """The strictest of the tables' least prices, which every question to the source about their rows costs at least."""
    return max(table.policy.query.least_epsilon for table in tables)


def at_least(price: Price, tables: Sequence[NamedTable]) -> Price:
    """The price, raised to at least the ρ of Gaussian noise at the least price.

    The least price bounds how many questions a budget pays for, both in pure ε and in ρ. A question can have less ρ
    than its epsilon suggests: with noise for a tiny stated delta, and with Laplace noise on many numbers, each of which
    has a small part of epsilon.
    """
    least = gaussian_rho(least_epsilon(tables))
    return price if price.rho >= least else replace(price, rho=least)


def check_least(tables: Sequence[NamedTable], epsilon: Fraction, name: str, hint: str) -> None:
    """Refuse a price below the least.

    Args:
        tables: the private tables that are asked about.
        epsilon: the price.
        name: the setting or option that holds it.
        hint: what to write; {} stands for the least price.

    Raises:
        InvalidSettingError: the price is below it.
    """
    least = least_epsilon(tables)
    if epsilon < least:
        # Rounded up, so that the value in the hint is not refused.
        possible = format(_UP.divide(Decimal(least.numerator), Decimal(least.denominator)), "g")
        raise InvalidSettingError(
            f"{name} is {float(epsilon):g}, but the policy requires at least {possible} here",
            detail="With very cheap queries an analyst could ask so many that what they reveal together cannot be "
            "bounded.",
            hint=hint.format(possible),
            rule="least-epsilon",
        )


def block_guarantee(
    tables: Sequence[NamedTable], settings: QuerySettings, accounts: Sequence[AccountPrice], selects_keys: bool
) -> Guarantee:
    """The guarantee of the block, within the policy's limits.

    Raises:
        InvalidSettingError: an epsilon or delta above a limit, or a calibration without a delta.
    """
    queries = [table.policy.query for table in tables]
    most_delta = min(Fraction(account.budget.delta) for account in accounts)
    return guarantee(queries, settings, block_epsilon(tables, settings), most_delta, selects_keys, REFINEMENT)


def choose_noise(
    tables: Sequence[NamedTable],
    settings: QuerySettings,
    contribution: Contribution,
    accounts: Sequence[AccountPrice],
    parts: int,
    promise: Guarantee,
    *,
    chooses: bool,
    selection: Callable[[Noise], KeySelection] | None = None,
) -> Noise:
    """One kind of noise for the whole block, since a unit is scaled down in the norm that the noise needs.

    Where the block chooses its bounds, a unit is taken to be in a few groups alike: then its L1 norm is twice the L2.
    Where it selects keys, groups of half as many units are worth noise that is twice as wide.

    Raises:
        InvalidSettingError: Gaussian noise is requested without a delta, or its calibration is not possible.
    """
    pure_only = any(account.budget.delta == 0 for account in accounts)
    asked = {table.policy.query.mechanism for table in tables} - {"auto"}
    # Laplace noise is possible wherever Gaussian noise is, so tables that disagree get it.
    preference = settings.mechanism or ("laplace" if "laplace" in asked else "gaussian" if asked else "auto")
    rows, per_group = contribution.max_rows, contribution.max_rows_per_group
    l1, l2_squared = rows * REFINEMENT * parts, rows * per_group * REFINEMENT**2 * parts
    if chooses:
        l1, l2_squared = (2 if contribution.has_groups else 1) * REFINEMENT * parts, REFINEMENT**2 * parts
    asked_for = (promise.calibration,)
    found = candidates(l1, l2_squared, promise.epsilon, promise.noise_delta, promise.cells, pure_only, asked_for)
    if preference == "auto" and all(candidate.mechanism is not None for candidate in found):
        payable = [candidate for candidate in found if _is_payable(candidate, accounts)]
        # What no account could ever pay for is no choice; if there is no other, the refusal says so.
        found = tuple(payable) if payable else found
    try:
        chosen = choose(
            found, preference, lambda candidate: selection(candidate.name).units_needed if selection is not None else 1
        )
    except ValueError as error:
        if not pure_only:
            raise impossible(str(error)) from None
        raise InvalidSettingError(
            "the Gaussian mechanism cannot be used here",
            detail="An account that pays for this query has delta 0, and Gaussian noise requires a delta.",
            hint="SET dp.mechanism = 'laplace';",
            rule="pure-account",
        ) from None
    return chosen.name


def _is_payable(candidate: Candidate, accounts: Sequence[AccountPrice]) -> bool:
    """Could every account pay for the noise once, had it spent nothing?"""
    if candidate.mechanism is None:
        return False
    # Each window of time has an account, and most have the same limits.
    limits = dict.fromkeys((account.budget.epsilon, account.budget.delta, account.entities) for account in accounts)
    return _admitted(candidate.mechanism, tuple(limits))


@lru_cache(maxsize=1_000)
def _admitted(mechanism: Mechanism, limits: tuple[tuple[Decimal, Decimal, int], ...]) -> bool:
    """Do accounts of such (ε, δ), and entities of a unit, pay for a mechanism once? Few are ever asked about."""
    price = mechanism.price
    return all(
        Account(Fraction(epsilon), Fraction(delta)).admits(Price.zero(), price.of_group(entities))
        for epsilon, delta, entities in limits
    )


def sensitivities(statistic: Statistic, contribution: Contribution, cells: int) -> tuple[int, int]:
    """(Δ₁, Δ₂²) of one statistic over all groups: C·R in cells (theorems 1, 3 and 4)."""
    if isinstance(statistic, UnitCount) or (isinstance(statistic, DistinctSum) and statistic.of_units):
        l1 = contribution.groups * statistic.reach * cells
        l2_squared = contribution.groups * (statistic.reach * cells) ** 2
    else:
        most, squared = contribution.max_rows, contribution.max_rows * contribution.max_rows_per_group
        if isinstance(statistic, Distinct) and statistic.listed is not None:
            number = statistic.listed.number
            squared = contribution.max_rows * min(contribution.max_rows_per_group, number)
            if not contribution.has_groups:
                most = min(contribution.max_rows, number)
                squared = min(contribution.max_rows * contribution.max_rows_per_group, number**2)
        return most * statistic.reach * cells, squared * (statistic.reach * cells) ** 2
    return math.ceil(l1), math.ceil(l2_squared)


def statistic_mechanism(
    statistic: Statistic, contribution: Contribution, cells: int, noise: Noise, share: Fraction
) -> Mechanism:
    """The noise of one statistic, for this share of the price."""
    l1, l2_squared = sensitivities(statistic, contribution, cells)
    return _mechanism(l1, l2_squared, noise, share)


def clipped_mechanism(sensitivity: int, noise: Noise, promise: Guarantee, parts: int | Fraction) -> Mechanism:
    """As `statistic_mechanism`, of a statistic that is clipped to a threshold of this many cells."""
    return _mechanism(sensitivity, sensitivity**2, noise, promise.share(noise, parts))


def _mechanism(l1: int, l2_squared: int, noise: Noise, share: Fraction) -> Mechanism:
    return LaplaceMechanism(l1, share) if noise == "laplace" else GaussianMechanism(l2_squared, share)


def choosing_mechanism(
    choice: Choice, contribution: Contribution, noise: Noise, promise: Guarantee, parts: int | Fraction
) -> ChoosingMechanism:
    """The exponential mechanism of one choice, for an equal part of the price. Whatever the block's noise, the weights
    of one unit sum to at most max_rows; where units are counted, to at most `contribution.groups` (theorem 6)."""
    cells = math.ceil((contribution.groups if choice.counts_units else contribution.max_rows) * CELLS)
    share = promise.share(noise, parts)
    if not isinstance(choice, QuantileChoice):
        epsilon = share if noise == "laplace" else exponential_epsilon(share)
        if isinstance(choice, ValueCountChoice):
            return ValueCountMechanism(cells, choice.most, epsilon)
        return ModeMechanism(cells, epsilon)
    others = {"row": CELLS} | ({} if choice.interpolated else {"lean": -_LEAN if choice.descending else _LEAN})
    kind = InterpolatedQuantiles if choice.interpolated else QuantileMechanism
    if noise == "laplace":
        return kind(choice.fractions, cells, choice.buckets.count, share, **others)
    return kind.for_rho(choice.fractions, cells, choice.buckets.count, share, **others)


_ODDS_OF_NOTHING: Final = 100


def or_nothing(mechanism: ChoosingMechanism) -> ChoosingMechanism:
    """The mechanism of a choice where there may be no rows to choose from: of none, one answer in a hundred is a
    value. Numbers of values are 0 then."""
    if isinstance(mechanism, ValueCountMechanism):
        return mechanism
    return replace(mechanism, odds_of_nothing=_ODDS_OF_NOTHING)


_MOST_GROUPS: Final = 10_000
"""The most groups in which values between rows are chosen (`release.answer_size`)."""


def in_groups(mechanism: ChoosingMechanism) -> ChoosingMechanism:
    """The mechanism of a choice in each group, of which a unit may be in several."""
    if isinstance(mechanism, InterpolatedQuantiles):
        return replace(mechanism, groups=_MOST_GROUPS)
    return mechanism


_LEAN: Final = CELLS // 1024
"""How far below the border of two rows a quantile is sought, in cells: hardly a part of a row, but more than truncation
takes from several quantiles there, and enough for much epsilon to tell the row from the values between both."""


def key_selection(
    key: exp.Expr,
    tables: Sequence[NamedTable],
    contribution: Contribution,
    accounts: Sequence[AccountPrice],
    noise: Noise,
    promise: Guarantee,
    parts: int,
    windows: int,
) -> KeySelection:
    """How undeclared keys are selected, for an equal part of the price and of a stated delta, or for the policy's
    delta. The threshold is raised by what one unit may weigh in further windows of time, so that no group of one unit
    alone shows for all of them together.

    Raises:
        RefusedError: an account that pays has no delta.
    """
    smallest = min(account.budget.delta for account in accounts)
    if smallest == 0:
        raise refused(
            key,
            "these group keys are not declared, and the budget has no delta to select keys with",
            rule="undeclared-keys",
            detail="Showing a group that only one privacy unit is in would reveal it.",
            hint="Group by columns with declared values (dp.columns lists them), or ask the data steward for a delta.",
        )
    declared = [Fraction(table.policy.query.delta) for table in tables if table.policy.query.delta is not None]
    delta = promise.keys_delta or (min(declared) if declared else Fraction(smallest) / 200)
    units = max(table.policy.contribution.min_units for table in tables) + windows - 1
    return KeySelection(contribution.max_groups, noise, promise.share(noise, parts), delta, units)

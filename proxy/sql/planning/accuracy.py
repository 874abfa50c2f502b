"""How good the numbers of a block are, in one sentence: how far 95 % of their noise goes (post-processing, free)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from proxy.dp.exponential import ModeMechanism
from proxy.dp.quantiles import QuantileMechanism
from proxy.dp.value_counts import ValueCountMechanism
from proxy.sql.planning.aggregates.aggregate import Aggregate, Estimate, OfKnownWidth
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.aggregates.quantifiers import Quantifier
from proxy.sql.planning.choices import CELLS, Choice, QuantileChoice
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import ChoosingMechanism
from proxy.sql.planning.statistic import UnitCount
from proxy.sql.planning.wording import listed, plural, short
from proxy.sql.replacing import replace
from proxy.sql.trees.interval_calls import CONFIDENCE

_USUALLY = f"{float(100 * CONFIDENCE):g} % of the time"
_MOST_LISTED = 6
"""Widths in one sentence."""


def accuracy_text(plan: BlockPlan) -> str:
    """How far 95 % of the noise of each aggregate goes; empty where no aggregate gets noise.

    An average is told as a number over its rows, of which groups have different numbers. What depends on several
    released numbers is told by dp.low and dp.high alone.
    """
    estimates = [aggregate for aggregate in plan.aggregates if isinstance(aggregate, Estimate)]
    if not estimates:
        return ""
    share = f"{float(100 * CONFIDENCE):g} % of the noise"
    if plan.clipping is not None and plan.clipping.chosen is None:
        return f"{share}: as wide as the limit that the query chooses makes it; the answer's notice says it"
    said = _widths(plan)
    if plan.levels is not None and plan.levels.has_totals:
        totals = _widths(replace(plan, mechanisms=plan.levels.measured[-1].mechanisms, levels=None))
        said += [f"in totals {width}" for width in totals if width not in said]
    if not said:
        return f"{share}: dp.low and dp.high tell it of each group"
    more = f"; and {len(said) - _MOST_LISTED} more" if len(said) > _MOST_LISTED else ""
    return f"{share}: {', '.join(said[:_MOST_LISTED])}{more}{_elsewhere(plan, estimates)}"


def _elsewhere(plan: BlockPlan, estimates: Sequence[Estimate]) -> str:
    """What tells the noise of those that have no width, beside others that have one."""
    untold = dict.fromkeys(aggregate.label for aggregate in estimates if not _within(plan, aggregate))
    if not untold:
        return ""
    return f"; dp.low and dp.high tell that of {listed(list(untold)) if len(untold) <= _MOST_LISTED else 'all others'}"


def numeric_widths(plan: BlockPlan) -> dict[str, Fraction | None]:
    """How far 95 % of the noise of each estimate goes at most, by its label; None where that is not known before the
    answer, or differs from group to group."""
    known = plan.clipping is None or plan.clipping.chosen is not None
    levels = [plan]
    if plan.levels is not None and plan.levels.has_totals:
        levels.append(replace(plan, mechanisms=plan.levels.measured[-1].mechanisms, levels=None))
    found: dict[str, Fraction | None] = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, OfKnownWidth) and known:
            widths = [aggregate.reach(level) for level in levels]
            found[aggregate.label] = max((width for width in widths if width is not None), default=None)
        elif isinstance(aggregate, Estimate):
            found[aggregate.label] = None
    return found


def choices_text(plan: BlockPlan) -> str:
    """How far chosen values are off; empty where nothing is chosen."""
    found: dict[str, list[str]] = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, ChosenValue):
            error = choice_error(plan, aggregate.choice) + _steps(plan.choices[aggregate.choice])
            found.setdefault(error, []).append(aggregate.label)
    said = [f"{listed(labels)} {error}" for error, labels in found.items()]
    may_be_none = any(_may_be_nothing(mechanism) for mechanism in plan.choosing)
    of_none = "; NULL where no row has a value, or too few to tell" if may_be_none else ""
    return f"{_USUALLY}: {', '.join(said)}{of_none}" if said else ""


def decisions_text(plan: BlockPlan) -> str:
    """How many rows decide true or false; empty where nothing is so decided, or the noise is not known yet."""
    found: dict[tuple[str, str, str, int], list[str]] = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, Quantifier) and all(map(plan.has_known_noise, aggregate.statistics)):
            (index,) = aggregate.statistics
            what = "units with rows" if isinstance(plan.statistics[index], UnitCount) else "rows that make it so"
            case = aggregate.found, aggregate.of_nothing, what, aggregate.decisive_rows(plan)
            found.setdefault(case, []).append(aggregate.label)
    return ". ".join(
        f"For {listed(labels)} to be {met}, it takes more than about {most} {what}; of no rows "
        f"{'it is' if len(labels) == 1 else 'they are'} {of_nothing}"
        for (met, of_nothing, what, most), labels in found.items()
    )


def choice_error(plan: BlockPlan, index: int) -> str:
    """How far the values of a choice are off, in words, with the probability of an interval."""
    choice, mechanism = plan.choices[index], plan.choosing[index]
    times = "times the limit in " if _limit_is_open(plan, index) else ""
    if isinstance(mechanism, ModeMechanism):
        error = short(mechanism.count_error(float(CONFIDENCE), MOST_DECLARED) / CELLS)
        return f"at most {error} {times}rows fewer than the most frequent one"
    if isinstance(mechanism, ValueCountMechanism):
        least = short(2 * mechanism.threshold / Fraction(CELLS))
        return f"counts the values of at least {least} units, and none without rows"
    error = short(rank_error(mechanism))
    what = ("groups" if times else "units") if choice.counts_units else "rows"
    # Units that are scaled down weigh less in it than they have rows, or groups.
    weighed = "" if plan.path == "unique" else ", as they count,"
    return f"at most {error} {times}{what}{weighed} from the rank that is sought"


def scarcity_text(plan: BlockPlan) -> str:
    """Of how few rows or units chosen values may be any value; empty where nothing is chosen by rank, or one is enough.

    The rank error alone does not say it: who does not know how many there are takes any value for an answer.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for aggregate in plan.aggregates:
        if isinstance(aggregate, ChosenValue):
            choice = plan.choices[aggregate.choice]
            if isinstance(choice, QuantileChoice):
                told = _scarcity(plan, aggregate.choice, [choice.fractions[place] for place in aggregate.positions])
                if told is not None:
                    some = "some of " if len(aggregate.positions) > 1 else ""
                    found.setdefault(told, []).append(f"{some}{aggregate.label}")
    return ". ".join(
        f"{few[0].upper()}{few[1:]} {listed(labels)} may be {value}" for (few, value), labels in found.items()
    )


def choice_scarcity(plan: BlockPlan, index: int) -> str:
    """The same of one choice, to follow its error; with a semicolon if there is any."""
    choice = plan.choices[index]
    told = _scarcity(plan, index, choice.fractions) if isinstance(choice, QuantileChoice) else None
    return f"; {told[0]} {'it' if choice.size == 1 else 'some'} may be {told[1]}" if told is not None else ""


def _scarcity(plan: BlockPlan, index: int, fractions: Sequence[Fraction]) -> tuple[str, str] | None:
    """Of how few, and which value any of the fractions may then be; None where that is not so."""
    choice, mechanism = plan.choices[index], plan.choosing[index]
    if not isinstance(mechanism, QuantileMechanism) or not isinstance(choice, QuantileChoice):
        return None
    least = max(mechanism.least_weight(float(CONFIDENCE), fraction) for fraction in fractions) / CELLS
    limited = _limit_is_open(plan, index)
    if choice.buckets.count == 1 or (least <= 1 and not limited):
        return None
    number, times = (short(least), " times the limit,") if limited else (str(ceil(least)), "")
    of = "in groups of" if plan.keys else "of"
    return f"{of} fewer than about {number} {_counted(plan, choice)}{times}", _any_value(choice, fractions)


def _counted(plan: BlockPlan, choice: QuantileChoice) -> str:
    """What is ordered, in the policy's own word where it is units."""
    if plan.path == "unique":
        return _units(plan)
    return f"{_units(plan) if choice.counts_units else 'rows'}, as they count,"


def _units(plan: BlockPlan) -> str:
    names = {table.policy.unit.name for table in plan.footprint.private_tables if table.policy.unit is not None}
    return plural(names.pop()) if len(names) == 1 else "units"


def _any_value(choice: QuantileChoice, fractions: Sequence[Fraction]) -> str:
    """Which values may be chosen of few rows: of a fraction above the middle those above all rows, and so on."""
    if choice.buckets.texts:
        return "any of the values"
    if choice.buckets.ends is None:
        return "any value within the bounds"
    low, high = choice.buckets.ends
    if all(Fraction(1, 2) < fraction < 1 for fraction in fractions):
        return f"any value up to {high}"
    if all(0 < fraction < Fraction(1, 2) for fraction in fractions):
        return f"any value down to {low}"
    return f"any value from {low} to {high}"


def _limit_is_open(plan: BlockPlan, index: int) -> bool:
    """Is it not known yet how much of a unit counts in a choice?"""
    return plan.limits[index] is not None and plan.limited is None


def rank_error(mechanism: QuantileMechanism) -> float:
    """From how many rows or units away a value may be chosen, with the probability of an interval."""
    return (mechanism.rank_error(float(CONFIDENCE)) + mechanism.coarseness) / CELLS


def _steps(choice: Choice) -> str:
    """In which steps its values are shown, if others than those can be there."""
    if not isinstance(choice, QuantileChoice) or not choice.buckets.rounds:
        return ""
    return f" and in steps of {choice.buckets.label}"


def _may_be_nothing(mechanism: ChoosingMechanism) -> bool:
    return not isinstance(mechanism, ValueCountMechanism) and mechanism.odds_of_nothing > 0


def _widths(plan: BlockPlan) -> list[str]:
    """Each width with the aggregates that have it."""
    found: dict[str, list[str]] = {}
    for aggregate in plan.aggregates:
        within = _within(plan, aggregate)
        if within:
            found.setdefault(within, []).append(aggregate.label)
    return [f"{listed(labels)} within {within}" for within, labels in found.items()]


def _within(plan: BlockPlan, aggregate: Aggregate) -> str:
    """How far 95 % of its noise goes, in words; empty where no limit is known."""
    return aggregate.within(plan) if isinstance(aggregate, OfKnownWidth) else ""

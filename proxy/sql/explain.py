"""The text of EXPLAIN for a plan: everything that is decided before any data is read (decision 7)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from proxy.dp.accounting import Price
from proxy.dp.clipping import threshold
from proxy.dp.mechanisms import Mechanism
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.accuracy import accuracy_text, choice_error, choice_scarcity
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.alternatives import Alternative, alternatives
from proxy.sql.planning.choices import ModeChoice, ValueCountChoice
from proxy.sql.planning.clipping import SHARE, DistinctValues, Norm
from proxy.sql.planning.guarantees import Guarantee
from proxy.sql.planning.levels import HIDDEN_SHARE, Levels
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import most_epsilon, usual_epsilon
from proxy.sql.planning.statistic import Distinct, DistinctCount, DistinctSum, GridSum, RowCount, Statistic, UnitCount
from proxy.sql.planning.wording import listed, short
from proxy.sql.remarks import (
    in_more_groups,
    nan_as_null,
    profile_price,
    rows_counted_again,
    rows_in_no_group,
    rows_without_unit,
    slow_clock,
    values_assumed,
    values_capped,
    values_left_out,
)
from proxy.sql.rows.elements import MOST_CHARACTERS, MOST_ELEMENTS
from proxy.sql.rows.members import Derived
from proxy.sql.rows.relation import Relation
from proxy.sql.source_queries.bounding import keeps_both_norms
from proxy.sql.terms.term import decimal_places
from proxy.sql.trees.interval_calls import CONFIDENCE


def stated_text(promise: Guarantee) -> str:
    """The epsilon and delta that are stated for a block."""
    delta = f", delta {short(promise.delta)}" if promise.delta is not None else ""
    return f"epsilon {short(promise.epsilon)}{delta}"


def price_text(price: Price) -> str:
    """A price as the ledger charges it. A stated epsilon can differ from the one that is charged."""
    parts = [f"pure epsilon {short(price.epsilon)}"] if price.epsilon is not None else []
    parts.append(f"rho {short(price.rho)}")
    if price.delta:
        parts.append(f"delta {short(price.delta)}")
    return ", ".join(parts)


def explain_block(plan: BlockPlan, number: int | None = None, reads: Sequence[int] = ()) -> list[str]:
    """The lines for one block.

    Args:
        plan: its plan.
        number: its number among the blocks of the statement, if there are several.
        reads: the numbers of the blocks whose released results it reads.
    """
    owner, *others = plan.footprint.private_tables
    names = [table.name for table in others]
    names += list(dict.fromkeys(table.name for table in plan.footprint.tables if not table.private))
    rows = owner.name + (f" joined with {', '.join(names)}" if names else "")
    lines = [f"{f'Block {number}: ' if number is not None else ''}Differentially private aggregate of {rows}"]
    if reads:
        before = " and ".join(f"block {read}" for read in reads)
        lines.append(f"  Reads what {before} released")
    lines.append(f"  Privacy unit: {_unit_of(owner)}")
    lines += [f"    {sentence}" for sentence in rows_without_unit(plan)]
    lines += [f"  Clock: {sentence}" for sentence in slow_clock(plan)]
    lines += [f"  Windows: {sentence}" for sentence in windows_read(plan)]
    lines.append(f"  Contribution: {_contribution(plan)}")
    lines += _cuts(plan)
    if plan.footprint.elements:
        lines.append(
            f"  Elements of arrays and texts in FROM: the first {MOST_ELEMENTS} of each, {MOST_CHARACTERS} characters "
            "of an element"
        )
    lines += [f"  Repeated rows: {sentence}" for sentence in rows_counted_again(plan)]
    lines.append(f"  Group keys: {_keys(plan)}")
    if plan.footprint.seen:
        characters = min(plan.footprint.seen)
        lines.append(f"  Regular expressions: of longer texts they see the first {characters} characters")
    lines += [f"  Large values: {sentence}" for sentence in plan.large]
    lines += [f"  Not a number: {sentence}" for sentence in nan_as_null(plan)]
    if plan.levels is not None and plan.asks_source:
        lines += _levels(plan.levels)
    for index, statistic in enumerate(plan.statistics):
        lines.append(f"  Noisy number {index + 1}: {_statistic(plan, index, statistic)}")
        if plan.levels is not None and plan.levels.has_totals:
            total = plan.levels.measured[-1].mechanisms[index]
            lines.append(f"    in each total: {_noise(plan, index, total)}")
    lines += [f"  Choice {index + 1}: {_choice(plan, index)}" for index in range(len(plan.choices))]
    lines += [f"  {aggregate.label}: {aggregate.explained(plan)}" for aggregate in plan.aggregates]
    if plan.hides_by is not None:
        lines.append(f"  Empty groups: hidden where noisy number {plan.hides_by + 1}, measured for that, is about 0")
    accuracy = accuracy_text(plan)
    if accuracy:
        lines.append(f"  {accuracy}")
    if plan.statistics:
        lines.append(f"  Noise intervals (dp.low, dp.high): {_covered(plan)}")
    if plan.asks_source:
        lines.append(f"  Mechanism: {plan.noise_name}; {stated_text(plan.guarantee)} for the block")
        lines += [f"  Profile: {sentence}" for sentence in profile_price(plan)]
        lines += [f"  Unlisted: {sentence}" for sentence in values_left_out(plan)]
        lines += [f"  Limits: {sentence}" for sentence in [*values_assumed(plan), *values_capped(plan)]]
        if plan.guarantee.delta is not None:
            lines.append(f"  Delta: {_delta(plan)}; accounts add up the price below, not this")
        lines.extend(_alternatives(plan))
    if plan.delay is not None:
        waits = f"the answer leaves up to {short(plan.delay.longest)} s after the source has answered"
        lines.append(f"  Response time: {price_text(plan.delay.price)} of the price; {waits}")
    lines.append(f"  Price: {price_text(plan.price) if plan.asks_source else 'nothing, no private row is read'}")
    return lines


def with_half_the_noise(plan: BlockPlan) -> Price | None:
    """About the price of the same block with twice its epsilon; None where that is not a matter of epsilon alone, or
    more than the policy allows."""
    most = most_epsilon(plan.footprint.private_tables)
    if not plan.adds_noise or plan.guarantee.delta is not None or 2 * plan.guarantee.epsilon > most:
        return None
    own, delay = plan.price, plan.delay.price if plan.delay is not None else Price.zero()
    pure = None if own.epsilon is None or delay.epsilon is None else 2 * own.epsilon - delay.epsilon
    return Price(pure, 4 * own.rho - 3 * delay.rho, own.delta)


def other_noise(plan: BlockPlan, halved: Price | None, error: Fraction | None) -> list[str]:
    """What half of the noise costs, and the usual noise where the session asks for another one; `error` is the
    session's dp.error, if it chooses epsilon."""
    if not plan.adds_noise or plan.guarantee.delta is not None:
        return []
    tables, epsilon = plan.footprint.private_tables, plan.guarantee.epsilon
    if halved is not None:
        times = "twice the epsilon" if halved.epsilon is not None else "4 times as much"
        setting = f"dp.epsilon = {short(2 * epsilon)}" if error is None else f"dp.error = {short(error / 2)}"
        lines = [f"  Half the noise: {setting}, {price_text(halved)}, which is {times}"]
    else:
        lines = [f"  Half the noise: not possible, the policy allows at most epsilon {short(most_epsilon(tables))}"]
    usual = usual_epsilon(tables)
    if epsilon != usual:
        lines.append(f"  At the policy's epsilon {short(usual)}: {short(epsilon / usual)} times as much noise")
    return lines


def _delta(plan: BlockPlan) -> str:
    """How a stated delta is split between noise and key selection."""
    promise = plan.guarantee
    noise = promise.noise_delta if plan.noise_name == "gaussian" else Fraction(0)
    law = f"noise calibrated by {promise.calibration}" if plan.noise_name == "gaussian" else "noise, which is pure"
    keys = f", {short(plan.selection.delta)} for selecting group keys" if plan.selection is not None else ""
    return f"{short(noise or 0)} for the {law}{keys}"


def _alternatives(plan: BlockPlan) -> list[str]:
    """One line for each kind of noise that the block could have."""
    if not plan.statistics or plan.clipping is not None:
        return []
    lines = ["  Alternatives (standard deviation of noisy number 1, price of the block):"]
    lines += [f"    {alternative.name}: {_alternative(plan, alternative)}" for alternative in alternatives(plan)]
    if plan.guarantee.delta is None and all(account.budget.delta > 0 for account in plan.accounts):
        lines.append("    gaussian zcdp, analytic, classic: they need a delta, SET dp.delta = '1e-7'")
    return lines


def _alternative(plan: BlockPlan, alternative: Alternative) -> str:
    if alternative.price is None:
        return f"not possible, {alternative.reason}"
    deviation = alternative.standard_deviation * float(_cell(plan, 0))
    chosen = " (chosen)" if alternative.chosen else ""
    return f"standard deviation {short(deviation)}, price {price_text(alternative.price)}{chosen}"


def _cell(plan: BlockPlan, index: int) -> Fraction:
    """The value of one cell of a noisy number."""
    return plan.statistics[index].step / plan.cells_per_step(index)


def _unit_of(owner: NamedTable) -> str:
    """The unit, and how a row leads to it: a column, or foreign keys."""
    unit = owner.policy.unit
    if unit is None:
        raise AssertionError("a private table has a unit")
    return f"{unit.name}, by {f'{owner.name}.{unit.column}' if unit.column is not None else unit.via}"


def _cuts(plan: BlockPlan) -> list[str]:
    """One line for each table of which a limited number of a unit's rows take part."""
    return [
        f"  Rows that {'meet others' if meets else 'may take long'}: at most {most} of a unit in {name}; "
        "further ones take no part"
        for (meets, name), most in plan.footprint.least_cuts.items()
    ]


def windows_read(plan: BlockPlan) -> list[str]:
    """Which windows of time are read, and what of a unit is bounded."""
    told = [f"{windows} of {name}; no other rows are read" for name, windows in plan.windows.of.items()]
    if plan.windows.wide is not None:
        told.append("a unit's rows of each window are bounded, and charged, by themselves")
    return told


def _contribution(plan: BlockPlan) -> str:
    if plan.path == "unique":
        scaled = _chosen_contribution(plan) if plan.norms else "no unit is scaled down"
        return f"one row per unit, {_one_row_because(plan.relation)}; {scaled}"
    chosen = [_chosen_contribution(plan)] if plan.norms else []
    whole = [choice.counts_units and plan.path == "single group" for choice in plan.choices]
    if plan.clipping is None and not plan.adds_noise and any(whole) and not chosen:
        return "each unit counts once"
    # Statistics, selected keys, and choices whose limits are stated.
    stated = [limit is None and not is_whole for limit, is_whole in zip(plan.limits, whole, strict=True)]
    is_stated = plan.clipping is None and (plan.adds_noise or any(stated) or not plan.choices)
    return "; ".join([*([_fixed_contribution(plan)] if is_stated else []), *chosen])


def _fixed_contribution(plan: BlockPlan) -> str:
    bounds = plan.contribution
    norm = "their rows per group, squared and summed" if plan.noise_name == "gaussian" else "their rows"
    limit = bounds.max_rows * bounds.max_rows_per_group if plan.noise_name == "gaussian" else bounds.max_rows
    both = f", all their rows <= {bounds.max_rows}" if keeps_both_norms(plan) else ""
    return (
        f"max_rows {bounds.max_rows}, max_rows_per_group {bounds.max_rows_per_group}: "
        f"units with more are scaled down ({norm} <= {limit}{both})"
    )


def _chosen_contribution(plan: BlockPlan) -> str:
    """How much of a unit counts where the data decide: what it is measured by and, once that is known, the limits."""
    chosen = [place for place, norm in enumerate(plan.norms) if norm.choice is not None]
    if not chosen:
        return "each unit counts once; no unit is scaled down"
    together = ""
    if plan.keys and plan.clipping is not None:
        power = plan.clipping.power
        together = f", {'in all groups together' if power == 1 else 'per group, squared, summed, and the root taken'}"
    if plan.thresholds is None:
        limit = f"a limit that the query chooses from the data for {SHARE} of the price"
        return f"units are scaled down to {limit}, by {listed([norm_name(plan, place) for place in chosen])}{together}"
    limits = [limit_text(plan, place) for place in chosen]
    return f"units are scaled down to {listed(limits)}{together}, chosen from the data"


def limit_text(plan: BlockPlan, place: int) -> str:
    """The limit that was chosen for what a unit is measured by, the one at this place of `plan.norms`."""
    if plan.thresholds is None:
        raise AssertionError("a limit is known once the answer is")
    norm = plan.norms[place]
    limit = short(threshold(plan.thresholds[place]) * norm_step(plan, norm))
    return f"{limit} {'in' if isinstance(norm.of, int) else 'of'} {norm_name(plan, place)}"


def norm_name(plan: BlockPlan, place: int) -> str:
    """What a unit is measured by, in the client's words."""
    norm = plan.norms[place]
    if isinstance(norm.of, int):
        return f"their own {_labels_over(plan, norm.of)}"
    if isinstance(norm.of, DistinctValues):
        return f"their values in {_labels_over(plan, norm.of.statistic)}"
    name = "their rows" if norm.of == "rows" else "their groups"
    if not plan.is_limit(place):
        return name
    limited = [index for index, limit in enumerate(plan.limits) if limit is not None]
    choice = limited[place - len(plan.norms)]
    labels = [a.label for a in plan.aggregates if isinstance(a, ChosenValue) and a.choice == choice]
    return f"{name} in {' and '.join(dict.fromkeys(labels))}"


def _labels_over(plan: BlockPlan, statistic: int) -> str:
    """The aggregates that are made of a statistic, and what it is in them."""
    labels = [aggregate.label_of(statistic) for aggregate in plan.aggregates if statistic in aggregate.statistics]
    return " and ".join(dict.fromkeys(labels))


def compared_text(plan: BlockPlan, known: BlockPlan) -> str:
    """How exact a block's numbers are, as the plan `known` has them, and what asking for them anew would cost."""
    anew = accuracy_text(plan).removeprefix(_OF_NOISE)
    return f"{accuracy_text(known)}; asking anew would cost {price_text(plan.price)} and be{anew}"


_OF_NOISE = "95 % of the noise:"


def norm_step(plan: BlockPlan, norm: Norm) -> Fraction:
    """The unit of a norm: a row, a group, or a step of the summed values."""
    return plan.statistics[norm.of].step if isinstance(norm.of, int) else Fraction(1)


def _one_row_because(relation: Relation) -> str:
    """What proves that no unit has two rows."""
    derived = [
        member.table for member in relation.members if isinstance(member.table, Derived) and member.table.private
    ]
    if any(table.merges_unit for table in derived):
        return "because a subquery groups by the unit"
    return "proven by a unique key of the source"


def _covered(plan: BlockPlan) -> str:
    """What a noise interval covers. It leaves out clipping, since how much is clipped is private."""
    others = []
    if plan.path != "unique" or plan.clipping is not None:
        if not all(isinstance(statistic, Distinct) for statistic in plan.statistics):
            others.append("units that are scaled down")
        if any(isinstance(statistic, Distinct) for statistic in plan.statistics):
            others.append("distinct values that a unit has too many of")
    if any(aggregate.clipped_values(plan) for aggregate in plan.aggregates):
        others.append("values moved to a bound")
    return f"cover the noise only, not {', not '.join(others)}" if others else "cover everything, nothing is clipped"


def _keys(plan: BlockPlan) -> str:
    if not plan.keys:
        return "none, one row"
    labels = ", ".join(key.label for key in plan.keys)
    if plan.domain is not None:
        empty = "empty ones as noise around 0"
        of_others = "".join(f"; {sentence}" for sentence in rows_in_no_group(plan))
        answered = f"{'each declared' if of_others else 'every'} key is answered, {empty}{of_others}"
        return f"{labels}: declared ({plan.domain.description}); {answered}"
    selection = plan.selection
    if selection is None:
        raise AssertionError("undeclared keys are selected")
    threshold = selection.threshold / selection.resolution
    return (
        f"{labels}: selected; a group shows if its weighted number of units, with noise, reaches {threshold:.1f} "
        f"(each unit counts in at most {selection.max_groups} groups)"
    )


def _levels(levels: Levels) -> list[str]:
    """The lines about several grouping sets."""
    if not levels.has_totals:
        return [f"  Grouping sets: {len(levels.shown)} equal ones, measured once"]
    asked = len(set(levels.shown))
    lines = [f"  Grouping sets: {asked}, each with noise of its own for an equal share of the price"]
    if levels.hides_finest:
        lines.append(
            f"  Groups by all keys: not shown, measured for {HIDDEN_SHARE} of the price so that all can add up"
        )
    lines.append(
        "  Consistency: totals and parts are made to add up, at no price (dp.consistency = off shows raw noise)"
    )
    return lines


def _noise(plan: BlockPlan, index: int, mechanism: Mechanism) -> str:
    if plan.clipping is not None and not plan.has_known_noise(index):
        place = plan.clipping.norm_of[index]
        norm = plan.clipping.norms[place]
        times = mechanism.standard_deviation / norm.cells
        if not isinstance(norm.of, int):
            times *= float(plan.statistics[index].step)
        return f"standard deviation {short(times)} times the limit of {norm_name(plan, place)}"
    unit = _cell(plan, index)
    width = float(mechanism.half_width(float(CONFIDENCE)) * unit)
    deviation = mechanism.standard_deviation * float(unit)
    return f"standard deviation {short(deviation)}, 95 % of the noise within ±{short(width)}"


def _statistic(plan: BlockPlan, index: int, statistic: Statistic) -> str:
    noise = _noise(plan, index, plan.mechanisms[index])
    match statistic:
        case UnitCount():
            return f"units{in_more_groups(plan)}; {noise}"
        case DistinctCount() | DistinctSum():
            chosen = "" if plan.relation.unit_unique else ", chosen at random where a unit has too many"
            if statistic.listed is not None and chosen:
                chosen = f", in a group at most {statistic.listed.number} of each unit{chosen}"
            return f"{_sum(statistic) if isinstance(statistic, DistinctSum) else 'distinct values'}{chosen}; {noise}"
        case RowCount():
            return f"rows{' where the value is not NULL' if statistic.present is not None else ''}; {noise}"
        case GridSum():
            return f"{_sum(statistic)}; {noise}"
        case _:
            assert_never(statistic)


def _sum(statistic: GridSum) -> str:
    grid = statistic.grid
    low, high, centre = grid.shown
    around = f" around {short(centre)}" if centre else ""
    step = f"{float(grid.step):.{decimal_places(grid.step)}f}" if decimal_places(grid.step) < 12 else short(grid.step)
    if statistic.unbounded:
        return f"sum of values in steps of {step}, cut at ±{short(high)}"
    values = "distinct values" if isinstance(statistic, DistinctSum) else "values"
    return f"sum{around} of {values} clamped to [{short(low)}, {short(high)}] in steps of {step}"


def _choice(plan: BlockPlan, index: int) -> str:
    """What is chosen, and a bound on its error."""
    choice, usually = plan.choices[index], f"{float(100 * CONFIDENCE):g} % of the time it"
    error = choice_error(plan, index)
    if isinstance(choice, ModeChoice):
        return f"one of the declared values; {usually} has {error}"
    if isinstance(choice, ValueCountChoice):
        return f"number of values, of the {choice.most} declared ones; {usually} {error}"
    names = {Fraction(0): "minimum", Fraction(1): "maximum"}
    wanted = ", ".join(names.get(fraction, f"{short(fraction)} quantile") for fraction in choice.fractions)
    between = " and what is between them" if choice.interpolated else ""
    return f"{wanted} of {choice.buckets.described}{between}; {usually} is {error}{choice_scarcity(plan, index)}"

"""What EXPLAIN prints of a plan: everything that is decided before any data is read (DESIGN section 7)."""

from __future__ import annotations

from fractions import Fraction

from proxy.dp.accounting import Price
from proxy.dp.exponential import ModeMechanism
from proxy.sql.planning.alternatives import Alternative, alternatives
from proxy.sql.planning.choices import CELLS, Choice
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.planning.guarantees import Guarantee
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import CONFIDENCE, ChoosingMechanism
from proxy.sql.planning.statistic import Statistic
from proxy.sql.terms.term import decimal_places


def short(value: Fraction | float) -> str:
    """A number for people: at most six significant digits."""
    return f"{float(value):.6g}"


def stated_text(promise: Guarantee) -> str:
    """What is stated for a block."""
    delta = f", delta {short(promise.delta)}" if promise.delta is not None else ""
    return f"epsilon {short(promise.epsilon)}{delta}"


def price_text(price: Price) -> str:
    """A price as the ledger charges it."""
    parts = [f"epsilon {short(price.epsilon)}"] if price.epsilon is not None else []
    parts.append(f"rho {short(price.rho)}")
    if price.delta:
        parts.append(f"delta {short(price.delta)}")
    return ", ".join(parts)


def explain_block(plan: BlockPlan) -> list[str]:
    """The lines for one block."""
    owner, *others = plan.relation.private_tables
    names = [table.name for table in others]
    names += list(dict.fromkeys(table.name for table in plan.relation.all_tables if not table.private))
    rows = owner.name + (f" joined with {', '.join(names)}" if names else "")
    lines = [f"Differentially private aggregate of {rows}"]
    lines.append(f"  Privacy unit: {owner.policy.unit.name if owner.policy.unit else ''} ({plan.relation.unit_sql})")
    lines.append(f"  Contribution: {_contribution(plan)}")
    lines.append(f"  Group keys: {_keys(plan)}")
    for index, statistic in enumerate(plan.statistics):
        lines.append(f"  Noisy number {index + 1}: {_statistic(plan, index, statistic)}")
    for index, (choice, mechanism) in enumerate(zip(plan.choices, plan.choosing, strict=True)):
        lines.append(f"  Choice {index + 1}: {_choice(choice, mechanism)}")
    for aggregate in plan.aggregates:
        if aggregate.chosen is not None:
            lines.append(f"  {aggregate.label}: from choice {aggregate.chosen.choice + 1}")
            continue
        used = [index + 1 for index in aggregate.statistics]
        lines.append(f"  {aggregate.label}: from noisy number {' and '.join(map(str, used))}")
    if plan.measured:
        lines.append(f"  Mechanism: {plan.noise_name}; {stated_text(plan.guarantee)} for the block")
        if plan.guarantee.delta is not None:
            lines.append(f"  Delta: {_delta(plan)}; accounts add up the price below, not this")
        lines.extend(_alternatives(plan))
    lines.append(f"  Price: {price_text(plan.price) if plan.measured else 'nothing, no private row is read'}")
    return lines


def _delta(plan: BlockPlan) -> str:
    """What is spent on what of a stated delta."""
    promise = plan.guarantee
    noise = promise.noise_delta if plan.noise_name == "gaussian" else Fraction(0)
    law = f"noise calibrated by {promise.calibration}" if plan.noise_name == "gaussian" else "noise, which is pure"
    keys = f", {short(plan.selection.delta)} for selecting group keys" if plan.selection is not None else ""
    return f"{short(noise or 0)} for the {law}{keys}"


def _alternatives(plan: BlockPlan) -> list[str]:
    """One line for each noise that the block could have."""
    if not plan.statistics:
        return []
    lines = ["  Alternatives (standard deviation of noisy number 1, price of the block):"]
    lines += [f"    {one.name}: {_alternative(plan, one)}" for one in alternatives(plan)]
    if plan.guarantee.delta is None and all(account.budget.delta > 0 for account in plan.accounts):
        lines.append("    gaussian zcdp, analytic, classic: they need a delta, SET dp.delta = '1e-7'")
    return lines


def _alternative(plan: BlockPlan, one: Alternative) -> str:
    if one.price is None:
        return f"not possible, {one.reason}"
    deviation = one.standard_deviation * float(_unit(plan, plan.statistics[0]))
    chosen = " (chosen)" if one.chosen else ""
    return f"standard deviation {short(deviation)}, price {price_text(one.price)}{chosen}"


def _unit(plan: BlockPlan, statistic: Statistic) -> Fraction:
    """What a cell of a noisy number is."""
    unit = Fraction(1, plan.cells_per_contribution)
    return unit * statistic.grid.step if statistic.grid is not None else unit


def _contribution(plan: BlockPlan) -> str:
    if plan.path == "unique":
        return "one row per unit, proven by a unique key of the source; nothing is clipped"
    bounds = plan.contribution
    norm = "their rows per group, squared and summed" if plan.noise_name == "gaussian" else "their rows"
    limit = bounds.max_rows * bounds.max_rows_per_group if plan.noise_name == "gaussian" else bounds.max_rows
    return (
        f"max_rows {bounds.max_rows}, max_rows_per_group {bounds.max_rows_per_group}: "
        f"units with more are scaled down ({norm} <= {limit})"
    )


def _keys(plan: BlockPlan) -> str:
    if not plan.keys:
        return "none, one row"
    labels = ", ".join(key.label for key in plan.keys)
    if plan.rolled_up:
        labels += " (totals are sums of these groups, at no further price)"
    if plan.domain is not None:
        return f"{labels}: declared ({plan.domain.description}); every key is answered, empty ones as noise around 0"
    selection = plan.selection
    if selection is None:
        raise AssertionError("undeclared keys are selected")
    threshold = selection.threshold / selection.resolution
    return (
        f"{labels}: selected; a group shows if its weighted number of units, with noise, reaches {threshold:.1f} "
        f"(each unit counts in at most {selection.max_groups} groups)"
    )


def _statistic(plan: BlockPlan, index: int, statistic: Statistic) -> str:
    mechanism = plan.mechanisms[index]
    unit = _unit(plan, statistic)
    width = float(mechanism.half_width(CONFIDENCE) * unit)
    deviation = mechanism.standard_deviation * float(unit)
    noise = f"standard deviation {short(deviation)}, 95 % of the noise within ±{short(width)}"
    if statistic.kind == "units":
        return f"units; {noise}"
    if statistic.kind == "distinct":
        chosen = "" if plan.path == "unique" else ", chosen at random where a unit has too many"
        return f"distinct values{chosen}; {noise}"
    if statistic.grid is None:
        return f"rows{' where the value is not NULL' if statistic.value is not None else ''}; {noise}"
    grid = statistic.grid
    low, high = grid.low * grid.step, grid.high * grid.step
    around = f" around {short(grid.centre * grid.step)}" if grid.centre else ""
    step = f"{float(grid.step):.{decimal_places(grid.step)}f}" if decimal_places(grid.step) < 12 else short(grid.step)
    return f"sum{around} of values clamped to [{short(low)}, {short(high)}] in steps of {step}; {noise}"


def _choice(choice: Choice, mechanism: ChoosingMechanism) -> str:
    """What is chosen, and how far off it is at most."""
    usually = f"{100 * CONFIDENCE:g} % of the time"
    if isinstance(mechanism, ModeMechanism):
        error = short(mechanism.count_error(CONFIDENCE, MOST_DECLARED) / CELLS)
        return f"one of the declared values; {usually} it has at most {error} rows fewer than the most frequent one"
    if choice.buckets is None:
        raise AssertionError("quantiles are buckets")
    names = {Fraction(0): "minimum", Fraction(1): "maximum"}
    wanted = ", ".join(names.get(one, f"{short(one)} quantile") for one in choice.fractions)
    error = short(mechanism.rank_error(CONFIDENCE) / CELLS)
    counted = "units" if choice.counts_units else "rows"
    return (
        f"{wanted} of {choice.buckets.count} values in steps of {choice.buckets.label}; {usually} it is at most "
        f"{error} {counted} from the rank that is sought"
    )

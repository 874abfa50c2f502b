"""Numbers of units that are bounded by the stated most rows of a unit, though units may have more."""

from __future__ import annotations

from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.choices import QuantileChoice
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term


def capped(plan: BlockPlan, aggregate: Aggregate) -> list[tuple[Bounds, int]]:
    """The bounds beyond which values of an aggregate count as the nearest one, each once, with the most rows that they
    follow from; none where no unit can have values beyond them."""
    values: list[Term] = [
        statistic.value
        for statistic in (plan.statistics[index] for index in aggregate.statistics)
        if isinstance(statistic, GridSum)
    ]
    choice = plan.choices[aggregate.choice] if isinstance(aggregate, ChosenValue) else None
    if isinstance(choice, QuantileChoice):
        values.append(choice.value)
    known = [value.capped for value in values if value.capped is not None and value.capped[0] == value.bounds]
    return list(dict.fromkeys(known))

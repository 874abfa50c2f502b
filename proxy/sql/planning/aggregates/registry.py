"""All aggregates over private rows, in the order in which hints list them."""

from __future__ import annotations

from proxy.sql.planning.aggregates.aggregate import Aggregate, Decision, Estimate
from proxy.sql.planning.aggregates.chosen import Extreme, Median, Mode, Percentile
from proxy.sql.planning.aggregates.counts import Count
from proxy.sql.planning.aggregates.quantifiers import Quantifier
from proxy.sql.planning.aggregates.regressions import PairCount, Regression
from proxy.sql.planning.aggregates.sums import Average, Sum
from proxy.sql.planning.aggregates.variances import Variance
from proxy.sql.planning.wording import listed

FUNCTIONS: tuple[type[Aggregate], ...] = (
    Count, Sum, Average, Variance, Regression, PairCount, Extreme, Percentile, Median, Mode, Quantifier
)  # fmt: skip

BY_CALL: dict[tuple[str, bool], type[Aggregate]] = {
    (name, function.within_group): function for function in FUNCTIONS for name in function.names
}
"""By name, and by whether the call has WITHIN GROUP."""

ALL = listed([word for function in FUNCTIONS for word in function.spelled])
ESTIMATES = listed([word for function in FUNCTIONS if issubclass(function, Estimate) for word in function.spelled])
DECISIONS = listed([word for function in FUNCTIONS if issubclass(function, Decision) for word in function.spelled])
"""Their names, for messages."""

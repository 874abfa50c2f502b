"""From exact histograms to what is chosen for each group (theorems 11 and 27)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add

import numpy as np

from proxy.dp.exponential import ModeMechanism
from proxy.dp.histogram import Histogram
from proxy.dp.value_counts import ValueCountMechanism
from proxy.dp.weighted_choice import integers
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.group_keys import KeyRow, canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import ChoosingMechanism
from proxy.sql.source_queries.histograms import ExactHistogram


def choose(
    plan: BlockPlan,
    histograms: Sequence[Sequence[ExactHistogram]],
    keys: Sequence[KeyRow],
    candidates: Sequence[Sequence[KeyRow]],
) -> tuple[tuple[str | None, ...], ...]:
    """The chosen values of each group, whether it has rows or not.

    Args:
        plan: the block's plan.
        histograms: the measured histograms of each choice.
        keys: the groups to answer.
        candidates: for each choice, the declared values that it is about, of a mode at least one; empty for buckets.

    Returns:
        For each group, all that is chosen in order, in text form: numbers of buckets, values, or numbers of values,
            None where there seems to be nothing to choose from; empty without choices.
    """
    if not plan.choices:
        return ()
    types = [key.term.type for key in plan.keys]
    wanted = [canonical_key(key, types) for key in keys]
    columns = []
    for choice, mechanism, measured, values in zip(plan.choices, plan.choosing, histograms, candidates, strict=True):
        found = {canonical_key(histogram.key, types): histogram for histogram in measured}
        columns.append([_texts(choice, mechanism, found.get(key), values) for key in wanted])
    return tuple(tuple(text for texts in row for text in texts) for row in zip(*columns, strict=True))


def _texts(
    choice: Choice, mechanism: ChoosingMechanism, measured: ExactHistogram | None, values: Sequence[KeyRow]
) -> list[str | None]:
    """The choices of one group."""
    if isinstance(mechanism, (ModeMechanism, ValueCountMechanism)):
        texts = [text for (text,) in values if text is not None]
        if isinstance(mechanism, ValueCountMechanism):
            # A unit weighs no more in what is one value here and was several at the source.
            return [str(mechanism.release(_weights(choice, measured, texts, max)))]
        weights = _weights(choice, measured, texts, add)
        index = mechanism.release(integers(np.array(weights, dtype=object)))
        return [None if index is None else texts[index]]
    occupied, weights = (measured.buckets, measured.weights) if measured is not None else ([], [])
    buckets = mechanism.release(Histogram(mechanism.buckets, integers(occupied), integers(weights)))
    return [str(bucket) for bucket in buckets] or [None] * choice.size


def _weights(
    choice: Choice, measured: ExactHistogram | None, texts: Sequence[str], together: Callable[[int, int], int]
) -> list[int]:
    """Of the declared values; rows with other values, or NULL, do not count."""
    types = [choice.value.type]
    weights: dict[object, int] = {}
    if measured is not None:
        for candidate, weight in zip(measured.values, measured.weights, strict=True):
            key = canonical_key((candidate,), types)
            weights[key] = together(weights.get(key, 0), weight)
    return [weights.get(canonical_key((text,), types), 0) for text in texts]

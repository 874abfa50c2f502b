"""The aggregates of a block, and the noisy numbers and choices that they use (theorem 1).

A client's aggregate is a formula over *statistics*, which are measured and get noise. Aggregates that need the same
statistic share it: AVG(x), SUM(x) and COUNT(x) are two noisy numbers, not four.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import assert_never

from sqlglot import exp

from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.aggregates.calls import Asked, AskedChoice, AskedNumbers, Call, Shared
from proxy.sql.planning.aggregates.registry import ALL, BY_CALL
from proxy.sql.planning.choices import Choice, ValueCountChoice, counted_rows, merge
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.statistic import GridSum, RowCount, Statistic, UnitCount
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term
from proxy.sql.trees.aggregate_calls import aggregate_name
from proxy.sql.trees.conjuncts import conjuncts


@dataclass(frozen=True)
class Compiled:
    """The aggregates of a block, the statistics and choices that they share, and what is computed for each row."""

    aggregates: tuple[Aggregate, ...]
    statistics: tuple[Statistic, ...]
    choices: tuple[Choice, ...]
    terms: tuple[Term, ...]

    def has_nulls(self, *, grouped: bool) -> bool:
        """Does Postgres answer differently where there are no rows than where its numbers are 0?"""
        if any(not isinstance(choice, ValueCountChoice) for choice in self.choices):
            return True
        return bool(self.aggregates) and (grouped or any(isinstance(found, GridSum) for found in self.statistics))

    @property
    def counting_rows(self) -> Compiled:
        """With a count of rows, if it has none, which tells empty groups from those whose numbers are 0; and with one
        for each FILTER of what is chosen, which tells where there is nothing to choose from."""
        counted = any(isinstance(found, (RowCount, UnitCount)) and found.counts_all for found in self.statistics)
        added: list[Statistic] = [] if counted else [RowCount()]
        for choice in self.choices:
            rows = RowCount(None, choice.filter_sql)
            if choice.filter_sql is not None and counted_rows(choice, [*self.statistics, *added]) is None:
                added.append(rows)
        return replace(self, statistics=(*self.statistics, *added))


def compile_aggregates(
    calls: list[exp.Expr],
    texts: list[str],
    relation: Relation,
    where: Conditions,
    *,
    bounds_needed: bool,
    own_sums: bool = False,
    chooses_at: Fraction | None = None,
) -> Compiled:
    """Compile aggregate calls into formulas over shared statistics and choices.

    Args:
        calls: the calls, as `collect` gives them.
        texts: their canonical texts.
        relation: what columns mean, and what conditions say of numbers.
        where: what all rows meet; it narrows the candidates of modes, and of dates.
        bounds_needed: must the values of sums and averages have bounds?
        own_sums: do a unit's own sums say how much of it counts, of values with bounds, too?
        chooses_at: the block's epsilon, if the number of a few values may be chosen instead of counted with noise.

    Raises:
        UnsupportedError: an aggregate without a mechanism.
        RefusedError: a sum or average without bounds.
    """
    make = partial(Call, bounds_needed=bounds_needed, own_sums=own_sums, chooses_at=chooses_at)
    nodes = dict(zip(texts, calls, strict=True))
    terms: list[Term] = []
    asked: list[Asked] = []
    for text, node in nodes.items():
        call = _call(make, node, text, relation, where)
        terms += [call.filter] if call.filter is not None else []
        asked.append(_ask(call))
        terms += asked[-1].computed
    of_numbers = [numbers for numbers in asked if isinstance(numbers, AskedNumbers)]
    centred = [numbers for numbers in of_numbers if numbers.centred is not None]
    known = sorted(centred, key=lambda numbers: numbers.centred_sum is not None)
    shared = Shared({numbers.centred: numbers.centred_sum for numbers in known if numbers.centred is not None})
    built = {id(numbers): _built(numbers, shared) for numbers in of_numbers}
    chosen, choices = merge([wanted.choice for wanted in asked if isinstance(wanted, AskedChoice)])
    places = iter(chosen)
    aggregates: list[Aggregate] = []
    for wanted in asked:
        match wanted:
            case AskedNumbers():
                aggregates.append(built[id(wanted)] or wanted.build(shared))
            case AskedChoice():
                aggregates.append(wanted.build(*next(places)))
            case _:
                assert_never(wanted)
    return Compiled(tuple(aggregates), tuple(shared.statistics), tuple(choices), tuple(terms))


def _built(numbers: AskedNumbers, shared: Shared) -> Aggregate | None:
    """The aggregate; None if what it is made of is not known before all others are."""
    shared.searched = False
    aggregate = numbers.build(shared)
    return None if shared.searched else aggregate


def _call(make: Callable[..., Call], node: exp.Expr, text: str, relation: Relation, where: Conditions) -> Call:
    if not isinstance(node, exp.Filter):
        return make(node, node, text, aggregate_name(node), relation, where)
    kept = node.expression.this
    where = [*where, *((conjunct, relation) for conjunct in conjuncts(kept))]
    return make(node, node.this, text, aggregate_name(node), meeting(relation, kept), where)


def _ask(call: Call) -> Asked:
    function = BY_CALL.get((call.name, isinstance(call.function, exp.WithinGroup)))
    if function is None:
        raise unsupported(
            call.node,
            f"{call.name}() is not supported over private rows",
            rule="aggregate",
            hint=f"{ALL} are, each with FILTER (WHERE …).",
        )
    return function.ask(call)

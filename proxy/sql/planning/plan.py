"""The plan of one block: keys, statistics, bounds, mechanism, noise and exact price (decision 2).

A pure function of the block's tree, the policy, the catalog and the session's settings: no database, no data.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from proxy.dp.accounting import Price
from proxy.dp.clipping import ThresholdChoice
from proxy.dp.conversion import QUANTUM
from proxy.dp.exact import ceil_to
from proxy.dp.mechanisms import GaussianMechanism, Mechanism
from proxy.dp.selection import KeySelection
from proxy.dp.timing import ResponseDelay
from proxy.errors import UnsupportedError
from proxy.settings import QuerySettings
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning import pricing
from proxy.sql.planning.accounts import AccountPrice
from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.aggregates.compiling import compile_aggregates
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.clipping import MOST_OWN_NORMS, Clipping, Norm, Path
from proxy.sql.planning.compared_constants import ComparedConstants, compared_constants
from proxy.sql.planning.domains import Domain, declared_domain, kept_domain
from proxy.sql.planning.guarantees import Guarantee
from proxy.sql.planning.keys import (
    Key,
    check_grouping_sets,
    check_shared,
    compile_key,
    key_nodes,
    leaves_rows_out,
    limited_keys,
)
from proxy.sql.planning.levels import PLAIN, Levels, grouping_sets, groupings
from proxy.sql.planning.limits import limited_at
from proxy.sql.planning.narrowed import Condition, Parts, conditions_of, parts_of
from proxy.sql.planning.noise_intervals import NoiseInterval, compile_intervals
from proxy.sql.planning.pricing import ChoosingMechanism, Contribution
from proxy.sql.planning.scans import check_passes
from proxy.sql.planning.spending import Payer, spend
from proxy.sql.planning.statistic import Distinct, DistinctSum, GridSum, Statistic
from proxy.sql.refusal import clause_name, unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.derived import relation_filters
from proxy.sql.rows.feedback import Feedback
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.limits import check_row, source_steps
from proxy.sql.rows.multiplicity import MOST_OF_UNIT
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.outer_joins import keeps_public_rows, kept_keys
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.snapping import snapped
from proxy.sql.rows.time_windows import NO_WINDOWS, Asked, TimeWindows, by_window, check_one_row, windows_read
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term, condition
from proxy.sql.terms.term import Term
from proxy.sql.trees.aggregate_calls import collect, released_clauses
from proxy.sql.trees.blocks import rows_refusal
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.marks import CLOCK


@dataclass(frozen=True, kw_only=True)
class BlockPlan:
    """Everything that is decided about a block before any database is asked.

    Attributes:
        relation: the rows, with all that is computed of them.
        footprint: what the block reads and rests on.
        where: condition of the rows, if any.
        keys: the group keys.
        domain: the declared keys; None if there are no keys or they are selected.
        selection: how undeclared keys are selected; None if they are not.
        aggregates: the client's aggregates as formulas over `statistics`.
        statistics: what is measured.
        mechanisms: the noise of each statistic, in cells.
        choices: aggregates that choose a value: minimum, maximum, percentiles, modes.
        choosing: the mechanism of each choice; for a limit of 1 where that is not chosen yet.
        path: how a unit's contribution is bounded.
        contribution: the bounds in force.
        guarantee: what the block promises, and how its parts share the price.
        price: exact price.
        accounts: who pays.
        levels: the grouping sets, if there are several; `mechanisms` is the noise of their finest level.
        clipping: how the data choose how much of a unit counts; None if `contribution` says it.
        limits: likewise for each choice.
        limited: the index of the threshold of each of these limits that there is, once they are chosen.
        keeps_empty: an outer join keeps groups without any row, so none is hidden as empty.
        intervals: the requests of dp.low, dp.high, dp.stddev and dp.clipped.
        delay: how long the answer waits once it is measured; None if response times are not protected.
        clock: for how long its now() stands still; 0 if it does not, or is not asked.
        snap: the step to whose multiples constants of WHERE were moved; 0 if none was.
        compared: what declared columns are compared with.
        windows: the windows of time that it reads of tables that have some.
        conditions: the operands of WHERE.
        filters: the conditions of FILTER, each with its operands.
        parts: for each key, the shorter dates that it is made of.
        share: of the guarantee's ρ that its numbers have; all of it, but for `of_numbers`.
    """

    relation: Relation
    footprint: Footprint
    where: Term | None
    keys: tuple[Key, ...]
    domain: Domain | None
    selection: KeySelection | None
    aggregates: tuple[Aggregate, ...]
    statistics: tuple[Statistic, ...]
    mechanisms: tuple[Mechanism, ...]
    choices: tuple[Choice, ...]
    choosing: tuple[ChoosingMechanism, ...]
    path: Path
    contribution: Contribution
    guarantee: Guarantee
    price: Price
    accounts: tuple[AccountPrice, ...]
    levels: Levels | None = None
    clipping: Clipping | None = None
    limits: tuple[Norm | None, ...] = ()
    limited: tuple[int, ...] | None = None
    keeps_empty: bool = False
    intervals: tuple[NoiseInterval, ...] = ()
    delay: ResponseDelay | None = None
    clock: dt.timedelta = dt.timedelta()
    snap: dt.timedelta = dt.timedelta()
    compared: tuple[ComparedConstants, ...] = ()
    windows: TimeWindows = NO_WINDOWS
    conditions: tuple[Condition, ...] = ()
    filters: tuple[tuple[str, tuple[Condition, ...]], ...] = ()
    parts: tuple[tuple[Parts, ...], ...] = ()
    share: Fraction = Fraction(1)

    def cells_per_step(self, statistic: int) -> int:
        """Cells of one row, or of one grid step, in the measured sums of a statistic."""
        if self.clipping is not None:
            return self.clipping.cells_per_step(statistic)
        return self.guarantee.cells_per_contribution(scaled=self.path != "unique")

    def has_known_noise(self, statistic: int) -> bool:
        """Is it known how large the noise of a statistic is? It follows from the threshold that the data choose."""
        return self.clipping is None or self.clipping.is_chosen_for(statistic)

    def clipped_at(self, thresholds: Sequence[int]) -> BlockPlan:
        """The plan once it is known how much of a unit counts; itself if that is fixed.

        Args:
            thresholds: for each norm, and for each limit of a choice, the index of the chosen one.
        """
        plan, norms = self, 0
        if self.clipping is not None:
            norms = len(self.clipping.norms)
            plan = replace(plan, clipping=self.clipping.at(thresholds[:norms]))
        if any(limit is not None for limit in self.limits):
            chosen = tuple(thresholds[norms:])
            plan = replace(plan, limited=chosen, choosing=limited_at(self.choosing, self.limits, chosen))
        return plan

    @property
    def clipped_least(self) -> BlockPlan:
        """The plan as if each norm had its first threshold: for statements that are tried over no rows."""
        norms = len(self.clipping.norms) if self.clipping is not None else 0
        return self.clipped_at([0] * (norms + sum(limit is not None for limit in self.limits)))

    @property
    def norms(self) -> list[Norm]:
        """The norms of sums and the limits of choices, in the order in which an answer has their thresholds."""
        of_sums = self.clipping.norms if self.clipping is not None else ()
        return [*of_sums, *(limit for limit in self.limits if limit is not None)]

    def is_limit(self, place: int) -> bool:
        """Is the one at this place of `norms` the limit of a choice?"""
        return place >= (len(self.clipping.norms) if self.clipping is not None else 0)

    @property
    def threshold_choices(self) -> list[ThresholdChoice]:
        """How the thresholds of `norms` are chosen, where there is a choice."""
        return [norm.choice for norm in self.norms if norm.choice is not None]

    @property
    def thresholds(self) -> tuple[int, ...] | None:
        """The index of the threshold of each of `norms`; None before they are chosen."""
        of_sums = self.clipping.chosen if self.clipping is not None else ()
        of_choices = self.limited if any(limit is not None for limit in self.limits) else ()
        return None if of_sums is None or of_choices is None else (*of_sums, *of_choices)

    @property
    def is_refinable(self) -> bool:
        """Is all that is released of the block numbers with Gaussian noise, priced by their ρ alone (theorem 23)?"""
        levels = self.levels.measured if self.levels is not None else ()
        mechanisms = [*self.mechanisms, *(mechanism for level in levels for mechanism in level.mechanisms)]
        others = self.choices or self.selection is not None or self.delay is not None
        chooses = self.clipping is not None and self.clipping.choices
        plain = self.guarantee.delta is None and self.rho % QUANTUM == 0
        gaussian = bool(mechanisms) and all(isinstance(mechanism, GaussianMechanism) for mechanism in mechanisms)
        return gaussian and plain and not others and not chooses

    @property
    def rho(self) -> Fraction:
        """What the block's Gaussian noise costs."""
        return self.guarantee.rho if self.share == 1 else ceil_to(self.guarantee.rho * self.share, QUANTUM)

    def at_rho(self, rho: Fraction) -> BlockPlan:
        """A refinable plan as if the block were asked for at `rho` > 0: each number keeps its share."""
        if rho == self.rho:
            return self
        factor = rho / self.rho

        def scaled(mechanisms: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
            return tuple(
                replace(mechanism, rho=mechanism.rho * factor)
                for mechanism in mechanisms
                if isinstance(mechanism, GaussianMechanism)
            )

        levels = self.levels
        if levels is not None:
            measured = tuple(replace(level, mechanisms=scaled(level.mechanisms)) for level in levels.measured)
            levels = replace(levels, measured=measured)
        return replace(self, mechanisms=scaled(self.mechanisms), levels=levels)

    def at_rhos(self, rhos: Sequence[Fraction]) -> BlockPlan:
        """`at_rho` of a plan without grouping sets, with a ρ for each of its statistics."""
        each = [self.at_rho(rho).mechanisms[place] for place, rho in enumerate(rhos)]
        return replace(self, mechanisms=tuple(each))

    def of_numbers(self, rhos: Mapping[int, Fraction]) -> BlockPlan:
        """A refinable plan without grouping sets, for some of its statistics alone. Nothing is shown of it but what is
        measured, so it has no aggregates (theorem 25).

        Args:
            rhos: by the place of each statistic, the ρ > 0 of its noise, up to that of its own.
        """
        mechanisms = [
            replace(mechanism, rho=rhos[place])
            for place, mechanism in enumerate(self.mechanisms)
            if place in rhos and isinstance(mechanism, GaussianMechanism)
        ]
        found = replace(
            self,
            aggregates=(),
            intervals=(),
            statistics=tuple(statistic for place, statistic in enumerate(self.statistics) if place in rhos),
            mechanisms=tuple(mechanisms),
            share=sum(rhos.values(), Fraction(0)) / self.guarantee.rho,
        )
        return replace(found, price=sum((mechanism.price for mechanism in mechanisms), Price.zero()))

    @property
    def asks_source(self) -> bool:
        """Does the block ask the source at all? SELECT DISTINCT over declared keys does not."""
        return self.adds_noise or bool(self.choices)

    @property
    def adds_noise(self) -> bool:
        """Does the block have numbers, or weights of keys, that get noise?"""
        return bool(self.statistics) or self.selection is not None

    @property
    def hides_by(self) -> int | None:
        """The index of a number of rows that is measured only to tell which groups are empty; None without one."""
        used = {index for aggregate in self.aggregates for index in aggregate.statistics}
        alone = [index for index in range(len(self.statistics)) if index not in used]
        return alone[0] if alone else None

    @property
    def noise_name(self) -> str:
        if self.mechanisms:
            return self.mechanisms[0].name
        if self.selection is not None:
            return self.selection.noise
        return self.choosing[0].name if self.choosing else "none"


_SELECT_ARGUMENTS = frozenset(
    """expressions from_ joins where group having order limit offset distinct with_ windows""".split()
)


def plan_block(
    select: exp.Select,
    schema: Schema,
    search_path: tuple[str, ...],
    settings: QuerySettings,
    analyst: str,
    feedback: Sequence[Feedback] = (),
    asked: Asked | None = None,
) -> BlockPlan:
    """Plan a block; the limit of a unit's rows that may meet others is the largest one that its work allows.

    Args:
        select: a SELECT that `find_blocks` found, constants already folded.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        settings: the session's.
        analyst: whose own account pays too.
        feedback: the released results that it reads, described by the stage.
        asked: when, for windows of time.

    Raises:
        UnsupportedError: a construct without a proof.
        RefusedError: rows, hidden columns, missing bounds.
        InvalidSettingError: settings beyond the policy's limits.
    """
    for name, value in select.args.items():
        if value and name not in _SELECT_ARGUMENTS:
            raise unsupported(select, f"{clause_name(name)} is not supported over private rows", rule="clause")

    for most_met in MOST_OF_UNIT[:-1]:
        try:
            return _plan(select, schema, search_path, settings, analyst, feedback, asked, most_met)
        except UnsupportedError as refusal:
            if refusal.rule != "row-work":
                raise
    return _plan(select, schema, search_path, settings, analyst, feedback, asked, MOST_OF_UNIT[-1])


def _plan(
    select: exp.Select,
    schema: Schema,
    search_path: tuple[str, ...],
    settings: QuerySettings,
    analyst: str,
    feedback: Sequence[Feedback],
    asked: Asked | None,
    most_met: int,
) -> BlockPlan:
    """As `plan_block`, with a given limit of a unit's rows that may meet others."""

    def most_rows(tables: Sequence[NamedTable]) -> int:
        return pricing.contribution_bounds(tables, settings).max_rows if tables else 1

    def stated_rows(tables: Sequence[NamedTable]) -> int | None:
        return pricing.stated_rows(tables, settings)

    compiler = RowCompiler(schema, search_path, most_rows, feedback, most_met, stated_rows)
    relation = compiler.relation(select)
    select, snap = snapped(select, relation)
    select, windows = windows_read(select, relation, asked)
    where_node = select.args["where"].this if select.args.get("where") is not None else None
    where = condition(where_node, lambda node: compile_term(node, relation)) if where_node is not None else None

    clauses = released_clauses(select)
    calls = collect(clauses)
    nodes = key_nodes(select, relation, aggregated=bool(calls))
    if not calls and not nodes:
        raise rows_refusal(select, [table.name for table in relation.private_tables])
    keys = tuple(compile_key(node, relation) for node in nodes)
    relation = relation.computing([*([where] if where is not None else []), *(key.term for key in keys)])
    relation = by_window(select, relation, windows, [key.term.sql for key in keys])
    keeps_empty = keeps_public_rows(relation, where_node, calls, nodes)
    filters = [(node, relation) for node in conjuncts(where_node)] if where_node is not None else []
    filters += relation_filters(relation)
    texts = [canonical(call, relation) for call in calls]
    chooses = pricing.chooses_bounds(relation.private_tables, settings)
    compiled = compile_aggregates(
        calls,
        texts,
        meeting(relation, where_node),
        filters,
        bounds_needed=not relation.unit_unique and not chooses,
        own_sums=chooses and not relation.unit_unique,
    )
    differs = compiled.has_nulls(grouped=bool(nodes)) or (not calls and leaves_rows_out(nodes, relation, filters))
    hides = settings.empty_groups == "hide" and not keeps_empty and differs
    measured = compiled.counting_rows if hides else compiled
    relation = relation.computing(compiled.terms)
    made = [key.term for key in keys]
    distinct = sum(isinstance(statistic, Distinct) for statistic in compiled.statistics)
    steps = source_steps(len(keys), len(measured.statistics) - distinct, distinct, len(compiled.choices))
    row = check_row(select, relation, made, compiler, stored=True, steps=steps)
    relation = row.relation
    check_one_row(select, relation, windows)
    check_passes(select, relation, distinct, len(compiled.choices))
    if keeps_empty and nodes:
        domain: Domain | None = kept_domain(kept_keys(relation, where_node, nodes))
    else:
        domain = declared_domain(nodes, filters, relation) if nodes else None

    selected = nodes[0] if nodes and domain is None else None
    if selected is None:
        compiled = measured
    else:
        check_shared(nodes, relation, filters)
        keys = limited_keys(keys, pricing.contribution_bounds(relation.private_tables, settings).max_groups)
    sets = groupings(grouping_sets(select, relation), [key.text for key in keys]) if select.args.get("group") else None
    if sets is not None:
        check_grouping_sets(select, compiled, selected=selected is not None, totals=len(sets[0]) > 1)
    unbounded = sum(isinstance(found, GridSum) and found.unbounded for found in compiled.statistics)
    if unbounded > MOST_OWN_NORMS:
        raise _many_sums(select, unbounded)
    # Sums over distinct values are taken over rows of their own.
    is_plain = relation.unit_unique and not any(isinstance(found, DistinctSum) for found in compiled.statistics)
    path: Path = "unique" if is_plain else "general" if keys else "single group"
    payer = Payer(relation.private_tables, schema.policy, settings, analyst, windows)
    spending = spend(payer, compiled, sets or PLAIN, selected, path=path, one_row=relation.unit_unique)
    return BlockPlan(
        relation=relation,
        footprint=row.footprint,
        where=where,
        keys=keys,
        domain=domain,
        selection=spending.selection,
        aggregates=compiled.aggregates,
        statistics=compiled.statistics,
        mechanisms=spending.levels.measured[0].mechanisms,
        choices=compiled.choices,
        choosing=spending.choosing,
        path=path,
        contribution=spending.contribution,
        guarantee=spending.guarantee,
        price=spending.price,
        accounts=spending.accounts,
        levels=spending.levels if sets is not None else None,
        clipping=spending.clipping,
        limits=spending.limits,
        keeps_empty=keeps_empty,
        intervals=compile_intervals(clauses, compiled.aggregates, [key.text for key in keys], relation),
        delay=spending.delay,
        clock=dt.timedelta(seconds=CLOCK.of(select) or 0),
        snap=snap,
        compared=compared_constants(filters),
        windows=windows,
        conditions=conditions_of(where_node, relation) if where_node is not None else (),
        filters=_filters(calls, relation),
        parts=tuple(parts_of(node, relation) for node in nodes),
    )


def _filters(calls: Sequence[exp.Expr], relation: Relation) -> tuple[tuple[str, tuple[Condition, ...]], ...]:
    """The conditions of FILTER, as their statistics have them."""
    kept = {call.expression.this for call in calls if isinstance(call, exp.Filter)}
    terms = {compile_term(node, relation).sql: conditions_of(node, relation) for node in kept}
    return tuple(sorted(terms.items()))


def _many_sums(select: exp.Select, count: int) -> UnsupportedError:
    return unsupported(
        select,
        f"more than {MOST_OWN_NORMS} sums and averages without bounds in one query are not supported",
        rule="bounds-many",
        detail=f"Each of the {count} is scaled down by itself, for which the source groups all units once more.",
        hint="Ask for them in several queries, or write bounds, as in sum(least(greatest(…, 0), 100)).",
    )

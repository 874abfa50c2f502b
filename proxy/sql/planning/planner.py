"""From a block's tree to its plan.

A pure function of the block's tree, the policy, the catalog and the session's settings: no database, no data.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.settings import QuerySettings
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning import pricing
from proxy.sql.planning.aggregates.compiling import compile_aggregates
from proxy.sql.planning.beyond_bounds import values_beyond_bounds
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.clipping import MOST_OWN_NORMS, Path
from proxy.sql.planning.compared_constants import compared_constants, undeclared_numbers
from proxy.sql.planning.domains import Domain, declared_domain, kept_domain
from proxy.sql.planning.keys import (
    are_on_more_than_keys,
    check_grouping_sets,
    check_shared,
    compile_key,
    key_nodes,
    leaves_rows_out,
    limited_keys,
)
from proxy.sql.planning.large_values import values_too_large
from proxy.sql.planning.levels import PLAIN, grouping_sets, groupings
from proxy.sql.planning.narrowed import Condition, conditions_of, parts_of
from proxy.sql.planning.noise_intervals import compile_intervals
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import ChoosingMechanism
from proxy.sql.planning.profiles import is_profile
from proxy.sql.planning.scans import check_passes
from proxy.sql.planning.spending import Payer, spend
from proxy.sql.planning.statistic import Distinct, DistinctSum, GridSum
from proxy.sql.refusal import clause_name, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.feedback import Feedback
from proxy.sql.rows.limits import check_row, source_steps
from proxy.sql.rows.multiplicity import MOST_OF_UNIT
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.outer_joins import keeps_public_rows, kept_keys
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.snapping import snapped
from proxy.sql.rows.time_windows import Asked, by_window, check_one_row, windows_read
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term, condition
from proxy.sql.trees.aggregate_calls import collect_among, released_nodes
from proxy.sql.trees.blocks import rows_refusal
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.interval_calls import interval_call
from proxy.sql.trees.marks import CLOCK

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

    released = released_nodes(select)
    calls = collect_among(released)
    nodes = key_nodes(select, relation, aggregated=bool(calls))
    if not calls and not nodes:
        raise rows_refusal(select, [table.name for table in relation.private_tables])
    keys = tuple(compile_key(node, relation) for node in nodes)
    relation = relation.computing([*([where] if where is not None else []), *(key.term for key in keys)])
    relation = by_window(select, relation, windows, [key.term.sql for key in keys])
    keeps_empty = keeps_public_rows(relation, where_node, calls, nodes)
    filters = [(node, relation) for node in conjuncts(where_node)] if where_node is not None else []
    filters += relation.filters_of_subqueries()
    texts = [canonical(call, relation) for call in calls]
    profile = settings.epsilon is None and not nodes and is_profile(select, calls, relation)
    if profile:
        settings = replace(settings, epsilon=pricing.profile_epsilon(relation.private_tables))
    chooses = pricing.chooses_bounds(relation.private_tables, settings)
    # Chosen numbers have no noise whose width could be shown beside them.
    counts_alone = nodes or any(map(interval_call, released))
    # dp.error tries one epsilon after the other: what is chosen at one is not counted with noise at another.
    usual = settings if settings.error is None else replace(settings, epsilon=None)
    compiled = compile_aggregates(
        calls,
        texts,
        meeting(relation if keeps_empty else replace(relation, kept=None), where_node),
        filters,
        bounds_needed=not relation.unit_unique and not chooses,
        own_sums=chooses and not relation.unit_unique,
        chooses_at=None if counts_alone else pricing.block_epsilon(relation.private_tables, usual),
    )
    differs = compiled.has_nulls(grouped=bool(nodes)) or (not calls and leaves_rows_out(nodes, relation, filters))
    counting = compiled.counting_rows if differs and not keeps_empty else compiled
    measured = counting if settings.empty_groups == "hide" else compiled
    relation = relation.computing(compiled.terms)
    made = [key.term for key in keys]
    distinct = sum(isinstance(statistic, Distinct) for statistic in compiled.statistics)
    # The same rows take part whether groups without rows are shown or not.
    steps = source_steps(len(keys), len(counting.statistics) - distinct, distinct, len(compiled.choices))
    row = check_row(select, relation, made, compiler, stored=True, steps=steps)
    relation, footprint = row.relation, row.footprint
    check_one_row(select, relation, windows)
    check_passes(select, relation, distinct, len(compiled.choices))
    if keeps_empty and nodes:
        domain: Domain | None = kept_domain(kept_keys(relation, where_node, nodes))
    else:
        domain = declared_domain(nodes, filters, relation, grouped=True) if nodes else None

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
    payer = Payer(relation.private_tables, schema, settings, analyst, windows)
    spending = spend(payer, compiled, sets or PLAIN, selected, path=path, one_row=relation.unit_unique)
    return BlockPlan(
        relation=relation,
        footprint=footprint,
        where=where,
        keys=keys,
        domain=domain,
        selection=spending.selection,
        aggregates=compiled.aggregates,
        statistics=compiled.statistics,
        mechanisms=spending.levels.measured[0].mechanisms,
        choices=compiled.choices,
        choosing=_choosing(
            spending.choosing, compiled.choices, grouped=bool(nodes), of_all=not filters and len(relation.members) == 1
        ),
        path=path,
        contribution=spending.contribution,
        guarantee=spending.guarantee,
        price=spending.price,
        accounts=spending.accounts,
        levels=spending.levels if sets is not None else None,
        clipping=spending.clipping,
        limits=spending.limits,
        keeps_empty=keeps_empty,
        intervals=compile_intervals(released, compiled.aggregates, [key.text for key in keys], relation),
        delay=spending.delay,
        clock=dt.timedelta(seconds=CLOCK.of(select) or 0),
        snap=snap,
        compared=compared_constants(filters),
        beyond=(
            *undeclared_numbers(filters),
            *values_beyond_bounds([*filters, *((call, relation) for call in calls)], compiled.statistics),
        ),
        large=values_too_large(relation, footprint),
        windows=windows,
        conditions=conditions_of(where_node, relation, where) if where_node is not None else (),
        filters=_filters(calls, relation),
        parts=tuple(parts_of(node, relation) for node in nodes),
        is_profile=profile,
        is_filtered=are_on_more_than_keys(nodes, relation, filters),
    )


def _choosing(
    choosing: Sequence[ChoosingMechanism], choices: Sequence[Choice], *, grouped: bool, of_all: bool
) -> tuple[ChoosingMechanism, ...]:
    """The mechanisms of choices, which are made in each group, and may be of nothing but where they are of a whole
    table: some of its rows surely have a value."""
    if grouped:
        return tuple(pricing.or_nothing(pricing.in_groups(mechanism)) for mechanism in choosing)
    return tuple(
        mechanism if of_all and choice.filter_sql is None else pricing.or_nothing(mechanism)
        for mechanism, choice in zip(choosing, choices, strict=True)
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

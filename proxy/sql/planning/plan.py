"""The plan of one block: keys, statistics, bounds, mechanism, noise and exact price (DESIGN section 2, step 4).

A pure function of the block's tree, the policy, the catalog and the session's settings: no database, no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import Mechanism
from proxy.dp.selection import KeySelection
from proxy.settings import QuerySettings
from proxy.sql.dialect import render
from proxy.sql.planning import pricing
from proxy.sql.planning.aggregates import QUANTIFIERS, Aggregate, Compiled, compile_aggregates
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.domains import Domain, declared_domain, kept_domain
from proxy.sql.planning.guarantees import Guarantee
from proxy.sql.planning.levels import PLAIN, Levels, grouping_sets, groupings, plan_levels
from proxy.sql.planning.noise_intervals import NoiseInterval, compile_intervals
from proxy.sql.planning.pricing import REFINEMENT, AccountPrice, ChoosingMechanism, Contribution
from proxy.sql.planning.statistic import Statistic
from proxy.sql.refusal import refused, unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.derived import relation_filters
from proxy.sql.rows.feedback import Feedback
from proxy.sql.rows.grouping import group_keys, grouping_term
from proxy.sql.rows.outer_joins import keeps_public_rows, kept_keys
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import NamedTable, Schema
from proxy.sql.terms.expressions import compile_term, condition
from proxy.sql.terms.term import Term
from proxy.sql.trees.aggregate_calls import collect, released_clauses
from proxy.sql.trees.blocks import rows_refusal
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.walking import is_star, unaliased

Path = Literal["unique", "single group", "general"]


@dataclass(frozen=True)
class Key:
    """One GROUP BY expression: its canonical text, its term over the relation, and a label for EXPLAIN."""

    text: str
    term: Term
    label: str


@dataclass(frozen=True)
class BlockPlan:
    """Everything that is decided about a block before any database is asked.

    Attributes:
        relation: the rows.
        where: condition of the rows, if any.
        keys: the group keys.
        domain: the declared keys; None if there are no keys or they are selected.
        selection: how undeclared keys are selected; None if there are none.
        aggregates: the client's aggregates as formulas over `statistics`.
        statistics: what is measured.
        mechanisms: the noise of each statistic, in cells.
        choices: what is chosen instead of measured: minimum, maximum, percentiles, modes.
        choosing: the mechanism of each choice.
        path: how a unit's contribution is bounded: `unique` needs nothing, `single group` no norm over groups.
        contribution: the bounds in force.
        guarantee: what the block promises, and how its parts share the price.
        price: exact price.
        accounts: who pays.
        levels: the grouping sets, if there are several; `mechanisms` is the noise of their finest level.
        keeps_empty: an outer join keeps groups without any row, so none is hidden as empty.
        intervals: what dp.low, dp.high and dp.stddev ask of the noise.
    """

    relation: Relation
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
    keeps_empty: bool = False
    intervals: tuple[NoiseInterval, ...] = ()

    @property
    def cells_per_contribution(self) -> int:
        """Cells of one row or one grid step in the measured sums."""
        return _cells(self.path, self.guarantee)

    @property
    def measured(self) -> bool:
        """Does the block ask the source at all? SELECT DISTINCT over declared keys does not."""
        return self.adds_noise or bool(self.choices)

    @property
    def adds_noise(self) -> bool:
        """Are there numbers, or weights of keys, that get noise?"""
        return bool(self.statistics) or self.selection is not None

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
) -> BlockPlan:
    """Plan a block.

    Args:
        select: a SELECT that `find_blocks` found, constants already folded.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        settings: the session's.
        analyst: whose own account pays too.
        feedback: what it reads of released results, described by the stage.

    Raises:
        UnsupportedError: a construct without a proof.
        RefusedError: rows, hidden columns, missing bounds.
        InvalidSettingError: settings beyond the policy's limits.
    """
    for name, value in select.args.items():
        if value and name not in _SELECT_ARGUMENTS:
            raise unsupported(select, f"{name.upper()} is not supported over private rows", rule="clause")

    def most_rows(tables: Sequence[NamedTable]) -> int:
        return pricing.contribution_bounds(tables, settings).max_rows if tables else 1

    relation = RowCompiler(schema, search_path, most_rows, feedback).relation(select)
    where_node = select.args["where"].this if select.args.get("where") is not None else None
    where = condition(where_node, lambda node: compile_term(node, relation)) if where_node is not None else None

    clauses = released_clauses(select)
    calls = collect(clauses)
    key_nodes = _key_nodes(select, relation, aggregated=bool(calls))
    if not calls and not key_nodes:
        raise rows_refusal(select, [table.name for table in relation.private_tables])
    keys = tuple(_key(node, relation) for node in key_nodes)
    keeps_empty = keeps_public_rows(relation, where_node, calls, key_nodes)
    filters = [(node, relation) for node in conjuncts(where_node)] if where_node is not None else []
    filters += relation_filters(relation)
    texts = [canonical(call, relation) for call in calls]
    compiled = compile_aggregates(calls, texts, relation, filters)
    statistics, choices = compiled.statistics, compiled.choices
    relation = relation.with_reads()
    tables = relation.private_tables
    if keeps_empty and key_nodes:
        domain: Domain | None = kept_domain(kept_keys(relation, where_node, key_nodes))
    else:
        domain = declared_domain(key_nodes, filters, relation) if key_nodes else None

    path: Path = "unique" if relation.unit_unique else "general" if keys else "single group"
    contribution = pricing.ONE_ROW if path == "unique" else pricing.contribution_bounds(tables, settings)
    accounts = pricing.paying_accounts(tables, schema.policy, analyst)
    selected = bool(keys) and domain is None
    sets = groupings(grouping_sets(select, relation), [key.text for key in keys]) if select.args.get("group") else None
    count = len(sets[0]) if sets is not None else 1
    if sets is not None:
        _check_grouping_sets(select, compiled, selected=selected, totals=count > 1)
    intervals = compile_intervals(clauses, compiled.aggregates, relation)
    parts = len(statistics) + len(choices) + (1 if selected else 0)
    guarantee = pricing.block_guarantee(tables, settings, accounts, selected)
    if choices:
        guarantee = guarantee.by_zcdp
    noise = pricing.choose_noise(tables, settings, contribution, accounts, max(parts, 1) * count, guarantee)
    selection = None
    if selected:
        selection = pricing.key_selection(key_nodes[0], tables, contribution, accounts, noise, guarantee, parts)
    levels = plan_levels(*(sets or PLAIN), statistics, contribution, _cells(path, guarantee), noise, guarantee, parts)
    choosing = tuple(pricing.choosing_mechanism(choice, contribution, noise, guarantee, parts) for choice in choices)
    paid = [*(mechanism for level in levels.measured for mechanism in level.mechanisms), *choosing]
    price = sum((mechanism.price for mechanism in paid), Price.zero())
    if selection is not None:
        price += selection.price
    return BlockPlan(
        relation,
        where,
        keys,
        domain,
        selection,
        compiled.aggregates,
        statistics,
        levels.measured[0].mechanisms,
        choices,
        choosing,
        path,
        contribution,
        guarantee,
        price,
        accounts,
        levels if sets is not None else None,
        keeps_empty,
        intervals,
    )


def _cells(path: Path, guarantee: Guarantee) -> int:
    """Cells of one row or one grid step: one where nothing is scaled down, unless the noise needs a fine grid."""
    return 1 if path == "unique" and not guarantee.refines else REFINEMENT


def _key_nodes(select: exp.Select, relation: Relation, *, aggregated: bool) -> list[exp.Expr]:
    """The GROUP BY expressions with ordinals and output aliases resolved; SELECT DISTINCT groups by its outputs."""
    group, distinct = select.args.get("group"), select.args.get("distinct")
    if distinct is not None and distinct.args.get("on"):
        raise unsupported(
            select, "DISTINCT ON is not supported over private rows", rule="distinct-on", hint="Use GROUP BY."
        )
    if group is None:
        if aggregated or distinct is None:
            return []
        return [unaliased(output) for output in select.expressions]
    if any(value for name, value in group.args.items() if name != "expressions") or not group.expressions:
        raise unsupported(
            group, "GROUP BY ALL is not supported over private rows", rule="grouping-sets", hint="Name the columns."
        )
    nodes = {canonical(node, relation): node for node in group_keys(select, relation)}
    return list(nodes.values())


def _key(node: exp.Expr, relation: Relation) -> Key:
    if is_star(node):
        raise rows_refusal_for_star(node, relation)
    term = compile_term(node, relation)
    bare = node.unnest()
    identified = isinstance(bare, exp.Column) and bool(relation.origin(bare).identities)
    if identified or term.sql == relation.unit_sql or term.sql in relation.unit_columns:
        raise refused(
            node,
            f"each group of {render(node)} would be one person",
            rule="group-by-unit",
            detail="A group shows only if many people are in it, so the answer would be empty, and paid for.",
            hint="Group by something that people share; "
            f"SELECT count(*) FROM (SELECT … GROUP BY {render(node)}) AS each counts such groups.",
        )
    return Key(canonical(node, relation), grouping_term(node, term), render(node))


def _check_grouping_sets(select: exp.Select, compiled: Compiled, *, selected: bool, totals: bool) -> None:
    """Totals are made consistent with the groups, which therefore must be all groups, and of numbers that add up."""
    group = select.args["group"]
    if totals and selected:
        raise unsupported(
            group,
            "ROLLUP, CUBE and GROUPING SETS need declared group keys",
            rule="grouping-sets",
            detail="Totals are the sums of all groups, and undeclared groups of few people do not show.",
            hint="Ask for the totals in a query of its own, or group by declared columns (dp.columns lists them).",
        )
    if compiled.choices or any(aggregate.function in QUANTIFIERS for aggregate in compiled.aggregates):
        raise unsupported(
            group,
            "min, max, percentiles, mode, bool_and and bool_or cannot be combined with ROLLUP, CUBE or GROUPING SETS",
            rule="grouping-sets",
            detail="Totals are the sums of the released groups, and these do not add up.",
            hint="Ask for each level in a query of its own.",
        )
    if totals and not all(statistic.adds_up for statistic in compiled.statistics):
        raise unsupported(
            group,
            "count(DISTINCT …) cannot be combined with ROLLUP, CUBE or GROUPING SETS",
            rule="grouping-sets",
            detail="Totals are the sums of their groups, and one person or value can be in several.",
            hint="Ask for the number of people or values in a query of its own.",
        )


def rows_refusal_for_star(node: exp.Expr, relation: Relation) -> Exception:
    """SELECT DISTINCT * or GROUP BY * would list rows."""
    return refused(
        node,
        f"* would list the rows of {relation.private_tables[0].name}",
        rule="rows",
        hint="Name the columns to group by.",
    )

"""The plan of one block: keys, statistics, bounds, mechanism, noise and exact price (DESIGN section 2, step 4).

A pure function of the block's tree, the policy, the catalog and the session's settings: no database, no data.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sqlglot import exp

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism, best_mechanism, gaussian_rho
from proxy.dp.selection import KeySelection
from proxy.errors import DpproxyError, InvalidSettingError
from proxy.policy import model
from proxy.settings import QuerySettings
from proxy.sql.aggregates import Aggregate, Statistic, collect, compile_aggregates
from proxy.sql.blocks import own_nodes, rows_refusal
from proxy.sql.dialect import render
from proxy.sql.domains import Domain, declared_domain
from proxy.sql.expressions import compile_term, condition
from proxy.sql.refusal import refused, unsupported
from proxy.sql.relation import Relation, compile_relation
from proxy.sql.schema import Schema, folded
from proxy.sql.term import Term
from proxy.sql.types import Kind

REFINEMENT = 1024
"""Cells per unit of a contribution that may be scaled down: truncation then costs little (MATH section 1)."""

Path = Literal["unique", "single group", "general"]


@dataclass(frozen=True)
class Contribution:
    """The bounds in force: at most `max_rows` rows of a unit in the query (M), `max_rows_per_group` in a group (m)."""

    max_rows: int
    max_rows_per_group: int
    max_groups: int

    @property
    def groups(self) -> Fraction:
        """k = max(1, M/m): the groups that M and m allow for, which bound COUNT(DISTINCT unit)."""
        return max(Fraction(1), Fraction(self.max_rows, self.max_rows_per_group))


@dataclass(frozen=True)
class Key:
    """One GROUP BY expression: its canonical text, its term over the relation, and a label for EXPLAIN."""

    text: str
    term: Term
    label: str


@dataclass(frozen=True)
class AccountPrice:
    """An account that pays for the block, with its limit."""

    name: str
    budget: model.Budget


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
        path: how a unit's contribution is bounded: `unique` needs nothing, `single group` no norm over groups.
        contribution: the bounds in force.
        epsilon: the block's epsilon.
        price: exact price.
        accounts: who pays.
    """

    relation: Relation
    where: Term | None
    keys: tuple[Key, ...]
    domain: Domain | None
    selection: KeySelection | None
    aggregates: tuple[Aggregate, ...]
    statistics: tuple[Statistic, ...]
    mechanisms: tuple[Mechanism, ...]
    path: Path
    contribution: Contribution
    epsilon: Fraction
    price: Price
    accounts: tuple[AccountPrice, ...]

    @property
    def cells_per_contribution(self) -> int:
        """Cells of one row or one grid step in the measured sums."""
        return 1 if self.path == "unique" else REFINEMENT

    @property
    def measured(self) -> bool:
        """Does the block ask the source at all? SELECT DISTINCT over declared keys does not."""
        return bool(self.statistics) or self.selection is not None

    @property
    def noise_name(self) -> str:
        if self.mechanisms:
            return self.mechanisms[0].name
        return self.selection.noise if self.selection is not None else "none"


_SELECT_ARGUMENTS = frozenset(
    """expressions from_ joins where group having order limit offset distinct with_ windows""".split()
)


def canonical(node: exp.Expr, relation: Relation) -> str:
    """Text of an expression with every column resolved, equal for equal expressions over the same relation.

    Names that are not columns of the relation stay as they are (output aliases in ORDER BY, for example).
    """
    copy = node.copy()
    for column in [found for found in own_nodes(copy) if isinstance(found, exp.Column)]:
        try:
            origin = relation.origin(column)
        except DpproxyError:
            continue
        resolved = exp.column(exp.to_identifier(origin.column, quoted=True), table=origin.member.alias)
        if column is copy:
            copy = resolved
        else:
            column.replace(resolved)
    while isinstance(copy, exp.Paren):
        copy = copy.this
    return render(copy)


def plan_block(
    select: exp.Select, schema: Schema, search_path: tuple[str, ...], settings: QuerySettings, analyst: str
) -> BlockPlan:
    """Plan a block.

    Args:
        select: a SELECT that `find_blocks` found, constants already folded.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        settings: the session's.
        analyst: whose own account pays too.

    Raises:
        UnsupportedError: a construct without a proof.
        RefusedError: rows, hidden columns, missing bounds.
        InvalidSettingError: settings beyond the policy's limits.
    """
    for name, value in select.args.items():
        if value and name not in _SELECT_ARGUMENTS:
            raise unsupported(select, f"{name.upper()} is not supported over private rows", rule="clause")
    relation = compile_relation(select, schema, search_path)
    table = relation.owner.table
    where_node = select.args["where"].this if select.args.get("where") is not None else None
    where = condition(where_node, lambda node: compile_term(node, relation)) if where_node is not None else None

    outputs = list(select.expressions)
    having, order = select.args.get("having"), select.args.get("order")
    calls = collect([*outputs, *(clause for clause in (having, order) if clause is not None)])
    key_nodes = _key_nodes(select, relation, aggregated=bool(calls))
    if not calls and not key_nodes:
        raise rows_refusal(select, [table.name])
    keys = tuple(_key(node, relation) for node in key_nodes)
    aggregates, statistics = compile_aggregates(calls, [canonical(call, relation) for call in calls], relation)
    conjuncts = _conjuncts(where_node) if where_node is not None else []
    domain = declared_domain(key_nodes, conjuncts, relation) if key_nodes else None

    contribution, path = _contribution(table.policy.contribution, relation, settings, grouped=bool(keys))
    accounts = _accounts(table.name, table.policy, schema.policy, analyst)
    epsilon = _epsilon(table.policy.query, settings)
    noise = _noise(table.policy.query, settings, contribution, accounts, len(statistics), epsilon)
    parts = len(statistics) + (1 if keys and domain is None else 0)
    selection = None
    if keys and domain is None:
        selection = _selection(key_nodes[0], table.policy, contribution, path, accounts, noise, epsilon, parts)
    mechanisms = tuple(_mechanism(statistic, contribution, path, noise, epsilon, parts) for statistic in statistics)
    price = sum((mechanism.price for mechanism in mechanisms), Price.zero())
    if selection is not None:
        price += selection.price
    return BlockPlan(
        relation,
        where,
        keys,
        domain,
        selection,
        tuple(aggregates),
        tuple(statistics),
        mechanisms,
        path,
        contribution,
        epsilon,
        price,
        accounts,
    )


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
        return [_unaliased(output) for output in select.expressions]
    extra = [name for name, value in group.args.items() if value and name != "expressions"]
    if extra or not group.expressions:
        raise unsupported(
            group,
            "ROLLUP, CUBE, GROUPING SETS and GROUP BY ALL are not supported yet over private rows",
            rule="grouping-sets",
            hint="Group by one set of columns, and add the totals above the block: sum(n) over (…).",
        )
    return [_group_item(item, select, relation) for item in group.expressions]


def _group_item(item: exp.Expr, select: exp.Select, relation: Relation) -> exp.Expr:
    if isinstance(item, exp.Literal) and not item.is_string:
        ordinal = int(item.name) if item.name.isdigit() else 0
        if not 1 <= ordinal <= len(select.expressions):
            raise unsupported(item, f"GROUP BY position {item.name} is not in the select list", rule="group-ordinal")
        return _unaliased(select.expressions[ordinal - 1])
    if isinstance(item, (exp.Cube, exp.Rollup, exp.GroupingSets, exp.Tuple)):
        raise unsupported(item, "this form of GROUP BY is not supported yet over private rows", rule="grouping-sets")
    if isinstance(item, exp.Column) and not item.args.get("table"):
        name = folded(item.this)
        # Postgres prefers a column of FROM over an output alias here.
        if not any(member.table.visible(name) for member in relation.members):
            for output in select.expressions:
                if isinstance(output, exp.Alias) and folded(output.args["alias"]) == name:
                    return _unaliased(output)
    return item


def _unaliased(output: exp.Expr) -> exp.Expr:
    return output.this if isinstance(output, exp.Alias) else output


def _key(node: exp.Expr, relation: Relation) -> Key:
    if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
        raise rows_refusal_for_star(node, relation)
    term = compile_term(node, relation)
    if term.kind is Kind.OTHER:
        raise unsupported(
            node, f"GROUP BY a {term.type.name} is not supported", rule="key-type", hint="Cast it to text: x::text."
        )
    return Key(canonical(node, relation), term, render(node))


def rows_refusal_for_star(node: exp.Expr, relation: Relation) -> Exception:
    """SELECT DISTINCT * or GROUP BY * would list rows."""
    return refused(
        node,
        f"* would list the rows of {relation.owner.table.name}",
        rule="rows",
        hint="Name the columns to group by.",
    )


def _conjuncts(node: exp.Expr) -> list[exp.Expr]:
    bare = node.unnest()
    return list(bare.flatten()) if isinstance(bare, exp.And) else [bare]


def _contribution(
    policy: model.Contribution, relation: Relation, settings: QuerySettings, *, grouped: bool
) -> tuple[Contribution, Path]:
    if relation.unit_unique:
        return Contribution(1, 1, 1), "unique"
    rows = settings.max_rows or policy.max_rows
    per_group = settings.max_rows_per_group or policy.max_rows_per_group or rows
    groups = settings.max_groups or policy.max_groups
    return Contribution(rows, min(rows, per_group), groups), "general" if grouped else "single group"


def _accounts(name: str, table: model.Table, policy: model.Policy, analyst: str) -> tuple[AccountPrice, ...]:
    if table.budget is None or table.unit is None:
        raise AssertionError("a loaded policy gives every private table a unit and a budget")
    accounts = [AccountPrice(f"table:{name}", table.budget)]
    if table.per_analyst is not None:
        accounts.append(AccountPrice(f"analyst:{analyst}:{name}", table.per_analyst))
    unit = policy.units.get(table.unit.name)
    if unit is not None and unit.budget is not None:
        accounts.append(AccountPrice(f"unit:{table.unit.name}", unit.budget))
    return tuple(accounts)


def _epsilon(query: model.Query, settings: QuerySettings) -> Fraction:
    if settings.epsilon is None:
        return Fraction(query.epsilon)
    limit = Fraction(query.max_epsilon if query.max_epsilon is not None else query.epsilon)
    if settings.epsilon > limit:
        raise InvalidSettingError(
            f"dp.epsilon is {float(settings.epsilon):g}, but the policy allows at most {float(limit):g} here",
            hint=f"SET dp.epsilon = {float(limit):g};",
            rule="setting-limit",
        )
    return settings.epsilon


def _noise(
    query: model.Query,
    settings: QuerySettings,
    contribution: Contribution,
    accounts: tuple[AccountPrice, ...],
    statistics: int,
    epsilon: Fraction,
) -> Literal["laplace", "gaussian"]:
    """One kind of noise for the whole block, since a unit is scaled down in the norm that it needs."""
    pure_only = any(account.budget.delta == 0 for account in accounts)
    parts = max(statistics, 1)
    rows, per_group = contribution.max_rows, contribution.max_rows_per_group
    try:
        chosen = best_mechanism(
            rows * parts, rows * per_group * parts, epsilon, pure_only, settings.mechanism or query.mechanism
        )
    except ValueError:
        raise InvalidSettingError(
            "the Gaussian mechanism is not possible here",
            detail="An account that pays has delta 0, and Gaussian noise needs a delta.",
            hint="SET dp.mechanism = 'laplace';",
            rule="pure-account",
        ) from None
    return "laplace" if isinstance(chosen, LaplaceMechanism) else "gaussian"


def _mechanism(
    statistic: Statistic,
    contribution: Contribution,
    path: Path,
    noise: Literal["laplace", "gaussian"],
    epsilon: Fraction,
    parts: int,
) -> Mechanism:
    """The noise of one statistic: sensitivity C·R in cells (MATH section 1), an equal part of the price."""
    cells = 1 if path == "unique" else REFINEMENT
    reach = statistic.grid.reach if statistic.grid is not None else 1
    if statistic.kind == "units":
        l1 = contribution.groups * cells
        l2_squared = contribution.groups * cells**2
    else:
        l1 = Fraction(contribution.max_rows * reach * cells)
        l2_squared = Fraction(contribution.max_rows * contribution.max_rows_per_group * (reach * cells) ** 2)
    if noise == "laplace":
        return LaplaceMechanism(-(-l1.numerator // l1.denominator), epsilon / parts)
    return GaussianMechanism(-(-l2_squared.numerator // l2_squared.denominator), gaussian_rho(epsilon) / parts)


def _selection(
    node: exp.Expr,
    table: model.Table,
    contribution: Contribution,
    path: Path,
    accounts: tuple[AccountPrice, ...],
    noise: Literal["laplace", "gaussian"],
    epsilon: Fraction,
    parts: int,
) -> KeySelection:
    smallest = min(account.budget.delta for account in accounts)
    if smallest == 0:
        raise refused(
            node,
            "these group keys are not declared, and the budget has no delta to select them with",
            rule="undeclared-keys",
            detail="Showing a group that only one person is in would reveal that person.",
            hint="Group by columns with declared values (dp.columns lists them), or ask the steward for a delta.",
        )
    delta = Fraction(table.query.delta) if table.query.delta is not None else Fraction(smallest) / 200
    share = (epsilon if noise == "laplace" else gaussian_rho(epsilon)) / parts
    groups = 1 if path == "unique" else contribution.max_groups
    return KeySelection(groups, noise, share, delta, table.contribution.min_units)

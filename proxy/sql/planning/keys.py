"""The group keys of a block: GROUP BY, or the outputs of SELECT DISTINCT, as terms that identify no single unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find, find_all
from proxy.sql.plain_postgres import readable
from proxy.sql.planning.aggregates.aggregate import Decision
from proxy.sql.planning.aggregates.compiling import Compiled
from proxy.sql.planning.aggregates.registry import DECISIONS
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.small_sets import is_listed, stored_column, stored_origin
from proxy.sql.planning.value_sets import declared_values, stepped_column
from proxy.sql.refusal import refused, subquery_refusal, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.grouping import group_keys, grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.told_units import nearly_tells_the_unit
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.trees.walking import is_star, nested_queries, own_nodes, unaliased

LONGEST_KEY = 10_000
"""The most characters of an undeclared key: elsewhere, too, no more of a text is seen."""

_MOST_OF_ROW, _MOST_OF_UNIT, _LEAST = 25_000, 25_000_000, 50
"""The most characters of one group's keys, and of all groups that one unit helps to select; but each key keeps at least
_LEAST. They bound what one unit can make the source send, at up to four bytes each."""

_LARGEST_NUMBER = "1e150"
_MOST_DIGITS = 150


@dataclass(frozen=True)
class Key:
    """One GROUP BY expression: its canonical text, its term over the relation, and a label for EXPLAIN."""

    text: str
    term: Term
    label: str


def key_nodes(select: exp.Select, relation: Relation, *, aggregated: bool) -> list[exp.Expr]:
    """The GROUP BY expressions with ordinals and output aliases resolved; SELECT DISTINCT groups by its outputs."""
    group, distinct = select.args.get("group"), select.args.get("distinct")
    if distinct is not None and distinct.args.get("on") and group is None and not aggregated:
        raise unsupported(
            select,
            "DISTINCT ON is not supported over private rows",
            rule="distinct-on",
            detail="It shows one row of each key, and each row belongs to one privacy unit.",
            hint="Use GROUP BY with an aggregate, as in SELECT key, max(x) FROM … GROUP BY key; below an aggregate, "
            "DISTINCT ON with the privacy unit's column is supported.",
        )
    if group is None:
        if aggregated or distinct is None:
            return []
        return [unaliased(output) for output in select.expressions]
    if any(value for name, value in group.args.items() if name not in ("expressions", "all")) or not group.expressions:
        raise unsupported(
            group, "GROUP BY ALL is not supported over private rows", rule="grouping-sets", hint="Name the columns."
        )
    nodes = {canonical(node, relation): node for node in group_keys(select, relation)}
    return list(nodes.values())


def compile_key(node: exp.Expr, relation: Relation) -> Key:
    """One GROUP BY expression.

    Raises:
        RefusedError: each of its groups would be one unit, or it lists rows.
        UnsupportedError: a construct without a proof, or a type that cannot be grouped by.
    """
    if is_star(node):
        raise _rows_refusal_for_star(node, relation)
    for query in nested_queries(node):
        # `scalar_subqueries` has joined what it can; declared keys are made of columns.
        raise subquery_refusal(query)
    term = compile_term(node, relation)
    if nearly_tells_the_unit(node, relation) or term.sql == relation.unit_sql or term.sql in relation.unit_columns:
        raise refused(
            node,
            f"each group of {render(node)} would be one privacy unit",
            rule="group-by-unit",
            detail="A group of a single privacy unit never shows, so the answer would be empty, yet charged.",
            hint="Group by values that many share; to count these groups, write SELECT count(*) FROM (SELECT … "
            f"GROUP BY {render(node)}) AS each.",
        )
    return Key(canonical(node, relation), grouping_term(node, term), readable(node))


def check_shared(nodes: Sequence[exp.Expr], relation: Relation, where: Conditions) -> None:
    """Refuse undeclared keys that too few units share, so that the block would be paid for and have no groups.

    Args:
        nodes: the GROUP BY expressions of a block that selects its keys.
        relation: what they are about.
        where: conditions that all rows meet.

    Raises:
        RefusedError: a key is a bounded column, whose values would be declared if there were few of them.
    """
    for node in nodes:
        bare = _without_cast(node.unnest(), relation)
        origin = stored_origin(bare, relation)
        if origin is None or not isinstance(origin.member.table, NamedTable) or not origin.member.table.private:
            continue
        if declared_values(origin) is not None or stepped_column(origin) is not None:
            continue
        term, stored = compile_term(bare, relation), origin.term()
        if stored.bounds is not None and not is_listed(term, relation, where):
            name = render(bare)
            width = f"{_cut(stored.bounds.width):f}"
            cut = f"width_bucket({name}, low, high, 20) or floor({name} / {width}) * {width}"
            if term.kind is Kind.INTEGER:
                cut += f", or narrow it, as in WHERE {name} BETWEEN 1 AND 100"
            raise refused(
                node,
                f"{name} has too many possible values to group by",
                rule="group-by-bounded",
                detail="A value that only a single privacy unit has never shows: where nearly all are such, the answer "
                "would be empty, yet charged.",
                hint=f"Group by {cut}; or, if its rows have few different values, by {name}::text, which shows those "
                "that many privacy units share."
                if term.type.is_number
                else f"Group by date_trunc('day', {name}).",
            )


def _without_cast(node: exp.Expr, relation: Relation) -> exp.Expr:
    """What is cast to a number, which has no fewer values then."""
    is_cast = isinstance(node, exp.Cast) and compile_term(node, relation).type.is_number
    return node.this.unnest() if is_cast else node


def _cut(width: Fraction) -> Decimal:
    """A power of ten that cuts a distance into ten to a hundred parts."""
    return Decimal(10) ** (math.ceil(math.log10(width / 100)) if width else 0)


def leaves_rows_out(nodes: Sequence[exp.Expr], relation: Relation, where: Conditions) -> bool:
    """Is it likely that keys have no rows? That is so of combinations of declared values, and under conditions on more
    than the keys."""
    return len(nodes) > 1 or are_on_more_than_keys(nodes, relation, where)


def are_on_more_than_keys(nodes: Sequence[exp.Expr], relation: Relation, where: Conditions) -> bool:
    """Are some conditions on more than the keys' own columns? Those on the keys leave out keys, these only rows."""
    of_keys = {stored_column(column, relation) for node in nodes for column in find_all(node, exp.Column)}
    for node, scope in where:
        columns = [column for column in own_nodes(node) if isinstance(column, exp.Column)]
        if any(stored_column(column, scope) not in of_keys for column in columns):
            return True
        if not columns and find(node, exp.Query) is not None:
            return True  # EXISTS, whose columns are of other rows.
    return False


def limited_keys(keys: tuple[Key, ...], max_groups: int) -> tuple[Key, ...]:
    """Undeclared keys whose texts the source cuts: a single unit's could be of any size.

    Args:
        keys: the keys of a block that selects them.
        max_groups: the groups that a unit helps to select.
    """
    texts = sum(key.term.kind is Kind.TEXT for key in keys)
    if not texts:
        return tuple(replace(key, term=_limited(key.term, LONGEST_KEY)) for key in keys)
    most = min(LONGEST_KEY, _MOST_OF_ROW // texts, max(_LEAST, _MOST_OF_UNIT // (max_groups * texts)))
    return tuple(replace(key, term=_limited(key.term, most)) for key in keys)


def _limited(term: Term, most: int) -> Term:
    if term.kind is Kind.TEXT:
        if term.size is not None and term.size <= most:
            return term
        # First by its stored octets, which are known without reading the text.
        cut = f"left({term.sql}, {most})::{term.type.name}"
        return replace(term, sql=f"(CASE WHEN octet_length({term.sql}) > {most} THEN {cut} ELSE {term.sql} END)")
    if term.kind is Kind.NUMERIC and term.grid is None:
        # A numeric has up to 147,455 digits. NaN and the infinities, which alone have no scale, stay as they are.
        beyond = f"abs({term.sql}) >= {_LARGEST_NUMBER} AND scale({term.sql}) IS NOT NULL"
        rounded = f"trim_scale(round({term.sql}, {_MOST_DIGITS}))"
        return replace(term, sql=f"(CASE WHEN {beyond} THEN NULL ELSE {rounded} END)")
    return term


def check_grouping_sets(select: exp.Select, compiled: Compiled, *, selected: bool, totals: bool) -> None:
    """Refuse totals that cannot be made consistent: they need all groups, and numbers that add up."""
    group = select.args["group"]
    if totals and selected:
        raise unsupported(
            group,
            "ROLLUP, CUBE and GROUPING SETS require declared group keys",
            rule="grouping-sets",
            detail="Totals are sums of all groups, but small groups with undeclared keys are not shown.",
            hint="Query the totals separately, or group by declared columns (dp.columns lists them).",
        )
    if any(isinstance(aggregate, Decision) for aggregate in compiled.aggregates):
        raise unsupported(
            group,
            f"{DECISIONS} cannot be combined with ROLLUP, CUBE or GROUPING SETS",
            rule="grouping-sets",
            detail="Totals are sums of the released groups, and these aggregates do not add up.",
            hint="Query each level separately.",
        )
    if totals and not all(statistic.adds_up for statistic in compiled.statistics):
        raise unsupported(
            group,
            "count(DISTINCT …) cannot be combined with ROLLUP, CUBE or GROUPING SETS",
            rule="grouping-sets",
            detail="Totals are sums of their groups, and one privacy unit or value can be in several.",
            hint="Query the number of distinct values separately.",
        )


def _rows_refusal_for_star(node: exp.Expr, relation: Relation) -> Exception:
    """The refusal of SELECT DISTINCT * and GROUP BY *, which would list rows."""
    return refused(
        node,
        f"* would list the rows of {relation.private_tables[0].name}",
        rule="rows",
        hint="Name the columns to group by.",
    )

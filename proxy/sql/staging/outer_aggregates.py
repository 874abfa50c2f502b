"""Whether a query aggregates or ranks the released groups of its blocks, so that groups without rows count; and which
blocks' groups it takes for all that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import Nodes, find_all, walk
from proxy.sql.trees.aggregate_calls import aggregate_name, collect, is_aggregate, is_aggregate_call, released_clauses
from proxy.sql.trees.marks import BLOCK, FEEDBACK
from proxy.sql.trees.walking import alias_of, ancestors, output_name, own_nodes, unaliased

_UNCHANGED = frozenset({"sum", "max", "bool_or"})
"""Aggregates that further groups of about 0 hardly change."""
_NOT_ADDING = frozenset({"max", "bool_or"})
"""Those among them that take one of the groups and do not add them up."""


class Grouped(NamedTuple):
    """A block with GROUP BY.

    Attributes:
        select: the block.
        readers: what it is in, and what the references to CTEs among that are in.
        windows: of itself and each reader, the aggregates and shares that are window functions.
    """

    select: exp.Select
    readers: tuple[exp.Expr, ...]
    windows: tuple[frozenset[str], ...]


def grouped_blocks(nodes: Nodes) -> list[Grouped]:
    """The blocks with GROUP BY or DISTINCT.

    Args:
        nodes: of a query with its blocks marked (`trees.marks`).
    """
    has_windows = any(node.__class__ is exp.Window for node in nodes)
    found = []
    for select in nodes:
        if isinstance(select, exp.Select) and BLOCK.of(select) is not None and _has_keys(select):
            readers = tuple(_readers(select, nodes[0]))
            windows = tuple(_in_windows(each) for each in (select, *readers)) if has_windows else ()
            found.append(Grouped(select, readers, windows))
    return found


def counts_groups(blocks: Sequence[Grouped]) -> bool:
    """Does a SELECT around a block with GROUP BY have aggregates or windows that groups of about 0 change, or does one
    show the first groups of an order in which such groups may come first? Not if the block stands for EXISTS."""
    blocks = [block for block in blocks if not _is_existence(block)]
    return aggregates_groups(blocks) or any(
        any(_shows_first(outer, block.select) for outer in (block.select, *block.readers))
        or any(calls - _UNCHANGED for calls in block.windows)
        for block in blocks
    )


def aggregates_groups(blocks: Sequence[Grouped]) -> bool:
    """Does a SELECT around a block with GROUP BY have aggregates of its own that groups of about 0 change?"""
    return any(_is_aggregated(outer) for block in blocks for outer in block.readers)


def _is_existence(block: Grouped) -> bool:
    """Does a block only say whether there is a row beside each row of a query around it? One of its groups that looks
    empty says that there is none, and so does one that is left out."""
    item = next((reader for reader in block.readers if isinstance(reader, exp.Subquery)), None)
    name = alias_of(item) if item is not None and isinstance(item.parent, (exp.From, exp.Join)) else None
    outer = next((reader for reader in block.readers if isinstance(reader, exp.Select)), None)
    if name is None or outer is None:
        return False
    calls = collect(list(block.select.expressions))
    if {aggregate_name(call) for call in calls} != {"bool_or"}:
        return False
    decided = {output_name(output) for output in block.select.expressions if collect([output])}
    read = [column for column in find_all(outer, exp.Column) if column.table == name and column.name in decided]
    return any(item is block.readers[0] for item in _null_extended(outer)) and all(map(_is_false_where_null, read))


def _is_false_where_null(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    is_coalesce = isinstance(parent, exp.Anonymous) and parent.name.lower() == "coalesce"
    return is_coalesce and parent is not None and parent.expressions[1:] == [exp.false()]


def taken_for_all(query: exp.Query, blocks: Sequence[Grouped]) -> frozenset[int]:
    """The blocks of which a query takes the groups for all that there are: it adds them up or counts them, an outer
    join has NULL in their place where they have none, or it shows the first ones in an order that small groups may
    lead.

    Args:
        query: the query.
        blocks: its blocks with GROUP BY.
    """
    is_read = any(block.readers for block in blocks)
    optional = (
        {id(item) for select in find_all(query, exp.Select) for item in _null_extended(select)} if is_read else ()
    )
    found = set()
    for select, readers, windows in blocks:
        if (
            any(_adds_up(reader) or id(reader) in optional for reader in readers)
            or any(calls - _NOT_ADDING for calls in windows)
            or any(_ranks_small(each, select) for each in (select, *readers))
        ):
            found.add(BLOCK.of(select))
    return frozenset(number for number in found if number is not None)


def _readers(select: exp.Expr, query: exp.Expr) -> Iterator[exp.Expr]:
    if select is query:
        return
    tables = [table for table in find_all(query, exp.Table) if isinstance(table.this, exp.Identifier)]
    entered, waiting = set[str](), [select]
    while waiting:
        for outer in _around(waiting.pop()):
            yield outer
            name = alias_of(outer) if isinstance(outer, exp.CTE) else None
            if name is not None and name not in entered:
                entered.add(name)
                found = [table for table in tables if folded(table.this) == name and not table.args.get("db")]
                yield from found
                waiting += found


def _adds_up(outer: exp.Expr) -> bool:
    if not isinstance(outer, exp.Select) or BLOCK.of(outer) is not None:
        return False
    return any(aggregate_name(call) not in _NOT_ADDING for call in collect(released_clauses(outer)))


_SHARES = frozenset({"percent_rank", "cume_dist", "ntile"})
"""Window functions whose numbers depend on how many groups there are."""


def _in_windows(select: exp.Expr) -> frozenset[str]:
    """Which aggregates and shares are window functions of a SELECT."""
    if not isinstance(select, exp.Select):
        return frozenset()
    calls = [node.this for node in own_nodes(select) if isinstance(node, exp.Window)]
    calls = [call.this if isinstance(call, exp.Filter) else call for call in calls]
    shares = frozenset(name for call in calls if (name := call.name.lower()) in _SHARES)
    return shares | {aggregate_name(call) for call in calls if is_aggregate_call(call)}


def _null_extended(select: exp.Select) -> Iterator[exp.Expr]:
    source = select.args.get("from_")
    before = [source.this] if source is not None else []
    for join in select.args.get("joins") or []:
        side = str(join.args.get("side") or "").upper()
        yield from before if side in ("RIGHT", "FULL") else ()
        yield from [join.this] if side in ("LEFT", "FULL") else ()
        before.append(join.this)


def _around(select: exp.Expr) -> list[exp.Expr]:
    return [outer for outer in ancestors(select) if not FEEDBACK.on(outer)]


def _has_keys(select: exp.Select) -> bool:
    return bool(select.args.get("group") or select.args.get("distinct"))


def _is_aggregated(outer: exp.Expr) -> bool:
    if not isinstance(outer, exp.Select) or BLOCK.of(outer) is not None:
        return False
    return any(aggregate_name(call) not in _UNCHANGED for call in collect(released_clauses(outer)))


def takes_greatest(query: exp.Query) -> bool:
    """Does a query take the first of its groups by a count or sum, which small groups do not change?

    Args:
        query: that other rows are compared with, with its blocks marked (`trees.marks`).
    """
    blocks = grouped_blocks(walk(query))
    return bool(blocks) and all(
        any(_shows_greatest(each, select) for each in (select, *readers)) for select, readers, _ in blocks
    )


def _shows_first(outer: exp.Expr, select: exp.Select) -> bool:
    return _is_cut_off(outer) and not _shows_greatest(outer, select)


def _is_cut_off(outer: exp.Expr) -> bool:
    return isinstance(outer, exp.Query) and bool(outer.args.get("limit") and outer.args.get("order"))


def _shows_greatest(outer: exp.Expr, select: exp.Select) -> bool:
    """Are only groups with the greatest counts or sums shown, of which groups without rows have the least?"""
    if not isinstance(outer, exp.Query) or not _is_cut_off(outer):
        return False
    call = _ordered_by(outer, select)
    call = call.this if isinstance(call, exp.Filter) else call
    is_amount = is_aggregate(call) and aggregate_name(call) in ("count", "sum")
    return is_amount and bool(outer.args["order"].expressions[0].args.get("desc"))


_FEW = 100
"""The most rows of a list of the first groups; a table of groups is cut off after more of them."""


def _ranks_small(outer: exp.Expr, select: exp.Select) -> bool:
    """Are a few groups shown in the order of a number in which small groups may come first?"""
    if not isinstance(outer, exp.Query) or not _shows_first(outer, select):
        return False
    most = outer.args["limit"].expression
    is_few = isinstance(most, exp.Literal) and most.name.isdigit() and int(most.name) <= _FEW
    return is_few and any(is_aggregate(node) for node in own_nodes(_ordered_by(outer, select)))


def _ordered_by(outer: exp.Query, select: exp.Select) -> exp.Expr:
    """What a query is ordered by first, as the block computes it, as far as that is an output of either."""
    node: exp.Expr = outer.args["order"].expressions[0].this.unnest()
    outputs = [(output_name(output), unaliased(output)) for output in (*outer.selects, *select.expressions)]
    if isinstance(node, exp.Literal) and node.name.isdigit() and 1 <= int(node.name) <= len(outer.selects):
        node = outputs[int(node.name) - 1][1]
    for _ in range(2):
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
            name = folded(node.this)
            node = next((output for known, output in outputs if known == name and output is not node), node)
    return node

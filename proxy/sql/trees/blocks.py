"""Finding the blocks of a query: the innermost SELECTs that aggregate private rows (decision 1).

What a block reads of released results, or of queries over public tables that only the stage can run, is evaluated
before it and enters the source query as a literal relation: its feedback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import Nodes, copied, find_all
from proxy.sql.refusal import correlation_refusal, reads_beside, refused, unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate, is_among_rows
from proxy.sql.trees.constants import pattern_probes
from proxy.sql.trees.marks import FEEDBACK
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, ancestors, body_of, is_function_item, items_of, nested_queries, own_nodes

_COMPARED = frozenset({"expressions", "from_", "joins", "where"})

VIRTUAL_RELATIONS = frozenset({"budget", "last", "ledger", "sessions"})
"""Relations of the schema dp whose rows the proxy itself provides."""


@dataclass(frozen=True)
class Block:
    """A SELECT that aggregates private rows.

    Attributes:
        select: the SELECT.
        feedback: the queries that are evaluated before it, in the order of the marks in its tree.
        ctes: those around it that it names, and those that they name, in order.
    """

    select: exp.Select
    feedback: tuple[FeedbackQuery, ...] = ()
    ctes: tuple[exp.CTE, ...] = ()

    @cached_property
    def patterns(self) -> list[exp.Expr]:
        """What is tried of its patterns and time zones (`pattern_probes`), once nothing changes its tree any more."""
        return pattern_probes(self.select)

    def within(self, twins: Mapping[int, exp.Expr], counted: Mapping[int, int]) -> Block:
        """The same block of a copy of its tree.

        Args:
            twins: the copy of each node of the tree, by the node's id().
            counted: how many rows queries have that the stage has counted, by the query's id().
        """
        select = twins[id(self.select)]
        assert isinstance(select, exp.Select)
        ctes = tuple(cte for cte in (twins[id(each)] for each in self.ctes) if isinstance(cte, exp.CTE))
        return Block(select, tuple(read.within(twins, counted) for read in self.feedback), ctes)


@dataclass(frozen=True)
class FeedbackQuery:
    """A query that is released and evaluated before the block that reads it.

    Attributes:
        query: the query, which needs nothing of the statement around it.
        blocks: its own blocks.
        counted: how many rows it has, if the stage has counted them.
    """

    query: exp.Query
    blocks: tuple[Block, ...]
    counted: int | None = None

    def within(self, twins: Mapping[int, exp.Expr], counted: Mapping[int, int]) -> FeedbackQuery:
        """As `Block.within`."""
        query = twins[id(self.query)]
        assert isinstance(query, exp.Query)
        blocks = tuple(block.within(twins, counted) for block in self.blocks)
        return FeedbackQuery(query, blocks, counted.get(id(self.query)))


def find_blocks(query: exp.Query, schema: Schema) -> tuple[Block, ...]:
    """The blocks, in the order of a fixed traversal. Feedback is marked in the tree.

    Args:
        query: a tree in which row-level CTEs are written out.
        schema: policy and catalog.
    """
    finder = _Finder(Scopes(schema))
    finder.visit(query, ())
    return tuple(finder.found)


def virtual_tables(nodes: Nodes) -> list[exp.Table]:
    """The references to dp.budget, dp.last, dp.ledger and dp.sessions among the nodes of a query."""
    return [
        table
        for table in nodes
        if isinstance(table, exp.Table)
        and isinstance(table.args.get("db"), exp.Identifier)
        and folded(table.args["db"]) == "dp"
        and isinstance(table.this, exp.Identifier)
        and folded(table.this) in VIRTUAL_RELATIONS
    ]


class _Finder:
    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self.found: list[Block] = []

    def visit(self, query: exp.Expr, ctes: tuple[exp.CTE, ...]) -> None:
        """Find the blocks of a query; `ctes` are those that it can read."""
        with_ = query.args.get("with_")
        bodies = []
        for cte in with_.expressions if with_ is not None else ():
            bodies.append(cte.this)
            self.visit(cte.this, ctes)
            ctes = (*ctes, cte)
        is_block = isinstance(query, exp.Select) and self.scopes.has_rows(query)
        if isinstance(query, exp.Select) and is_block:
            read: list[FeedbackQuery] = []
            self._feedback(query, read, ctes)
            own = with_.expressions if with_ is not None else ()
            around = [cte for cte in _read_ctes(query, ctes) if not any(cte is each for each in own)]
            self.found.append(Block(query, tuple(read), tuple(around)))
        for child in nested_queries(query):
            inside = is_block and is_among_rows(child, query)
            if not inside and all(child is not body for body in bodies):
                self.visit(child, ctes)

    def _feedback(self, select: exp.Expr, read: list[FeedbackQuery], ctes: tuple[exp.CTE, ...]) -> None:
        """Mark what a row-level SELECT reads of released results."""
        for side in (select.this, select.expression) if isinstance(select, exp.SetOperation) else ():
            self._feedback(body_of(side), read, ctes)
        for item in items_of(select):
            self._item(item.this, read, ctes)
        for child in nested_queries(select):
            if _in_from(child, select) or not is_among_rows(child, select):
                continue
            if self.scopes.is_rows(child) or self._is_tied(child) or self._is_compared(child):
                self._feedback(child, read, ctes)
            elif not self.scopes.is_plain_public(child):
                holder = child.parent if isinstance(child.parent, exp.Subquery) else child
                self._mark(holder, child, read, ctes)
            else:
                self._feedback(child, read, ctes)

    def _is_tied(self, query: exp.Expr) -> bool:
        """EXISTS over private rows is part of the block, whatever it selects."""
        return isinstance(query, exp.Select) and isinstance(query.parent, exp.Exists) and self.scopes.has_rows(query)

    def _is_compared(self, query: exp.Expr) -> bool:
        """EXISTS whose WHERE reads the row around it is part of the block, while the results in its FROM are read."""
        return (
            isinstance(query, exp.Select)
            and isinstance(query.parent, exp.Exists)
            and not any(value for name, value in query.args.items() if name not in _COMPARED)
            and query.args.get("from_") is not None
            and not any(is_aggregate(node) for output in query.expressions for node in own_nodes(output))
            and bool(self.scopes.outer_columns(query))
        )

    def _item(self, item: exp.Expr, read: list[FeedbackQuery], ctes: tuple[exp.CTE, ...]) -> None:
        if isinstance(item, exp.Table):
            if any(folded(cte.args["alias"].this) == alias_name(item) for cte in ctes) and not item.args.get("db"):
                query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.to_table(item.name)))
                query.args["from_"].this.set("this", item.this.copy())
                alias = item.args.get("alias") or exp.TableAlias(this=exp.to_identifier(alias_of(item), quoted=True))
                subquery = exp.Subquery(this=query, alias=alias.copy(), joins=item.args.get("joins"))
                item.replace(subquery)
                self._mark(subquery, query, read, ctes)
            return
        body = body_of(item)
        if self.scopes.is_rows(body) or self.scopes.is_plain_public(body):
            self._feedback(body, read, ctes)
        else:
            self._mark(item, body, read, ctes)

    def _mark(self, holder: exp.Expr, query: exp.Expr, read: list[FeedbackQuery], ctes: tuple[exp.CTE, ...]) -> None:
        """Let `query` be evaluated before the block: with the CTEs that it reads, it needs nothing else."""
        if not isinstance(query, exp.Query):
            return
        outer = self.scopes.outer_columns(query)
        if outer:
            raise correlation_of(query, outer)
        whole = query
        needed = _read_ctes(query, ctes)
        if needed:
            whole.set("with_", with_ctes(needed, query.args.get("with_")))
        finder = _Finder(self.scopes)
        finder.visit(whole, ())
        FEEDBACK.put(holder, len(read))
        read.append(FeedbackQuery(whole, tuple(finder.found)))


def correlation_of(query: exp.Expr, outer: Sequence[exp.Expr]) -> Exception:
    """The refusal of a query that reads the row around it, by what reads it."""
    for item in [holder.this for holder in items_of(query)]:
        if is_function_item(item) and any(node is column for column in outer for node in own_nodes(item)):
            return reads_beside(item)
    return correlation_refusal(query)


def alias_name(table: exp.Table) -> str | None:
    """The name that a table is read under before any alias: that of a CTE, if there is one."""
    return folded(table.this) if isinstance(table.this, exp.Identifier) else None


def _read_ctes(query: exp.Expr, ctes: Sequence[exp.CTE]) -> list[exp.CTE]:
    """The CTEs that a query reads, and those that they read, in order; the last one of each name."""
    by_name = {folded(cte.args["alias"].this): cte for cte in ctes}
    if not by_name:
        return []
    wanted: set[str] = set()
    pending = [query]
    while pending:
        for table in find_all(pending.pop(), exp.Table):
            name = alias_name(table)
            if name in by_name and not table.args.get("db") and name not in wanted:
                wanted.add(name)
                pending.append(by_name[name].this)
    return [cte for name, cte in by_name.items() if name in wanted]


def with_ctes(ctes: Sequence[exp.CTE], own: exp.With | None) -> exp.With:
    """WITH of copies of some CTEs, and of a query's own ones after them."""
    clauses = (own, *(cte.parent for cte in ctes))
    recursive = any(clause.args.get("recursive") for clause in clauses if clause is not None)
    expressions = [*map(copied, ctes), *(own.expressions if own is not None else [])]
    return exp.With(expressions=expressions, recursive=recursive)


def _in_from(query: exp.Expr, select: exp.Expr) -> bool:
    """Is it a subquery of FROM itself, not one in a join's condition?"""
    node: exp.Expr | None = query
    while node is not None and node.parent is not select:
        if isinstance(node.parent, exp.Join) and node.arg_key == "on":
            return False
        node = node.parent
    return node is not None and node.arg_key in ("from_", "joins")


def blocks_within(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks, those of feedback before the ones that read them."""
    for block in blocks:
        for read in block.feedback:
            yield from blocks_within(read.blocks)
        yield block


def rows_refusal(select: exp.Select, tables: list[str]) -> Exception:
    """The refusal of a SELECT that would return people's rows, or that meets other rows in a set operation or a
    recursive query below an aggregate."""
    names = ", ".join(tables)
    around = list(ancestors(select))
    joined = next((node for node in around if isinstance(node, (exp.Select, exp.SetOperation, exp.CTE))), None)
    if isinstance(joined, exp.SetOperation):
        recursive = next((node for node in around if isinstance(node, exp.With) and node.args.get("recursive")), None)
        if recursive is not None:
            return unsupported(
                select,
                f"WITH RECURSIVE over rows of {names} is not supported",
                rule="row-set-operation",
                detail="How often it recurses, and so how long it takes, could depend on one privacy unit.",
                hint="Aggregate first and recurse over the released result, or write each step as a join along the "
                "privacy unit.",
            )
        if any(isinstance(node, exp.Select) for node in around):
            return _mixed_set_operation(select, joined, names)
    return refused(
        select,
        f"this query would return rows of {names}; only aggregates are allowed",
        rule="rows",
        detail="Each row belongs to one privacy unit. Answers are counts, sums, averages and the like over many, "
        "with noise.",
        hint=_instead_of_rows(select),
    )


def _instead_of_rows(select: exp.Select) -> str:
    if any(isinstance(node, exp.Window) for output in select.expressions for node in own_nodes(output)):
        return (
            "Group first, and let window functions read the groups: SELECT column, sum(x), rank() OVER (ORDER BY "
            "sum(x) DESC) FROM … GROUP BY column."
        )
    if any(isinstance(node, exp.In) for node in (select.parent, select.parent and select.parent.parent)):
        return "Write EXISTS or NOT EXISTS (SELECT 1 FROM … WHERE inner_column = outer_column) in place of IN."
    return "Write for example SELECT count(*) FROM …, or SELECT column, count(*), avg(x) FROM … GROUP BY column."


def _mixed_set_operation(select: exp.Select, joined: exp.SetOperation, names: str) -> Exception:
    """The refusal of rows of units in a set operation with rows of nobody, below an aggregate."""
    word = type(joined).__name__.upper()
    instead = {
        "EXCEPT": "Write WHERE NOT EXISTS (SELECT … WHERE inner_column = outer_column), or NOT IN (SELECT …), over the "
        "public rows.",
        "INTERSECT": "Write WHERE column IN (SELECT …) over the public rows.",
    }
    return unsupported(
        select,
        f"{word} of rows of {names} with other rows is not supported",
        rule="row-set-operation",
        detail="Each row of the one side belongs to one privacy unit, and the rows of the other side to none.",
        hint=instead.get(word, "Aggregate each side first: SELECT … GROUP BY … UNION ALL SELECT …."),
    )

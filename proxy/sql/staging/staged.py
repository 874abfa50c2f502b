"""From the client's statement and released blocks to SQL for the stage (decision 2).

Each block's SELECT becomes a SELECT over a literal relation that holds the released keys and aggregates; everything
around it stays as the client wrote it. The text is built once per statement, with a marker for each literal relation,
so that a recalled answer only has to fill in its numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.settings import MaxError
from proxy.sql.names import folded
from proxy.sql.nodes import LEAVES, Nodes, copied, find_all, walk
from proxy.sql.plain_postgres import render
from proxy.sql.planning.aggregates.chosen_value import columns_of
from proxy.sql.planning.noise_intervals import interval_of
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.feedback import feedback_marker, literal_type
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.schema import Schema
from proxy.sql.staging.block_types import BlockTypes
from proxy.sql.staging.groupings import grouping_call, grouping_columns, is_grouping
from proxy.sql.staging.interval_columns import IntervalColumns
from proxy.sql.terms.collations import foreign_order
from proxy.sql.terms.term import array_literal, decimal_places, decimal_text, quote_identifier, quote_literal
from proxy.sql.terms.types import TEXT
from proxy.sql.trees.aggregate_calls import aggregate_name, is_aggregate
from proxy.sql.trees.blocks import virtual_tables
from proxy.sql.trees.marks import BLOCK, FEEDBACK
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import ancestors, unaliased

_AROUND_CALLS = (exp.Window, exp.Filter, exp.IgnoreNulls, exp.RespectNulls)
"""A window function, and what may stand between it and its call: such nodes are no aggregates where they are met."""
_BY_ORDER = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_MARKER_PREFIX = "dpproxy_"
_MARKERS = re.compile(rf"{_MARKER_PREFIX}(?:relation_\d+|virtual_\w+)\b")


def marker(index: int) -> str:
    """What stands for the literal relation of block `index` in the template, and nowhere else: see `_rows_alias`."""
    return f"{_MARKER_PREFIX}relation_{index}"


def _rows_alias(index: int) -> str:
    """The name that the relation's columns are qualified with. It is not the marker, since EXTRACT(YEAR FROM a.b) puts
    a qualifier where a relation could stand."""
    return f"{_MARKER_PREFIX}rows_{index}"


def template(query: exp.Query, plans: Sequence[BlockPlan], types: Sequence[BlockTypes], schema: Schema) -> str:
    """The stage SQL of a whole query, with `marker(i)` as the table name in the place of block i's rows.

    Args:
        query: the query, its blocks marked with their numbers (`trees.marks`).
        plans: the blocks' plans.
        types: what the stage says of them.
        schema: policy and catalog, for the names in correlated subqueries.

    Raises:
        UnsupportedError: an output that is neither a group key nor made of aggregates.
    """
    copy = copied(query)
    nodes = walk(copy)
    if _has_marker(nodes):
        raise unsupported(
            query,
            f"names and texts with {_MARKER_PREFIX} are reserved",
            rule="reserved-name",
            hint="Choose another name.",
        )
    selects = [node for node in nodes if isinstance(node, exp.Select) and not _is_read(node)]
    found = {number: select for select in selects if (number := BLOCK.of(select)) is not None}
    # Inner blocks first: rewriting an outer one copies what it keeps.
    for index in sorted(found, key=lambda index: -_depth(found[index])):
        _rewrite_block(found[index], plans[index], types[index], index, Scopes(schema))
    if virtual_tables(nodes):
        for table in virtual_tables(walk(copy)):
            _rewrite_virtual(table)
    return render(copy, copy=False)


def _has_marker(nodes: Nodes) -> bool:
    """Could a name or text of the nodes be taken for a marker, now or once it is in lower case?"""
    texts: list[str] = []
    for node in nodes:
        if node.__class__ in LEAVES:
            texts.append(node.args["this"])
            continue
        for value in node.args.values():
            if isinstance(value, str):
                texts.append(value)
            elif isinstance(value, list):
                texts += [text for text in value if isinstance(text, str)]
    return _MARKER_PREFIX in "\n".join(texts).lower()


def _depth(node: exp.Expr) -> int:
    return sum(1 for _ in ancestors(node))


def _is_read(node: exp.Expr) -> bool:
    """Is it inside what a block reads of released results, and so numbered on its own?"""
    return any(FEEDBACK.on(ancestor) for ancestor in ancestors(node))


def virtual_marker(name: str) -> str:
    """What stands for the rows of dp.budget or dp.ledger in the template."""
    return f"{_MARKER_PREFIX}virtual_{name}"


def _rewrite_virtual(table: exp.Table) -> None:
    name = folded(table.this)
    alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name))
    table.replace(exp.Table(this=exp.to_identifier(virtual_marker(name)), alias=alias.copy()))


def _rewrite_block(select: exp.Select, plan: BlockPlan, block: BlockTypes, index: int, scopes: Scopes) -> None:
    """Turn the block into a SELECT over its literal relation, in place."""
    names = _Names(plan, block, index, scopes)
    outputs = []
    for output, column in zip(select.expressions, block.outputs, strict=True):
        bare = output.this if isinstance(output, exp.Alias) else output
        alias = exp.to_identifier(column.name, quoted=True)
        outputs.append(exp.Alias(this=names.replace(bare, frozenset()), alias=alias))
    aliases = frozenset(column.name for column in block.outputs)
    having, order = select.args.get("having"), select.args.get("order")
    condition = exp.Paren(this=names.replace(having.this, frozenset())) if having is not None else None
    if order is not None:
        names.check_order(order, select)
        order.set("expressions", [names.replace(item, aliases) for item in order.expressions])
    distinct = select.args.get("distinct")
    if distinct is not None and distinct.args.get("on"):
        # Its names mean what those of ORDER BY do.
        kept = [names.replace(exp.Ordered(this=key.copy()), aliases).this for key in distinct.args["on"].expressions]
        distinct.args["on"].set("expressions", kept)
    windows = [names.replace(window, frozenset()) for window in select.args.get("windows") or []]
    select.set("windows", windows or None)
    select.set("expressions", outputs)
    for clause in ("where", "having", "group", "joins"):
        select.set(clause, None)
    if condition is not None:
        select.set("where", exp.Where(this=condition))
    select.set("from_", exp.From(this=_aliased(marker(index), names.table)))


def _aliased(name: str, alias: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name), alias=exp.TableAlias(this=exp.to_identifier(alias)))


class _Names:
    """Replaces keys and aggregates of one block by columns of its literal relation."""

    def __init__(self, plan: BlockPlan, types: BlockTypes, index: int, scopes: Scopes) -> None:
        self.plan = plan
        self.scopes = scopes
        self.table = _rows_alias(index)
        self.key_texts = [key.text for key in plan.keys]
        self.replacements: dict[str, exp.Expr] = {
            key.text: exp.column(f"k{position}", table=self.table) for position, key in enumerate(plan.keys)
        }
        # The stage has enums, but no other types of the private database's own: their values are texts there.
        self.unordered = {
            key.text
            for key, type_ in zip(plan.keys, types.keys, strict=True)
            if key.term.type.foreign and type_ == TEXT.name
        }
        for position, aggregate in enumerate(plan.aggregates):
            self.replacements[aggregate.text] = exp.column(f"a{position}", table=self.table)

    def replace(self, node: exp.Expr, aliases: frozenset[str]) -> exp.Expr:
        """`node` with each key and aggregate replaced; `aliases` may stay as they are (ORDER BY).

        Raises:
            UnsupportedError: a column of the private rows remains.
        """
        if isinstance(node, (exp.Ordered, *_BY_ORDER)) and any(map(self._is_unordered, node.iter_expressions())):
            raise foreign_order(node)
        if isinstance(node, exp.Ordered):
            # Only a bare name means an output; inside an expression it is a column of the rows.
            bare = isinstance(node.this, exp.Column) and not node.this.args.get("table")
            ordered = copied(node)
            if not (bare and folded(node.this.this) in aliases):
                ordered.set("this", self.replace(node.this, frozenset()))
            return ordered
        known = self.replacements.get(canonical(node, self.plan.relation)) if not _is_bare_literal(node) else None
        if known is not None:
            return copied(known)
        interval = interval_of(node, self.plan.aggregates, self.key_texts, self.plan.relation)
        if interval is not None:
            return exp.column(f"i{self.plan.intervals.index(interval)}", table=self.table)
        if is_grouping(node):
            return grouping_call(node, self.plan, self.table)
        if isinstance(node, exp.Column):
            raise unsupported(
                node,
                f"{node.sql()} is neither grouped nor aggregated",
                rule="ungrouped",
                detail="Its value would belong to a single row.",
                hint="Add it to GROUP BY, or use it inside count, sum or avg.",
            )
        if isinstance(node, exp.Query):
            return self._in_subquery(node)
        return self._operands(node, aliases)

    def _operands(self, node: exp.Expr, aliases: frozenset[str]) -> exp.Expr:
        """`node` with what it is made of replaced. What a window function calls is about the groups, though the same
        call may be one of the block's aggregates."""
        copy = copied(node)
        around = isinstance(node, _AROUND_CALLS)
        for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
            if not isinstance(original, (exp.DataType, exp.Identifier, exp.Var)):
                called = around and original is node.this
                child.replace(self._operands(original, aliases) if called else self.replace(original, aliases))
        return copy

    def check_order(self, order: exp.Expr, select: exp.Select) -> None:
        """Refuse ORDER BY outputs without an order, by position or by name."""
        for number, output in enumerate(select.expressions, start=1):
            if self._is_unordered(unaliased(output)):
                named = [item for item in order.expressions if item.this.name in (str(number), output.alias_or_name)]
                for item in named:
                    raise foreign_order(item)

    def _is_unordered(self, node: exp.Expr) -> bool:
        """Is it a group key whose order the stage does not know?"""
        return bool(self.unordered) and canonical(node, self.plan.relation) in self.unordered

    def _in_subquery(self, query: exp.Query) -> exp.Query:
        """A subquery among the outputs with the block's group keys in it replaced. As in Postgres, only columns that
        are keys themselves can be named there, not the expressions that keys are made of."""
        holder = exp.Paren(this=copied(query))
        outer = self.scopes.outer_columns(holder)
        _refuse_outer_aggregates(holder, {id(column) for column in outer})
        for column in outer:
            key = self.replace(column, frozenset())
            if isinstance(column.parent, exp.Select) and column.arg_key == "expressions":
                # An output is still named after the client's column.
                key = exp.Alias(this=key, alias=exp.to_identifier(folded(column.this), quoted=True))
            column.replace(key)
        replaced: exp.Query = holder.this
        return replaced


def _refuse_outer_aggregates(holder: exp.Expr, outer: set[int]) -> None:
    """An aggregate whose columns are all of the query outside belongs to that one, wherever it stands.

    Raises:
        UnsupportedError: there is one.
    """
    for call in find_all(holder, exp.Expr):
        columns = find_all(call, exp.Column) if is_aggregate(call) else []
        if columns and all(id(column) in outer for column in columns):
            raise unsupported(
                call,
                f"{aggregate_name(call)}() in this subquery would aggregate rows of the outer query",
                rule="outer-aggregate",
                detail="All its columns belong to the outer query, so PostgreSQL evaluates it there.",
                hint="Move it to the select list, outside the subquery.",
            )


def _is_bare_literal(node: exp.Expr) -> bool:
    return isinstance(node, (exp.Literal, exp.Null, exp.Boolean))


@dataclass(frozen=True)
class ReleasedRows:
    """Released rows of one block: keys as text, statistics in their own units (rounded to the grid), and what was
    chosen, as text; None for what is shown as NULL. With grouping sets, the `GroupingLevel.grouping` of each row stands
    before its keys. Last, for each norm of a unit the share that clipping left out; None where that cannot be told."""

    keys: Sequence[tuple[str | None, ...]]
    statistics: Sequence[tuple[Fraction | None, ...]]
    chosen: Sequence[Sequence[str | None]]
    lost: Sequence[float | None] = ()


_INTERVAL = "interval"
_MOST_SECONDS = "9e12"
"""In an interval."""


def _shown(measured: str, type_: str) -> str:
    """An aggregate in its type. Of intervals seconds are measured, which noise may take beyond what an interval holds:
    then it is the greatest or least one."""
    if type_ != _INTERVAL:
        return measured
    most = f"CASE WHEN x.n > {_MOST_SECONDS} THEN {_MOST_SECONDS} WHEN x.n < -{_MOST_SECONDS} THEN -{_MOST_SECONDS}"
    seconds = f"({most} ELSE x.n END)::double precision"
    made = f"pg_catalog.justify_hours(pg_catalog.make_interval(secs => {seconds}))"
    return f"(SELECT {made} FROM (SELECT {measured} AS n) AS x)"


def literal_relation(
    plan: BlockPlan,
    types: BlockTypes,
    rows: ReleasedRows,
    max_error: MaxError | None = None,
    question: str = "",
    *,
    digits: bool = False,
) -> str:
    """A subquery for the stage with columns k0 … for the keys of each released group, g0 … for what GROUPING() says of
    them if there are grouping sets, a0 … for its aggregates, and i0 … for its noise intervals and shares.

    Args:
        plan: the block's plan.
        types: what the stage says of the block.
        rows: what was released.
        max_error: aggregates with more noise are NULL.
        question: the hash of what was asked, which draws of the noise follow from.
        digits: numbers are rounded to the digits that their noise leaves.
    """
    width, count = len(plan.keys), len(plan.statistics)
    names = [f"k{i}" for i in range(width)]
    if plan.levels is not None:
        names.insert(0, "grouping")
    arrays = [_texts([key[i] for key in rows.keys]) for i in range(len(names))]
    for i, statistic in enumerate(plan.statistics):
        # The digits after the point are the grid's, so that a sum prints like Postgres's own.
        places = decimal_places(statistic.step)
        column = [row[i] for row in rows.statistics]
        arrays.append(_numbers([decimal_text(value, places) if value is not None else _NULL for value in column]))
    names += [f"s{i}" for i in range(count)]
    chosen = columns_of(plan.choices)
    arrays += [_texts([row[i] for row in rows.chosen]) for i in range(chosen)]
    names += [f"c{i}" for i in range(chosen)]
    columns = [f"r.k{i}::{types.keys[i]} AS k{i}" for i in range(width)]
    columns += grouping_columns(plan, "r.grouping")
    released = [[row[i] for row in rows.statistics] for i in range(count)]
    groupings = [key[0] or "" for key in rows.keys] if plan.levels is not None else []
    measured = ["numeric" if type_ == _INTERVAL else type_ for type_ in types.aggregates]
    told = IntervalColumns(plan, types.keys, measured, released, groupings, rows.lost, max_error, question, digits)
    columns += [f"{_shown(told.aggregate(i), type_)} AS a{i}" for i, type_ in enumerate(types.aggregates)]
    columns += [f"{told.interval(interval)} AS i{i}" for i, interval in enumerate(plan.intervals)]
    beside = told.simulation.beside()
    if beside:
        told.numbers["seed"] = told.simulation.seeds(rows.keys, rows.statistics)
    arrays += [_numbers(numbers) for numbers in told.numbers.values()]
    names += told.numbers
    return f"(SELECT {', '.join(columns)} FROM unnest({', '.join(arrays)}) AS r({', '.join(names)}){beside})"


_NULL = "NULL"


def _texts(values: Sequence[str | None]) -> str:
    """An array of these texts. An array's literal with NULLs would be read as the session's array_nulls says."""
    if None not in values:
        return f"{array_literal(values)}::text[]"
    listed = quote_literal(json.dumps(values, ensure_ascii=False))
    return f"ARRAY(SELECT pg_catalog.json_array_elements_text({listed}))"


def _numbers(texts: Sequence[str]) -> str:
    """An array of these numbers, NULL among them, whatever array_nulls is."""
    if _NULL not in texts:
        return f"'{{{','.join(texts)}}}'::numeric[]"
    return f"pg_catalog.string_to_array('{','.join(texts)}', ',', '{_NULL}')::numeric[]"


def typed_result(sql: str, columns: Sequence[StageColumn]) -> str:
    """`sql` with exactly the names and types that the stage gave the client's own text."""
    names = ", ".join(f"c{index}" for index in range(len(columns)))
    casts = ", ".join(
        f"r.c{index}::{column.type_name} AS {quote_identifier(column.name)}" for index, column in enumerate(columns)
    )
    return f"SELECT {casts} FROM ({sql}) AS r({names})"


def fill(template_sql: str, relations: Sequence[str], virtual: dict[str, str]) -> str:
    """The template with each marker replaced by its relation, in one pass: what is put in is not searched again."""
    relation_by_marker = {marker(i): relation for i, relation in enumerate(relations)}
    relation_by_marker |= {virtual_marker(name): relation for name, relation in virtual.items()}
    return _MARKERS.sub(lambda found: relation_by_marker[found[0]], template_sql)


def feedback_literal(columns: Sequence[StageColumn], rows: Sequence[Sequence[str | None]]) -> str:
    """A released result as a subquery for the source query, with columns c0, c1, …

    The literals are of the columns' own types, which Postgres reads when it parses the statement. A cast of the rows
    would be computed where private rows meet them, and a text that the stage writes and the source does not read (a
    float under `extra_float_digits`, an offset of a POSIX TimeZone) would tell that there are such rows (attack 5).
    """
    arrays = [
        f"{array_literal([row[i] for row in rows])}::{literal_type(column)}[]" for i, column in enumerate(columns)
    ]
    names = ", ".join(f"c{i}" for i in range(len(columns)))
    return f"(SELECT * FROM unnest({', '.join(arrays)}) AS r({names}))"


def with_feedback(sql: str, literals: Sequence[str]) -> str:
    """A source query or a domain with the literal relations that it reads."""
    used = [(feedback_marker(number), literal) for number, literal in enumerate(literals)]
    ctes = ", ".join(f"{name} AS MATERIALIZED {literal}" for name, literal in used if name in sql)
    return f"WITH {ctes} SELECT * FROM ({sql}) AS measured" if ctes else sql

"""Writes dp.low, dp.high, dp.stddev and dp.reliable outside of blocks as functions of draws.

`SELECT region, dp.low(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) t`: the block gets a hidden
output `dp.draws(count(*))`, an array of draws of its noise, which the queries between it and the call pass on, and the
call becomes `dp.draws_low(t.draws_0, 0.95)`. In a block itself that goes for window functions, as in
`dp.low(count(*) / sum(count(*)) OVER ())`; everything else there is drawn by the block's own relation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all, walk
from proxy.sql.plain_postgres import excerpt, render
from proxy.sql.refusal import unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.drawn_expressions import DrawnExpressions, Leaf, draws_call, filled
from proxy.sql.trees.interval_calls import (
    CONFIDENCE,
    MOST_SIMULATED_INTERVALS,
    call_name,
    confidence_of,
    interval_call,
    many_intervals,
    share_of,
)
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    alias_of,
    ancestors,
    body_of,
    column_aliases,
    is_function_item,
    is_star,
    items_of,
    output_name,
    own_nodes,
    unaliased,
)

_MOST_WRITTEN_OUT = 5000
"""Columns that * stands for, in the whole query: a chain of CTEs with many columns and * would be a very long text."""


def write_outer_intervals(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite the calls outside of blocks, and those over window functions, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.

    Raises:
        UnsupportedError: a call over something without noise, or whose noise cannot be followed.
    """
    scopes = Scopes(schema)
    found: list[tuple[exp.Expr, exp.Anonymous, exp.Select]] = []
    for node in walk(query):
        call = interval_call(node)
        select = node.find_ancestor(exp.Select) if call is not None and call.expressions else None
        if call is None or not isinstance(select, exp.Select):
            continue
        over_windows = any(isinstance(inner, exp.Window) for inner in own_nodes(call.expressions[0]))
        if not over_windows and scopes.has_rows(select):
            continue
        found.append((node, call, select))
        if len(found) > MOST_SIMULATED_INTERVALS:
            raise many_intervals(node)
    if not found:
        return query
    draws = _ReleasedDraws(query, scopes)
    draws.write_stars_out()
    for node, call, select in found:
        written = _written(call, draws.expressions(select))
        if node.parent is select and node.arg_key == "expressions":
            written = exp.Alias(this=written, alias=exp.to_identifier(call_name(call), quoted=True))
        node.replace(written)
    return query


def _written(call: exp.Anonymous, expressions: DrawnExpressions) -> exp.Expr:
    """A call as a function of draws."""
    name, argument = call_name(call), call.expressions[0]
    if name == "clipped":
        raise _only_over_aggregates(call, name)
    draws = expressions.draws(argument)
    if draws is None:
        raise unsupported(
            call,
            f"dp.{name}() requires a number with noise",
            rule="noise-interval",
            detail=f"Nothing in {excerpt(argument)} is released from private rows with noise.",
            hint=f"Leave dp.{name}() out here.",
        )
    if name == "draws":
        return draws
    if name == "reliable":
        share = share_of(call)
        if share is None:
            raise unsupported(
                call,
                "dp.reliable() requires a share here",
                rule="reliable-share",
                detail="Only beside the aggregate itself it can tell what dp.max_error says.",
                hint="Write for example dp.reliable(n, 0.2) for 20 %.",
            )
        return draws_call(name, copied(argument), draws, exp.Literal.number(str(float(share))))
    if name == "stddev":
        return draws_call(name, draws)
    return draws_call(name, draws, exp.Literal.number(str(float(confidence_of(call, simulated=True) or CONFIDENCE))))


class _ReleasedDraws:
    """The draws of columns, which the queries between a block and a call pass on as hidden outputs."""

    def __init__(self, query: exp.Query, scopes: Scopes) -> None:
        self._scopes = scopes
        names = {identifier.name.lower() for identifier in find_all(query, exp.Identifier)}
        self._fresh: Iterator[str] = (name for number in count() if (name := f"draws_{number}") not in names)
        self._hidden: dict[tuple[int, int], str | None] = {}
        self._open: set[tuple[int, int]] = set()
        self._places: dict[int, dict[str, int]] = {}
        self._written_out = 0
        self._query = query

    def write_stars_out(self) -> None:
        """Write * as the columns that it shows, so that it does not show what is hidden.

        Raises:
            UnsupportedError: it shows columns that have no names of their own.
        """
        for select in find_all(self._query, exp.Select):
            self._expand(select)

    def expressions(self, select: exp.Select) -> DrawnExpressions:
        """How the expressions of a SELECT are drawn."""
        if self._scopes.has_rows(select):
            return DrawnExpressions(_of_block)
        return DrawnExpressions(lambda node, aggregated: self._of_outer(node, select, aggregated))

    def _of_outer(self, node: exp.Expr, select: exp.Select, aggregated: bool) -> Leaf | None:
        if isinstance(node, exp.Subquery):
            return Leaf(self._scalar(node))
        if not isinstance(node, exp.Column):
            return None
        draws = self._column(node, select)
        if draws is not None and select.args.get("group") is not None and not aggregated:
            raise unsupported(
                node,
                f"{render(node)} is a released number that rows are grouped by",
                rule="noise-interval",
                detail="Rows are grouped by the number that is shown; its noise would make other groups.",
                hint="Apply sum() or avg() to it, or group by other columns.",
            )
        return Leaf(draws)

    def _scalar(self, subquery: exp.Subquery) -> exp.Expr | None:
        """A subquery in an expression, with the draws of its only output."""
        body = body_of(subquery)
        if not isinstance(body, exp.Select) or len(body.expressions) != 1:
            raise _not_followed(subquery, "UNION, INTERSECT or EXCEPT", "a set operation")
        draws = self.expressions(body).draws(unaliased(body.expressions[0]))
        if draws is None:
            return None
        copy = copied(subquery)
        body_of(copy).set("expressions", [draws])
        return copy

    def _column(self, column: exp.Column, select: exp.Select) -> exp.Expr | None:
        """The draws of a column; None for one without noise."""
        scope: exp.Select | None = select
        while scope is not None:
            for holder in items_of(scope):
                item = holder.this
                found = self._of_item(column, item)
                if found is not None:
                    return found.draws
            scope = scope.find_ancestor(exp.Select)
        raise unsupported(
            column,
            f"the noise of {render(column)} cannot be followed",
            rule="noise-interval",
            detail="It is not a column of a table, a subquery or a CTE by its name.",
            hint="Write the column with its table or subquery, and name the columns instead of *.",
        )

    def _of_item(self, column: exp.Column, item: exp.Expr) -> Leaf | None:
        """The hidden output of a FROM item that belongs to a column; None if it is not a column of the item."""
        qualifier, name = column.args.get("table"), folded(column.this)
        if qualifier is not None and folded(qualifier) != alias_of(item):
            return None
        body, aliases = self._body(item)
        if body is None:
            known = name in self._scopes.columns(item) or qualifier is not None
            return Leaf(None) if known and not is_function_item(item) else None
        place = self._place(body, aliases, name)
        if place is None:
            return None
        hidden, alias = self._output(body, place), alias_of(item)
        if hidden is None:
            return Leaf(None)
        return Leaf(_named(hidden, alias))

    def _body(self, item: exp.Expr) -> tuple[exp.Expr | None, list[str]]:
        """The query of a subquery or a CTE, and the names that its columns are given."""
        if isinstance(item, (exp.Subquery, exp.Lateral)):
            return body_of(item), column_aliases(item)
        if not isinstance(item, exp.Table) or item.args.get("db") or not isinstance(item.this, exp.Identifier):
            return None, []
        for ancestor in (item, *ancestors(item)):
            with_ = ancestor.args.get("with_")
            for cte in reversed(with_.expressions) if with_ is not None else ():
                if folded(cte.args["alias"].this) == folded(item.this):
                    given = [folded(name) for name in cte.args["alias"].args.get("columns") or []]
                    return cte.this, column_aliases(item) or given
        return None, []

    def _place(self, body: exp.Expr, aliases: list[str], name: str) -> int | None:
        """Which output of a query has a name."""
        if name in aliases:
            return aliases.index(name)
        if id(body) not in self._places:
            # Hidden outputs come after all others, and nobody names them.
            places = {
                known: place for place, known in reversed(list(enumerate(self._names(body)))) if known is not None
            }
            self._places[id(body)] = places
        place = self._places[id(body)].get(name)
        return place if place is not None and place >= len(aliases) else None

    def _names(self, body: exp.Expr) -> list[str | None]:
        while isinstance(body, exp.SetOperation):
            body = body_of(body.this)
        if not isinstance(body, exp.Select):
            return []
        self._expand(body)
        return [output_name(output) for output in body.expressions]

    def _expand(self, select: exp.Select) -> None:
        """Write * as the columns that it shows, so that it does not show what is hidden."""
        if self._scopes.has_rows(select) or not any(is_star(output) for output in select.expressions):
            return
        if all(self._body(holder.this)[0] is None for holder in items_of(select)):
            return
        outputs: list[exp.Expr] = []
        for output in select.expressions:
            wanted = folded(output.args["table"]) if isinstance(output, exp.Column) and is_star(output) else None
            if not is_star(output):
                outputs.append(output)
                continue
            for holder in items_of(select):
                if wanted in (None, alias_of(holder.this)):
                    outputs += self._columns(holder, output)
        select.set("expressions", outputs)

    def _columns(self, holder: exp.Expr, star: exp.Expr) -> list[exp.Expr]:
        """The columns of a FROM item, in the place of *."""
        item, alias = holder.this, alias_of(holder.this)
        body, aliases = self._body(item)
        if body is None:
            names: list[str | None] = list(self._scopes.columns(item))
        else:
            found = self._names(body)
            names = [*aliases, *found[len(aliases) :]]
        merged = holder.args.get("using") or holder.args.get("method")
        self._written_out += len(names)
        unnamed = alias is None or not names or None in names or len(set(names)) < len(names)
        if unnamed or merged or self._written_out > _MOST_WRITTEN_OUT:
            raise unsupported(
                star,
                "dp.low() and its kin are not supported beside * here",
                rule="noise-interval",
                detail="* would show the draws that the interval is computed from.",
                hint="Name the columns instead of *.",
            )
        return [_named(name, alias) for name in names]

    def _output(self, body: exp.Expr, place: int) -> str | None:
        """The name of the hidden output with the draws of a query's output, which is added; None without noise."""
        key = (id(body), place)
        if key in self._open:
            raise _not_followed(body, "WITH RECURSIVE", "a query that reads itself")
        if key not in self._hidden:
            self._open.add(key)
            self._hidden[key] = self._added(body, place)
            self._open.discard(key)
        return self._hidden[key]

    def _added(self, body: exp.Expr, place: int) -> str | None:
        if isinstance(body, exp.SetOperation):
            return self._added_to_all(body, place)
        if not isinstance(body, exp.Select) or place >= len(body.expressions):
            return None
        draws = self.expressions(body).draws(unaliased(body.expressions[place]))
        if draws is None:
            return None
        if body.args.get("distinct") is not None:
            raise _not_followed(body, "DISTINCT", "DISTINCT")
        name = next(self._fresh)
        body.append("expressions", exp.Alias(this=draws, alias=exp.to_identifier(name, quoted=True)))
        return name

    def _added_to_all(self, operation: exp.SetOperation, place: int) -> str | None:
        """The hidden output of UNION ALL: each side's rows have their own draws."""
        sides = list(_sides(operation))
        if any(place >= len(side.expressions) for side in sides):
            return None
        outputs = [unaliased(side.expressions[place]) for side in sides]
        found = [self.expressions(side).draws(output) for side, output in zip(sides, outputs, strict=True)]
        if not any(found):
            return None
        name = next(self._fresh)
        for side, output, draws in zip(sides, outputs, found, strict=True):
            # Arrays of several types have no common one.
            numbers = exp.Cast(this=draws or filled(output), to=exp.DataType.build("decimal[]", dialect="postgres"))
            side.append("expressions", exp.Alias(this=numbers, alias=exp.to_identifier(name, quoted=True)))
        return name


def _sides(body: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs of a UNION ALL.

    Raises:
        UnsupportedError: it is another set operation, or rows are no SELECT's, or distinct.
    """
    if isinstance(body, exp.Select) and body.args.get("distinct") is None:
        yield body
    elif isinstance(body, exp.Union) and body.args.get("distinct") is False:
        for side in (body.this, body.expression):
            yield from _sides(body_of(side))
    else:
        raise _not_followed(body, "UNION, INTERSECT or EXCEPT", "a set operation that compares rows")


def _of_block(node: exp.Expr, _aggregated: bool) -> Leaf | None:
    """In a block, aggregates have noise, and columns are group keys."""
    if isinstance(node, exp.Column):
        return Leaf(None)
    call = node.this if isinstance(node, (exp.Filter, exp.WithinGroup)) else node
    if not is_aggregate(call):
        return None
    draws = exp.Anonymous(this="draws", expressions=[copied(node)])
    return Leaf(exp.Dot(this=exp.to_identifier("dp"), expression=draws))


def _named(name: str | None, table: str | None) -> exp.Column:
    of = exp.to_identifier(table, quoted=True) if table is not None else None
    return exp.Column(this=exp.to_identifier(name, quoted=True), table=of)


def _only_over_aggregates(call: exp.Anonymous, name: str) -> Exception:
    return unsupported(
        call,
        f"dp.{name}() requires an aggregate over private rows of the same SELECT",
        rule="noise-interval",
        detail="It tells of the units that one aggregate leaves out.",
        hint=f"Apply dp.{name}() to the aggregate itself, as in SELECT avg(x), dp.{name}(avg(x)) FROM ….",
    )


def _not_followed(body: exp.Expr, construct: str, what: str) -> Exception:
    return unsupported(
        body,
        f"noise is not followed through {construct}",
        rule="noise-interval",
        detail=f"An interval outside of {what} needs the draws of each of its rows.",
        hint="Apply dp.low() and its kin inside, beside the number itself.",
    )

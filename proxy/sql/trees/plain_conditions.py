"""One spelling for conditions that are true of the same rows, so that each is one question.

Generators write `WHERE true AND x`, `1 = 1 AND x` and `x OR false` for x, and ORMs `urgent = true`, `urgent IS TRUE` or
`urgent <> false` for `urgent`. Where nothing but truth counts, as in WHERE, NULL is as good as false; below NOT it is
not, and there only what is the same for NULL too is written otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from sqlglot import exp
from sqlglot.expressions.core import Expr

from proxy.sql.nodes import find, find_all, identical
from proxy.sql.schema import Schema
from proxy.sql.terms.comparisons import members_of_row, quantified
from proxy.sql.trees.constant_conditions import NotConstantError, value_of
from proxy.sql.trees.stored_types import StoredTypes, select_around
from proxy.sql.trees.truth_texts import truth_of

_PLACES: Final[dict[type[exp.Expr], str]] = {exp.Where: "this", exp.Having: "this", exp.Join: "on", exp.If: "this"}
_NEGATED: Final[dict[type[exp.Expr], type[exp.Binary]]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}
_OF_TRUTH: Final[tuple[type[exp.Expr], ...]] = (
    exp.And,
    exp.Or,
    exp.Not,
    exp.Is,
    exp.In,
    exp.Between,
    exp.Exists,
    exp.Like,
    exp.ILike,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    *_NEGATED,
)
"""Nodes that are true, false or NULL."""

_NUMBERS: Final = frozenset("smallint,integer,bigint,numeric,real,double precision".split(","))
_MOMENTS: Final = frozenset({"date", "timestamp without time zone", "timestamp with time zone"})
_TEXTS: Final = frozenset({"text", "character varying", "bpchar"})
_ORDERED: Final = _NUMBERS | _MOMENTS | _TEXTS | {"boolean"}
"""Types of which each comparison has a negation: of two values exactly one is true, NaN among them."""


def write_conditions_plainly(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write the conditions of WHERE, HAVING, ON, FILTER and CASE plainly, in place, in every query; drop WHERE and
    FILTER where nothing is left of them.

    Args:
        query: a tree with parameters as literals, in which every table of the policy has its schema.
        schema: policy and catalog.
    """
    types = StoredTypes(schema)
    for node in find_all(query, *_PLACES):
        if isinstance(node, exp.If) and isinstance(node.parent, exp.Case) and node.parent.this is not None:
            continue  # CASE x WHEN true
        place = _PLACES[node.__class__]
        condition = node.args.get(place)
        if not isinstance(condition, Expr):
            continue
        plain = _Conditions(types, select_around(node)).plain(condition, truth_counts=True)
        if plain is not condition:
            node.set(place, plain)
        if isinstance(node, exp.Where) and _is(plain, value=True):
            _drop(node)
    return query


def _drop(where: exp.Where) -> None:
    holder = where.parent
    if isinstance(holder, exp.Filter):
        holder.replace(holder.this)
    elif isinstance(holder, exp.Select):
        holder.set("where", None)


class _Conditions:
    """Writes the conditions of one SELECT. Nodes are taken over where they stay, and not copied."""

    def __init__(self, types: StoredTypes, select: exp.Select | None) -> None:
        self._types = types
        self._select = select

    def plain(self, node: exp.Expr, *, truth_counts: bool) -> exp.Expr:
        """A condition plainly; the node itself if it is.

        Args:
            node: the condition.
            truth_counts: does nothing count but whether it is true, so that NULL may be false?
        """
        match node:
            case exp.Paren():
                inner = self.plain(node.this, truth_counts=truth_counts)
                if inner is not node.this:
                    return inner if isinstance(inner, (exp.Column, exp.Paren, exp.Boolean)) else exp.Paren(this=inner)
                return node
            case exp.And() | exp.Or():
                return self._connected(node, truth_counts=truth_counts)
            case exp.Not():
                return self._negation(node, truth_counts=truth_counts)
            case exp.Between():
                return self._range(node)
            case exp.Is():
                return self._tested(node, truth_counts=truth_counts)
            case exp.EQ() | exp.NEQ() | exp.NullSafeEQ() | exp.In():
                return self._compared(node, truth_counts=truth_counts)
        return node

    def _connected(self, node: exp.Expr, *, truth_counts: bool) -> exp.Expr:
        """AND without what is true, OR without what is false: both are the other operand, be it NULL."""
        written = _operands(node)
        operands = [self.plain(operand, truth_counts=truth_counts) for operand in written]
        neutral = isinstance(node, exp.And)
        kept = [operand for operand in operands if not _is(operand, value=neutral)]
        if neutral:
            kept = self._without_ranges(kept)
        if len(kept) == len(written) and all(one is other for one, other in zip(kept, written, strict=True)):
            return node
        if not kept:
            return exp.Boolean(this=neutral)
        return reduce(lambda left, right: node.__class__(this=left, expression=right), kept)

    def _negation(self, node: exp.Not, *, truth_counts: bool) -> exp.Expr:
        inner = self.plain(node.this, truth_counts=False)
        bare = inner.unnest()
        if isinstance(bare, exp.Not):
            # Once more: what is true where NOT NOT is need not be what is NULL there.
            return self.plain(bare.this, truth_counts=truth_counts)
        if bare.__class__ in _NEGATED and self._is_ordered(bare):
            return _NEGATED[bare.__class__](this=bare.this, expression=bare.expression)
        is_missing = isinstance(bare, exp.Is) and isinstance(bare.expression, exp.Null)
        # Of a row in a column IS NULL and IS NOT NULL can both be false.
        if is_missing and self._types.of(bare.this, self._select) in _ORDERED:
            return exp.Is(this=bare.this, expression=exp.Null(), negate=not bare.args.get("negate"))
        return node if inner is node.this else _not(inner)

    def _is_ordered(self, node: exp.Expr) -> bool:
        sides = [node.this, node.expression]
        if any(members_of_row(side) is not None or quantified(side) is not None for side in sides):
            return False
        if any(find(side, exp.Query) is not None for side in sides):
            return False
        return any(self._types.of(side, self._select) in _ORDERED for side in sides)

    def _tested(self, node: exp.Is, *, truth_counts: bool) -> exp.Expr:
        """IS TRUE and IS FALSE, where NULL may be what they make of it."""
        target = node.expression
        if not truth_counts or node.args.get("negate") or not isinstance(target, exp.Boolean):
            return node
        if not self._is_truth(node.this):
            return node
        return self.plain(node.this if target.this else _not(node.this), truth_counts=True)

    def _compared(self, node: exp.Expr, *, truth_counts: bool) -> exp.Expr:
        """x = true is x, and x = false is NOT x: NULL is NULL in all of them."""
        if isinstance(node, exp.NullSafeEQ) and not truth_counts:
            return node
        right = node.expression
        if isinstance(node, exp.In):
            if len(node.expressions) != 1 or any(node.args.get(name) for name in ("query", "unnest", "field")):
                return node
            right = node.expressions[0]
        for value, other in ((node.this, right), (right, node.this)):
            truth = _truth(other) if self._is_truth(value) else None
            if truth is not None:
                same = truth != isinstance(node, exp.NEQ)
                return self.plain(value if same else _not(value), truth_counts=truth_counts)
        return node

    def _is_truth(self, node: exp.Expr) -> bool:
        """Is it a condition, or a column of conditions?"""
        bare = node.unnest()
        return isinstance(bare, _OF_TRUTH) or self._types.of(bare, self._select) == "boolean"

    def _range(self, node: exp.Between) -> exp.Expr:
        """From a to a is a."""
        low, high = node.args["low"], node.args["high"]
        if node.args.get("symmetric") or not self._is_point(node.this, low, high):
            return node
        return exp.EQ(this=node.this, expression=low)

    def _without_ranges(self, operands: Sequence[exp.Expr]) -> list[exp.Expr]:
        """x >= a AND x <= a is x = a, as BETWEEN is."""
        halves = [operand for operand in operands if isinstance(operand.unnest(), (exp.GTE, exp.LTE))]
        if len(halves) < 2:
            return list(operands)
        kept = list(operands)
        for least in [half for half in halves if isinstance(half.unnest(), exp.GTE)]:
            for most in [half for half in halves if isinstance(half.unnest(), exp.LTE)]:
                low, high = least.unnest(), most.unnest()
                if low.this == high.this and self._is_point(low.this, low.expression, high.expression):
                    place = next((index for index, operand in enumerate(kept) if operand is least), None)
                    if place is not None and any(operand is most for operand in kept):
                        kept[place] = exp.EQ(this=low.this, expression=low.expression)
                        kept = [operand for operand in kept if operand is not most]
        return kept

    def _is_point(self, value: exp.Expr, low: exp.Expr, high: exp.Expr) -> bool:
        # Texts may be between two that they do not equal, by the rules of a language.
        if self._types.of(value, self._select) not in _NUMBERS | _MOMENTS:
            return False
        bare = low.this if isinstance(low, (exp.Neg, exp.Cast)) else low
        return isinstance(bare, exp.Literal) and identical(low, high)


def _operands(node: exp.Expr) -> list[exp.Expr]:
    """The operands of a chain of AND, or of OR, with their parentheses."""
    found: list[exp.Expr] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        bare = part.unnest()
        if bare.__class__ is node.__class__:
            waiting += [bare.expression, bare.this]
        else:
            found.append(part)
    return found


def _not(node: exp.Expr) -> exp.Not:
    return exp.Not(this=node if isinstance(node, (exp.Column, exp.Paren)) else exp.Paren(this=node))


def _is(node: exp.Expr, *, value: bool) -> bool:
    """Is it certainly true, or certainly false, by constants alone?"""
    try:
        return value_of(node) is value
    except NotConstantError:
        return False


def _truth(node: exp.Expr) -> bool | None:
    """What a constant beside a condition is; None for NULL and all else."""
    bare = node.unnest()
    if isinstance(bare, exp.Cast) and bare.to.this is exp.DType.BOOLEAN:
        bare = bare.this.unnest()
    if isinstance(bare, exp.Boolean):
        return bool(bare.this)
    return truth_of(bare.name) if isinstance(bare, exp.Literal) and bare.is_string else None

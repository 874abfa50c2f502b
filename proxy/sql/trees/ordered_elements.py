"""Writes an element of the array of a unit's values, in some order, as the value of the row that has this place:

    SELECT patient_id, (array_agg(region ORDER BY visited_at))[1] FROM visits GROUP BY patient_id

shows `max(region) FILTER (WHERE n = 1)` of the same rows with `row_number() OVER (PARTITION BY patient_id ORDER BY
visited_at) AS n`. An array of all values could become larger than the source can hold, if one unit has as many rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all
from proxy.sql.schema import Schema
from proxy.sql.terms.types import Kind
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.output_names import quoted
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, column_aliases, own_nodes

_PLACE = "dpplace"
_NAME = "array_agg"
_KNOWN = frozenset({"expressions", "from_", "where", "group", "having", "distinct"})
_SEVERAL_KEYS = (exp.Rollup, exp.Cube, exp.GroupingSets)


@dataclass(frozen=True)
class _Element:
    """`(array_agg(value ORDER BY order) FILTER (WHERE condition))[place]`.

    Attributes:
        node: in the tree.
        value: what the array is of.
        order: its ORDER BY, as OVER has it; None without.
        condition: that of FILTER, if any.
        place: a literal, 1 or more.
    """

    node: exp.Bracket
    value: exp.Expr
    order: exp.Order | None
    condition: exp.Expr | None
    place: exp.Literal


def write_ordered_elements_as_rows(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite elements of arrays of a unit's values, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        if select is query or not _has_groups_of_one_item(select):
            continue
        elements = [found for node in own_nodes(select) if (found := _element(node)) is not None]
        if elements and scopes.is_rows(select):
            _write(select, elements, scopes)
    return query


def _has_groups_of_one_item(select: exp.Select) -> bool:
    group, source = select.args.get("group"), select.args.get("from_")
    if group is None or source is None or any(value and name not in _KNOWN for name, value in select.args.items()):
        return False
    if any(value and name != "expressions" for name, value in group.args.items()):
        return False
    if any(isinstance(item.unnest(), _SEVERAL_KEYS) for item in group.expressions):
        return False
    item = source.this
    return isinstance(item, (exp.Table, exp.Subquery)) and not item.args.get("joins") and not column_aliases(item)


def _element(node: exp.Expr) -> _Element | None:
    if not isinstance(node, exp.Bracket) or len(node.expressions) != 1:
        return None
    call, (place,), condition = node.this.unnest(), node.expressions, None
    if isinstance(call, exp.Filter):
        call, condition = call.this, call.expression.this
    if not isinstance(call, exp.Anonymous) or call.name.lower() != _NAME or len(call.expressions) != 1:
        return None
    if not isinstance(place, exp.Literal) or place.is_string or not place.name.isdigit() or int(place.name) < 1:
        return None
    (value,), order = call.expressions, None
    if isinstance(value, exp.Order):
        value, order = value.this, exp.Order(expressions=[copied(item) for item in value.expressions])
    return None if isinstance(value, exp.Distinct) else _Element(node, value, order, condition, place)


def _write(select: exp.Select, elements: list[_Element], scopes: Scopes) -> None:
    item, keys = select.args["from_"].this, key_expressions(select, scopes)
    name = alias_of(item)
    if name is None:
        return
    numbers: list[exp.Expr] = []
    for element in elements:
        partition = list(map(copied, keys))
        if element.condition is not None:
            partition.append(exp.Is(this=exp.Paren(this=copied(element.condition)), expression=exp.true()))
        order = copied(element.order) if element.order is not None else None
        window = exp.Window(this=exp.Anonymous(this="row_number"), partition_by=partition, order=order, over="OVER")
        numbers.append(exp.alias_(window, f"{_PLACE}{len(numbers)}"))
    rows = exp.Select(
        expressions=[exp.Column(this=exp.Star(), table=quoted(name)), *numbers],
        from_=select.args["from_"].copy(),
        where=select.args.get("where"),
    )
    for place, element in enumerate(elements):
        _show(element, exp.column(f"{_PLACE}{place}", table=quoted(name)), select, scopes)
    select.set("from_", exp.From(this=exp.Subquery(this=rows, alias=exp.TableAlias(this=quoted(name)))))
    select.set("where", None)


def _show(element: _Element, number: exp.Column, select: exp.Select, scopes: Scopes) -> None:
    """Put the value of the row with a number in the place of the element, under the name that this has."""
    extreme = "bool_or" if _is_boolean(element.value, select, scopes) else "max"
    kept: exp.Expr = exp.EQ(this=number, expression=element.place.copy())
    if element.condition is not None:
        kept = exp.And(this=exp.Paren(this=element.condition.copy()), expression=kept)
    call = exp.Anonymous(this=extreme, expressions=[element.value.copy()])
    outer: exp.Expr = element.node
    while isinstance(outer.parent, (exp.Paren, exp.Cast)):
        outer = outer.parent
    is_output = outer.parent is select and outer.arg_key == "expressions"
    shown = exp.Filter(this=call, expression=exp.Where(this=kept))
    element.node.replace(shown)
    if is_output:
        outer = shown if outer is element.node else outer
        outer.replace(exp.Alias(this=outer.copy(), alias=quoted(_NAME)))


def _is_boolean(value: exp.Expr, select: exp.Select, scopes: Scopes) -> bool:
    """Is it of the type that has no max?"""
    if isinstance(value, (exp.Predicate, exp.Not, exp.Connector, exp.Boolean)):
        return True
    owner = scopes.owner(value, select) if isinstance(value, exp.Column) else None
    named = scopes.table(owner) if owner is not None else None
    return named is not None and isinstance(value, exp.Column) and named.term(folded(value.this)).kind is Kind.BOOLEAN

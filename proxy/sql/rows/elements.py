"""Functions in FROM that list the elements of a value in the row beside them, as unnest(v.tags).

Each element is a row of the unit of that row, which it repeats. So that one row does not take long, and its time tells
nothing of it, the first MOST_ELEMENTS count, each as far as MOST_CHARACTERS: they come in the order of the array, which
no other row can change.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.rows.footprint import Footprint, of_terms, union
from proxy.sql.rows.members import Derived, DerivedColumn
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.array_columns import element_term
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BIGINT, TEXT, element_type, is_document
from proxy.sql.terms.work import size_of
from proxy.sql.trees.listed_elements import ARRAYS_OF, OF_DOCUMENTS
from proxy.sql.trees.walking import alias_of, column_aliases

MOST_ELEMENTS: Final = 50
"""Of one value."""

MOST_CHARACTERS: Final = 500
"""Of one element."""

_WORK: Final = 300
"""Nanoseconds for an element, besides what its array takes."""


@dataclass(frozen=True)
class _Listed:
    """What an item of FROM calls.

    Attributes:
        function: its name.
        argument: an expression of the array or document.
        names: of the column of its elements, if the item names it.
        numbered: WITH ORDINALITY, under this name.
    """

    function: str
    argument: exp.Expr
    names: tuple[str, ...]
    numbered: str | None


def elements_beside(item: exp.Expr, earlier: Relation) -> Derived | None:
    """The elements of a value in the rows that a FROM item may read: of earlier items, among which are rows of a unit,
    or, for the first item of a subquery, of the rows around it. None for all other items.

    Args:
        item: an item of FROM that calls a function.
        earlier: the items before it.
    """
    listed = _listed(item)
    rows = earlier if earlier.members or earlier.outer is None else earlier.outer
    if listed is None or len(listed.names) > 1 or not any(member.has_unit for member in rows.members):
        return None
    value = compile_term(listed.argument, rows)
    if any(member.footprint(None).spread for member in rows.members):
        raise unsupported(
            item,
            f"{listed.function}() of rows that are spread over a cluster is not supported",
            rule="from-item",
            detail="It stops after the first elements, which Citus does not compute beside each row.",
            hint="Look for elements by 'a' = ANY (x), or take one by its place: x[1].",
        )
    read, known = {read.alias for read in value.reads}, {member.alias for member in rows.members}
    if value.subqueries or not read or not read <= known:
        return None  # What reads two levels at once would be joined anew for each row of the outer one.
    if listed.function in OF_DOCUMENTS:
        if not is_document(value.type) or value.type.name != OF_DOCUMENTS[listed.function]:
            return None
        array = f"(CASE WHEN {value.type.name}_typeof({value.sql}) = 'array' THEN {value.sql} END)"
        call, size = f"{listed.function}({array})", min(size_of(value), MOST_CHARACTERS)
        element = Term(f"left(e, {MOST_CHARACTERS})", TEXT, size=size)
    else:
        type_ = element_type(value.type)
        if type_ is None:
            return None
        call, element = f"unnest({value.sql})", element_term(value, "e", type_, MOST_CHARACTERS)
    shown = dict.fromkeys(listed.names or _own_names(listed.function, item), ("c0", element))
    if listed.numbered is not None:
        one, most = Fraction(1), Fraction(MOST_ELEMENTS)
        place = Term("row_number() OVER ()", BIGINT, False, Bounds(one, most), one, one, most)
        shown[listed.numbered] = ("c1", place)
    columns = ", ".join(f"{term.sql} AS {name}" for name, term in dict(shown.values()).items())
    return Derived(
        listed.function,
        f"LATERAL (SELECT {columns} FROM (SELECT {call} AS e LIMIT {MOST_ELEMENTS}) AS listed)",
        True,
        {
            name: DerivedColumn(column, term.with_sql(column), (term.type.name, 0))
            for name, (column, term) in shown.items()
        },
        union([of_terms([value]), Footprint(elements=True)]),
        row_count=MOST_ELEMENTS,
        work=value.work // MOST_ELEMENTS + _WORK,
        beside=True,
    )


def _listed(item: exp.Expr) -> _Listed | None:
    call, names = item.this if isinstance(item, (exp.Lateral, exp.Table)) else item, tuple(column_aliases(item))
    if isinstance(call, exp.Unnest):
        if len(call.expressions) != 1:
            return None
        offset = call.args.get("offset")
        numbered = (folded(offset) if isinstance(offset, exp.Identifier) else "ordinality") if offset else None
        return _Listed("unnest", call.expressions[0], names, numbered)
    if not isinstance(call, exp.Anonymous) or not call.expressions:
        return None
    numbered = None
    if item.args.get("ordinality"):
        names, numbered = names[:1], names[1] if len(names) > 1 else "ordinality"
    name = call.name.lower()
    if name in ARRAYS_OF:
        array = exp.Anonymous(this=ARRAYS_OF[name], expressions=[argument.copy() for argument in call.expressions])
        return _Listed(name, array, names, numbered)
    if name in OF_DOCUMENTS and len(call.expressions) == 1:
        return _Listed(name, call.expressions[0], names, numbered)
    return None


def _own_names(function: str, item: exp.Expr) -> list[str]:
    """The names of a column that has none in FROM: the alias of the item, which is the value itself, and for documents
    also the name that Postgres gives their result."""
    alias = alias_of(item)
    named = ["value"] if function in OF_DOCUMENTS else []
    return [*named, alias] if alias is not None else [*named, function]

"""The order of texts: by code point, wherever private rows are compared or sorted.

Declared keys, released rows and public subqueries are compared on the stage, whose databases order texts by code point.
Under another collation on the source, a row and its group could fall on different sides of a text. Equality needs none
of this: under deterministic collations only identical texts are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind, element_type

_CODE_POINTS = 'pg_catalog."C"'


def by_code_point(node: exp.Expr, term: Term) -> Term:
    """A value in the form in which `<` and sorts compare it; values other than texts unchanged.

    Raises:
        UnsupportedError: jsonb, whose order always follows the database's collation, and types that the database
            defines itself, with an order of their own.
    """
    if term.type.foreign:
        raise foreign_order(node)
    if term.type.name.removesuffix("[]") == "jsonb":
        raise unsupported(
            node,
            "the order of jsonb is not supported over private rows",
            rule="comparison",
            detail="The order depends on the collation of the private database, which dpproxy's stage does not share.",
            hint="Compare a member as a number or a text: (column -> 'key')::numeric, column ->> 'key'.",
        )
    element = element_type(term.type)
    if term.kind is Kind.TEXT or (element is not None and element.kind is Kind.TEXT):
        return term.with_sql(f"({term.sql} COLLATE {_CODE_POINTS})")
    return term


def foreign_order(node: exp.Expr) -> Exception:
    """The refusal of `<` and the like of an enum, or of another type that the private database defines itself."""
    return unsupported(
        node,
        "the order of a user-defined type is not supported over private rows",
        rule="comparison",
        detail="Its values are handled as text there, which sorts differently.",
        hint="List the values, as in column IN ('small', 'medium'), or compare them as text: column::text.",
    )


def all_by_code_point(node: exp.Expr, terms: Sequence[Term]) -> list[Term]:
    """The operands of one comparison by order. Untyped constants are texts among themselves."""
    if all(term.kind is Kind.UNKNOWN for term in terms):
        return [term.with_sql(f"({term.sql} COLLATE {_CODE_POINTS})") for term in terms]
    return [by_code_point(node, term) for term in terms]

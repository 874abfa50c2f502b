"""One form for all values that are equal.

Postgres takes values as equal that look different: 1.0 and 1.00, 0 and -0, character(n) texts up to trailing blanks.
GROUP BY, DISTINCT, set operations, min and max keep one of the equal values, and which one depends on the order of the
rows, and so on other units' rows. A single row could then decide the value's text, its hash, and its place in an order
of texts.

So whatever stands for a class of equal values passes through here first. The claim, for each type that has a form: if a
= b, then the forms of a and b are identical, octet for octet, and so is everything computed from them. Texts under a
nondeterministic collation are an exception, as no form is the same for the whole class: they get another collation
before they are grouped (`proxy.sql.rows.grouping`), or are hashed under their own.

Types without such a form are refused as keys: intervals (30 days are 1 month), json and jsonb (1.0 is 1), arrays, rows
and ranges of such types, times with a time zone, and every type that this project has no rules for.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms.term import Term, decimal_places
from proxy.sql.terms.types import Kind, hint_of

_MOST_PLACES = 100

_ONE_FORM = frozenset(
    [Kind.BOOLEAN, Kind.INTEGER, Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ, Kind.TIME, Kind.UUID, Kind.UNKNOWN]
)
"""Types in which equal values are identical. UNKNOWN is a constant."""


def canonical_value(term: Term) -> Term | None:
    """The value in the form shared by all that equal it, as Postgres prints most of them; None for a type without such
    a form. The SQL type stays, so that comparisons mean the same. A text keeps its collation."""
    if _is_its_own_form(term):
        return term
    if term.kind is Kind.NUMERIC and term.grid is not None and decimal_places(term.grid) <= _MOST_PLACES:
        # With the digits of the grid, as columns of that type have.
        return _with(term, f"round({term.sql}, {decimal_places(term.grid)})")
    if term.type.name == "bpchar" and term.type.length is not None:
        # Padded as Postgres stores all values of such a column; free for these.
        return _with(term, f"({term.sql})::character({term.type.length})")
    bare = bare_value(term)
    return _with(term, f"({bare.sql})::bpchar") if bare is not None and term.type.name == "bpchar" else bare


def bare_value(term: Term) -> Term | None:
    """The value in a form that is the same for all equal values of all comparable types: the integer 7 and the
    numeric(5,2) 7.00 have one form, and a character(4) becomes a text. None for a type without such a form."""
    if _is_its_own_form(term):
        return term
    if term.kind is Kind.NUMERIC or (term.kind is Kind.INTEGER and term.wide):
        return _with(term, f"trim_scale({term.sql})")
    if term.kind is Kind.FLOAT:
        return _with(term, f"({term.sql} + 0::{term.type.name})")
    if term.kind is Kind.TEXT:
        # A choice or NULLIF of texts can be a character(n) in Postgres though its first text is not, and vice versa:
        # the casts bring both to the type that is stated. The last one drops the blanks.
        padded = "::bpchar" if term.type.name == "bpchar" else ""
        return _with(term, f"({term.sql}){padded}::text")
    return term if term.kind in _ONE_FORM else None


def _is_its_own_form(term: Term) -> bool:
    """Is it a stored value whose form is that of its type? A set operation may have given it another one since."""
    whole = term.kind is Kind.NUMERIC and term.grid is not None and term.grid.denominator == 1
    return term.is_plain and (whole or term.type.name in ("text", "character varying"))


def require_canonical(node: exp.Expr, term: Term) -> Term:
    """`canonical_value` of an expression that GROUP BY, DISTINCT or a set operation compares.

    Raises:
        UnsupportedError: a type whose equal values have several forms.
    """
    value = canonical_value(term)
    if value is None:
        raise unsupported(
            node,
            f"GROUP BY on type {term.type.name} is not supported",
            rule="key-type",
            detail="Equal values of this type can differ in form, so one row could decide which form a group shows.",
            hint=hint_of([term.type], "Group by a number, text, date or timestamp derived from it."),
        )
    return value


def _with(term: Term, sql: str) -> Term:
    return replace(term, sql=sql, literal=None)

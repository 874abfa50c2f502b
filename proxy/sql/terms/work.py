"""The most that an expression costs for one row, in nanoseconds, and how large its values can be.

A row that takes long shows in the time of the answer, or in the source's own limit of time or memory. So every admitted
function and operator has a cost (`costs`), which bounds one call by the sizes of its operands.

A term's work is that of its own steps, plus that of each operand times the number of places where the operand's SQL
occurs in it: guards repeat what they guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms.term import Subquery, Term
from proxy.sql.terms.types import Kind

MOST_ROW_WORK = 1_000_000
"""The nanoseconds that all expressions of a block may take for one private row."""

MOST_MET_WORK = 12_000_000
"""The nanoseconds that they may take with all rows that a private row meets."""

MOST_UNIT_WORK = 2_000_000_000
"""The nanoseconds that all rows of a unit may take together, where a row may need so much that the number of rows is
limited (`rows.cuts`)."""

MOST_LONG_ROWS = MOST_UNIT_WORK // MOST_ROW_WORK
"""The most rows of a unit that may take up to MOST_ROW_WORK each."""

SHORT_ROW_WORK = 100_000
"""Nanoseconds up to which a row is just one of many: the number of a unit's rows is not limited."""

WORTH_ONCE = 1000
"""Nanoseconds of a row's repeated work from which a source query computes its expressions once."""

MOST_ROW_OCTETS = 2_000_000
"""The octets that the values of one SELECT list may have in one row."""

MOST_VALUE = 250_000
"""The characters that one text may have; octets of another value."""

MOST_JSON = 5000
"""The most octets of a json value that is read: each step into it reads all of it."""

LONGEST_CHARACTER = 4
"""Octets of a character in UTF-8."""

MOST_READ = 250
"""The most characters of a text that is read as a number, a date or the like: none of them has more."""

MOST_COMPARED = 1000
"""The characters of a text that a sort compares with its neighbours' again and again, where many texts agree."""

_FIXED = 16
_INTEGER_DIGITS = 20
_NUMERIC_DIGITS = 400
"""The digits of a numeric of which nothing else is known: guards keep it below 1e300 and its scale small."""
_PER_WRITTEN = 8
"""Octets of a constant for each character that it is written with; an array's element takes that many."""

Cost = Callable[[exp.Expr, Sequence[Term], Term], int]
"""Nanoseconds of one call, from its node, its operands and its result."""


def size_of(term: Term) -> int:
    """The largest size of a value; see `Term.size`."""
    if term.size is not None:
        return term.size
    if term.literal is not None and term.kind in (Kind.TEXT, Kind.UNKNOWN):
        return max(len(term.literal), term.type.length or 0)
    if term.literal is not None and term.kind is Kind.OTHER:
        return _FIXED + _PER_WRITTEN * len(term.literal)
    if term.kind is Kind.INTEGER:
        return _INTEGER_DIGITS
    if term.kind is Kind.NUMERIC:
        return _NUMERIC_DIGITS
    if term.kind in (Kind.TEXT, Kind.OTHER):
        raise AssertionError(f"nothing bounds the values of {term.sql[:200]}")
    return _FIXED


def octets_of(term: Term) -> int:
    """The most octets that a value takes in a row."""
    size = size_of(term)
    if term.kind in (Kind.TEXT, Kind.UNKNOWN):
        return size * LONGEST_CHARACTER
    return size // 2 + _FIXED if term.kind in (Kind.NUMERIC, Kind.INTEGER) else size


def accounted(node: exp.Expr, term: Term, operands: Sequence[Term], cost: Cost) -> Term:
    """The term with its work, the size of a number or constant, and the reads and subqueries of its operands.

    Args:
        node: what was compiled.
        term: the result.
        operands: what was compiled for it, in any order, possibly repeated.
        cost: of the node itself.

    Raises:
        UnsupportedError: its values could be too large.
    """
    if term.kind is Kind.NUMERIC and term.size is None:
        term = replace(term, size=_digits(node, operands))
    elif term.size is None and term.kind in (Kind.TEXT, Kind.UNKNOWN, Kind.OTHER):
        term = replace(term, size=size_of(term))
    distinct = {operand.sql: operand for operand in operands}
    # An expression without columns is computed once, while the source plans.
    work = cost(node, operands, term) if not term.constant else 0
    for sql, operand in distinct.items():
        if operand.work:
            work += operand.work * max(1, term.sql.count(sql))
    if size_of(term) > MOST_VALUE:
        raise too_large(node, size_of(term))
    seen = [operand.seen for operand in (term, *operands) if operand.seen is not None]
    return replace(
        term,
        work=work,
        seen=min(seen, default=None),
        reads=term.reads.union(*(operand.reads for operand in operands)),
        subqueries=distinct_subqueries([term, *operands]),
        shared=tuple(shared_work([term, *operands]).items()),
    )


def computed_once(term: Term) -> Term:
    """An aggregate or a window function, which the source computes once for all places where its SQL stands."""
    return replace(term, work=0, shared=((term.sql, term.work),))


def shared_work(terms: Iterable[Term]) -> dict[str, int]:
    """The work of the aggregates and window functions in some terms, each once, by its SQL."""
    return {sql: work for term in terms for sql, work in term.shared}


def distinct_subqueries(terms: Iterable[Term]) -> tuple[Subquery, ...]:
    """The subqueries of some terms, each once."""
    return tuple({subquery.name: subquery for term in terms for subquery in term.subqueries}.values())


def too_large(node: exp.Expr, size: int) -> Exception:
    """The refusal of a value that could be larger than MOST_VALUE."""
    return unsupported(
        node,
        f"a value of this expression could have {size} characters",
        rule="row-size",
        detail=f"The limit is {MOST_VALUE}. A row that exhausts the memory of the source would reveal that it exists.",
        hint="Shorten the text first, as in left(x, 100).",
    )


def _digits(node: exp.Expr, operands: Sequence[Term]) -> int:
    digits = [size_of(operand) for operand in operands if operand.type.is_number] or [_INTEGER_DIGITS]
    together = sum(digits) if isinstance(node, (exp.Mul, exp.Div, exp.Pow)) else max(digits)
    return min(together + 40, 20_000)

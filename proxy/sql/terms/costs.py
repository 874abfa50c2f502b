"""The most that one call of a function or operator costs, in nanoseconds, from the sizes of its operands.

The numbers were measured on PostgreSQL 15 with worst-case texts, and rounded up to about twice that; pages are assumed
to be in memory. Each function's row names its cost (`operation`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.postgres_aggregates import SPREADS
from proxy.sql.terms import regular_expressions
from proxy.sql.terms.calling import MOST_CONSTANT
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import MOST_COMPARED, MOST_JSON, MOST_READ, Cost, size_of

_PER_CHARACTER = 12
"""For each character of up to four octets that a function reads or writes."""
_PER_COPIED = 2
"""For each character that it only copies."""
_COMPARED = 5
"""For each character of the shorter text when two texts are compared under a collation."""


def _sizes(operands: Sequence[Term]) -> int:
    distinct = {operand.sql: operand for operand in operands if not operand.constant}
    return sum(map(size_of, distinct.values()))


def _largest(operands: Sequence[Term]) -> int:
    return max((size_of(operand) for operand in operands if not operand.constant), default=0)


def flat(nanoseconds: int) -> Cost:
    return lambda _, __, ___: nanoseconds


def _through(operands: Sequence[Term], term: Term, per_character: int) -> int:
    """The cost of reading the texts, or writing one."""
    made = size_of(term) if term.kind is Kind.TEXT else 0
    return 500 + per_character * max(_sizes(operands), made) + made


def of_text(per_character: int = _PER_CHARACTER) -> Cost:
    """Functions that read their texts, and write one."""
    return lambda _, operands, term: _through(operands, term, per_character)


copied = of_text(_PER_COPIED)
date = flat(2000)


def beginning(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """left(x, n), which reads no more than it keeps."""
    counted = operands[1].literal or ""
    return 500 + 8 * (size_of(term) if counted.isdecimal() else _sizes(operands))


def case(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """lower, upper and initcap: ICU needs four times as long for them as libc."""
    return 1000 + 28 * _sizes(operands)


def by_constants(per_pair: int) -> Cost:
    """Functions that compare each character with those of a constant."""

    def cost(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
        pairs = _largest(operands) * sum(size_of(operand) for operand in operands if operand.constant)
        return _through(operands, term, _PER_CHARACTER) + per_pair * pairs

    return cost


def arithmetic(quadratic: float, base: int = 200) -> Cost:
    """Arithmetic; for numerics it grows with the square of the digits."""

    def cost(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
        digits = sum(size_of(operand) for operand in operands if operand.kind is Kind.NUMERIC)
        # A cast between numeric and double precision goes through text.
        cast = 1000 if term.kind is Kind.FLOAT and digits else 0
        return base + cast + digits // 2 + int(quadratic * digits**2)

    return cost


def product(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Products; of numerics, each digit with each digit."""
    pairs = math.prod(size_of(operand) for operand in operands if operand.kind in (Kind.NUMERIC, Kind.INTEGER))
    return arithmetic(0)(node, operands, term) + pairs // 50


def transcendental(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Logarithms, powers and exponentials; of numerics, to as many digits as they have."""
    if term.kind is not Kind.NUMERIC:
        return 1500
    digits = max((size_of(operand) for operand in operands), default=0) + 20
    return 15_000 + 60 * digits + 26 * digits**2 // 10


def comparison(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """Comparisons of the first value with each other one."""
    if any(operand.kind is Kind.OTHER for operand in operands):
        return 1000 + 10 * min(size_of(operand) for operand in operands)
    first, *others = operands
    compared = sum(min(size_of(first), size_of(operand)) for operand in others)
    rate = 2 if isinstance(node, _EQUALITIES) else 2 * _COMPARED
    return 40 + 30 * len(operands) + compared * rate // 2


_EQUALITIES = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
"""They compare lengths first, then octets: equal values of the same length are compared octet by octet."""


def membership(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """IN and = ANY: equality compares lengths first; a hash reads the value once."""
    computed = sum(not operand.constant for operand in operands)
    return 200 + 100 * computed + 20 * len(operands) + _largest(operands)


def choice(node: exp.Expr, operands: Sequence[Term], _: Term) -> int:
    """CASE and its kin: each test that fails costs a step, and so does each result."""
    steps = len(list(node.iter_expressions())) + len(node.args.get("ifs") or [])
    return 100 + 100 * steps + _largest(operands)


def _seen(operands: Sequence[Term]) -> int:
    """The characters of the longest operand that a function sees."""
    return min(_largest(operands), MOST_CONSTANT)


def _cutting(operands: Sequence[Term]) -> int:
    return 8 * MOST_CONSTANT if _largest(operands) > MOST_CONSTANT else 0


def like(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """A piece between two % is tried at each character; no piece is tried again once a later one is searched for."""
    patterns = [operand.literal or "" for operand in operands if operand.literal is not None]
    pieces = sum(max(len(piece) for piece in pattern.split("%")) for pattern in patterns)
    per_character = 2 * pieces + 3 * len(patterns)
    if isinstance(node, exp.ILike):
        # lower() of both sides.
        per_character += 28
    return 1000 + _seen(operands) * per_character + _cutting(operands)


def _pattern(node: exp.Expr, operands: Sequence[Term]) -> str | None:
    """The regular expression among the operands of an operator or function."""
    if isinstance(node, exp.Substring):
        start = node.args.get("start")
        texts = [operand for operand in operands if not operand.type.is_number]
        literals = [text.literal for text in texts if text.literal is not None]
        return literals[0] if start is not None and literals else None
    literal = operands[-1 if not isinstance(node, exp.Anonymous) else 1].literal or ""
    if isinstance(node, exp.SimilarTo):
        return regular_expressions.of_similar_to(literal, None)
    return literal


def matching(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """Whether a regular expression matches, which reads the text once."""
    return 2000 + regular_expressions.matching(_pattern(node, operands) or "", _seen(operands)) + _cutting(operands)


def escaped(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """LIKE and SIMILAR TO with an escape character of their own."""
    if isinstance(node.this, exp.SimilarTo):
        return 2000 + regular_expressions.matching(
            regular_expressions.of_similar_to(operands[-1].literal or "", ""), _seen(operands)
        )
    return like(node.this, operands, term)


def locating(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Where a regular expression matches: the search may start anew at each character."""
    pattern = _pattern(node, operands)
    if pattern is None:
        return of_text()(node, operands, term)
    text = min(_largest(operands), regular_expressions.LOCATED)
    made = size_of(term) if term.kind is Kind.TEXT else text
    by_lines = isinstance(node, exp.Anonymous) and any(flag in (operands[-1].literal or "") for flag in "nmwp")
    return (
        3000
        + regular_expressions.locating(pattern, text, by_lines=by_lines and len(operands) > 2)
        + 400 * text
        + _PER_CHARACTER * made
    )


def cast(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Casts of texts and members of documents, which first match a pattern, over as many characters as a value can
    have."""
    made = size_of(term) if term.kind is Kind.TEXT else 0
    read = _sizes([operand for operand in operands if operand.kind is Kind.TEXT])
    if term.kind is not Kind.TEXT and any(operand.type.name == "jsonb" for operand in operands):
        read = MOST_READ
    return 1500 + _PER_CHARACTER * made + 80 * min(read, MOST_READ)


def document(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """A step into a document: json is parsed as a whole, of jsonb only what lies on the path is read."""
    read = sum(
        30 * min(size_of(operand), MOST_JSON) if operand.type.name == "json" else min(size_of(operand), 20_000)
        for operand in operands[:1]
    )
    return 2000 + read + (_PER_CHARACTER * size_of(term) if term.kind is Kind.TEXT else 0)


def of_unit(node: exp.Expr, operands: Sequence[Term], _: Term) -> int:
    """Aggregates and window functions: a step for each row, a sort, and a frame whose start moves, in which min and max
    begin anew at each row: they compute their argument and FILTER for all of its rows."""
    compared = sum(min(size_of(operand), MOST_COMPARED) for operand in operands if not operand.constant)
    again = _STEP + sum(operand.work for operand in operands if not operand.constant)
    return 10_000 + 10 * compared + _squares(node, operands) + 50 * len(operands) + _rows_seen_again(node) * again


_STEP = 300


def _squares(node: exp.Expr, operands: Sequence[Term]) -> int:
    """What the squares of long numbers take, in which each group of four digits meets each other."""
    call = node
    while isinstance(call, (exp.Window, exp.Filter)):
        call = call.this
    if not isinstance(call, exp.Anonymous) or call.name.lower() not in SPREADS:
        return 0
    return sum((size_of(operand) // 4) ** 2 for operand in operands if operand.type.is_number and not operand.constant)


def _rows_seen_again(node: exp.Expr) -> int:
    """How many rows before and after its own a window function looks at anew, at most."""
    spec = node.args.get("spec") if isinstance(node, exp.Window) else None
    if spec is None or str(spec.args.get("start")).upper() == "UNBOUNDED":
        return 0
    offsets = [spec.args.get(end) for end in ("start", "end")]
    return sum(int(offset.name) for offset in offsets if isinstance(offset, exp.Literal))

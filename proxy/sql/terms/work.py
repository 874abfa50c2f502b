"""What an expression costs for one row at most, in nanoseconds, and how large its values can be.

A row that takes long tells of itself by the time of the answer, or by the source's own limit of time or memory. So
every function and operator that is admitted has an entry here, which bounds one call by the sizes of its operands, and
what has none does not compile. The numbers were measured on PostgreSQL 15 with texts made for the worst case, and
rounded up to about twice of that; pages are taken to be in memory.

The work of a term is that of its own steps, plus that of each operand times the number of places at which the
operand's text occurs in it: guards repeat what they guard.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sqlglot import exp

from proxy.sql.plain_postgres import Plus
from proxy.sql.refusal import unsupported
from proxy.sql.terms import regular_expressions
from proxy.sql.terms.calling import MOST_CONSTANT
from proxy.sql.terms.term import Subquery, Term
from proxy.sql.terms.types import Kind

MOST_ROW_WORK = 1_000_000
"""Nanoseconds that all expressions of a block may take for one private row."""

MOST_MET_WORK = 12_000_000
"""Nanoseconds that they may take with all rows that a private row meets."""

MOST_UNIT_WORK = 2_000_000_000
"""Nanoseconds that all rows of a unit may take together, where so much may be needed for one that the number of rows is
limited (`rows.cuts`)."""

MOST_LONG_ROWS = MOST_UNIT_WORK // MOST_ROW_WORK
"""Most rows of a unit that may take up to MOST_ROW_WORK each."""

SHORT_ROW_WORK = 100_000
"""Nanoseconds up to which a row is no more than one of many: the number of rows of a unit is not limited."""

MOST_ROW_OCTETS = 2_000_000
"""Octets that the values of one SELECT list may have in one row."""

MOST_VALUE = 250_000
"""Characters that one text may have; octets of another value."""

MOST_JSON = 5000
"""Octets of the text of a json value that is read: each step into it reads it all."""

LONGEST_CHARACTER = 4
"""Octets of a character in UTF-8."""

MOST_READ = 250
"""Characters of a text that is read as a number, a date or the like: none of them has more."""

MOST_COMPARED = 1000
"""Characters of a text that a sort compares with its neighbours' again and again, where many of them agree."""

_FIXED = 16
_INTEGER_DIGITS = 20
_NUMERIC_DIGITS = 400
"""Digits of a numeric of which nothing else is known: guards keep it below 1e300 and its scale small."""
_PER_WRITTEN = 8
"""Octets of a constant for each character that it is written with: an element of an array takes as many."""
_PER_CHARACTER = 12
"""Of a function that goes through a text, or makes one, with characters of up to four octets."""
_PER_COPIED = 2
"""Of one that copies."""
_COMPARED = 5
"""Of comparing two texts under a collation, as far as the shorter one goes."""

_Cost = Callable[[exp.Expr, Sequence[Term], Term], int]
"""Nanoseconds of one call, from its node, its operands and its result."""


def size_of(term: Term) -> int:
    """The most that one value can be; see `Term.size`."""
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
    """The most octets that one value takes in a row."""
    size = size_of(term)
    if term.kind in (Kind.TEXT, Kind.UNKNOWN):
        return size * LONGEST_CHARACTER
    return size // 2 + _FIXED if term.kind in (Kind.NUMERIC, Kind.INTEGER) else size


def accounted(node: exp.Expr, term: Term, operands: Sequence[Term]) -> Term:
    """The term with its work, with the size of a number or a constant, and with what is read and asked on the way.

    Args:
        node: what was compiled.
        term: the outcome.
        operands: what was compiled on the way, in any order; the same one may be there twice.

    Raises:
        UnsupportedError: its values could be too large.
    """
    if term.kind is Kind.NUMERIC and term.size is None:
        term = replace(term, size=_digits(node, operands))
    elif term.size is None and term.kind in (Kind.TEXT, Kind.UNKNOWN, Kind.OTHER):
        term = replace(term, size=size_of(term))
    distinct = {operand.sql: operand for operand in operands}
    # What has no column in it is computed once, while the source plans.
    work = _own(node, list(operands), term) if not term.constant else 0
    for sql, operand in distinct.items():
        if operand.work:
            work += operand.work * max(1, term.sql.count(sql))
    if size_of(term) > MOST_VALUE:
        raise too_large(node, size_of(term))
    seen = [one.seen for one in (term, *operands) if one.seen is not None]
    return replace(
        term,
        work=work,
        seen=min(seen, default=None),
        reads=term.reads.union(*(one.reads for one in operands)),
        subqueries=distinct_subqueries([term, *operands]),
    )


def distinct_subqueries(terms: Iterable[Term]) -> tuple[Subquery, ...]:
    """The subqueries of some terms, each once."""
    return tuple({subquery.name: subquery for term in terms for subquery in term.subqueries}.values())


def too_large(node: exp.Expr, size: int) -> Exception:
    """The refusal of a value that could be larger than MOST_VALUE."""
    return unsupported(
        node,
        f"one value of this expression could have {size} characters",
        rule="row-size",
        detail=f"It may have {MOST_VALUE}. A row that fills the source's memory would tell of itself.",
        hint="Take the beginning of the text first, as in left(x, 100).",
    )


def _digits(node: exp.Expr, operands: Sequence[Term]) -> int:
    digits = [size_of(one) for one in operands if one.type.is_number] or [_INTEGER_DIGITS]
    together = sum(digits) if isinstance(node, (exp.Mul, exp.Div, exp.Pow)) else max(digits)
    return min(together + 40, 20_000)


def operation(node: exp.Expr) -> type[exp.Expr] | str:
    """What a node is listed under: its class, or the name of the function that it calls."""
    return node.name.lower() if isinstance(node, exp.Anonymous) else type(node)


def _own(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    cost = COSTS.get(operation(node))
    if cost is None:
        raise AssertionError(f"nothing is known of the work of {operation(node)}")
    return cost(node, operands, term)


def _sizes(operands: Sequence[Term]) -> int:
    return sum(size_of(one) for one in {one.sql: one for one in operands if not one.constant}.values())


def _largest(operands: Sequence[Term]) -> int:
    return max((size_of(one) for one in operands if not one.constant), default=0)


def _flat(nanoseconds: int) -> _Cost:
    return lambda _, __, ___: nanoseconds


def _through(operands: Sequence[Term], term: Term, per_character: int) -> int:
    """Of going through the texts, or making one."""
    made = size_of(term) if term.kind is Kind.TEXT else 0
    return 500 + per_character * max(_sizes(operands), made) + made


def _text(per_character: int = _PER_CHARACTER) -> _Cost:
    """Functions that go through their texts, and make one."""
    return lambda _, operands, term: _through(operands, term, per_character)


def _beginning(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """left(x, n), which looks at no more than it keeps."""
    counted = operands[1].literal or ""
    return 500 + 8 * (size_of(term) if counted.isdecimal() else _sizes(operands))


def _case(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """lower, upper and initcap: ICU needs four times as long for them as libc."""
    return 1000 + 28 * _sizes(operands)


def _by_constants(per_pair: int) -> _Cost:
    """Functions that compare each character with those of a constant."""

    def cost(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
        pairs = _largest(operands) * sum(size_of(one) for one in operands if one.constant)
        return _through(operands, term, _PER_CHARACTER) + per_pair * pairs

    return cost


def _arithmetic(quadratic: float, base: int = 200) -> _Cost:
    """Arithmetic, of numerics with the square of their digits."""

    def cost(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
        digits = sum(size_of(one) for one in operands if one.kind is Kind.NUMERIC)
        # A cast between numeric and double precision goes through a text.
        cast = 1000 if term.kind is Kind.FLOAT and digits else 0
        return base + cast + digits // 2 + int(quadratic * digits**2)

    return cost


def _product(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Each digit with each digit, of numerics."""
    pairs = math.prod(size_of(one) for one in operands if one.kind in (Kind.NUMERIC, Kind.INTEGER))
    return _arithmetic(0)(node, operands, term) + pairs // 50


def _transcendental(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Logarithms, powers and exponentials: of numerics to as many digits as they have."""
    if term.kind is not Kind.NUMERIC:
        return 1500
    digits = max((size_of(one) for one in operands), default=0) + 20
    return 15_000 + 60 * digits + 26 * digits**2 // 10


def _comparison(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """Comparing values: the first with each other one."""
    if any(one.kind is Kind.OTHER for one in operands):
        return 1000 + 10 * min(size_of(one) for one in operands)
    first, *others = operands
    compared = sum(min(size_of(first), size_of(one)) for one in others)
    rate = 2 if isinstance(node, _EQUALITIES) else 2 * _COMPARED
    return 40 + 30 * len(operands) + compared * rate // 2


_EQUALITIES = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
"""They compare lengths first, and then octets: equal values of one length have been compared with every octet."""


def _membership(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """IN and = ANY: equality compares lengths first; a hash goes through the value once."""
    computed = sum(not one.constant for one in operands)
    return 200 + 100 * computed + 20 * len(operands) + _largest(operands)


def _choice(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """CASE and its kin: each test that is not met costs a step."""
    return 100 + 100 * len(operands) + _largest(operands)


def _seen(operands: Sequence[Term]) -> int:
    """Characters of the longest operand that a function gets to see."""
    return min(_largest(operands), MOST_CONSTANT)


def _cutting(operands: Sequence[Term]) -> int:
    return 8 * MOST_CONSTANT if _largest(operands) > MOST_CONSTANT else 0


def _like(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """A piece between two % is tried at each character; no piece is tried again once a later one is searched for."""
    patterns = [one.literal or "" for one in operands if one.literal is not None]
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
        literals = [one.literal for one in operands if one.literal is not None and not one.type.is_number]
        return literals[0] if start is not None and literals else None
    literal = operands[-1 if not isinstance(node, exp.Anonymous) else 1].literal or ""
    if isinstance(node, exp.SimilarTo):
        return regular_expressions.of_similar_to(literal, None)
    return literal


def _matching(node: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """Whether a regular expression matches: once through the text."""
    return 2000 + regular_expressions.matching(_pattern(node, operands) or "", _seen(operands)) + _cutting(operands)


def _escaped(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """LIKE and SIMILAR TO with an escape character of their own."""
    if isinstance(node.this, exp.SimilarTo):
        return 2000 + regular_expressions.matching(
            regular_expressions.of_similar_to(operands[-1].literal or "", ""), _seen(operands)
        )
    return _like(node.this, operands, term)


def _locating(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Where a regular expression matches: the search may start anew at each character."""
    pattern = _pattern(node, operands)
    if pattern is None:
        return _text()(node, operands, term)
    text = min(_largest(operands), regular_expressions.LOCATED)
    made = size_of(term) if term.kind is Kind.TEXT else text
    by_lines = isinstance(node, exp.Anonymous) and any(flag in (operands[-1].literal or "") for flag in "nmwp")
    return (
        3000
        + regular_expressions.locating(pattern, text, by_lines=by_lines and len(operands) > 2)
        + 400 * text
        + _PER_CHARACTER * made
    )


def _cast(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Casts of texts match a pattern first, which is cut to what a value can have."""
    made = size_of(term) if term.kind is Kind.TEXT else 0
    read = _sizes([one for one in operands if one.kind is Kind.TEXT])
    return 1500 + _PER_CHARACTER * made + 80 * min(read, MOST_READ)


def _document(_: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """A step into a document: a json value is parsed, of a jsonb value only what lies on the way is looked at."""
    read = sum(
        30 * min(size_of(one), MOST_JSON) if one.type.name == "json" else min(size_of(one), 20_000)
        for one in operands[:1]
    )
    return 2000 + read + (_PER_CHARACTER * size_of(term) if term.kind is Kind.TEXT else 0)


def _of_unit(_: exp.Expr, operands: Sequence[Term], __: Term) -> int:
    """Aggregates and window functions: a step for each row, a sort, and a frame that is gone through anew."""
    compared = sum(min(size_of(one), MOST_COMPARED) for one in operands if not one.constant)
    return 10_000 + 10 * compared + 50 * len(operands)


_DATE = _flat(2000)

COSTS: dict[type[exp.Expr] | str, _Cost] = {
    **dict.fromkeys([exp.Literal, exp.ByteString, exp.RawString, exp.Null, exp.Boolean, exp.Interval], _flat(0)),
    **dict.fromkeys([exp.Paren, exp.Dot], _flat(0)),
    exp.Column: _flat(0),
    **dict.fromkeys([exp.And, exp.Or, exp.Not, exp.Is], _flat(20)),
    **dict.fromkeys([exp.Exists], _flat(500)),
    exp.In: _membership,
    **dict.fromkeys(
        [exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Between], _comparison
    ),
    exp.Case: _choice,
    **dict.fromkeys(["coalesce", "nullif"], _choice),
    **dict.fromkeys(["greatest", "least"], _comparison),
    **dict.fromkeys(
        [exp.Add, exp.Sub, exp.Neg, Plus, "abs", "round", "trunc", "ceil", "ceiling", "floor", "sign"], _arithmetic(0)
    ),
    exp.Mul: _product,
    **dict.fromkeys([exp.Div, exp.Mod, "mod", "div"], _arithmetic(0.2)),
    **dict.fromkeys(["gcd", "lcm"], _arithmetic(2.0, 5000)),
    "width_bucket": _arithmetic(0.2, 2000),
    **dict.fromkeys([exp.Sqrt, exp.Cbrt, exp.Pow], _transcendental),
    **dict.fromkeys(["sqrt", "cbrt", "ln", "log", "log10", "exp", "power", "pow"], _transcendental),
    **dict.fromkeys(
        """degrees radians sin cos tan cot asin acos atan sind cosd tand cotd asind acosd atand sinh cosh tanh asinh
        acosh atanh atan2 atan2d""".split(),
        _arithmetic(0, 2000),
    ),
    **dict.fromkeys([exp.DPipe, "concat", "concat_ws", "repeat"], _text(_PER_COPIED)),
    exp.Overlay: _text(),
    **dict.fromkeys("right substr split_part lpad rpad reverse md5".split(), _text()),
    "left": _beginning,
    **dict.fromkeys("length char_length character_length octet_length".split(), _text(6)),
    **dict.fromkeys("lower upper initcap".split(), _case),
    **dict.fromkeys([exp.StartsWith, "starts_with"], _flat(1000)),
    **dict.fromkeys([exp.StrPosition, "strpos"], _by_constants(1)),
    **dict.fromkeys([exp.Trim, "btrim", "ltrim", "rtrim"], _by_constants(5)),
    "replace": _by_constants(1),
    "translate": _by_constants(7),
    "string_to_array": _text(60),
    **dict.fromkeys([exp.Like, exp.ILike], _like),
    exp.Escape: _escaped,
    **dict.fromkeys([exp.RegexpLike, exp.RegexpILike, exp.SimilarTo, "regexp_like"], _matching),
    exp.Substring: _locating,
    **dict.fromkeys("regexp_replace regexp_match regexp_split_to_array regexp_count regexp_substr".split(), _locating),
    exp.Cast: _cast,
    **dict.fromkeys([exp.Extract, exp.AtTimeZone, exp.Overlaps], _DATE),
    **dict.fromkeys(
        """date_trunc date_part date_bin age to_timestamp timezone isfinite justify_days justify_hours
        justify_interval""".split(),
        _DATE,
    ),
    "to_char": _text(40),
    **dict.fromkeys(
        [exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar, exp.Bracket], _document
    ),
    **dict.fromkeys([exp.JSONBContainsTopKey, exp.JSONBContainsAnyTopKeys, exp.JSONBContainsAllTopKeys], _document),
    **dict.fromkeys(
        """json_typeof jsonb_typeof json_array_length jsonb_array_length json_extract_path json_extract_path_text
        jsonb_extract_path jsonb_extract_path_text""".split(),
        _document,
    ),
    **dict.fromkeys([exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps], _by_constants(2)),
    **dict.fromkeys(["array_length", "cardinality"], _flat(500)),
    exp.Window: _of_unit,
    **dict.fromkeys([exp.Filter, "count", "sum", "avg", "min", "max", "bool_and", "bool_or", "every"], _of_unit),
}
"""What one call takes, by the node's class or the function's name."""

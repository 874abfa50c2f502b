"""Reads numbers, dates and booleans from texts and documents.

Postgres raises an error for a text that is no such value, which would tell of one row and print its text (attack 6).
Here such a text counts as NULL: a pattern admits only what surely can be read. The patterns take the forms that
Postgres itself writes; rarer ones that it would read too ('NaN', '1_000', 'Jan 5 2024', '0x1f') are NULL as well.
"""

from __future__ import annotations

from fractions import Fraction

from proxy.sql.terms.stored import MOST_SCALE
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.texts import cut
from proxy.sql.terms.types import BIGINT, BOOLEAN, DOUBLE, INTEGER, JSONB, NUMERIC, SMALLINT, Kind, SqlType
from proxy.sql.terms.work import MOST_READ

_BLANKS = r"[ \t\n\r\f\v]*"
_WHOLE = r"[+-]?[0-9]{1,18}"


def _whole_up_to(limit: int) -> str:
    """The pattern of whole numbers from -limit - 1 to limit, with zeros before them or not."""
    digits = str(limit)
    below = [f"[0-9]{{1,{len(digits) - 1}}}"]
    for place, digit in enumerate(digits):
        rest, first = len(digits) - place - 1, 1 if place == 0 else 0
        if int(digit) > first:
            below.append(f"{digits[:place]}[{first}-{int(digit) - 1}]" + (f"[0-9]{{{rest}}}" if rest else ""))
    return f"[+-]?0{{0,20}}({'|'.join([*below, digits])})|-0{{0,20}}{limit + 1}"


_WHOLE_OF_TYPE = {type_.name: _whole_up_to(2**bits - 1) for type_, bits in ((SMALLINT, 15), (INTEGER, 31))}
"""Patterns of values that fit, so that none has to be compared with the type's limits, which would read it again."""

_DECIMAL = r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,2})?"
_LARGEST_DECIMAL = Fraction(10) ** 200
_TRUTH = "|".join(["t(r(u(e)?)?)?", "f(a(l(s(e)?)?)?)?", "y(e(s)?)?", "n(o)?", "on", "of(f)?", "1", "0"])
# Without a constraint (?!0000), which would be tried anew at each blank.
_YEAR = "([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_LEAP_YEAR = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"


def _days_of_years(zero: str, sign: str) -> str:
    """The pattern of a year, month and day, with these texts before one digit and between the three."""
    day = f"({zero}[1-9]|[12][0-9]"
    long, short = f"({zero}[13578]|1[02]){sign}{day}|3[01])", f"({zero}[469]|11){sign}{day}|30)"
    february = f"{zero}2{sign}({zero}[1-9]|1[0-9]|2[0-8])"
    return f"{_YEAR}{sign}({long}|{short}|{february})|{_LEAP_YEAR}{sign}{zero}2{sign}29"


_DATE = f"({_days_of_years('0?', '-')}|{_days_of_years('0?', '/')}|{_days_of_years('0', '')})"
"""Years of four digits come first under every DateStyle."""
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
_OFFSET = r"(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?"
TIMESTAMP_PATTERN = rf"{_DATE}([ T]{_CLOCK}{_OFFSET})?"
"""Texts that count as a date or timestamp, blanks around them aside."""
_HEXADECIMAL = "([0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}"
_UUID = rf"{_HEXADECIMAL}|\{{{_HEXADECIMAL}\}}"
"""With a hyphen or none after each four digits, as md5() has none, and braces or none."""

_PATTERNS: dict[Kind, str] = {
    Kind.INTEGER: _WHOLE,
    Kind.NUMERIC: _DECIMAL,
    Kind.FLOAT: _DECIMAL,
    Kind.BOOLEAN: "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in _TRUTH),
    Kind.DATE: TIMESTAMP_PATTERN,
    Kind.TIMESTAMP: TIMESTAMP_PATTERN,
    Kind.TIMESTAMPTZ: TIMESTAMP_PATTERN,
    Kind.TIME: _CLOCK,
    Kind.UUID: _UUID,
}
_READ_AS: dict[Kind, SqlType] = {Kind.INTEGER: BIGINT, Kind.NUMERIC: NUMERIC, Kind.FLOAT: DOUBLE}


def is_short(type_: SqlType) -> bool:
    """Is a value of the type written in a few characters, and read by a pattern?"""
    return type_.kind in _PATTERNS


def read(term: Term, type_: SqlType) -> Term | None:
    """A text or document as a value of a type's family: integers as bigint, numbers without limits of their own.

    Args:
        term: a text, json or jsonb.
        type_: the type to read; its own limits are left to the caller.

    Returns:
        The value, or None for a type that cannot be read.
    """
    if term.kind is not Kind.TEXT:
        return _member_value(term, type_)
    pattern = _WHOLE_OF_TYPE.get(type_.name, _PATTERNS.get(type_.kind))
    if pattern is None:
        return None
    text = cut(term, MOST_READ)
    # Of these types only uuid takes no blanks around a value.
    blanks = "" if type_.kind is Kind.UUID else _BLANKS
    anchored = quote_literal(f"^{blanks}({pattern}){blanks}$")
    fits = type_.name in _WHOLE_OF_TYPE
    target = type_ if fits else _READ_AS.get(type_.kind, type_)
    sql = f"(CASE WHEN {text} ~ {anchored} THEN {text} END)::{target.name}"
    if type_.kind is Kind.INTEGER:
        one, most = Fraction(1), type_.magnitude if fits else Fraction(10) ** 18
        return Term(f"({sql})", target, True, step=one, grid=one, magnitude=most)
    magnitude = _LARGEST_DECIMAL if type_.kind is Kind.NUMERIC else None
    return Term(f"({sql})", target, True, magnitude=magnitude)


def _member_value(term: Term, type_: SqlType) -> Term | None:
    """A number or boolean of a jsonb document; NULL where it is something else."""
    if term.type != JSONB:
        return None
    if type_.kind is Kind.BOOLEAN:
        return Term(f"((CASE WHEN jsonb_typeof({term.sql}) = 'boolean' THEN {term.sql} END)::boolean)", BOOLEAN)
    if not type_.is_number:
        return None
    # Neither very large nor very long: 0 with 16383 decimal zeros is a number of few octets, too.
    small = f"(jsonb_path_query_first({term.sql}, 'strict $ ? (@ <= 1e300 && @ >= -1e300)'))::numeric"
    value = f"(CASE WHEN scale({small}) <= {MOST_SCALE} THEN {small} END)"
    return Term(value, NUMERIC, magnitude=Fraction(10) ** 300)

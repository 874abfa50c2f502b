"""to_char: dates, times and numbers as texts in a constant format, with formats that fail for no value and depend on no
server's language."""

from __future__ import annotations

import re

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import Compile, as_float, limited_numeric
from proxy.sql.terms.calling import arguments_of, not_constant
from proxy.sql.terms.datetimes import guarded, require_datetime
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TEXT, Kind

_NUMBER_FORMAT = re.compile(
    r"(?:FM)?(?:(?:MI|S|SG)[ $]?[09,]*[09](?:\.[09]*)?|[ $]?[09,]*[09](?:\.[09]*)?(?:MI|S|PR)?)[ %]?", re.IGNORECASE
)
"""With one sign: most pairs of them do not go together, which Postgres says at the first number that is printed."""


def _to_char(node: exp.Anonymous, compile_: Compile) -> Term:
    value, pattern = arguments_of(node, compile_, 2)
    if pattern.literal is None or len(pattern.literal) > 100:
        raise not_constant(node, "to_char() requires a constant format")
    if value.type.is_number:
        return _printed_number(node, value, pattern)
    value = require_datetime(node, value)
    if "TM" in pattern.literal.upper():
        raise unsupported(
            node,
            "to_char() with TM is not supported over private rows",
            rule="constant-argument",
            detail="Its result depends on the language of the private database, which dpproxy's stage does not share.",
            hint="Omit TM for English names, or group by the number of the month or day.",
        )
    # The longest field of a template is shorter than this for each of its letters.
    size = 20 * len(pattern.literal)
    return Term(f"to_char({guarded(value).sql}, {pattern.sql})", TEXT, True, constant=value.constant, size=size)


def _printed_number(node: exp.Expr, value: Term, pattern: Term) -> Term:
    """to_char of a number, with formats that fail for none and depend on no server's language."""
    if _NUMBER_FORMAT.fullmatch(pattern.literal or "") is None:
        raise unsupported(
            node,
            "this format of to_char() is not supported for numbers over private rows",
            rule="constant-argument",
            detail="Others can fail on a single value, or depend on the language of the private database.",
            hint="Write digits with . and ,: to_char(x, 'FM999,990.00').",
        )
    value = as_float(value) if value.kind is Kind.FLOAT else limited_numeric(value)
    size = 2 * len(pattern.literal or "") + 2
    return Term(f"to_char({value.sql}, {pattern.sql})", TEXT, True, constant=value.constant, size=size)


OPERATIONS = (Operation("to_char", _to_char, costs.of_text(40), tried=None, strict=True, folded=True),)

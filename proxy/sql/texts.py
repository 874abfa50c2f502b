"""Text functions and patterns that cannot fail: they see the first 10 000 characters of a text."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from proxy.sql.arithmetic import Compile
from proxy.sql.interval import Interval
from proxy.sql.refusal import unsupported
from proxy.sql.term import Term
from proxy.sql.types import BOOLEAN, INTEGER, TEXT, Kind

_LONGEST = 10_000
_LONGEST_PATTERN = 200


def _text(node: exp.Expr, term: Term) -> Term:
    if term.kind is Kind.TEXT or term.kind is Kind.UNKNOWN:
        return term
    raise unsupported(node, f"a text is needed here, not {term.type.name}", rule="text-type", hint="Cast it: x::text.")


def _cut(term: Term) -> str:
    """The first characters, under a collation with which no function or operator fails.

    Under a column's own collation LIKE, lower() or a comparison may fail, and would at the first row that gets there.
    """
    if term.constant:
        return term.sql
    return f'(left({term.sql}, {_LONGEST}) COLLATE pg_catalog."default")'


def _constant_integer(node: exp.Expr, term: Term, least: int) -> int:
    literal = term.literal
    if literal is None or not literal.lstrip("-").isdigit() or not least <= int(literal) <= _LONGEST:
        raise unsupported(node, f"a constant whole number of at least {least} is needed here", rule="constant-argument")
    return int(literal)


def _concatenation(node: exp.Expr, compile_: Compile) -> Term:
    left, right = _text(node, compile_(node.this)), _text(node, compile_(node.expression))
    nullable = left.nullable or right.nullable
    constant = left.constant and right.constant
    return Term(f"({_cut(left)} || {_cut(right)})", TEXT, nullable, constant=constant)


def _like(node: exp.Expr, compile_: Compile) -> Term:
    operator = "ILIKE" if isinstance(node, exp.ILike) else "LIKE"
    operator = f"NOT {operator}" if node.args.get("negate") else operator
    value, pattern = _text(node, compile_(node.this)), compile_(node.expression)
    if pattern.literal is None or len(pattern.literal) > _LONGEST_PATTERN:
        raise unsupported(node, f"{operator} needs a constant pattern", rule="constant-pattern")
    if re.fullmatch(r"(?:[^\\]|\\.)*\\", pattern.literal, re.DOTALL):
        raise unsupported(node, f"this {operator} pattern ends with its escape character", rule="constant-pattern")
    return Term(f"({_cut(value)} {operator} {pattern.sql})", BOOLEAN, value.nullable, constant=value.constant)


def _regular_expression(node: exp.Expr, compile_: Compile) -> Term:
    operator = "~*" if isinstance(node, exp.RegexpILike) else "~"
    value, pattern = _text(node, compile_(node.this)), compile_(node.expression)
    if pattern.literal is None or len(pattern.literal) > _LONGEST_PATTERN:
        raise unsupported(node, f"{operator} needs a constant pattern", rule="constant-pattern")
    if re.search(r"\\[1-9]|\(\?|\*\*\*|\{", pattern.literal):
        raise unsupported(
            node,
            "this regular expression is not supported over private rows",
            rule="constant-pattern",
            detail="Back references, look-around and counted repetition can run very long on one person's row.",
            hint="Use LIKE, alternatives (a|b), classes [a-z] and the repetitions *, + and ?.",
        )
    return Term(f"({_cut(value)} {operator} {pattern.sql})", BOOLEAN, value.nullable, constant=value.constant)


def _same_text(node: exp.Anonymous, compile_: Compile) -> Term:
    """lower, upper, initcap, reverse, btrim, ltrim, rtrim of one text."""
    value = _text(node, _single(node, compile_))
    return Term(f"{node.name.lower()}({_cut(value)})", TEXT, value.nullable, constant=value.constant)


def _single(node: exp.Anonymous, compile_: Compile) -> Term:
    if len(node.expressions) != 1:
        raise unsupported(node, f"{node.name.lower()}() with these arguments is not supported", rule="function")
    return compile_(node.expressions[0])


def _length(node: exp.Anonymous, compile_: Compile) -> Term:
    value = _text(node, _single(node, compile_))
    size = Fraction(2**30)
    one = Fraction(1)
    sql = f"{node.name.lower()}({value.sql})"
    return Term(sql, INTEGER, value.nullable, Interval(Fraction(0), Fraction(_LONGEST)), one, one, size)


def _left_or_right(node: exp.Anonymous, compile_: Compile) -> Term:
    if len(node.expressions) != 2:
        raise unsupported(node, f"{node.name.lower()}() with these arguments is not supported", rule="function")
    value = _text(node, compile_(node.expressions[0]))
    count = _constant_integer(node, compile_(node.expressions[1]), 0)
    return Term(f"{node.name.lower()}({value.sql}, {count})", TEXT, value.nullable, constant=value.constant)


def _substring(node: exp.Expr, compile_: Compile) -> Term:
    value = _text(node, compile_(node.this))
    start = _constant_integer(node, compile_(node.args["start"]), 1) if node.args.get("start") else 1
    length = _constant_integer(node, compile_(node.args["length"]), 0) if node.args.get("length") else _LONGEST
    return Term(f"substr({_cut(value)}, {start}, {length})", TEXT, value.nullable, constant=value.constant)


def _substring_call(node: exp.Anonymous, compile_: Compile) -> Term:
    arguments = node.expressions
    if len(arguments) not in (2, 3):
        raise unsupported(node, "substr() with these arguments is not supported", rule="function")
    length = arguments[2] if len(arguments) == 3 else None
    return _substring(exp.Substring(this=arguments[0], start=arguments[1], length=length), compile_)


def _trim(node: exp.Expr, compile_: Compile) -> Term:
    value = _text(node, compile_(node.this))
    side = str(node.args.get("position") or "BOTH").upper()
    function = {"BOTH": "btrim", "LEADING": "ltrim", "TRAILING": "rtrim"}.get(side)
    if function is None or node.args.get("collation"):
        raise unsupported(node, "this form of TRIM is not supported", rule="function")
    characters = ""
    if node.args.get("expression") is not None:
        given = compile_(node.args["expression"])
        if given.literal is None:
            raise unsupported(node, "TRIM needs constant characters", rule="constant-argument")
        characters = f", {given.sql}"
    return Term(f"{function}({_cut(value)}{characters})", TEXT, value.nullable, constant=value.constant)


def _position(node: exp.Expr, compile_: Compile) -> Term:
    value, wanted = _text(node, compile_(node.this)), compile_(node.args["substr"])
    if wanted.literal is None:
        raise unsupported(node, "position() needs a constant text to look for", rule="constant-argument")
    one = Fraction(1)
    bounds = Interval(Fraction(0), Fraction(_LONGEST))
    sql = f"strpos({_cut(value)}, {wanted.sql})"
    return Term(sql, INTEGER, value.nullable, bounds, one, one, Fraction(2**30), constant=value.constant)


HANDLERS: dict[type[exp.Expr], Callable[[exp.Expr, Compile], Term]] = {
    exp.DPipe: _concatenation,
    exp.Like: _like,
    exp.ILike: _like,
    exp.RegexpLike: _regular_expression,
    exp.RegexpILike: _regular_expression,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.StrPosition: _position,
}

CALLS: dict[str, Callable[[exp.Anonymous, Compile], Term]] = {
    "lower": _same_text,
    "upper": _same_text,
    "initcap": _same_text,
    "reverse": _same_text,
    "btrim": _same_text,
    "ltrim": _same_text,
    "rtrim": _same_text,
    "length": _length,
    "char_length": _length,
    "character_length": _length,
    "left": _left_or_right,
    "right": _left_or_right,
    "substr": _substring_call,
}

"""LIKE, SIMILAR TO and regular expressions, with constant patterns that the stage has compiled before.

A pattern from a column could be wrong for a single row, and the error would tell of it (attack 7). Patterns that can
run very long on a text chosen for it (back references, look-around, counted groups) are refused. Values are cut as in
`texts`.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs, regular_expressions
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import (
    LONGEST_PATTERN,
    MOST_CONSTANT,
    arguments_of,
    constant_integer,
    constant_text,
    not_allowed,
)
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.regular_expressions import LOCATED
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.texts import cut, cut_size, padded, require_text, substring
from proxy.sql.terms.types import BOOLEAN, BPCHAR, INTEGER, TEXT, Kind, SqlType
from proxy.sql.terms.work import LONGEST_CHARACTER, size_of

_FLAGS = re.compile(r"[cimnpswx]*g?[cimnpswx]*")
_MOST_REPETITIONS = 50
_MOST_SPLIT = 1000
"""Characters of a text that is split into an array."""
_TEXT_ARRAY = SqlType(Kind.OTHER, "text[]")


def _value(node: exp.Expr, term: Term, most: int = MOST_CONSTANT) -> str:
    """The text that is matched; a character(n) keeps its blanks here."""
    if require_text(node, term).type == BPCHAR and not term.constant:
        return f'({padded(term, most).sql} COLLATE pg_catalog."default")'
    return cut(term, most)


def _seen(value: Term, most: int) -> int | None:
    """The number of characters seen of texts that are longer than that; None if there are no such texts."""
    return most if not value.constant and size_of(value) > most and most < MOST_CONSTANT else None


def _pattern(node: exp.Expr, term: Term, what: str) -> str:
    if term.literal is None or term.kind not in (Kind.TEXT, Kind.UNKNOWN) or len(term.literal) > LONGEST_PATTERN:
        raise unsupported(
            node,
            f"{what} requires a constant pattern",
            rule="constant-pattern",
            detail="How long a pattern takes depends on it, so it must be known before the rows are.",
            hint="Write patterns out, as in x LIKE 'a%' OR x LIKE 'b%'; columns compare by =.",
        )
    return term.literal


def _like(node: exp.Expr, compile_: Compile, escape: str | None = None) -> Term:
    """[NOT] LIKE and ILIKE, also with ANY or ALL of a constant array."""
    operator = "ILIKE" if isinstance(node, exp.ILike) else "LIKE"
    operator = f"NOT {operator}" if node.args.get("negate") else operator
    value = compile_(node.this)
    quantified = isinstance(node.expression, (exp.Any, exp.All))
    elements = constant_elements(node.expression.this.unnest()) if quantified else [node.expression]
    if not elements or (quantified and escape is not None):
        raise not_allowed(node)
    patterns = [_pattern(node, compile_(element), operator) for element in elements]
    escaping = "\\" if escape is None else escape
    if any(_ends_in_escape(pattern, escaping) for pattern in patterns):
        raise unsupported(node, f"this {operator} pattern ends with its escape character", rule="constant-pattern")
    texts = [quote_literal(pattern) for pattern in patterns]
    right = texts[0]
    if quantified:
        right = f"{'ANY' if isinstance(node.expression, exp.Any) else 'ALL'} (ARRAY[{', '.join(texts)}])"
    ending = "" if escape is None else f" ESCAPE {quote_literal(escape)}"
    return Term(f"({_value(node, value)} {operator} {right}{ending})", BOOLEAN, value.nullable, constant=value.constant)


def _ends_in_escape(pattern: str, escape: str) -> bool:
    if not escape:
        return False
    mark = re.escape(escape)
    return re.fullmatch(rf"(?:[^{mark}]|{mark}.)*{mark}", pattern, re.DOTALL) is not None


def _escape(node: exp.Expr, compile_: Compile) -> Term:
    """LIKE and SIMILAR TO with ESCAPE."""
    character = compile_(node.expression).literal
    if character is None or len(character) > 1:
        raise unsupported(node, "ESCAPE requires a single constant character", rule="constant-pattern")
    inner = node.this
    if isinstance(inner, exp.SimilarTo):
        return _similar_to(inner, compile_, character)
    if isinstance(inner, (exp.Like, exp.ILike)):
        if any(value for name, value in inner.args.items() if name not in ("this", "expression", "negate")):
            raise not_allowed(inner)
        return _like(inner, compile_, character)
    raise not_allowed(node)


def _similar_to(node: exp.Expr, compile_: Compile, escape: str | None = None) -> Term:
    value = compile_(node.this)
    pattern = _pattern(node, compile_(node.expression), "SIMILAR TO")
    # Postgres turns it into a regular expression in which the escape character is a backslash.
    escaped = pattern if escape is None else pattern.replace("\\", "").replace(escape or "\0", "\\")
    _check_duration(node, escaped)
    ending = "" if escape is None else f" ESCAPE {quote_literal(escape)}"
    most = regular_expressions.seen(regular_expressions.of_similar_to(pattern, escape))
    sql = f"({_value(node, value, most)} SIMILAR TO {quote_literal(pattern)}{ending})"
    return Term(sql, BOOLEAN, value.nullable, constant=value.constant, seen=_seen(value, most))


_ANY_CASE = "(?i)"
"""Before a pattern it means what ~* does."""


def _regular_expression(node: exp.Expr, compile_: Compile) -> Term:
    operator = "~*" if isinstance(node, exp.RegexpILike) else "~"
    value, written = compile_(node.this), compile_(node.expression)
    if written.literal is not None and written.literal.startswith(_ANY_CASE):
        operator, written = "~*", replace(written, literal=written.literal.removeprefix(_ANY_CASE))
    pattern = checked_pattern(node, written, operator)
    most = regular_expressions.seen(pattern)
    sql = f"({_value(node, value, most)} {operator} {quote_literal(pattern)})"
    return Term(sql, BOOLEAN, value.nullable, constant=value.constant, seen=_seen(value, most))


def checked_pattern(node: exp.Expr, term: Term, what: str) -> str:
    """A constant regular expression that runs in time proportional to the text.

    Raises:
        UnsupportedError: it is no constant, or not of that kind.
    """
    pattern = _pattern(node, term, what)
    _check_duration(node, pattern)
    return pattern


def _check_duration(node: exp.Expr, pattern: str) -> None:
    bare = re.sub(r"\\[^1-9]", "_", pattern, flags=re.DOTALL)
    counted = re.findall(r"(.?)\{([^}]*)\}?", bare, flags=re.DOTALL)
    long_counts = any(before in (")", "") or not _is_short(counts) for before, counts in counted)
    if long_counts or re.search(r"\\[1-9]|\(\?[^:]|\*\*\*", bare):
        raise unsupported(
            node,
            "this regular expression is not supported over private rows",
            rule="constant-pattern",
            detail="Back references, lookaround and counted groups can run very long on a single row; options in a "
            "pattern are not known here, but for (?i).",
            hint="Use LIKE, alternatives (a|b), classes [a-z], the repetitions *, + and ?, and [0-9]{4}.",
        )


def _check_captures(node: exp.Expr, pattern: str) -> None:
    """Refuse a repeated group that is captured: finding its parts can take exponential time."""
    if regular_expressions.shape(pattern).repeats_a_capture:
        raise unsupported(
            node,
            "this regular expression is not supported over private rows",
            rule="constant-pattern",
            detail="It repeats a capturing group, which can run very long on a single row.",
            hint="Use (?:…) for a repeated group, as in '^(?:ab|c)*(d)'.",
        )


def _is_short(counts: str) -> bool:
    """Is this the inside of {n}, {n,} or {n,m} with small numbers?"""
    match = re.fullmatch(r"([0-9]{1,3})(?:,([0-9]{0,3}))?", counts)
    return match is not None and all(int(count or 0) <= _MOST_REPETITIONS for count in match.groups())


def _flags(node: exp.Expr, terms: list[Term]) -> str:
    """The constant flags of a regular expression as a further argument."""
    if not terms:
        return ""
    text = constant_text(node, terms[0], "a regular expression's flags")
    if not _FLAGS.fullmatch(text):
        raise unsupported(node, f"the flags {text!r} are not supported", rule="constant-pattern")
    return f", {quote_literal(text)}"


def _substring(node: exp.Expr, compile_: Compile) -> Term:
    """substring(x FROM 'pattern'), or of constant numbers."""
    start = compile_(node.args["start"]) if node.args.get("start") else None
    if start is None or start.kind not in (Kind.TEXT, Kind.UNKNOWN) or node.args.get("length"):
        return substring(node, compile_)
    value = require_text(node, compile_(node.this))
    pattern = checked_pattern(node, start, "substring()")
    _check_captures(node, pattern)
    size = cut_size(value, LOCATED)
    sql = f"substring({cut(value, LOCATED)}, {quote_literal(pattern)})"
    return Term(sql, TEXT, True, constant=value.constant, size=size, seen=_seen(value, LOCATED))


def _replaced(node: exp.Anonymous, compile_: Compile) -> Term:
    value, pattern, replacement, *flags = arguments_of(node, compile_, 3, 4)
    instead = constant_text(node, replacement, "regexp_replace()")
    checked = checked_pattern(node, pattern, "regexp_replace()")
    _check_captures(node, checked)
    texts = ", ".join([cut(require_text(node, value), LOCATED), quote_literal(checked), quote_literal(instead)])
    # Each match can be replaced by the text several times, and there are as many matches as positions.
    size = cut_size(value, LOCATED)
    marks = instead.count("\\")
    if "g" in (given := _flags(node, flags)):
        size += (size + 1) * (len(instead) + marks)
    else:
        size += len(instead) + marks * size
    return Term(f"regexp_replace({texts}{given})", TEXT, value.nullable, size=size, seen=_seen(value, LOCATED))


def _parts(node: exp.Anonymous, compile_: Compile) -> Term:
    """regexp_match and regexp_split_to_array: an array of texts, to be subscripted."""
    name = node.name.lower()
    value, pattern, *flags = arguments_of(node, compile_, 2, 3)
    checked = checked_pattern(node, pattern, f"{name}()")
    if name == "regexp_match":
        _check_captures(node, checked)
    texts = f"{cut(require_text(node, value), LOCATED)}, {quote_literal(checked)}"
    given = _flags(node, flags)
    if "g" in given:
        raise unsupported(node, f'{name}() does not support the "global" option', rule="constant-pattern")
    # Each part has a header in the array; captured parts overlap.
    size = (cut_size(value, LOCATED) * LONGEST_CHARACTER + 8) * (1 + checked.count("("))
    size += 8 * cut_size(value, LOCATED)
    return Term(f"{name}({texts}{given})", _TEXT_ARRAY, True, size=size, seen=_seen(value, LOCATED))


def _matches(node: exp.Anonymous, compile_: Compile) -> Term:
    """regexp_like."""
    value, pattern, *flags = arguments_of(node, compile_, 2, 3)
    checked = checked_pattern(node, pattern, "regexp_like()")
    texts = f"{cut(require_text(node, value), regular_expressions.seen(checked))}, {quote_literal(checked)}"
    given = _flags(node, flags)
    if "g" in given:
        raise unsupported(node, 'regexp_like() does not support the "global" option', rule="constant-pattern")
    return Term(
        f"regexp_like({texts}{given})", BOOLEAN, value.nullable, seen=_seen(value, regular_expressions.seen(checked))
    )


def _counted(node: exp.Anonymous, compile_: Compile) -> Term:
    """regexp_count(x, pattern) and regexp_instr(x, pattern), both from a constant position on."""
    name = node.name.lower()
    value, pattern, *start = arguments_of(node, compile_, 2, 3)
    texts = [cut(require_text(node, value), LOCATED), quote_literal(checked_pattern(node, pattern, f"{name}()"))]
    texts += [str(constant_integer(node, given, 1)) for given in start]
    one, most = Fraction(1), Fraction(10_001)
    bounds = Bounds(Fraction(0), most)
    sql = f"{name}({', '.join(texts)})"
    return Term(sql, INTEGER, value.nullable, bounds, one, one, most, seen=_seen(value, LOCATED))


def _first_match(node: exp.Anonymous, compile_: Compile) -> Term:
    """regexp_substr(x, pattern)."""
    value, pattern = arguments_of(node, compile_, 2)
    checked = checked_pattern(node, pattern, "regexp_substr()")
    sql = f"regexp_substr({cut(require_text(node, value), LOCATED)}, {quote_literal(checked)})"
    return Term(sql, TEXT, True, size=cut_size(value, LOCATED), seen=_seen(value, LOCATED))


def _split(node: exp.Anonymous, compile_: Compile) -> Term:
    value, delimiter = arguments_of(node, compile_, 2)
    text = quote_literal(constant_text(node, delimiter, "string_to_array()"))
    # Each part has a header in the array, even an empty one.
    size = cut_size(require_text(node, value), _MOST_SPLIT) * (LONGEST_CHARACTER + 8)
    sql = f"string_to_array({cut(value, _MOST_SPLIT)}, {text})"
    return Term(sql, _TEXT_ARRAY, value.nullable, size=size, seen=_seen(value, _MOST_SPLIT))


def _with_no_text(node: exp.Expr) -> exp.Expr | None:
    """The node applied to an empty text instead of its value, for which the pattern has to compile."""
    probe, empty = node.copy(), exp.Literal.string("")
    if isinstance(node, exp.Anonymous):
        probe.set("expressions", [empty, *probe.expressions[1:]])
        return probe if node.expressions else None
    probe.set("this", empty)
    escape = node.parent
    if isinstance(escape, exp.Escape) and escape.this is node:
        return exp.Escape(this=probe, expression=escape.expression.copy())
    return probe


def _part_of_no_text(node: exp.Expr) -> exp.Expr | None:
    """`_with_no_text` of substring(x FROM 'pattern')."""
    return _with_no_text(node) if node.args.get("start") is not None and not node.args.get("length") else None


OPERATIONS = (
    Operation((exp.Like, exp.ILike), _like, costs.like, arguments="negate", tried=None, strict=True),
    Operation(exp.Escape, _escape, costs.escaped, tried=None, strict=True),
    Operation(exp.SimilarTo, _similar_to, costs.matching, tried=_with_no_text, strict=True),
    Operation((exp.RegexpLike, exp.RegexpILike), _regular_expression, costs.matching, tried=_with_no_text, strict=True),
    Operation(exp.Substring, _substring, costs.locating, arguments="start length", tried=_part_of_no_text, strict=True),
    Operation("regexp_replace", _replaced, costs.locating, tried=_with_no_text, strict=True),
    Operation("regexp_match regexp_split_to_array", _parts, costs.locating, tried=_with_no_text, strict=True),
    Operation("regexp_like", _matches, costs.matching, tried=_with_no_text, strict=True),
    Operation("regexp_count regexp_instr", _counted, costs.locating, tried=_with_no_text, strict=True),
    Operation("regexp_substr", _first_match, costs.locating, tried=_with_no_text, strict=True),
    Operation("string_to_array", _split, costs.of_text(60), tried=None),
)

"""Text functions that cannot fail: they see the first 10 000 characters, and their other arguments are constant."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import Compile, limited_numeric
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import MOST_CONSTANT, arguments_of, constant_integer, constant_text
from proxy.sql.terms.operation import Operation, StageFunction
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.types import BOOLEAN, BPCHAR, INTEGER, JSONB, TEXT, Kind, is_document
from proxy.sql.terms.work import LONGEST_CHARACTER, size_of

_MOST_COPIES = 100
_LONGEST_PRINTED = 80
"""Characters of a date, an interval or the like, in any style."""
_LARGEST_PRINTED_DOCUMENT = 300
"""The most octets of a jsonb document with numbers, objects or arrays that is printed here."""


def require_text(node: exp.Expr, term: Term) -> Term:
    if term.kind is Kind.TEXT or term.kind is Kind.UNKNOWN:
        return term
    raise unsupported(node, f"expected text, got {term.type.name}", rule="text-type", hint="Cast it: x::text.")


def cut(term: Term, most: int = MOST_CONSTANT) -> str:
    """The first characters, under a collation with which no function or operator fails.

    Under a column's own collation LIKE, lower() or a comparison may fail, and would at the first row that reaches it.
    """
    if term.constant:
        return term.sql
    if size_of(term) <= most:
        return f'({term.sql}{"::text" if term.type == BPCHAR else ""} COLLATE pg_catalog."default")'
    return f'(left({term.sql}, {most}) COLLATE pg_catalog."default")'


def cut_size(term: Term, most: int = MOST_CONSTANT) -> int:
    """The most characters that `cut` leaves."""
    return size_of(term) if term.constant else min(size_of(term), most)


def text_of(node: exp.Expr, term: Term) -> Term:
    """The text form of a value of any type whose output cannot fail."""
    if term.kind is Kind.OTHER and not is_document(term.type):
        raise unsupported(node, f"expected text, got {term.type.name}", rule="text-type", hint="Cast it: x::text.")
    if term.kind in (Kind.TEXT, Kind.UNKNOWN):
        return term
    if is_document(term.type):
        return document_text(term)
    term = limited_numeric(term)
    size = _LONGEST_PRINTED
    if term.kind in (Kind.INTEGER, Kind.NUMERIC):
        size = size_of(term) + 4 + (len(str(int(term.magnitude))) if term.magnitude is not None else 0)
    bare = replace(term, bounds=None, low=None, high=None, span=None)
    return replace(bare, sql=f"{term.sql}::text", type=TEXT, literal=None, size=size)


def document_text(term: Term) -> Term:
    """A document as it is printed, strings with their quotes: json as it is stored, jsonb if its text is known to be
    short."""
    if term.type != JSONB:
        return Term(f"left({term.sql}::text, {MOST_CONSTANT})", TEXT, True, size=MOST_CONSTANT)
    return Term(f"left({_printable(term)}::text, {MOST_CONSTANT})", TEXT, True, size=MOST_CONSTANT)


def member_text(term: Term) -> Term:
    """A jsonb document as `->>` gives it: a string is itself, and null is NULL."""
    return Term(f"left({_printable(term)} #>> '{{}}', {MOST_CONSTANT})", TEXT, True, size=MOST_CONSTANT)


def _printable(term: Term) -> str:
    """A jsonb document whose text is known to be short, or one string; else NULL.

    Few octets of jsonb can be a long text: 1e131071 takes twelve of them, and so does a 1 with 16383 decimal zeros. So
    numbers count as NULL beyond 1e100, and so does a large document with an object, an array or a number in it.
    """
    return _once(term, f"CASE WHEN jsonb_typeof(d.v) = 'string' THEN d.v WHEN {_IS_SMALL} THEN {_SHORT} END")


def short_document_text(term: Term) -> Term:
    """A jsonb document as text, if that is short enough for a number, a date or the like; NULL otherwise."""
    sql = f"({_once(term, f'CASE WHEN {_IS_SMALL} THEN {_SHORT} END')} #>> '{{}}')"
    return Term(sql, TEXT, True, size=_LARGEST_PRINTED_DOCUMENT)


_IS_SMALL = f"pg_column_size(d.v) <= {_LARGEST_PRINTED_DOCUMENT}"
_SHORT = "jsonb_path_query_first(d.v, 'strict $ ? (!exists($.** ? (@ > 1e100 || @ < -1e100)))')"


def _once(term: Term, made: str) -> str:
    """What is made of a document d.v, which is unpacked and searched once for that."""
    return f"(SELECT {made} FROM (SELECT {term.sql} AS v OFFSET 0) AS d)"


def _concatenation(node: exp.Expr, compile_: Compile) -> Term:
    left, right = compile_(node.this), compile_(node.expression)
    if is_document(left.type) or is_document(right.type):
        raise unsupported(
            node, "|| of documents is not supported", rule="text-type", hint="Write column ->> 'key' for a text."
        )
    left, right = text_of(node, left), text_of(node, right)
    nullable = left.nullable or right.nullable
    constant = left.constant and right.constant
    size = cut_size(left) + cut_size(right)
    return Term(f"({cut(left)} || {cut(right)})", TEXT, nullable, constant=constant, size=size)


def _joined(node: exp.Anonymous, compile_: Compile) -> Term:
    """concat, and concat_ws with a constant separator: NULL is left out, so the result is never NULL."""
    name = node.name.lower()
    terms = arguments_of(node, compile_, 1 if name == "concat" else 2, 100)
    separator, between = [], 0
    if name == "concat_ws":
        between = len(constant_text(node, terms[0], "concat_ws()"))
        separator = [terms.pop(0).sql]
    printed = [_output(node, term) for term in terms]
    size = sum(cut_size(term) + between for term in printed)
    parts = separator + [term.sql for term in printed]
    constant = all(term.constant for term in terms)
    return Term(f"{name}({', '.join(parts)})", TEXT, False, constant=constant, size=size)


def _output(node: exp.Expr, term: Term) -> Term:
    """A value as concat() prints it: booleans as t and f, character(n) with its blanks."""
    if term.kind is Kind.BOOLEAN:
        return term
    if term.type == BPCHAR:
        return padded(term)
    text = text_of(node, term)
    return text if text.constant else text.with_sql(cut(text))


def padded(term: Term, most: int = MOST_CONSTANT) -> Term:
    """A character(n) with its blanks; NULL if it has more octets, since every cut drops the blanks."""
    if term.constant or size_of(term) <= most:
        return term
    sql = f"(CASE WHEN octet_length({term.sql}) <= {most} THEN {term.sql} END)"
    return replace(term, sql=sql, nullable=True, literal=None, size=most)


def _same_text(node: exp.Anonymous, compile_: Compile) -> Term:
    """Functions of one text: lower, upper, initcap, reverse, md5."""
    value = require_text(node, arguments_of(node, compile_, 1)[0])
    # A letter can have up to three letters in the other case: the ligature of ffi is FFI.
    size = 32 if node.name.lower() == "md5" else cut_size(value) * (3 if node.name.lower() != "reverse" else 1)
    return Term(f"{node.name.lower()}({cut(value)})", TEXT, value.nullable, constant=value.constant, size=size)


def _trimmed(node: exp.Anonymous, compile_: Compile) -> Term:
    """btrim, ltrim, rtrim, with constant characters or blanks."""
    value, *characters = arguments_of(node, compile_, 1, 2)
    return _trim_sql(node, node.name.lower(), require_text(node, value), characters)


def _trim_sql(node: exp.Expr, function: str, value: Term, characters: list[Term]) -> Term:
    texts = [cut(value), *(quote_literal(constant_text(node, given, "trim")) for given in characters)]
    size = cut_size(value)
    return Term(f"{function}({', '.join(texts)})", TEXT, value.nullable, constant=value.constant, size=size)


def _trim(node: exp.Expr, compile_: Compile) -> Term:
    side = str(node.args.get("position") or "BOTH").upper()
    function = {"BOTH": "btrim", "LEADING": "ltrim", "TRAILING": "rtrim"}.get(side)
    if function is None or node.args.get("collation"):
        raise unsupported(node, "this form of TRIM is not supported", rule="function")
    given = node.args.get("expression")
    characters = [compile_(given)] if given is not None else []
    return _trim_sql(node, function, require_text(node, compile_(node.this)), characters)


def _length(node: exp.Anonymous, compile_: Compile) -> Term:
    value = require_text(node, arguments_of(node, compile_, 1)[0])
    shown = padded(value).sql if value.type == BPCHAR else cut(value)
    octets = LONGEST_CHARACTER if node.name.lower() == "octet_length" else 1
    return _count(f"{node.name.lower()}({shown})", value, octets)


def _count(sql: str, value: Term, octets: int = 1) -> Term:
    """A number of characters, the position of one, or a number of octets, of which a character has so many."""
    one, most = Fraction(1), Fraction(min(size_of(value) * octets, MOST_CONSTANT))
    bounds = Bounds(Fraction(0), most)
    return Term(sql, INTEGER, value.nullable, bounds, one, one, Fraction(2**30), constant=value.constant)


def _left_or_right(node: exp.Anonymous, compile_: Compile) -> Term:
    value, count = arguments_of(node, compile_, 2)
    number = constant_integer(node, count, -MOST_CONSTANT)
    shown = cut(require_text(node, value))
    if node.name.lower() == "left" and number >= 0 and not value.constant:
        shown = f'({value.sql} COLLATE pg_catalog."default")'
    sql = f"{node.name.lower()}({shown}, {number})"
    size = min(cut_size(value), number) if number >= 0 else cut_size(value)
    return Term(sql, TEXT, value.nullable, constant=value.constant, size=size)


def substring(node: exp.Expr, compile_: Compile) -> Term:
    """substring(x FROM start FOR length) of constant numbers."""
    value = require_text(node, compile_(node.this))
    start = constant_integer(node, compile_(node.args["start"]), -MOST_CONSTANT) if node.args.get("start") else 1
    length, size = "", cut_size(value)
    if node.args.get("length"):
        most = constant_integer(node, compile_(node.args["length"]), 0)
        length, size = f", {most}", min(size, most)
    return Term(f"substr({cut(value)}, {start}{length})", TEXT, value.nullable, constant=value.constant, size=size)


def _substring_call(node: exp.Anonymous, compile_: Compile) -> Term:
    arguments = node.expressions
    if len(arguments) not in (2, 3):
        raise unsupported(node, "substr() with these arguments is not supported", rule="function")
    length = arguments[2] if len(arguments) == 3 else None
    return substring(exp.Substring(this=arguments[0], start=arguments[1], length=length), compile_)


def _overlay(node: exp.Expr, compile_: Compile) -> Term:
    value, patch = require_text(node, compile_(node.this)), compile_(node.expression)
    text = quote_literal(constant_text(node, patch, "overlay()"))
    numbers = [str(constant_integer(node, compile_(node.args["from_"]), 1))]
    if node.args.get("for_") is not None:
        numbers.append(str(constant_integer(node, compile_(node.args["for_"]), 0)))
    size = cut_size(value) + len(text)
    return Term(f"overlay({cut(value)}, {text}, {', '.join(numbers)})", TEXT, value.nullable, size=size)


def _position(node: exp.Expr, compile_: Compile) -> Term:
    return _place(node, compile_(node.this), compile_(node.args["substr"]))


def _strpos(node: exp.Anonymous, compile_: Compile) -> Term:
    value, wanted = arguments_of(node, compile_, 2)
    return _place(node, value, wanted)


def _place(node: exp.Expr, value: Term, wanted: Term) -> Term:
    text = quote_literal(constant_text(node, wanted, "position()"))
    return _count(f"strpos({cut(require_text(node, value))}, {text})", value)


def _starts_with_call(node: exp.Anonymous, compile_: Compile) -> Term:
    value, start = arguments_of(node, compile_, 2)
    return _starts_with_sql(node, value, start)


def _starts_with(node: exp.Expr, compile_: Compile) -> Term:
    return _starts_with_sql(node, compile_(node.this), compile_(node.expression))


def _starts_with_sql(node: exp.Expr, value: Term, start: Term) -> Term:
    text = quote_literal(constant_text(node, start, "starts_with()"))
    sql = f"starts_with({cut(require_text(node, value))}, {text})"
    return Term(sql, BOOLEAN, value.nullable, constant=value.constant)


def _replaced(node: exp.Anonymous, compile_: Compile) -> Term:
    """replace and translate with constant texts."""
    name = node.name.lower()
    value, *others = arguments_of(node, compile_, 3)
    found, instead = (constant_text(node, other, f"{name}()") for other in others)
    # Each character is replaced by one, or each occurrence of a text by another.
    growth = 1 if name == "translate" else max(1, -(-len(instead) // max(len(found), 1)))
    texts = f"{quote_literal(found)}, {quote_literal(instead)}"
    size = cut_size(require_text(node, value)) * growth
    return Term(f"{name}({cut(value)}, {texts})", TEXT, value.nullable, size=size)


def _split_part(node: exp.Anonymous, compile_: Compile) -> Term:
    value, delimiter, part = arguments_of(node, compile_, 3)
    text = quote_literal(constant_text(node, delimiter, "split_part()"))
    number = constant_integer(node, part, 1)
    size = cut_size(require_text(node, value))
    return Term(f"split_part({cut(value)}, {text}, {number})", TEXT, value.nullable, size=size)


def _padded(node: exp.Anonymous, compile_: Compile) -> Term:
    value, size, *fill = arguments_of(node, compile_, 2, 3)
    length = constant_integer(node, size, 0)
    texts = [cut(require_text(node, value)), str(length)]
    texts += [quote_literal(constant_text(node, given, f"{node.name.lower()}()")) for given in fill]
    return Term(f"{node.name.lower()}({', '.join(texts)})", TEXT, value.nullable, size=length)


def _repeated(node: exp.Anonymous, compile_: Compile) -> Term:
    value, count = arguments_of(node, compile_, 2)
    copies = constant_integer(node, count, 0, _MOST_COPIES)
    size = cut_size(require_text(node, value)) * copies
    return Term(f"repeat({cut(value)}, {copies})", TEXT, value.nullable, size=size)


OPERATIONS = (
    Operation(exp.DPipe, _concatenation, costs.copied, arguments="safe", tried=None, strict=True, folded=True),
    Operation(exp.Overlay, _overlay, costs.of_text(), arguments="from_ for_", tried=None, strict=True),
    Operation(exp.StartsWith, _starts_with, costs.flat(1000), tried=None, strict=True),
    Operation(exp.StrPosition, _position, costs.by_constants(1), arguments="substr", tried=None, strict=True),
    Operation(exp.Trim, _trim, costs.by_constants(5), arguments="position", tried=None, strict=True),
    Operation("lower upper initcap", _same_text, costs.case, tried=None, strict=True, folded=True),
    Operation("reverse md5", _same_text, costs.of_text(), tried=None, strict=True, folded=True),
    Operation("btrim ltrim rtrim", _trimmed, costs.by_constants(5), tried=None, strict=True, folded=True),
    Operation(
        "length char_length character_length octet_length",
        _length,
        costs.of_text(6),
        tried=None,
        strict=True,
        folded=True,
    ),
    Operation("concat concat_ws", _joined, costs.copied, tried=None, folded=True),
    Operation("left", _left_or_right, costs.beginning, tried=None, strict=True, folded=True),
    Operation("right", _left_or_right, costs.of_text(), tried=None, strict=True, folded=True),
    Operation("substr", _substring_call, costs.of_text(), tried=None, strict=True, folded=True),
    Operation("strpos", _strpos, costs.by_constants(1), tried=None, strict=True, folded=True),
    Operation("starts_with", _starts_with_call, costs.flat(1000), tried=None, strict=True, folded=True),
    Operation("replace", _replaced, costs.by_constants(1), tried=None, strict=True, folded=True),
    Operation("translate", _replaced, costs.by_constants(7), tried=None, strict=True, folded=True),
    Operation("split_part", _split_part, costs.of_text(), tried=None, strict=True, folded=True),
    Operation("lpad rpad", _padded, costs.of_text(), tried=None, strict=True, folded=True),
    Operation("repeat", _repeated, costs.copied, tried=None, strict=True, folded=True),
    StageFunction("substring chr ascii"),
)

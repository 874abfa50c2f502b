"""json and jsonb: members by constant keys and paths, types and containment.

`->` and its kin give NULL where a document has no such member, so they cannot fail for jsonb. A json value is parsed
anew by every operator, by a parser that recurses for every level: escapes that no text can hold would be an error, and
so would nesting for which a query leaves less of the server's stack than the INSERT did. Such documents count as NULL.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import find
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import MOST_CONSTANT, arguments_of, constant_integer, constant_text, not_allowed
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.texts import member_text
from proxy.sql.terms.types import BOOLEAN, INTEGER, JSONB, TEXT, Kind, is_document
from proxy.sql.terms.work import MOST_JSON, size_of

_WRONG_ESCAPES = r"\\u(0000|d[89a-f])"
"""The character 0 and halves of surrogate pairs."""
_ESCAPE = quote_literal("\\u")
_STACK_PER_OCTET = 200
"""Octets of the server's stack for each octet of a document: a level has two brackets and takes 144 octets of stack in
PostgreSQL 15; the rest is for the query."""
_MOST_OCTETS = f"LEAST({MOST_JSON}, pg_size_bytes(current_setting('max_stack_depth')) / {_STACK_PER_OCTET})"


def _readable(node: exp.Expr, term: Term) -> Term:
    """The document in a form whose members can be read without an error."""
    if not is_document(term.type):
        raise not_allowed(node)
    if term.type == JSONB or size_of(term) <= MOST_JSON:
        # A part of a readable document is readable.
        return term
    text = f"{term.sql}::text"
    sql = (
        f"(CASE WHEN octet_length({text}) <= {_MOST_OCTETS} AND {text} !~* {quote_literal(_WRONG_ESCAPES)} "
        f"AND (getdatabaseencoding() = 'UTF8' OR strpos({text}, {_ESCAPE}) = 0) THEN {term.sql} END)"
    )
    return Term(sql, term.type, size=MOST_JSON)


def _member(node: exp.Expr, compile_: Compile) -> Term:
    """document -> key and document ->> key, with a constant name or index."""
    value, key = _readable(node, compile_(node.this)), compile_(node.expression)
    if key.kind is Kind.INTEGER:
        text = str(constant_integer(node, key, -MOST_CONSTANT))
        text = f"({text})"
    else:
        text = quote_literal(constant_text(node, key, "->")) + "::text"
    as_text = isinstance(node, exp.JSONExtractScalar)
    return _found(value, f"({value.sql} -> {text})", f"({value.sql} ->> {text})", as_text=as_text)


def subscripted(node: exp.Expr, document: Term, key: Term) -> Term:
    """document['key'] and document[1]: a step of a path, which finds the key 1 of an object and nothing in a text."""
    index = key.kind is Kind.INTEGER
    step = str(constant_integer(node, key, -MOST_CONSTANT)) if index else constant_text(node, key, "a subscript")
    return _along(_readable(node, document), [step], as_text=False)


def _found(value: Term, found: str, text: str, *, as_text: bool) -> Term:
    """A value found in a document, as a document or as a text."""
    if not as_text:
        return Term(found, value.type, True, size=size_of(value))
    if value.type == JSONB:
        return member_text(Term(found, value.type, True, size=size_of(value)))
    return Term(text, TEXT, True, size=size_of(value))


def _at_path(node: exp.Expr, compile_: Compile) -> Term:
    """document #> '{a,b}' and document #>> '{a,b}'."""
    elements = constant_elements(node.expression.unnest())
    if elements is None:
        raise not_allowed(node)
    keys = [compile_(element) for element in elements]
    return _path(node, compile_(node.this), keys, as_text=isinstance(node, exp.JSONBExtractScalar))


def _path_call(node: exp.Anonymous, compile_: Compile) -> Term:
    """json_extract_path(x, 'a', 'b') and the like."""
    document, *keys = arguments_of(node, compile_, 2, 20)
    return _path(node, document, keys, as_text=node.name.lower().endswith("_text"))


def _path(node: exp.Expr, document: Term, keys: list[Term], *, as_text: bool) -> Term:
    return _along(_readable(node, document), [constant_text(node, key, "a path") for key in keys], as_text=as_text)


def _along(value: Term, keys: Sequence[str], *, as_text: bool) -> Term:
    path = f"ARRAY[{', '.join(map(quote_literal, keys))}]::text[]"
    return _found(value, f"({value.sql} #> {path})", f"({value.sql} #>> {path})", as_text=as_text)


def _typeof(node: exp.Anonymous, compile_: Compile) -> Term:
    value = _readable(node, arguments_of(node, compile_, 1)[0])
    return Term(f"{node.name.lower()}({value.sql})", TEXT, True, size=10)


def _array_length(node: exp.Anonymous, compile_: Compile) -> Term:
    """json_array_length and jsonb_array_length: NULL where the document is no array."""
    prefix = node.name.lower().removesuffix("_array_length")
    value = _readable(node, arguments_of(node, compile_, 1)[0])
    sql = f"(CASE WHEN {prefix}_typeof({value.sql}) = 'array' THEN {prefix}_array_length({value.sql}) END)"
    one, bounds = Fraction(1), Bounds(Fraction(0), Fraction(10_000))
    return Term(sql, INTEGER, True, bounds, one, one, Fraction(2**28))


def contains(node: exp.Expr, document: Term, other: Term, operator: str) -> Term:
    """document @> constant and document <@ constant."""
    if document.type != JSONB or other.literal is None or operator not in ("@>", "<@"):
        raise not_allowed(node)
    text = quote_literal(other.literal)
    return Term(f"({document.sql} {operator} {text}::jsonb)", BOOLEAN, document.nullable)


def containing(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Nanoseconds of @> and <@ with a constant. A document finds each member of a constant object by its key; each
    element of an array is compared with all of an array in the document."""
    held = node.expression if isinstance(node, exp.ArrayContainsAll) else node.this
    searched = [operand for operand in operands if not operand.constant]
    literals = [operand.literal for operand in operands if operand.constant and operand.literal is not None]
    of_document = any(operand.type == JSONB for operand in searched) and find(held, exp.Column) is None
    found = _search_of(literals[0]) if of_document and literals else None
    return (
        costs.by_constants(2)(node, operands, term) if found is None else costs.document(node, searched, term) + found
    )


_FOUND = 2000
"""Nanoseconds of finding a member by its key and comparing it with a constant."""
_SCANNED = 880_000
"""Nanoseconds of comparing a constant with all elements of an array in a document: 125 000 of them, if lz4 packs it."""


def _search_of(text: str) -> int | None:
    """Nanoseconds of looking for what a constant holds; None of what is no document, or has objects or arrays in an
    array."""
    try:
        pending = [json.loads(text)]
    except (ValueError, RecursionError):
        return None  # Postgres says what is wrong with it
    work = 0
    for found in pending:
        if isinstance(found, list) and any(isinstance(element, (dict, list)) for element in found):
            return None
        if isinstance(found, list):
            work += _SCANNED * len(found)
        if isinstance(found, dict):
            work += _FOUND * len(found)
            pending += found.values()
    return work


MOST_ELEMENTS = 2000
"""Elements of an array among which keys are looked for: in a longer one, there are NULL."""
_SCANNED_FEW = 40_000
"""Nanoseconds of looking for a key among so many."""


def _has_key(node: exp.Expr, compile_: Compile) -> Term:
    """document ? key, which is a member's name, or one of the texts in an array."""
    value, key = compile_(node.this), compile_(node.expression)
    if value.type != JSONB:
        raise not_allowed(node)
    return _of_few(value, f"? {quote_literal(constant_text(node, key, '?'))}")


def _has_keys(node: exp.Expr, compile_: Compile) -> Term:
    """?| and ?& with constant keys."""
    value, elements = compile_(node.this), constant_elements(node.expression.unnest())
    if value.type != JSONB or elements is None:
        raise not_allowed(node)
    keys = ", ".join(quote_literal(constant_text(node, compile_(element), "?|")) for element in elements)
    operator = "?|" if isinstance(node, exp.JSONBContainsAnyTopKeys) else "?&"
    return _of_few(value, f"{operator} ARRAY[{keys}]::text[]")


def _of_few(value: Term, asked: str) -> Term:
    """What is asked of a document, unless it is an array with many elements, which are all looked at."""
    sql = f"(CASE WHEN ({value.sql} -> {MOST_ELEMENTS}) IS NULL THEN {value.sql} {asked} END)"
    return Term(sql, BOOLEAN, True)


def _asking(node: exp.Expr, operands: Sequence[Term], term: Term) -> int:
    """Nanoseconds of ?, ?| and ?&, for each key."""
    keys = constant_elements(node.expression.unnest()) or [node.expression]
    return costs.document(node, operands, term) + _SCANNED_FEW * len(keys)


OPERATIONS = (
    Operation(
        (exp.JSONExtract, exp.JSONExtractScalar),
        _member,
        costs.document,
        arguments="only_json_types",
        tried=None,
        strict=True,
    ),
    Operation((exp.JSONBExtract, exp.JSONBExtractScalar), _at_path, costs.document, tried=None, strict=True),
    Operation(exp.JSONBContainsTopKey, _has_key, _asking, tried=None, strict=True),
    Operation((exp.JSONBContainsAnyTopKeys, exp.JSONBContainsAllTopKeys), _has_keys, _asking, tried=None, strict=True),
    Operation("json_typeof jsonb_typeof", _typeof, costs.document, tried=None, strict=True),
    Operation("json_array_length jsonb_array_length", _array_length, costs.document, tried=None, strict=True),
    Operation(
        "json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text",
        _path_call,
        costs.document,
        tried=None,
        strict=True,
    ),
)

"""The allow-list of scalar expressions and the dispatch over it (DESIGN section 4, ATTACKS 4-7).

The walk refuses by default: a node class without a handler, or with an argument that its handler does not know, is
refused with its position. What is printed here is the only SQL text that ever reaches the source.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from proxy.sql import arithmetic, calls, casts, datetimes, texts
from proxy.sql.arrays import constant_elements
from proxy.sql.dialect import render
from proxy.sql.interval import Interval
from proxy.sql.refusal import subquery_refusal, unsupported
from proxy.sql.term import Scope, Term, quote_literal
from proxy.sql.types import BIGINT, BOOLEAN, INTEGER, NUMERIC, UNKNOWN, Kind

_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
}


def compile_term(node: exp.Expr, scope: Scope) -> Term:
    """Compile a scalar expression.

    Args:
        node: an expression of the client's checked tree.
        scope: what its columns mean.

    Raises:
        UnsupportedError: a node, argument or type that is not on the allow-list.
        RefusedError: a column that clients cannot see.
    """

    def compile_(child: exp.Expr) -> Term:
        return compile_term(child, scope)

    known_whole = scope.whole(node)
    if known_whole is not None:
        return known_whole
    if isinstance(node, exp.Column):
        return scope.column(node)
    if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
        return _subquery_predicate(node, scope)
    known = _OTHER_ARGUMENTS.get(type(node), frozenset()) | {"this", "expression"}
    if any(value for name, value in node.args.items() if name not in known):
        raise not_allowed(node)
    for registry in (_HANDLERS, texts.HANDLERS, datetimes.HANDLERS, casts.HANDLERS):
        handler = registry.get(type(node))
        if handler is not None:
            return handler(node, compile_)
    if isinstance(node, exp.Anonymous):
        return calls.compile_call(node, compile_)
    raise not_allowed(node)


def not_allowed(node: exp.Expr) -> Exception:
    """The refusal of a construct that is not on the allow-list."""
    if isinstance(node, (exp.Subquery, exp.Exists, exp.Query)):
        return subquery_refusal(node)
    return unsupported(
        node,
        f"{render(node)[:80]} is not supported over private rows",
        rule="not-allowed",
        detail="Only expressions that never fail and never reveal a single row run on the private database.",
        hint="Arithmetic, comparisons, CASE, COALESCE, LIKE, date_trunc, extract and the like are supported.",
    )


def _literal(node: exp.Expr, _: arithmetic.Compile) -> Term:
    text = node.name
    if node.args.get("is_string"):
        return Term(_string(node, text), UNKNOWN, False, literal=text, constant=True)
    try:
        value = Fraction(text)
    except ValueError:
        raise not_allowed(node) from None
    if len(text) > 200 or abs(value) > Fraction(10) ** 200:
        raise unsupported(node, "this number is too large", rule="literal")
    bounds = Interval.point(value)
    if text.isdigit():
        type_ = INTEGER if value < 2**31 else BIGINT if value < 2**63 else NUMERIC
        step = Fraction(1)
    else:
        places = max(0, len(text.partition(".")[2])) if "e" not in text.lower() else 0
        type_ = NUMERIC
        step = Fraction(1, 10**places) if "e" not in text.lower() else abs(value) or Fraction(1)
    return Term(text, type_, False, bounds, step, step, abs(value), literal=text, constant=True)


def _string(node: exp.Expr, text: str) -> str:
    try:
        return quote_literal(text)
    except ValueError as error:
        raise unsupported(node, str(error), rule="literal") from None


def _string_literal(node: exp.Expr, _: arithmetic.Compile) -> Term:
    """E'…' and $$…$$, whose text the parser has already decoded."""
    return Term(_string(node, node.name), UNKNOWN, False, literal=node.name, constant=True)


def _null(_: exp.Expr, __: arithmetic.Compile) -> Term:
    return Term("NULL", UNKNOWN, True, constant=True)


def _boolean(node: exp.Expr, _: arithmetic.Compile) -> Term:
    text = "true" if node.this else "false"
    return Term(text, BOOLEAN, False, literal=text, constant=True)


def _paren(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    return compile_(node.this)


def _negate(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    return arithmetic.negate(arithmetic.require_number(node, compile_(node.this)))


def _arithmetic(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    left, right = compile_(node.this), compile_(node.expression)
    if left.type.is_datetime or right.type.is_datetime or Kind.INTERVAL in (left.kind, right.kind):
        return datetimes.arithmetic_on_dates(node, left, right)
    return arithmetic.binary(node, left, right)


def condition(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    """A boolean operand."""
    term = compile_(node)
    if term.kind is Kind.BOOLEAN or (term.kind is Kind.UNKNOWN and term.literal is None):
        return term
    raise unsupported(node, f"a condition must be boolean, not {term.type.name}", rule="condition-type")


def _connective(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    word = "AND" if isinstance(node, exp.And) else "OR"
    left, right = condition(node.this, compile_), condition(node.expression, compile_)
    return Term(
        f"({left.sql} {word} {right.sql})",
        BOOLEAN,
        left.nullable or right.nullable,
        constant=left.constant and right.constant,
    )


def _not(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    operand = condition(node.this, compile_)
    return Term(f"(NOT {operand.sql})", BOOLEAN, operand.nullable, constant=operand.constant)


def comparable(node: exp.Expr, left: Term, right: Term) -> tuple[Term, Term]:
    """The two operands of a comparison whose implicit casts cannot fail.

    Raises:
        UnsupportedError: types without such a comparison.
    """
    kinds = {left.kind, right.kind}
    if Kind.OTHER in kinds:
        if left.type == right.type or Kind.UNKNOWN in kinds:
            return left, right
    elif kinds == {Kind.TEXT} and not left.constant and not right.constant:
        # Two collations in one comparison fail at the first row that meets it; equality is the same under every one.
        return left.with_sql(f'({left.sql} COLLATE pg_catalog."default")'), right
    elif Kind.UNKNOWN in kinds or len(kinds) == 1 or (left.type.is_datetime and right.type.is_datetime):
        return left, right
    elif left.type.is_number and right.type.is_number:
        if Kind.FLOAT in kinds and len(kinds) == 2:
            # The comparison would cast the other one to double precision, which fails for numerics beyond 1e308.
            if right.kind is Kind.FLOAT:
                return arithmetic.as_float(left), right
            return left, arithmetic.as_float(right)
        return left, right
    raise unsupported(
        node, f"{left.type.name} and {right.type.name} cannot be compared", rule="comparison", hint="Cast one of them."
    )


def _comparison(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    if isinstance(node.expression, exp.Any):
        return _any(node, compile_)
    left, right = comparable(node, compile_(node.this), compile_(node.expression))
    nullable = left.nullable or right.nullable
    if isinstance(node, (exp.NullSafeEQ, exp.NullSafeNEQ)):
        nullable = False
    sql = f"({left.sql} {_COMPARISONS[type(node)]} {right.sql})"
    return Term(sql, BOOLEAN, nullable, constant=left.constant and right.constant)


def _comparable_with_first(node: exp.Expr, terms: list[Term]) -> list[Term]:
    """The terms of one expression that compares the first with each other; one float makes all the numbers floats."""
    if any(term.kind is Kind.FLOAT for term in terms):
        exact = (Kind.INTEGER, Kind.NUMERIC)
        terms = [arithmetic.as_float(term) if term.kind in exact else term for term in terms]
    for term in terms[1:]:
        comparable(node, terms[0], term)
    return terms


def _between(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    operands = [compile_(node.this), compile_(node.args["low"]), compile_(node.args["high"])]
    value, low, high = _comparable_with_first(node, operands)
    symmetric = "SYMMETRIC " if node.args.get("symmetric") else ""
    sql = f"({value.sql} BETWEEN {symmetric}{low.sql} AND {high.sql})"
    return Term(sql, BOOLEAN, True, constant=value.constant and low.constant and high.constant)


def _in(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    if any(value for name, value in node.args.items() if name not in ("this", "expressions")):
        raise not_allowed(node.args.get("query") or node)
    value, *members = _comparable_with_first(node, [compile_(child) for child in (node.this, *node.expressions)])
    sql = f"({value.sql} IN ({', '.join(member.sql for member in members)}))"
    return Term(sql, BOOLEAN, True, constant=value.constant and all(member.constant for member in members))


def _subquery_predicate(node: exp.Expr, scope: Scope) -> Term:
    """EXISTS (SELECT …) and x IN (SELECT …)."""
    if isinstance(node, exp.Exists):
        return Term(f"EXISTS (SELECT {scope.subquery(node.this, None).body})", BOOLEAN, False)
    known = {"this", "query"}
    if any(value for name, value in node.args.items() if name not in known):
        raise not_allowed(node)
    value = compile_term(node.this, scope)
    subquery = scope.subquery(node.args["query"], node.this)
    if subquery.output is None:
        raise not_allowed(node)
    left, right = comparable(node, value, subquery.output)
    return Term(f"({left.sql} IN (SELECT {right.sql} {subquery.body}))", BOOLEAN, True)


def _any(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    """`x = ANY (ARRAY[…])` with constants, which drivers write for IN."""
    elements = constant_elements(node.expression.this.unnest()) if isinstance(node, exp.EQ) else None
    if elements is None:
        raise not_allowed(node)
    if not elements:
        compile_(node.this)
        return Term("false", BOOLEAN, False, literal="false", constant=True)
    return _in(exp.In(this=node.this, expressions=elements), compile_)


def _is(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    target = node.expression
    negated = bool(node.args.get("negate"))
    if isinstance(target, exp.Not):
        negated, target = not negated, target.this
    operand = compile_(node.this)
    if isinstance(target, exp.Null):
        word = "NULL"
    elif isinstance(target, exp.Boolean) and operand.kind is Kind.BOOLEAN:
        word = "TRUE" if target.this else "FALSE"
    else:
        raise not_allowed(node)
    return Term(f"({operand.sql} IS {'NOT ' if negated else ''}{word})", BOOLEAN, False, constant=operand.constant)


def _case(node: exp.Expr, compile_: arithmetic.Compile) -> Term:
    subject = compile_(node.this) if node.args.get("this") is not None else None
    conditions, results = [], []
    for branch in node.args["ifs"]:
        if subject is None:
            conditions.append(condition(branch.this, compile_).sql)
        else:
            left, right = comparable(branch, subject, compile_(branch.this))
            conditions.append(f"{left.sql} = {right.sql}")
        results.append(compile_(branch.args["true"]))
    default = node.args.get("default")
    results.append(compile_(default) if default is not None else Term("NULL", UNKNOWN, True, constant=True))
    results, type_ = arithmetic.unify(node, results)
    arms = "".join(f" WHEN {test} THEN {result.sql}" for test, result in zip(conditions, results[:-1], strict=True))
    return calls.choice(f"(CASE{arms} ELSE {results[-1].sql} END)", type_, results, constant=False)


_OTHER_ARGUMENTS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Literal: frozenset({"is_string"}),
    exp.Anonymous: frozenset({"expressions"}),
    exp.Div: frozenset({"typed", "safe"}),
    exp.DPipe: frozenset({"safe"}),
    exp.Between: frozenset({"low", "high", "symmetric"}),
    exp.In: frozenset({"expressions"}),
    exp.Is: frozenset({"negate"}),
    exp.Like: frozenset({"negate"}),
    exp.ILike: frozenset({"negate"}),
    exp.Case: frozenset({"ifs", "default"}),
    exp.Cast: frozenset({"to"}),
    exp.Interval: frozenset({"unit"}),
    exp.Substring: frozenset({"start", "length"}),
    exp.Trim: frozenset({"position"}),
    exp.StrPosition: frozenset({"substr"}),
}

_HANDLERS: dict[type[exp.Expr], Callable[[exp.Expr, arithmetic.Compile], Term]] = {
    exp.Literal: _literal,
    exp.ByteString: _string_literal,
    exp.RawString: _string_literal,
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Paren: _paren,
    exp.Neg: _negate,
    exp.Add: _arithmetic,
    exp.Sub: _arithmetic,
    exp.Mul: _arithmetic,
    exp.Div: _arithmetic,
    exp.Mod: _arithmetic,
    exp.And: _connective,
    exp.Or: _connective,
    exp.Not: _not,
    exp.Between: _between,
    exp.In: _in,
    exp.Is: _is,
    exp.Case: _case,
    **dict.fromkeys(_COMPARISONS, _comparison),
}

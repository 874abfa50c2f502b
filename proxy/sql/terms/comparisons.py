"""Comparisons, conditions and their connectives, whose implicit casts cannot fail.

Two numbers are compared as in Postgres, except that a number beside a float becomes a float within the guard of
`arithmetic.as_float`. Rows are compared member by member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import arithmetic, costs
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.calling import not_allowed
from proxy.sql.terms.clock_words import check_no_clock
from proxy.sql.terms.collations import all_by_code_point, by_code_point
from proxy.sql.terms.comparable_types import is_collated, is_comparable, not_comparable
from proxy.sql.terms.mixed_dates import of_one_kind
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term, number_sql, quote_literal
from proxy.sql.terms.types import BOOLEAN, TEXT, Kind, SqlType, element_type, hint_of
from proxy.sql.terms.work import accounted

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
}

_BY_ORDER = frozenset(["<", "<=", ">", ">="])
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOST_WRITTEN = 10**18
_PLAIN = re.compile(r"[1-9][0-9]{0,17}")
"""Constants below it with at most 18 decimal places are written by their value."""


def condition(node: exp.Expr, compile_: Compile) -> Term:
    """A boolean operand."""
    term = compile_(node)
    if term.kind is Kind.BOOLEAN or (term.kind is Kind.UNKNOWN and term.literal is None):
        return term
    raise unsupported(node, f"expected a boolean condition, got {term.type.name}", rule="condition-type")


def _connective(node: exp.Expr, compile_: Compile) -> Term:
    """AND or OR of all its operands, each once and in the order of their SQL: another order is the same question."""
    word = "AND" if isinstance(node, exp.And) else "OR"
    operands = [condition(operand, compile_) for operand in _operands(node)]
    texts = sorted({operand.sql for operand in operands})
    nullable, constant = any(term.nullable for term in operands), all(term.constant for term in operands)
    sql = texts[0] if len(texts) == 1 else f"({f' {word} '.join(texts)})"
    return Term(sql, BOOLEAN, nullable, constant=constant)


def _operands(node: exp.Expr) -> list[exp.Expr]:
    """The operands of a chain of AND, or of OR; x BETWEEN a AND b is two of AND."""
    found: list[exp.Expr] = []
    waiting = [node]
    while waiting:
        part = waiting.pop().unnest()
        if type(part) is type(node):
            waiting += [part.expression, part.this]
        else:
            found += (_halves(part) if isinstance(node, exp.And) else None) or [part]
    return found


def _halves(node: exp.Expr) -> list[exp.Expr] | None:
    """x >= a and x <= b of a plain column x BETWEEN a AND b; a computed x would be computed twice."""
    if not isinstance(node, exp.Between) or node.args.get("symmetric") or not isinstance(node.this, exp.Column):
        return None
    low, high = node.args["low"], node.args["high"]
    return [
        exp.GTE(this=node.this.copy(), expression=low.copy()),
        exp.LTE(this=node.this.copy(), expression=high.copy()),
    ]


def _not(node: exp.Expr, compile_: Compile) -> Term:
    denied = node.this.unnest()
    if isinstance(denied, exp.In) and len(denied.expressions) == 1 and members_of_row(denied.this) is None:
        # x NOT IN (a) is x <> a.
        return _membership(denied, denied.this, list(denied.expressions), compile_, negated=True)
    operand = condition(node.this, compile_)
    return Term(f"(NOT {operand.sql})", BOOLEAN, operand.nullable, constant=operand.constant)


def comparable(node: exp.Expr, left: Term, right: Term) -> tuple[Term, Term]:
    """The two operands of a comparison whose implicit casts cannot fail.

    Raises:
        UnsupportedError: types without such a comparison.
    """
    kinds = {left.kind, right.kind}
    for term in (left, right):
        if not is_comparable(term.type):
            raise not_comparable(node, term.type)
    check_no_clock(node, (left, right))
    for label, value in ((left, right), (right, left)):
        if label.constant and label.type.foreign and not value.constant and value.type.foreign != label.type.foreign:
            raise unsupported(
                node,
                f"cannot compare {value.type.foreign or value.type.name} with {label.type.foreign}",
                rule="comparison",
                hint="Write the constant without the cast.",
            )
    if Kind.OTHER in kinds:
        if left.type == right.type or Kind.UNKNOWN in kinds:
            return _plain(left) if is_collated(left.type) else left, right
    elif kinds == {Kind.TEXT} and not left.constant and not right.constant:
        # Two collations in one comparison fail at the first row that reaches it; equality is the same under both.
        return left if left.is_plain and right.is_plain else _plain(left), right
    elif Kind.UNKNOWN in kinds or len(kinds) == 1 or (left.type.is_datetime and right.type.is_datetime):
        return left, right
    elif left.type.is_number and right.type.is_number:
        if Kind.FLOAT in kinds and len(kinds) == 2:
            # The comparison would cast the other operand to double precision, which fails for numerics beyond 1e308.
            if right.kind is Kind.FLOAT:
                return arithmetic.as_float(left), right
            return left, arithmetic.as_float(right)
        return left, right
    raise unsupported(
        node,
        f"cannot compare {left.type.name} with {right.type.name}",
        rule="comparison",
        hint=hint_of([left.type, right.type], "Cast one of them."),
    )


def _plain(term: Term) -> Term:
    return term.with_sql(f'({term.sql} COLLATE pg_catalog."default")')


def equality(node: exp.Expr, left: Term, right: Term) -> Term:
    """That two comparable terms are equal."""
    term = Term(f"{left.sql} = {right.sql}", BOOLEAN, left.nullable or right.nullable)
    return accounted(exp.EQ(this=node.copy(), expression=node.copy()), term, [left, right], costs.comparison)


def comparable_with_first(node: exp.Expr, terms: list[Term]) -> list[Term]:
    """The terms of an expression that compares the first with all others; one float makes all numbers floats."""
    if any(term.kind is Kind.FLOAT for term in terms):
        exact = (Kind.INTEGER, Kind.NUMERIC)
        terms = [arithmetic.as_float(term) if term.kind in exact else term for term in terms]
    first = terms[0]
    for term in _of_each_kind(terms[1:]):
        first, _ = comparable(node, first, term)
    return [first, *terms[1:]]


def _of_each_kind(terms: Sequence[Term]) -> Iterator[Term]:
    """The terms, but of constant numbers of one type only the first: a list may have thousands."""
    seen: list[SqlType] = []
    for term in terms:
        if term.constant and term.type.is_number:
            if term.type in seen:
                continue
            seen.append(term.type)
        yield term


def members_of_row(node: exp.Expr) -> list[exp.Expr] | None:
    """The members of (a, b) or ROW(a, b); None for a single value."""
    node = node.this if isinstance(node, exp.Paren) and isinstance(node.this, exp.Tuple) else node
    is_row = isinstance(node, exp.Tuple) or (isinstance(node, exp.Anonymous) and node.name.lower() == "row")
    return list(node.expressions) if is_row else None


def _comparison(node: exp.Expr, compile_: Compile) -> Term:
    row = members_of_row(node.this)
    if row is not None:
        return _row_comparison(node, row, [node.expression], _OPERATORS[type(node)], compile_)
    among = quantified(node.expression)
    if among is not None:
        return _quantified_comparison(node, *among, compile_)
    terms = plainly_written([compile_(node.this), compile_(node.expression)])
    left, operator, right = _turned(terms[0], _OPERATORS[type(node)], terms[1])
    left, right = comparable(node, left, right)
    nullable = left.nullable or right.nullable
    if isinstance(node, exp.NullSafeEQ) and _is_equality(node, left, right):
        operator = "="
    elif isinstance(node, (exp.NullSafeEQ, exp.NullSafeNEQ)):
        nullable = False
    if operator in _BY_ORDER:
        left, right = all_by_code_point(node, [left, right])
    sql = f"({left.sql} {operator} {right.sql})"
    return Term(sql, BOOLEAN, nullable, constant=left.constant and right.constant)


def _is_equality(node: exp.NullSafeEQ, left: Term, right: Term) -> bool:
    """Is IS NOT DISTINCT FROM true of the rows of which = is? Only by = can the source join them with a hash."""
    if not (left.nullable or right.nullable):
        return True
    child: exp.Expr = node
    while isinstance(child.parent, (exp.And, exp.Paren)):
        child = child.parent
    parent = child.parent
    required = isinstance(parent, exp.Where) or (isinstance(parent, exp.Join) and child.arg_key == "on")
    return required and not (left.nullable and right.nullable)


def _turned(left: Term, operator: str, right: Term) -> tuple[Term, str, Term]:
    """The comparison in one of its two directions: with a constant on the right, or with < and <=, or in the order of
    the operands' SQL. Postgres has each operator's commutator."""
    if left.constant != right.constant:
        turned = left.constant
    else:
        turned = operator in (">", ">=") if operator in _BY_ORDER else right.sql < left.sql
    return (right, _MIRRORED.get(operator, operator), left) if turned else (left, operator, right)


def plainly_written(terms: list[Term]) -> list[Term]:
    """Operands that are compared with each other, with their constants as they are written most plainly: numbers by
    their value, since 100.0 and '100'::integer equal the same numbers as 100, and a text beside texts without its type,
    which it has anyway."""
    computed = [term for term in terms if not term.constant]
    if computed and all(term.type.is_number for term in terms):
        return [_by_value(term) if term.constant and term.literal is not None else term for term in terms]
    if computed and all(term.type == TEXT for term in computed):
        return [_untyped(term) if term.constant and term.literal is not None else term for term in terms]
    return terms


def _untyped(term: Term) -> Term:
    return replace(term, sql=quote_literal(term.literal or "")) if term.type == TEXT else term


def _by_value(term: Term) -> Term:
    if term.sql == term.literal and _PLAIN.fullmatch(term.sql):
        return term
    point = term.bounds
    if point is None or point.width or point.magnitude >= _MOST_WRITTEN or (point.low * _MOST_WRITTEN).denominator > 1:
        return term
    return replace(term, sql=number_sql(point.low))


def _row_comparison(
    node: exp.Expr, left: list[exp.Expr], others: list[exp.Expr], operator: str, compile_: Compile
) -> Term:
    """(a, b) = (c, d), (a, b) IN ((c, d), …): a comparison of plain values for each position."""
    rows = [left, *(members_of_row(other) for other in others)]
    lengths = {len(row) if row is not None else 0 for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise not_allowed(node)
    columns = [
        comparable_with_first(node, [compile_(member) for member in column])
        for column in zip(*(row for row in rows if row is not None), strict=True)
    ]
    if operator in _BY_ORDER:
        columns = [all_by_code_point(node, column) for column in columns]
    texts = [f"ROW({', '.join(column[index].sql for column in columns)})" for index in range(len(rows))]
    right = f"({', '.join(texts[1:])})" if operator == "IN" else texts[1]
    return Term(f"({texts[0]} {operator} {right})", BOOLEAN, True)


def _between(node: exp.Expr, compile_: Compile) -> Term:
    halves = _halves(node)
    if halves is not None:
        return _connective(exp.And(this=halves[0], expression=halves[1]), compile_)
    operands = plainly_written([compile_(node.this), compile_(node.args["low"]), compile_(node.args["high"])])
    value, low, high = all_by_code_point(node, comparable_with_first(node, operands))
    symmetric = "SYMMETRIC " if node.args.get("symmetric") else ""
    sql = f"({value.sql} BETWEEN {symmetric}{low.sql} AND {high.sql})"
    nullable = any(term.nullable for term in (value, low, high))
    return Term(sql, BOOLEAN, nullable, constant=value.constant and low.constant and high.constant)


def _in(node: exp.In, compile_: Compile) -> Term:
    row = members_of_row(node.this)
    if row is not None:
        return _row_comparison(node, row, list(node.expressions), "IN", compile_)
    return _membership(node, node.this, _beside_a_real(node, compile_), compile_, negated=False)


def _beside_a_real(node: exp.In, compile_: Compile) -> list[exp.Expr]:
    """The members of a list. Postgres brings two constants or more to the type of a real before it compares; a single
    one, and all if one of them is a double, are compared as doubles."""
    members = list(node.expressions)
    if compile_(node.this).type.name != "real":
        return members
    terms = [compile_(member) for member in members]
    types = [term.type.name for term in terms if term.constant]
    if len(types) < 2 or "double precision" in types:
        return members
    real = exp.DataType.build("real", dialect="postgres")
    return [
        exp.Cast(this=member.copy(), to=real.copy()) if term.constant else member
        for member, term in zip(members, terms, strict=True)
    ]


def _membership(node: exp.Expr, value: exp.Expr, members: list[exp.Expr], compile_: Compile, *, negated: bool) -> Term:
    terms = plainly_written([compile_(child) for child in (value, *members)])
    first, *others = of_one_kind(comparable_with_first(node, terms))
    constant = first.constant and all(member.constant for member in others)
    nullable = any(term.nullable for term in (first, *others))
    texts = sorted({member.sql for member in others})
    if len(texts) == 1:
        left, operator, right = _turned(first, "<>" if negated else "=", others[0])
        return Term(f"({left.sql} {operator} {right.sql})", BOOLEAN, nullable, constant=constant)
    sql = f"({first.sql} IN ({', '.join(texts)}))"
    return Term(f"(NOT {sql})" if negated else sql, BOOLEAN, nullable, constant=constant)


def quantified(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """ANY or ALL, and its array; None for other operands. SOME means ANY."""
    if isinstance(node, (exp.Any, exp.All)):
        return ("ANY" if isinstance(node, exp.Any) else "ALL"), node.this.unnest()
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("ALL", "SOME") and len(node.expressions) == 1:
        return ("ALL" if node.name.upper() == "ALL" else "ANY"), node.expressions[0].unnest()
    return None


def _quantified_comparison(node: exp.Expr, quantifier: str, array: exp.Expr, compile_: Compile) -> Term:
    """`x = ANY (ARRAY[…])` with constants, which drivers write for IN, and `5 = ANY (column)`."""
    operator = _OPERATORS[type(node)]
    if isinstance(array, exp.Query) or isinstance(node, (exp.NullSafeEQ, exp.NullSafeNEQ)):
        raise not_allowed(array if isinstance(array, exp.Query) else node)
    elements = constant_elements(array)
    if elements is None:
        return _array_column_comparison(node, operator, quantifier, array, compile_)
    if not elements:
        compile_(node.this)
        text = "false" if quantifier == "ANY" else "true"
        return Term(text, BOOLEAN, False, literal=text, constant=True)
    given = _beside_texts(node, array, elements, compile_)
    if (operator, quantifier) in (("=", "ANY"), ("<>", "ALL")):
        return _membership(node, given, elements, compile_, negated=quantifier == "ALL")
    terms = comparable_with_first(node, [compile_(child) for child in (given, *elements)])
    first, *others = of_one_kind(terms)
    if first.kind in (Kind.OTHER, Kind.UNKNOWN) or not all(member.constant for member in others):
        raise not_allowed(node)
    element = "numeric" if first.type.is_number else first.type.name
    element = "double precision" if first.kind is Kind.FLOAT else element
    if operator in _BY_ORDER:
        first = by_code_point(node, first)
    value = f"{first.sql}::numeric" if element == "numeric" else first.sql
    members = ", ".join(f"{member.sql}::{element}" for member in others)
    return Term(f"({value} {operator} {quantifier} (ARRAY[{members}]))", BOOLEAN, True)


def _beside_texts(node: exp.Expr, array: exp.Expr, elements: Sequence[exp.Expr], compile_: Compile) -> exp.Expr:
    """The operand that is compared with texts as the type of the array's elements has it, which for ARRAY['a', 'b'] is
    text: a character(n) loses its blanks beside text; beside other types none of either count."""
    given: exp.Expr = node.this
    if compile_(elements[0]).kind not in (Kind.TEXT, Kind.UNKNOWN):
        return given
    terms = [compile_(element) for element in elements]
    value, typed = compile_(given), {term.type.name for term in terms if term.kind is Kind.TEXT}
    if value.kind is Kind.TEXT and value.type.name != "bpchar" and "bpchar" in typed and "text" not in typed:
        raise not_allowed(node)
    is_text = "text" in typed if typed else isinstance(array, exp.Array)
    if value.type.name != "bpchar" or not is_text:
        return given
    return exp.Cast(this=given.copy(), to=exp.DataType.build("text", dialect="postgres"))


def _array_column_comparison(
    node: exp.Expr, operator: str, quantifier: str, array: exp.Expr, compile_: Compile
) -> Term:
    values = compile_(array)
    element = element_type(values.type)
    if element is None:
        raise not_allowed(node)
    member = Term(values.sql, element)
    value, compared = comparable(node, compile_(node.this), member)
    if compared.sql != member.sql:
        # The elements would need a cast, which nothing guards.
        raise not_allowed(node)
    if operator in _BY_ORDER:
        value, values = by_code_point(node, value), by_code_point(node, values)
    return Term(f"({value.sql} {operator} {quantifier} ({values.sql}))", BOOLEAN, True)


def _is(node: exp.Expr, compile_: Compile) -> Term:
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


OPERATIONS = (
    Operation((exp.And, exp.Or), _connective, costs.flat(20), tried=None),
    Operation(exp.Not, _not, costs.flat(20), tried=None, strict=True),
    Operation(exp.Is, _is, costs.flat(20), arguments="negate", tried=None),
    Operation(exp.Between, _between, costs.comparison, arguments="low high symmetric", tried=None),
    Operation(exp.In, _in, costs.membership, arguments="expressions", tried=None),
    Operation((exp.NullSafeEQ, exp.NullSafeNEQ), _comparison, costs.comparison, tried=None),
    Operation(
        (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), _comparison, costs.comparison, tried=None, strict=True
    ),
)

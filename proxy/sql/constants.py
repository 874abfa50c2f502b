"""Constant expressions are computed by the stage before anything is planned, and enter the plan as literals.

So `now() - interval '30 days'` or `1 / 0` means what Postgres says it means, errors are Postgres's own and cost
nothing, and the block's text is the same for the same value.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.feedback import FEEDBACK
from proxy.sql.trees import nested_queries, own_nodes

_CLOCKS = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime, exp.Localtime, exp.Localtimestamp)

FUNCTIONS = frozenset(
    """now transaction_timestamp statement_timestamp make_date make_timestamp make_timestamptz make_interval to_date
    to_timestamp to_number date_trunc age lower upper initcap btrim ltrim rtrim replace substr left right length concat
    abs round trunc ceil ceiling floor mod sign power sqrt exp ln log pi greatest least coalesce nullif
    justify_days justify_hours timezone""".split()
)
"""Functions that the stage computes where all their arguments are constant. None of them returns a set."""

_OPERATORS = (
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.Pow,
    exp.DPipe,
    exp.Extract,
    exp.AtTimeZone,
    exp.Cast,
    exp.Neg,
    exp.Case,
)


def foldable(select: exp.Select) -> list[exp.Expr]:
    """The largest constant expressions of a block that are more than a literal, in a fixed order."""
    found: list[exp.Expr] = []
    for one in row_level_selects(select):
        for clause in _clauses(one):
            _collect(clause, found)
    return found


def row_level_selects(select: exp.Select) -> list[exp.Select]:
    """A block's SELECT and those of its subqueries that are part of the measurement."""
    found, pending = [select], [*_row_clauses(select)]
    while pending:
        for child in nested_queries(pending.pop()):
            if FEEDBACK in child.meta or (child.parent is not None and FEEDBACK in child.parent.meta):
                continue
            if isinstance(child, exp.Select):
                found.append(child)
            pending.append(child)
    return found


def _row_clauses(select: exp.Select) -> list[exp.Expr]:
    clauses = [*(select.args.get("joins") or []), select.args.get("from_"), select.args.get("where")]
    return [clause for clause in (*clauses, *select.expressions) if clause is not None]


def _clauses(select: exp.Select) -> list[exp.Expr]:
    clauses = [*select.expressions, *(select.args.get("joins") or [])]
    for name in ("where", "group", "having", "order"):
        clause = select.args.get(name)
        if clause is not None:
            clauses.append(clause)
    return clauses


def _collect(node: exp.Expr, found: list[exp.Expr]) -> None:
    if isinstance(node, exp.Query) or _is_literal(node):
        return
    if isinstance(node, (exp.Anonymous, *_OPERATORS, *_CLOCKS)) and _is_constant(node):
        found.append(node)
        return
    for child in node.iter_expressions():
        _collect(child, found)


def _is_literal(node: exp.Expr) -> bool:
    """A literal, typed or negated, that planning reads as it stands."""
    if isinstance(node, (exp.Neg, exp.Paren)):
        return isinstance(node.this, exp.Literal) or _is_literal(node.this)
    if isinstance(node, exp.Cast):
        # Only Postgres knows what numeric(4, 1) or varchar(3) makes of a text.
        return isinstance(node.this, (exp.Literal, exp.Null)) and not node.args["to"].expressions
    if isinstance(node, exp.Interval):
        return isinstance(node.this, (exp.Literal, exp.Null))
    return isinstance(node, (exp.Literal, exp.Null, exp.Boolean, exp.ByteString, exp.RawString))


def _is_constant(node: exp.Expr) -> bool:
    if _is_literal(node) or isinstance(node, (exp.DataType, exp.Var)):
        return True
    if isinstance(node, exp.Anonymous):
        known = node.name.lower() in FUNCTIONS
    else:
        known = isinstance(node, (*_OPERATORS, *_CLOCKS, exp.Paren, exp.If))
    return known and all(_is_constant(child) for child in node.iter_expressions())


def probe_sql(nodes: Sequence[exp.Expr]) -> str:
    """A query for the stage whose single row has each constant's text and type, in turn."""
    columns = [f"({render(node)})::text, pg_catalog.pg_typeof({render(node)})::text" for node in nodes]
    return f"SELECT {', '.join(columns)}"


def pattern_probe_sql(selects: Sequence[exp.Select]) -> str | None:
    """A query with which the stage compiles each regular expression of the blocks; None if there is none.

    On the source a wrong one would fail at the first row that meets it, and so tell that there is one (ATTACKS 7).
    """
    patterns = [
        node.expression
        for block in selects
        for select in row_level_selects(block)
        for clause in _clauses(select)
        for node in own_nodes(clause)
        if isinstance(node, (exp.RegexpLike, exp.RegexpILike)) and _is_constant(node.expression)
    ]
    return "SELECT " + ", ".join(f"'' ~ ({render(pattern)})" for pattern in patterns) if patterns else None


def substitute(nodes: Sequence[exp.Expr], values: Sequence[str | None]) -> None:
    """Replace each constant by its value, given as `probe_sql`'s row gives them."""
    for index, node in enumerate(nodes):
        text, type_name = values[2 * index], values[2 * index + 1]
        node.replace(literal(text, type_name or "text"))


def literal(text: str | None, type_name: str) -> exp.Expr:
    """A typed literal as a tree: NULL and texts of any type that `pg_typeof` or `format_type` names."""
    if type_name == "unknown":
        return exp.Null() if text is None else exp.Literal.string(text)
    value: exp.Expr = exp.Null() if text is None else exp.Literal.string(text)
    return exp.Cast(this=value, to=exp.DataType.build(type_name, dialect="postgres"))

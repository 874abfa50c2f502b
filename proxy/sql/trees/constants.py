"""Constant expressions are computed by the stage before anything is planned, and enter the plan as literals.

So `now() - interval '30 days'` or `1 / 0` means what Postgres says it means, errors are Postgres's own and cost
nothing, and the block's text is the same for the same value.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.policy.enum_types import name_parts
from proxy.sql.nodes import find, find_all, walk
from proxy.sql.plain_postgres import render
from proxy.sql.refusal import unsupported
from proxy.sql.terms import clocks
from proxy.sql.terms.clock_words import reads_clock
from proxy.sql.terms.intervals import interval_parts, plain_interval
from proxy.sql.terms.operations import is_folded, may_be_tried, trial_of
from proxy.sql.terms.types import Kind
from proxy.sql.trees.enum_labels import names_enum, text_of_enum
from proxy.sql.trees.marks import FEEDBACK
from proxy.sql.trees.walking import nested_queries, own_nodes, replace_all

_LONGEST_TEXT = 100_000
_AROUND = (exp.Paren, exp.If, exp.Kwarg)
"""Nodes around constants that are no operation by themselves."""
_BPCHAR, _BIT = 1042, 1560
"""Oids of the types of character(n) and bit(n)."""


def foldable(select: exp.Select) -> list[exp.Expr]:
    """The largest constant expressions of a block that are more than a literal, in a fixed order."""
    found: list[exp.Expr] = []
    for level in row_level_selects(select):
        for clause in _clauses(level):
            _collect(clause, _computed(clause), found)
    return found


def foldable_everywhere(query: exp.Query) -> list[exp.Expr]:
    """As `foldable`, of a whole query but for outputs by themselves, which are named after how they are written."""
    found: list[exp.Expr] = []
    for select in find_all(query, exp.Select):
        for clause in select.iter_expressions():
            _collect(clause, _computed(clause), found)
    return [node for node in found if not isinstance(node.parent, exp.Select)]


def write_out_ages(select: exp.Select) -> None:
    """Write out what age(x) counts from in a block, in place: the source's clock has no part in a source query."""
    for level in row_level_selects(select):
        for clause in _clauses(level):
            for node in filter(_is_age, own_nodes(clause)):
                node.set("expressions", [exp.CurrentDate(), *node.expressions])


def _is_age(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "age" and len(node.expressions) == 1


def row_level_selects(select: exp.Select) -> list[exp.Select]:
    """A block's SELECT and those of its subqueries that are part of the source query."""
    found, pending = [select], [*_row_clauses(select)]
    while pending:
        for child in nested_queries(pending.pop()):
            if FEEDBACK.on(child) or (child.parent is not None and FEEDBACK.on(child.parent)):
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


def _collect(node: exp.Expr, computed: set[int], found: list[exp.Expr]) -> None:
    """The largest of the `computed` nodes, in order, outside nested queries."""
    if not computed or isinstance(node, exp.Query) or _is_literal(node):
        return
    if id(node) in computed:
        found.append(node)
        return
    for child in node.iter_expressions():
        _collect(child, computed, found)


def _computed(tree: exp.Expr) -> set[int]:
    """The ids of the nodes that the stage computes of constants, found from the leaves up, so that each node is looked
    at once."""
    constants, computed = set[int](), set[int]()
    for node in reversed(walk(tree)):
        if node.__class__ is exp.Identifier:
            continue
        if _is_literal(node) or isinstance(node, (exp.DataType, exp.Var)):
            constants.add(id(node))
            continue
        folded = is_folded(node)
        if (folded or isinstance(node, _AROUND)) and all(id(child) in constants for child in node.iter_expressions()):
            constants.add(id(node))
            if folded:
                computed.add(id(node))
    return computed


def _is_literal(node: exp.Expr) -> bool:
    """A literal, typed or negated, that planning reads as it stands."""
    if isinstance(node, (exp.Neg, exp.Paren)):
        return isinstance(node.this, exp.Literal) or _is_literal(node.this)
    if _is_typed_interval(node):
        # Only Postgres knows what P1DT2H or 1-2 is.
        return not isinstance(node.this, exp.Literal) or interval_parts(node.this.name) is not None
    if isinstance(node, exp.Cast):
        # Only Postgres knows what numeric(4, 1) or varchar(3) makes of a text.
        # So it does of 'today', each time anew, and of moments in other words than ISO's, as '1984-01-01 UTC'.
        bare = isinstance(node.this, (exp.Literal, exp.Null)) and not node.args["to"].expressions
        return bare and not reads_clock(node.this.name) and not _is_moment_in_other_words(node)
    return isinstance(node, (exp.Literal, exp.Null, exp.Boolean, exp.ByteString, exp.RawString))


_MOMENTS = {exp.DType.DATE: Kind.DATE, exp.DType.TIMESTAMP: Kind.TIMESTAMP, exp.DType.TIMESTAMPTZ: Kind.TIMESTAMPTZ}


def _is_moment_in_other_words(node: exp.Cast) -> bool:
    kind = _MOMENTS.get(node.args["to"].this)
    return isinstance(node.this, exp.Literal) and kind is not None and clocks.constant(node.this.name, kind) is None


def _is_typed_interval(node: exp.Expr) -> bool:
    """A constant by itself that is of type interval."""
    of_type = isinstance(node, exp.Interval) or (
        isinstance(node, exp.Cast) and node.args["to"].this is exp.DType.INTERVAL
    )
    return of_type and isinstance(node.this, (exp.Literal, exp.Null))


def probes(nodes: Sequence[exp.Expr]) -> list[str]:
    """For each constant two columns of a query for the stage: its text and its type."""
    return [
        f"left({_text_sql(node)}, {_LONGEST_TEXT + 1}), {_type_sql(render(node), of_enums=names_enum(node))}"
        for node in nodes
    ]


_INTERVAL_TEXT = """CASE WHEN pg_catalog.pg_typeof({0})::oid = 1186 THEN (
    SELECT pg_catalog.concat(
        extract(year FROM i) * 12 + extract(month FROM i), ' months ', extract(day FROM i), ' days ',
        extract(hour FROM i) * 3600 + extract(minute FROM i) * 60 + extract(second FROM i), ' seconds')
    FROM (SELECT ({0})::text::interval) AS constant(i) WHERE i IS NOT NULL
) ELSE ({0})::text END"""
"""The text of a constant; that of an interval would be different under each IntervalStyle."""


def _text_sql(node: exp.Expr) -> str:
    sql = render(node)
    may_be_interval = any(
        isinstance(part, (exp.Interval, exp.Sub, exp.Anonymous))
        or (isinstance(part, exp.DataType) and part.this is exp.DType.INTERVAL)
        for part in walk(node)
    )
    return _INTERVAL_TEXT.format(sql) if may_be_interval else f"({sql})::text"


_ENUM = """(SELECT pg_catalog.format('%I.%I%s', n.nspname, e.typname, CASE WHEN e.oid <> t.oid THEN '[]' END)
    FROM pg_catalog.pg_type t
    JOIN pg_catalog.pg_type e ON e.oid = CASE t.typcategory WHEN 'A' THEN t.typelem ELSE t.oid END
    JOIN pg_catalog.pg_namespace n ON n.oid = e.typnamespace WHERE t.oid = {0}::oid AND n.nspname <> 'pg_catalog')"""
"""The name of a type with its schema, which format_type leaves out where the session finds it without; NULL for
types of Postgres's own."""


def _type_sql(sql: str, *, of_enums: bool) -> str:
    """The name under which a cast makes this very value of its text: with the length that character(n) and bit(n) have,
    since `character` and `bit` alone mean a length of 1. concat() shows the blanks of character(n).

    Args:
        sql: the constant.
        of_enums: can it be of an enum?
    """
    type_, length = f"pg_catalog.pg_typeof({sql})", f"nullif(pg_catalog.length(pg_catalog.concat({sql})), 0)"
    modifier = f"CASE {type_}::oid WHEN {_BPCHAR} THEN {length} + 4 WHEN {_BIT} THEN {length} END"
    name = f"pg_catalog.format_type({type_}, coalesce({modifier}, -1))"
    return f"coalesce({_ENUM.format(type_)}, {name})" if of_enums else name


def pattern_probes(block: exp.Select) -> list[exp.Expr]:
    """An expression of constants for each pattern and time zone of a block, wrong where that is wrong.

    On the source a wrong one would fail at the first row that meets it, and so tell that there is one.
    """
    if not may_be_tried(block):
        return []
    return [
        probe
        for select in row_level_selects(block)
        for clause in _clauses(select)
        for node in own_nodes(clause)
        if (probe := trial_of(node)) is not None and find(probe, exp.Column, exp.Query) is None
    ]


def trying(patterns: Sequence[exp.Expr]) -> str | None:
    """A query with which the stage tries `pattern_probes`; None if there are none."""
    return "SELECT " + ", ".join(map(render, patterns)) if patterns else None


def substitute(nodes: Sequence[exp.Expr], values: Sequence[str | None]) -> None:
    """Replace each constant by its value, given as a row of `probes` gives them."""
    literals: list[tuple[exp.Expr, exp.Expr]] = []
    for index, node in enumerate(nodes):
        text, type_name = values[2 * index], values[2 * index + 1]
        if text is not None and len(text) > _LONGEST_TEXT:
            raise unsupported(
                node,
                "this constant is too long",
                rule="literal",
                detail=f"A constant in a private query may have at most {_LONGEST_TEXT} characters.",
            )
        literals.append((node, literal(text, type_name or "text")))
    replace_all(literals)


def literal(text: str | None, type_name: str) -> exp.Expr:
    """A typed literal as a tree: NULL and texts of any type that `format_type` names for a modifier, be it -1."""
    shown = plain_interval(text) if text is not None and type_name == "interval" else text
    value: exp.Expr = exp.Null() if shown is None else exp.Literal.string(shown)
    return value if type_name == "unknown" else exp.Cast(this=value, to=_data_type(type_name))


def _data_type(name: str) -> exp.Expr:
    """A type by the name that `format_type` gives it; as it stands where the parser knows no such type, as "char", or
    takes it for another, as bit varying for bit."""
    parts = name_parts(name.removesuffix("[]"))
    if len(parts) == 2:  # The stage has no other types with a schema.
        return text_of_enum(".".join(parts), is_array=name.endswith("[]"))
    if not name.startswith("bit varying"):
        try:
            return exp.DataType.build(name, dialect="postgres")
        except SqlglotError:
            pass
    return exp.DataType(this=exp.DType.USERDEFINED, kind=name)

"""Released results among private rows: evaluated by the stage first, then literal relations in the source query.

Adaptive composition: the inner question is answered and paid for, and the outer one is chosen with its noisy answer in
hand (decision 3). To the source query it is public data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy.enum_types import name_parts
from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.refusal import position_of, unsupported
from proxy.sql.rows.constant_rows import UNCOUNTED, Numbers, promised_keys, promised_numbers, promised_rows
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.members import Derived, DerivedColumn
from proxy.sql.schema import Schema
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BPCHAR, TEXT, Kind, SqlType, type_named
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.marks import FEEDBACK
from proxy.sql.trees.public_keys import body_of_cte, public_keys
from proxy.sql.trees.walking import is_star, items_of, output_name, own_nodes, unaliased

Query = exp.Query
"""For modules that know nothing of sqlglot."""

MOST_ROWS = 20_000
"""Most rows of one evaluated query; beyond it the block is refused (a public fact)."""

MOST_CHARACTERS = 1000
"""Most characters of one row, shared evenly among its columns."""

MOST_DIGITS = 100
"""Most characters of a number: with more it would take long to compute with."""

_KINDS_OF_ONE_TEXT = (Kind.INTEGER, Kind.TEXT, Kind.DATE, Kind.TIMESTAMP, Kind.BOOLEAN, Kind.UUID)
"""Of these no two equal values have different texts, as 1.0 and 1.00 have, or 0 and -0."""


@dataclass(frozen=True)
class StageColumn:
    """A column as the stage describes it: its name and its type with modifiers, as format_type prints it."""

    name: str
    type_name: str


@dataclass(frozen=True)
class Feedback:
    """An evaluated query as the block's compiler sees it.

    Attributes:
        query: its tree.
        columns: as the stage describes them.
        counted: how many rows it has, if the stage has counted them.
    """

    query: exp.Query
    columns: tuple[StageColumn, ...]
    counted: int | None = None


def feedback_of(item: exp.Expr, feedback: Sequence[Feedback]) -> tuple[Feedback, int] | None:
    """The feedback that a FROM item or a subquery is marked as."""
    number = FEEDBACK.of(item)
    return (feedback[number], number) if number is not None else None


_MARKER = "dpproxy_feedback_"


def feedback_marker(number: int) -> str:
    """What stands for the literal relation in the source query."""
    return f"{_MARKER}{number}"


def reads_feedback(sql: str) -> bool:
    """Are there markers in a query?"""
    return _MARKER in sql


def feedback_relation(feedback: Feedback, number: int, schema: Schema) -> Derived:
    """The literal relation as a public FROM item."""
    columns = {}
    names = [column.name for column in feedback.columns]
    for position, (column, most) in enumerate(zip(feedback.columns, _longest(feedback.columns), strict=True)):
        type_ = _type(column)
        magnitude = type_.magnitude if type_.kind is Kind.INTEGER else None
        size = most if type_.kind in (Kind.TEXT, Kind.OTHER, Kind.NUMERIC) else None
        term = Term(f"c{position}", type_, True, None, None, None, magnitude, size=size)
        if type_.kind in (Kind.INTEGER, Kind.NUMERIC):
            term = _with_numbers(term, promised_numbers(_behind_star(feedback.query), position))
        known = names.count(column.name) == 1
        columns[column.name if known else f"\0{position}"] = DerivedColumn(f"c{position}", term, (type_.name, 0))
    promises = promises_of(feedback.query, feedback.columns, schema, feedback.counted)
    return Derived(
        "constant rows" if promised_rows(_behind_star(feedback.query)) is not None else "released",
        feedback_marker(number),
        False,
        columns,
        unique_keys=promises.keys,
        row_count=promises.most,
        footprint=Footprint(uncounted=promises.uncounted, feedback=frozenset([number])),
    )


def _with_numbers(term: Term, numbers: Numbers | None) -> Term:
    if numbers is None:
        return term
    magnitude = term.magnitude if term.magnitude is not None else numbers.bounds.magnitude
    return replace(term, bounds=numbers.bounds, step=numbers.grid, grid=numbers.grid, magnitude=magnitude)


def _type(column: StageColumn) -> SqlType:
    parts = name_parts(column.type_name)
    if len(parts) == 2 and not column.type_name.endswith("[]"):
        return replace(TEXT, foreign=".".join(parts))
    name = re.sub(r"\(.*?\)", "", column.type_name)
    found = BPCHAR if name == "character" else type_named(name)
    return replace(found, name=f"released {found.name}") if found.kind is Kind.OTHER else found


def literal_type(column: StageColumn) -> str:
    """As what it enters the source query: where the compiler has no rules for its type, as its text."""
    found = _type(column)
    return TEXT.name if found.kind is Kind.OTHER or found.foreign else column.type_name


def evaluation_sql(sql: str, columns: Sequence[StageColumn]) -> str:
    """What the stage runs for an evaluated query: its rows as texts, and no more of them than are needed to refuse."""
    names = ", ".join(f"c{position}" for position in range(len(columns)))
    longest = enumerate(_longest(columns))
    texts = ", ".join(f"left(r.c{position}::text, {most + 1})" for position, most in longest)
    return f"SELECT {texts} FROM ({sql}) AS r({names}) LIMIT {MOST_ROWS + 1}"


def _longest(columns: Sequence[StageColumn]) -> list[int]:
    """The most characters of a value of each column."""
    even = MOST_CHARACTERS // max(len(columns), 1)
    return [min(even, MOST_DIGITS) if _type(column).kind is Kind.NUMERIC else even for column in columns]


def calls_any(query: exp.Query, names: AbstractSet[str]) -> bool:
    """Does a query call a function of these names? They are of functions that sqlglot does not know."""
    return any(node.name.lower() in names for node in find_all(query, exp.Anonymous))


def check_functions(query: exp.Query, volatile: AbstractSet[str]) -> None:
    """Refuse functions that change settings or state, or give another result each time: evaluated row by row, one could
    change how the texts of the rows after it are written.

    Args:
        query: the evaluated query.
        volatile: names of the functions that Postgres declares volatile.

    Raises:
        UnsupportedError: it calls one.
    """
    for node in find_all(query, exp.Anonymous):
        if node.name.lower() in volatile:
            raise unsupported(
                node,
                f"{node.name.lower()}() is not supported in a subquery of a private query",
                rule="feedback-function",
                detail="Such a subquery is evaluated once, first, and becomes a constant; this function is volatile "
                "or has side effects.",
                hint="Call it in the outermost SELECT, or write its result as a constant.",
            )


@dataclass(frozen=True)
class Promises:
    """What a plan takes for granted of an evaluated query's rows, by its text. Good without its tree.

    Attributes:
        keys: sets of output columns of which no two rows share the values.
        most: the most rows, as far as the text tells or the stage has counted.
        uncounted: the text does not say how many constant rows there are, nor has the stage counted them.
        position: where the query begins in the client's text, in characters from 1.
    """

    keys: frozenset[frozenset[str]]
    most: int | None
    uncounted: bool = False
    position: int | None = None


def promises_of(
    query: exp.Query, columns: Sequence[StageColumn], schema: Schema, counted: int | None = None
) -> Promises:
    """What the text of an evaluated query, and the catalog, promise of its rows.

    Args:
        query: the evaluated query.
        columns: as the stage describes them.
        schema: policy and catalog.
        counted: how many rows it has, if the stage has counted them.
    """
    keys, most = released_keys(query, columns, schema)
    if counted is not None:
        return Promises(keys, counted, position=position_of(query))
    return Promises(keys, most, promised_rows(_behind_star(query)) == UNCOUNTED, position_of(query))


def promise_sql(columns: Sequence[StageColumn], promises: Promises, literal: str) -> str:
    """A query with one row of one boolean: are the released rows, as the server that runs it reads them, no more than
    the plan takes for granted, and no two of them equal in a key? Equality is that of the columns' types.

    Args:
        columns: as the stage describes the evaluated query.
        promises: what its text promises.
        literal: the literal relation, with columns c0, c1, ….
    """
    most = promises.most
    names = [column.name for column in columns]
    conditions = [f"count(*) <= {MOST_ROWS if most is None else min(most, MOST_ROWS)}"]
    for key in sorted(promises.keys, key=sorted):
        members = ", ".join(f"r.c{names.index(name)}" for name in sorted(key))
        conditions.append(f"count(*) = count(DISTINCT ROW({members}))" if members else "count(*) <= 1")
    return f"SELECT {' AND '.join(conditions)} FROM {literal} AS r"


def broken_promise(promises: Promises) -> Exception:
    """The refusal of an evaluated query for which `promise_sql` is false."""
    return UnsupportedError(
        "a subquery of a private query returns more than one row for a key",
        position=promises.position,
        rule="feedback-keys",
        hint="Group it by other columns.",
    )


def check_released_size(
    columns: Sequence[StageColumn],
    promises: Promises,
    rows: Sequence[Sequence[str | None]],
    most_uncounted: int,
) -> None:
    """Limit what enters the source query, before the source is asked anything.

    Args:
        columns: of an evaluated query.
        promises: what its text promises.
        rows: its rows, as texts.
        most_uncounted: the most rows that it may have if its text does not say how many (`rows.limits`).

    Raises:
        UnsupportedError: too many rows, or too long texts.
    """
    if frozenset() in promises.keys and len(rows) > 1:
        raise broken_promise(promises)
    most = MOST_ROWS if promises.most is None else min(promises.most, MOST_ROWS)
    if promises.uncounted:
        most = min(most, most_uncounted)
    longest = _longest(columns)
    if len(rows) > most or any(len(text or "") > end for row in rows for text, end in zip(row, longest, strict=True)):
        raise UnsupportedError(
            "the result of a subquery of a private query is too large",
            position=promises.position,
            rule="feedback-size",
            detail=f"It may have at most {most} rows of {MOST_CHARACTERS} characters each, with numbers of up to "
            f"{MOST_DIGITS} digits.",
            hint="Narrow it with WHERE, or group by fewer columns.",
        )


def released_keys(
    query: exp.Expr, columns: Sequence[StageColumn], schema: Schema
) -> tuple[frozenset[frozenset[str]], int | None]:
    """Sets of output columns of which no two rows share the values, and the most rows, as far as text and catalog tell.

    A key is told by the names of its columns, so that none may be the name of two: column aliases could leave it to
    another column than the one that `promise_sql` looks at.
    """
    query = _behind_star(query)
    names = [column.name for column in columns]
    selected, most = _selected_keys(query, columns)
    found = selected | public_keys(query, schema)
    keys = frozenset(key for key in found if all(names.count(name) == 1 for name in key))
    promised = promised_rows(query)
    if promised is None:
        return keys, most
    return keys | _promised_keys(query, columns), promised if most is None else min(most, promised)


def _promised_keys(query: exp.Expr, columns: Sequence[StageColumn]) -> frozenset[frozenset[str]]:
    """The keys of constant rows, of types of which no two equal values have different texts: so the text of the query
    tells whether they are keys, and a refusal names a mistake."""
    names = [column.name for column in columns]
    return frozenset(
        frozenset(names[position] for position in key)
        for key in promised_keys(query, len(columns))
        if all(names.count(names[p]) == 1 and _type(columns[p]).kind in _KINDS_OF_ONE_TEXT for p in key)
    )


def _selected_keys(query: exp.Expr, columns: Sequence[StageColumn]) -> tuple[frozenset[frozenset[str]], int | None]:
    """Those that follow from what a SELECT does with its rows."""
    names = [column.name for column in columns]
    if not isinstance(query, exp.Select) or any(is_star(output) for output in query.expressions):
        return frozenset(), None
    if query.args.get("from_") is None:
        one_row = all(isinstance(unaliased(output), (exp.Subquery, exp.Literal)) for output in query.expressions)
        return (frozenset([frozenset()]), 1) if one_row else (frozenset(), None)
    limit = query.args.get("limit")
    most = int(limit.expression.name) if limit is not None and _is_number(limit.expression) else None
    aggregated = any(is_aggregate(node) for output in query.expressions for node in own_nodes(output))
    wrapped = _of_inner_query(query, columns) if not aggregated else None
    if wrapped is not None:
        keys, inside = wrapped
        return keys, min((count for count in (most, inside) if count is not None), default=None)
    group = query.args.get("group")
    if group is None and (aggregated or query.args.get("having") is not None):
        return frozenset([frozenset()]), 1
    if most == 1:
        return frozenset([frozenset()]), 1
    if group is not None and not any(value for name, value in group.args.items() if name != "expressions"):
        shown = [_shown(item, query, columns) for item in group.expressions]
        if None not in shown:
            return frozenset([frozenset(name for name in shown if name is not None)]), most
    if query.args.get("distinct") is not None and not query.args["distinct"].args.get("on"):
        return frozenset([frozenset(names)]), most
    return frozenset(), most


_KEEPING_ROWS: Final = frozenset({"expressions", "from_", "where", "order", "limit", "offset", "with_"})
"""Clauses that leave rows out, and never make two of one."""


def _of_inner_query(
    query: exp.Select, columns: Sequence[StageColumn]
) -> tuple[frozenset[frozenset[str]], int | None] | None:
    """The keys and the most rows of the only subquery or CTE in FROM, as a SELECT shows them that has some of its
    columns and no row twice; None for another SELECT."""
    items = items_of(query)
    item = items[0].this if len(items) == 1 else None
    body = item.this if isinstance(item, exp.Subquery) else body_of_cte(item) if item is not None else None
    inner = _behind_star(body) if body is not None else None
    outputs = [unaliased(output).unnest() for output in query.expressions]
    shown = {
        folded(output.this): column
        for output, column in zip(outputs, columns, strict=False)
        if isinstance(output, exp.Column)
    }
    if not isinstance(inner, exp.Select) or item is None or len(shown) != len(outputs) != 0:
        return None
    own = [output_name(output) or "" for output in inner.expressions]
    keeps = not any(value for name, value in query.args.items() if name not in _KEEPING_ROWS)
    alias = item.args.get("alias")
    if not keeps or (alias is not None and alias.args.get("columns")) or len({*own}) < len(own):
        return None
    unseen = (StageColumn(name, "unknown") for name in own)
    inside = [
        replace(shown[name], name=name) if name in shown else column for name, column in zip(own, unseen, strict=True)
    ]
    keys, most = _selected_keys(inner, inside)
    return frozenset(frozenset(shown[name].name for name in key) for key in keys if key <= shown.keys()), most


def _is_number(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()


def _behind_star(query: exp.Expr) -> exp.Expr:
    """The query of a CTE or subquery that `SELECT * FROM it` is."""
    while isinstance(query, exp.Select) and len(query.expressions) == 1 and isinstance(query.expressions[0], exp.Star):
        items = items_of(query)
        if len(items) != 1 or any(query.args.get(name) for name in ("where", "limit", "offset", "group")):
            return query
        item, with_ = items[0].this, query.args.get("with_")
        if isinstance(item, exp.Subquery) and isinstance(item.this, exp.Select):
            query = item.this
            continue
        named = {folded(cte.args["alias"].this): cte for cte in (with_.expressions if with_ is not None else ())}
        is_name = isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier)
        cte = named.get(folded(item.this)) if is_name else None
        if cte is None or (cte.args["alias"].args.get("columns") and promised_rows(cte.this) is None):
            return query
        query = cte.this
    return query


def _shown(item: exp.Expr, query: exp.Select, columns: Sequence[StageColumn]) -> str | None:
    """The name of the output that a group key is.

    An output of the key's name need not be the key: in `SELECT x::numeric AS x FROM t GROUP BY x` the key is the column
    of t. Then only the promise that is verified tells whether its values are apart (`promise_sql`).
    """
    item = item.unnest()
    if _is_number(item) and 1 <= int(item.name) <= len(columns):
        return columns[int(item.name) - 1].name
    for column, output in zip(columns, query.expressions, strict=False):
        if unaliased(output).unnest() == item:
            return column.name
        named = isinstance(item, exp.Column) and not item.args.get("table") and output_name(output) == folded(item.this)
        if named and (_type(column).kind in _KINDS_OF_ONE_TEXT or _is_column(output, item)):
            return column.name
    return None


def _is_column(output: exp.Expr, name: exp.Expr) -> bool:
    """Is an output the column of FROM that a name without a table means?"""
    bare = unaliased(output).unnest()
    return isinstance(bare, exp.Column) and folded(bare.this) == folded(name.this)

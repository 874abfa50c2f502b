"""Released results among private rows: evaluated by the stage first, then literal relations in the source query.

Adaptive composition: the inner question is answered and paid for, and the outer one is chosen with its noisy answer in
hand (decision 3). To the source query it is public data.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.nodes import Nodes, find_all
from proxy.sql.refusal import position_of, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.constant_rows import UNCOUNTED, Numbers, promised_numbers, promised_rows
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.members import Derived, DerivedColumn
from proxy.sql.rows.released_keys import behind_star, released_keys
from proxy.sql.rows.stage_columns import StageColumn, type_of
from proxy.sql.schema import Schema
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TEXT, Kind
from proxy.sql.trees.marks import FEEDBACK

Query = exp.Query
"""For modules that know nothing of sqlglot."""

MOST_ROWS = 20_000
"""Most rows of one evaluated query; beyond it the block is refused (a public fact)."""

MOST_CHARACTERS = 1000
"""Most characters of one row, shared evenly among its columns."""

MOST_DIGITS = 100
"""Most characters of a number: with more it would take long to compute with."""


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
        type_ = type_of(column)
        magnitude = type_.magnitude if type_.kind is Kind.INTEGER else None
        size = most if type_.kind in (Kind.TEXT, Kind.OTHER, Kind.NUMERIC) else None
        term = Term(f"c{position}", type_, True, None, None, None, magnitude, size=size)
        if type_.kind in (Kind.INTEGER, Kind.NUMERIC):
            term = _with_numbers(term, promised_numbers(behind_star(feedback.query), position))
        known = names.count(column.name) == 1
        columns[column.name if known else f"\0{position}"] = DerivedColumn(f"c{position}", term, (type_.name, 0))
    promises = promises_of(feedback.query, feedback.columns, schema, feedback.counted)
    return Derived(
        "constant rows" if promised_rows(behind_star(feedback.query)) is not None else "released",
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


def literal_type(column: StageColumn) -> str:
    """As what it enters the source query: where the compiler has no rules for its type, as its text."""
    found = type_of(column)
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
    return [min(even, MOST_DIGITS) if type_of(column).kind is Kind.NUMERIC else even for column in columns]


def calls_any(nodes: Nodes, names: AbstractSet[str]) -> bool:
    """Does a query with these nodes call a function of these names? sqlglot knows none of them."""
    return any(node.__class__ is exp.Anonymous and node.name.lower() in names for node in nodes)


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
    return Promises(keys, most, promised_rows(behind_star(query)) == UNCOUNTED, position_of(query))


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

"""How long one private row, and one unit, may take, and how large a row may become.

Without a limit a query that picks one unit could run into the source's timeout, or fill its memory or its disk, if and
only if that unit is there. So the worst case of everything that is computed for a row is added up, whatever the row
holds, and multiplied by the number of rows that it may meet. Whatever exceeds the limits is refused before anything is
charged: the sum depends on the query's text, the policy and the catalog alone.

A unit of n rows takes n times as long as one of them. So n is limited wherever a row may take long (`cuts`). With W
nanoseconds for a row and everything that it meets,

- up to SHORT_ROW_WORK, every row of a unit takes part: it is one of many that are scanned;
- up to MOST_ROW_WORK, MOST_LONG_ROWS rows of a unit do;
- where rows meet rows, K rows of a unit do (`multiplicity`), with W up to MOST_MET_WORK and K · W up to MOST_UNIT_WORK.

The rows that a row meets count as pairs, each with everything that is computed for a row, in whatever order and by
whatever kind of join the source finds them. Only a row that is reached by a unique key counts as one, since the source
hashes it: source queries run without nested loops and merges where there is an equality (`postgres.source_connection`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.constant_rows import UNCOUNTED
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.stored import CUT
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import (
    MOST_MET_WORK,
    MOST_ROW_OCTETS,
    MOST_ROW_WORK,
    MOST_UNIT_WORK,
    SHORT_ROW_WORK,
    octets_of,
    size_of,
)

MET = 200
"""Nanoseconds to find one row that another one meets, besides the expressions over both."""

COUNTED, GROUPED = 300, 1500
"""Nanoseconds to count a row: without groups, and in its group."""

_SUMMED, _DISTINCT, _CHOSEN = 1500, 4000, 3000
"""Nanoseconds of a sum, of a distinct value, and of what becomes a histogram, besides the expressions in them."""


class RowLimiter(Protocol):
    """Limits the rows of a unit; see `compiler.RowCompiler`."""

    def with_limits(self, relation: Relation, *, meet: bool, long: bool) -> Relation: ...

    def rows_of_unit(self, relation: Relation) -> int: ...


@dataclass(frozen=True)
class LimitedRow:
    """One row of a relation under the limits.

    Attributes:
        relation: the relation, with the number of a unit's rows limited where a row may take long.
        work: nanoseconds that a row takes at most, without the rows that it meets.
        most_uncounted: the most rows that items counted only later may turn out to have.
    """

    relation: Relation
    work: int
    most_uncounted: int = UNCOUNTED

    @property
    def footprint(self) -> Footprint:
        """What such rows read and rest on."""
        found = self.relation.footprint
        if found.most_uncounted <= self.most_uncounted:
            return found
        return replace(found, most_uncounted=self.most_uncounted)


def row_work(relation: Relation, grouped: Sequence[Term] = ()) -> int:
    """Nanoseconds that the expressions of one row take at most, without the rows that it meets.

    Args:
        relation: the rows, with all that is computed of them.
        grouped: the values that rows are grouped by; hashing and storing two octets of them takes a nanosecond.
    """
    return relation.work + _octets(grouped) // 2


def source_steps(keys: int, sums: int, distinct: int, choices: int) -> int:
    """Nanoseconds that a source query takes for a row besides its expressions.

    Args:
        keys: how many there are.
        sums: statistics that are sums or counts.
        distinct: those that count distinct values.
        choices: minima, maxima, percentiles and modes.
    """
    counted = GROUPED if keys else COUNTED
    # A source query counts its rows anyway.
    return counted + _SUMMED * max(sums - 1, 0) + _DISTINCT * distinct + _CHOSEN * choices


def _about_elements(relation: Relation) -> str:
    """What to write where elements of values are rows beside others."""
    if not relation.footprint.elements:
        return ""
    return " List elements in a subquery of their own, as in FROM (SELECT key, unnest(x) AS y FROM …) AS e."


def _about_long_texts(node: exp.Expr, relation: Relation) -> str:
    """Which columns of a query take longest, whatever is done with them."""
    read, written = relation.footprint, {folded(column.this) for column in find_all(node, exp.Column)}
    written |= {folded(name) for join in find_all(node, exp.Join) for name in join.args.get("using") or []}
    found = sorted(
        f"{table.name.split('.', 1)[1]}.{column}"
        for table in read.tables
        for column in table.visible_columns()
        if column in written and (table.name, column) in read.columns and _is_long_text(table.term(column, "t"))
    )
    if not found:
        return ""
    return f" Texts without a length take longest ({', '.join(found)}): a type like varchar(20) would help."


def _about_documents(node: exp.Expr) -> str:
    """What to write instead of what takes long in documents and arrays; nothing where there are none."""
    if find_all(node, exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps, exp.JSONBContains):
        return (
            "Compare what is meant by itself, as in x ->> 'kind' = 'buy' of a document, x -> 'tags' ? 'buy' of an "
            "array in it, or 'buy' = ANY (x) of an array: to search all of it takes long."
        )
    if not find_all(node, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar):
        return ""
    return (
        "Read fewer members of documents in one query, or have the steward give those that are often read columns of "
        "their own, as in ADD COLUMN kind text GENERATED ALWAYS AS (document ->> 'kind') STORED."
    )


def _is_long_text(term: Term) -> bool:
    return term.kind is Kind.TEXT and size_of(term) >= CUT


def _octets(terms: Sequence[Term]) -> int:
    return sum(octets_of(term) for term in {term.sql: term for term in terms}.values())


def check_row(
    node: exp.Expr, relation: Relation, made: Sequence[Term], limiter: RowLimiter, *, stored: bool, steps: int
) -> LimitedRow:
    """Check a row against the limits.

    Args:
        node: for the position of a refusal.
        relation: the rows, with all that is computed of them.
        made: the values of the SELECT list and the keys.
        limiter: limits the rows of a unit.
        stored: values that rows are grouped by.
        steps: nanoseconds that each row takes besides its expressions.

    Raises:
        UnsupportedError: it exceeds MOST_ROW_WORK, or the limit for a row with all rows that it meets, or is larger
            than MOST_ROW_OCTETS.
    """
    octets, work = _octets(made), row_work(relation, made if stored else ()) + steps
    if relation.unit is None:
        return LimitedRow(relation, work)
    if octets > MOST_ROW_OCTETS:
        raise unsupported(
            node,
            f"a row of this query could exceed {MOST_ROW_OCTETS // 1000000} MB",
            rule="row-size",
            detail="A row that exhausts the memory or disk of the source would reveal that it exists.",
            hint="Select fewer text values, or only the beginning of each, as in left(x, 100).",
        )
    of_unit = limiter.rows_of_unit(relation)
    rows = relation.multiplicity.met(of_unit)
    if rows > 1:
        work += MET
    limit = MOST_ROW_WORK if rows == 1 else min(MOST_MET_WORK, MOST_UNIT_WORK // of_unit)
    most_uncounted = UNCOUNTED
    if work * rows > limit and rows >= UNCOUNTED and relation.footprint.uncounted:
        # Rows are counted before anything is charged for them; then they are checked again.
        rows = -(-rows // UNCOUNTED)
        most_uncounted = limit // max(work * rows, 1)
    if work > MOST_ROW_WORK or work * rows > limit:
        raise _takes_long(node, relation, work, rows if work <= MOST_ROW_WORK else 1, limit, steps)
    if work * rows > SHORT_ROW_WORK:
        relation = limiter.with_limits(relation, meet=work * rows > MOST_ROW_WORK, long=True)
    return LimitedRow(relation, work, most_uncounted)


def _takes_long(node: exp.Expr, relation: Relation, work: int, rows: int, limit: int, steps: int) -> Exception:
    """The refusal of a row that could take too long, by itself or with `rows` rows that it may meet."""
    reason = f"Its expressions could take {work / 1e6:.1f} ms; the limit is {MOST_ROW_WORK / 1e6:g} ms."
    functions = "Use fewer text functions, or only the beginning of each text, as in left(x, 100)"
    about = _about_long_texts(node, relation) + _about_elements(relation)
    hint = f"{functions}; join fewer rows.{about}"
    if rows > 1:
        reason = (
            f"A row could take {work * rows / 1e6:.1f} ms with the {rows} rows that it may meet; the limit is "
            f"{limit / 1e6:g} ms. Of tables that are not joined by a unique key of their own, it may meet the rows "
            "that are equal in the joined columns, or else all."
        )
        hint = "Join each table by a unique key, or by equal columns that few rows share."
        hint += f" {functions}.{about}" if work > 2 * (steps + MET) else _about_elements(relation)
    return unsupported(
        node,
        "this query could take too long for one row",
        rule="row-work",
        detail=f"{reason} A row that takes long would reveal that it exists.",
        hint=_about_documents(node) or hint,
    )

"""How long one private row, and one unit, may take, and how large a row may become.

Without a limit a query that picks one person could run into the source's timeout, or fill its memory or its disk, if
and only if that person is there. So the worst case of everything that is computed for a row is added up, whatever the
row holds, and multiplied with the rows that it may meet. What is above the limits is refused before anything is
charged: the sum depends on the text of the query, the policy and the catalog alone.

A unit of n rows takes n times as long as one of them. So n is limited wherever a row may take long (`cuts`): with W
nanoseconds for a row and all that it meets,

- up to SHORT_ROW_WORK every row of a unit takes part: it is one of many that are scanned;
- up to MOST_ROW_WORK it is MOST_LONG_ROWS of a unit;
- where rows meet rows, W is up to MOST_MET_WORK, and K rows of a unit take part (`multiplicity`), with K · W up to
  MOST_UNIT_WORK.

The rows that a row meets count as pairs, each with all that is computed for a row, in whatever order and by whatever
kind of join the source finds them. Only what a unique key leads to counts as one row, since the source hashes it:
source queries run without nested loops and merges where there is an equality (`postgres.source`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.rows.constant_rows import UNCOUNTED
from proxy.sql.rows.footprint import Footprint, union
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term
from proxy.sql.terms.work import (
    MOST_MET_WORK,
    MOST_ROW_OCTETS,
    MOST_ROW_WORK,
    MOST_UNIT_WORK,
    SHORT_ROW_WORK,
    octets_of,
)

MET = 200
"""Nanoseconds of finding one row that another one meets, beside the expressions over both."""

COUNTED, GROUPED = 300, 1500
"""Of counting a row, in one group or in its group."""

_SUMMED, _DISTINCT, _CHOSEN = 1500, 4000, 3000
"""Of a sum, of a distinct value, and of what becomes a histogram, beside the expressions in them."""


class RowLimiter(Protocol):
    """Limits the rows of a unit; see `compiler.RowCompiler`."""

    def with_limits(self, relation: Relation, *, meet: bool, long: bool) -> Relation: ...

    def rows_of_unit(self, relation: Relation) -> int: ...


@dataclass(frozen=True)
class LimitedRow:
    """What the limits say of one row of a relation.

    Attributes:
        relation: the relation, with the number of a unit's rows limited where a row may take long.
        work: nanoseconds that a row takes at most, without the rows that it meets.
        most_uncounted: the most rows that what is counted later may turn out to have.
    """

    relation: Relation
    work: int
    most_uncounted: int = UNCOUNTED

    @property
    def footprint(self) -> Footprint:
        """Of what is made of such rows."""
        return union([self.relation.footprint, Footprint(most_uncounted=self.most_uncounted)])


def row_work(relation: Relation, grouped: Sequence[Term] = ()) -> int:
    """Nanoseconds that the expressions of one row take at most, without the rows that it meets.

    Args:
        relation: the rows, with all that is computed of them.
        grouped: the values that rows are grouped by: two octets of them take a nanosecond to be hashed and stored.
    """
    return relation.work + _octets(grouped) // 2


def source_steps(keys: int, sums: int, distinct: int, choices: int) -> int:
    """Nanoseconds that a source query takes for a row beside its expressions.

    Args:
        keys: how many there are.
        sums: statistics that are sums or counts.
        distinct: those that count distinct values.
        choices: minima, maxima, percentiles and modes.
    """
    counted = GROUPED if keys else COUNTED
    # A source query counts its rows anyway.
    return counted + _SUMMED * max(sums - 1, 0) + _DISTINCT * distinct + _CHOSEN * choices


def _octets(terms: Sequence[Term]) -> int:
    return sum(octets_of(term) for term in {term.sql: term for term in terms}.values())


def check_row(
    node: exp.Expr, relation: Relation, made: Sequence[Term], limiter: RowLimiter, *, stored: bool, steps: int
) -> LimitedRow:
    """Hold a row to the limits.

    Args:
        node: for the position of a refusal.
        relation: the rows, with all that is computed of them.
        made: the values of the SELECT list and the keys.
        limiter: limits the rows of a unit.
        stored: rows are grouped by them.
        steps: nanoseconds that each row takes beside its expressions.

    Raises:
        UnsupportedError: it is above MOST_ROW_WORK, or above what it may be with all rows that it meets, or the row is
            larger than MOST_ROW_OCTETS.
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
        # How many rows there are is known before anything is charged for them; then it is looked at again.
        rows = -(-rows // UNCOUNTED)
        most_uncounted = limit // max(work * rows, 1)
    if work > MOST_ROW_WORK or work * rows > limit:
        meets = f" with the {rows} rows that it may meet" if rows > 1 else ""
        raise unsupported(
            node,
            "this query could take too long for one row",
            rule="row-work",
            detail=f"Its expressions could take {work * rows / 1000000.0:.1f} ms; the limit is "
            f"{limit / 1000000.0:g} ms{meets}. A row that takes long would reveal that it exists.",
            hint="Use fewer text functions, or only the beginning of each text, as in left(x, 100); join fewer rows.",
        )
    if work * rows > SHORT_ROW_WORK:
        relation = limiter.with_limits(relation, meet=work * rows > MOST_ROW_WORK, long=True)
    return LimitedRow(relation, work, most_uncounted)

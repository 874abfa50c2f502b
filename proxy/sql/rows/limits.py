"""How long one private row may take, and how large it may become.

Without a limit a query that picks one person could run into the source's timeout, or fill its memory or its disk, if
and only if that person is there. So the worst case of everything that is computed for a row is added up, whatever the
row holds, and multiplied with the public rows that it may meet. What is above the limits is refused before anything
is charged: the sum depends on the text of the query, the policy and the catalog alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.rows.constant_rows import UNCOUNTED
from proxy.sql.rows.footprint import Footprint, union
from proxy.sql.rows.multiplicity import rows_of_unit
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term
from proxy.sql.terms.work import MOST_MET_WORK, MOST_ROW_OCTETS, MOST_ROW_WORK, octets_of


@dataclass(frozen=True)
class RowLimits:
    """What the limits say of one row.

    Attributes:
        work: nanoseconds that it takes at most, without the public rows that it meets.
        most_uncounted: the most rows that what is counted later may turn out to have.
    """

    work: int
    most_uncounted: int = UNCOUNTED

    def limited(self, footprint: Footprint) -> Footprint:
        """The footprint of what is made of such rows."""
        return union([footprint, Footprint(most_uncounted=self.most_uncounted)])


def row_work(relation: Relation, grouped: Sequence[Term] = ()) -> int:
    """Nanoseconds that one row takes at most, without the public rows that it meets.

    Args:
        relation: the rows, with all that is computed of them.
        grouped: the values that rows are grouped by: two octets of them take a nanosecond to be hashed and stored.
    """
    return relation.work + _octets(grouped) // 2


def _octets(terms: Sequence[Term]) -> int:
    return sum(octets_of(term) for term in {term.sql: term for term in terms}.values())


def check_row(node: exp.Expr, relation: Relation, made: Sequence[Term], most_rows: int, *, stored: bool) -> RowLimits:
    """Hold a row to the limits.

    Args:
        node: for the position of a refusal.
        relation: the rows, with all that is computed of them.
        made: the values of the SELECT list and the keys.
        most_rows: the rows that the policy allows a unit.
        stored: rows are grouped by them.

    Raises:
        UnsupportedError: it is above MOST_ROW_WORK, or above MOST_MET_WORK with all rows that it meets, or the row is
            larger than MOST_ROW_OCTETS.
    """
    octets, work = _octets(made), row_work(relation, made if stored else ())
    if relation.unit is None:
        return RowLimits(work)
    if octets > MOST_ROW_OCTETS:
        raise unsupported(
            node,
            f"a row of this query could become larger than {MOST_ROW_OCTETS // 1_000_000} MB",
            rule="row-size",
            detail="A row that fills the source's memory or disk would tell of itself.",
            hint="Select fewer texts, or the beginning of each, as in left(x, 100).",
        )
    rows = relation.multiplicity.met(rows_of_unit(most_rows))
    limit = MOST_ROW_WORK if rows == 1 else MOST_MET_WORK
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
            detail=f"Its expressions may take {limit / 1e6:g} ms{meets}, and these could take "
            f"{work * rows / 1e6:.1f} ms. A row that takes long would tell of itself.",
            hint="Use fewer functions of texts, or the beginning of each text, as in left(x, 100); join fewer rows.",
        )
    return RowLimits(work, most_uncounted)

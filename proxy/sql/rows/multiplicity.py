"""How far a query may multiply private rows, and how many rows of one unit take part where it does.

A join that meets many rows for each private row takes longer the more private rows there are. Without a limit, a query
that picks one unit would run into the source's timeout if and only if that unit is there. So every table that is not
joined by one of its unique keys counts with as many rows as are equal in the columns that join it, if the stage can
count them (`repeats`), else with all its rows, and the product is limited, by public numbers alone.

Private tables have no public number of rows. Where one multiplies the rows of another, each of the two gives at most K
rows of a unit (`cuts`), so that a unit of n rows is met min(n, K)² times, not n² times. At most one may multiply. K is
four times the rows that the policy expects of a unit in an answer, since WHERE comes after it; at least 100, which
costs nothing; and at most 400: 160 000 combinations are gone through in well below a second. Where each of them may
take longer, K is less, so that a unit as a whole stays below two seconds (`limits`): two keys that are texts without a
length may be compared 40 times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from proxy.sql.refusal import unsupported

MOST_ROWS = 10_000
"""Most rows that a private row may meet."""

_UNKNOWN = MOST_ROWS + 1

MOST_PRIVATE = 1
"""Most private tables that may multiply the rows of another."""

WIDE = 100
"""A private row may meet this many public rows before its unit's rows are limited, however fast each of them is."""

MOST_OF_UNIT = (400, 200, 100, 50, 40, 25)
"""The limits of K; the first one applies with which a unit's work is not too much (`limits`)."""

LEAST_OF_UNIT = 100
"""K where nobody states more rows, unless one of these limits is below it."""


def rows_of_unit(max_rows: int, most: int = MOST_OF_UNIT[0]) -> int:
    """K: the rows of a unit that take part where rows are multiplied.

    Args:
        max_rows: the rows that the policy, or the session, allows a unit in an answer.
        most: the limit of K.
    """
    return min(max(4 * max_rows, LEAST_OF_UNIT), most)


_ONE_ROW_EACH: Final = (
    " Rows of a privacy unit that are made one before, in JOIN (SELECT the unit's column, min(x) AS first FROM … "
    "GROUP BY 1) AS f, multiply nothing."
)


@dataclass(frozen=True)
class Multiplicity:
    """The factor by which joins and subqueries multiply the rows that the source looks at for one private row.

    Attributes:
        rows: the factor by public tables.
        private: the number of private tables that multiply.
    """

    rows: int = 1
    private: int = 0

    def __mul__(self, other: Multiplicity) -> Multiplicity:
        return Multiplicity(self.rows * other.rows, self.private + other.private)

    def or_(self, other: Multiplicity) -> Multiplicity:
        """The multiplicity of either of two pieces of work, one done after the other."""
        return Multiplicity(max(self.rows, other.rows), max(self.private, other.private))

    def __add__(self, other: Multiplicity) -> Multiplicity:
        """The multiplicity of rows that come from two places."""
        return Multiplicity(self.rows + other.rows, max(self.private, other.private))

    @classmethod
    def of_public(cls, row_count: int | None) -> Multiplicity:
        """The multiplicity of a public table with so many rows; too many if the number is unknown."""
        return cls(max(row_count, 1) if row_count is not None else _UNKNOWN)

    def met(self, of_unit: int) -> int:
        """The most rows that one private row meets: how often, at worst, an expression is computed for it.

        Args:
            of_unit: K, the rows of a unit in a private table that multiplies.
        """
        return self.rows * int(of_unit**self.private)

    def is_wide(self, around: Multiplicity) -> bool:
        """Must a unit's rows be limited because of this factor, on top of the multiplication `around` it?"""
        return self.private > 0 or (self.rows > 1 and self.rows * around.rows > WIDE)

    def check(self, from_: exp.Expr, of_unit: int) -> None:
        """Refuse more than the limits.

        Args:
            from_: for the position of the refusal.
            of_unit: K, the rows of a unit in a private table that multiplies.

        Raises:
            UnsupportedError: more than the limits.
        """
        if self.private <= MOST_PRIVATE and self.met(of_unit) <= MOST_ROWS:
            return
        unknown = " How many rows a CTE or subquery here has is not known." if self.rows % _UNKNOWN == 0 else ""
        raise unsupported(
            from_,
            "these joins multiply the private rows too much",
            rule="multiplying-joins",
            detail=f"Of tables that are not joined by a unique key of their own, a row may meet {MOST_ROWS} rows in "
            f"total: those that are equal in the joined columns, or else all.{unknown} Only one of them may be "
            f"private, which counts as {of_unit} rows. Otherwise the time that the query takes would reveal how many "
            "rows one privacy unit has.",
            hint="Join each table by a unique key, or by equal columns that few rows share, or join fewer tables."
            + (_ONE_ROW_EACH if self.private > 1 else "")
            + (
                " A CTE has the keys of its GROUP BY and DISTINCT, those of CTEs that it joins along their keys, if it "
                "selects them, and as many rows as its LIMIT says."
                if unknown
                else ""
            ),
        )


ONCE: Final = Multiplicity()
"""The multiplicity of what multiplies nothing."""

"""How far a query may multiply private rows (ATTACKS 8).

A join that meets many rows for each private row takes longer the more private rows there are. Without a limit, a query
that picks one person would run into the source's timeout if and only if that person is there. So every table that is
not joined by one of its unique keys counts with all its rows, and their product is limited, by public numbers alone.
Private tables have no public number of rows: at most one of them may multiply.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.refusal import unsupported

MOST_ROWS = 10_000
"""Most public rows that a private row may meet."""

MOST_PRIVATE = 1
"""Most private tables that may multiply the rows of another."""


@dataclass(frozen=True)
class Multiplicity:
    """What joins and subqueries do to the number of rows that the source looks at for one private row.

    Attributes:
        rows: the factor by public tables.
        private: the number of private tables that multiply.
    """

    rows: int = 1
    private: int = 0

    def __mul__(self, other: Multiplicity) -> Multiplicity:
        return Multiplicity(self.rows * other.rows, self.private + other.private)

    def or_(self, other: Multiplicity) -> Multiplicity:
        """Of work that is done beside other work, not inside it."""
        return Multiplicity(max(self.rows, other.rows), max(self.private, other.private))

    def __add__(self, other: Multiplicity) -> Multiplicity:
        """Of rows that come from two places."""
        return Multiplicity(self.rows + other.rows, max(self.private, other.private))

    @classmethod
    def of_public(cls, row_count: int | None) -> Multiplicity:
        """Of a public table of so many rows; too many if nobody knows."""
        return cls(max(row_count, 1) if row_count is not None else MOST_ROWS + 1)

    def check(self, from_: exp.Expr) -> Multiplicity:
        """Itself.

        Raises:
            UnsupportedError: more than the limits.
        """
        if self.rows > MOST_ROWS or self.private > MOST_PRIVATE:
            raise unsupported(
                from_,
                "these joins multiply the private rows too much",
                rule="multiplying-joins",
                detail=f"Tables that are joined by no unique key of theirs may have {MOST_ROWS} rows together, and "
                "only one of them may be private: the time that the query takes would tell how many rows a person has.",
                hint="Join each table by its key, or join fewer tables.",
            )
        return self

"""How far a query may multiply private rows (ATTACKS 8).

A join that meets many rows for each private row takes longer the more private rows there are. Without a limit, a query
that picks one person would run into the source's timeout if and only if that person is there. So every table that is
not joined by one of its unique keys counts with all its rows, and their product is limited, by public numbers alone.
Private tables have no public number of rows: at most one of them may multiply.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.relation import Member

MOST_ROWS = 10_000
"""Most public rows that a private row may meet."""

MOST_PRIVATE = 1
"""Most private tables that may multiply the rows of another."""


def check_multiplicity(multiplying: Iterable[Member], known: int, from_: exp.Expr) -> int:
    """The factor by which `multiplying` members (those joined by no unique key) multiply rows, `known` before.

    Raises:
        UnsupportedError: more than the limits.
    """
    factor, private = known, 0
    for member in multiplying:
        if member.table.private:
            private += 1
        else:
            rows = member.table.catalog.row_count
            factor *= max(rows, 1) if rows is not None else MOST_ROWS + 1
    if factor > MOST_ROWS or private > MOST_PRIVATE:
        raise unsupported(
            from_,
            "these joins multiply the private rows too much",
            rule="multiplying-joins",
            detail=f"Tables that are joined by no unique key of theirs may have {MOST_ROWS} rows together, and only "
            "one of them may be private: the time that the query takes would tell how many rows a person has.",
            hint="Join each table by its key, or join fewer tables.",
        )
    return factor

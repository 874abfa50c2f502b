"""Documents and arrays that count as NULL because too many octets of them are stored (`terms.stored`)."""

from __future__ import annotations

from proxy.sql.planning.wording import listed
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.stored import holds_small


def values_too_large(relation: Relation, footprint: Footprint) -> tuple[str, ...]:
    """A sentence for each limit, with the columns of private tables that it is about. A column of which it is asked
    only whether it is NULL is not read.

    Args:
        relation: a block's rows, with all that is computed of them.
        footprint: what the block reads.
    """
    small = [
        (table.column_sql(column), column, most)
        for table in footprint.private_tables
        for column in sorted(name for owner, name in footprint.columns if owner == table.name)
        if (most := table.stored(column, "").most) is not None
    ]
    if not small:
        return ()
    computed = "\n".join([relation.sql, *(term.sql for term in (*relation.conditions, *relation.terms))])
    found: dict[int, list[str]] = {}
    for sql, column, most in small:
        if holds_small(computed, sql, most):
            found.setdefault(most, []).append(column)
    return tuple(
        f"values of {listed(columns)} that take more than {most} octets count as NULL"
        for most, columns in found.items()
    )

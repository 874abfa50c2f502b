"""Differences of two days or whole numbers among the parts of an enumeration, as in `(ordered_on - first_day) / 30`.

The differences of two runs without gaps are the run from the least to the greatest one, which takes no product of the
two. Whether they have gaps is found out when keys are enumerated; those with gaps are subtracted one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.planning.atoms import Atoms
from proxy.sql.terms.datetimes import guarded
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_READ = re.compile(r"\bd(\d+)\.c\d")


@dataclass(frozen=True)
class Parts:
    """What keys are enumerated from.

    Attributes:
        keys: the keys over the sources.
        conditions: those that combinations of the sources' rows meet.
        told: the SQL of others.
        atoms: has the sources, by whose places their columns are named.
        spent: places of sources of which nothing but differences is read.
    """

    keys: tuple[exp.Expr, ...]
    conditions: tuple[exp.Expr, ...]
    told: tuple[str, ...]
    atoms: Atoms
    spent: frozenset[int] = frozenset()


def sources_read(sql: str) -> frozenset[int]:
    """The places of the sources that SQL reads; a text that looks like a column of one counts, too."""
    return frozenset(map(int, _READ.findall(sql)))


def with_differences(parts: Parts) -> Parts:
    """The same keys, where differences are sources of their own as far as nothing else ties their two sources."""
    for key in parts.keys:
        for node in find_all(key, exp.Sub):
            found = _with_difference(node, parts)
            if found is not None:
                return with_differences(found)
    return parts


def _with_difference(node: exp.Sub, parts: Parts) -> Parts | None:
    atoms, read = parts.atoms, (_columns_of(node.this), _columns_of(node.expression))
    if len(read[0]) != 1 or len(read[1]) != 1 or read[0] == read[1]:
        return None
    difference, sides = compile_term(node, atoms), _sides(node, atoms)
    if sides is None or difference.sql != f"({sides[0].sql} - {sides[1].sql})":
        return None
    both = read[0] | read[1]
    column = exp.column("c0", table=f"d{len(atoms.sources)}")
    keys, conditions = (
        tuple(_replaced(tree, difference.sql, both, column, atoms) for tree in trees)
        for trees in (parts.keys, parts.conditions)
    )
    kept = tuple(condition for condition in conditions if not _columns_of(condition) & both)
    told = tuple(sql for sql in parts.told if not sources_read(sql) & both)
    tied = [condition for condition in conditions if _columns_of(condition) & both]
    if any(_columns_of(key) & both for key in keys) or not all(_columns_of(condition) in read for condition in tied):
        return None
    filters = [compile_term(condition, atoms).sql for condition in tied]
    filters += [sql for sql in parts.told if sources_read(sql) & both]
    if not all(sources_read(sql) in read for sql in filters):
        return None
    left, right = (
        f"SELECT DISTINCT {side.sql}{'' if side.kind is Kind.DATE else '::numeric'} AS c0"
        f" FROM ({atoms.sources[place].sql}) AS d{place}"
        + where([sql for sql in filters if sources_read(sql) == {place}])
        for side, (place,) in zip(sides, read, strict=True)
    )
    other, values = atoms.copy(), _all_differences(left, right, difference.type.name)
    other.add(f"{difference.sql} of d{len(atoms.sources)}", values, difference, "differences")
    return Parts(keys, kept, told, other, parts.spent | both)


def where(conditions: Sequence[str]) -> str:
    """WHERE with all conditions; nothing without any."""
    return f" WHERE {' AND '.join(sorted({*conditions}))}" if conditions else ""


def _columns_of(tree: exp.Expr) -> frozenset[int]:
    return frozenset(int(column.args["table"].name[1:]) for column in find_all(tree, exp.Column))


def _sides(node: exp.Sub, atoms: Atoms) -> tuple[Term, Term] | None:
    """What is subtracted: dates within years that can be, or whole numbers."""
    left, right = compile_term(node.this, atoms), compile_term(node.expression, atoms)
    if left.kind is right.kind is Kind.DATE:
        return guarded(left), guarded(right)
    return (left, right) if left.is_integer and right.is_integer else None


def _replaced(tree: exp.Expr, sql: str, both: frozenset[int], column: exp.Column, atoms: Atoms) -> exp.Expr:
    """The tree with a column in the place of each difference with this SQL."""
    copy = exp.Paren(this=tree.copy())
    for node in find_all(copy, exp.Sub):
        if _columns_of(node) == both and compile_term(node, atoms).sql == sql:
            node.replace(column.copy())
    whole: exp.Expr = copy.this
    return whole


def _all_differences(left: str, right: str, type_name: str) -> str:
    """All differences of two sets of dates or whole numbers, each a query of distinct values c0."""
    ends = "SELECT min(c0) AS low, max(c0) AS high, max(c0) - min(c0) + 1 = count(c0) AS dense"
    return (
        f"WITH a AS MATERIALIZED ({left}), b AS MATERIALIZED ({right}), e AS MATERIALIZED ("
        "SELECT l.low - r.high AS low, l.high - r.low AS high, l.dense AND r.dense AS dense"
        f" FROM ({ends} FROM a) AS l, ({ends} FROM b) AS r)"
        f" SELECT g.s::{type_name} AS c0 FROM e, generate_series(e.low, e.high) AS g(s) WHERE e.dense"
        f" UNION SELECT (a.c0 - b.c0)::{type_name} FROM a, b WHERE (SELECT e.dense FROM e) IS NOT TRUE"
        " UNION SELECT NULL FROM (SELECT FROM a WHERE c0 IS NULL LIMIT 1) AS n, (SELECT FROM b LIMIT 1) AS o"
        " UNION SELECT NULL FROM (SELECT FROM b WHERE c0 IS NULL LIMIT 1) AS n, (SELECT FROM a LIMIT 1) AS o"
    )

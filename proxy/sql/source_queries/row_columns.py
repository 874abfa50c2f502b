"""The expressions of a row that aggregates read, each computed once however often they read it."""

from __future__ import annotations

import re
from typing import assert_never

from proxy.sql.planning.statistic import DistinctCount, GridSum, ProductSum, RowCount, Statistic, UnitCount
from proxy.sql.replacing import replace
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term
from proxy.sql.terms.work import WORTH_ONCE


class RowColumns:
    """Columns of a subquery over the rows: x0, x1, ….

    Args:
        relation: the rows, with all that is computed of them.
    """

    def __init__(self, relation: Relation) -> None:
        self._computed = {term.sql: term.work for term in relation.terms if term.work}
        self._names: dict[str, str] = {}
        self._works: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def column(self, sql: str, work: int = 0) -> str:
        """The name of an expression, which takes so many nanoseconds."""
        name = self._names.setdefault(sql, f"x{len(self._names)}")
        self._works[name] = max(work, self._works.get(name, 0))
        return name

    def statistic(self, statistic: Statistic) -> Statistic:
        """A statistic over these columns."""
        condition = self._condition(statistic.filter_sql) if statistic.filter_sql is not None else None
        match statistic:
            case ProductSum():
                factors = tuple((self._named(value), grid) for value, grid in statistic.factors)
                return replace(statistic, filter_sql=condition, factors=factors)
            case RowCount():
                present = self._named(statistic.present) if statistic.present is not None else None
                return replace(statistic, filter_sql=condition, present=present)
            case GridSum() | DistinctCount():
                return replace(statistic, filter_sql=condition, value=self._named(statistic.value))
            case UnitCount():
                return replace(statistic, filter_sql=condition)
            case _:
                assert_never(statistic)

    def from_clause(self, rows: str, aggregates: str) -> str:
        """FROM, for aggregates of these columns.

        Postgres would move an expression to each place that names its column. It does not where the subquery has a
        WITH list, even of a query that nobody reads, which costs nothing: so that goes before expressions that take
        longer than this.

        Args:
            rows: FROM and WHERE of the rows themselves.
            aggregates: the SELECT list that names the columns.
        """
        columns = [f"{sql} AS {name}" for sql, name in self._names.items()]
        again = sum(
            work * (len(re.findall(rf"\b{name}\b", aggregates)) - 1) for name, work in self._works.items() if work
        )
        once = "WITH once AS (SELECT) " if again >= WORTH_ONCE else ""
        return f"FROM ({once}SELECT {', '.join(columns)} {rows}) AS r"

    def _condition(self, sql: str) -> str:
        """The name of a condition, which is made of what is known to be computed."""
        parts = {sql} if sql in self._computed else {part for part in self._computed if part in sql}
        return self.column(sql, sum(self._computed[part] * sql.count(part) for part in parts))

    def _named(self, value: Term) -> Term:
        return value.with_sql(self.column(value.sql, value.work))

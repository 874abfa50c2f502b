"""The noisy numbers behind aggregates (theorem 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proxy.sql.planning.grids import Grid
from proxy.sql.terms.term import Term


@dataclass(frozen=True)
class Statistic:
    """One measured number per group.

    Attributes:
        kind: `rows` (matching rows), `sum` (of grid cells of `value`), `units` (distinct units), `distinct` (distinct
            values of `value`).
        value: the summed value; for `rows` the value that must not be NULL, if any; for `distinct` a grouping term.
        filter_sql: condition of FILTER, if any.
        grid: for sums.
    """

    kind: Literal["rows", "sum", "units", "distinct"]
    value: Term | None = None
    filter_sql: str | None = None
    grid: Grid | None = None

    @property
    def adds_up(self) -> bool:
        """Is a total the sum over its groups? A unit, or a value, can be in several groups but counts once."""
        return self.kind in ("rows", "sum")

"""Distinct values by what keeping them costs a unit: from them follows how many count at every threshold (theorem 22).

A unit has pairs (group, value), of which it keeps some: those of each group in the order of a keyed hash, the first of
all groups before the second of any. What a pair costs is the norm of all that are kept up to it, to the power that
thresholds have: with a_g kept in group g, Σ a_g or Σ a_g², to which the j-th of a group adds 2j - 1. So at the
threshold τ a unit keeps the pairs that cost at most τ, and their norm is at most τ. A pair that any unit keeps counts
once, so what decides is the least cost that it has for any unit: the source counts the pairs of each group by the
bucket of that. The norm of a unit is the cost of its last pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.sql.planning.clipping import Clipping
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct
from proxy.sql.source_queries.buckets import bucket_sql
from proxy.sql.source_queries.distinct import DistinctPairs
from proxy.sql.source_queries.fragments import group_by, rows_clause, unit_columns
from proxy.sql.source_queries.hashes import keyed_hash
from proxy.sql.source_queries.per_unit import names

_MOST_PLACES = 2**25
"""Later pairs of a group cost as much as this one more: they are beyond every threshold."""


@dataclass(frozen=True)
class DistinctByNorm:
    """One norm of distinct values, with the statistics that it is of.

    Attributes:
        plan: the block's plan, with `clipping`.
        number: of the norm.
        statistics: those over these values.
        width: for how many statistics there are columns.
        seed: secret seed of the hash.
    """

    plan: BlockPlan
    number: int
    statistics: Sequence[Distinct]
    width: int
    seed: int

    @property
    def pairs_sql(self) -> str:
        """The CTE that the others read: each unit's pairs with what they cost, and whether a pair is the unit's last.
        A cluster would bring it to the coordinator, unless it is written out wherever it is read."""
        form = "NOT MATERIALIZED" if self.plan.relation.footprint.spread else "MATERIALIZED"
        return f"{self._name} AS {form} ({self._costs})"

    @property
    def numbers_sql(self) -> str:
        """Query: keys, the norm (i), a bucket (b), and of each statistic what its pairs of this bucket are together (a)
        and NULL (z); NULL for the weight of selected keys, and for units."""
        keys, pairs = names("k", self.plan.keys), self._pairs
        pair = ", ".join([*keys, *pairs.names])
        least = f"SELECT {pair}, min(cost) AS cost FROM {self._name} GROUP BY {pair}"
        columns = ", ".join([*keys, f"{self.number} AS i", f"{self._bucket} AS b", *pairs.names])
        numbers = [*pairs.numbers, *["NULL"] * (self.width - len(pairs.numbers))]
        sums = [f"{number}::numeric AS a{place}, NULL::numeric AS z{place}" for place, number in enumerate(numbers)]
        outputs = ", ".join([*keys, "i", "b", *sums, *self._no_weight, "NULL::bigint AS units"])
        return f"SELECT {outputs} FROM (SELECT {columns} FROM ({least}) AS least) AS r{group_by(len(keys) + 2)}"

    @property
    def units_sql(self) -> str:
        """Query: in the columns of `numbers_sql` the norm, a bucket, and last the number of its units; else NULL."""
        nothing = ["NULL::numeric"] * (2 * self.width)
        keys = ["NULL"] * len(self.plan.keys)
        outputs = ", ".join([*keys, f"{self.number} AS i", "b", *nothing, *self._no_weight, "count(*) AS units"])
        return f"SELECT {outputs} FROM (SELECT {self._bucket} AS b FROM {self._name} WHERE last) AS r GROUP BY b"

    @property
    def _name(self) -> str:
        return f"pairs{self.number}"

    @property
    def _pairs(self) -> DistinctPairs:
        return DistinctPairs(self.plan, self.statistics)

    @property
    def _no_weight(self) -> list[str]:
        return ["NULL::numeric AS weight"] if self.plan.selection is not None else []

    @property
    def _power(self) -> int:
        """Of a number of values in one group the norm is that number."""
        return self._clipping.power if self.plan.path == "general" else 1

    @property
    def _clipping(self) -> Clipping:
        if self.plan.clipping is None:
            raise AssertionError("norms are of plans that choose thresholds")
        return self.plan.clipping

    @property
    def _bucket(self) -> str:
        return bucket_sql(self._clipping.norms[self.number], "cost::double precision", self._power)

    @property
    def _costs(self) -> str:
        """Query: the pairs with what they cost. Equal hashes are ordered by the pair itself: the server's own order
        could depend on other units."""
        keys, pairs, unit = names("k", self.plan.keys), self._pairs, unit_columns(self.plan)
        columns = [*(f"{sql} AS {name}" for name, sql in unit.items()), *pairs.columns]
        rows = f"SELECT DISTINCT {', '.join(columns)} {rows_clause(self.plan, *pairs.conditions)}"
        hashed = f"{keyed_hash([*keys, 'x'], self.seed, unit='unit')} AS hash"
        rows = f"SELECT *, {hashed} FROM ({rows}) AS pairs"
        order, added = ["hash", *keys, *pairs.names], "row_number() OVER w"
        if self._power == 2:
            in_group = f"PARTITION BY {', '.join([*unit, *keys])} ORDER BY {', '.join(['hash', *pairs.names])}"
            rows = f"SELECT *, row_number() OVER ({in_group}) AS place FROM ({rows}) AS hashed"
            order = ["place", *order]
            added = f"sum(2 * LEAST(place, {_MOST_PLACES})::integer - 1) OVER w"
        outputs = ", ".join([*keys, *pairs.names, f"{added} AS cost", "lead(1) OVER w IS NULL AS last"])
        window = f"PARTITION BY {', '.join(unit)} ORDER BY {', '.join(order)} ROWS UNBOUNDED PRECEDING"
        return f"SELECT {outputs} FROM ({rows}) AS placed WINDOW w AS ({window})"

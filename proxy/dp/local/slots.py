"""How many records a local release has, and of which rows: the part of its guarantee that local randomisation cannot
give.

A file with one record for each unit would tell the number of units, so that adding or removing one of them would be
certain to show, however private each record is. So the number of records is noisy, and the records are a random choice
in random order:

    n rows are chosen, at most V of a unit. Z is discrete Laplace noise of scale V/ε₀, M = max(0, n + Z).
    If M <= n, a uniformly random set of M rows is reported. If M > n, all of them are, and M - n fillers.
    Fillers report what a row of missing values would. The records are shuffled. If a file is longer than a public
    limit, only its beginning is kept.

**Theorem.** If the reports of any two rows (fillers among them) are within a factor e^ε₁ of each other, the release is
(ε₀ + V·ε₁)-differentially private under adding or removing all rows of one unit.

Proof. Let D' be D and a unit u with c <= V chosen rows. Which rows of a unit are chosen depends on its own rows and on
independent randomness alone, so all other rows are the same. M is n or n + c with noise of scale V/ε₀: its law changes
by a factor of e^ε₀ at most. Keeping a part of the file is post-processing. Now fix M = m, and couple what is reported
in D' and D so that at most c records differ. Let S' be the rows (and fillers) of D', j <= c of them u's, and R the
others that are no fillers. Given j, R is uniform among the subsets of D's n rows of its size.
- m <= n: R has m - j rows. Let S be R and j uniformly random others of D's rows: a uniform subset of m rows, as in D.
- n < m < n + c: R has m - j rows, and D reports all n rows and m - n fillers: R, and (n - m + j) + (m - n) = j others.
- m >= n + c: j = c and D reports c more fillers in the place of u's rows.
In each case S' is S with j records of u in the place of j others. Records are randomised independently and
shuffled, so the laws of the two files, given the coupled S and S', are within e^(jε₁), and so are their mixtures. ∎

The same coupling proves the zCDP price: Rényi divergences of independent reports add up, a mixture has no greater one
than its worst part (quasi-convexity), and M followed by the records composes. No δ is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proxy.dp.accounting import Price
from proxy.dp.conversion import pure_rho
from proxy.dp.exact import positive, positive_count
from proxy.dp.noise import discrete_laplace
from proxy.dp.randomness import uniform_long_words

FILLER: Final = -1
"""The slot of a filler."""

LEAST_REPORT_EPSILON: Final = Fraction(1, 100)
"""With less, a million reports would not distinguish a half from a third. It also bounds the number of fillers."""

_COUNT_SHARE: Final = Fraction(1, 20)
"""The share of epsilon that hides the number of records; the rest is better spent on their values."""


@dataclass(frozen=True)
class LocalPrivacy:
    """How a local release divides its epsilon.

    Attributes:
        epsilon: > 0, of the whole release: adding or removing all rows of one unit.
        columns: reports in a record, >= 1, one for each column.
        values_per_unit: V >= 1, most records of a unit.

    Raises:
        ValueError: numbers outside of that, or not finite, or an epsilon too small to be useful.
    """

    epsilon: Fraction
    columns: int
    values_per_unit: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        positive_count("the number of columns", self.columns)
        positive_count("the number of values per unit", self.values_per_unit)
        if self.report_epsilon < LEAST_REPORT_EPSILON:
            least = float(self.reports * LEAST_REPORT_EPSILON / (1 - _COUNT_SHARE))
            raise ValueError(
                f"epsilon must be at least {least:.3g} for {self.reports} reports per unit: with less, even "
                "millions of units yield no usable estimate"
            )

    @property
    def count_epsilon(self) -> Fraction:
        """ε₀, for the number of records."""
        return self.epsilon * _COUNT_SHARE

    @property
    def report_epsilon(self) -> Fraction:
        """ε of each report: local differential privacy of one value, whoever reads the record."""
        return (self.epsilon - self.count_epsilon) / self.reports

    @property
    def reports(self) -> int:
        """The most reports of a unit."""
        return self.columns * self.values_per_unit

    @property
    def count_scale(self) -> Fraction:
        """Scale V/ε₀ of the noise on the number of records."""
        return self.values_per_unit / self.count_epsilon

    @property
    def price(self) -> Price:
        """Pure epsilon; its ρ is that of the noisy number and of the two bits in which any two reports differ."""
        rho = pure_rho(self.count_epsilon) + 2 * self.reports * pure_rho(self.report_epsilon / 2)
        return Price(self.epsilon, rho, Fraction(0))


@dataclass(frozen=True)
class Slots:
    """Which records to write.

    Attributes:
        rows: for each record the number of a row, or `FILLER`, in random order.
        total: M, before the public limit; public.
    """

    rows: NDArray[np.int64]
    total: int


def choose_slots(rows: int, privacy: LocalPrivacy, most: int) -> Slots:
    """Choose the records of a release.

    Args:
        rows: n, the number of rows, at most `values_per_unit` of each unit; private.
        privacy: of the release.
        most: public limit of the number of records.
    """
    total = max(0, rows + int(discrete_laplace(privacy.count_scale, 1)[0]))
    order = _random_order(max(rows, total))[: min(total, most)]
    return Slots(np.where(order < rows, order, FILLER), total)


def _random_order(count: int) -> NDArray[np.int64]:
    """A uniformly random order of 0 to count - 1, by sorting distinct random keys."""
    while True:
        keys = uniform_long_words(count)
        order = np.argsort(keys)
        ranked = keys[order]
        if not (ranked[1:] == ranked[:-1]).any():
            return order.astype(np.int64)

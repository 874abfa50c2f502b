"""When an answer may leave: a random delay after a source query, so that the guarantee covers its running time.

Let A be what a question releases, and T the whole number of ticks, rounded up, from its start until A is ready. A
leaves at T + B + L, where L is a discrete Laplace of scale t = S/ε conditioned on -B <= L <= B, drawn anew for each
question and independent of everything else; that is never before T.

**Theorem.** For all neighbours D and D' and every value a of A, let there be a coupling of T given A = a under D and
under D' in which the two differ by at most S ticks (the source is *timing-stable*). Then the time of release costs, on
top of A, (ε, δ) with

    δ = P[L <= -B + S - 1] = (q^(B-S+1) - q^(B+1)) / (1 + q - 2·q^(B+1)),   q = e^(-1/t),   for B >= S,

where B is the least one for which that is at most the requested delta.

*Proof.* Fix a, and a pair of the coupling, T' = T + k with 0 <= k <= S; k < 0 is its mirror image. At a time r that
both laws reach, P[T + B + L = r] / P[T' + B + L = r] = exp((|x - k| - |x|)/t) <= e^(k/t) <= e^ε for an x: conditioning
divides both by the same number, and so changes no ratio. What only the first reaches are the k lowest values of L, of
probability at most δ; what only the second reaches are the k highest, of the same probability. So for every set M of
times P[T + B + L in M] <= e^ε·P[T' + B + L in M] + δ, and the mean of that over the coupling is the claim for a. As it
holds for every a, A and the time compose like two questions of which the second is chosen after the first one's answer.
∎

It is essential that L is *conditioned*. If it were clamped to [-B, B], the atom at B would have q/(1 - q), about t,
times the probability of its neighbour: where t is several ticks, e^ε does not bound that ratio, and δ grows by the
atom.

An (ε, δ)-DP release is a pure one except with probability δ (Kairouz, Oh and Viswanath 2015), so its price is that of a
Laplace release and δ. Delays of this kind are those of Haeberlen, Pierce and Narayan 2011; stability given the output,
and its composition with the output's own price, are those of Ratliff and Vadhan 2024 (arXiv:2409.05623).

**What the theorem assumes**, and what has to ensure it:

- *One unit's rows change T by at most `work`.* A unit has R rows in a question, each of bounded work, so `work` is R
  times that: the steward's number, for the source as it is. It has to cover that a hash table or a sort may exceed a
  limit (memory, a batch, a page) because of one unit, and a batch of noise beyond the stock (`proxy.dp.stock`).
- *The source is the same otherwise.* It runs D and D' by the same plan, with the same statistics, caches, locks and
  other load. A plan that flips because of one unit, or a cache that an earlier question warmed for one unit's pages, is
  work of that unit and has to be part of `work`.
- *Questions do not wait for each other's exact time.* Whoever waits for a slot or a connection of a question in flight
  must get it when its answer leaves, not when its source query ends: then the waiting time is a released one.
- *Given A, the duration of drawing says nothing.* Noise is drawn before the source is asked, on a time grid of its own,
  and added in constant time; otherwise the duration would tell of the noise (Jin et al. 2022, arXiv:2112.05307). The
  exponential mechanism draws from the data, after they are known: its duration depends on the rows, by microseconds for
  each bucket that one unit occupies, which is part of T and of `work`.
- *Nothing else shows T.* A cancelled question ends at once, whatever it was doing, and leaves no answer to recall. The
  ledger's server may be the stage's, which counts everybody's work, so it is asked nothing from the charge to the
  release: a failure is recorded, and a suspension checked, after that, and a question that is cancelled before shows
  neither. What happens after the release (storing, formatting, the network) depends on what was released, and the
  machine's clock wakes a sleeper late by a time that does not depend on rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from proxy.dp.accounting import Price
from proxy.dp.exact import positive, probability
from proxy.dp.lazy_probability import exponential_bounds
from proxy.dp.noise import discrete_laplace

TICK = Fraction(1, 10_000)
"""In seconds. Times are rounded up to it; otherwise the fraction of a tick would show without noise."""

_GUARD_BITS = 64


@dataclass(frozen=True)
class ResponseDelay:
    """The delay of the theorem above.

    Attributes:
        epsilon: > 0.
        delta: in (0, 1).
        work: > 0, the most seconds by which one unit's rows change the running time.

    Raises:
        ValueError: arguments outside of that, or not finite.
    """

    epsilon: Fraction
    delta: Fraction
    work: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        object.__setattr__(self, "delta", probability("delta", self.delta))
        object.__setattr__(self, "work", positive("the work of one unit", self.work))

    @cached_property
    def shift(self) -> int:
        """S: the most ticks by which a time grows that grows by `work`, when both are rounded up."""
        return math.ceil(self.work / TICK)

    @cached_property
    def scale(self) -> Fraction:
        """t, in ticks."""
        return self.shift / self.epsilon

    @cached_property
    def reach(self) -> int:
        """B, in ticks: the least for which the theorem's δ, rounded up, is at most `delta`."""
        return _least_reach(self.shift, self.epsilon, self.delta)

    @property
    def longest(self) -> Fraction:
        """The most seconds that an answer waits; the mean is half of it."""
        return 2 * self.reach * TICK

    @property
    def price(self) -> Price:
        """The price of the time of release, on top of the answer's."""
        return Price.laplace(self.epsilon) + Price.key_selection(self.delta)

    def draw(self) -> int:
        """B + L, in ticks: 0 to 2B. Exact; values of the Laplace beyond B, fewer than one in 1/δ, are drawn again."""
        while True:
            drawn = int(discrete_laplace(self.scale, 1)[0])
            if abs(drawn) <= self.reach:
                return self.reach + drawn

    def release_after(self, elapsed: float, drawn: int) -> float:
        """Seconds from the start to the time of release.

        Args:
            elapsed: seconds from the start until the answer was ready, >= 0.
            drawn: from `draw`, fresh.
        """
        return float((math.ceil(Fraction(elapsed) / TICK) + drawn) * TICK)


@lru_cache(maxsize=64)
def _least_reach(shift: int, epsilon: Fraction, delta: Fraction) -> int:
    """The least B >= S that suffices; δ falls as B grows."""
    scale = shift / epsilon
    low, high = shift - 1, shift
    while not _suffices(high, shift, scale, delta):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _suffices(middle, shift, scale, delta) else (middle, high)
    return high


def _suffices(reach: int, shift: int, scale: Fraction, delta: Fraction) -> bool:
    """Is the theorem's δ at most `delta` with this B? Decided by bounds of the powers of q, δ rounded up."""
    precision = _GUARD_BITS + delta.denominator.bit_length()
    first = exponential_bounds((reach - shift + 1) / scale, precision)
    beyond = exponential_bounds((reach + 1) / scale, precision)
    ratio = exponential_bounds(1 / scale, precision)
    return first[1] - beyond[0] <= delta * ((1 << precision) + ratio[0] - 2 * beyond[1])

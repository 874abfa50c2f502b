"""How often the noise of a released number is drawn again, to tell how wrong an expression over them may be."""

from __future__ import annotations

from typing import Final

DRAWS: Final = 499
"""Draws for each number outside of the query that releases it. With one less than a round number the k-th of them in
order is the quantile k/500, neither too far inside nor outside."""

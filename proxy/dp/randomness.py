"""The only source of randomness for noise: the operating system's generator.

No state is kept in the process, so a fork repeats nothing and a core dump shows no future noise.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray


def uniform_words(count: int) -> NDArray[np.uint16]:
    """`count` independent uniform 16-bit words."""
    return np.frombuffer(os.urandom(2 * count), dtype=np.uint16)


def uniform_long_words(count: int) -> NDArray[np.uint64]:
    """`count` independent uniform 64-bit words."""
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


def uniform_bits(count: int) -> int:
    """A uniform integer of `count` bits."""
    return int.from_bytes(os.urandom((count + 7) // 8), "big") >> (-count % 8)

"""How much memory planning may take."""

from __future__ import annotations

from typing import Final

MEMORY: Final = 1 << 30
"""Bytes of addresses that a planning process may have, the interpreter's own among them."""

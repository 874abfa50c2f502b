"""The library for charts, without the hook that it leaves in every import that follows.

It looks for plugins in a way that Python 3.11 warns of each time, and that later ones do not know. We have none.
"""

from __future__ import annotations

import sys

import pygal
from pygal.style import Style

__all__ = ["Style", "pygal"]

sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]

"""A pytest plugin that imports a mutant in the place of its module: for what shows at the import only.

It is loaded before anything of the package. The variable DPPROXY_MUTANT names the module and a file with its text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType


class _Loader(SourceFileLoader):
    """Loads a module from a text that is not its file's, and leaves no bytecode behind."""

    mutated: Path

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        return compile(self.mutated.read_text(), self.get_filename(fullname), "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, module: str, mutated: Path) -> None:
        self._module, self._mutated = module, mutated

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            loader = _Loader(fullname, spec.origin)
            loader.mutated = self._mutated
            spec.loader = loader
        return spec


module_name, mutated_path = os.environ["DPPROXY_MUTANT"].split("=", 1)
sys.meta_path.insert(0, _Finder(module_name, Path(mutated_path)))

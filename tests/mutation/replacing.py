"""Puts a mutant in the place of the code that it was made of, in a process that has imported everything.

A mutant inside a function replaces that function's code, wherever the function is referred to. A mutant of a module's
constant gives the names that change their new values, in every module that imported them.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutation.session import Mutant

_PLAIN = (int, float, str, Fraction, tuple, list, dict, set, frozenset)


class NotReplaceableError(Exception):
    """The mutant shows only where its module is imported anew."""


class Replacer:
    """Knows all functions and caches of the package; made once, after the imports."""

    def __init__(self, package: str) -> None:
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        self._caches = []
        for found in gc.get_objects():
            if isinstance(found, FunctionType) and found.__module__ and found.__module__.startswith(f"{package}."):
                key = (found.__code__.co_filename, found.__code__.co_qualname, found.__code__.co_firstlineno)
                self._functions[key].append(found)
            elif isinstance(found, functools._lru_cache_wrapper):
                self._caches.append(found)

    def replace(self, mutant: Mutant) -> None:
        """Make the mutant real, for the rest of this process.

        Raises:
            NotReplaceableError: nothing that runs from now on would differ.
        """
        path = str(Path(mutant.path).resolve())
        before, after = Path(mutant.path).read_text(), mutant.source()
        place = _function_at(before, mutant.first_line)
        for cache in self._caches:
            cache.cache_clear()
        if place is None:
            _set_constants(mutant.module, after, path)
            return
        old, new = _codes(before, path)[place], _codes(after, path)[place]
        functions = self._functions[path, old.co_qualname, old.co_firstlineno]
        if not functions or new.replace(co_firstlineno=0, co_linetable=b"") == old.replace(
            co_firstlineno=0, co_linetable=b""
        ):
            raise NotReplaceableError
        for function in functions:
            function.__code__ = new


def _function_at(source: str, line: int) -> int | None:
    """Which of a module's outermost functions and methods, counted in their order, has this line; None outside."""
    for number, function in enumerate(_outermost(ast.parse(source))):
        if function.body[0].lineno <= line <= (function.end_lineno or 0):
            return number
    return None


def _outermost(tree: ast.Module | ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node)
        elif isinstance(node, ast.ClassDef):
            found += _outermost(node)
    return found


def _codes(source: str, path: str) -> list[CodeType]:
    """The code of each outermost function and method, in their order."""
    names = [function.name for function in _outermost(ast.parse(source))]

    def inside(code: CodeType) -> list[CodeType]:
        found = []
        for constant in code.co_consts:
            if isinstance(constant, CodeType) and not constant.co_name.startswith("<"):
                is_class = not constant.co_flags & 2  # CO_NEWLOCALS: functions have it
                found += inside(constant) if is_class else [constant]
        return found

    codes = inside(compile(source, path, "exec", dont_inherit=True))
    if [code.co_name for code in codes] != names:
        raise NotReplaceableError
    return codes


def _set_constants(module: str, source: str, path: str) -> None:
    known = vars(sys.modules[module])
    fresh = {name: known[name] for name in ("__name__", "__package__", "__file__", "__spec__", "__loader__")}
    exec(compile(source, path, "exec", dont_inherit=True), fresh)
    changed = {
        name: value
        for name, value in fresh.items()
        if isinstance(value, _PLAIN)
        and name in known
        and not name.startswith("__")
        and _text(value) != _text(known[name])
    }
    if not changed:
        raise NotReplaceableError
    for name, value in changed.items():
        old = known[name]
        for other in list(sys.modules.values()):
            for place, bound in list(vars(other).items()) if hasattr(other, "__dict__") else ():
                if bound is old and place == name:
                    setattr(other, place, value)


def _text(value: object) -> str:
    return repr(value)

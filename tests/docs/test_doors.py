"""A package's docstring is its door: it names every module inside."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PROXY = Path(__file__).parents[2] / "proxy"
PACKAGES = """
    budget dp policy postgres query release serving sql sql.source_queries sql.rows sql.suggesting sql.trees suggest_bounds
""".split()


@pytest.mark.parametrize("package", PACKAGES)
def test_the_door_of_a_package_names_what_is_inside(package: str) -> None:
    named = set(re.findall(r"\w+\*?", import_module(f"proxy.{package}").__doc__ or ""))
    folder = PROXY.joinpath(*package.split("."))
    inside = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    prefixes = tuple(name[:-1] for name in named if name.endswith("*"))
    missing = {name for name in inside - {"__init__"} if name not in named and not name.startswith(prefixes)}
    assert missing == set()

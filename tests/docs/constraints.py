"""docker/constraints.txt: one version of everything that the image installs.

`python -m tests.docs.constraints` writes the versions of this environment.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from typing import Final

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.docs.markdown import CHECKOUT

FILE: Final = CHECKOUT / "docker" / "constraints.txt"
_HEADING: Final = "# What the image installs, in versions that the tests ran with: python -m tests.docs.constraints\n"
_EXTRAS: Final = ("dashboard", "embedded", "fast")


def required() -> dict[str, list[Requirement]]:
    """What the image needs, by canonical name: all that is asked of each by dpproxy, and by what it needs itself. Which
    versions something asks for is known only of the version that is installed here: of another one, names count."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    chosen = [text for extra in _EXTRAS for text in project["optional-dependencies"][extra]]
    waiting = [Requirement(text) for text in (*project["dependencies"], *chosen)]
    found: dict[str, list[Requirement]] = {}
    seen: set[str] = set()
    pins = pinned()
    while waiting:
        requirement = waiting.pop()
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        here = distribution(requirement.name)
        is_pinned = pins.get(canonicalize_name(requirement.name)) == here.version
        for text in here.requires or ():
            further = Requirement(text)
            further.specifier = further.specifier if is_pinned else SpecifierSet()
            wanted = requirement.extras or {""}
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in wanted):
                waiting.append(further)
    return found


def pinned() -> dict[str, str]:
    """The file's versions, by canonical name."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def main() -> None:
    lines = [f"{name}=={distribution(name).version}\n" for name in sorted(required())]
    FILE.write_text(_HEADING + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

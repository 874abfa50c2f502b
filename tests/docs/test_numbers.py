"""The numbers by which code and tests refer to theorems, attacks and decisions stand in the tree, and are used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THEOREMS, ATTACKS, DECISIONS = ROOT / "proxy/dp/README.md", ROOT / "tests/attacks/README.md", ROOT / "proxy/README.md"
DEFINED = {
    "theorem": (THEOREMS, r"^### Theorem (\d+):"),
    "attack": (ATTACKS, r"^\| (\d+) \|"),
    "decision": (DECISIONS, r"^### Decision (\d+):"),
}
_MENTION = r"(?<![\w'])(?:{name}|{name}s) (\d+(?:(?:, | and |, and | to |-)\d+)*)"


def defined(name: str) -> set[int]:
    document, pattern = DEFINED[name]
    return {int(number) for number in re.findall(pattern, document.read_text(), re.MULTILINE)}


@cache
def mentioned(name: str, folder: str) -> frozenset[int]:
    found: set[int] = set()
    for path in sorted((ROOT / folder).rglob("*.py")):
        for listed in re.findall(_MENTION.format(name=name), path.read_text()):
            for first, last in re.findall(r"(\d+)(?:(?: to |-)(\d+))?", listed):
                found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


@pytest.mark.parametrize("name", DEFINED)
def test_every_number_that_is_mentioned_stands_in_the_tree(name: str) -> None:
    numbers = defined(name)
    assert numbers == set(range(1, len(numbers) + 1))
    assert len(numbers) >= 9
    assert mentioned(name, "proxy") | mentioned(name, "tests") <= numbers


def test_every_theorem_is_named_by_the_code_that_it_is_about_and_by_a_test() -> None:
    rows = re.findall(r"^\| \[(\d+)\].*?\| `(.*?)` \| `(.*?)` \|$", THEOREMS.read_text(), re.MULTILINE)
    assert {int(number) for number, *_ in rows} == defined("theorem")
    for _, *paths in rows:
        assert all((ROOT / path).is_file() for path in paths), paths


@pytest.mark.parametrize("document", [ATTACKS, DECISIONS, ROOT / "proxy/THREATS.md"], ids=lambda path: path.parent.name)
def test_files_that_documents_name_exist(document: Path) -> None:
    folders = (ROOT, ROOT / "proxy", document.parent)
    for path in re.findall(r"`((?:[\w-]+/)*[\w-]+\.py)`", document.read_text()):
        assert any((folder / path).is_file() for folder in folders), path


def test_every_attack_has_a_test() -> None:
    for line in re.findall(r"^\| \d+ \|.*$", ATTACKS.read_text(), re.MULTILINE):
        assert re.search(r"`[\w/]+\.py`", line.rsplit("|", 2)[1]), line

"""All pages together: every block is run by a test, every link leads somewhere, every page is found from the README."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.docs.markdown import CHECKOUT, PAGES, README, Page

RUN_BY: Final = {
    ("psql", None): "test_sessions.py",
    ("sql", "answered"): "test_language.py",
    ("sql", "owner"): "test_serve.py",
    ("yaml", "policy"): "test_serve.py",
    ("yaml", "tables"): "test_policies.py",
    ("yaml", "logins"): "test_policies.py",
    ("yaml", "renewal"): "test_policies.py",
    ("yaml", "mistakes"): "test_policies.py",
    ("yaml", "workflow"): "test_ci_examples.py",
    ("yaml", "gitlab"): "test_ci_examples.py",
    ("console", "mistakes"): "test_policies.py",
    ("console", "diff"): "test_policies.py",
    ("console", "init"): "test_serve.py",
    ("console", "start"): "test_serve.py",
    ("yaml", "start"): "test_serve.py",
    ("console", "serve"): "test_serve.py",
    ("console", "explain"): "test_serve.py",
    ("console", "queries"): "test_serve.py",
    ("console", "dummy"): "test_serve.py",
    ("sql", "queries"): "test_serve.py",
    ("console", "bounds"): "test_suggested_bounds.py",
    ("console", "local"): "test_local_release.py",
    ("console", "budget"): "test_operations.py",
    ("sql", "expressions"): "test_functions.py",
    ("console", "suspensions"): "test_operations.py",
    ("sh", "containers"): "test_operations.py",
    ("sh", "ledger"): "test_operations.py",
    ("sh", "certificates"): "test_operations.py",
    ("sh", "programs"): "test_programs.py",
    ("sh", "citus"): "test_programs.py",
    ("sh", "demo"): "test_programs.py",
    ("sh", "tests"): "test_programs.py",
}
"""Which file of this folder runs the blocks of a language with a marker. Blocks of `text` are drawings."""

MOST_LINES_OF_README: Final = 250


def test_every_block_is_run_by_a_test() -> None:
    found = {(block.language, block.marker) for page in PAGES.values() for block in page.blocks()}
    assert found == {*RUN_BY, ("text", None)}
    folder = CHECKOUT / "tests" / "docs"
    for (language, marker), file in RUN_BY.items():
        assert f'"{marker or language}"' in (folder / file).read_text(encoding="utf-8"), (language, marker)


def test_every_fence_is_closed_and_understood() -> None:
    for page in PAGES.values():
        fences = re.findall(r"^ *```", page.text, re.MULTILINE)
        assert len(fences) == 2 * len(page.blocks()), page


@pytest.mark.parametrize(
    ("page", "target"), [(page, target) for page in PAGES.values() for target in page.links], ids=str
)
def test_links_lead_to_files_and_headings(page: Page, target: str) -> None:
    if target.startswith("https://"):
        return
    file, _, anchor = target.partition("#")
    reached = (page.directory / file).resolve() if file else CHECKOUT / page.path
    assert reached.exists(), "no such file"
    if anchor:
        assert anchor in PAGES[reached.relative_to(CHECKOUT).as_posix()].anchors


def test_anchors_are_those_of_github() -> None:
    anchors = PAGES["proxy/dp/README.md"].anchors
    assert {"theorem-14-from-zcdp-to-ε-δ", "sensitivity"} <= anchors
    assert "theorem 14" not in anchors


def test_every_page_is_found_from_the_readme() -> None:
    found, pending = set[str](), [README.path]
    while pending:
        path = pending.pop()
        if path in found or path not in PAGES:
            continue
        found.add(path)
        page = PAGES[path]
        for target in page.links:
            reached = (page.directory / target.partition("#")[0]).resolve()
            if reached.is_relative_to(CHECKOUT):
                pending.append(reached.relative_to(CHECKOUT).as_posix())
    assert found == PAGES.keys()


def test_the_top_level_has_a_readme_and_a_changelog() -> None:
    assert {path.name for path in CHECKOUT.glob("*.md")} == {"README.md", "CHANGELOG.md"}


def test_the_readme_stays_short() -> None:
    assert README.text.count("\n") <= MOST_LINES_OF_README

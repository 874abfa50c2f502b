"""Entries added to a policy's text in place: they come last, and every other byte stays."""

from __future__ import annotations

import pytest

from proxy.policy.additions import with_additions
from proxy.policy.load import examine_text
from proxy.policy.rewriting import RewriteError

HEAD = """\
version: 1  # the first
units: {patient: {}}
tables:
  public.visits:
    unit: {name: patient, column: id}
    budget: {epsilon: 1}
"""
OTHER = """\
  public.other:
    unit: {name: patient, column: id}
    budget: {epsilon: 1}
    columns:
      id: {}
"""
COLUMNS = ("tables", "public.visits", "columns")
LINES = ["cost: {}  # decide: bounds", "# email: {}  # left out", "open: {values: [false, true]}"]


def columns_of(text: str) -> list[str]:
    policy = examine_text(text, "", {}).policy
    assert policy is not None
    return list(policy.tables["public.visits"].columns or {})


@pytest.mark.parametrize(
    ("columns", "before"),
    [
        ("    columns:\n      id: {}\n", ["id"]),
        ("    columns:\n      id: {}  # a comment\n\n    # another\n", ["id"]),
        ("    columns:\n      id: {}", ["id"]),
        ("    columns:\n        id:\n          values:\n          - 1\n          - 2\n", ["id"]),
        ("    columns:\n      id: {}\n    data_version: '2'\n  public.regions: {public: true}\n", ["id"]),
        ("    columns: {}\n", []),
        ("    columns: {id: {}}  # braces\n", ["id"]),
        ("    columns: {id: {}, }\n", ["id"]),
        ("    columns: {\n      id: {},\n      n: {}\n    }\n    data_version: '2'\n", ["id", "n"]),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_entries_come_last_and_the_rest_stays(columns: str, before: list[str], line_end: str) -> None:
    text = (HEAD + columns).replace("\n", line_end)
    result = with_additions(text, {COLUMNS: LINES}, {})
    assert columns_of(result) == [*before, "cost", "open"]
    assert "# email: {}  # left out" in result
    kept = iter(result)
    assert all(letter in kept for letter in text), "something was changed"
    assert ("\n" in result.replace("\r\n", "")) == (line_end == "\n")


def test_several_mappings_at_once() -> None:
    table = ["public.new:", "  unit: {name: patient, column: id}", "  budget: {epsilon: 1}", "  columns: {}"]
    result = with_additions(HEAD + "    columns:\n      id: {}\n", {COLUMNS: ["n: {}"], ("tables",): table}, {})
    policy = examine_text(result, "", {}).policy
    assert policy is not None
    assert list(policy.tables) == ["public.visits", "public.new"]
    assert columns_of(result) == ["id", "n"]


@pytest.mark.parametrize(
    ("text", "lines", "message"),
    [
        (f"{HEAD}    columns:\n      id: {{}}\n{OTHER}".replace("\n", "\r"), LINES, "cannot be edited in place"),
        (f"{HEAD}    columns: &c {{id: {{}}}}\n", LINES, "has an anchor"),
        (f"{HEAD}    columns:\n", LINES, "is not a mapping"),
        (f"{HEAD}    columns: {{id: {{}}}}\n", ["id: {}"], "would not be valid"),
        (f"{HEAD}    columns: {{id: {{}}}}\n", ["a:", "  step: 1"], "within { }"),
        (f"{HEAD}    columns: [\n", LINES, "not valid YAML"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, lines: list[str], message: str) -> None:
    with pytest.raises(RewriteError, match=message):
        with_additions(text, {COLUMNS: lines}, {})

"""Texts that are no YAML: where, and what was probably meant."""

from __future__ import annotations

import io

import pytest

from proxy.policy.load import examine_stream
from tests.policy.policies import MARK, VALID, edited, examine, marked_place

pytestmark = pytest.mark.unit

BORN = "born: {range: [1900, 2026]}"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (edited(BORN, f"{BORN}  # a{MARK}\x0cb"), "the character U+000C is not allowed", "remove the character"),
        (edited(BORN, f"born: {{range: “{MARK}[1900, 2026]”}}"), "while parsing a flow mapping", "straight quotes"),
        (edited("version: 1\nanalysts", f"version:1\nanalysts{MARK}"), "mapping values", "after the colon in line 1"),
        (edited("version: 1\nanalysts", f"version：1\nanalysts{MARK}"), "mapping values", "line 1 has a wide colon"),
        (f"{VALID}{MARK}---\n{VALID}", "another document", "a policy is one document"),
        (edited(BORN, f"born: {{values: [{MARK}@a]}}"), "cannot start any token", "quote the text"),
        (
            edited(BORN, f"born: {{bounds: [2024-01-01, 2026-01-01){MARK}}}"),
            "expected ',' or ']'",
            'write "[2024-01-01, 2026-01-01)"',
        ),
        (edited(BORN, f"born: {MARK}*nothing"), "undefined alias", "quote the text if it is none"),
    ],
)
def test_syntax_is_found_at_its_place_with_what_was_meant(text: str, message: str, hint: str) -> None:
    text, line, column = marked_place(text)
    (found,) = examine(text).findings
    assert (found.line, found.column) == (line, column)
    assert message in found.message
    assert hint in found.hint


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"version: 1\n# Gr\xf6\xdfe\n", (2, 5), "the byte 0xF6 is not UTF-8 text"),
        (VALID.encode("utf-16"), (1, 1), "UTF-16 text, not UTF-8"),
    ],
)
def test_other_encodings_are_named_with_their_place(data: bytes, place: tuple[int, int], message: str) -> None:
    (found,) = examine_stream(io.BytesIO(data), "policy.yaml").findings
    assert (found.line, found.column) == place
    assert (found.message, found.hint) == (message, "save the file as UTF-8")


@pytest.mark.parametrize(
    ("key", "hint"),
    [("\u00a0\u00a0born: {}", "no-break space"), ("born: {step:1}", "write a blank after the colon")],
)
def test_keys_with_blanks_in_the_wrong_place_are_explained(key: str, hint: str) -> None:
    text = edited(BORN, key) if "step" in key else VALID.replace("units:\n  patient: {}", f"units:\n{key}", 1)
    assert any(hint in found.hint for found in examine(text).findings)


def test_a_finding_is_one_line_whatever_names_contain() -> None:
    (found,) = [each for each in examine(edited(BORN, '"a\\nb": {bounds: [9, 1]}')).findings if each.rule == "DP402"]
    assert str(found).count("\n") == 1
    assert r"a\nb" in str(found)

"""Remarks in a policy: marks of what is left to decide, and findings that are allowed for a reason."""

from __future__ import annotations

import time

import pytest

from proxy.commands.check import findings_of_file
from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding
from tests.policy.policies import MARK, VALID, edited, examine, marked_place

STATED = "timing: null\n"
LARGE_DELTA = edited("epsilon: 4, delta: 1e-6}", "epsilon: 4, delta: 0.01}") + STATED
LINE = "budget: {epsilon: 4, delta: 0.01}"


def findings_of(text: str) -> list[Finding]:
    return findings_of_file("policy.yaml", examine(text), None)


def remarked(remark: str) -> str:
    return LARGE_DELTA.replace(LINE, f"{LINE}  {remark}")


def test_a_finding_is_allowed_for_a_reason_on_its_line() -> None:
    assert [finding.rule for finding in findings_of(LARGE_DELTA)] == ["DP302"]
    assert findings_of(remarked("# dpproxy: allow DP302 made-up data of a course")) == []


@pytest.mark.parametrize(
    ("remark", "message"),
    [
        ("# dpproxy: allow DP302", "DP302 is allowed without a reason"),
        ("# dpproxy: allow DP999 reason", "there is no rule DP999"),
        ("# dpproxy: allow DP301 reason", "nothing on this line is a finding of DP301"),
        ("# dpproxy: ignore DP302", "not a remark that dpproxy understands"),
        ("# dpproxy:", "not a remark that dpproxy understands"),
    ],
)
def test_a_remark_that_does_nothing_is_a_finding_and_the_other_one_stays(remark: str, message: str) -> None:
    found = findings_of(remarked(remark))
    assert sorted((finding.rule, finding.message) for finding in found) == [
        ("DP002", message),
        ("DP302", "a delta of 0.01 is too large to protect anybody"),
    ]


def test_a_finding_of_another_line_is_not_allowed() -> None:
    text = LARGE_DELTA.replace("units:\n", "units:  # dpproxy: allow DP302 reason\n")
    assert [finding.rule for finding in findings_of(text)] == ["DP002", "DP302"]


def test_an_error_cannot_be_allowed() -> None:
    text = edited("epsilon: 3, delta: 1e-6}", "epsilon: -3, delta: 1e-6}  # dpproxy: allow DP112 reason") + STATED
    assert [(finding.rule, finding.severity) for finding in findings_of(text)] == [
        ("DP112", "error"),
        ("DP002", "warning"),
    ]


def test_a_mark_stands_for_the_warnings_of_its_line_at_its_own_place() -> None:
    text, line, column = marked_place(remarked(f"{MARK}# decide: how much?"))
    (found,) = findings_of(text)
    assert (found.rule, found.message, found.line, found.column) == ("DP001", "left to decide: how much?", line, column)


def test_a_mark_hides_no_error() -> None:
    text = edited("epsilon: 3, delta: 1e-6}", "epsilon: -3, delta: 1e-6}  # decide: how much?") + STATED
    assert [finding.rule for finding in findings_of(text)] == ["DP112", "DP001"]


def test_very_many_remarks_are_read_in_one_pass() -> None:
    began = time.process_time()
    found = findings_of(VALID + STATED + "# decide: a\n" * 40_000)
    assert len(found) == 40_000
    assert found[-1].line == len(VALID.splitlines()) + 1 + 40_000
    # Alone it takes a second; with every line counted from the start it took minutes.
    assert time.process_time() - began < 20


def test_a_line_that_is_all_comment_can_be_a_mark() -> None:
    assert [finding.rule for finding in findings_of(VALID + STATED + "# decide: is that all?\n")] == ["DP001"]


@pytest.mark.parametrize("value", ['"a # decide: b"', "'a # decide: b'", "|\n          a # decide: b", "a#decide:b"])
def test_what_stands_inside_a_value_is_no_remark(value: str) -> None:
    text = edited("[cardiology, radiology]", "[x]").replace("cost: {bounds", "plain: {}\n      cost: {bounds")
    text = text.replace("  public.regions", f"    data_version: {value}\n  public.regions") + STATED
    assert examine(text).policy is not None
    assert findings_of(text) == []


def test_a_remark_behind_a_value_with_a_hash_is_seen() -> None:
    text = VALID.replace("  public.regions", '    data_version: "a # b"  # decide: c\n  public.regions') + STATED
    assert [finding.message for finding in findings_of(text)] == ["left to decide: c"]


def test_a_remark_about_what_only_a_database_shows_is_no_finding_without_one() -> None:
    accepted = VALID + "timing: null  # dpproxy: allow DP507 all specialties there are\n"
    assert findings_of_file("policy.yaml", examine(accepted), None) == []
    (unknown,) = findings_of_file("policy.yaml", examine(accepted.replace("DP507", "DP599")), None)
    (careless,) = findings_of_file("policy.yaml", examine(accepted.replace(" all specialties there are", "")), None)
    assert (unknown.rule, careless.rule) == ("DP002", "DP002")
    (idle,) = [
        finding for finding in findings_of_file("policy.yaml", examine(accepted), Catalog()) if finding.rule == "DP002"
    ]
    assert "nothing on this line is a finding of DP507" in idle.message

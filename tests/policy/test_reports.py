"""Reports for CI: the essentials of SARIF 2.1.0, JUnit and GitLab's Code Quality."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from jsonschema import FormatChecker

from proxy.commands.check import findings_of_file
from proxy.policy.findings import Finding
from proxy.policy.reports import REPORTS
from proxy.policy.rule_list import RULE_LIST
from tests.policy.policies import VALID, edited, examine
from tests.policy.report_schemas import GITHUB, GITLAB, SARIF, junit_faults

BAD = edited("epsilon: 3,", "epsilon: -3,").replace("patient: {}", 'patient: {}\n  "<a>\\u0001": {}')
FINDINGS = findings_of_file("a folder/bad.yaml", examine(BAD), None)
FINDINGS = [Finding(**{**vars(finding), "file": "a folder/bad.yaml"}) for finding in FINDINGS]
SUMMARIES = {"a folder/bad.yaml": "1 error", "good.yaml": "ok"}


def report(name: str, findings: list[Finding] = FINDINGS) -> str:
    return REPORTS[name](findings, SUMMARIES)


def test_the_findings_are_an_error_and_warnings() -> None:
    assert {finding.severity for finding in FINDINGS} == {"error", "warning"}


def test_sarif_has_what_version_2_1_0_requires() -> None:
    log = json.loads(report("sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "dpproxy"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(
        rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error") for rule in driver["rules"]
    )
    assert len(run["results"]) == len(FINDINGS)
    for result, finding in zip(run["results"], FINDINGS, strict=True):
        assert ids[result["ruleIndex"]] == result["ruleId"] == finding.rule
        assert result["level"] == finding.severity
        assert finding.message in result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20folder/bad.yaml"
        assert place["region"] == {"startLine": finding.line, "startColumn": finding.column}


@pytest.mark.parametrize("findings", [FINDINGS, []], ids=["findings", "none"])
def test_reports_have_what_their_standards_allow_and_no_more(findings: list[Finding]) -> None:
    for name, schema in (("sarif", SARIF), ("gitlab", GITLAB)):
        jsonschema.validate(
            json.loads(report(name, findings)), schema, jsonschema.Draft202012Validator, format_checker=FormatChecker()
        )
    assert junit_faults(ElementTree.fromstring(report("junit", findings))) == []
    lines = report("github", findings).splitlines()
    assert [bool(GITHUB.fullmatch(line)) for line in lines] == [*[True] * len(findings), False, False]


def test_the_schemas_find_what_is_wrong() -> None:
    log = json.loads(report("sarif"))
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, SARIF)
    root = ElementTree.fromstring(report("junit"))
    root.set("tests", "1")
    ElementTree.SubElement(root[0][1], "system-out")
    root[1].attrib.pop("timestamp")
    assert junit_faults(root) == ["testsuites.tests", "children of testcase", "testsuite.timestamp"]


def test_warnings_are_told_by_the_suite() -> None:
    outputs = [suite.findtext("system-out") for suite in ElementTree.fromstring(report("junit")).findall("testsuite")]
    warnings = [finding for finding in FINDINGS if finding.severity == "warning"]
    assert outputs[0] is not None
    assert all(finding.rule in outputs[0] for finding in warnings)
    assert outputs[1] == "ok"


def test_junit_counts_what_it_contains() -> None:
    root = ElementTree.fromstring(report("junit"))
    assert root.tag == "testsuites"
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == list(SUMMARIES)
    for suite in suites:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert all(case.get("name") and case.get("classname") for case in suite.findall("testcase"))
    (failure,) = root.findall("testsuite/testcase/failure")
    assert failure.get("type") == "DP112"


def test_gitlab_has_a_fingerprint_for_each_finding() -> None:
    entries: list[dict[str, Any]] = json.loads(report("gitlab"))
    assert len({entry["fingerprint"] for entry in entries}) == len(entries) == len(FINDINGS)
    for entry, finding in zip(entries, FINDINGS, strict=True):
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["check_name"] == finding.rule
        assert entry["location"] == {"path": finding.file, "lines": {"begin": finding.line}}
        assert re.fullmatch("[0-9a-f]{64}", entry["fingerprint"])


def test_a_fingerprint_stays_when_a_finding_moves() -> None:
    moved = [Finding(**{**vars(finding), "line": finding.line + 3}) for finding in FINDINGS]
    before, after = (json.loads(report("gitlab", findings)) for findings in (FINDINGS, moved))
    assert [entry["fingerprint"] for entry in before] == [entry["fingerprint"] for entry in after]


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_names_every_rule_that_was_broken(name: str) -> None:
    text = report(name)
    assert all(finding.rule in text for finding in FINDINGS)
    assert {finding.rule for finding in FINDINGS} <= RULE_LIST.keys()


def test_a_policy_without_findings_is_one_passed_test() -> None:
    assert findings_of_file("", examine(VALID + "timing: null\n"), None) == []
    root = ElementTree.fromstring(report("junit", []))
    assert [suite.get("failures") for suite in root.findall("testsuite")] == ["0", "0"]

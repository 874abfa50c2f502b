"""Findings as people and programs read them: text, JSON, and what platforms of code reviews show beside the lines."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree

from proxy.policy.findings import Finding
from proxy.policy.rule_list import RULE_LIST

Report = Callable[[Sequence[Finding], Mapping[str, str]], str]
"""Prints findings and, by file, what is to be said of it as a whole."""


def as_text(findings: Sequence[Finding], summaries: Mapping[str, str]) -> str:
    """For people."""
    return "\n".join([*map(str, findings), *(f"{file}: {summary}" for file, summary in summaries.items())])


def as_json(findings: Sequence[Finding], _summaries: Mapping[str, str]) -> str:
    """A list of findings."""
    return json.dumps([dataclasses.asdict(finding) for finding in findings], indent=2, ensure_ascii=False)


def as_github(findings: Sequence[Finding], summaries: Mapping[str, str]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    lines = []
    for finding in findings:
        place = (finding.file, finding.line, finding.column)
        lines.append(workflow_command(finding.severity, *place, finding.rule, _words(finding)))
    return "\n".join([*lines, *(f"{file}: {summary}" for file, summary in summaries.items())])


def workflow_command(level: str, file: str, line: int, column: int, title: str, words: str) -> str:
    """A line that GitHub shows as an annotation; `level` is error, warning or notice."""
    return f"::{level} file={_property(file)},line={line},col={column},title={_property(title)}::{_data(words)}"


def _words(finding: Finding) -> str:
    return f"{finding.sentence}\nhint: {finding.hint}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_gitlab(findings: Sequence[Finding], _summaries: Mapping[str, str]) -> str:
    """A Code Quality report, which GitLab shows in merge requests."""
    levels = {"error": "critical", "warning": "minor"}
    entries = [
        {
            "description": f"{finding.sentence}. {finding.hint}",
            "check_name": finding.rule,
            "fingerprint": _fingerprint(finding),
            "severity": levels[finding.severity],
            "location": {"path": finding.file, "lines": {"begin": finding.line}},
        }
        for finding in findings
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _fingerprint(finding: Finding) -> str:
    """That of a finding, which stays if it moves to another line, where it has a path."""
    place = finding.path or f"{finding.line}:{finding.column}"
    parts = (finding.file, finding.rule, place, finding.message)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def as_sarif(findings: Sequence[Finding], _summaries: Mapping[str, str]) -> str:
    """SARIF 2.1.0, for GitHub's code scanning and others."""
    used = sorted({finding.rule for finding in findings})
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": RULE_LIST[rule].summary},
            "defaultConfiguration": {"level": RULE_LIST[rule].severity},
        }
        for rule in used
    ]
    driver = {"name": "dpproxy", "version": version("dpproxy"), "rules": rules}
    results = [_sarif_result(finding, used.index(finding.rule)) for finding in findings]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=2, ensure_ascii=False)


def _sarif_result(finding: Finding, index: int) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    place = {"artifactLocation": {"uri": quote(PurePath(finding.file).as_posix())}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": _words(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"dpproxy/v1": _fingerprint(finding)},
    }


def as_junit(findings: Sequence[Finding], summaries: Mapping[str, str]) -> str:
    """JUnit's XML: a suite for each file, a test case for each finding; errors fail, warnings are only told.

    It is what both Ant's schema and that of Jenkins allow. Ant's requires times, properties and outputs of a suite, and
    allows no output of a test case.
    """
    suites = ElementTree.Element("testsuites")
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    for number, (file, summary) in enumerate(summaries.items()):
        own = [finding for finding in findings if finding.file == file]
        errors = [finding for finding in own if finding.severity == "error"]
        attributes = {
            "name": _xml(file),
            "package": "dpproxy.check",
            "id": str(number),
            "tests": str(max(1, len(own))),
            "failures": str(len(errors)),
            "errors": "0",
            "timestamp": now,
            "hostname": "localhost",
            "time": "0",
        }
        suite = ElementTree.SubElement(suites, "testsuite", attributes)
        ElementTree.SubElement(suite, "properties")
        for finding in own:
            case = _case(suite, file, f"{finding.rule} {finding.line}:{finding.column} {finding.path}".strip())
            if finding.severity == "error":
                failure = ElementTree.SubElement(case, "failure", type=finding.rule, message=_xml(finding.sentence))
                failure.text = _xml(str(finding))
        if not own:
            _case(suite, file, "policy")
        told = [str(finding) for finding in own if finding.severity != "error"]
        ElementTree.SubElement(suite, "system-out").text = _xml("\n".join([*told, summary]))
        ElementTree.SubElement(suite, "system-err")
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=False)


def _case(suite: ElementTree.Element, file: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_xml(file), name=_xml(name), time="0")


def _xml(text: str) -> str:
    """Without characters that XML cannot hold."""
    allowed = (letter in "\t\n" or (letter >= " " and letter not in "\ufffe\uffff") for letter in text)
    return "".join(letter if fits else "?" for letter, fits in zip(text, allowed, strict=True))


REPORTS: Final[Mapping[str, Report]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "gitlab": as_gitlab,
    "sarif": as_sarif,
    "junit": as_junit,
}

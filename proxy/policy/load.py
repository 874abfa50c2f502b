"""Loads a policy file as a `Policy`, or reports everything that is wrong with it (decision 8)."""

from __future__ import annotations

import codecs
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from proxy.policy.document import MOST_CHARACTERS, parse_document
from proxy.policy.findings import Finding, PolicyError, SourceMap, has_errors
from proxy.policy.model import Policy
from proxy.policy.remarks import Remark
from proxy.policy.rules import check_rules
from proxy.policy.structure import build_policy
from proxy.policy.syntax import place_at

__all__ = [
    "Examination",
    "Finding",
    "PolicyError",
    "examine_policy",
    "examine_stream",
    "examine_text",
    "lacks_source",
    "load_policy",
]


_OF_SHELLS: Final = ("/dev/fd/", "/dev/stdin", "/proc/")
"""Where the pipes of a shell are, as in <(command), to which somebody writes."""
_MOST_BYTES: Final = 4 * MOST_CHARACTERS
"""A character has at most four."""


@dataclass(frozen=True)
class Examination:
    """Everything that can be said about a policy file without its source.

    Attributes:
        policy: the policy; None if a finding is an error.
        findings: errors and warnings, in the order of the file.
        source_map: the place of each part of the policy, for findings that come up later (`lint`).
        remarks: comments that `dpproxy check` understands.
    """

    policy: Policy | None
    findings: list[Finding]
    source_map: SourceMap
    remarks: Sequence[Remark] = ()


def load_policy(path: Path, *, needs_source: bool = True) -> Policy:
    """Load a policy from a YAML file, with values for `${NAME}` from the process's environment.

    Args:
        path: the file.
        needs_source: is `source` asked for? Else variables that it names may be unset, as if it were absent.

    Raises:
        PolicyError: the policy cannot be used; it lists every mistake.
    """
    examination = examine_policy(path, needs_source=needs_source)
    if examination.policy is None:
        raise PolicyError(examination.findings)
    return examination.policy


def examine_policy(path: Path, *, needs_source: bool = True) -> Examination:
    """Like `load_policy`, with the findings and the places of the policy's parts."""
    if path.is_fifo() and not str(path).startswith(_OF_SHELLS):
        return _unreadable(str(path), "a pipe, which nobody may ever write to", "name a file, or - for standard input")
    try:
        with path.open("rb") as file:
            return examine_stream(file, str(path), needs_source=needs_source)
    except OSError as error:
        return _unreadable(str(path), f"cannot be read: {error.strerror}", "name an existing, readable policy file")


def examine_stream(stream: BinaryIO, file: str, *, needs_source: bool = True) -> Examination:
    """Like `examine_policy`, for what a stream contains; no more of it is read than a policy may have."""
    data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        text = "\n" * (MOST_CHARACTERS + 1)  # larger than any text that is examined
        return examine_text(text, file, os.environ)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(data, error.start, file)
    return examine_text(text, file, os.environ, needs_source=needs_source)


def examine_text(text: str, file: str, environment: Mapping[str, str], *, needs_source: bool = True) -> Examination:
    """Load a policy from its text; `file` is the name that findings carry."""
    document = parse_document(text, file, environment, unneeded=() if needs_source else (("source",),))
    findings = document.findings
    if not isinstance(document.data, dict):
        if not findings:
            hint = "start with `version: 1` and a mapping `tables`"
            findings = [document.source_map.error("DP101", (), "a policy is a mapping", hint)]
        return Examination(None, findings, document.source_map, document.remarks)
    structure = build_policy(document.data, document.source_map)
    rule_findings = check_rules(structure.policy, document.source_map)
    findings = sorted([*findings, *structure.findings, *rule_findings])
    policy = None if has_errors(findings) else structure.policy
    return Examination(policy, findings, document.source_map, document.remarks)


def lacks_source(examination: Examination) -> bool:
    """Does the policy name a `source` by a variable that has no value, where that need not be set?"""
    policy = examination.policy
    return policy is not None and policy.source is None and bool(examination.source_map.written(("source",), ""))


def _not_utf8(data: bytes, start: int, file: str) -> Examination:
    before = data[:start].decode()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _unreadable(file, "UTF-16 text, not UTF-8", "save the file as UTF-8")
    place, message = place_at(before, len(before)), f"the byte 0x{data[start]:02X} is not UTF-8 text"
    finding = Finding(file, *place, "", "error", message, "save the file as UTF-8", "DP101")
    return Examination(None, [finding], SourceMap(file))


def _unreadable(file: str, message: str, hint: str) -> Examination:
    source_map = SourceMap(file)
    return Examination(None, [source_map.error("DP101", (), message, hint)], source_map)

"""Comments in a policy that `dpproxy check` understands: what is left to decide, and findings that are accepted.

`# decide: …` stands for a decision that nobody has taken; `# dpproxy: allow DP204 reason` accepts the warnings of one
rule on its line, and says why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.findings import Finding, Position

_REMARK: Final = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*(?:(decide):|(dpproxy):)[ \t]*([^\r\n]*)", re.MULTILINE)
_ALLOW: Final = re.compile(r"allow[ \t]+(DP[0-9]+)[ \t]*(.*)")


@dataclass(frozen=True)
class Remark:
    """A comment of this kind: its place, `decide` or `dpproxy`, and what stands after the colon."""

    position: Position
    kind: str
    text: str


def read_remarks(text: str, root: Node | None) -> list[Remark]:
    """The remarks of a policy's text, in its order; a `#` inside a value is none.

    Args:
        text: the YAML text.
        root: what it was composed to; None if it has no value.
    """
    inside = sorted(_spans(root)) if root is not None and "#" in text else []
    found, span, line, counted = [], 0, 1, 0
    for match in _REMARK.finditer(text):
        while span < len(inside) and inside[span][1] <= match.start():
            span += 1
        if span < len(inside) and inside[span][0] <= match.start():
            continue
        line_start = text.rfind("\n", 0, match.start()) + 1
        line += text.count("\n", counted, match.start())
        counted = match.start()
        found.append(Remark(Position(line, match.start() - line_start + 1), match[1] or match[2], match[3].strip()))
    return found


def _spans(root: Node) -> Iterator[tuple[int, int]]:
    """Where values stand that contain a `#`."""
    pending, seen = [root], set[int]()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode) and "#" in node.value:
            yield node.start_mark.index, node.end_mark.index
        elif isinstance(node, SequenceNode):
            pending += node.value
        elif isinstance(node, MappingNode):
            pending += [part for entry in node.value for part in entry]


def with_remarks(
    findings: Iterable[Finding],
    remarks: Sequence[Remark],
    file: str,
    known: Iterable[str],
    unjudged: Collection[str] = (),
) -> list[Finding]:
    """The findings of a file as its remarks leave them.

    A mark stands for the warnings on its line. An `allow` takes the warnings of its rule on its line away; without a
    reason, a known rule or such a warning it is a finding itself. Errors stay.

    Args:
        findings: all that was found in the file.
        remarks: those of the file.
        file: its name, as findings carry it.
        known: the ids of all rules.
        unjudged: those that nothing was looked at for, so that their remarks may be right.
    """
    by_line: dict[int, list[Finding]] = {}
    for finding in findings:
        by_line.setdefault(finding.line, []).append(finding)
    added = []
    for remark in remarks:
        here = by_line.get(remark.position.line, [])
        if remark.kind == "decide":
            by_line[remark.position.line] = [finding for finding in here if finding.severity == "error"]
            hint = "decide, write what you decided, and remove the mark"
            message = f"left to decide: {remark.text}" if remark.text else "left to decide"
            added.append(_finding("DP001", file, remark, message, hint))
            continue
        match = _ALLOW.fullmatch(remark.text)
        meant = [found for found in here if match is not None and found.rule == match[1]]
        if match is not None and match[1] in unjudged and match[2] and not meant:
            continue
        complaint = _complaint(match, meant, known)
        if complaint is not None:
            added.append(_finding("DP002", file, remark, *complaint))
        else:
            by_line[remark.position.line] = [finding for finding in here if finding not in meant]
    return sorted([*(finding for left in by_line.values() for finding in left), *added])


def _complaint(match: re.Match[str] | None, meant: Sequence[Finding], known: Iterable[str]) -> tuple[str, str] | None:
    """What is wrong with an `allow`, and what would be right; None if nothing is."""
    if match is None:
        return "not a remark that dpproxy understands", "write `# dpproxy: allow DP204 reason`, or another comment"
    if match[1] not in known:
        return f"there is no rule {match[1]}", "`dpproxy check --rules` lists them"
    if not match[2]:
        return f"{match[1]} is allowed without a reason", "write why it is right here, after the rule's id"
    if any(finding.severity == "error" for finding in meant):
        return f"{match[1]} is an error here, and cannot be allowed", "mend it: the policy cannot be used"
    if not meant:
        return f"nothing on this line is a finding of {match[1]}", "remove the remark, or put it on the finding's line"
    return None


def _finding(rule: str, file: str, remark: Remark, message: str, hint: str) -> Finding:
    return Finding(file, *remark.position, "", "warning", message, hint, rule)

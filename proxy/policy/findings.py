"""What is wrong with a policy file, and where: findings with file, line and column (decision 8)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Severity = Literal["error", "warning"]

PolicyPath = tuple[str | int, ...]
"""Where a value stands in the policy: keys and list indices from the root."""


# Higher than difflib's own: names are not close just because they share a schema.
_LEAST_SIMILARITY: Final = 0.75


class Position(NamedTuple):
    """A place in the policy file, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, order=True)
class Finding:
    """One mistake in a policy. Findings sort by their place in the file.

    Attributes:
        file: the policy file as the caller named it.
        line: counted from 1.
        column: counted from 1.
        path: keys from the root, joined by dots ("tables.public.visits.budget.epsilon").
        severity: "error" keeps the policy from being used, "warning" does not.
        message: what is wrong.
        hint: what would be right.
        rule: the id of the rule that is broken, one of `rule_list.RULE_LIST`.
    """

    file: str
    line: int
    column: int
    path: str
    severity: Severity
    message: str
    hint: str
    rule: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}"
        said, hint = (_on_one_line(text) for text in (self.sentence, self.hint))
        return f"{place}: {self.severity}: {said} [{self.rule}]\n  hint: {hint}"

    @property
    def sentence(self) -> str:
        """The message with the part of the policy that it concerns."""
        return f"{self.path}: {self.message}" if self.path else self.message


def _on_one_line(text: str) -> str:
    """Names may contain ends of lines, and what terminals obey."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


class PolicyError(Exception):
    """A policy that cannot be used.

    Args:
        findings: everything that was found, including warnings; at least one is an error.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))


class SourceMap:
    """Finds the place of a policy's part in its file.

    Args:
        file: the policy file as the caller named it.
        positions: the place of every value. An empty map puts every finding at 1:1, for policies that were never in a
            file.
        key_positions: the place of every key.
        written: texts with variables, as the file has them.
    """

    def __init__(
        self,
        file: str,
        positions: Mapping[PolicyPath, Position] | None = None,
        key_positions: Mapping[PolicyPath, Position] | None = None,
        written: Mapping[PolicyPath, str] | None = None,
    ) -> None:
        self.file = file
        self._positions = positions or {}
        self._key_positions = key_positions or {}
        self._written = written or {}

    def __contains__(self, path: PolicyPath) -> bool:
        """Is there something at `path` in the file, valid or not?"""
        return path in self._positions

    def written(self, path: PolicyPath, value: str) -> str:
        """The text at `path` as the file has it, with its variables; `value` if it has none."""
        return self._written.get(path, value)

    def has_entries(self, path: PolicyPath) -> bool:
        """Does the mapping at `path` have keys in the file, valid or not?"""
        return any(known[:-1] == path for known in self._positions if known)

    def position(self, path: PolicyPath) -> Position:
        """The place of `path`, or of the nearest enclosing part if the file has no such key."""
        for length in range(len(path), 0, -1):
            position = self._positions.get(path[:length])
            if position is not None:
                return position
        return Position(1, 1)

    def error(self, rule: str, path: PolicyPath, message: str, hint: str) -> Finding:
        """A finding at `path` that keeps the policy from being used."""
        return self._finding(rule, path, "error", message, hint)

    def warning(self, rule: str, path: PolicyPath, message: str, hint: str) -> Finding:
        """A finding at `path` that the owner should know about."""
        return self._finding(rule, path, "warning", message, hint)

    def key_error(self, rule: str, path: PolicyPath, message: str, hint: str) -> Finding:
        """Like `error`, for the key itself rather than its value."""
        position = self._key_positions.get(path) or self.position(path)
        return Finding(self.file, *position, format_path(path), "error", message, hint, rule)

    def _finding(self, rule: str, path: PolicyPath, severity: Severity, message: str, hint: str) -> Finding:
        line, column = self.position(path)
        return Finding(self.file, line, column, format_path(path), severity, message, hint, rule)


def format_path(path: PolicyPath) -> str:
    """Print a path as findings show it: ("columns", "cost", "bounds", 0) is "columns.cost.bounds[0]"."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def has_errors(findings: Iterable[Finding]) -> bool:
    """Does any finding keep the policy from being used?"""
    return any(finding.severity == "error" for finding in findings)


def did_you_mean(name: str, candidates: Iterable[str], otherwise: str) -> str:
    """A hint with the candidate closest to a misspelt name, or `otherwise` if none is close."""
    by_lower_case = {candidate.lower(): candidate for candidate in candidates}
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1, cutoff=_LEAST_SIMILARITY)
    return f"did you mean {by_lower_case[close[0]]!r}?" if close else otherwise

"""From two policies to the changes between them, each at its place (decision 8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from proxy.policy.findings import Finding, format_path
from proxy.policy.load import Examination
from proxy.policy.model import Policy
from proxy.review.judges import judged
from proxy.review.judging import Both, Change

_ORDER = {"weaker": 0, "stronger": 1, "other": 2}


@dataclass(frozen=True)
class Placed:
    """A change with its place.

    Attributes:
        file: the new policy, or the old one where the part is gone.
        line: counted from 1.
        column: counted from 1.
        change: the change.
        allowed: was it named as accepted?
    """

    file: str
    line: int
    column: int
    change: Change
    allowed: bool = False

    @property
    def fails(self) -> bool:
        """Does it weaken privacy, without being accepted?"""
        return self.change.effect == "weaker" and not self.allowed

    @property
    def place(self) -> str:
        """The part of the policy, as findings name it."""
        return format_path(self.change.path)


def changes(old: Policy, new: Policy) -> list[Change]:
    """All changes between two policies, those first that weaken privacy."""
    found = judged((), old, new, Both(old, new))
    return sorted(found, key=lambda change: (_ORDER[change.effect], tuple(map(str, change.path)), change.rule))


def placed(old: Examination, new: Examination, allowed: Collection[str]) -> list[Placed]:
    """All changes between two examined policies, with their places.

    Args:
        old: with a policy.
        new: with a policy.
        allowed: rules of changes that are accepted.
    """
    if old.policy is None or new.policy is None:
        raise AssertionError("both have a policy")
    found = []
    for change in changes(old.policy, new.policy):
        source = (
            new.source_map if change.path in new.source_map or change.path not in old.source_map else old.source_map
        )
        line, column = source.position(change.path)
        found.append(Placed(source.file, line, column, change, change.rule in allowed))
    return found


def failing(found: Sequence[Placed]) -> bool:
    """Is privacy weakened by a change that nobody has accepted?"""
    return any(each.fails for each in found)


def errors_of(*examinations: Examination) -> list[Finding]:
    """The errors that keep policies from being compared."""
    return [finding for each in examinations if each.policy is None for finding in each.findings]

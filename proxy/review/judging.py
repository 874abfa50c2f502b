"""What a change of a policy is, and the rules by which changes are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from proxy.policy.findings import PolicyPath
from proxy.policy.model import Policy

Effect = Literal["weaker", "stronger", "other"]


@dataclass(frozen=True)
class Change:
    """One change, and what it does to the guarantee.

    Attributes:
        rule: one of `CHANGE_RULES`.
        path: where it is in the new policy, or in the old one if it is gone.
        message: what changed, and what that means.
    """

    rule: str
    path: PolicyPath
    message: str

    @property
    def effect(self) -> Effect:
        return CHANGE_RULES[self.rule][0]


@dataclass(frozen=True)
class Both:
    """The policies before and after, for judgements that need more than the part that changed."""

    old: Policy
    new: Policy


Judge = Callable[[PolicyPath, Any, Any, Both], Iterator[Change]]
"""Judges one part of a policy that has changed: its path, what it was, what it is, and everything around it."""

CHANGE_RULES: Final[dict[str, tuple[Effect, str]]] = {
    "DP801": ("weaker", "an account may spend more"),
    "DP802": ("weaker", "the limit of an account is gone"),
    "DP803": ("weaker", "private rows become public"),
    "DP804": ("weaker", "a table is shown that was not"),
    "DP805": ("weaker", "a column is shown that was not"),
    "DP806": ("weaker", "rows belong to another unit"),
    "DP807": ("weaker", "an account begins anew: a table or unit seems to be renamed"),
    "DP808": ("weaker", "somebody new may ask"),
    "DP809": ("weaker", "a login is possible from elsewhere, or in another way"),
    "DP810": ("weaker", "response times are protected less"),
    "DP811": ("weaker", "more unforeseen outcomes are let through"),
    "DP812": ("weaker", "rows without a unit count, each by itself"),
    "DP813": ("weaker", "groups of fewer units show"),
    "DP814": ("weaker", "it is not known what this change does"),
    "DP851": ("stronger", "an account may spend less"),
    "DP852": ("stronger", "an account has a limit that had none"),
    "DP853": ("stronger", "public rows become private"),
    "DP854": ("stronger", "a table or column is no longer shown"),
    "DP855": ("stronger", "somebody may no longer ask, or from fewer places"),
    "DP856": ("stronger", "response times are protected more"),
    "DP857": ("stronger", "fewer unforeseen outcomes are let through"),
    "DP858": ("stronger", "groups of few units, or rows without a unit, do not show"),
    "DP881": ("other", "questions cost something else"),
    "DP882": ("other", "earlier answers are not recalled: the same questions are new ones, and paid anew"),
    "DP883": ("other", "a login changes its password or certificate"),
    "DP884": ("other", "another database is asked"),
    "DP885": ("other", "sessions begin with other settings"),
    "DP886": ("other", "the clock of private questions moves, or answers are recalled, otherwise"),
    "DP887": ("other", "the ledger keeps something else of what analysts write"),
}
"""The rules of `dpproxy diff`: 80x weaken privacy, 85x strengthen it, 88x do neither. An id keeps its meaning."""

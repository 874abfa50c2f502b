"""The rules of `dpproxy check`, each with a stable id: once given, an id keeps its meaning and is not given again.

Their texts are in `rule_texts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from proxy.policy.findings import Severity
from proxy.policy.rule_texts.budgets import BUDGETS
from proxy.policy.rule_texts.columns import COLUMNS
from proxy.policy.rule_texts.databases import DATABASES
from proxy.policy.rule_texts.files_and_names import FILES_AND_NAMES
from proxy.policy.rule_texts.queries import QUERIES


@dataclass(frozen=True)
class RuleDescription:
    """A rule as `dpproxy check --rules` lists it.

    Attributes:
        id: such as "DP302".
        severity: of its findings.
        summary: what is wrong.
        example: a part of a policy that breaks it, alone or put into a valid policy; empty where it takes a database.
    """

    id: str
    severity: Severity
    summary: str
    example: str = ""


_RULES: Final = (*FILES_AND_NAMES, *BUDGETS, *COLUMNS, *DATABASES, *QUERIES)

RULE_LIST: Final = {row[0]: RuleDescription(*row) for row in _RULES}
"""All rules by their ids, in their order."""


def rule_lines() -> list[str]:
    """The rules as text."""
    lines = []
    for rule in RULE_LIST.values():
        lines.append(f"{rule.id} {rule.severity}: {rule.summary}")
        example = rule.example.replace("\n", " ⏎ ")
        lines.append(f"    {example}" if example else "    found with --source or --catalog")
    return lines

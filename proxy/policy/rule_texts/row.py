"""One rule as these tables have it."""

from __future__ import annotations

from proxy.policy.findings import Severity

Row = tuple[str, Severity, str, str]
"""Id, severity, what is wrong, and a part of a policy that breaks the rule, empty where it takes a database."""

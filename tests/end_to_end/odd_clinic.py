"""A clinic with more kinds of tables and types, and a policy under which every rule has something to refuse."""

from __future__ import annotations

import copy

from proxy.policy.model import Policy
from tests.end_to_end import clinic

MORE_TABLES = """
CREATE TABLE devices (device_id uuid PRIMARY KEY, patient_id integer NOT NULL, address inet, network cidr, note text);
CREATE SCHEMA archive;
CREATE TABLE archive.regions (name text PRIMARY KEY);
"""


def odd_policy() -> Policy:
    """The clinic's, and tables one whose budget has no delta, and one whose name occurs twice."""
    content = copy.deepcopy(clinic.POLICY)
    pure = {"budget": {"epsilon": "5", "delta": "0"}}
    content["tables"] |= {  # type: ignore[operator]
        "public.devices": pure
        | {
            "unit": {"name": "patient", "column": "patient_id"},
            "columns": {name: {} for name in ("device_id", "patient_id", "address", "network", "note")},
            "query": {"epsilon": "0.001"},
        },
        "archive.regions": {"public": True},
    }
    return Policy.model_validate(content)

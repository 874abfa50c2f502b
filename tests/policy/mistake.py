"""A mistake in a policy file: the valid policy, edited at one place; and what stands at the places that are edited."""

from __future__ import annotations

import dataclasses

from tests.policy.policies import VERIFIER


@dataclasses.dataclass(frozen=True)
class Mistake:
    name: str
    old: str
    new: str
    message: str
    hint: str
    severity: str = "error"


COST = "cost: {bounds: [0, 5000], step: 0.01}"
SPECIALTY = "{values: [cardiology, radiology]}"
VISITED = "visited_at: {bounds: [2024-01-01, 2026-01-01]}"
VIA = "{name: patient, via: patient_id -> public.patients.patient_id}"
SHARE = "per_analyst: {epsilon: 1, delta: 1e-7}"
QUERY = "{epsilon: 0.1, max_epsilon: 1}"
PATIENTS_BUDGET = "{epsilon: 4, delta: 1e-6}"
PATIENTS_UNIT = "unit: {name: patient, column: patient_id}"
REGIONS = "public.regions: {public: true}"
ANALYSTS = f'analysts:\n  ana: {{password: "{VERIFIER}"}}'
LOGIN = f'{{password: "{VERIFIER}"}}'
REGION = "{values_from: public.regions.name}"
BORN = "{range: [1900, 2026]}"

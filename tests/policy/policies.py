"""A small valid policy for tests, and mistakes marked in its text."""

from __future__ import annotations

from proxy.policy.load import Examination, examine_text

VERIFIER = (
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
    "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
)

VALID = f"""\
version: 1
analysts:
  ana: {{password: "{VERIFIER}"}}
units:
  patient: {{}}
tables:
  public.patients:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 4, delta: 1e-6}}
    columns:
      patient_id: {{}}
      region: {{values_from: public.regions.name}}
      born: {{range: [1900, 2026]}}
  public.visits:
    unit: {{name: patient, via: patient_id -> public.patients.patient_id}}
    budget: {{epsilon: 3, delta: 1e-6}}
    per_analyst: {{epsilon: 1, delta: 1e-7}}
    query: {{epsilon: 0.1, max_epsilon: 1}}
    contribution: {{max_rows: 20, max_rows_per_group: 5}}
    columns:
      cost: {{bounds: [0, 5000], step: 0.01}}
      specialty: {{values: [cardiology, radiology]}}
      visited_at: {{bounds: [2024-01-01, 2026-01-01]}}
      "patient_id": {{bounds: [0, 1000000]}}
  public.regions: {{public: true}}
"""

MARK = "❱"
"""Stands in a test's text right before the place that a finding must name."""


def examine(text: str, environment: dict[str, str] | None = None) -> Examination:
    return examine_text(text, "policy.yaml", environment or {})


def edited(old: str, new: str) -> str:
    """The valid policy with one part replaced."""
    assert VALID.count(old) == 1, f"{old!r} must occur once"
    return VALID.replace(old, new)


def marked_place(text: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column of what followed it."""
    before, _, after = text.partition(MARK)
    assert MARK not in after
    return before + after, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

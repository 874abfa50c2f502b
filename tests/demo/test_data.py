"""The made-up clinic: the same for everybody, and as skewed as real visits are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from proxy.demo.data import (
    DEFAULT_ROWS,
    LEAST_ROWS,
    MOST_ROWS,
    RARE_DIAGNOSES,
    VISITS_PER_PATIENT,
    Clinic,
    Row,
    generate_clinic,
)
from proxy.demo.play import demo_policy

FIRST_PATIENTS = "67bf2844309154a3"
FIRST_VISITS = "1ee65bdeb4d02ed6"


@pytest.fixture(scope="module")
def whole_clinic() -> Clinic:
    return generate_clinic(DEFAULT_ROWS)


def digest(rows: Iterator[Row]) -> str:
    text = "\n".join("|".join(map(str, row)) for row in islice(rows, 1_000))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_first_thousand_rows_are_the_same_on_every_machine(whole_clinic: Clinic) -> None:
    assert digest(whole_clinic.patients()) == FIRST_PATIENTS
    assert digest(whole_clinic.visits()) == FIRST_VISITS


@pytest.mark.parametrize("rows", [LEAST_ROWS, 12_345, DEFAULT_ROWS])
def test_the_clinic_has_as_many_visits_as_asked_for_and_a_tenth_as_many_patients(rows: int) -> None:
    clinic = generate_clinic(rows)
    assert sum(1 for _ in clinic.visits()) == rows
    assert sum(1 for _ in clinic.patients()) == rows // VISITS_PER_PATIENT
    assert int(clinic.patient.max()) < rows // VISITS_PER_PATIENT


@pytest.mark.parametrize("rows", [LEAST_ROWS - 1, MOST_ROWS + 1, -1])
def test_a_clinic_of_an_impossible_size_is_refused(rows: int) -> None:
    with pytest.raises(ValueError, match=f"got {rows}"):
        generate_clinic(rows)


def test_some_patients_have_hundreds_of_visits_and_half_of_them_at_most_ten(whole_clinic: Clinic) -> None:
    visits = np.bincount(whole_clinic.patient)
    assert np.sum(visits >= 200) >= 2
    assert np.sum(visits >= 100) >= 5
    assert np.median(visits) <= 10


def test_the_policys_contribution_bounds_cut_off_less_than_one_visit_in_a_hundred(whole_clinic: Clinic) -> None:
    bounds = demo_policy().tables["public.visits"].contribution
    assert bounds.max_rows is not None
    limit = np.sqrt(bounds.max_rows * (bounds.max_rows_per_group or bounds.max_rows))
    visits = np.bincount(whole_clinic.patient)
    cut_off = np.sum(np.maximum(visits - limit, 0)) / DEFAULT_ROWS
    assert 0.001 < cut_off < 0.01


def test_the_policys_value_bounds_clamp_a_few_costs_and_minutes_only(whole_clinic: Clinic) -> None:
    columns = demo_policy().tables["public.visits"].columns or {}
    for name, values in (("cost", whole_clinic.cost / 100), ("minutes", whole_clinic.minutes)):
        bounds = columns[name].bounds
        assert bounds is not None
        high = float(str(bounds[1]))
        assert 0 < np.mean(values > high) < 0.005, name


def test_visits_are_in_the_order_of_time_and_within_the_policys_bounds(whole_clinic: Clinic) -> None:
    moments = whole_clinic.visited_at
    assert np.all(moments[1:] >= moments[:-1])
    assert moments[0] >= np.datetime64("2024-01-01")
    assert moments[-1] < np.datetime64("2026-01-01")


def test_rare_diagnoses_have_a_handful_of_patients(whole_clinic: Clinic) -> None:
    for name in RARE_DIAGNOSES:
        patients = len(set(whole_clinic.patient[whole_clinic.diagnosis == name].tolist()))
        assert 1 <= patients <= 20, name


def test_some_minutes_and_diagnoses_are_missing(whole_clinic: Clinic) -> None:
    rows = list(whole_clinic.visits())
    assert 0.03 < sum(row[6] is None for row in rows) / len(rows) < 0.05
    assert 0.01 < sum(row[7] is None for row in rows) / len(rows) < 0.03

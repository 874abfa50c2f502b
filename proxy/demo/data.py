"""A made-up clinic: patients with a few visits each, and some with hundreds. A pure function of the number of rows.

Nothing here is noise for privacy. `RandomState` is used because NumPy froze its streams (NEP 19): every version gives
the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

DEFAULT_ROWS: Final = 200_000
LEAST_ROWS: Final = 1_000
MOST_ROWS: Final = 5_000_000
VISITS_PER_PATIENT: Final = 10

FIRST_DAY: Final = np.datetime64("2024-01-01", "m")
DAYS: Final = 731
"""Visits happen in 2024 and 2025."""

Row: TypeAlias = tuple[object, ...]
Numbers: TypeAlias = NDArray[Any]

_SEED: Final = 20_240_101
_SPREAD: Final = 0.45
"""Standard deviation of the logarithm of the visits per patient: the busiest of 20 000 comes about 60 times."""
_FREQUENT_SHARE: Final = 0.00025
_FREQUENT_VISITS: Final = (100, 300)
"""The visits of the few patients who are hard to protect: on dialysis, say, twice a week."""
_AWAY_SHARE: Final = 0.1
"""The share of visits outside the patient's own region."""
_NO_MINUTES_SHARE: Final = 0.04
_NO_DIAGNOSIS_SHARE: Final = 0.02
_RARE_SHARE: Final = 0.0001
_HIGHEST_COST: Final = 9_999.0


@dataclass(frozen=True)
class Region:
    """A region: its name, its zone, and its share of the patients."""

    name: str
    zone: str
    share: float


@dataclass(frozen=True)
class Specialty:
    """A specialty: name, department, share of the visits, typical cost and minutes, and its diagnoses, common first."""

    name: str
    department: str
    share: float
    cost: float
    minutes: float
    diagnoses: tuple[str, ...]


REGIONS: Final = (
    Region("centre", "inland", 0.26),
    Region("east", "inland", 0.22),
    Region("north", "coast", 0.20),
    Region("south", "inland", 0.18),
    Region("west", "coast", 0.14),
)

SPECIALTIES: Final = (
    Specialty("cardiology", "medicine", 0.12, 165, 35, ("hypertension", "arrhythmia", "chest pain")),
    Specialty("dermatology", "medicine", 0.09, 95, 20, ("eczema", "acne", "mole check")),
    Specialty("general practice", "medicine", 0.30, 85, 18, ("common cold", "back pain", "check-up", "fatigue")),
    Specialty("neurology", "medicine", 0.06, 170, 40, ("migraine", "dizziness", "neuropathy")),
    Specialty("ophthalmology", "surgery", 0.08, 110, 22, ("short sight", "cataract", "dry eye")),
    Specialty("orthopaedics", "surgery", 0.11, 150, 28, ("knee pain", "sprain", "fracture")),
    Specialty("paediatrics", "medicine", 0.10, 90, 24, ("ear infection", "vaccination", "cough")),
    Specialty("psychiatry", "medicine", 0.06, 140, 50, ("depression", "anxiety", "insomnia")),
    Specialty("radiology", "diagnostics", 0.08, 185, 30, ("x-ray", "ultrasound", "scan")),
)

RARE_DIAGNOSES: Final = ("lassa fever", "leprosy", "rabies")
"""Diagnoses of a handful of patients each: that they occur at all must not show."""

_MONTHLY: Final = (1.25, 1.20, 1.10, 1.00, 0.95, 0.90, 0.80, 0.80, 0.95, 1.05, 1.10, 1.15)
"""How busy each month is, from January: more in winter."""
_WEEKEND: Final = 0.25
_OPENING_MINUTE: Final = 8 * 60
_MINUTES_OPEN: Final = 10 * 60


@dataclass(frozen=True)
class Clinic:
    """The private tables as columns; index i of each belongs to row i. Ids count from 1.

    Attributes:
        home: of each patient, an index into REGIONS.
        birth_year: of each patient.
        sex: of each patient, F, M or X.
        patient: of each visit, an index into the patients. Visits are in chronological order.
        region: of each visit, an index into REGIONS.
        specialty: of each visit, an index into SPECIALTIES.
        visited_at: of each visit, in minutes.
        cost: of each visit, in cents.
        minutes: of each visit, -1 if not recorded.
        diagnosis: of each visit, None if not recorded.
    """

    home: Numbers
    birth_year: Numbers
    sex: Numbers
    patient: Numbers
    region: Numbers
    specialty: Numbers
    visited_at: Numbers
    cost: Numbers
    minutes: Numbers
    diagnosis: Numbers

    def patients(self) -> Iterator[Row]:
        """Rows of public.patients."""
        columns = zip(self.home.tolist(), self.birth_year.tolist(), self.sex.tolist(), strict=True)
        for number, (home, year, sex) in enumerate(columns, start=1):
            yield number, REGIONS[home].name, year, sex

    def visits(self) -> Iterator[Row]:
        """Rows of public.visits."""
        columns = (self.patient, self.region, self.specialty, self.visited_at, self.cost, self.minutes, self.diagnosis)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, (patient, region, specialty, moment, cents, minutes, diagnosis) in enumerate(rows, start=1):
            yield (
                number,
                patient + 1,
                REGIONS[region].name,
                SPECIALTIES[specialty].name,
                moment,
                f"{cents // 100}.{cents % 100:02d}",
                None if minutes < 0 else minutes,
                diagnosis,
            )


def generate_clinic(rows: int = DEFAULT_ROWS) -> Clinic:
    """Make a clinic with `rows` visits of a tenth as many patients.

    Raises:
        ValueError: `rows` is not from LEAST_ROWS to MOST_ROWS.
    """
    if not LEAST_ROWS <= rows <= MOST_ROWS:
        raise ValueError(f"the number of visits must be between {LEAST_ROWS} and {MOST_ROWS}, got {rows}")
    random = np.random.RandomState(_SEED)
    patients = rows // VISITS_PER_PATIENT
    region_shares = [region.share for region in REGIONS]
    home = random.choice(len(REGIONS), patients, p=region_shares)
    birth_year = np.clip(2_025 - random.gamma(4.5, 10.0, patients), 1_920, 2_024).astype(np.int64)
    sex = random.choice(np.array(["F", "M", "X"]), patients, p=[0.515, 0.480, 0.005])
    patient = _patients_of_visits(random, patients, rows)
    away = random.random_sample(rows) < _AWAY_SHARE
    region = np.where(away, random.choice(len(REGIONS), rows, p=region_shares), home[patient])
    specialty = _specialties(random, region, 2_024 - birth_year[patient])
    return Clinic(
        home=home,
        birth_year=birth_year,
        sex=sex,
        patient=patient,
        region=region,
        specialty=specialty,
        visited_at=_moments(random, rows),
        cost=_costs(random, specialty),
        minutes=_minutes(random, specialty),
        diagnosis=_diagnoses(random, specialty),
    )


def _patients_of_visits(random: np.random.RandomState, patients: int, rows: int) -> Numbers:
    """The patient of each visit, in random order: log-normal frequencies, and a few with hundreds."""
    frequent = max(1, round(patients * _FREQUENT_SHARE))
    visits = np.zeros(patients, dtype=np.int64)
    visits[random.choice(patients, frequent, replace=False)] = random.randint(*_FREQUENT_VISITS, size=frequent)
    habit = np.where(visits > 0, 0.0, random.lognormal(0.0, _SPREAD, patients))
    visits += random.multinomial(rows - int(visits.sum()), habit / habit.sum())
    return random.permutation(np.repeat(np.arange(patients), visits))


def _specialties(random: np.random.RandomState, region: Numbers, age: Numbers) -> Numbers:
    """Some regions have more specialists than others, and paediatrics is for the young."""
    shares = np.tile([specialty.share for specialty in SPECIALTIES], (len(REGIONS), 1))
    for index in range(len(REGIONS)):
        # Each region has twice its share of two specialties.
        shares[index, [(2 * index) % len(SPECIALTIES), (2 * index + 3) % len(SPECIALTIES)]] *= 2.0
    paediatrics = next(i for i, specialty in enumerate(SPECIALTIES) if specialty.name == "paediatrics")
    of_adults, of_children = shares.copy(), shares.copy()
    of_adults[:, paediatrics] = 0.0
    of_children[:, paediatrics] *= 8.0
    chosen = np.empty(len(region), dtype=np.int64)
    for table, members in ((of_adults, age >= 18), (of_children, age < 18)):
        for index in range(len(REGIONS)):
            here = np.flatnonzero(members & (region == index))
            chosen[here] = random.choice(len(SPECIALTIES), len(here), p=table[index] / table[index].sum())
    return chosen


def _moments(random: np.random.RandomState, rows: int) -> Numbers:
    """Times of visits in order: busy winters, quiet weekends, opening hours in steps of five minutes."""
    days = FIRST_DAY.astype("datetime64[D]") + np.arange(DAYS)
    month = days.astype("datetime64[M]").astype(np.int64) % 12
    weekday = (days.astype(np.int64) + 3) % 7
    weight = np.array(_MONTHLY)[month] * np.where(weekday >= 5, _WEEKEND, 1.0)
    day = random.choice(DAYS, rows, p=weight / weight.sum())
    minute = _OPENING_MINUTE + 5 * random.randint(0, _MINUTES_OPEN // 5, size=rows)
    return FIRST_DAY + np.sort(day * 1440 + minute).astype("timedelta64[m]")


def _costs(random: np.random.RandomState, specialty: Numbers) -> Numbers:
    typical = np.array([each.cost for each in SPECIALTIES])[specialty]
    costs = np.clip(typical * random.lognormal(0.0, 0.42, len(specialty)), 15.0, _HIGHEST_COST)
    return np.rint(costs * 100).astype(np.int64)


def _minutes(random: np.random.RandomState, specialty: Numbers) -> Numbers:
    typical = np.array([each.minutes for each in SPECIALTIES])[specialty]
    minutes = np.clip(np.rint(typical * random.lognormal(0.0, 0.3, len(specialty))), 5, 180).astype(np.int64)
    return np.where(random.random_sample(len(specialty)) < _NO_MINUTES_SHARE, -1, minutes)


def _diagnoses(random: np.random.RandomState, specialty: Numbers) -> Numbers:
    chosen = np.empty(len(specialty), dtype=object)
    for index, each in enumerate(SPECIALTIES):
        here = np.flatnonzero(specialty == index)
        chosen[here] = _pick(random, each.diagnoses, len(here))
    rare = np.flatnonzero(random.random_sample(len(specialty)) < _RARE_SHARE)
    chosen[rare] = _pick(random, RARE_DIAGNOSES, len(rare))
    chosen[random.random_sample(len(specialty)) < _NO_DIAGNOSIS_SHARE] = None
    return chosen


def _pick(random: np.random.RandomState, names: Sequence[str], number: int) -> Numbers:
    """Random names, each twice as likely as the next."""
    weight = 0.5 ** np.arange(len(names))
    return np.array(names, dtype=object)[random.choice(len(names), number, p=weight / weight.sum())]

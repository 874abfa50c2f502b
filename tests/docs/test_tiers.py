"""Tiers: every test has one, they are those of the page, and the guard over unit tests works."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import tiers
from tests.docs.markdown import CHECKOUT, TESTS

ATTACK = CHECKOUT / "tests/attacks/test_charged.py"
WIRE = CHECKOUT / "tests/wire/test_messages.py"


@pytest.mark.parametrize(
    ("path", "fixtures", "marks", "generated", "expected"),
    [
        (WIRE, (), (), False, {"unit"}),
        (WIRE, ("tmp_path", "stage_postgres"), (), False, {"postgres"}),
        (WIRE, (), (), True, {"statistical"}),
        (WIRE, (), ("postgres",), False, set()),
        (WIRE, (), ("parametrize",), False, {"unit"}),
        (ATTACK, (), (), False, {"attack"}),
        (ATTACK, ("postgres_cluster",), (), True, {"attack", "postgres"}),
        (CHECKOUT / "tests/budget/test_charge.py", (), (), False, {"postgres"}),
    ],
)
def test_a_test_has_the_tiers_of_its_place_and_its_needs(
    path: os.PathLike[str], fixtures: tuple[str, ...], marks: tuple[str, ...], generated: bool, expected: set[str]
) -> None:
    found = tiers.further_tiers(CHECKOUT / path, set(fixtures), set(marks), generated=generated)
    assert found == expected


@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "-c", ""], check=True),
        lambda: os.system("true"),
        lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
    ],
    ids=["subprocess", "shell", "spawn"],
)
def test_a_unit_test_starts_no_process(start: object) -> None:
    assert callable(start)
    with pytest.raises(tiers.ProcessStartedError, match=r"pytestmark = pytest\.mark\.postgres"):
        start()


def test_the_page_describes_the_tiers(request: pytest.FixtureRequest) -> None:
    described = {tier.strip("`"): meaning for tier, meaning, *_ in TESTS.table("marker", "which tests", "time")}
    assert described == dict(tiers.TIERS)
    marks = {line.split(":")[0] for line in request.config.getini("markers")}
    assert tiers.TIERS.keys() <= marks


def test_folders_and_long_files_exist() -> None:
    assert all((CHECKOUT / "tests" / name).exists() for name in (*tiers.FOLDERS, *tiers.LONGEST))

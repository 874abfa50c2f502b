"""Fixtures: an owner with a source, a ledger and a policy of its own, and decode-local on what was released."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.postgres.embedded import EmbeddedPostgres
from tests.conftest import copy_database
from tests.end_to_end.local_release.owner import POLICY, PRESCRIPTIONS, Owner

_numbers = count(1)


@pytest.fixture
def owner(copy_clinic: Callable[[], str], stage_cluster: EmbeddedPostgres, tmp_path: Path) -> Owner:
    ledger = copy_database(stage_cluster.dsn(), "template1", f"local_ledger_{next(_numbers)}")
    made = Owner(copy_clinic(), ledger, tmp_path)
    made.ask(PRESCRIPTIONS)
    made.policy.write_text(POLICY)
    return made


Decode = Callable[..., dict[tuple[str, str], float]]


@pytest.fixture
def decode(owner: Owner, capsys: pytest.CaptureFixture[str]) -> Decode:
    """Counts of the release by column and value or kind, as decode-local prints them."""

    def run(*further: str) -> dict[tuple[str, str], float]:
        capsys.readouterr()
        assert main(["decode-local", str(owner.directory / "release"), "--format", "csv", *further]) == ExitCode.OK
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        return {
            (row["column"], row["value"] if row["kind"] == "value" else row["kind"]): float(row["count"])
            for row in rows
        }

    return run

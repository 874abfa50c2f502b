"""The local release of proxy/local_model/README.md: its commands run, print what they show, and estimate what is there."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.postgres.embedded import EmbeddedPostgres
from tests.docs.markdown import LOCAL_RELEASES, POLICIES
from tests.docs.running import commands_and_output, run_command

pytestmark = pytest.mark.postgres


_ROW = re.compile(r"region +(\S+) +(-?\d+) +(-?\d+) to (-?\d+)")


def shape(printed: str) -> list[str]:
    """Lines without widths, and without the numbers that are noisy."""
    lines = [re.sub("─+", "─", " ".join(line.split())) for line in printed.splitlines()]
    noisy = ("region", "wrote", "public.visits")
    return [re.sub(r"-?\d+(\.\d+)?", "#", line) if line.startswith(noisy) else line for line in lines]


def test_local_release_is_made_and_decoded_as_described(tmp_path: Path) -> None:
    session = LOCAL_RELEASES.block("console", "local")
    (tmp_path / "clinic.yaml").write_text(POLICIES.block("yaml", "policy"), encoding="utf-8")
    with EmbeddedPostgres(tmp_path / "owner", durable=False) as server:
        source = clinic_dsn(server.dsn())
        load_clinic(server.dsn(), 5_000)
        with psycopg.connect(source) as owner:
            ((patients,),) = owner.execute("SELECT count(DISTINCT patient_id) FROM visits").fetchall()
        ((export, exported), (decode, decoded)) = commands_and_output(session)
        printed = run_command(export, tmp_path, DATABASE_URL=make_conninfo(source))
        assert shape(printed) == shape(exported)
        assert "free of charge" in run_command(export, tmp_path, DATABASE_URL=make_conninfo(source))
    printed = run_command(decode, tmp_path)
    assert shape(printed) == shape(decoded)
    total = sum(int(count) for _, count, _, _ in _ROW.findall(printed))
    # Seven estimates, each with a standard deviation of at most √patients: by chance less than once in 10^9 runs.
    assert abs(total - patients) < 6.2 * (7 * patients) ** 0.5 + 100

"""The session with `suggest-bounds` of policies/README.md, on the policy and the clinic that it shows before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.policy.load import examine_text
from proxy.postgres.embedded import EmbeddedPostgres
from tests.docs.markdown import POLICIES
from tests.docs.running import commands_and_output, run_command

pytestmark = pytest.mark.postgres


_CHOSEN = re.compile(r"(max_rows\w*|bounds of \w+): .*")


def without_choices(printed: str) -> str:
    """What was printed, without what is chosen at random."""
    return _CHOSEN.sub(r"\1: …", printed)


def test_bounds_are_suggested_and_written_as_described(tmp_path: Path) -> None:
    policy = POLICIES.block("yaml", "policy")
    file = tmp_path / "clinic.yaml"
    file.write_text(policy, encoding="utf-8")
    session = POLICIES.block("console", "bounds")
    with EmbeddedPostgres(tmp_path / "owner", durable=False) as server:
        load_clinic(server.dsn(), 20_000)
        for command, output in commands_and_output(session):
            printed = run_command(command, tmp_path, DATABASE_URL=clinic_dsn(server.dsn()))
            assert without_choices(printed) == without_choices(output)
    written = file.read_text(encoding="utf-8")
    assert written != policy
    assert re.sub(r"\d+", "#", written).count("\n") == policy.count("\n")
    assert examine_text(written, str(file), {"DATABASE_URL": ""}).policy is not None
    assert re.search(r"step: 0.01}", written)

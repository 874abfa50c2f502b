"""`dpproxy serve --http`: refused with words where nobody could use it, or passwords would be read on the way."""

from __future__ import annotations

import importlib.util
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy.cli import main
from proxy.commands import ExitCode
from tests.end_to_end import clinic
from tests.end_to_end.serve_command import POLICY, Setup, serving, wait_for_line

STEWARDS = f'stewards:\n  sam: {{password: "{clinic.VERIFIER}"}}\nunits:'


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace("units:", STEWARDS).replace("source: ${CLINIC}", "source: dbname=nowhere"))
    return path


def refused(policy: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["serve", "--policy", str(policy), "--state", str(policy.parent / "state"), *options]) == (
        ExitCode.WRONG_INPUT
    )
    return capsys.readouterr().err


@pytest.mark.parametrize("options", [["--http", "0.0.0.0:0"], ["--http", "127.0.0.1:0", "--require-tls"]])
def test_no_password_is_sent_through_a_network_without_tls(
    policy: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert "no certificate for " in refused(policy, capsys, *options)


def test_there_must_be_a_steward_with_a_password(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = policy.read_text()
    policy.write_text(text.replace(STEWARDS, "units:"))
    expected = "--http is for stewards, and the policy has none with a password: add `stewards`"
    assert expected in refused(policy, capsys, "--http", "127.0.0.1:0")


def test_what_is_missing_is_named_with_how_to_install_it(
    policy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "pygal" else find(name, *rest))
    expected = "the dashboard needs pygal: install them with pip install 'dpproxy[dashboard]'"
    assert expected in refused(policy, capsys, "--http", "127.0.0.1:0")


def test_an_address_is_an_address(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--http: 'nonsense' is not HOST:PORT" in refused(policy, capsys, "--http", "nonsense")


def test_it_is_there_with_the_proxy_and_gone_with_it(
    policy: Path, tmp_path: Path, copy_clinic: Callable[[], str]
) -> None:
    setup = Setup(policy, tmp_path / "state", copy_clinic())
    policy.write_text(policy.read_text().replace("dbname=nowhere", "${CLINIC}"))
    with serving(setup, options=["--http", "127.0.0.1:0"]) as (process, _):
        found = re.search(r"http://127\.0\.0\.1:\d+", wait_for_line(process, "the dashboard is on"))
        assert found is not None
        with urllib.request.urlopen(f"{found[0]}/login", timeout=40) as page:
            assert page.status == 200
        process.terminate()
        assert process.wait(40) == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{found[0]}/login", timeout=5)

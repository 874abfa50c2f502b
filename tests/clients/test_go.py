"""lib/pq, Go's driver, which asks for TLS unless it is told otherwise: one session, printed and compared."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import Target

INSTALL = "apt-get install golang-go golang-github-lib-pq-dev"
LIBRARIES = Path("/usr/share/gocode")
TEXTS = (
    asked.TYPES, asked.GROUPED, asked.FILTERED.format("$1", "$2", "$3"), asked.NOTHING.format("$1"), asked.REFUSED,
    asked.WRONG, asked.SLOW, asked.READABLE,
)  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    go = shutil.which("go")
    if go is None or not (LIBRARIES / "src/github.com/lib/pq").is_dir():
        pytest.skip(INSTALL)
    directory = tmp_path_factory.mktemp("go")
    environment = {"GO111MODULE": "off", "GOPATH": str(LIBRARIES), "GOCACHE": str(directory), "CGO_ENABLED": "0"}
    subprocess.run(
        [go, "build", "-o", str(directory / "session"), str(Path(__file__).with_name("session.go"))],
        env={**os.environ, **environment},
        check=True,
    )
    return directory / "session"


def printed(program: Path, target: Target, *, tls: bool) -> list[str]:
    """The lines that session.go prints, sorted: Go asks in any order."""
    dsn = " ".join(f"{name}='{value}'" for name, value in target.libpq(tls=tls).items())
    done = subprocess.run([program, dsn, *TEXTS], capture_output=True, text=True, timeout=60, check=False, env={})
    assert (done.returncode, done.stderr) == (0, "")
    return sorted(done.stdout.splitlines())


def test_the_session_is_that_of_plain_postgres(program: Path, targets: Targets) -> None:
    lines, expected = printed(program, targets.proxied, tls=True), printed(program, targets.plain, tls=False)
    refused = [line for line in lines if line.startswith("refused")]
    assert [line for line in lines if line not in refused] == expected
    assert [line.split()[1] for line in refused] == ["42501"]
    assert any(line.startswith("cancelled 57014") for line in lines)
    assert any(line.startswith("failed 25P02") for line in lines)

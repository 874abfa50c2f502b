"""pgjdbc in each of its query modes: one session against plain Postgres and through dpproxy, printed and compared."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.conftest import Targets
from tests.clients.target import Target
from tests.clients.tunnel import tunnel

JARS = ("/usr/share/java/postgresql.jar", "/usr/local/share/java/postgresql.jar")
INSTALL = "apt-get install default-jdk-headless libpostgresql-jdbc-java"


def printed(target: Target, port: int, mode: str, *, tls: bool = False) -> list[str]:
    """What Session.java prints."""
    java, jar = shutil.which("java"), next(filter(Path.exists, map(Path, JARS)), None)
    if java is None or jar is None or shutil.which("javac") is None:
        pytest.skip(INSTALL)
    security = f"sslmode=verify-full&sslrootcert={target.authority}" if tls else "sslmode=disable"
    url = f"jdbc:postgresql://127.0.0.1:{port}/{target.database}?preferQueryMode={mode}&{security}"
    program = Path(__file__).with_name("Session.java")
    done = subprocess.run(
        [java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", jar, program, url, target.user, target.password or ""],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("mode", ["extended", "simple"])
def test_the_session_is_that_of_plain_postgres(targets: Targets, mode: str) -> None:
    with tunnel(targets.plain) as port:
        expected = printed(targets.plain, port, mode)
    lines = printed(targets.proxied, targets.proxied.port, mode, tls=mode == "extended")
    assert lines == expected
    assert "readable: visits true" in lines
    assert "cancelled: 57014" in lines

"""node-postgres: one session against plain Postgres and through dpproxy, printed and compared."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import OPTIONS, Target

INSTALL = "apt-get install nodejs npm && npm install --global pg pg-cursor pg-copy-streams"
ASKED = {
    "introspected": {"columns": asked.COLUMNS, "keys": asked.KEYS, "readable": asked.READABLE},
    "types": asked.TYPES,
    "numbers": "SELECT region, count(*) AS n, bool_and(cost > 0) AS paid FROM visits GROUP BY region ORDER BY region",
    "grouped": asked.GROUPED,
    "filtered": asked.FILTERED.format("$1", "$2", "$3"),
    "values": [str(value) for value in asked.VALUES],
    "nothing": asked.NOTHING.format("$1"),
    "paged": asked.PAGED,
    "copied": asked.COPIED,
    "wrong": asked.WRONG,
    "slow": asked.SLOW,
}


@functools.cache
def modules() -> str | None:
    """Where node finds the packages: NODE_PATH, or npm's global directory; None if they are not there."""
    if shutil.which("node") is None:
        return None
    npm = shutil.which("npm")
    printed = subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False) if npm else None
    for directory in (os.environ.get("NODE_PATH", ""), printed.stdout.strip() if printed is not None else ""):
        if directory and all((Path(directory) / name).is_dir() for name in ("pg", "pg-cursor", "pg-copy-streams")):
            return directory
    return None


def printed(target: Target, *, tls: bool = False) -> list[str]:
    """What session.js prints."""
    directory = modules()
    if directory is None:
        pytest.skip(INSTALL)
    connection = {
        "host": target.host,
        "port": target.port,
        "database": target.database,
        "user": target.user,
        "password": target.password or "",
        "options": OPTIONS,
        "ssl": str(target.authority) if tls else None,
    }
    program = Path(__file__).with_name("session.js")
    done = subprocess.run(
        ["node", "--no-deprecation", program, json.dumps({"connection": connection, "asked": ASKED})],
        env={**os.environ, "NODE_PATH": directory},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
def test_the_session_is_that_of_plain_postgres(targets: Targets, tls: bool) -> None:
    lines = printed(targets.proxied, tls=tls)
    assert lines == printed(targets.plain)
    assert "slow: ERROR 57014" in lines
    assert "wrong: ERROR 42703" in lines

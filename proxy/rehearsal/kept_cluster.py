"""Where a server for planning is kept between commands, so that few of them have to make one.

It holds names, types and declared values of the policies that were planned, and no row. It is never flushed to disk:
after a restart of the machine it is made anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_LAYOUT: Final = "1"
"""To be changed when clusters are made in another way."""

_MANY_DATABASES: Final = 16
"""With more of them the cluster is made anew: each name of a database that policies are for stays in it."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@contextlib.contextmanager
def kept_cluster(version: int) -> Iterator[Path | None]:
    """A directory of our own for the `with` block, maybe with the cluster of an earlier command.

    Args:
        version: major version of the server.

    Yields:
        The directory; None where another command uses it, or no place is ours alone.
    """
    with contextlib.ExitStack() as stack:
        try:
            directory = _directory(version)
            if directory is not None:
                stack.enter_context(_locked(directory.with_suffix(".lock")))
                _make_usable(directory)
        except (OSError, RuntimeError):  # the latter from Path.home
            directory = None
        yield directory


def _directory(version: int) -> Path | None:
    """In the user's cache (XDG Base Directory Specification); None if others could write to it, such as a user whose
    HOME root has after `sudo`."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(named) if named.startswith("/") else Path.home() / ".cache"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = home.stat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        return None
    own = home / "dpproxy"
    own.mkdir(mode=0o700, exist_ok=True)
    return own / f"planning-{version}"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock.

    Raises:
        BlockingIOError: another process has it.
    """
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def _make_usable(directory: Path) -> None:
    """Remove what is there unless it was made since the machine was started, and has few databases."""
    state = f"{_LAYOUT} {_BOOT.read_text()}"
    mark = directory / "made"
    databases = directory / "data" / "base"
    is_ours = mark.exists() and mark.read_text() == state
    if is_ours and (not databases.exists() or len(list(databases.iterdir())) <= _MANY_DATABASES):
        return
    discard(directory)
    directory.mkdir(mode=0o700)
    mark.write_text(state)


def discard(directory: Path) -> None:
    """Remove a cluster that is of no use. Its place must be ours, by `kept_cluster`."""
    shutil.rmtree(directory, ignore_errors=True)

"""A directory for servers that nobody keeps."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from proxy.postgres.interrupts import postponed

_REMOVAL_SECONDS: Final = 3.0


@contextmanager
def temporary_directory() -> Iterator[Path]:
    """A directory that is removed afterwards, even if an interrupted initdb still writes its last files into it."""
    directory: Path | None = None
    try:
        with postponed():
            directory = Path(tempfile.mkdtemp(prefix="dpproxy-"))
        yield directory
    finally:
        if directory is not None:
            with postponed():
                _remove(directory)


def _remove(directory: Path) -> None:
    deadline = time.monotonic() + _REMOVAL_SECONDS
    shutil.rmtree(directory, ignore_errors=True)
    while directory.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
        shutil.rmtree(directory, ignore_errors=True)

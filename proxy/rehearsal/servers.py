"""A Postgres server that lives as long as a command, and starts while the command still imports and reads."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from proxy.postgres.binaries import EmbeddedPostgresError, find_binaries, major_version
from proxy.postgres.embedded import EmbeddedPostgres, max_connections
from proxy.postgres.temporary import temporary_directory
from proxy.rehearsal.kept_cluster import discard, kept_cluster

ServerSoon = Callable[[], str]
"""Waits for a server, and returns the connection string of a superuser; raises EmbeddedPostgresError if there is none
to run, or it does not start."""

_SETTINGS: Final = {
    "autovacuum": "off",
    "max_logical_replication_workers": "0",
    "min_wal_size": "32MB",
    "max_connections": str(max_connections(16)),
    "shared_buffers": "8MB",
}
"""Nothing is left to do in the background for so short a life, and few connect."""


@contextlib.contextmanager
def starting_server() -> Iterator[ServerSoon]:
    """Begin to start a server of our own, which is stopped after the `with` block."""
    with temporary_directory() as directory, contextlib.ExitStack() as stack, ThreadPoolExecutor(1) as executor:
        started = executor.submit(_start, directory, stack)

        def dsn() -> str:
            return started.result().dsn()

        try:
            yield dsn
        finally:
            with contextlib.suppress(EmbeddedPostgresError):  # raised where somebody waited for the server
                started.result().stop()


def _start(directory: Path, stack: contextlib.ExitStack) -> EmbeddedPostgres:
    """Start the cluster that earlier commands kept, or else a new one.

    Args:
        directory: for a new one.
        stack: holds what is held of the kept one.

    Raises:
        EmbeddedPostgresError: there is no server to run, or it does not start.
    """
    binaries = find_binaries()
    kept = stack.enter_context(kept_cluster(major_version(binaries)))
    if kept is not None:
        try:
            return _started(kept, binaries)
        except EmbeddedPostgresError:
            discard(kept)
    return _started(directory, binaries)


def _started(directory: Path, binaries: Path) -> EmbeddedPostgres:
    server = EmbeddedPostgres(directory, durable=False, binaries=binaries, settings=_SETTINGS)
    server.start()
    return server

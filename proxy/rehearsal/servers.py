"""A Postgres server that lives as long as a command, and starts while the command still imports and reads."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from proxy.postgres.binaries import EmbeddedPostgresError
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.temporary import temporary_directory

ServerSoon = Callable[[], str]
"""Waits for a server, and returns the connection string of a superuser; raises EmbeddedPostgresError if there is none
to run, or it does not start."""


@contextlib.contextmanager
def starting_server() -> Iterator[ServerSoon]:
    """Begin to start an empty server, which is stopped and removed after the `with` block."""
    with temporary_directory() as directory, ThreadPoolExecutor(1) as executor:
        server = EmbeddedPostgres(directory, durable=False)
        started = executor.submit(server.start)

        def dsn() -> str:
            started.result()
            return server.dsn()

        try:
            yield dsn
        finally:
            with contextlib.suppress(EmbeddedPostgresError):  # raised where somebody waited for the server
                started.result()
            server.stop()

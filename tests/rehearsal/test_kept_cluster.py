"""A cluster is kept between commands, where nobody else could have made it, and one command at a time uses it."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

from proxy.rehearsal import kept_cluster as module
from proxy.rehearsal.kept_cluster import kept_cluster
from proxy.rehearsal.servers import starting_server


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, empty."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


def kept() -> Path:
    """The directory that a command is given now, with a file in it as of a cluster."""
    with kept_cluster(15) as directory:
        assert directory is not None
        (directory / "cluster").touch()
        return directory


@pytest.mark.unit
def test_the_next_command_finds_what_the_last_one_left(cache: Path) -> None:
    directory = kept()
    with kept_cluster(15) as found, kept_cluster(16) as of_another_version:
        assert found == directory
        assert (directory / "cluster").exists()
        assert of_another_version not in (None, directory)
    for private in (cache, directory.parent, directory):
        assert private.stat().st_mode & 0o077 == 0


@pytest.mark.unit
@pytest.mark.usefixtures("cache")
def test_one_command_at_a_time_has_it() -> None:
    with kept_cluster(15) as first, kept_cluster(15) as second:
        assert first is not None
        assert second is None


@pytest.mark.unit
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_no_place_where_others_can_write(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    with kept_cluster(15) as directory:
        assert directory is None


@pytest.mark.unit
@pytest.mark.usefixtures("cache")
def test_no_place_of_another_user(monkeypatch: pytest.MonkeyPatch) -> None:
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)
    with kept_cluster(15) as directory:
        assert directory is None


@pytest.mark.unit
def test_no_place_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    with kept_cluster(15) as directory:
        assert directory is None


@pytest.mark.unit
@pytest.mark.usefixtures("cache")
def test_what_was_not_flushed_before_a_restart_of_the_machine_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = kept()
    later = tmp_path / "boot_id"
    later.write_text("another\n")
    monkeypatch.setattr(module, "_BOOT", later)
    with kept_cluster(15) as found:
        assert found == directory
        assert not (directory / "cluster").exists()


@pytest.mark.unit
@pytest.mark.usefixtures("cache")
def test_databases_do_not_pile_up() -> None:
    directory = kept()
    for number in range(17):
        (directory / "data" / "base" / str(number)).mkdir(parents=True)
    kept()
    assert not (directory / "data").exists()


def identity(dsn: str) -> object:
    """What tells one cluster from all others."""
    with psycopg.connect(dsn) as connection:
        return connection.execute("SELECT system_identifier FROM pg_control_system()").fetchone()


@pytest.mark.postgres
def test_commands_use_it_one_after_the_other_and_replace_what_does_not_start(cache: Path) -> None:
    with starting_server() as first:
        cluster = identity(first())
        with starting_server() as at_the_same_time:
            other = identity(at_the_same_time())
    with starting_server() as second:
        assert identity(second()) == cluster
    assert cluster != other
    (data,) = cache.glob("dpproxy/planning-*/data")
    (data / "global" / "pg_control").write_bytes(b"")
    with starting_server() as third:
        assert identity(third()) not in (cluster, other)
    assert not data.exists()

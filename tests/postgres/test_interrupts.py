"""An interrupt between making a thing and noting that it is there leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from proxy.postgres import embedded
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.interrupts import postponed
from proxy.postgres.temporary import temporary_directory


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Ctrl-C as a program finds it: a command that other tests ran in this process may have taken it over."""
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, kept)


def interrupted(function: Callable[..., object]) -> Callable[..., object]:
    """`function`, during whose last line Ctrl-C is pressed."""

    def work(*arguments: object, **named: object) -> object:
        made = function(*arguments, **named)
        signal.raise_signal(signal.SIGINT)
        return made

    return work


def test_an_interrupt_waits() -> None:
    done = []

    def work() -> None:
        with postponed():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_temporary_directory_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "mkdtemp", interrupted(tempfile.mkdtemp))
    with pytest.raises(KeyboardInterrupt), temporary_directory():
        raise AssertionError("the interrupt comes before")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.postgres
@pytest.mark.parametrize("step", ["_run_alone", "make_socket_directory", "_spawn"])
def test_an_embedded_server_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    spawned: list[subprocess.Popen[bytes]] = []
    spawn = embedded._spawn

    def spawn_and_tell(command: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
        spawned.append(spawn(command, log))
        return spawned[0]

    monkeypatch.setattr(embedded, "_spawn", spawn_and_tell)
    monkeypatch.setattr(embedded, step, interrupted(getattr(embedded, step)))
    with pytest.raises(KeyboardInterrupt):
        EmbeddedPostgres(tmp_path / "state", durable=False).start()
    assert {path.name for path in (tmp_path / "state").iterdir()} <= {"data", "data.unfinished", "lock", "log"}
    assert all(process.poll() is not None for process in spawned)

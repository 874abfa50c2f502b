"""A proxy that stands: its own server may end, its parts may be down, and operators see what is going on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import cast

import psycopg
import pytest

from proxy.commands import ExitCode
from proxy.postgres.binaries import EmbeddedPostgresError
from proxy.serving import watchdog
from proxy.serving.running import serve_until_stopped
from proxy.serving.service import Service
from proxy.serving.signals import EarlySignals
from tests.end_to_end.serve_command import (
    DEADLINE_SECONDS,
    QUERY,
    Setup,
    on_linux,
    serving,
    spent,
    wait_for_line,
)


def _postmaster(setup: Setup) -> int:
    return int((setup.state / "data" / "postmaster.pid").read_text().split()[0])


def _kill(process: int) -> None:
    subprocess.run(["kill", "-9", str(process)], check=True)


PRIVATE_TEXT = "what an error may tell"


class Reloading:
    """A service that fails when it is told to reload, is told again, and then is told to stop."""

    reloads = 0

    async def start(self) -> tuple[str, int]:
        os.kill(os.getpid(), signal.SIGHUP)
        return "127.0.0.1", 1

    async def reload(self) -> None:
        self.reloads += 1
        if self.reloads == 1:
            os.kill(os.getpid(), signal.SIGHUP)
            raise ValueError(PRIVATE_TEXT)
        os.kill(os.getpid(), signal.SIGTERM)

    def hurry(self) -> None:
        raise AssertionError("only one signal was sent")

    async def stop(self) -> None:
        pass


def test_a_reload_that_fails_unexpectedly_is_not_the_last_one(caplog: pytest.LogCaptureFixture) -> None:
    service = Reloading()
    assert asyncio.run(serve_until_stopped(cast("Service", service), EarlySignals()))
    assert service.reloads == 2
    assert "unexpected ValueError" in caplog.text
    assert PRIVATE_TEXT not in caplog.text


@on_linux
def test_an_embedded_server_that_dies_is_started_again_with_all_charges(setup: Setup) -> None:
    with serving(setup) as (process, port):
        with setup.connect(port) as client:
            answer, account = client.execute(QUERY).fetchall(), spent(client)
            _kill(_postmaster(setup))
            wait_for_line(process, "the embedded PostgreSQL runs again")
            with pytest.raises(psycopg.OperationalError):
                client.execute("SELECT 1")
        for _ in range(2):
            with setup.connect(port) as client:
                assert client.execute(QUERY).fetchall() == answer
                assert spent(client) == account
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK


class _Dying:
    """A server that ends as soon as it is started."""

    def __init__(self) -> None:
        self.starts = 0
        self.is_running = False

    def revive(self) -> None:
        self.starts += 1


def test_a_server_that_dies_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "_LOOK_SECONDS", 0.001)
    server = _Dying()
    with pytest.raises(EmbeddedPostgresError, match="6 times"):
        asyncio.run(watchdog.keep_running(server, first_delay=0.001))
    assert server.starts == 5


def _health(address: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proxy.cli", "health", address, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False)


def test_operators_see_what_is_ready_and_how_much_of_what(setup: Setup) -> None:
    with serving(setup, options=["--metrics", "127.0.0.1:0"]) as (process, port):
        found = re.search(r"http://(127\.0\.0\.1:\d+)", wait_for_line(process, "/live, /ready and /metrics"))
        assert found is not None
        address = found[1]
        with setup.connect(port, options="-c dp.epsilon=0.1") as client:
            client.execute("SELECT count(*) FROM visits WHERE region <> 'operators'")  # not asked before
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                client.execute("SELECT * FROM visits")
            ready = _health(address)
            assert (ready.returncode, ready.stdout) == (ExitCode.OK, "stage: ready\nledger: ready\nsource: ready\n")
            with urllib.request.urlopen(f"http://{address}/metrics", timeout=20) as page:
                metrics = page.read().decode()
        assert 'dpproxy_statements_total{outcome="answered"} 1' in metrics
        assert 'dpproxy_statements_total{outcome="42501"} 1' in metrics
        assert 'dpproxy_sessions{analyst="ana"} 1' in metrics
        assert re.findall(r"^dpproxy_source_queries_total (.*)$", metrics, re.M) == ["1"]
        assert "\ndpproxy_source_waiting 0\n" in metrics
        seconds = re.findall(
            r'^dpproxy_(?:part_seconds\{part="\w+"\}|source_query_seconds_total) (\S+)$', metrics, re.M
        )
        assert len(seconds) == 4
        assert all(0 < float(each) < 20 for each in seconds)
        left = re.search(r'dpproxy_budget_left_ratio\{account="table:public\.visits"\} (\S+)', metrics)
        assert left is not None
        assert 0 < float(left[1]) < 1
        assert not {"patient_id", "region"} & set(re.findall(r"\w+", metrics))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
    assert _health(address).returncode == ExitCode.UNREACHABLE


@on_linux
def test_alive_is_not_ready(setup: Setup) -> None:
    with serving(setup, options=["--metrics", "127.0.0.1:0"]) as (process, _):
        found = re.search(r"http://(127\.0\.0\.1:\d+)", wait_for_line(process, "/live, /ready and /metrics"))
        assert found is not None
        server = _postmaster(setup)
        stopped = [server, *_children(server)]
        subprocess.run(["kill", "-STOP", *map(str, stopped)], check=True)
        try:
            not_ready = _health(found[1])
            assert not_ready.returncode == ExitCode.FAILED
            assert not_ready.stdout == "stage: does not answer\nledger: does not answer\nsource: ready\n"
            assert _health(found[1], "--live").returncode == ExitCode.OK
        finally:
            subprocess.run(["kill", "-CONT", *map(str, stopped)], check=False)
        deadline = time.monotonic() + DEADLINE_SECONDS
        while _health(found[1]).returncode != ExitCode.OK:
            assert time.monotonic() < deadline
            time.sleep(0.5)


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_logs_are_json_with_session_and_statement_and_without_values(setup: Setup) -> None:
    with serving(setup, options=["--log-format", "json", "--log-level", "debug"]) as (process, port):
        with setup.connect(port) as client:
            client.execute("SELECT count(*) FROM visits WHERE region = 'a secret thought'")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                client.execute("SELECT patient_id FROM visits")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=DEADLINE_SECONDS)
    assert "secret thought" not in said
    assert "patient_id" not in said
    lines = [json.loads(line) for line in said.splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    about = {line["message"].partition(":")[0]: line for line in lines}
    assert about["charged table"].items() >= {"level": "info", "analyst": "ana", "session": 1}.items()
    statements = [line["message"] for line in lines if line["logger"] == "proxy.query.counts"]
    assert [text.split(", ")[0] for text in statements] == [
        "statement over private tables: answered",
        "statement over private tables: 42501",
    ]
    assert any(re.fullmatch(r"session 1 of 'ana' ended after \d+\.\d s", line["message"]) for line in lines)

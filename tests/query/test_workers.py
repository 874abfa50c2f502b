"""Planning processes: what ends one, what becomes of its task, and what is read from it."""

from __future__ import annotations

import asyncio
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlglot import exp

from proxy.errors import DpproxyError, TooComplexError
from proxy.query.dialog import Ask, Known, Task, account_price, block_plan, unpacked, written
from proxy.query.nursery import Nursery
from proxy.query.workers import StartWorker, Workers
from proxy.sql.statement import parse_statement
from proxy.sql.terms.types import Kind
from tests.parsing.test_grammar import DEEP
from tests.planned import plan_of
from tests.sql.events import SCHEMA

pytestmark = pytest.mark.postgres

_SCRIPT = """
import socket, sys
sys.path[:] = {path!r}
from proxy.query import reading, worker
worker.SECONDS = 1
def split(self, text):
    if "forever" in text:
        while True:
            text = text[1:] + text[:1]
    if "memory" in text:
        return [bytes(1 << 20) for _ in range(1 << 20)]
    if "abort" in text:
        import os
        os.abort()
    if "bug" in text:
        raise ValueError("a private text: " + text)
    if "odd" in text:
        import pathlib
        return pathlib.Path("/")
    return text.upper()
reading.Reader.split = split
worker.run(socket.socket(fileno=0))
"""


@contextmanager
def _workers(start: StartWorker | None = None) -> Iterator[tuple[Workers, asyncio.Runner]]:
    """Workers whose processes do what they are told by the text that they split, unless it is said how they start."""
    with ExitStack() as processes, asyncio.Runner() as runner:

        def start_scripted(connection: socket.socket) -> None:
            command = [sys.executable, "-c", _SCRIPT.format(path=sys.path)]
            with connection:
                processes.enter_context(subprocess.Popen(command, stdin=connection.fileno()))

        workers = Workers(SCHEMA, start or start_scripted, 2)
        try:
            yield workers, runner
        finally:
            runner.run(workers.close())


async def _nothing(ask: Ask) -> None:
    raise AssertionError(ask)


def _split(workers: Workers, runner: asyncio.Runner, text: str) -> object:
    return runner.run(workers.do("ana", Task("split", (text,)), _nothing))


def test_the_first_task_takes_the_process_that_was_begun_before() -> None:
    begun = []

    def start(connection: socket.socket) -> None:
        begun.append(connection.fileno())
        parent.start_worker(connection)

    parent = Nursery()
    with closing(parent), _workers(start) as (workers, runner):
        runner.run(workers.warm_up())
        assert len(begun) == 1
        assert _split(workers, runner, "SELECT 1") is not None
        assert len(begun) == 1


@pytest.mark.parametrize("text", ["forever", "memory", "abort"])
def test_what_takes_too_much_is_refused_and_the_next_task_gets_another_process(text: str) -> None:
    with _workers() as (workers, runner):
        started = time.monotonic()
        with pytest.raises(TooComplexError) as refusal:
            _split(workers, runner, text)
        assert refusal.value.rule == "planning-limit"
        assert time.monotonic() - started < 60
        assert _split(workers, runner, "next") == "NEXT"


def test_a_mistake_is_logged_without_its_text_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with _workers() as (workers, runner):
        with pytest.raises(DpproxyError) as failure:
            _split(workers, runner, "bug")
        assert (failure.value.message, failure.value.sqlstate) == ("internal error", "XX000")
        assert "ValueError" in caplog.text
        assert "private text" not in caplog.text
        assert len(workers._idle) == 1
        assert _split(workers, runner, "next") == "NEXT"


def test_a_message_that_cannot_be_read_ends_its_process_alone() -> None:
    with _workers() as (workers, runner):
        for _ in range(3):
            with pytest.raises(pickle.UnpicklingError):
                _split(workers, runner, "odd")
        assert _split(workers, runner, "next") == "NEXT"


def test_who_leaves_does_not_free_the_process_before_its_task_ends() -> None:
    async def run(workers: Workers) -> None:
        for _ in range(3):
            leaving = asyncio.create_task(workers.do("eve", Task("split", ("forever",)), _nothing))
            await asyncio.sleep(0.1)
            leaving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await leaving
        waiting = asyncio.create_task(workers.do("eve", Task("split", ("late",)), _nothing))
        assert await workers.do("ana", Task("split", ("early",)), _nothing) == "EARLY"
        assert not waiting.done()
        assert await waiting == "LATE"

    with _workers() as (workers, runner):
        runner.run(run(workers))


def test_members_of_enumerations_are_read_in_every_version_of_python() -> None:
    by_name = b"cbuiltins\ngetattr\n(cproxy.sql.terms.types\nKind\nVTEXT\ntR."
    assert unpacked(by_name, SCHEMA, Known(0)) is Kind.TEXT
    with pytest.raises(pickle.UnpicklingError):
        unpacked(b"cbuiltins\ngetattr\n(cproxy.query.dialog\nTask\nV__init__\ntR.", SCHEMA, Known(0))


@pytest.mark.parametrize("value", [os.system, subprocess.Popen, Path, exp.Select(), Workers])
def test_nothing_but_values_of_plans_is_read_from_a_process(value: object) -> None:
    with pytest.raises(pickle.UnpicklingError):
        unpacked(pickle.dumps(value), SCHEMA, Known(0))


def test_a_plan_of_a_block_that_comes_again_is_the_one_that_is_known() -> None:
    plans = Known(1 << 20)
    some, others = (plan_of(f"SELECT count(*) FROM events WHERE amount > {number}", SCHEMA) for number in (1, 2))
    first, again, other = (unpacked(written([plan]), SCHEMA, plans)[0] for plan in (some, some, others))
    assert again is first
    assert (first.conditions, other.conditions) == (some.conditions, others.conditions)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with closing(Nursery()) as nursery:
        yield nursery


@pytest.mark.parametrize("name", DEEP)
def test_deep_texts_are_refused_in_a_process_as_elsewhere(nursery: Nursery, name: str) -> None:
    text = eval(DEEP[name], {"n": 400}).replace("visits", "events")
    try:
        parse_statement(text)
        rule = None
    except DpproxyError as error:
        rule = error.rule
    with _workers(nursery.start_worker) as (workers, runner):
        try:
            assert runner.run(workers.do("ana", Task("check", (f"{text} -- events",)), _nothing)) is True
            found = None
        except DpproxyError as error:
            found = error.rule
    # How deep Python may go depends on where it began, so one of both may still parse.
    assert found in {rule, "depth", None}


def test_no_process_outlives_the_proxy() -> None:
    script = f"""
import socket, sys
sys.path[:] = {sys.path!r}
from proxy.query.dialog import HEADER, Task, packed
from proxy.query.nursery import NURSERY
from tests.sql.events import SCHEMA
ours, theirs = socket.socketpair()
NURSERY.start_worker(theirs)
ours.sendall(packed(SCHEMA) + packed(Task("split", ("SELECT 1",))))
assert ours.recv(HEADER.size)
print(NURSERY._process.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as proxy:
        assert proxy.stdout is not None
        group = int(proxy.stdout.readline())
        assert len(_in_group(group)) == 2
        proxy.kill()
    deadline = time.monotonic() + 20
    while _in_group(group):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _in_group(group: int) -> list[str]:
    """The living processes of a group, as /proc shows them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of) == group and state != "Z":
            found.append(path.parent.name)
    return found


def test_accounts_that_come_again_are_those_that_are_known() -> None:
    known = Known(1 << 20)
    some, others = (plan_of(f"SELECT count(*) FROM events WHERE amount > {number}", SCHEMA) for number in (1, 2))
    first, other = (unpacked(written([plan]), SCHEMA, known)[0] for plan in (some, others))
    assert first is not other
    assert first.accounts == some.accounts
    assert all(one is two for one, two in zip(first.accounts, other.accounts, strict=True))


@dataclass(frozen=True)
class _Sent:
    """What a process sends in place of something."""

    what: Callable[[bytes], object]
    body: bytes

    def __reduce__(self) -> tuple[object, ...]:
        return self.what, (self.body,)


def test_the_bytes_of_an_account_are_no_plan() -> None:
    """Whoever sends them as one gets an error, and not the account that came in them before."""
    known = Known(1 << 20)
    (account, *_) = plan_of("SELECT count(*) FROM events", SCHEMA).accounts
    body = written(vars(account))
    assert unpacked(pickle.dumps(_Sent(account_price, body)), SCHEMA, known) == account
    with pytest.raises(TypeError):
        unpacked(pickle.dumps(_Sent(block_plan, body)), SCHEMA, known)

"""Reads clients' texts and plans statements for a proxy, one task at a time, in a process of its own.

What takes long here keeps nobody waiting, and what takes too much is ended by the operating system.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import resource
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from proxy.errors import DpproxyError
from proxy.query.dialog import Ask, Crashed, Done, Line, Logged, Raised, Task, Told
from proxy.query.memory import MEMORY
from proxy.query.planned import Plan
from proxy.query.planning import Planner
from proxy.query.reading import Reader
from proxy.query.session_state import SessionState
from proxy.sql.schema import Schema
from proxy.sql.unread_texts import too_deep
from proxy.wire.router import Description, Parameter, SessionContext, StageError

SECONDS: Final = 10
"""Of computing that one task may take."""
_LOOKED_THROUGH: Final = 10_000
"""New objects after which the interpreter looks for those that nobody needs: a plan has some thousands."""
_STACK: Final = 16 << 20
"""Bytes of stack: the interpreter's recursion limit has to be reached before its end."""


class _LeftError(Exception):
    """Nobody waits for the outcome any more."""


class RemoteStage:
    """The session's stage at the other end of a line, and the names that the proxy knows: a `StageLink`, and
    `TypeNames`. Its methods wait for the line, never for an event loop."""

    def __init__(self, line: Line) -> None:
        self.settings: dict[str, str] = {}
        self.changes = 0
        self._line = line
        self._described: tuple[str, tuple[int, ...], Description | StageError] | None = None
        self._names: dict[tuple[int, int], str] = {}
        self._volatile: frozenset[str] | None = None

    def know(self, sql: str, parameter_types: Sequence[int], described: Description | StageError | None) -> None:
        """Take over what the proxy has found out beforehand: what `describe` says of this text as it was written."""
        self._described = (sql, tuple(parameter_types), described) if described is not None else None

    async def describe(self, sql: str, parameter_types: Sequence[int] = (), *, written: bool = True) -> Description:
        if self._described is not None and written and (sql, tuple(parameter_types)) == self._described[:2]:
            known = self._described[2]
            if isinstance(known, StageError):
                raise known
            return known
        found: Description = self._ask("describe", sql, tuple(parameter_types), written)
        return found

    async def rows(self, sql: str, *, quiet: bool = False) -> list[tuple[str | None, ...]]:  # noqa: ARG002
        found: list[tuple[str | None, ...]] = self._ask("rows", sql)
        return found

    async def format_type(self, type_oid: int, type_modifier: int = -1) -> str:
        key = (type_oid, type_modifier)
        if key not in self._names:
            self._names[key] = self._ask("format_type", *key)
        return self._names[key]

    async def volatile_functions(self) -> frozenset[str]:
        if self._volatile is None:
            self._volatile = self._ask("volatile_functions")
        return self._volatile

    def _ask(self, what: Any, *arguments: Any) -> Any:
        self._line.say(Ask(what, arguments))
        match self._line.hear():
            case Told(value):
                return value
            case Raised(error):
                raise error
        raise _LeftError


class Worker:
    """Does tasks, one after the other.

    Args:
        schema: policy and catalog.
        stage: of the session whose task it is, at the other end of the line.
    """

    def __init__(self, schema: Schema, stage: RemoteStage) -> None:
        reader = Reader(schema)
        self._stage = stage
        self._planner = Planner(schema, stage, reader)
        self._tasks: dict[str, Callable[..., Any]] = {
            "split": reader.split,
            "setting": reader.setting,
            "names_private": reader.names_private,
            "check": reader.check,
            "plan": self._plan,
        }

    def outcome(self, task: Task) -> Done | Raised | Crashed:
        """What comes of a task.

        Raises:
            EOFError: the proxy has hung up.
        """
        try:
            return Done(self._tasks[task.what](*task.arguments))
        except (DpproxyError, StageError) as error:
            return Raised(error)
        except _LeftError:
            return Done(None)
        except RecursionError:
            return Raised(too_deep())
        except MemoryError:
            raise EOFError from None  # What is left of this process is of no use.
        except EOFError:
            raise
        except Exception as error:
            return Crashed(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))

    def _plan(
        self,
        text: str,
        parameters: Sequence[Parameter],
        state: SessionState,
        described: Description | StageError | None,
    ) -> Plan | None:
        self._stage.know(text, [parameter.type_oid for parameter in parameters], described)
        return _result(self._planner.plan(text, parameters, SessionContext(state.analyst, self._stage), state))


def _result(work: Coroutine[Any, Any, Plan | None]) -> Plan | None:
    """What a coroutine returns that waits for no event loop."""
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError("a plan waits for nothing but the line")


def serve(connection: socket.socket, *, limited: bool = False) -> None:
    """Do a proxy's tasks until it hangs up. Its first message is the schema.

    Args:
        connection: to the proxy.
        limited: is the process ended if a task takes too long?
    """
    with contextlib.closing(Line(connection)) as line, contextlib.suppress(EOFError, OSError):
        worker = Worker(line.hear(), RemoteStage(line))
        if limited:
            # The policy and the catalog stay, and trees are looked through once they are many.
            gc.freeze()
            gc.set_threshold(_LOOKED_THROUGH)
            logging.getLogger().addHandler(_Forwarding(line))
        while True:
            task = line.hear()
            signal.setitimer(signal.ITIMER_PROF, SECONDS) if limited else None
            _say(line, worker.outcome(task))
            signal.setitimer(signal.ITIMER_PROF, 0) if limited else None


def _say(line: Line, outcome: Done | Raised | Crashed) -> None:
    try:
        line.say(outcome)
    except RecursionError:
        line.say(Raised(too_deep()))


class _Forwarding(logging.Handler):
    """Hands what is logged to the proxy."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def emit(self, record: logging.LogRecord) -> None:
        self._line.say(Logged(record.name, record.levelno, record.getMessage()))


def run(connection: socket.socket) -> None:
    """`serve` in a process that is made for it, with limits."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.stack_size(_STACK)
    thread = threading.Thread(target=serve, args=(connection,), kwargs={"limited": True})
    thread.start()
    thread.join()

"""What a proxy and its planning processes say to each other, and how it is written: pickled, with its length in front.

A process is given a task. While it works it may ask for what only the proxy can find out, and it ends with an outcome.
What comes from a process was made of clients' texts, so only values of a few packages are read from it.
"""

from __future__ import annotations

import copyreg
import functools
import io
import pickle
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, EnumMeta
from typing import Any, ClassVar, Literal

from proxy.budget.cache import ImmutableCache
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.accounts import AccountPrice
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema

HEADER = struct.Struct("!I")
_Kept = BlockPlan | AccountPrice
Known = ImmutableCache[tuple[type[_Kept], bytes], _Kept]
"""Plans of blocks, and accounts, that were read, by the bytes in which they came."""
_ACCOUNTS_KEPT = 500


@dataclass(frozen=True)
class Task:
    """What a process is to do: the name of one of `Worker`'s, and its arguments."""

    what: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Ask:
    """What a process asks the proxy: a method of the session's `StageLink` or of `TypeNames`, and its arguments."""

    what: Literal["describe", "rows", "format_type", "volatile_functions"]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Told:
    """The proxy's reply to an `Ask`."""

    value: Any


@dataclass(frozen=True)
class Leave:
    """The proxy's reply if nobody waits for the outcome any more."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task."""

    value: Any


@dataclass(frozen=True)
class Raised:
    """A refusal, or an error of the stage: as the outcome of a task, or as the proxy's reply."""

    error: Exception


@dataclass(frozen=True)
class Crashed:
    """An error that nobody expected: its type, and where it came from. Never its text, which can hold SQL."""

    kind: str
    frames: str


@dataclass(frozen=True)
class Logged:
    """A line for the log."""

    name: str
    level: int
    text: str


def named_table(name: str) -> NamedTable:
    """What a table is pickled as; the reader has its own of that name."""
    raise LookupError(name)


def block_plan(body: bytes) -> BlockPlan:
    """What a block's plan is pickled as: its fields, pickled apart, by which the reader knows a plan that came before.
    Most texts ask what was asked before, in other words around the same blocks."""
    raise LookupError(body)


def account_price(body: bytes) -> AccountPrice:
    """What an account is pickled as, likewise: all that an analyst asks of a table is paid by the same ones."""
    raise LookupError(body)


_ACCOUNTS: ImmutableCache[int, tuple[AccountPrice, bytes]] = ImmutableCache(_ACCOUNTS_KEPT)
"""Accounts and what they are pickled as, by their ids, which are no others' while they are here."""


def _written_account(account: AccountPrice) -> bytes:
    known = _ACCOUNTS.get(id(account))
    if known is None:
        known = (account, written(vars(account)))
        _ACCOUNTS.put(id(account), known, weight=1)
    return known[1]


class _Pickler(pickle.Pickler):
    dispatch_table: ClassVar[dict[type, Callable[[Any], Any]]] = {  # type: ignore[misc]
        **copyreg.dispatch_table,
        NamedTable: lambda table: (named_table, (table.name,)),
        BlockPlan: lambda plan: (block_plan, (written(vars(plan)),)),
        AccountPrice: lambda account: (account_price, (_written_account(account),)),
    }


def packed(message: object) -> bytes:
    """A message of the proxy, or its schema."""
    return _framed(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def written(message: object) -> bytes:
    """A message of a planning process, without its length: `unpacked` reads it.

    Raises:
        RecursionError: it is nested too deeply.
    """
    body = io.BytesIO()
    _Pickler(body, protocol=pickle.HIGHEST_PROTOCOL).dump(message)
    return body.getvalue()


def _framed(body: bytes) -> bytes:
    return HEADER.pack(len(body)) + body


_READ = (
    "proxy.dp.",
    "proxy.errors",
    "proxy.policy.",
    "proxy.query.dialog",
    "proxy.query.holding",
    "proxy.query.planned",
    "proxy.settings",
    "proxy.sql.",
    "proxy.wire.router",
)
"""Modules whose classes are read from a process."""
_PLAIN = {
    "builtins": {"frozenset", "set", "slice"},
    "collections": {"OrderedDict"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "types": {"MappingProxyType"},
    "uuid": {"UUID"},
}


def _member(enumeration: Any, name: str) -> Enum:
    if not isinstance(enumeration, EnumMeta):
        raise pickle.UnpicklingError(f"an attribute {name} does not come from a planning process")
    return enumeration[name]


@functools.cache
def _class_named(module: str, name: str) -> type:
    """A class that a process may send. Other names are not remembered."""
    if name not in _PLAIN.get(module, ()) and not module.startswith(_READ):
        raise pickle.UnpicklingError(f"{module}.{name} does not come from a planning process")
    found = pickle.Unpickler(io.BytesIO()).find_class(module, name)
    if not isinstance(found, type):
        raise pickle.UnpicklingError(f"{module}.{name} does not come from a planning process")
    return found


class _Reader(pickle.Unpickler):
    def __init__(self, body: bytes, schema: Schema, known: Known) -> None:
        super().__init__(io.BytesIO(body))
        self._schema = schema
        self._known = known

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (named_table.__module__, named_table.__name__):
            return self._schema.table
        if (module, name) == (block_plan.__module__, block_plan.__name__):
            return functools.partial(self._read, BlockPlan)
        if (module, name) == (account_price.__module__, account_price.__name__):
            return functools.partial(self._read, AccountPrice)
        if (module, name) == ("builtins", "getattr"):
            return _member  # what an Enum's member is pickled by in some versions of Python
        return _class_named(module, name)

    def _read(self, kind: type[_Kept], body: bytes) -> _Kept:
        known = self._known.get((kind, body))
        if known is None:
            known = kind(**unpacked(body, self._schema, self._known))
            self._known.put((kind, body), known, weight=len(body))
        return known


def unpacked(body: bytes, schema: Schema, known: Known) -> Any:
    """A message of a planning process.

    Args:
        body: without its length.
        schema: has the tables that it names.
        known: what was read before; new plans and accounts are added.

    Raises:
        pickle.UnpicklingError: it has values that no such process sends.
    """
    return _Reader(body, schema, known).load()


class Line:
    """A process's end, which waits.

    Args:
        connection: a stream.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._stream = connection.makefile("rb")

    def close(self) -> None:
        self._stream.close()
        self._connection.close()

    def say(self, message: object) -> None:
        """Send a message.

        Raises:
            OSError: nobody reads it any more.
            RecursionError: it is nested too deeply.
        """
        self._connection.sendall(_framed(written(message)))

    def hear(self) -> Any:
        """The next message of the proxy.

        Raises:
            EOFError: the proxy has hung up.
        """
        header = self._stream.read(HEADER.size)
        if len(header) < HEADER.size:
            raise EOFError
        return pickle.loads(self._stream.read(HEADER.unpack(header)[0]))

"""A small router over a real stage, a server in a thread of its own, and a client that speaks message by message."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from proxy.errors import UnsupportedError
from proxy.wire import backend, frontend, scram
from proxy.wire.backend import Report
from proxy.wire.codec import HEADER, INT32, Fields, frame
from proxy.wire.frontend import SaslInitialResponse, Startup
from proxy.wire.gate import Account
from proxy.wire.router import Answer, Notice, Parameter, SessionContext, StageError, StatementText
from proxy.wire.server import Server
from proxy.wire.session import Limits
from proxy.wire.stage_connection import StageAddress
from proxy.wire.tls import Credentials

PASSWORD = "open sesame ½"
ACCOUNTS = {name: Account(scram.make_verifier(PASSWORD)) for name in ("ana", "bob")}
STAGE_PASSWORD = "only the proxy knows"
VISITS = "(VALUES (1, 10.5, 'north'), (2, 20.25, 'south'), (3, 1.25, 'north')) AS visits(id, cost, region)"

_VISITS = re.compile(r"(?<=FROM )visits\b")
_PIECE = re.compile(r"(?:'[^']*'|[^;'])*;?")


class VisitsRouter:
    """Claims what reads FROM visits and puts a literal relation in its place.

    Comments in a statement ask for more: `/*slow*/`, `/*crash*/`, `/*describe*/`, `/*shrug*/` (ignores an error of the
    stage), `/*native*/` (leaves it to the stage), `/*late*/` (refused by `answer`, not by `check`). A statement that mentions `secrets` is refused at once.
    """

    def __init__(self) -> None:
        self.answered: list[tuple[str, tuple[Parameter, ...]]] = []
        self.started = threading.Event()
        self.cancelled = threading.Event()

    def split_short(self, text: str) -> tuple[StatementText, ...] | None:  # noqa: ARG002
        """Every text takes its time."""
        return None

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:  # noqa: ARG002
        pieces = [piece for piece in _PIECE.findall(text) if piece] or [""]
        return tuple(StatementText(piece, self.claims(piece)) for piece in pieces)

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:  # noqa: ARG002
        """Every session is welcome."""
        return ()

    def claims(self, text: str) -> bool:
        return _VISITS.search(text) is not None or "secrets" in text

    async def check(self, text: str, analyst: str) -> bool:  # noqa: ARG002
        if "secrets" in text:
            position = text.index("secrets") + 1
            raise UnsupportedError(
                "secrets are not told", detail="Why.", hint="Ask.", position=position, rule="secrets"
            )
        return self.claims(text)

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        self.answered.append((text, tuple(parameters)))
        await self.check(text, session.analyst)
        if "/*late*/" in text:
            raise UnsupportedError("too late", rule="late")
        if "/*slow*/" in text:
            await self._sleep()
        if "/*crash*/" in text:
            raise RuntimeError(text)
        if "/*describe*/" in text:
            await session.stage.describe(text, [parameter.type_oid for parameter in parameters])
        if "/*shrug*/" in text:
            with contextlib.suppress(StageError):
                await session.stage.rows("SELECT 1/0")
        if "/*native*/" in text:
            return Answer(None)
        sql = _VISITS.sub(VISITS, text, count=1)
        for number, parameter in reversed(list(enumerate(parameters, start=1))):
            sql = sql.replace(f"${number}", await self._literal(parameter, session))
        return Answer(sql, (Notice(f"answered {session.analyst}", detail="It cost nothing."),))

    async def _sleep(self) -> None:
        self.started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    @staticmethod
    async def _literal(parameter: Parameter, session: SessionContext) -> str:
        rows = await session.stage.rows(f"SELECT pg_catalog.format_type({parameter.type_oid}, NULL)")
        return "NULL" if parameter.text is None else "'{}'::{}".format(parameter.text.replace("'", "''"), rows[0][0])


class RunningServer:
    """A server in the event loop of a thread of its own, so that blocking clients can be used."""

    def __init__(
        self,
        stage: StageAddress,
        limits: Limits,
        accounts: Mapping[str, Account] = ACCOUNTS,
        credentials: Credentials | None = None,
        *,
        require_tls: bool = False,
        new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
    ) -> None:
        self.router = VisitsRouter()
        self._loop = new_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._server = Server(
            self.router, accounts, stage, "shop", limits, credentials=credentials, require_tls=require_tls
        )
        self.host, self.port = "", 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.host, self.port = self._call(self._server.start("127.0.0.1", 0))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        left_behind = asyncio.all_tasks(self._loop)
        self._loop.close()
        assert not left_behind, "a stopped server does no more work"

    def use_credentials(self, credentials: Credentials) -> None:
        self._loop.call_soon_threadsafe(self._server.use_credentials, credentials)

    @property
    def unsent(self) -> int:
        """Bytes for clients that wait in the server's memory."""
        return sum(client.unsent for client in tuple(self._server._clients.values()))

    def stop(self) -> None:
        self._call(self._server.stop())

    def _call(self, work: object) -> tuple[str, int]:
        assert asyncio.iscoroutine(work)
        result: tuple[str, int] = asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)
        return result

    def dsn(self, user: str = "ana") -> str:
        return f"host={self.host} port={self.port} user={user} dbname=shop password='{PASSWORD}'"


class RawClient:
    """Sends bytes and reads messages; logs in on request. `inside` is a socket that has begun otherwise, as with TLS."""

    def __init__(self, server: RunningServer, inside: socket.socket | None = None) -> None:
        self.socket = inside or socket.create_connection((server.host, server.port), timeout=20)
        self._stream = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._stream.close()
        self.socket.close()

    def send(self, *messages: bytes) -> None:
        self.socket.sendall(b"".join(messages))

    def read(self) -> tuple[str, bytes]:
        """Type and body of the next message; an empty type when the server has hung up."""
        try:
            header = self._stream.read(HEADER.size)
        except ConnectionResetError:
            return "", b""
        if len(header) < HEADER.size:
            return "", b""
        kind, length = HEADER.unpack(header)
        return chr(kind), self._stream.read(length - 4)

    def rest(self) -> bytes:
        """Everything up to the end of the connection, as it came."""
        data = b""
        with contextlib.suppress(ConnectionResetError):
            while some := self._stream.read1():
                data += some
        return data

    def until(self, last: str) -> list[tuple[str, bytes]]:
        """Messages up to the first of a type in `last` (or the end of the connection)."""
        messages: list[tuple[str, bytes]] = []
        while True:
            message = self.read()
            if not message[0]:
                return messages
            messages.append(message)
            if message[0] in last:
                return messages

    def log_in(self, user: str = "ana", password: str = PASSWORD, **parameters: str) -> list[tuple[str, bytes]]:
        """Log in and return everything from the end of the authentication on."""
        self.send(Startup(frontend.PROTOCOL_3_0, {"user": user, "database": "shop", **parameters}).encode())
        return self.authenticate(password)

    def authenticate(self, password: str = PASSWORD) -> list[tuple[str, bytes]]:
        exchange = scram.ClientExchange(password)
        kind, body = self.read()
        if kind != "R":
            return [(kind, body), *self.until("Z")]
        self.send(SaslInitialResponse(scram.MECHANISM, exchange.first()).encode())
        challenge = Fields(self.read()[1], "challenge")
        challenge.int32()
        self.send(frame(frontend.AUTHENTICATION, exchange.respond(challenge.rest())))
        return self.until("Z")

    def key(self, messages: list[tuple[str, bytes]]) -> frontend.CancelRequest:
        body = next(body for kind, body in messages if kind == "K")
        return frontend.CancelRequest(INT32.unpack(body[:4])[0], body[4:])


def errors(messages: list[tuple[str, bytes]]) -> Iterator[Report]:
    return (Report.decode(body) for kind, body in messages if kind == "E")


def error(messages: list[tuple[str, bytes]]) -> Report:
    """The only error among the messages."""
    (report,) = errors(messages)
    return report


def kinds(messages: list[tuple[str, bytes]]) -> str:
    return "".join(kind for kind, _ in messages)


def status(messages: list[tuple[str, bytes]]) -> str:
    """Transaction status of the last message, a ReadyForQuery."""
    kind, body = messages[-1]
    assert kind == chr(backend.READY_FOR_QUERY)
    return body.decode()


def rows(messages: list[tuple[str, bytes]]) -> list[tuple[bytes | None, ...]]:
    return [backend.decode_data_row(body) for kind, body in messages if kind == "D"]

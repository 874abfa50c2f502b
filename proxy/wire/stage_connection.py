"""Logs in at a stage as an analyst's role, and cancels what runs there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from ssl import SSLContext

from proxy.errors import DpproxyError, ProtocolViolationError
from proxy.wire import backend, frontend, scram
from proxy.wire.backend import Report
from proxy.wire.codec import INT32, Fields, c_string, frame
from proxy.wire.connection import Connection
from proxy.wire.frontend import CancelRequest, SaslInitialResponse, Startup
from proxy.wire.router import StageError

logger = logging.getLogger(__name__)

_MAXIMUM_STARTUP_REPLY = 1 << 20
_CANCEL_TIMEOUT = 5.0


class StageUnavailableError(DpproxyError):
    """The stage cannot be reached or does not accept the proxy (cannot_connect_now); the log has the cause."""

    sqlstate = "57P03"

    def __init__(self) -> None:
        super().__init__("the session's database is not available", hint="Try again later, or tell the operator.")


@dataclass(frozen=True)
class StageAddress:
    """Where a stage listens and how to log in there.

    Attributes:
        host: a host name or address, or the directory of a unix socket (then it begins with a slash).
        port: TCP port, or the number in the socket's name.
        database: the stage's database.
        password: the password of a role; None if the stage asks for none.
        ssl: for TLS to a stage on another machine.
    """

    host: str
    port: int
    database: str
    password: Callable[[str], str] | None = None
    ssl: SSLContext | None = None

    async def open(self) -> Connection:
        """Connect, up to and including TLS.

        Raises:
            OSError: nothing answers, or the stage refuses TLS.
        """
        loop = asyncio.get_running_loop()
        if self.host.startswith("/"):
            path = Path(self.host) / f".s.PGSQL.{self.port}"
            return (await loop.create_unix_connection(Connection, str(path)))[1]
        transport, connection = await loop.create_connection(Connection, self.host, self.port)
        if self.ssl is None:
            return connection
        connection.write(INT32.pack(8) + INT32.pack(frontend.SSL_REQUEST))
        if await connection.read(1) != b"S" or connection.buffered:
            connection.abort()
            raise ConnectionRefusedError("the stage does not offer TLS")
        secure = await loop.start_tls(transport, connection, self.ssl, server_hostname=self.host)
        if secure is None:
            raise ConnectionResetError("connection closed")
        connection.connection_made(secure)
        return connection


@dataclass
class StageConnection:
    """A session's own connection to the stage, ready for queries.

    Attributes:
        address: where it leads.
        connection: the socket.
        key: what a CancelRequest for it must contain.
        settings: reported parameters (ParameterStatus).
        greeting: notices of the login, for the client.
    """

    address: StageAddress
    connection: Connection
    key: CancelRequest = field(default_factory=lambda: CancelRequest(0, b""))
    settings: dict[str, str] = field(default_factory=dict)
    greeting: bytes = b""

    async def cancel(self) -> None:
        """Ask the stage to cancel this connection's work; returns when the stage has passed it on, or is silent."""
        try:
            async with asyncio.timeout(_CANCEL_TIMEOUT):
                connection = await self.address.open()
                try:
                    connection.write(self.key.encode())
                    await connection.read(1)
                except ConnectionError:
                    pass  # closing the connection is the stage's only reply
                finally:
                    connection.close()
        except OSError:
            logger.warning("the stage does not take a CancelRequest")

    def close(self) -> None:
        """Log out. A stage that does not take it, since nobody reads what it sends, is hung up on: both would wait."""
        self.connection.write(frame(frontend.TERMINATE))
        if self.connection.unsent:
            self.connection.abort()
        else:
            self.connection.close()


async def connect(address: StageAddress, role: str, parameters: Mapping[str, str]) -> StageConnection:
    """Log in as `role` with the client's startup parameters.

    Raises:
        StageError: the stage accepts the role but refuses the session (an unknown setting, a connection limit).
        StageUnavailableError: it cannot be reached or refuses the proxy's login.
    """
    try:
        connection = await address.open()
    except OSError as error:
        logger.error("cannot connect to the stage: %s", type(error).__name__)
        raise StageUnavailableError from None
    try:
        return await _log_in(address, connection, role, parameters)
    except (ConnectionError, ProtocolViolationError) as error:
        connection.abort()
        logger.error("login at the stage failed: %s", error)
        raise StageUnavailableError from None
    except BaseException:
        connection.abort()
        raise


async def _log_in(
    address: StageAddress, connection: Connection, role: str, parameters: Mapping[str, str]
) -> StageConnection:
    stage = StageConnection(address, connection)
    who = {**parameters, "user": role, "database": address.database}
    connection.write(Startup(frontend.PROTOCOL_3_0, who).encode())
    await _authenticate(address, connection, role)
    while True:
        kind, body = await connection.read_message(_MAXIMUM_STARTUP_REPLY)
        if kind == backend.PARAMETER_STATUS:
            name, value = backend.decode_parameter_status(body)
            stage.settings[name] = value
        elif kind == backend.BACKEND_KEY_DATA:
            fields = Fields(body, "BackendKeyData")
            stage.key = CancelRequest(fields.int32(), fields.rest())
        elif kind == backend.NOTICE_RESPONSE:
            stage.greeting += frame(kind, body)
        elif kind == backend.ERROR_RESPONSE:
            raise StageError(body, Report.decode(body).sqlstate)
        elif kind == backend.READY_FOR_QUERY:
            return stage


async def _authenticate(address: StageAddress, connection: Connection, role: str) -> None:
    """Answer the stage's requests until AuthenticationOk; what a stage says before that is for the operator only."""
    exchange: scram.ClientExchange | None = None
    while True:
        kind, body = await connection.read_message(_MAXIMUM_STARTUP_REPLY)
        if kind != backend.AUTHENTICATION:
            sqlstate = Report.decode(body).sqlstate if kind == backend.ERROR_RESPONSE else "none"
            raise ProtocolViolationError(f"the stage refused the role's login (SQLSTATE {sqlstate})")
        fields = Fields(body, "Authentication")
        code = fields.int32()
        if code == backend.AUTHENTICATION_OK:
            return
        if address.password is None:
            raise ProtocolViolationError("the stage asks for a password and none is configured")
        if code == backend.AUTHENTICATION_CLEARTEXT and (address.ssl is not None or address.host.startswith("/")):
            connection.write(frame(frontend.AUTHENTICATION, c_string(address.password(role).encode())))
        elif code == backend.AUTHENTICATION_SASL and c_string(scram.MECHANISM.encode()) in body:
            exchange = scram.ClientExchange(address.password(role))
            connection.write(SaslInitialResponse(scram.MECHANISM, exchange.first()).encode())
        elif code == backend.AUTHENTICATION_SASL_CONTINUE and exchange is not None:
            connection.write(frame(frontend.AUTHENTICATION, exchange.respond(fields.rest())))
        elif code == backend.AUTHENTICATION_SASL_FINAL and exchange is not None:
            exchange.check(fields.rest())
        else:
            raise ProtocolViolationError("the stage requests an unsupported authentication method (MD5, cleartext …)")

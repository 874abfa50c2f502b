"""The listening side: accepts clients, limits them, logs them in, hands cancel requests to sessions, shuts down."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Mapping
from itertools import count

from proxy.errors import AuthenticationError, DpproxyError, TooManyConnectionsError
from proxy.wire import backend, stage_connection
from proxy.wire.backend import Report
from proxy.wire.channel import log_failure
from proxy.wire.connection import Connection
from proxy.wire.frontend import PROTOCOL_3_2, CancelRequest
from proxy.wire.gate import Account, Gate
from proxy.wire.lobby import Lobby
from proxy.wire.login import Handshake, Login
from proxy.wire.login_log import LoginLog
from proxy.wire.roster import Roster
from proxy.wire.router import Notice, Router, StageError
from proxy.wire.session import Limits, Session
from proxy.wire.stage_connection import StageAddress, StageConnection, StageUnavailableError
from proxy.wire.tls import Credentials, TlsFailedError

logger = logging.getLogger(__name__)

_POLL = 0.02
_LINGER = 2.0
"""Seconds that a client has to read the last bytes before it is cut off."""


class Server:
    """Serves analysts over the Postgres protocol.

    Args:
        router: answers claimed statements.
        accounts: how analysts log in, by their names.
        stage: where every session gets its own connection, as the analyst's role.
        database: the name that clients give the database.
        limits: connection limits and timeouts.
        credentials: the server's certificate; None if there is no TLS.
        require_tls: are clients without TLS refused?
        roster: is told of each session.

    Raises:
        ValueError: a verifier is malformed.
    """

    def __init__(
        self,
        router: Router,
        accounts: Mapping[str, Account],
        stage: StageAddress,
        database: str,
        limits: Limits,
        *,
        credentials: Credentials | None = None,
        require_tls: bool = False,
        roster: Roster | None = None,
    ) -> None:
        self._router = router
        self._roster = roster or Roster()
        self._gate = Gate(accounts, database, self._require_room, credentials=credentials, require_tls=require_tls)
        self._log = LoginLog()
        self._stage = stage
        self._limits = limits
        self._listener: asyncio.Server | None = None
        self._clients: dict[asyncio.Task[None], Connection] = {}
        self._lobby = Lobby(limits.unauthenticated)
        self._sessions: dict[int, tuple[bytes, Session]] = {}
        self._analysts: Counter[str] = Counter()
        self._numbers = count(1)
        self._stopping = False
        self._hurry = False

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen, and return the address (port 0 picks a free one).

        Raises:
            OSError: the address cannot be listened on.
        """
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(lambda: Connection(self._accept), host, port, backlog=256)
        address = self._listener.sockets[0].getsockname()
        return address[0], address[1]

    @property
    def sessions(self) -> Mapping[str, int]:
        """How many each analyst has."""
        return {analyst: count for analyst, count in self._analysts.items() if count}

    @property
    def unauthenticated(self) -> int:
        """How many clients have not logged in."""
        return len(self._lobby)

    def use_accounts(self, accounts: Mapping[str, Account]) -> None:
        """Let others log in from now on. The sessions of those who may not any more end.

        Raises:
            ValueError: a verifier is malformed; nothing changes.
        """
        self._gate.use_accounts(accounts)
        for _, session in list(self._sessions.values()):
            if not self._gate.knows(session.analyst):
                session.terminate()

    def use_credentials(self, credentials: Credentials) -> None:
        """Show clients that connect from now on another certificate."""
        self._gate.credentials = credentials

    async def stop(self) -> None:
        """Stop listening, end idle sessions, give running statements `Limits.shutdown` seconds, then end them too."""
        self._stopping = True
        if self._listener is not None:
            self._listener.close()
        deadline = time.monotonic() + self._limits.shutdown
        while self._sessions and not self._hurry and time.monotonic() < deadline:
            for _, session in list(self._sessions.values()):
                if session.idle:
                    session.terminate()
            await asyncio.sleep(_POLL)
        for _, session in list(self._sessions.values()):
            session.terminate()
        if self._clients:
            await asyncio.wait(self._clients, timeout=_LINGER)
        for client in list(self._clients.values()):
            client.abort()
        if self._clients:
            await asyncio.wait(self._clients)

    def hurry(self) -> None:
        """Let `stop` give running statements no more time."""
        self._hurry = True

    def _accept(self, client: Connection) -> None:
        if self._stopping:
            client.abort()
            return
        crowded_out = self._lobby.enter(client)
        if crowded_out is not None:
            self._log.refused(None, crowded_out.peer, "crowded-out")
            crowded_out.abort()
        task = asyncio.get_running_loop().create_task(self._serve(client))
        self._clients[task] = client
        task.add_done_callback(self._gone)

    def _gone(self, task: asyncio.Task[None]) -> None:
        self._lobby.leave(self._clients.pop(task))

    async def _serve(self, client: Connection) -> None:
        """One connection from accept to close."""
        try:
            await self._log_in_and_run(client)
        except (ConnectionError, TimeoutError):
            client.abort()
        except StageError as error:
            client.write(backend.error_response(Report.decode(error.body)))
        except DpproxyError as error:
            client.write(backend.error_response(backend.error_report(error, "FATAL")))
        except Exception as error:
            log_failure(error)
            client.write(backend.error_response(backend.report("FATAL", "XX000", "internal error")))
        finally:
            await _hang_up(client)

    async def _log_in_and_run(self, client: Connection) -> None:
        handshake = Handshake(self._gate, client.peer)
        try:
            async with asyncio.timeout(self._limits.login_timeout):
                login = await self._greet(client, handshake)
            if isinstance(login, CancelRequest):
                self._cancel(login)
                return
            notices = self._router.check_startup(login.parameters)
            self._require_room()
            if self._analysts[login.analyst] >= self._limits.connections_per_analyst:
                raise TooManyConnectionsError(f'too many connections for role "{login.analyst}"')
        except TlsFailedError as error:
            self._log.refused(None, client.peer, f"the TLS handshake failed: {error}")
            return
        except DpproxyError as error:
            self._log.refused(handshake.user, client.peer, error.rule or error.message)
            raise
        self._lobby.leave(client)
        self._analysts[login.analyst] += 1
        try:
            await self._run_session(client, login, notices)
        finally:
            self._analysts[login.analyst] -= 1

    async def _greet(self, client: Connection, handshake: Handshake) -> CancelRequest | Login:
        while handshake.outcome is None:
            data = await client.read_some()
            try:
                handshake.hear(data)
            except AuthenticationError:
                await asyncio.sleep(self._limits.login_delay)
                raise
            finally:
                client.write(handshake.take_output())
            if handshake.tunnel is not None and handshake.shakes_hands:
                await client.serve_tls(handshake.tunnel, handshake.take_records())
                handshake.secure()
        return handshake.outcome

    def _require_room(self) -> None:
        if self._analysts.total() >= self._limits.connections:
            raise TooManyConnectionsError("sorry, too many clients already")

    async def _run_session(self, client: Connection, login: Login, notices: tuple[Notice, ...]) -> None:
        stage = await self._connect_stage(login)
        if not self._gate.knows(login.analyst):
            stage.close()
            raise AuthenticationError(f'password authentication failed for user "{login.analyst}"', rule="removed")
        number = next(self._numbers)
        session = Session(login.analyst, client, login.early, stage, self._router, self._limits, number)
        process, secret = self._new_key(login.protocol)
        self._sessions[process] = (secret, session)
        self._roster.enter(session)
        final = backend.authentication(backend.AUTHENTICATION_SASL_FINAL, login.server_proof)
        client.write(
            (final if login.server_proof else b"")
            + backend.authentication(backend.AUTHENTICATION_OK)
            + stage.greeting
            + b"".join(backend.notice_response(backend.notice_report(notice)) for notice in notices)
            + b"".join(backend.parameter_status(name, value) for name, value in stage.settings.items())
            + backend.backend_key_data(process, secret)
            + backend.ready_for_query(backend.IDLE)
        )
        began = time.monotonic()
        logger.info("session %d of %r began, from %s", number, login.analyst, client.peer or "a Unix socket")
        try:
            await session.run()
        finally:
            del self._sessions[process]
            self._roster.leave(session)
            logger.info("session %d of %r ended after %.1f s", number, login.analyst, time.monotonic() - began)

    async def _connect_stage(self, login: Login) -> StageConnection:
        try:
            async with asyncio.timeout(self._limits.login_timeout):
                return await stage_connection.connect(self._stage, login.analyst, login.parameters)
        except TimeoutError:
            logger.error("the stage did not respond to a login")
            raise StageUnavailableError from None

    def _new_key(self, protocol: int) -> tuple[int, bytes]:
        """The key of a CancelRequest: both halves are random, so that the process number gives nothing away. It is as
        long as PostgreSQL 18 makes it in each version of the protocol."""
        while (process := secrets.randbits(31)) in self._sessions or process == 0:
            continue
        return process, secrets.token_bytes(32 if protocol >= PROTOCOL_3_2 else 4)

    def _cancel(self, request: CancelRequest) -> None:
        secret, session = self._sessions.get(request.process, (b"", None))
        if session is not None and secrets.compare_digest(secret, request.secret):
            session.cancel()


async def _hang_up(client: Connection) -> None:
    client.close()
    try:
        async with asyncio.timeout(_LINGER):
            await client.wait_closed()
    except TimeoutError:
        pass
    finally:
        client.abort()

"""The beginning of a client's connection without I/O: negotiation, startup packet, password, driven by the table.

Everything here comes from clients that are not yet authenticated.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from proxy.errors import AuthenticationError, ProtocolViolationError, UnknownDatabaseError, UnsupportedError
from proxy.wire import backend, frontend, scram
from proxy.wire.codec import HEADER, INT32, Inbox
from proxy.wire.frontend import CancelRequest, SaslInitialResponse, Startup
from proxy.wire.table import Action, State, step

_OWN_PARAMETERS = frozenset({"user", "database", "replication"})
_MAXIMUM_PASSWORD_MESSAGE = 4096


@dataclass(frozen=True)
class Login:
    """A client that has proven its password.

    Attributes:
        analyst: the user name.
        parameters: startup parameters for the stage (`options`, `client_encoding`, `application_name` …).
        server_proof: the last SASL message, not yet sent.
        early: what the client has already sent after it.
    """

    analyst: str
    parameters: Mapping[str, str]
    server_proof: bytes
    early: Inbox


class Gate:
    """The logins and the database that the server knows.

    Args:
        verifiers: SCRAM verifier strings by user name.
        database: the one database that clients may ask for.
        require_room: raises TooManyConnectionsError if nobody may log in now.
    """

    def __init__(self, verifiers: Mapping[str, str], database: str, require_room: Callable[[], None]) -> None:
        self._verifiers = {user: scram.Verifier.parse(text) for user, text in verifiers.items()}
        self._database = database
        self._secret = secrets.token_bytes(32)
        iterations = Counter(verifier.iterations for verifier in self._verifiers.values())
        self._iterations = iterations.most_common(1)[0][0] if iterations else scram.ITERATIONS
        self.require_room = require_room

    def exchange(self, user: str) -> scram.ServerExchange:
        """The server's side of a login; if the user does not exist, one that nobody can finish."""
        known = self._verifiers.get(user)
        return scram.ServerExchange(known or scram.Verifier.imaginary(user, self._secret, self._iterations))

    def check_database(self, requested: str, user: str) -> None:
        """Raise UnknownDatabaseError; called only for clients that have proven a password."""
        if requested not in (self._database, user):
            raise UnknownDatabaseError(
                f'database "{requested}" does not exist', hint=f'The database of this server is "{self._database}".'
            )


class Handshake:
    """One client's way in: bytes in, bytes out, until it wants to cancel something or has proven its password.

    Attributes:
        outcome: what the client wants, once that is known.
    """

    def __init__(self, gate: Gate) -> None:
        self.outcome: CancelRequest | Login | None = None
        self._gate = gate
        self._state = State.STARTUP
        self._inbox = Inbox()
        self._output: list[bytes] = []
        self._declined: set[int] = set()
        self._startup = Startup(frontend.PROTOCOL_3_0, {})
        self._exchange = gate.exchange("")

    def hear(self, data: bytes) -> None:
        """Take bytes of the client.

        Raises:
            AuthenticationError: unknown user or wrong password, indistinguishable.
            UnknownDatabaseError: another database; raised only for clients that have proven a password.
            TooManyConnectionsError: there is no room.
            UnsupportedError: another protocol, or a replication connection.
            ProtocolViolationError: malformed or untimely messages, no user name, or bytes sent before the answer to an
                SSLRequest (which an attacker in the middle could have put there).
        """
        self._inbox.feed(data)
        try:
            while self._handle_packet() if self._state is State.STARTUP else self._handle_message():
                continue
        except Exception:
            self._state = State.ENDED
            raise

    def take_output(self) -> bytes:
        """What is to be sent to the client since the last call."""
        output = b"".join(self._output)
        self._output.clear()
        return output

    def _handle_packet(self) -> bool:
        body = self._inbox.packet(frontend.STARTUP_MESSAGE)
        if body is None:
            return False
        code = INT32.unpack_from(body)[0]
        kind = frontend.PROTOCOL_3_0 if code >> 16 == frontend.PROTOCOL_3_0 >> 16 else code
        action, then = step(self._state, kind)
        if action is Action.VIOLATION or kind in self._declined:
            raise UnsupportedError(f"unsupported frontend protocol {code >> 16}.{code & 0xFFFF}", rule="protocol")
        self._state = then
        if action is Action.DECLINE:
            self._decline(code)
        elif action is Action.CANCEL:
            self.outcome = CancelRequest.decode(body)
        else:
            self._greet(Startup.decode(body))
        return True

    def _handle_message(self) -> bool:
        kind = self._inbox.kind
        if kind is None:
            return False
        action, then = step(self._state, kind)
        if action is Action.LEAVE:
            return False
        if action is Action.VIOLATION:
            raise ProtocolViolationError(f"expected SASL response, got message type {kind}")
        message = self._inbox.message(_MAXIMUM_PASSWORD_MESSAGE)
        if message is None:
            return False
        self._state = then
        if action is Action.CHALLENGE:
            self._challenge(SaslInitialResponse.decode(message[HEADER.size :]))
        else:
            self._prove(message[HEADER.size :])
        return True

    def _decline(self, code: int) -> None:
        """Decline encryption; each kind may be requested once."""
        if self._inbox:
            raise ProtocolViolationError("received unencrypted data after an encryption request")
        # The place for TLS: answer S and hand the socket to the event loop's server-side TLS.
        self._output.append(b"N")
        self._declined.add(code)

    def _greet(self, startup: Startup) -> None:
        self._gate.require_room()
        user = startup.parameters.get("user", "")
        if not user:
            raise ProtocolViolationError("no PostgreSQL user name specified in startup packet")
        if startup.parameters.get("replication", "false") not in ("false", "off", "no", "0"):
            raise UnsupportedError("replication connections are not supported", rule="replication")
        unknown = [name for name in startup.parameters if name.startswith("_pq_.")]
        if startup.version != frontend.PROTOCOL_3_0 or unknown:
            self._output.append(backend.negotiate_protocol_version(frontend.PROTOCOL_3_0, unknown))
        self._output.append(backend.sasl_mechanisms(scram.MECHANISM))
        self._startup = startup
        self._exchange = self._gate.exchange(user)

    def _challenge(self, initial: SaslInitialResponse) -> None:
        if initial.mechanism != scram.MECHANISM:
            raise ProtocolViolationError("client selected an invalid SASL authentication mechanism")
        challenge = self._exchange.challenge(initial.data)
        self._output.append(backend.authentication(backend.AUTHENTICATION_SASL_CONTINUE, challenge))

    def _prove(self, response: bytes) -> None:
        user = self._startup.parameters["user"]
        try:
            proof = self._exchange.finish(response)
        except AuthenticationError:
            raise AuthenticationError(f'password authentication failed for user "{user}"') from None
        self._gate.check_database(self._startup.parameters.get("database") or user, user)
        parameters = {
            name: value
            for name, value in self._startup.parameters.items()
            if name not in _OWN_PARAMETERS and not name.startswith("_pq_.")
        }
        self.outcome = Login(user, parameters, proof, self._inbox)

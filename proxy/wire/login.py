"""The beginning of a client's connection without I/O: encryption, startup packet, password, driven by the table.

Everything here comes from clients that are not yet authenticated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proxy.errors import ProtocolViolationError, UnsupportedError
from proxy.wire import backend, frontend
from proxy.wire.codec import HEADER, INT32, Inbox
from proxy.wire.frontend import CancelRequest, SaslInitialResponse, Startup
from proxy.wire.gate import Gate
from proxy.wire.table import MOVES, Action, Happening, Message, State, step
from proxy.wire.throttle import Address
from proxy.wire.tls import CLIENT_HELLO, Tunnel

_OWN_PARAMETERS = frozenset({"user", "database", "replication"})
_MAXIMUM_PASSWORD_MESSAGE = 4096
_PACKETS = (State.STARTUP, State.SECURED)


@dataclass(frozen=True)
class Login:
    """A client that has proven its password, or shown its certificate.

    Attributes:
        analyst: the user name.
        protocol: the version that both sides speak.
        parameters: startup parameters for the stage (`options`, `client_encoding`, `application_name` …).
        server_proof: the last SASL message, not yet sent; empty after a certificate.
        early: what the client has already sent after it.
    """

    analyst: str
    protocol: int
    parameters: Mapping[str, str]
    server_proof: bytes
    early: Inbox


class Handshake:
    """One client's way in: bytes in, bytes out, until it wants to cancel something or is who it says.

    TLS is around it: where `tunnel` is set, the caller takes `take_records` for the TLS handshake, and then calls
    `secure`. From then on the bytes in and out are those inside.

    Args:
        gate: who may come in.
        address: where the client is; None for a Unix socket.

    Attributes:
        outcome: what the client wants, once that is known.
        tunnel: the TLS that was agreed upon.
        user: who the client says it is, once it has.
    """

    def __init__(self, gate: Gate, address: Address | None = None) -> None:
        self.outcome: CancelRequest | Login | None = None
        self.tunnel: Tunnel | None = None
        self._gate = gate
        self._address = address
        self._state = State.STARTUP
        self._inbox = Inbox()
        self._output: list[bytes] = []
        self._asked: set[int] = set()
        self._startup = Startup(frontend.PROTOCOL_3_0, {})
        self._exchange = gate.exchange("")

    @property
    def user(self) -> str | None:
        return self._startup.parameters.get("user")

    @property
    def shakes_hands(self) -> bool:
        """Is the TLS handshake due?"""
        return self._state is State.TLS

    def take_records(self) -> bytes:
        """The client's TLS records so far: none behind an SSLRequest."""
        return self._inbox.take_all()

    def secure(self) -> None:
        """Go on inside TLS.

        Raises:
            ProtocolViolationError: direct TLS without ALPN. Then a browser may have been led here, by somebody who
                wants it to take our bytes for those of its own server (the ALPACA attack).
        """
        assert self.tunnel is not None
        if Message.CLIENT_HELLO in self._asked and not self.tunnel.speaks_postgres:
            self._state = State.ENDED
            raise ProtocolViolationError(
                "received direct SSL connection request without ALPN protocol negotiation extension"
            )
        self._happens(Happening.SECURED)

    def hear(self, data: bytes) -> None:
        """Take bytes of the client.

        Raises:
            AuthenticationError: unknown user, wrong password, wrong network or too many failures, indistinguishable.
            AuthorizationError: not without TLS, or the channel binding is wrong.
            UnknownDatabaseError: another database; raised only for clients that have proven a password.
            TooManyConnectionsError: there is no room.
            UnsupportedError: another protocol, or a replication connection.
            ProtocolViolationError: malformed or untimely messages, no user name, or bytes sent before the answer to an
                SSLRequest (which an attacker in the middle could have put there).
        """
        self._inbox.feed(data)
        try:
            while self._handle_packet() if self._state in _PACKETS else self._handle_message():
                continue
        except Exception:
            self._state = State.ENDED
            raise

    def take_output(self) -> bytes:
        """What is to be sent to the client since the last call."""
        output = b"".join(self._output)
        self._output.clear()
        return output

    def _happens(self, what: Happening) -> None:
        self._state = MOVES[self._state, what]

    def _handle_packet(self) -> bool:
        if self._begins_with_tls():
            self._state = step(self._state, Message.CLIENT_HELLO).then
            self._negotiate(Message.CLIENT_HELLO)
            return False
        body = self._inbox.packet(frontend.STARTUP_MESSAGE)
        if body is None:
            return False
        code = INT32.unpack_from(body)[0]
        kind = frontend.PROTOCOL_3_0 if code >> 16 == frontend.PROTOCOL_3_0 >> 16 else code
        action, then = step(self._state, kind)
        if action is Action.VIOLATION or kind in self._asked:
            raise UnsupportedError(f"unsupported frontend protocol {code >> 16}.{code & 0xFFFF}", rule="protocol")
        encrypted = self._state is State.SECURED
        self._state = then
        if action is Action.NEGOTIATE or action is Action.DECLINE:
            self._negotiate(code)
        elif action is Action.CANCEL:
            self.outcome = CancelRequest.decode(body)
        else:
            self._startup = Startup.decode(body)
            if not encrypted:
                self._gate.require_encryption()
            self._greet(self._startup)
        return True

    def _begins_with_tls(self) -> bool:
        """Is this direct TLS? Only at the very beginning; without a certificate these bytes are a packet too long."""
        can = self._state is State.STARTUP and not self._asked and self._gate.credentials is not None
        return can and self._inbox.kind == CLIENT_HELLO

    def _negotiate(self, code: int) -> None:
        """Agree to encryption or decline it; each kind may be requested once."""
        if code != Message.CLIENT_HELLO and self._inbox:
            request = "SSL" if code == Message.SSL_REQUEST else "GSSAPI encryption"
            raise ProtocolViolationError(
                f"received unencrypted data after {request} request",
                detail="This could be either a client-software bug or evidence of an attempted man-in-the-middle "
                "attack.",
            )
        self._asked.add(code)
        if self._state is not State.TLS:
            self._output.append(b"N")
        elif self._gate.credentials is None:
            self._output.append(b"N")
            self._happens(Happening.DECLINED)
        else:
            self.tunnel = Tunnel(self._gate.credentials)
            if code == Message.SSL_REQUEST:
                self._output.append(b"S")

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

    def _greet(self, startup: Startup) -> None:
        self._gate.require_room()
        user = startup.parameters.get("user", "")
        if not user:
            raise ProtocolViolationError("no PostgreSQL user name specified in startup packet")
        if startup.parameters.get("replication", "false") not in ("false", "off", "no", "0"):
            raise UnsupportedError("replication connections are not supported", rule="replication")
        unknown = [name for name in startup.parameters if name.startswith("_pq_.")]
        version = min(startup.version, frontend.PROTOCOL_3_2)
        if startup.version != version or unknown:
            self._output.append(backend.negotiate_protocol_version(version, unknown))
        self._startup = Startup(version, startup.parameters)
        if self.tunnel is not None and self._gate.certified(user, self._address, self.tunnel.client_name):
            self._happens(Happening.CERTIFIED)
            self._admit(b"")
            return
        self._exchange = self._gate.exchange(user, None if self.tunnel is None else self.tunnel.binding)
        self._output.append(backend.sasl_mechanisms(*self._exchange.mechanisms))

    def _challenge(self, initial: SaslInitialResponse) -> None:
        challenge = self._exchange.challenge(initial.mechanism, initial.data)
        self._output.append(backend.authentication(backend.AUTHENTICATION_SASL_CONTINUE, challenge))

    def _prove(self, response: bytes) -> None:
        user = self._startup.parameters["user"]
        self._admit(self._gate.prove(user, self._address, self._exchange, response))

    def _admit(self, server_proof: bytes) -> None:
        user = self._startup.parameters["user"]
        self._gate.check_database(self._startup.parameters.get("database") or user, user)
        parameters = {
            name: value
            for name, value in self._startup.parameters.items()
            if name not in _OWN_PARAMETERS and not name.startswith("_pq_.")
        }
        self.outcome = Login(user, self._startup.version, parameters, server_proof, self._inbox)

"""The beginning of a client's connection: negotiation, startup packet, password.

Everything here is said by somebody who has not proven who he is.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from proxy.errors import AuthenticationError, ProtocolViolationError, UnknownDatabaseError, UnsupportedError
from proxy.wire import backend, frontend, scram
from proxy.wire.codec import INT32
from proxy.wire.connection import Connection
from proxy.wire.frontend import CancelRequest, SaslInitialResponse, Startup

_OWN_PARAMETERS = frozenset({"user", "database", "replication"})
_MAXIMUM_PASSWORD_MESSAGE = 4096


@dataclass(frozen=True)
class Login:
    """A client that proved its password.

    Attributes:
        analyst: the user name.
        parameters: startup parameters for the stage (`options`, `client_encoding`, `application_name` …).
        server_proof: the last SASL message, not sent yet.
    """

    analyst: str
    parameters: Mapping[str, str]
    server_proof: bytes


class Gate:
    """Checks logins against the analysts' verifiers.

    Args:
        verifiers: SCRAM verifier strings by user name.
        database: the one database that clients may ask for.
    """

    def __init__(self, verifiers: Mapping[str, str], database: str) -> None:
        self._verifiers = {user: scram.Verifier.parse(text) for user, text in verifiers.items()}
        self._database = database
        self._secret = secrets.token_bytes(32)
        iterations = Counter(verifier.iterations for verifier in self._verifiers.values())
        self._iterations = iterations.most_common(1)[0][0] if iterations else scram.ITERATIONS

    async def admit(self, client: Connection, startup: Startup) -> Login:
        """Ask for the password and check it.

        Raises:
            AuthenticationError: unknown user or wrong password, indistinguishable.
            UnknownDatabaseError: another database, said only to those who know a password.
            UnsupportedError: a replication connection.
            ProtocolViolationError: malformed messages, or no user name.
        """
        user = startup.parameters.get("user", "")
        if not user:
            raise ProtocolViolationError("no PostgreSQL user name specified in startup packet")
        if startup.parameters.get("replication", "false") not in ("false", "off", "no", "0"):
            raise UnsupportedError("replication connections are not supported", rule="replication")
        self._negotiate_version(client, startup)
        proof = await self._check_password(client, user)
        self._check_database(startup.parameters.get("database") or user, user)
        parameters = {
            name: value
            for name, value in startup.parameters.items()
            if name not in _OWN_PARAMETERS and not name.startswith("_pq_.")
        }
        return Login(user, parameters, proof)

    def _check_database(self, requested: str, user: str) -> None:
        if requested not in (self._database, user):
            raise UnknownDatabaseError(
                f'database "{requested}" does not exist', hint=f'The database of this server is "{self._database}".'
            )

    @staticmethod
    def _negotiate_version(client: Connection, startup: Startup) -> None:
        unknown = [name for name in startup.parameters if name.startswith("_pq_.")]
        if startup.version != frontend.PROTOCOL_3_0 or unknown:
            client.write(backend.negotiate_protocol_version(frontend.PROTOCOL_3_0, unknown))

    async def _check_password(self, client: Connection, user: str) -> bytes:
        known = self._verifiers.get(user)
        verifier = known or scram.Verifier.imaginary(user, self._secret, self._iterations)
        exchange = scram.ServerExchange(verifier)
        client.write(backend.sasl_mechanisms(scram.MECHANISM))
        initial = SaslInitialResponse.decode(await _read_password_message(client))
        if initial.mechanism != scram.MECHANISM:
            raise ProtocolViolationError("client selected an invalid SASL authentication mechanism")
        challenge = exchange.challenge(initial.data)
        client.write(backend.authentication(backend.AUTHENTICATION_SASL_CONTINUE, challenge))
        response = await _read_password_message(client)
        try:
            return exchange.finish(response)
        except AuthenticationError:
            raise AuthenticationError(f'password authentication failed for user "{user}"') from None


async def read_startup(client: Connection) -> Startup | CancelRequest:
    """The first message that is not about encryption. SSLRequest and GSSENCRequest are declined once each.

    Raises:
        ProtocolViolationError: malformed, of another protocol, or bytes sent before the answer to an SSLRequest
            (an attacker in the middle could have put them there).
        ConnectionError: the client hung up.
    """
    declined: set[int] = set()
    while True:
        body = await _read_startup_packet(client)
        code = int.from_bytes(body[:4])
        if code in (frontend.SSL_REQUEST, frontend.GSSENC_REQUEST) and code not in declined:
            if client.buffered:
                raise ProtocolViolationError("received unencrypted data after an encryption request")
            # The place for TLS: answer S and hand the socket to the event loop's server-side TLS.
            client.write(b"N")
            declined.add(code)
        elif code == frontend.CANCEL_REQUEST:
            return CancelRequest.decode(body)
        elif code >> 16 == frontend.PROTOCOL_3_0 >> 16:
            return Startup.decode(body)
        else:
            raise UnsupportedError(f"unsupported frontend protocol {code >> 16}.{code & 0xFFFF}", rule="protocol")


async def _read_startup_packet(client: Connection) -> bytes:
    length = INT32.unpack(await client.read(4))[0]
    if not 8 <= length <= frontend.STARTUP_MESSAGE:
        raise ProtocolViolationError("invalid length of startup packet")
    return await client.read(length - 4)


async def _read_password_message(client: Connection) -> bytes:
    kind, body = await client.read_message(_MAXIMUM_PASSWORD_MESSAGE)
    if kind != frontend.AUTHENTICATION:
        raise ProtocolViolationError(f"expected SASL response, got message type {kind}")
    return body

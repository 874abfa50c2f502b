"""Who may come in, and how: accounts, networks, the database, whether without TLS, how often after failures."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network

from proxy.errors import AuthenticationError, AuthorizationError, UnknownDatabaseError
from proxy.wire import scram
from proxy.wire.throttle import Address, LoginThrottledError, Throttle
from proxy.wire.tls import Credentials

Network = IPv4Network | IPv6Network


@dataclass(frozen=True)
class Account:
    """How an analyst logs in.

    Attributes:
        verifier: the SCRAM-SHA-256 verifier of the password; None if there is no password.
        certificate: the common name of a client certificate that stands for the password.
        networks: from where; None from everywhere.
    """

    verifier: str | None
    certificate: str | None = None
    networks: tuple[Network, ...] | None = None

    def admits(self, address: Address | None) -> bool:
        """May the account be used from there?"""
        if self.networks is None:
            return True
        return address is not None and any(address in network for network in self.networks)


class Gate:
    """The logins and the database that the server knows.

    Args:
        accounts: by user name.
        database: the one database that clients may ask for.
        require_room: raises TooManyConnectionsError if nobody may log in now.
        credentials: the server's certificate; None if there is no TLS.
        require_tls: are clients without TLS refused?
        throttle: of failed logins.

    Attributes:
        credentials: what the next connections are shown.

    Raises:
        ValueError: a verifier is malformed.
    """

    def __init__(
        self,
        accounts: Mapping[str, Account],
        database: str,
        require_room: Callable[[], None],
        *,
        credentials: Credentials | None = None,
        require_tls: bool = False,
        throttle: Throttle | None = None,
    ) -> None:
        self._database = database
        self.use_accounts(accounts)
        self._secret = _secret_of(self._verifiers.values())
        self._require_tls = require_tls
        self._throttle = throttle or Throttle()
        self.require_room = require_room
        self.credentials = credentials

    def use_accounts(self, accounts: Mapping[str, Account]) -> None:
        """Let these log in from now on, and nobody else.

        Raises:
            ValueError: a verifier is malformed; nothing changes.
        """
        verifiers = {
            user: scram.Verifier.parse(account.verifier)
            for user, account in accounts.items()
            if account.verifier is not None
        }
        iterations = Counter(verifier.iterations for verifier in verifiers.values())
        self._accounts, self._verifiers = accounts, verifiers
        self._iterations = iterations.most_common(1)[0][0] if iterations else scram.ITERATIONS

    def knows(self, user: str) -> bool:
        """May this analyst log in?"""
        return user in self._accounts

    def exchange(self, user: str, binding: bytes | None = None) -> scram.ServerExchange:
        """The server's side of a login; if the user does not exist or has no password, one that nobody can finish."""
        known = self._verifiers.get(user)
        return scram.ServerExchange(known or scram.Verifier.imaginary(user, self._secret, self._iterations), binding)

    def require_encryption(self) -> None:
        """Raise AuthorizationError if nobody may log in without TLS."""
        if self._require_tls:
            raise AuthorizationError(
                "this server accepts no connections without TLS",
                hint="Connect with sslmode=require, or better with verify-full.",
                rule="tls-required",
            )

    def certified(self, user: str, address: Address | None, name: str | None) -> bool:
        """Does a verified client certificate with this common name stand for the user's password?"""
        account = self._accounts.get(user)
        return account is not None and name is not None and account.certificate == name and account.admits(address)

    def prove(self, user: str, address: Address | None, exchange: scram.ServerExchange, proof: bytes) -> bytes:
        """Check a password's proof and return the server's own.

        Raises:
            AuthenticationError: unknown user, wrong password or wrong network, or too many have failed. A stranger sees
                no difference: the salt is the same from everywhere, and the proof is checked before the network is. Who
                has logged in from an address before could be told by its limits. The rule is for the log.
            ChannelBindingError: the client sees another certificate.
            ProtocolViolationError: the message is malformed.
        """
        refused = f'password authentication failed for user "{user}"'
        try:
            self._throttle.check(user, address)
        except LoginThrottledError:
            raise AuthenticationError(refused, rule="throttled") from None
        account = self._accounts.get(user)
        rule = "unknown-user" if account is None else "wrong-password"
        try:
            own_proof = exchange.finish(proof)
            if account is not None and account.admits(address):
                self._throttle.succeeded(user, address)
                return own_proof
            rule = "network"
        except AuthenticationError:
            pass
        self._throttle.failed(user, address)
        raise AuthenticationError(refused, rule=rule)

    def check_database(self, requested: str, user: str) -> None:
        """Raise UnknownDatabaseError; called only for clients that have logged in."""
        if requested not in (self._database, user):
            raise UnknownDatabaseError(
                f'database "{requested}" does not exist', hint=f'The database of this server is "{self._database}".'
            )


def _secret_of(verifiers: Iterable[scram.Verifier]) -> bytes:
    """What the salts of unknown names are made of: the same after a restart and in every proxy of a policy, as those of
    known names are, or comparing them would tell who has a login. Who does not know all verifiers cannot guess it."""
    known = sorted(map(str, verifiers))
    return hashlib.sha256("\n".join(known).encode()).digest() if known else secrets.token_bytes(32)

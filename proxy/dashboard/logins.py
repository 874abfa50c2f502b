"""Stewards who log in to the dashboard, and who is logged in.

A login costs what it costs on the wire: the same throttle counts failures by address and account before the password is
looked at, every refusal is the same words after the same second, and a name that nobody has takes as many hashes as one
that somebody has. A cookie holds 256 random bits that are made at the login, and known here by their hash alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from proxy.wire import scram
from proxy.wire.gate import Account
from proxy.wire.login_log import LoginLog
from proxy.wire.throttle import Address, LoginThrottledError, Throttle

logger = logging.getLogger("dpproxy.dashboard")

IDLE_SECONDS: Final = 30 * 60.0
LONGEST_SECONDS: Final = 12 * 3600.0
_MOST_VISITS: Final = 20
"""Of one steward; who logs in once more ends the oldest."""
_LONGEST_PASSWORD: Final = 1000


@dataclass
class Visit:
    """Somebody who is logged in.

    Attributes:
        steward: who.
        form_token: what the forms of this visit must send along.
        began: seconds of the clock.
        seen: when they last asked for a page.
    """

    steward: str
    form_token: str
    began: float
    seen: float


class Logins:
    """Checks passwords, and remembers who is logged in.

    Args:
        clock: seconds.
        throttle: of failed logins.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, throttle: Throttle | None = None) -> None:
        self._clock = clock
        self._throttle = throttle or Throttle(clock)
        self._secret = secrets.token_bytes(32)
        self._log = LoginLog(clock)
        self._accounts: Mapping[str, Account] = {}
        self._visits: dict[str, Visit] = {}
        # One at a time: or hundreds of guesses would pass the throttle before the first one has failed.
        self._turn = asyncio.Lock()

    def use_accounts(self, accounts: Mapping[str, Account]) -> None:
        """Let these log in from now on. The visits of those who are gone, or have another password, are over."""
        changed = {name for name, account in self._accounts.items() if accounts.get(name) != account}
        self._accounts = accounts
        self._visits = {key: visit for key, visit in self._visits.items() if visit.steward not in changed}

    async def log_in(
        self, name: str, password: str, address: Address | None, certificate: str | None = None
    ) -> str | None:
        """The cookie of a new visit; None if there is no such steward, or it is another's password, or from the wrong
        network, or after too many failures: the log has the reason, and nobody else learns it.

        Args:
            name: the steward's.
            password: which a certificate stands for.
            address: from where.
            certificate: the common name of a client certificate that was verified; None without one.
        """
        async with self._turn:
            obstacle = await self._obstacle(name, password, address, certificate)
        if obstacle is not None:
            self._log.refused(name, address, f"dashboard, {obstacle}")
            return None
        return self._begin(name, address)

    async def _obstacle(self, name: str, password: str, address: Address | None, certificate: str | None) -> str | None:
        """Why somebody cannot log in; None if they can."""
        try:
            self._throttle.check(name, address)
        except LoginThrottledError:
            return "throttled"
        account = self._accounts.get(name)
        verifier = self._verifier(name, account)
        # In a thread: thousands of hashes.
        right = len(password) <= _LONGEST_PASSWORD and await asyncio.to_thread(verifier.admits, password)
        obstacle = None
        if account is None or account is not self._accounts.get(name):
            obstacle = "unknown-user"
        elif certificate is not None and account.certificate == certificate:
            obstacle = None if account.admits(address) else "network"
        elif account.verifier is None or not right:
            obstacle = "wrong-password"
        elif not account.admits(address):
            obstacle = "network"
        (self._throttle.succeeded if obstacle is None else self._throttle.failed)(name, address)
        return obstacle

    def visit(self, cookie: str) -> Visit | None:
        """Whose cookie it is; None if the visit is over, or never was."""
        key, now = _key(cookie), self._clock()
        visit = self._visits.get(key)
        if visit is None:
            return None
        if now - visit.seen > IDLE_SECONDS or now - visit.began > LONGEST_SECONDS:
            del self._visits[key]
            return None
        visit.seen = now
        return visit

    def log_out(self, cookie: str) -> None:
        """End a visit. Twice is harmless."""
        self._visits.pop(_key(cookie), None)

    def _verifier(self, name: str, account: Account | None) -> scram.Verifier:
        if account is not None and account.verifier is not None:
            return scram.Verifier.parse(account.verifier)
        known = [scram.Verifier.parse(other.verifier) for other in self._accounts.values() if other.verifier]
        iterations = known[0].iterations if known else scram.ITERATIONS
        return scram.Verifier.imaginary(name, self._secret, iterations)

    def _begin(self, name: str, address: Address | None) -> str:
        own = [key for key, visit in self._visits.items() if visit.steward == name]
        for key in own[: max(0, len(own) - _MOST_VISITS + 1)]:
            del self._visits[key]
        cookie, now = secrets.token_urlsafe(32), self._clock()
        self._visits[_key(cookie)] = Visit(name, secrets.token_urlsafe(32), now, now)
        logger.info("steward %r logged in to the dashboard, from %s", name, address)
        return cookie


def _key(cookie: str) -> str:
    return hashlib.sha256(cookie.encode(errors="replace")).hexdigest()


def new_form_token() -> str:
    """What the form of a login must send along, beside a cookie that says the same."""
    return secrets.token_urlsafe(32)


def same(first: str, second: str) -> bool:
    """Are two tokens the same? In a time that does not tell how much of them is."""
    return bool(first) and secrets.compare_digest(first.encode(errors="replace"), second.encode(errors="replace"))

"""What the operator's log says of refused logins: who, from where, why, and not more lines than somebody can read."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from proxy.wire.throttle import Address, Buckets, network_of

logger = logging.getLogger(__name__)

_LONGEST_NAME = 63


class LoginLog:
    """Logs refused logins: of each address ten lines at once and one in 10 seconds, of all a hundred and one a second.

    The next line says how many were left out.

    Args:
        clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lines_of_address = Buckets(10, 10.0, clock=clock)
        self._lines = Buckets(100, 1.0, clock=clock)
        self._left_out = 0

    def refused(self, user: str | None, address: Address | None, why: str) -> None:
        """Log a refusal. What a stranger may have written is quoted; names are cut where Postgres would."""
        network = network_of(address)
        if self._lines_of_address.wait(network) > 0 or self._lines.wait(None) > 0:
            self._left_out += 1
            return
        self._lines_of_address.use(network)
        self._lines.use(None)
        left_out = f" ({self._left_out} more refusals were not logged)" if self._left_out else ""
        self._left_out = 0
        who = "a client" if user is None else ascii(user[:_LONGEST_NAME])
        logger.warning("login refused: %s from %s: %s%s", who, address, ascii(why), left_out)

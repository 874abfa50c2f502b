"""What the proxy tells the dashboard: pickled, with its length in front. The dashboard only ever says `MORE`."""

from __future__ import annotations

import asyncio
import datetime as dt
import pickle
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from proxy.policy.model import Analyst, Policy
from proxy.query.audit_log import Refusal
from proxy.query.counts import Taken
from proxy.wire.gate import Account
from proxy.wire.roster import SessionFacts
from proxy.wire.tls import TlsFiles

_HEADER: Final = struct.Struct("!I")

MORE: Final = b"?"
"""The one thing that the dashboard says: tell me what is going on."""


@dataclass(frozen=True)
class Start:
    """The first message.

    Attributes:
        ledger_dsn: where the ledger is.
        tls: the certificate's files; None for HTTP without TLS.
    """

    ledger_dsn: str
    tls: TlsFiles | None


@dataclass(frozen=True)
class InForce:
    """The second message, and again after each change.

    Attributes:
        policy: without anybody's password.
        stewards: how they log in, by name.
    """

    policy: Policy
    stewards: Mapping[str, Account]


@dataclass(frozen=True)
class Live:
    """What only the proxy knows.

    Attributes:
        since: when it was started.
        sessions: that it has.
        statements: over private tables, the last ones, oldest first.
        refusals: the last ones, oldest first.
    """

    since: dt.datetime
    sessions: Sequence[SessionFacts]
    statements: Sequence[Taken]
    refusals: Sequence[Refusal]


def in_force(policy: Policy, accounts: Mapping[str, Account]) -> InForce:
    """A policy as the dashboard gets it: whoever breaks into its process finds no analyst's verifier there.

    Args:
        policy: the proxy's.
        accounts: how its analysts and stewards log in.
    """
    analysts = {name: Analyst(may=analyst.may) for name, analyst in policy.analysts.items()}
    stripped = policy.model_copy(update={"analysts": analysts, "stewards": {}, "source": None})
    return InForce(stripped, {name: accounts[name] for name in policy.stewards})


def packed(message: Start | InForce | Live) -> bytes:
    """A message with its length."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _HEADER.pack(len(body)) + body


async def next_message(reader: asyncio.StreamReader) -> Any:
    """The proxy's next message.

    Raises:
        asyncio.IncompleteReadError: the proxy has hung up.
    """
    (length,) = _HEADER.unpack(await reader.readexactly(_HEADER.size))
    return pickle.loads(await reader.readexactly(length))

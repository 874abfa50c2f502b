"""The audit log: one JSON line for each decision about private rows: who asked what, its price, and the outcome.

A line never holds a row, a result or a constant of a statement. The ledger decides what was spent; this tells why.
"""

from __future__ import annotations

import datetime as dt
import errno
import json
import logging
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from proxy.dp.accounting import Price
from proxy.errors import DpproxyError
from proxy.query.limits import now
from proxy.sql.planning.accounts import Prices
from proxy.sql.redaction import LONGEST, redacted

_log = logging.getLogger(__name__)

_KEPT: Final = 100
_READ: Final = 2 * LONGEST + 1
_LONGEST: Final = 100_000
"""Characters of a statement that a line has."""


@dataclass(frozen=True)
class Refusal:
    """A statement that was refused, or failed.

    Attributes:
        at: when.
        login: whose it was.
        sqlstate: as its client was told.
        rule: the refusal's; empty if it has none.
        text: the beginning of the statement.
    """

    at: dt.datetime
    login: str
    sqlstate: str
    rule: str
    text: str


class AuditLog:
    """Appends lines to a file, or to nothing.

    Args:
        path: of the file, which is created if it is not there; None for no log.
        statements: does a line have the statement, without its constants?

    Attributes:
        recent: the last refusals, oldest first; in memory only.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path | None = None, *, statements: bool = False) -> None:
        self._path = path
        self._file = _opened(path) if path is not None else None
        self._statements = statements
        self._missing = 0
        self._torn = False
        self.recent: deque[Refusal] = deque(maxlen=_KEPT)

    def answered(self, login: str, text: str, question: str, label: str, prices: Prices) -> None:
        """A block was released: charged for, or recalled for free.

        Args:
            login: who asked.
            text: the statement.
            question: the block's hash, as the ledger has it.
            label: what the block is about.
            prices: who paid what; empty if it was free.
        """
        outcome = "charged" if prices else "free"
        charges = {account.name: _amounts(price) for account, price in prices}
        self._write(login, text, {"outcome": outcome, "question": question, "about": label, "charges": charges})

    def refused(self, login: str, text: str, error: DpproxyError) -> None:
        """A statement was refused or failed. What was charged before that has lines of its own, or is in the ledger."""
        self.recent.append(Refusal(now(), login, error.sqlstate, error.rule or "", text[:_READ]))
        self._write(login, text, {"outcome": "refused", "sqlstate": error.sqlstate, "rule": error.rule})

    def reopen(self) -> None:
        """Write to the file of that name from now on, if it was moved away.

        Raises:
            OSError: it cannot be written; the old one stays.
        """
        if self._path is not None and self._file is not None:
            opened = _opened(self._path)
            self.close()
            self._file, self._torn = opened, False

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, login: str, text: str, decision: dict[str, object]) -> None:
        if self._file is None:
            return
        line: dict[str, object] = {"at": now().isoformat(), "login": login, **decision}
        if self._statements:
            line["statement"] = redacted(text) if len(text) <= _LONGEST else None
        try:
            self._append(self._file, json.dumps(line, ensure_ascii=True).encode())
        except OSError as failure:
            if not self._missing:
                _log.error("the audit log cannot be written: %s", failure.strerror)
            self._missing += 1
            return
        if self._missing:
            _log.warning("the audit log can be written again; it misses the last %d decisions", self._missing)
            self._missing = 0

    def _append(self, file: BinaryIO, line: bytes) -> None:
        """Write a line as a whole. What a full disk cuts off stays a line by itself.

        Raises:
            OSError: it cannot be written, or not all of it.
        """
        whole = (b"\n" if self._torn else b"") + line + b"\n"
        written = file.write(whole)
        self._torn = self._torn if written == 0 else written < len(whole)
        if written < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _opened(path: Path) -> BinaryIO:
    return path.open("ab", buffering=0)


def _amounts(price: Price) -> dict[str, str | None]:
    epsilon, rho, delta = price.as_decimals()
    return {"epsilon": None if epsilon is None else f"{epsilon:f}", "rho": f"{rho:f}", "delta": f"{delta:f}"}

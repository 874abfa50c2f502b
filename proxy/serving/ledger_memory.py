"""Remembers beside a policy which ledger it has and where, so that a lost, emptied or older one is noticed: it would
forget what was spent."""

from __future__ import annotations

import json
import logging
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from proxy.budget.identity import Last

logger = logging.getLogger(__name__)


class LedgerLostError(Exception):
    """A ledger is remembered, and this is not it; the text is for the operator."""


@dataclass(frozen=True)
class Remembered:
    """What is remembered of a ledger.

    Attributes:
        state: its state directory; None if it was named by its database, or that cannot be read.
        ledger: its identity; None if it is not known.
        last: a charge that it has; None if none is known.
    """

    state: str | None
    ledger: uuid.UUID | None
    last: uuid.UUID | None


@dataclass
class LedgerMemory:
    """The file beside a policy.

    Args:
        policy: the policy's file.
        state: the state directory that has the ledger; None if its database is named.
        new: another ledger may begin in the place of the one that is remembered.
    """

    policy: Path
    state: Path | None
    new: bool = False
    _warned: bool = field(default=False, init=False)

    @property
    def path(self) -> Path:
        """Of the file."""
        return self.policy.with_name(f"{self.policy.name}.ledger")

    @property
    def may_begin(self) -> bool:
        """Is an empty ledger taken: one that is known, or any?"""
        remembered = self.remembered()
        return self.new or (remembered is not None and remembered.ledger is not None)

    def check_place(self) -> None:
        """Look whether the state directory, which may be missing or empty, has a ledger, before one is made there.

        Raises:
            LedgerLostError: it has none, and nobody said that a new one may begin.
        """
        if self.state is None or (self.state / "data").exists():
            return
        remembered = self.remembered()
        if remembered is not None and not self.new:
            place = remembered.state or "a place that it does not name"
            raise LedgerLostError(
                f"{self.path} remembers a ledger in {place}, and {self.state} has none. {_FORGETS}"
                "name the old one's directory with --state, or say `serve --new-ledger` if it may"
            )

    def lost(self, why: str) -> LedgerLostError:
        """The error for a ledger that is not the one that is remembered.

        Args:
            why: what is found instead, after "remembers another ledger: ".
        """
        return LedgerLostError(
            f"{self.path} remembers another ledger: {why}. {_FORGETS}"
            "name the old one with --state or --ledger, or say `serve --new-ledger` if it may"
        )

    def remember(self, last: Last) -> None:
        """Note the ledger and its last charge. Where the note cannot be written, that is logged."""
        before, state = self.remembered(), None if self.state is None else str(self.state.absolute())
        now = Remembered(state, last.ledger, last.charge_id)
        if before == now:
            return
        if before is not None and before.state != state:
            logger.warning("the ledger is in %s now; %s remembered %s", state or "--ledger", self.path, before.state)
        known = {"state": state, "ledger": str(last.ledger), "last": last.charge_id and str(last.charge_id)}
        since = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self.path.write_text(json.dumps(known | {"since": since}) + "\n", encoding="utf-8")
        except OSError as error:
            if not self._warned:
                logger.warning(
                    "%s cannot be written, so a lost ledger would not be noticed: %s", self.path, error.strerror
                )
            self._warned = True

    def remembered(self) -> Remembered | None:
        """What the file says; None if there is none."""
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
            ledger, last = (known.get(key) and uuid.UUID(known[key]) for key in ("ledger", "last"))
            return Remembered(known["state"], ledger, last)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return Remembered(None, None, None)


_FORGETS = "A new or older one forgets what was spent: "

"""Remembers beside a policy where its ledger is, so that a lost state directory is noticed: a new ledger would forget
what was spent."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

logger = logging.getLogger(__name__)


class LedgerLostError(Exception):
    """A ledger is remembered, and it is not there; the text is for the operator."""


def check_ledger(policy: Path, state: Path, *, new: bool) -> None:
    """Look whether a state directory has the ledger that was begun for a policy.

    Args:
        policy: the policy's file.
        state: the state directory, which may be missing or empty.
        new: a new ledger may begin in the place of the one that is remembered.

    Raises:
        LedgerLostError: it is not there, and nobody said that a new one may begin.
    """
    if (state / "data").exists():
        return
    memory = _memory(policy)
    remembered = _remembered(memory)
    if remembered is not None and not new:
        raise LedgerLostError(
            f"{memory} remembers a ledger in {remembered}, and {state} has none. A new ledger forgets everything that "
            "was spent: name the old one's directory with --state, or say --new-ledger if it may"
        )
    logger.warning("a new ledger begins in %s", state)


def remember_ledger(policy: Path, state: Path) -> None:
    """Note that the ledger of a policy is in a state directory. Where the note cannot be written, that is logged."""
    memory = _memory(policy)
    if _remembered(memory) == str(state.absolute()):
        return
    since = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        memory.write_text(json.dumps({"state": str(state.absolute()), "since": since}) + "\n", encoding="utf-8")
    except OSError as error:
        logger.warning("%s cannot be written, so a lost ledger would not be noticed: %s", memory, error.strerror)


def _memory(policy: Path) -> Path:
    return policy.with_name(f"{policy.name}.ledger")


def _remembered(memory: Path) -> str | None:
    try:
        return str(json.loads(memory.read_text(encoding="utf-8"))["state"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError):
        return "a directory that it does not name"

"""The options of `dpproxy serve` that limit what clients may use, and whether they go together."""

from __future__ import annotations

import argparse
import re
import resource
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from proxy.wire.session import Limits

_OWN_FILES: Final = 150
"""Files and sockets of the proxy itself."""
_UNITS: Final = {"": 1, "kb": 1 << 10, "mb": 1 << 20}
_TIMES: Final = {"": 1.0, "ms": 1e-3, "s": 1.0, "min": 60.0}


class LimitsUsageError(Exception):
    """Limits that do not go together; the text is for the user."""


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those that are left out have the defaults of `Limits`."""
    group = parser.add_argument_group("limits")
    group.add_argument("--max-clients", metavar="N", type=_count, help="sessions at a time (default: 500)")
    group.add_argument(
        "--max-clients-per-analyst", metavar="N", type=_count, help="sessions of one analyst at a time (default: 100)"
    )
    group.add_argument(
        "--max-unauthenticated",
        metavar="N",
        type=_count,
        help="clients at a time that have not logged in (default: 200); in a crowd the longest waiting of the address "
        "with the most goes first",
    )
    group.add_argument(
        "--login-time", metavar="TIME", type=_time, help="from connecting to the password (default: 15s)"
    )
    group.add_argument("--max-message", metavar="SIZE", type=_size, help="of one message of a client (default: 16MB)")
    group.add_argument("--max-statement", metavar="SIZE", type=_size, help="of a statement's text (default: 4MB)")
    group.add_argument(
        "--source-connections",
        metavar="N",
        type=_count,
        default=4,
        help="source queries at a time, of which one analyst gets half (default: 4)",
    )
    group.add_argument(
        "--drain", metavar="TIME", type=_time, help="that running statements get to finish on SIGTERM (default: 5s)"
    )


def limits_of(arguments: argparse.Namespace) -> Limits:
    """The limits.

    Raises:
        LimitsUsageError: they do not go together, or not with the system's.
    """
    from proxy.wire.session import Limits

    given = {
        "connections": arguments.max_clients,
        "connections_per_analyst": arguments.max_clients_per_analyst,
        "unauthenticated": arguments.max_unauthenticated,
        "login_timeout": arguments.login_time,
        "message": arguments.max_message,
        "text": arguments.max_statement,
        "shutdown": arguments.drain,
    }
    found = Limits(**{name: value for name, value in given.items() if value is not None})
    if arguments.max_clients is not None and arguments.max_clients_per_analyst is None:
        found = Limits(
            **{**vars(found), "connections_per_analyst": min(found.connections_per_analyst, found.connections)}
        )
    if found.connections_per_analyst > found.connections:
        raise LimitsUsageError(
            f"--max-clients-per-analyst {found.connections_per_analyst} is more than --max-clients {found.connections}"
        )
    if found.text > found.message:
        raise LimitsUsageError(
            f"--max-statement ({found.text} bytes) is more than --max-message ({found.message} bytes), which has it"
        )
    _allow_files(2 * found.connections + found.unauthenticated + arguments.source_connections + _OWN_FILES)
    return found


def require_memory() -> None:
    """Raise LimitsUsageError if the system's limit leaves less memory than planning a statement may take: what then
    fails could not say why."""
    from proxy.query.memory import MEMORY

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < MEMORY:
        raise LimitsUsageError(
            f"planning a statement may take {MEMORY >> 20} MB of memory, and the system allows a process "
            f"{allowed >> 20} MB: raise that limit (ulimit -v)"
        )


def _allow_files(needed: int) -> None:
    """Raise the process's own limit of open files to what the limits need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise LimitsUsageError(
            f"these limits need {needed} open files, and the system allows {hard}: raise the hard limit "
            "(ulimit -Hn), or lower --max-clients"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999999")
    return int(text)


def _time(text: str) -> float:
    """Seconds, of 30, 30s, 500ms or 2min."""
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(ms|s|min|)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time: write 30s, 500ms or 2min")
    return float(found[1]) * _TIMES[found[2]]


def _size(text: str) -> int:
    """Bytes, of 65536, 64kB or 1MB."""
    found = re.fullmatch(r"([1-9][0-9]{0,9}) ?(kb|mb|)", text.lower())
    if found is None or not 1 << 10 <= int(found[1]) * _UNITS[found[2]] <= 1 << 30:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size from 1kB to 1024MB")
    return int(found[1]) * _UNITS[found[2]]

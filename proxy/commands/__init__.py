"""The subcommands of `dpproxy`, one module each: `add_parser` declares the arguments, `run` does the work."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command tells the shell; documented in `proxy.cli`."""

    OK = 0
    FAILED = 1
    WRONG_INPUT = 2
    UNREACHABLE = 3
    INTERRUPTED = 130

"""The subcommands of `dpproxy`, one module each: `add_parser` declares the arguments, `run` does the work."""

from __future__ import annotations

import gc
import sys
from enum import IntEnum


class ExitCode(IntEnum):
    """A command's exit code for the shell; documented in `proxy.cli`."""

    OK = 0
    FAILED = 1
    WRONG_INPUT = 2
    UNREACHABLE = 3
    INTERRUPTED = 130
    CLOSED_PIPE = 141


class CannotGoOnError(Exception):
    """A command cannot go on; the text is for the user, `code` for the shell."""

    def __init__(self, text: str, code: ExitCode) -> None:
        super().__init__(text)
        self.code = code


def failed(command: str, text: str, code: ExitCode) -> ExitCode:
    """Say on standard error what is wrong with a command, or with none ('' then); returns the exit code."""
    print(f"{f'dpproxy {command}'.rstrip()}: {text}", file=sys.stderr)
    return code


def expect_little_garbage() -> None:
    """For commands that end soon: nearly all that they import and build stays until then, and looking for what does not
    would be a twentieth of their time."""
    gc.set_threshold(20_000)

"""psql sessions as the pages show them: what is typed in them, and what of them does not depend on the noise."""

from __future__ import annotations

import re

SHELL_PROMPT = "$ "
_PROMPT = re.compile(r"^clinic[=-]> ", re.MULTILINE)


def typed(session: str) -> str:
    """The statements of a session, one line for each that has psql's prompt."""
    return _PROMPT.sub("", "\n".join(line for line in session.splitlines() if _PROMPT.match(line))) + "\n"


def echoed(session: str) -> str:
    """A session as `psql --echo-all` prints it: no prompts, and not the command that starts psql."""
    return _PROMPT.sub("", "\n".join(line for line in session.splitlines() if not line.startswith(SHELL_PROMPT)))


def shape(session: str) -> list[str]:
    """Lines without widths, and without the digits of answers. EXPLAIN's numbers, prices and row counts stay."""
    lines: list[str] = []
    in_answer = False
    for line in session.splitlines():
        words = re.sub("-{2,}", "--", " ".join(line.split()))
        if set(words) <= set("-+") and words:
            in_answer = lines[-1] != "QUERY PLAN"
        elif words.startswith("("):
            in_answer = False
        elif in_answer:
            words = re.sub(r"-?\d+(\.\d+)?", "#", words)
        if words:
            lines.append(words)
    return lines

"""The queries in a log of PostgreSQL's (log_statement, log_min_duration_statement), as a script of SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from proxy.sql.lexemes import lexemes
from proxy.sql.scripts import first_words

_ENTRY: Final = re.compile(r"\bLOG:  (?:duration: [0-9.]+ ms  )?(?:statement|execute [^:\n]*): (.*)")
_QUERIES: Final = frozenset({"select", "with", "table", "values"})


def script_of_log(log: str) -> str:
    """Each different query of a log once, in their order. Further lines of an entry begin with a tab."""
    found = dict.fromkeys(query for text in _entries(log) if (query := _query(text)) is not None)
    # A comment at the end would swallow what ends the statement.
    return "".join(f"{query}\n;\n\n" if "--" in query.rpartition("\n")[2] else f"{query};\n\n" for query in found)


def _entries(log: str) -> Iterator[str]:
    lines: list[str] = []
    for line in log.splitlines():
        if lines and line.startswith("\t"):
            lines.append(line[1:])
            continue
        if lines:
            yield "\n".join(lines)
        match = _ENTRY.search(line)
        lines = [match[1]] if match is not None else []
    if lines:
        yield "\n".join(lines)


def _query(text: str) -> str | None:
    """The statement without its end; None if it is no query, or several, or has parameters."""
    query = text.strip().rstrip(";").rstrip()
    if first_words(query, 1)[:1] not in {(word,) for word in _QUERIES}:
        return None
    try:
        kinds = {(lexeme.kind, query[lexeme.start : lexeme.end]) for lexeme in lexemes(query)}
    except ValueError:
        return None
    is_plain = ("punctuation", ";") not in kinds and all(kind != "parameter" for kind, _ in kinds)
    return query if is_plain else None

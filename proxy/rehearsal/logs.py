"""The queries in a log of PostgreSQL's (log_statement, log_min_duration_statement), as text, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Final

from proxy.sql.lexemes import lexemes
from proxy.sql.scripts import first_words

_TOLD: Final = r"(?:duration: [0-9.]+ ms  )?(?:statement|execute [^:\n]*): (.*)"
_ENTRY: Final = re.compile(rf"\bLOG:  {_TOLD}")
_MESSAGE: Final = re.compile(_TOLD, re.DOTALL)
_OF_CSV: Final = re.compile(r"\d{4}-\d\d-\d\d [0-9:.]+ [^ ,\n]+,")
_OF_JSON: Final = re.compile(r'\s*\{"timestamp":')
_SEVERITY, _TEXT = 11, 13  # the fields of a line of CSV
_QUERIES: Final = frozenset({"select", "with", "table", "values"})


def is_log(text: str) -> bool:
    """Is a text in JSON a log, and nothing else that is JSON?"""
    return _OF_JSON.match(text) is not None


def queries_of_log(log: str) -> list[str]:
    """Each different query of a log once, in their order, without what ends it."""
    found = map(plain_query, dict.fromkeys(_entries(log)))  # each text is read once, however often it was logged
    return list(dict.fromkeys(query for query in found if query is not None))


def statement(query: str) -> str:
    """A query as it stands in a script. A comment at its end would swallow what ends it."""
    return f"{query}\n;\n\n" if "--" in query.rpartition("\n")[2] else f"{query};\n\n"


def _entries(log: str) -> Iterator[str]:
    if is_log(log):
        messages = _messages_of_json(log)
    elif _OF_CSV.match(log):
        messages = _messages_of_csv(log)
    else:
        yield from _entries_of_text(log)
        return
    for message in messages:
        match = _MESSAGE.fullmatch(message)
        if match is not None:
            yield match[1]


def _messages_of_json(log: str) -> Iterator[str]:
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off, as the last line of a log may be
        if isinstance(entry, dict) and entry.get("error_severity") == "LOG":
            yield str(entry.get("message"))


def _messages_of_csv(log: str) -> Iterator[str]:
    csv.field_size_limit(max(csv.field_size_limit(), len(log)))
    for row in csv.reader(io.StringIO(log)):
        if len(row) > _TEXT and row[_SEVERITY] == "LOG":
            yield row[_TEXT]


def _entries_of_text(log: str) -> Iterator[str]:
    """Further lines of an entry begin with a tab."""
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


def plain_query(text: str) -> str | None:
    """The statement without its end; None if it is no query, or several, or has parameters."""
    query = text.strip().rstrip(";").rstrip()
    if first_words(query, 1)[:1] not in {(word,) for word in _QUERIES}:
        return None
    try:
        kinds = {(lexeme.kind, query[lexeme.start : lexeme.end]) for lexeme in lexemes(query)}
    except ValueError:
        return None
    is_plain = ("punctuation", ";") not in kinds and all(kind != "parameter" for kind, _ in kinds)
    return query if is_plain and _is_text(query) else None


def _is_text(query: str) -> bool:
    """Can it be written? JSON and YAML can have halves of characters (lone surrogates)."""
    return query == query.encode(errors="replace").decode()

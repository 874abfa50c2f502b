"""The queries in a log of PostgreSQL's (log_statement, log_min_duration_statement), as text, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from proxy.rehearsal.log_parameters import parameters_of_detail, places, with_parameters
from proxy.sql.lexemes import lexemes
from proxy.sql.scripts import first_words

_TOLD: Final = r"(?:duration: [0-9.]+ ms  )?(?:statement|execute [^:\n]*): (.*)"
_STATE: Final = r"(?:[0-9A-Z]{5}: )?"  # with log_error_verbosity = verbose
_ENTRY: Final = re.compile(rf"\bLOG:  {_STATE}{_TOLD}")
_DETAIL: Final = re.compile(r"\bDETAIL:  (.*)")
_MESSAGE: Final = re.compile(_TOLD, re.DOTALL)
_OF_CSV: Final = re.compile(r"\d{4}-\d\d-\d\d [0-9:.]+ [^ ,\n]+,")
_OF_JSON: Final = re.compile(r'\s*\{"timestamp":')
_SEVERITY, _TEXT, _FURTHER = 11, 13, 14  # the fields of a line of CSV
_QUERIES: Final = frozenset({"select", "with", "table", "values"})


def is_log(text: str) -> bool:
    """Is a text in JSON a log, and nothing else that is JSON?"""
    return _OF_JSON.match(text) is not None


def queries_of_log(log: str) -> tuple[list[str], list[str]]:
    """Each different query of a log once, in their order, without what ends it; and in words what is left out.

    A text with parameters has those that it was first logged with.
    """
    queries: dict[str, str | None] = {}
    lacking: dict[str, None] = {}
    for text, detail in _entries(log):
        parameters = parameters_of_detail(detail) if text in lacking or text not in queries else None
        if text in queries and (text not in lacking or parameters is None):
            continue  # each text is read once, however often it was logged
        query, needs_more = _filled(text, parameters or {})
        queries[text] = plain_query(query)
        if needs_more:
            lacking[text] = None
        else:
            lacking.pop(text, None)
    left_out = [f"{_beginning(text)}: {_LACKING}" for text in lacking]
    return list(dict.fromkeys(query for query in queries.values() if query is not None)), left_out


def _beginning(text: str) -> str:
    return textwrap.shorten(text[:200].encode(errors="replace").decode(), 80, placeholder=" …")


_LACKING: Final = "the log cuts or lacks its parameters (log_parameter_max_length)"


def _filled(text: str, parameters: Mapping[str, str]) -> tuple[str, bool]:
    """A statement with its parameters, and whether it is a query with parameters that are not told."""
    if "$" not in text or not _begins_query(text):
        return text, False
    try:
        filled = with_parameters(text, parameters)
        return filled, bool(places(filled))
    except ValueError:
        return text, False


def statement(query: str) -> str:
    """A query as it stands in a script. A comment at its end would swallow what ends it."""
    return f"{query}\n;\n\n" if "--" in query.rpartition("\n")[2] else f"{query};\n\n"


def _entries(log: str) -> Iterator[tuple[str, str]]:
    """The statements that a log tells of, each with the DETAIL of its entry, or ''."""
    if is_log(log):
        messages = _messages_of_json(log)
    elif _OF_CSV.match(log):
        messages = _messages_of_csv(log)
    else:
        yield from _entries_of_text(log)
        return
    for message, detail in messages:
        match = _MESSAGE.fullmatch(message)
        if match is not None:
            yield match[1], detail


def _messages_of_json(log: str) -> Iterator[tuple[str, str]]:
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off, as the last line of a log may be
        if isinstance(entry, dict) and entry.get("error_severity") == "LOG":
            yield str(entry.get("message")), str(entry.get("detail", ""))


def _messages_of_csv(log: str) -> Iterator[tuple[str, str]]:
    csv.field_size_limit(max(csv.field_size_limit(), len(log)))
    for row in csv.reader(io.StringIO(log)):
        if len(row) > _FURTHER and row[_SEVERITY] == "LOG":
            yield row[_TEXT], row[_FURTHER]


def _entries_of_text(log: str) -> Iterator[tuple[str, str]]:
    """Further lines of an entry begin with a tab; a DETAIL is the next entry, as the server writes both at once."""
    statement: str | None = None
    for head, *further in _logged(log):
        match, detail = _ENTRY.search(head), _DETAIL.search(head)
        if statement is not None:
            yield statement, "\n".join([detail[1], *further]) if match is None and detail is not None else ""
        statement = "\n".join([match[1], *further]) if match is not None else None
    if statement is not None:
        yield statement, ""


def _logged(log: str) -> Iterator[list[str]]:
    """The lines of each entry of a log in text."""
    lines: list[str] = []
    for line in log.splitlines():
        if lines and line.startswith("\t"):
            lines.append(line[1:])
            continue
        if lines:
            yield lines
        lines = [line]
    if lines:
        yield lines


def plain_query(text: str) -> str | None:
    """The statement without its end; None if it is no query, or several, or has parameters."""
    query = text.strip().rstrip(";").rstrip()
    if not _begins_query(query):
        return None
    try:
        kinds = {(lexeme.kind, query[lexeme.start : lexeme.end]) for lexeme in lexemes(query)}
    except ValueError:
        return None
    is_plain = ("punctuation", ";") not in kinds and all(kind != "parameter" for kind, _ in kinds)
    return query if is_plain and _is_text(query) else None


def _begins_query(text: str) -> bool:
    return first_words(text, 1)[:1] in {(word,) for word in _QUERIES}


def _is_text(query: str) -> bool:
    """Can it be written? JSON and YAML can have halves of characters (lone surrogates)."""
    return query == query.encode(errors="replace").decode()

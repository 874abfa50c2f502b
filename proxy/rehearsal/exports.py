"""The queries in what other programs write, as a script of SQL: logs of PostgreSQL's, and the exports of Superset
(`sql` of datasets and saved queries) and Metabase (`native` of questions), as archives, folders, or single files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.document import TooLargeError, compose
from proxy.rehearsal.archives import ARCHIVES, DOCUMENTS, documents
from proxy.rehearsal.logs import is_log, plain_query, queries_of_log, statement
from proxy.sql.text_limits import MOST_STATEMENTS

_NAMED: Final = re.compile(r"\b(?:sql|native)[\"']?\s*:")
"""What a document has that is worth parsing."""
_TEMPLATE: Final = re.compile(r"\{\{|\{%|\[\[")
_NOTHING: Final = ("", "~", "null")


def script_of_export(path: Path) -> tuple[str, list[str]]:
    """Each different query of a log or an export once; and in words what is left out, which the script says, too.

    Raises:
        OSError: it cannot be read.
        UnicodeDecodeError: it is a log that is not UTF-8 text.
    """
    if not path.is_dir() and not path.name.endswith(ARCHIVES):
        text = path.read_text(encoding="utf-8")
        if path.suffix not in DOCUMENTS or is_log(text):
            found, left_out = queries_of_log(text)
            return _script(dict.fromkeys(found, ""), left_out)
    queries: dict[str, str] = {}
    left_out = []
    for name, text in documents(path, left_out):
        try:
            written = list(_texts_of(compose(text))) if _NAMED.search(text) else []
        except (TooLargeError, YAMLError) as error:
            left_out.append(f"{name}: {str(error).splitlines()[0]}")
            continue
        for sql in written:
            query = plain_query(sql)
            if _TEMPLATE.search(sql):
                left_out.append(f"{name}: it has variables of the program that wrote it; take it from a log")
            elif query is None:
                left_out.append(f"{name}: not one query without parameters")
            else:
                queries.setdefault(query, name)
    return _script(queries, left_out)


def _script(queries: Mapping[str, str], left_out: list[str]) -> tuple[str, list[str]]:
    """A script of queries, each below its name, if it has one; and what is left out."""
    if len(queries) > MOST_STATEMENTS:
        more = len(queries) - MOST_STATEMENTS
        left_out = [*left_out, f"{more} more queries: a script has at most {MOST_STATEMENTS}"]
    comments = "".join(f"-- left out: {_on_a_line(words)}\n" for words in left_out)
    named = list(queries.items())[:MOST_STATEMENTS]
    script = "".join((f"-- {_on_a_line(name)}\n" if name else "") + statement(query) for query, name in named)
    return (f"{comments}\n{script}" if comments else script) if queries else "", left_out


def _on_a_line(words: str) -> str:
    return " ".join(words.split())


def _texts_of(root: Node | None) -> Iterator[str]:
    """The texts of queries in a document, wherever they stand; each node once, whatever aliases repeat."""
    pending = [root] if root is not None else []
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            pending += reversed(node.value)
        elif isinstance(node, MappingNode):
            pending += [value for _, value in reversed(node.value)]
            for key, value in node.value:
                yield from _text_of(key.value, value)


def _text_of(key: object, value: Node) -> Iterator[str]:
    if key == "native" and isinstance(value, MappingNode):
        for inner, query in value.value:
            if inner.value == "query":
                yield from _text_of("native", query)
    elif key in ("sql", "native") and isinstance(value, ScalarNode) and (value.style or value.value not in _NOTHING):
        yield value.value

"""The queries in what other programs write, as a script of SQL: logs of PostgreSQL's, and the exports of Superset
(`sql` of datasets and saved queries) and Metabase (`native` of questions), as ZIP files, folders, or single files."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from lzma import LZMAError
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.document import TooLargeError, compose
from proxy.rehearsal.logs import is_log, plain_query, queries_of_log, statement
from proxy.sql.text_limits import MOST_STATEMENTS

_DOCUMENTS: Final = (".yaml", ".yml", ".json")
_NAMED: Final = re.compile(r"\b(?:sql|native)[\"']?\s*:")
"""What a document has that is worth parsing."""
_TEMPLATE: Final = re.compile(r"\{\{|\{%|\[\[")
_NOTHING: Final = ("", "~", "null")
_LARGEST: Final = 4 << 20
"""Octets of a document that are read."""


def script_of_export(path: Path) -> tuple[str, list[str]]:
    """Each different query of a log or an export once; and in words what is left out, which the script says, too.

    Raises:
        OSError: it cannot be read.
        UnicodeDecodeError: it is a log that is not UTF-8 text.
    """
    if not path.is_dir() and path.suffix != ".zip":
        text = path.read_text(encoding="utf-8")
        if path.suffix not in _DOCUMENTS or is_log(text):
            return _script(dict.fromkeys(queries_of_log(text), ""), [])
    queries: dict[str, str] = {}
    left_out: list[str] = []
    for name, text in _documents(path, left_out):
        try:
            found = list(_texts_of(compose(text))) if _NAMED.search(text) else []
        except (TooLargeError, YAMLError) as error:
            left_out.append(f"{name}: {str(error).splitlines()[0]}")
            continue
        for written in found:
            query = plain_query(written)
            if _TEMPLATE.search(written):
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


def _documents(path: Path, left_out: list[str]) -> Iterator[tuple[str, str]]:
    """The names and texts of an export's documents, in the order of the names."""
    if path.suffix == ".zip" and not path.is_dir():
        try:
            archive = ZipFile(path)
        except BadZipFile as error:
            left_out.append(f"{path.name}: {error}")
            return
        with archive:
            try:
                for name in sorted(archive.namelist()):
                    if name.endswith(_DOCUMENTS):
                        with archive.open(name) as member:
                            yield name, member.read(_LARGEST).decode(errors="replace")
            # Of members that are damaged, compressed in unknown ways, or have a password.
            except (BadZipFile, EOFError, LZMAError, NotImplementedError, OSError, RuntimeError, zlib.error) as error:
                left_out.append(f"{path.name}: {error}")
        return
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    for file in files:
        if file.suffix in _DOCUMENTS and file.is_file():
            with file.open("rb") as opened:
                name = str(file.relative_to(path)) if file != path else file.name
                yield name, opened.read(_LARGEST).decode(errors="replace")


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

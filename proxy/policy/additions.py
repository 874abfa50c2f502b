"""Adds entries to the mappings of a policy file in place, with their comments; every other byte stays.

As with `rewriting`, the new text is read again: unless it says what the old one said and the additions, nothing is
written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.document import Data, TooLargeError, compose, parse_document
from proxy.policy.load import examine_text
from proxy.policy.rewriting import RewriteError, read_text, replace_file

Additions = Mapping[tuple[str, ...], Sequence[str]]
"""Lines by the path of the mapping that they are added to, such as ("tables",): entries in block style and comments,
indented as if the mapping stood at the margin."""


def add_to_policy(path: Path, additions: Additions) -> None:
    """Put the additions into the file, atomically; its mode stays.

    Raises:
        RewriteError: the file cannot be read, edited or written, or would not be a valid policy afterwards.
    """
    target = path.resolve()
    try:
        replace_file(target, with_additions(read_text(target), additions, os.environ))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise RewriteError(f"{path} cannot be rewritten: {reason}") from error


def with_additions(text: str, additions: Additions, environment: Mapping[str, str]) -> str:
    """A policy's text with the additions at the ends of their mappings.

    Raises:
        RewriteError: the text cannot be edited, or would not be a valid policy afterwards.
    """
    result = text
    for path, lines in additions.items():
        result = _added(result, path, lines)
    before, after = (parse_document(each, "", environment, unneeded=(("source",),)) for each in (text, result))
    if _without(after.data, additions, before.data) != before.data:
        raise RewriteError("the file is written in a way that cannot be edited in place: add the entries by hand")
    examination = examine_text(result, "", environment, needs_source=False)
    errors = [finding for finding in examination.findings if finding.severity == "error"]
    if errors:
        raise RewriteError(f"the policy would not be valid: {errors[0].sentence}")
    return result


def _without(data: Data, additions: Additions, old: Data) -> Data:
    """The new data without the keys that the mappings at the paths of additions did not have."""
    for path in additions:
        data = _only_old(data, old, path)
    return data


def _only_old(data: Data, old: Data, path: tuple[str, ...]) -> Data:
    if not isinstance(data, dict) or not isinstance(old, dict):
        return data
    if not path:
        return {key: value for key, value in data.items() if key in old}
    key = path[0]
    return {**data, key: _only_old(data.get(key), old.get(key), path[1:])}


def _added(text: str, path: tuple[str, ...], lines: Sequence[str]) -> str:
    node, parent_column = _mapping_at(text, path)
    line_end = "\r\n" if "\r\n" in text else "\n"
    if node.flow_style:
        return _added_in_braces(text, node, lines, " " * (parent_column + 2), line_end)
    indent = " " * node.value[0][0].start_mark.column
    at = text.find("\n", _content_end(node)) + 1
    block = "".join(f"{indent}{line}{line_end}" for line in lines)
    if at == 0:
        return f"{text}{line_end}{block}"
    return text[:at] + block + text[at:]


def _mapping_at(text: str, path: tuple[str, ...]) -> tuple[MappingNode, int]:
    """The mapping at a path, and the column of its key."""
    try:
        node: Node | None = compose(text)
    except (YAMLError, TooLargeError) as error:
        raise RewriteError("the file is not valid YAML") from error
    column = 0
    for part in path:
        entries = node.value if isinstance(node, MappingNode) else []
        key, node = next(((key, inner) for key, inner in entries if key.value == part), (None, None))
        if key is not None:
            column = key.start_mark.column
        if node is not None and node.anchor:
            raise RewriteError(f"{'.'.join(path)} has an anchor: add the entries by hand")
    if not isinstance(node, MappingNode) or not (node.flow_style or node.value):
        raise RewriteError(f"{'.'.join(path)} is not a mapping: add the entries by hand")
    return node, column


def _added_in_braces(text: str, node: MappingNode, lines: Sequence[str], indent: str, line_end: str) -> str:
    """Entries within { } stand on lines of their own, so that their comments do not hide what follows."""
    brace = int(node.end_mark.index) - 1
    before = text[:brace].rstrip()
    comma = "" if not node.value or before.endswith(",") else ","
    parts = [_with_comma(line) for line in lines]
    body = "".join(f"{indent}{line}{line_end}" for line in parts)
    return f"{before}{comma}{line_end}{body}{indent[2:]}{text[brace:]}"


def _with_comma(line: str) -> str:
    """An entry on one line with a comma after it and before its comment."""
    if line.startswith("#"):
        return line
    match = re.fullmatch(r"(.*?\})(  # .*)?", line)
    if match is None:
        raise RewriteError("a table cannot be added within { }: write `tables` in lines")
    return f"{match[1]},{match[2] or ''}"


def _content_end(node: Node) -> int:
    """The end of the last thing in a node that is no comment."""
    if isinstance(node, MappingNode) and not node.flow_style and node.value:
        key, value = node.value[-1]
        return max(int(key.end_mark.index), _content_end(value))
    if isinstance(node, SequenceNode) and not node.flow_style and node.value:
        return _content_end(node.value[-1])
    if isinstance(node, ScalarNode) and node.style in ("|", ">"):
        return int(node.end_mark.index) - 1
    if isinstance(node, ScalarNode) and not node.value:
        return int(node.start_mark.index)
    return int(node.end_mark.index)

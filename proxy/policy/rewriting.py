"""Values put into a policy file in place: comments, quotes, indentation, order and line ends stay as they are.

Printing a parsed file again would change how it looks, so the text itself is edited, at the places that the parser
tells. What was edited is read again: unless it says exactly what the old text and the changes together say, nothing is
written. So a file that is written in a way these edits do not understand is refused, never damaged.
"""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.document import Data, parse_document
from proxy.policy.findings import PolicyPath, format_path
from proxy.policy.load import examine_text

NewValue = int | tuple[Decimal | dt.date, Decimal | dt.date]
"""A number, or a pair of bounds."""

Changes = Mapping[tuple[str, ...], NewValue]
"""New values by their path, such as ("tables", "public.visits", "contribution", "max_rows")."""


class RewriteError(Exception):
    """A file that cannot be edited in place; the text says why in one line, and what to do."""


@dataclass(frozen=True)
class _Edit:
    """`text` in place of what stands from `start` to `end`, counted in characters."""

    start: int
    end: int
    text: str


def rewritten(text: str, changes: Changes, environment: Mapping[str, str]) -> str:
    """A policy's text with the changes in it.

    Args:
        text: of the file, with its own line ends.
        changes: what to put where. The mapping around a path's last key, or the one around that, must exist.
        environment: values for `${NAME}`.

    Raises:
        RewriteError: the text cannot be edited, or would not be a valid policy afterwards.
    """
    result = text
    for path, value in changes.items():
        result = _changed(result, path, value)
    before = parse_document(text, "", environment)
    after = parse_document(result, "", environment)
    expected = before.data
    for path, value in changes.items():
        expected = _with_value(expected, path, value)
    if after.data != expected:
        raise RewriteError("the file is written in a way that cannot be edited in place: enter the values by hand")
    errors = [finding for finding in examine_text(result, "", environment).findings if finding.severity == "error"]
    if errors:
        raise RewriteError(f"the policy would not be valid: {errors[0].sentence}")
    return result


def rewrite_policy(path: Path, changes: Changes, environment: Mapping[str, str] = os.environ) -> None:
    """Put the changes into the file, atomically; its mode stays.

    Raises:
        RewriteError: as `rewritten`, or the file cannot be read or written.
    """
    target = path.resolve()  # through a symbolic link, which stays one
    try:
        text = _read(target)
        result = rewritten(text, changes, environment)
        _replace(target, result)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise RewriteError(f"{path} cannot be rewritten: {reason}") from error


def check_rewritable(path: Path, changes: Changes, environment: Mapping[str, str] = os.environ) -> None:
    """Raises RewriteError if `rewrite_policy` would, with these changes or others at the same paths."""
    target = path.resolve()
    try:
        rewritten(_read(target), changes, environment)
    except (OSError, UnicodeDecodeError) as error:
        raise RewriteError(f"{path} cannot be read") from error
    if not os.access(target.parent, os.W_OK):
        raise RewriteError(f"{path} cannot be rewritten: its directory is not writable")


def _read(path: Path) -> str:
    """The text with its own line ends."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _replace(path: Path, text: str) -> None:
    """Another file takes the name when it is whole and on disk."""
    status = path.stat()
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), status.st_mode & 0o7777)
            if os.geteuid() == 0:
                os.fchown(file.fileno(), status.st_uid, status.st_gid)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _with_value(data: Data, path: tuple[str, ...], value: NewValue) -> Data:
    """The data with the value at the path."""
    if not path:
        return value
    inner = data if isinstance(data, dict) else {}
    return {**inner, path[0]: _with_value(inner.get(path[0]), path[1:], value)}


def _changed(text: str, path: tuple[str, ...], value: NewValue) -> str:
    """The text with one value in it."""
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except YAMLError as error:
        raise RewriteError("the file is not valid YAML") from error
    node, depth, seen = root, 0, [root]
    while depth < len(path) and isinstance(node, MappingNode):
        inner = _entry(node, path[depth])
        if inner is None:
            break
        node, depth = inner[1], depth + 1
        seen.append(node)
    _require_single_use(root, seen, path)
    if depth == len(path):
        edits = _replacing(node, value, path)
    elif isinstance(node, MappingNode):
        edits = [_inserting(text, node, path[depth], _flow(path[depth + 1 :], value))]
    else:
        raise _by_hand(path, "is not inside a mapping")
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _entry(mapping: MappingNode, key: str) -> tuple[Node, Node] | None:
    return next((entry for entry in mapping.value if entry[0].value == key), None)


def _require_single_use(root: Node, nodes: list[Node], path: PolicyPath) -> None:
    """What an alias repeats stands in several places, and would be changed in all of them."""
    uses: dict[int, int] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        uses[id(node)] = uses.get(id(node), 0) + 1
        if uses[id(node)] > 1:
            continue
        if isinstance(node, MappingNode):
            pending.extend(child for entry in node.value for child in entry)
        elif isinstance(node, SequenceNode):
            pending.extend(node.value)
    last = nodes[-1]
    children = last.value if isinstance(last, SequenceNode) else []
    if any(uses[id(node)] > 1 for node in [*nodes, *children]):
        raise _by_hand(path, "is shared through an anchor")


def _replacing(node: Node, value: NewValue, path: PolicyPath) -> list[_Edit]:
    """Scalar by scalar, so that everything around them stays."""
    if isinstance(value, tuple):
        if not isinstance(node, SequenceNode) or len(node.value) != len(value):
            raise _by_hand(path, "is not a pair")
        return [_scalar_edit(child, one, path) for child, one in zip(node.value, value, strict=True)]
    return [_scalar_edit(node, value, path)]


def _scalar_edit(node: Node, value: int | Decimal | dt.date, path: PolicyPath) -> _Edit:
    if not isinstance(node, ScalarNode) or node.style or node.anchor or not node.value or "${" in node.value:
        raise _by_hand(path, "is not a plain value")
    return _Edit(node.start_mark.index, node.end_mark.index, _scalar(value))


def _inserting(text: str, mapping: MappingNode, key: str, value: str) -> _Edit:
    """A new entry: after the last one that is no block, whose last line is known for certain, else before the first."""
    entry = f"{_key(key)}: {value}"
    if mapping.flow_style:
        if not mapping.value:
            inside = text.index("{", mapping.start_mark.index) + 1
            return _Edit(inside, inside, entry)
        end = _end(mapping.value[-1][1])
        return _Edit(end, end, f", {entry}")
    line_end = "\r\n" if "\r\n" in text else "\n"
    first = mapping.value[0][0].start_mark
    indent = " " * first.column
    before = [inner for _, inner in mapping.value if not _is_block(inner)]
    if not before:
        return _Edit(first.index, first.index, f"{entry}{line_end}{indent}")
    newline = text.find("\n", _end(before[-1]))
    if newline < 0:
        return _Edit(len(text), len(text), f"{line_end}{indent}{entry}{line_end}")
    return _Edit(newline + 1, newline + 1, f"{indent}{entry}{line_end}")


def _is_block(node: Node) -> bool:
    """Is it spread over lines by indentation, or empty?"""
    if isinstance(node, ScalarNode):
        return node.style in ("|", ">") or node.start_mark.index == node.end_mark.index
    return isinstance(node, MappingNode | SequenceNode) and not node.flow_style


def _end(node: Node) -> int:
    return int(node.end_mark.index)


def _flow(keys: tuple[str, ...], value: NewValue) -> str:
    """The value as YAML on one line, inside mappings with the keys."""
    text = f"[{', '.join(_scalar(one) for one in value)}]" if isinstance(value, tuple) else _scalar(value)
    for key in reversed(keys):
        text = f"{{{_key(key)}: {text}}}"
    return text


def _key(key: str) -> str:
    if key.isascii() and key.isidentifier():
        return key
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _scalar(value: int | Decimal | dt.date) -> str:
    match value:
        case dt.date():
            return value.isoformat()
        case Decimal():
            return format(value, "f")
    return str(value)


def _by_hand(path: PolicyPath, reason: str) -> RewriteError:
    return RewriteError(f"{format_path(path)} {reason}: enter it by hand")

"""Puts values into a policy file in place: comments, quotes, indentation, order and line ends stay as they are.

Only the mark `# decide: {bounds: …}` of `dpproxy init` goes where bounds are put into its line, which are decided then.

The text itself is edited, at places that the parser reports. ruamel.yaml's round trip, even if told to keep quotes and
widths and given the indentation, changes other lines too. It drops comments and line ends inside brackets, blanks as in
`{ a: 1,  b: 2 }`, trailing commas, the byte order mark, `---`, and blanks between a key and its value; it joins values
that span lines, indents all mappings alike, spells `null` and escapes in its own way, and adds a newline at the end.
The policies of this repository lose only the word in `timing: null`; for other files this is not known.

The edited text is read again: unless it says exactly what the old text and the changes together say, nothing is
written. So a file in a form that these edits do not understand is refused, never damaged.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import tempfile
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.document import Data, TooLargeError, compose, parse_document
from proxy.policy.findings import PolicyPath, format_path
from proxy.policy.half_open import without_upper_end
from proxy.policy.load import examine_text

NewValue = int | tuple[Decimal | dt.date, Decimal | dt.date]
"""A number, or a pair of bounds."""

Changes = Mapping[tuple[str, ...], NewValue]
"""New values by their path, such as ("tables", "public.visits", "contribution", "max_rows")."""


class RewriteError(Exception):
    """A file that cannot be edited in place; the text says why in one line, and what to do."""


_Edit = tuple[int, int, str]
"""The start and end of a piece of text, and its replacement."""


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


def rewrite_policy(path: Path, changes: Changes) -> None:
    """Put the changes into the file, atomically; its mode stays.

    Raises:
        RewriteError: as `rewritten`, or the file cannot be read or written.
    """
    target = path.resolve()  # through a symbolic link, which stays one
    try:
        text = read_text(target)
        result = rewritten(text, changes, os.environ)
        replace_file(target, result)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise RewriteError(f"{path} cannot be rewritten: {reason}") from error


def check_rewritable(path: Path, changes: Changes) -> None:
    """Raise RewriteError if `rewrite_policy` would, for these changes or others at the same paths."""
    target = path.resolve()
    try:
        rewritten(read_text(target), changes, os.environ)
    except (OSError, UnicodeDecodeError) as error:
        raise RewriteError(f"{path} cannot be read") from error
    if not os.access(target.parent, os.W_OK):
        raise RewriteError(f"{path} cannot be rewritten: its directory is not writable")


def read_text(path: Path) -> str:
    """The text with its own line ends."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def replace_file(path: Path, text: str) -> None:
    """Replace the file atomically, once the new one is complete and on disk."""
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
        node: Node | None = compose(text)
    except (YAMLError, TooLargeError) as error:
        raise RewriteError("the file is not valid YAML") from error
    depth = 0
    _require_no_anchor(node, path)
    while depth < len(path) and isinstance(node, MappingNode):
        inner = next((inner for key, inner in node.value if key.value == path[depth]), None)
        if inner is None:
            break
        node, depth = inner, depth + 1
        _require_no_anchor(node, path)
    if node is not None and depth == len(path):
        edits = _replacing(node, value, path)
    elif isinstance(node, MappingNode):
        edits = [_inserting(text, node, path[depth], _flow(path[depth + 1 :], value))]
    else:
        raise _by_hand(path, "is not inside a mapping")
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + _without_mark(text[end:], path)
    return text


_MARK = re.compile(r"([^#\r\n]*?)[ \t]*#[ \t]*decide:[ \t]*\{bounds:[^;\r\n]*(?=[\r\n]|\Z)")


def _without_mark(rest: str, path: PolicyPath) -> str:
    """What stands behind an edit without the mark that asks for what was put in."""
    found = _MARK.match(rest) if path[-1] == "bounds" else None
    return found[1] + rest[found.end() :] if found is not None else rest


def _require_no_anchor(node: Node | None, path: PolicyPath) -> None:
    """A value repeated by aliases stands in several places, and would change in all of them."""
    if node is not None and node.anchor:
        raise _by_hand(path, "has an anchor")


def _replacing(node: Node, value: NewValue, path: PolicyPath) -> list[_Edit]:
    """Edit scalar by scalar, so that everything around them stays."""
    if not isinstance(value, tuple):
        return [_scalar_edit(node, value, path)]
    if isinstance(node, ScalarNode) and node.style in ("'", '"') and without_upper_end(node.value) != node.value:
        # Half-open bounds, which are one text.
        return [(node.start_mark.index, node.end_mark.index, _flow((), value))]
    if not isinstance(node, SequenceNode) or len(node.value) != len(value):
        raise _by_hand(path, "is not a pair")
    return [_scalar_edit(child, element, path) for child, element in zip(node.value, value, strict=True)]


def _scalar_edit(node: Node, value: int | Decimal | dt.date, path: PolicyPath) -> _Edit:
    _require_no_anchor(node, path)
    if not isinstance(node, ScalarNode) or node.style or not node.value or "${" in node.value:
        raise _by_hand(path, "is not a plain value")
    return node.start_mark.index, node.end_mark.index, _scalar(value)


def _inserting(text: str, mapping: MappingNode, key: str, value: str) -> _Edit:
    """Insert an entry after the last one that is no block, whose last line is certain, or else before the first one."""
    entry = f"{_key(key)}: {value}"
    if mapping.flow_style:
        at = _end(mapping.value[-1][1]) if mapping.value else text.index("{", mapping.start_mark.index) + 1
        return at, at, f", {entry}" if mapping.value else entry
    line_end = "\r\n" if "\r\n" in text else "\n"
    first = mapping.value[0][0].start_mark
    indent = " " * first.column
    before = [inner for _, inner in mapping.value if not _is_block(inner)]
    if not before:
        return first.index, first.index, f"{entry}{line_end}{indent}"
    at = text.find("\n", _end(before[-1])) + 1
    if at == 0:
        return len(text), len(text), f"{line_end}{indent}{entry}{line_end}"
    return at, at, f"{indent}{entry}{line_end}"


def _is_block(node: Node) -> bool:
    """Is it spread over lines by indentation, or empty?"""
    if isinstance(node, ScalarNode):
        return node.style in ("|", ">") or node.start_mark.index == node.end_mark.index
    return isinstance(node, MappingNode | SequenceNode) and not node.flow_style


def _end(node: Node) -> int:
    return int(node.end_mark.index)


def _flow(keys: tuple[str, ...], value: NewValue) -> str:
    """The value as YAML on one line, inside mappings with the keys."""
    text = f"[{', '.join(_scalar(element) for element in value)}]" if isinstance(value, tuple) else _scalar(value)
    for key in reversed(keys):
        text = f"{{{_key(key)}: {text}}}"
    return text


def _key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else json.dumps(key, ensure_ascii=False)


def _scalar(value: int | Decimal | dt.date) -> str:
    match value:
        case dt.date():
            return value.isoformat()
        case Decimal():
            return format(value, "f")
    return str(value)


def _by_hand(path: PolicyPath, reason: str) -> RewriteError:
    return RewriteError(f"{format_path(path)} {reason}: enter it by hand")

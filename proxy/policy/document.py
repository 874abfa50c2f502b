"""YAML text to plain data: exact numbers, dates, ${VARIABLES}, and the position of everything (decision 8).

The node graph that ruamel.yaml composes is read directly: its constructors would turn numbers into floats, stop at the
first duplicate key and forget where scalars stood.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from proxy.policy.findings import Finding, PolicyPath, Position, SourceMap, format_path
from proxy.policy.remarks import Remark, read_remarks
from proxy.policy.scalars import Scalar, UnreadableScalarError, UnsetVariableError, read_scalar, substitute
from proxy.policy.syntax import syntax_finding

MOST_CHARACTERS: Final = 1_000_000
"""Of a policy's text. The parser takes about a second for a megabyte of comments."""
MOST_NODES: Final = 25_000
"""Keys and values of a policy, those counted again that aliases repeat."""
_MOST_SEPARATORS: Final = 2 * MOST_NODES
"""Commas and colons, which are counted before the parser reads anything."""
_LONGEST_NAME: Final = 1000
_LONG_NAME: Final = re.compile(rf"(?:^|(?<=[\s,\[{{:]))[!&*]\S{{{_LONGEST_NAME}}}")
"""The parser takes time quadratic in the length of a tag."""
_DEEPEST: Final = 32
"""Policies need seven levels; the parser calls itself for each."""

Data = Scalar | tuple["Data", ...] | dict[str, "Data"]

_TEXT_TAG: Final = "tag:yaml.org,2002:str"
_CUSTOM_TAG_HINT: Final = "leave out the tag: policies are plain mappings, lists, texts, numbers and dates"
_COLLECTION_TAGS: Final = frozenset({"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})
_SCALAR_TAGS: Final = frozenset(
    {f"tag:yaml.org,2002:{name}" for name in ("str", "null", "bool", "int", "float", "timestamp", "merge", "value")}
)


class _Absent:
    """The place of a value that was already reported, so that it causes no further findings."""


_ABSENT: Final = _Absent()


@dataclass(frozen=True)
class Document:
    """A policy file as plain data.

    Attributes:
        data: the root; None if the file could not be read as YAML. Values with a finding are left out.
        source_map: the place of every key and list item, even of those left out of `data`.
        findings: what was wrong.
        remarks: comments that `dpproxy check` understands.
    """

    data: Data
    source_map: SourceMap
    findings: list[Finding]
    remarks: Sequence[Remark] = ()


def parse_document(
    text: str, file: str, environment: Mapping[str, str], *, unneeded: Collection[PolicyPath] = ()
) -> Document:
    """Read a policy's text.

    Args:
        text: the YAML text.
        file: the name that findings carry.
        environment: values for `${NAME}` and `${NAME:-default}` in scalars; `${file:/path}` is read from its file.
        unneeded: values that count as absent where a variable of theirs is not set.
    """
    try:
        root = compose(text)
    except TooLargeError as error:
        return Document(None, SourceMap(file), [_too_large(error, file)])
    except YAMLError as error:
        return Document(None, SourceMap(file), [syntax_finding(error, text, file)])
    except Exception as error:  # what the parser itself does not expect, such as the escape of no character
        message, hint = f"not valid YAML: {error}", "look for unusual escapes and directives; nothing was checked"
        return Document(None, SourceMap(file), [SourceMap(file).error("DP101", (), message, hint)])
    if root is None:
        finding = SourceMap(file).error(
            "DP101", (), "the file is empty", "start with `version: 1` and a mapping `tables`"
        )
        return Document(None, SourceMap(file), [finding])
    reader = _DocumentReader(environment, unneeded)
    try:
        data = reader.value(root, ())
    except TooLargeError as error:
        return Document(None, SourceMap(file), [_too_large(error, file)])
    source_map = SourceMap(file, reader.positions, reader.key_positions, reader.written)
    findings = [
        Finding(file, *fault.position, format_path(fault.path), "error", fault.message, fault.hint, fault.rule)
        for fault in reader.faults
    ]
    remarks = read_remarks(text, root)
    return Document(None if isinstance(data, _Absent) else data, source_map, findings, remarks)


class TooLargeError(Exception):
    """A document that would take too long to read: where it becomes too large, and how."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(message)
        self.position = position


class _LimitedComposer(Composer):
    """Stops before the parser has read more than a policy can hold, or has called itself too often."""

    _nodes = 0
    _depth = 0

    def compose_node(self, parent: Node | None, index: object) -> Node:
        self._nodes += 1
        self._depth += 1
        if self._nodes > MOST_NODES or self._depth > _DEEPEST:
            mark = self.parser.peek_event().start_mark
            message = f"more than {MOST_NODES} keys and values"
            if self._depth > _DEEPEST:
                message = f"more than {_DEEPEST} levels of lists and mappings"
            raise TooLargeError(Position(mark.line + 1, mark.column + 1), message)
        node: Node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def compose(text: str) -> Node | None:
    """The node graph of a YAML text; None if it has no value.

    Raises:
        YAMLError: it is not valid.
        TooLargeError: it is larger than any policy.
    """
    if len(text) > MOST_CHARACTERS:
        raise TooLargeError(Position(1, 1), f"more than {MOST_CHARACTERS} characters")
    if text.count(",") + text.count(":") > _MOST_SEPARATORS:
        raise TooLargeError(Position(1, 1), f"more than {_MOST_SEPARATORS} commas and colons, comments included")
    name = _LONG_NAME.search(text)
    if name is not None:
        line_start = text.rfind("\n", 0, name.start()) + 1
        place = Position(text.count("\n", 0, name.start()) + 1, name.start() - line_start + 1)
        raise TooLargeError(place, f"a tag, anchor or alias of more than {_LONGEST_NAME} characters")
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _LimitedComposer
    yaml.composer.warn_double_anchors = False
    root: Node | None = yaml.compose(text)
    return root


def _too_large(error: TooLargeError, file: str) -> Finding:
    hint = "policies are small and flat: take long lists of values from a public table by `values_from`"
    return Finding(file, *error.position, "", "error", str(error), hint, "DP105")


@dataclass(frozen=True)
class _Fault:
    path: PolicyPath
    position: Position
    message: str
    hint: str
    rule: str


@dataclass
class _DocumentReader:
    """Walks the node graph once and collects positions and faults."""

    environment: Mapping[str, str]
    unneeded: Collection[PolicyPath]
    positions: dict[PolicyPath, Position] = field(default_factory=dict)
    key_positions: dict[PolicyPath, Position] = field(default_factory=dict)
    written: dict[PolicyPath, str] = field(default_factory=dict)
    faults: list[_Fault] = field(default_factory=list)
    _visited: int = 0
    _around: list[Node] = field(default_factory=list)

    def value(self, node: Node, path: PolicyPath) -> Data | _Absent:
        self._visited += 1
        if self._visited > MOST_NODES:
            raise TooLargeError(_position(node), f"more than {MOST_NODES} keys and values, with those of aliases")
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if node.tag not in _COLLECTION_TAGS:
            return self._fault(node, path, f"the tag {node.tag!r} means nothing here", _CUSTOM_TAG_HINT)
        if any(node is outer for outer in self._around):
            return self._fault(node, path, "an alias refers to a value that contains it", "write the value out")
        self._around.append(node)
        try:
            if isinstance(node, MappingNode):
                return self._mapping(node, path)
            if isinstance(node, SequenceNode):
                return self._sequence(node, path)
            raise AssertionError(f"ruamel.yaml composed a {type(node).__name__}")
        finally:
            self._around.pop()

    def _mapping(self, node: MappingNode, path: PolicyPath) -> dict[str, Data]:
        result: dict[str, Data] = {}
        first_lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, path)
            if key is None:
                continue
            position = _position(key_node)
            if key in first_lines:
                hint = f"the first one is on line {first_lines[key]}; keep one of them"
                self._fault(key_node, (*path, key), f"the key {key!r} appears twice", hint, "DP103")
                continue
            first_lines[key] = position.line
            inner = (*path, key)
            self.key_positions[inner] = position
            self.positions[inner] = _position(value_node) if _is_beside_its_key(value_node) else position
            value = self.value(value_node, inner)
            if not isinstance(value, _Absent):
                result[key] = value
        return result

    def _key(self, node: Node, path: PolicyPath) -> str | None:
        if not isinstance(node, ScalarNode):
            self._fault(node, path, "a key must be text", "quote the key")
        elif node.tag == "tag:yaml.org,2002:merge":
            self._fault(node, path, "merge keys (<<) are not supported", "write the entries out")
        elif "${" in node.value:
            self._fault(node, path, "variables are replaced in values only, not in keys", "write the key out")
        elif not _is_storable(node.value):
            self._fault(node, path, "a character that PostgreSQL cannot store", "remove the character")
        else:
            return str(node.value)
        return None

    def _sequence(self, node: SequenceNode, path: PolicyPath) -> tuple[Data, ...] | _Absent:
        items: list[Data] = []
        complete = True
        for index, item_node in enumerate(node.value):
            self.positions[(*path, index)] = _position(item_node)
            item = self.value(item_node, (*path, index))
            if isinstance(item, _Absent):
                complete = False
            else:
                items.append(item)
        return tuple(items) if complete else _ABSENT

    def _scalar(self, node: ScalarNode, path: PolicyPath) -> Data | _Absent:
        if node.tag not in _SCALAR_TAGS:
            return self._fault(node, path, f"the tag {node.tag!r} means nothing here", _CUSTOM_TAG_HINT)
        try:
            if "$" in node.value:
                self.written[path] = node.value
            text = substitute(node.value, self.environment)
            if not _is_storable(text):
                raise UnreadableScalarError("a character that PostgreSQL cannot store", "remove the character")
            # A plain ${EPSILON} takes the type of its value; quotes always mean text.
            is_plain = not node.style and (node.tag != _TEXT_TAG or text != node.value)
            return read_scalar(text) if is_plain else text
        except UnreadableScalarError as error:
            if isinstance(error, UnsetVariableError) and path in self.unneeded:
                return _ABSENT
            return self._fault(node, path, error.message, error.hint, "DP104")

    def _fault(self, node: Node, path: PolicyPath, message: str, hint: str, rule: str = "DP102") -> _Absent:
        self.faults.append(_Fault(path, _position(node), message, hint, rule))
        return _ABSENT


def _is_beside_its_key(node: Node) -> bool:
    """Does the value's own place help most? Not for a block or an empty value, where the key's line says more."""
    if isinstance(node, ScalarNode):
        return bool(node.style or node.value)
    return isinstance(node, MappingNode | SequenceNode) and bool(node.flow_style)


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _position(node: Node) -> Position:
    return Position(node.start_mark.line + 1, node.start_mark.column + 1)

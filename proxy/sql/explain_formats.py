"""EXPLAIN's lines in the formats that clients draw: JSON, YAML and XML in the shape that Postgres gives its own plans.

A block is a node, its lines are the node's properties, and several blocks are the plans of one node above them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from proxy.sql.statement import ExplainFormat
from proxy.sql.terms.term import quote_literal

_NODE_TYPE, _REMARKS = "Node Type", "Remarks"
_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*")
_TYPES: Final[dict[ExplainFormat, str]] = {"json": "json", "yaml": "text", "xml": "xml"}

Node = dict[str, object]
"""A plan's properties by name: texts, lists of texts, and the plans below it."""


def explanation_sql(blocks: Sequence[Sequence[str]], format_: ExplainFormat) -> str:
    """A statement for the stage whose rows are the explanation, as a client expects it of EXPLAIN.

    Args:
        blocks: the lines of each block.
        format_: what the client asks for.
    """
    if format_ == "text":
        rows = ", ".join(f"({quote_literal(line)})" for lines in blocks for line in lines)
        return f'SELECT line AS "QUERY PLAN" FROM (VALUES {rows}) AS plan(line)'
    nodes = [_node(lines) for lines in blocks]
    plan: Node = nodes[0] if len(nodes) == 1 else {_NODE_TYPE: "Result", "Plans": nodes}
    written = {"json": _json, "yaml": _yaml, "xml": _xml}[format_](plan)
    return f'SELECT {quote_literal(written)}::pg_catalog.{_TYPES[format_]} AS "QUERY PLAN"'


def _node(lines: Sequence[str]) -> Node:
    """The first line names the node. Others are properties, and lines below them are further sentences of theirs."""
    found: dict[str, list[str]] = {_NODE_TYPE: [lines[0]]}
    name = _NODE_TYPE
    for line in lines[1:]:
        text = line.strip()
        if line.startswith("    "):
            found[name].append(text)
            continue
        name, colon, value = text.removesuffix(":").partition(": ")
        if not colon and not text.endswith(":"):
            name, value = _REMARKS, text
        found.setdefault(name, []).extend([value] if value else [])
    node: Node = {}
    for key, values in found.items():
        node[key] = values if len(values) > 1 else values[0]
    return node


def _json(plan: Node) -> str:
    return json.dumps([{"Plan": plan}], ensure_ascii=False, indent=2)


def _yaml(plan: Node) -> str:
    return "\n".join(["- Plan:", *_yaml_lines(plan, "    ")])


def _yaml_lines(node: Node, indent: str) -> Iterator[str]:
    for key, value in node.items():
        name = key if _PLAIN_KEY.fullmatch(key) else _quoted(key)
        if not isinstance(value, list):
            yield f"{indent}{name}: {_quoted(value)}"
            continue
        yield f"{indent}{name}:"
        for item in value:
            if isinstance(item, dict):
                first, *others = _yaml_lines(item, f"{indent}    ")
                yield f"{indent}  - {first.strip()}"
                yield from others
            else:
                yield f"{indent}  - {_quoted(item)}"


def _quoted(value: object) -> str:
    """A double-quoted scalar of YAML, which every string of JSON is."""
    return json.dumps(value, ensure_ascii=False)


def _xml(plan: Node) -> str:
    lines = ['<explain xmlns="http://www.postgresql.org/2009/explain">', "  <Query>", "    <Plan>"]
    return "\n".join([*lines, *_xml_lines(plan, "      "), "    </Plan>", "  </Query>", "</explain>"])


def _xml_lines(node: Node, indent: str) -> Iterator[str]:
    for key, value in node.items():
        tag = _tag(key)
        if not isinstance(value, list):
            yield f"{indent}<{tag}>{_content(value)}</{tag}>"
            continue
        yield f"{indent}<{tag}>"
        for item in value:
            if isinstance(item, dict):
                yield f"{indent}  <Plan>"
                yield from _xml_lines(item, f"{indent}    ")
                yield f"{indent}  </Plan>"
            else:
                yield f"{indent}  <Item>{_content(item)}</Item>"
        yield f"{indent}</{tag}>"


def _content(value: object) -> str:
    """A text as XML can hold it: most control characters have no form there."""
    return escape(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", str(value)))


def _tag(key: str) -> str:
    """As Postgres makes tags of names: whatever cannot stand in one is a hyphen. None begins with a digit."""
    tag = re.sub(r"[^A-Za-z0-9_.-]", "-", key)
    return tag if re.match(r"[A-Za-z_]", tag) else f"_{tag}"

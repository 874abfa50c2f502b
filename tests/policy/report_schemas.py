"""What the standards allow in the parts of their formats that reports use, in our own words; nothing else may be there.

SARIF 2.1.0 (OASIS, sections 3.13 to 3.52), GitLab's Code Quality, and JUnit's XML as both Ant's schema and the one of
Jenkins' xUnit plugin have it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element


def _object(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> dict[str, Any]:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _list(items: Mapping[str, Any], **limits: object) -> dict[str, Any]:
    return {"type": "array", "items": items, **limits}


_TEXT: Final = {"type": "string", "minLength": 1}
_FROM_ONE: Final = {"type": "integer", "minimum": 1}
_LEVEL: Final = {"enum": ["none", "note", "warning", "error"]}
_MESSAGE: Final = _object({"text": _TEXT})
_RULE: Final = _object(
    {"id": _TEXT}, {"shortDescription": _MESSAGE, "defaultConfiguration": _object({"level": _LEVEL})}
)
_REGION: Final = _object({"startLine": _FROM_ONE}, {"startColumn": _FROM_ONE})
_PLACE: Final = _object(
    {"artifactLocation": _object({"uri": {"type": "string", "format": "uri-reference"}}), "region": _REGION}
)
_RESULT: Final = _object(
    {"message": _MESSAGE},
    {
        "ruleId": _TEXT,
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": _LEVEL,
        "locations": _list(_object({"physicalLocation": _PLACE})),
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
)
_DRIVER: Final = _object({"name": _TEXT}, {"version": _TEXT, "rules": _list(_RULE, uniqueItems=True)})
_RUN: Final = _object(
    {"tool": _object({"driver": _DRIVER})},
    {"columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, "results": _list(_RESULT)},
)
SARIF: Final = _object(
    {"version": {"enum": ["2.1.0"]}, "runs": _list(_RUN)}, {"$schema": {"type": "string", "format": "uri"}}
)

GITLAB: Final = _list(
    _object(
        {
            "description": _TEXT,
            "check_name": _TEXT,
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32,}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": _object({"path": _TEXT, "lines": _object({"begin": _FROM_ONE})}),
        }
    )
)

GITHUB: Final = re.compile(r"::(error|warning|notice) file=[^:,\r\n]+,line=\d+,col=\d+,title=[^:,\r\n]+::[^\r\n]+")


@dataclass(frozen=True)
class _Part:
    """An element: its attributes with the form of each, and its children in order."""

    attributes: Mapping[str, str]
    children: str = ""


_ANY, _NUMBER, _FILLED = r"(?s).*", r"\d+", r"(?s).+"
_JUNIT: Final = {
    "testsuites": _Part({}, "(testsuite )*"),
    "testsuite": _Part(
        {
            **dict.fromkeys(("name", "package", "hostname"), _FILLED),
            **dict.fromkeys(("id", "tests", "failures", "errors"), _NUMBER),
            "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d",
            "time": r"\d{1,3}(\.\d*)?",
        },
        "properties (testcase )*system-out system-err ",
    ),
    "properties": _Part({}),
    "testcase": _Part({"name": _FILLED, "classname": _FILLED, "time": r"\d+(\.\d+)?"}, "(failure )?"),
    "failure": _Part({"type": _FILLED, "message": _ANY}),
    "system-out": _Part({}),
    "system-err": _Part({}),
}


def junit_faults(element: Element) -> list[str]:
    """What neither schema allows, and what one of them requires and is not there."""
    part = _JUNIT.get(element.tag)
    if part is None:
        return [f"unknown element {element.tag}"]
    faults = [f"{element.tag}.{name}" for name in part.attributes.keys() ^ element.keys()]
    faults += [
        f"{element.tag}.{name}={element.get(name)!r}"
        for name, form in part.attributes.items()
        if name in element.keys() and not re.fullmatch(form, element.get(name) or "")  # noqa: SIM118
    ]
    if not re.fullmatch(part.children, "".join(f"{child.tag} " for child in element)):
        faults.append(f"children of {element.tag}")
    return [*faults, *(fault for child in element for fault in junit_faults(child))]

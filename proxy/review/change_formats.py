"""Changes as people and programs read them: text, JSON, annotations and comments of a pull request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from proxy.policy.reports import workflow_command
from proxy.review.changes import Placed
from proxy.review.judging import Effect

_TITLES: Final[dict[Effect, str]] = {
    "weaker": "Weaker",
    "stronger": "Stronger",
    "other": "Neither weaker nor stronger",
}
_NONE: Final = "The policies promise the same, and ask the same."


def as_text(found: Sequence[Placed]) -> str:
    """For people: one line for each change."""
    lines = []
    for each in found:
        accepted = ", accepted" if each.allowed else ""
        place = f"{each.file}:{each.line}:{each.column}"
        lines.append(
            f"{place}: {each.change.effect}{accepted}: {each.place}: {each.change.message} [{each.change.rule}]"
        )
    return "\n".join([*lines, _summary(found)])


def _summary(found: Sequence[Placed]) -> str:
    if not found:
        return _NONE
    counts = {effect: sum(each.change.effect == effect for each in found) for effect in _TITLES}
    accepted = sum(each.allowed and each.change.effect == "weaker" for each in found)
    said = f"{counts['weaker']} weaker" + (f" ({accepted} accepted)" if accepted else "")
    return f"{said}, {counts['stronger']} stronger, {counts['other']} neither"


def as_json(found: Sequence[Placed]) -> str:
    """For programs."""
    changes = [
        {
            "rule": each.change.rule,
            "effect": each.change.effect,
            "accepted": each.allowed,
            "path": each.place,
            "message": each.change.message,
            "file": each.file,
            "line": each.line,
            "column": each.column,
        }
        for each in found
    ]
    return json.dumps({"dpproxy_diff": 1, "changes": changes}, indent=2, ensure_ascii=False)


def as_github(found: Sequence[Placed]) -> str:
    """Workflow commands: errors for what fails, warnings for what is accepted, notices for the rest."""
    lines = []
    for each in found:
        level = "error" if each.fails else "warning" if each.change.effect == "weaker" else "notice"
        words = f"{each.place}: {each.change.message}"
        lines.append(workflow_command(level, each.file, each.line, each.column, each.change.rule, words))
    return "\n".join([*lines, _summary(found)])


def as_markdown(found: Sequence[Placed]) -> str:
    """A comment for a pull request."""
    return "\n".join(["### What this change does to the guarantee", "", *_sections(found)])


def _sections(found: Sequence[Placed]) -> Iterator[str]:
    if not found:
        yield _NONE
    for effect, title in _TITLES.items():
        own = [each for each in found if each.change.effect == effect]
        if own:
            yield f"**{title}**\n"
        for each in own:
            accepted = " (accepted)" if each.allowed else ""
            yield f"- `{_code(each.place)}` {_escaped(each.change.message)} ({each.change.rule}){accepted}"
        if own:
            yield ""
    if found:
        yield _summary(found)


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _escaped(text: str) -> str:
    """What a policy says is shown, never rendered: no link, image or HTML of its own."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|!&@" else letter for letter in " ".join(text.split()))


CHANGE_FORMATS: Final[Mapping[str, Callable[[Sequence[Placed]], str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "markdown": as_markdown,
}

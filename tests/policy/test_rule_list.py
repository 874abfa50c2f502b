"""Every rule has an id, a severity and an example that breaks it; every finding has the id of a rule."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import proxy.policy
from proxy.commands.check import findings_of_file
from proxy.policy.load import examine_text
from proxy.policy.rule_list import RULE_LIST, rule_lines
from tests.policy.policies import VALID

STATED = "timing: null\n"
WHOLE_FILES = ("DP001", "DP002", "DP101", "DP102", "DP103", "DP104", "DP105", "DP223", "DP310")
"""Rules whose examples are judged as they stand: remarks, and what is no data yet."""


def test_the_code_uses_each_rule_with_its_severity() -> None:
    folder = Path(proxy.policy.__file__).parent
    others = (
        "meaning.py",
        "settings.py",
        "rehearsal/query_tests.py",
        "rehearsal/unanswered_views.py",
        "starter/limits.py",
    )
    files = [*folder.glob("*.py"), *(folder.parent / name for name in others)]
    code = {path.name: path.read_text(encoding="utf-8") for path in files if path.name != "rule_list.py"}
    found = {
        (rule, call.removeprefix("key_"))
        for text in code.values()
        for call, rule in re.findall(r"\.(error|warning|key_error)\(\s*\"(DP\d+)\"", text)
    }
    assert found <= {(rule.id, rule.severity) for rule in RULE_LIST.values()}
    assert set(re.findall(r"\"(DP\d+)\"", "".join(code.values()))) == RULE_LIST.keys()


def merged(data: Any, part: Any) -> Any:
    """Mappings are merged; everything else is replaced."""
    if not isinstance(data, dict) or not isinstance(part, dict):
        return part
    return {**data, **{key: merged(data.get(key), value) for key, value in part.items()}}


def rules_of(text: str) -> set[str]:
    return {finding.rule for finding in findings_of_file("", examine_text(text, "", {}), None)}


def with_example(example: str) -> str:
    """The valid policy with an example in it. Texts stay texts: what looks like a number stays as it is written."""
    yaml = YAML(typ="rt", pure=True)
    whole = merged(plain(yaml.load(VALID + STATED)), plain(yaml.load(example)))
    stream = io.StringIO()
    yaml.dump(whole, stream)
    return stream.getvalue()


def plain(data: Any) -> Any:
    return {str(key): plain(value) for key, value in data.items()} if isinstance(data, dict) else data


def test_the_valid_policy_breaks_no_rule() -> None:
    assert rules_of(with_example("{}")) == set()


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULE_LIST.values() if rule.example and rule.id not in WHOLE_FILES and rule.id < "DP7"],
    ids=lambda rule: rule.id,
)
def test_an_example_breaks_its_rule(rule: Any) -> None:
    assert rule.id in rules_of(with_example(rule.example))


@pytest.mark.parametrize("rule", [RULE_LIST[name] for name in WHOLE_FILES if name != "DP310"], ids=lambda rule: rule.id)
def test_an_example_that_is_a_text_breaks_its_rule(rule: Any) -> None:
    assert rule.id in rules_of(rule.example)


def test_saying_nothing_of_times_is_a_finding() -> None:
    assert rules_of(VALID) == {"DP310"}


def test_rules_are_listed_with_their_examples() -> None:
    lines = rule_lines()
    assert len(lines) == 2 * len(RULE_LIST)
    assert lines[0].startswith("DP001 warning: ")
    assert all(line.startswith("    ") for line in lines[1::2])
    without = [rule.id for rule in RULE_LIST.values() if not rule.example]
    assert all(name[2] in "56" or name in ("DP322", "DP323") for name in without), "only a database breaks them"

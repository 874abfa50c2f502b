"""What the README lists is what the code has: settings, policy keys, options, exit codes, packages, files."""

from __future__ import annotations

import argparse
import re
import types
import typing

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from proxy.commands import ExitCode, serve
from proxy.policy.model import Budget, Policy
from proxy.settings import SETTINGS
from tests.benchmarks.__main__ import PROGRAMS
from tests.docs.markdown import CHECKOUT, README, blocks, table
from tests.docs.running import run_command


def test_every_block_is_of_a_language_that_these_tests_know() -> None:
    assert {block.language for block in blocks()} == {"psql", "sh", "sql", "yaml", "console", "text"}


def test_ci_runs_every_shell_command_of_the_readme() -> None:
    commands = {block.marker: block.text for block in blocks("sh")}
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\(readme_command (\w+)\)", script)) == commands.keys()
    assert all(text.count("\n") == 1 for text in commands.values())


def test_settings_are_those_of_the_proxy() -> None:
    expected = [(name, setting.default, setting.meaning) for name, setting in SETTINGS.items()]
    assert table("setting", "default", "meaning") == expected


def test_policy_reference_has_every_key_with_its_default() -> None:
    documented = {key: default for key, default, _ in table("key", "default", "meaning")}
    assert documented == dict(policy_keys(Policy, "")) | dict(policy_keys(Budget, "BUDGET."))


def policy_keys(model: type[BaseModel], prefix: str) -> typing.Iterator[tuple[str, str]]:
    """Every key below `model` with its default. Names are NAME; budgets are described once."""
    for name, field in model.model_fields.items():
        annotation = without_none(field.annotation)
        if typing.get_origin(annotation) is dict:
            yield from policy_keys(without_none(typing.get_args(annotation)[1]), f"{prefix}{name}.NAME.")
        elif isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation is not Budget:
            yield from policy_keys(annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, default_text(field)


def without_none(annotation: typing.Any) -> typing.Any:
    if isinstance(annotation, types.UnionType):
        rest = [member for member in annotation.__args__ if member is not type(None)]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


def default_text(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return "–" if field.default is None else str(field.default).lower()


def test_options_of_serve_are_those_of_the_command() -> None:
    parser = serve.add_parser(argparse.ArgumentParser().add_subparsers())
    options = re.findall(r"^  (--[a-z]+ [A-Z:]+)", parser.format_help(), re.MULTILINE)
    documented = {option: default for option, default, _ in table("option of `dpproxy serve`", "default", "meaning")}
    assert list(documented) == options
    assert documented["--listen HOST:PORT"] == serve.DEFAULT_LISTEN
    assert documented["--state DIR"] == str(serve.DEFAULT_STATE)


def test_exit_codes_are_those_of_the_command_line() -> None:
    assert [row[0] for row in table("exit code", "meaning")] == [str(int(code)) for code in ExitCode]


def test_every_package_is_described() -> None:
    described = {name for names, _ in table("package", "what it is") for name in names.split(", ")}
    parts = [path for path in (CHECKOUT / "proxy").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert described == {f"proxy.{path.stem}" for path in parts if path.stem != "__init__"}


def test_benchmarks_exist() -> None:
    sentence = README.partition("python -m tests.benchmarks NAME` measures")[2].partition(".")[0]
    assert re.findall(r"`(\w+)`", sentence) == list(PROGRAMS)


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_to_files(target: str) -> None:
    assert (CHECKOUT / target).is_file()


def test_example_policy_is_free_of_findings() -> None:
    printed = run_command("dpproxy check policies/example.yaml", CHECKOUT)
    assert printed == "policies/example.yaml: ok, 4 tables (3 private), 1 analyst\n"


def test_the_threat_model_names_files_that_exist() -> None:
    text = (CHECKOUT / "proxy/THREATS.md").read_text()
    named = re.findall(r"`([a-z_/]+(?:\.py|/))`", text)
    assert len(named) > 25
    assert [name for name in named if not (CHECKOUT / "proxy" / name).exists() and not (CHECKOUT / name).exists()] == []

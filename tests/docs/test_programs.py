"""Commands that would take long: CI runs the README's, the options of all others are read, and tests are collected."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys

import pytest

import tests.audit.__main__ as audit
from tests.benchmarks.__main__ import PROGRAMS
from tests.benchmarks.program import add_programs
from tests.docs.markdown import CHECKOUT, PAGES, README, TESTS

pytestmark = pytest.mark.postgres

E2E = CHECKOUT / "tests" / "end_to_end"
COMMANDS = [
    line
    for page in PAGES.values()
    for block in page.blocks("sh")
    if block.marker == "programs"
    for line in block.text.splitlines()
]


def test_ci_runs_every_shell_command_of_the_readme() -> None:
    commands = {block.marker: block.text for block in README.blocks("sh")}
    assert commands.keys() == {"demo", "tests"}
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\(readme_command (\w+)\)", script)) == commands.keys()
    assert all(text.count("\n") == 1 for text in commands.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_understood(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command, comments=True)
    variables = [words.pop(0) for _ in list(words) if "=" in words[0]]
    match words:
        case ["pytest", *arguments]:
            collect(arguments, dict(variable.split("=") for variable in variables))
        case ["python", "-m", "tests.audit", *arguments]:
            audit._options(arguments)
        case ["python", "-m", "tests.mutation", subcommand, *arguments]:
            # Of the extra `mutation`, which need not be installed: its text is read, not the program.
            code = (CHECKOUT / "tests/mutation/__main__.py").read_text(encoding="utf-8")
            options = {f'"{word}"' for word in arguments if word.startswith("--")}
            assert all(word in code for word in {f'"{subcommand}"', *options})
            assert all((CHECKOUT / word).exists() for word in arguments if "/" in word)
        case ["python", "-m", "tests.benchmarks", *arguments]:
            parser = argparse.ArgumentParser()
            add_programs(parser, PROGRAMS, required=True)
            parser.parse_args(arguments)
        case ["pip", "install", "-e", extra]:
            assert f"\n{extra[2:-1]} = [" in (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
        case _:
            raise AssertionError(f"nobody runs {command}")
    assert capsys.readouterr().err == ""


def test_commands_that_build_a_cluster_end_with_its_tests() -> None:
    """They take a package manager and minutes, so that here they are only read."""
    block = TESTS.block("sh", "citus")
    assert subprocess.run(["bash", "-n"], input=block, text=True, check=False).returncode == 0
    variable, command, *files = shlex.split(block.splitlines()[-1])
    assert command == "pytest"
    assert files == ["tests/end_to_end/test_citus*.py"]
    assert list(E2E.glob("test_citus*.py"))
    name, _, directory = variable.partition("=")
    assert name == "DPPROXY_TEST_CITUS"
    root, _, programs = directory.partition("/usr/")
    assert f"DESTDIR={root}\n" in block
    assert f"cp -a /usr/{programs.removesuffix('/bin')} {root}/usr/lib/postgresql/" in block


def collect(arguments: list[str], variables: dict[str, str]) -> None:
    """The files are there; pytest understands its options, and finds what they select."""
    code = "\n".join(
        (CHECKOUT / file).read_text(encoding="utf-8") for file in ("tests/conftest.py", "tests/corpus/test_corpus.py")
    )
    assert all(name in code for name in variables)
    names = [name for name in arguments if name.startswith("tests/")]
    for name in names:
        assert list((CHECKOUT / name).glob("test_*.py")) or (CHECKOUT / name).is_file(), name
    if names == arguments:
        return
    # Without a name there would be all tests; a file without any tells as much of the options.
    chosen = arguments if names else [*arguments, "tests/docs/markdown.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *chosen],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == (pytest.ExitCode.OK if names else pytest.ExitCode.NO_TESTS_COLLECTED), done.stdout


def test_every_folder_of_tests_is_described() -> None:
    folders = {f"tests/{path.parent.name}" for path in (CHECKOUT / "tests").glob("*/__init__.py")}
    assert {folder for folder, *_ in TESTS.table("folder", "what it proves", "time")} == folders


def test_fixtures_are_those_of_the_tests() -> None:
    code = (CHECKOUT / "tests/end_to_end/conftest.py").read_text(encoding="utf-8")
    defined = re.findall(r"^@pytest\.fixture.*\ndef (\w+)", code, re.MULTILINE)
    assert {name for name, _ in TESTS.table("fixture", "what it is")} <= set(defined)


def test_benchmarks_are_described() -> None:
    assert [name for name, *_ in TESTS.table("`python -m tests.benchmarks …`", "measures", "time")] == list(PROGRAMS)


def test_variables_are_those_that_the_tests_read() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (CHECKOUT / "tests").rglob("*.py")
        if path.parent.name not in ("docs", "mutation")
    )
    read = set(re.findall(r'environ(?:\.get\(|\[)"(DPPROXY_\w+)"', code))
    assert {name for name, _ in TESTS.table("variable", "meaning")} == read

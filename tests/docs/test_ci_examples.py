"""The examples for CI in policies/README.md: they fit their platforms' schemas, and their commands do what they should."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from ruamel.yaml import YAML

from proxy.policy.catalog import Catalog, Column, Table
from proxy.policy.catalog_file import catalog_text
from tests.docs.markdown import CHECKOUT, POLICIES
from tests.docs.running import SCRIPTS

pytestmark = pytest.mark.postgres

CATALOG = Catalog(
    tables={
        "public.regions": Table(
            "public.regions",
            {"name": Column("name", "text", 25, nullable=False)},
            ("name",),
            frozenset({frozenset({"name"})}),
            row_count=5,
        ),
        "public.visits": Table(
            "public.visits",
            {
                "patient_id": Column("patient_id", "integer", 23, nullable=False),
                "region": Column("region", "text", 25),
                "cost": Column("cost", "numeric", 1700, 655366, scale=2),
                "visited_at": Column("visited_at", "timestamp without time zone", 1114),
            },
        ),
    },
    database="clinic",
)


def loaded(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


WORKFLOW: Any = loaded(POLICIES.block("yaml", "workflow"))
PIPELINE: Any = loaded(POLICIES.block("yaml", "gitlab"))


def test_the_workflow_fits_the_schema_of_github() -> None:
    jsonschema.validate(json.loads(json.dumps(WORKFLOW)), get_builtin_schema("vendor.github-workflows"))


def test_the_pipeline_fits_the_schema_of_gitlab() -> None:
    jsonschema.validate(json.loads(json.dumps(PIPELINE)), get_builtin_schema("vendor.gitlab-ci"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A checkout of a change that raises a budget, and makes a query dearer than it expects."""
    policies = tmp_path / "checkout" / "policies"
    (policies / "queries").mkdir(parents=True)
    text = POLICIES.block("yaml", "policy")
    (policies / "clinic.yaml").write_text(text, encoding="utf-8")
    (policies / "catalog.json").write_text(catalog_text(CATALOG), encoding="utf-8")
    (policies / "queries" / "dashboard.sql").write_text(POLICIES.block("sql", "queries"), encoding="utf-8")
    git = "git -c user.name=x -c user.email=x@example.org -c init.defaultBranch=main"
    shell(f"git init -q -b main && git add -A && {git} commit -qm base && git remote add origin .", policies.parent)
    shell("git fetch -q origin && git checkout -q -b change", policies.parent)
    changed = text.replace("budget: {epsilon: 4,", "query: {epsilon: 0.5}\n    budget: {epsilon: 5,")
    (policies / "clinic.yaml").write_text(changed, encoding="utf-8")
    return policies.parent


def shell(command: str, directory: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run as both platforms do: bash, which stops at the first command that fails."""
    environment = {**os.environ, "PATH": f"{SCRIPTS}:{os.environ['PATH']}", **variables}
    return subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_workflow_says_what_is_wrong_with_a_change(repository: Path, tmp_path: Path) -> None:
    (job,) = WORKFLOW["jobs"].values()
    variables = {**job["env"], "GITHUB_BASE_REF": "main", "RUNNER_TEMP": str(tmp_path)}
    results = {
        command: shell(command, repository, **variables)
        for step in job["steps"]
        if (command := step.get("run", "")).startswith(("dpproxy", "git"))
    }
    check, show, comment, diff = results.values()
    assert check.returncode == 1, check.stderr
    assert "::error file=policies/queries/dashboard.sql,line=3,col=1,title=DP703::costs epsilon 0.5" in check.stdout
    assert (show.returncode, comment.returncode, diff.returncode) == (0, 0, 1), show.stderr + comment.stderr
    assert "::error file=policies/clinic.yaml,line=11,col=23,title=DP801::" in diff.stdout
    assert (
        "**Weaker**\n\n- `tables.public.visits.budget.epsilon` epsilon 4 → 5" in (tmp_path / "changes.md").read_text()
    )


def test_the_pipeline_says_what_is_wrong_with_a_change(repository: Path) -> None:
    (job,) = PIPELINE.values()
    variables = {**job["variables"], "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    commands = [command for command in job["script"] if command.startswith(("dpproxy", "git"))]
    codes = [shell(command, repository, **variables).returncode for command in commands]
    assert codes == [0, 1, 0, 0, 1]
    entries = json.loads((repository / "codequality.json").read_text())
    (entry,) = [entry for entry in entries if entry["severity"] == "critical"]
    assert (entry["check_name"], entry["location"]["lines"]) == ("DP703", {"begin": 3})
    assert "DP703" in (repository / "tests.xml").read_text()


def test_hooks_of_pre_commit_are_commands(repository: Path) -> None:
    hooks = loaded((CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in hooks} == {"dpproxy-check", "dpproxy-queries"}
    for hook in hooks:
        assert hook.keys() >= {"id", "name", "entry", "language", "files"}
        arguments = "policies/clinic.yaml"
        if not hook.get("pass_filenames", True):
            arguments += " --catalog policies/catalog.json --queries policies/queries"
        result = shell(f"{hook['entry']} {arguments}", repository)
        assert result.returncode == (1 if "--queries" in arguments else 0), result.stdout + result.stderr


def test_completion_knows_commands_and_options(tmp_path: Path) -> None:
    script = "source <(dpproxy --print-completion bash); COMP_WORDS=(dpproxy {}); COMP_CWORD={}; _shtab_dpproxy dpproxy {} {}; echo ${{COMPREPLY[@]}}"
    commands = shell(script.format("exp", 1, "exp", "dpproxy"), tmp_path)
    assert commands.stdout.split() == ["explain", "export-local"], commands.stderr
    options = shell(script.format("check --cat", 2, "--cat", "check"), tmp_path)
    assert options.stdout.split() == ["--catalog"]

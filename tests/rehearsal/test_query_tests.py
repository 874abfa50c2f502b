"""`dpproxy check --queries`: what is not as a file expects it, in every format, and what `--record` writes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.policy.rule_list import RULE_LIST
from proxy.rehearsal.opened import opened
from proxy.rehearsal.query_tests import check_script, recorded
from proxy.rehearsal.rehearsing import Outcome, rehearse
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.stages import built_stage
from tests.end_to_end import clinic
from tests.policy.test_cli import dpproxy
from tests.rehearsal.test_commands import directory

pytestmark = pytest.mark.postgres
__all__ = ["directory"]

Plan = Callable[[str], list[Outcome]]
Check = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def plan(catalog_file: Path) -> Iterator[Plan]:
    """What becomes of the statements of a script."""
    policy = clinic.policy(visits={"per_analyst": None})
    with (
        starting_server() as server,
        asyncio.Runner() as runner,
    ):
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        yield lambda script: runner.run(rehearse(place, "ana", [script]))[0]
        runner.run(place.stage.close())


@pytest.fixture
def check(plan: Plan) -> Check:
    """The findings of a script: rule, line and column."""

    def findings(script: str) -> list[str]:
        outcomes = plan(script)
        found = check_script("q.sql", script, outcomes)
        assert all(finding.severity == RULE_LIST[finding.rule].severity for finding in found)
        return [f"{finding.rule} {finding.line}:{finding.column} {finding.message}" for finding in found]

    return findings


@pytest.mark.parametrize("rule", [rule for rule in RULE_LIST.values() if rule.id > "DP7"], ids=lambda rule: rule.id)
def test_an_example_breaks_its_rule(check: Check, rule: object) -> None:
    found = check(RULE_LIST[rule.id].example)  # type: ignore[attr-defined]
    assert [text.split()[0] for text in found] == [rule.id]  # type: ignore[attr-defined]


def test_what_is_as_expected_has_no_finding(check: Check) -> None:
    script = """
        SET dp.max_rows = 4; SET dp.max_rows_per_group = 2;
        -- expect: answered
        -- max_epsilon: 0.5
        -- max_error: ±100
        -- max_error: count(*) ±100
        -- accounts: table:public.visits
        SELECT count(*) FROM visits;
        SELECT count(*) FROM visits WHERE urgent;
        -- expect: answered
        SELECT name FROM regions;
        -- expect: refused
        SELECT * FROM visits;
        -- expect: refused 42703
        SELECT absent FROM visits;
    """
    assert check(script) == []


@pytest.mark.parametrize(
    ("script", "finding"),
    [
        ("SELECT 1;\nSELECT cost FROM visits", "DP701 2:8 refused: "),
        ("SELECT 1;\n  SELECT absent\nFROM visits", "DP701 2:10 refused: column"),
        ("SELECT 1;\n-- expect: refused bounds\nSELECT cost FROM visits", "DP702 2:1 refused by rows, not by bounds"),
        ("-- expect: public\nSELECT count(*) FROM visits", "DP702 1:1 is answered, for a price"),
        ("-- expect: refused\nSELECT name FROM regions", "DP702 1:1 is answered, and reads nothing private"),
        ("-- max_epsilon: 0.49\nSELECT count(*) FROM visits", "DP703 1:1 costs epsilon 0.5, more than 0.49"),
        ("-- max_error: sum(x) 5\nSELECT count(*) FROM visits", "DP704 1:1 no number is called 'sum(x)'"),
        ("-- max_error: 5\nSELECT avg(minutes) FROM visits", "DP704 1:1 how wrong avg(minutes) may be is not known"),
        ("-- max_error: 5\nSELECT 1", "DP704 1:1 no number gets noise"),
        (
            "-- accounts: table:public.patients\nSELECT count(*) FROM visits",
            "DP705 1:1 accounts that pay: table:public.visits",
        ),
        ("", "DP706 1:1 no statement"),
        ("SELECT 1;\n-- expect: public\n", "DP706 2:1 an expectation without a statement"),
        ("SELECT 1; -- expect: public\nSELECT 2", "DP706 1:10 an expectation behind a statement"),
    ],
)
def test_each_difference_is_found_at_its_place(check: Check, script: str, finding: str) -> None:
    found = check(script)
    assert len(found) == 1, found
    assert found[0].startswith(finding)


def test_what_is_recorded_is_as_expected_and_not_looser(plan: Plan, check: Check) -> None:
    script = """SET dp.max_rows = 4;
SELECT region, count(*), sum(minutes) FROM visits GROUP BY region;
SELECT * FROM visits;"""
    text = recorded(script, plan(script))
    assert check(text) == []
    limits = re.findall(r"-- (max_\w+): (?:(.*) ±)?([0-9.]+)", text)
    assert [(key, label) for key, label, _ in limits] == [
        ("max_epsilon", ""),
        ("max_error", "count(*)"),
        ("max_error", "sum(minutes)"),
    ]
    for _, _, limit in limits:
        tighter = text.replace(limit, f"{float(limit) * 0.98:.5g}", 1)
        assert len(check(tighter)) == 1, limit
    assert [found[:5] for found in check(text.replace("refused rows", "answered"))] == ["DP701"]


def test_the_command_reports_queries_beside_the_policy(directory: Path) -> None:
    (directory / "queries").mkdir()
    (directory / "queries" / "good.sql").write_text("-- expect: answered\nSELECT count(*) FROM visits;\n")
    (directory / "queries" / "bad.sql").write_text("SELECT * FROM visits;\n")
    command = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries", "queries")
    result = dpproxy(*command, "--format", "json", directory=directory)
    found = [entry for entry in json.loads(result.stdout) if entry["severity"] == "error"]
    assert (result.returncode, result.stderr) == (1, "")
    assert [(entry["file"], entry["line"], entry["rule"]) for entry in found] == [("queries/bad.sql", 1, "DP701")]
    assert (
        "::error file=queries/bad.sql,line=1,col=8,title=DP701::"
        in dpproxy(*command, "--format", "github", directory=directory).stdout
    )
    assert dpproxy(*command, "--record", directory=directory).returncode == 0
    assert (directory / "queries" / "bad.sql").read_text() == "-- expect: refused rows\nSELECT * FROM visits;\n"
    assert dpproxy(*command, directory=directory).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--record",), 2, "--record is for the files of --queries"),
        (("--queries", "q.sql"), 2, "no catalog: give --catalog or --source"),
        (("more.yaml", "--queries", "q.sql", "--catalog", "catalog.json"), 2, "--queries is about one policy"),
    ],
)
def test_what_keeps_queries_from_being_planned(
    directory: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (directory / "more.yaml").write_text((directory / "policy.yaml").read_text())
    result = dpproxy("check", "policy.yaml", *arguments, directory=directory)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(f"dpproxy check: {message}")


def test_a_file_that_cannot_be_read_is_a_finding(directory: Path) -> None:
    result = dpproxy(
        "check", "policy.yaml", "--queries", "absent.sql", "--catalog", "catalog.json", directory=directory
    )
    assert result.returncode == 1
    assert "absent.sql:1:1: error: cannot be read: No such file or directory [DP706]" in result.stdout

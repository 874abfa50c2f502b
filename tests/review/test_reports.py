"""`dpproxy report`: what a policy promises is what its accounts can spend, with what a ledger says was spent."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest

from proxy.budget.order import AccountCharge
from proxy.policy.load import examine_text
from proxy.policy.model import Budget
from proxy.query.limits import account_charge
from proxy.review.reports import policy_report
from proxy.sql.planning.accounts import AccountPrice
from tests.budget.support import charge, open_ledger, promise, pure
from tests.conftest import PostgresCluster
from tests.policy.policies import VERIFIER
from tests.policy.test_cli import dpproxy
from tests.review.test_changes import OLD

pytestmark = pytest.mark.postgres


def report(text: str) -> dict[str, Any]:
    examination = examine_text(text, "policy.yaml", {})
    assert examination.policy is not None
    return policy_report(examination.policy, text.encode(), [], examination.remarks, None)


def test_accounts_have_their_budgets_and_what_these_mean() -> None:
    accounts = {account["name"]: account for account in report(OLD)["accounts"]}
    assert list(accounts) == ["table:public.visits", "analyst:ana:public.visits", "unit:patient"]
    table = accounts["table:public.visits"]
    assert (table["epsilon"], table["delta"]) == (3, 1e-6)
    assert table["advantage"] == pytest.approx((math.e**3 - 1) / (math.e**3 + 1), abs=1e-4)
    odds = 0.01 / 0.99 * math.e**3
    assert table["suspicion_of_1_percent_grows_to"] == pytest.approx(odds / (1 + odds), abs=1e-4)
    assert accounts["unit:patient"]["default_queries"] is None
    assert "spent" not in table


@pytest.mark.parametrize(
    ("cap", "together"),
    [
        ("{budget: {epsilon: 2, delta: 2e-6}}", (2, 2e-6)),
        ("{budget: {epsilon: 9, delta: 2e-6}}", (3, 1e-6)),
        ("{}", (3, 1e-6)),
    ],
)
def test_a_unit_is_bound_by_its_cap_or_by_all_its_tables(cap: str, together: tuple[float, float]) -> None:
    unit = report(OLD.replace("{budget: {epsilon: 6, delta: 1e-6}}", cap))["units"]["patient"]
    assert tuple(unit["all_tables_together"].values()) == together


@pytest.mark.parametrize(
    ("addition", "together"),
    [
        ("per: month, of: day", (36, 12e-6)),
        ("per: month, of: day, total: {epsilon: 7, delta: 2e-6}", (7, 2e-6)),
        ("renew: {every: year}", None),
        ("per: month, of: day, renew: {every: year}", None),
        ("per: month, of: day, total: {epsilon: 7, delta: 2e-6, renew: {every: year}}", None),
    ],
)
@pytest.mark.parametrize("cap", [None, "{epsilon: 5, delta: 3e-6}", "{epsilon: 5, delta: 3e-6, renew: {every: year}}"])
def test_what_is_told_of_a_unit_ever_counts_all_windows(
    addition: str, together: tuple[float, float] | None, cap: str | None
) -> None:
    text = OLD.replace("{epsilon: 3, delta: 1e-6}", f"{{epsilon: 3, delta: 1e-6, {addition}}}", 1)
    text = text.replace("patient_id: {}\n", "patient_id: {}\n      day: {bounds: [2024-01-01, 2024-12-31]}\n", 1)
    text = text.replace("timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}", "timing: null")
    text = text.replace("{budget: {epsilon: 6, delta: 1e-6}}", "{}" if cap is None else f"{{budget: {cap}}}")
    found = report(text)["units"]["patient"]["all_tables_together"]
    if cap is not None and "renew" not in cap:
        assert tuple(found.values()) == (5, 3e-6)
    else:
        assert (None if found is None else tuple(found.values())) == (together and pytest.approx(together))


def test_logins_and_groups_are_told_without_a_ledger(tmp_path: Path) -> None:
    text = OLD.replace("networks: [", "valid_until: 2999-12-31, may: [], networks: [")
    text = text.replace("units:\n", f'stewards: {{sam: {{password: "{VERIFIER}", certificate: Sam}}}}\nunits:\n', 1)
    text = text.replace("units:\n", "groups: {bi: {members: [ana], budget: {epsilon: 2, delta: 1e-6}}}\nunits:\n", 1)
    found = report(text)
    assert found["logins"]["ana"] == {
        "role": "analyst",
        "by": ["password"],
        "networks": ["10.0.0.0/8"],
        "may_ask": [],
        "valid_until": "2999-12-31",
        "group": "bi",
    }
    assert (found["logins"]["sam"]["role"], found["logins"]["sam"]["by"]) == ("steward", ["password", "certificate"])
    assert found["logins"]["sam"]["may_ask"] == []
    assert found["groups"] == {
        "bi": {"members": ["ana"], "budget": {"epsilon": 2, "delta": 1e-6}, "may_ask": None},
    }
    assert "group:bi" in [account["name"] for account in found["accounts"]]
    (tmp_path / "policy.yaml").write_text(text)
    printed = dpproxy("report", "policy.yaml", directory=tmp_path).stdout
    assert (
        "- analyst **ana**, by password, from 10.0.0.0/8: may ask about no private table, until 2999-12-31" in printed
    )
    assert "- steward **sam**, by password and certificate: sees every account and charge" in printed
    assert "- group **bi**: ana, who may see (ε, δ) = (2, 1e-06) together" in printed
    assert VERIFIER not in printed


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}", "timing: null", "how long an answer takes"),
        ("failures: 3", "failures: 7", "up to 7 failed source queries"),
        (
            "column: patient_id}",
            "column: patient_id, when_null: each_row}",
            "each of them is protected by itself, in public.visits",
        ),
        ("units:\n", "units:\n  doctor: {}\n", "units of different names together"),
        ("  public.regions", "  public.zones: {public: true}\n  public.regions", "public.zones, public.regions"),
    ],
)
def test_what_is_not_covered_follows_from_the_policy(before: str, after: str, said: str) -> None:
    assert OLD.count(before) == 1
    assert said in "\n".join(report(OLD.replace(before, after))["not_covered"])
    assert said not in "\n".join(report(OLD)["not_covered"])


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "policy.yaml").write_text(OLD)
    return tmp_path


def test_the_ledger_says_what_was_spent_and_whether_it_adds_up(
    directory: Path, postgres_cluster: PostgresCluster
) -> None:
    dsn = postgres_cluster.create_database("ledger")

    async def spend() -> None:
        async with open_ledger(dsn) as ledger:
            await charge(ledger, [AccountCharge("table:public.visits", promise("3", "1e-6"), pure("0.75"))])

    asyncio.run(spend())
    result = dpproxy("report", "policy.yaml", "--format", "json", "--ledger", dsn, directory=directory)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["policy_sha256"] == hashlib.sha256(OLD.encode()).hexdigest()
    spent = {account["name"]: account["spent"] for account in found["accounts"]}
    assert (spent["table:public.visits"]["epsilon"], spent["unit:patient"]["epsilon"]) == (0.75, 0)
    assert spent["table:public.visits"]["percent_left"] == 75
    assert found["ledger"] == "The totals of the accounts are the sums of their charges."
    text = dpproxy("report", "policy.yaml", "--ledger", dsn, directory=directory).stdout
    assert "| table:public.visits | 3 | 1e-06 | 90.51 % | 16.87 % |" in text
    assert "| ε 0.75, ρ " in text


SUM, CAP = {"epsilon": 3, "delta": 1e-6}, {"epsilon": 2, "delta": 2e-6}
LOW = OLD.replace("{budget: {epsilon: 6, delta: 1e-6}}", "{budget: {epsilon: 2, delta: 2e-6}}")
TABLE, SHARE, UNIT = "table:public.visits", "analyst:ana:public.visits", "unit:patient"
WITHOUT_CAP = (TABLE, SHARE)
CLAIMS: dict[str, tuple[str, tuple[str, ...], Any, Any, str]] = {
    "all of it": (LOW, (TABLE, SHARE, UNIT), CAP, None, "in all at most (ε, δ) = (2, 2e-06)\n"),
    "not by the cap": (
        LOW,
        WITHOUT_CAP,
        SUM,
        None,
        "in all at most (ε, δ) = (3, 1e-06), though not by unit:patient (see below)\n",
    ),
    "not by the cap alone": (
        LOW.replace("{epsilon: 3, delta: 1e-6}", "{epsilon: 3, delta: 1e-6, renew: {every: year}, new_accounts: true}"),
        WITHOUT_CAP,
        None,
        CAP,
        "in all (ε, δ) = (2, 2e-06) and what was charged that unit:patient does not count (see below)\n",
    ),
    "not by windows": (
        OLD.replace("{budget: {epsilon: 6, delta: 1e-6}}", "{}")
        .replace("{epsilon: 3, delta: 1e-6}", "{epsilon: 3, delta: 1e-6, per: year, of: day, new_accounts: true}", 1)
        .replace("patient_id: {}\n", "patient_id: {}\n      day: {bounds: [2024-01-01, 2024-12-31]}\n", 1)
        .replace("timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}", "timing: null"),
        (TABLE, f"{SHARE}.day@2024"),
        None,
        SUM,
        "in all (ε, δ) = (3, 1e-06) and what was charged that table:public.visits.day does not count (see below)\n",
    ),
}


@pytest.mark.parametrize(("text", "accounts", "held", "counted", "said"), CLAIMS.values(), ids=CLAIMS.keys())
def test_nothing_is_claimed_by_an_account_that_does_not_count_all_of_it(
    directory: Path,
    postgres_cluster: PostgresCluster,
    text: str,
    accounts: tuple[str, ...],
    held: Any,
    counted: Any,
    said: str,
) -> None:
    dsn = postgres_cluster.create_database("ledger")
    (directory / "policy.yaml").write_text(text)

    async def spend() -> None:
        async with open_ledger(dsn) as ledger:
            await charge(ledger, [AccountCharge(name, promise("3", "1e-6"), pure("0.75")) for name in accounts])
            await charge(ledger, [AccountCharge("table:public.left", promise("3", "1e-6"), pure("0.75"))])

    asyncio.run(spend())
    result = dpproxy("report", "policy.yaml", "--format", "json", "--ledger", dsn, directory=directory)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    unit, printed = found["units"]["patient"], dpproxy("report", "policy.yaml", "--ledger", dsn, directory=directory)
    assert (unit["all_tables_together"], unit["of_what_is_counted"]) == (held, counted)
    assert said in printed.stdout
    lacking = {account["name"]: account["uncounted"] for account in found["accounts"] if account["uncounted"]}
    assert set(unit["uncounted"]) <= lacking.keys()
    assert ("but for accounts that do not count all of it" in printed.stdout) == bool(lacking)
    for each in lacking.values():
        assert (each["charges"], each["counts_since"], each["epsilon"]) == (1, None, 0.75)
        assert f"\n- {each['said']}\n" in printed.stdout
    assert found["unlisted_accounts"] == ["table:public.left"]
    assert "not listed any more, of which something was spent: table:public.left." in printed.stdout


def test_without_a_ledger_it_is_not_known_what_accounts_count(directory: Path) -> None:
    printed = dpproxy("report", "policy.yaml", directory=directory).stdout
    assert "only the ledger knows: name it by --state or --ledger." in printed


def test_every_account_is_told_also_of_windows_groups_and_rates(
    directory: Path, postgres_cluster: PostgresCluster
) -> None:
    dsn = postgres_cluster.create_database("ledger")
    budget = "{epsilon: 3, delta: 1e-6, renew: {every: week}, at_most: {epsilon: 1, per: day}}"
    text = OLD.replace("{epsilon: 3, delta: 1e-6}", budget, 1)
    text = text.replace("units:\n", "groups: {bi: {members: [ana], budget: {epsilon: 2, delta: 1e-6}}}\nunits:\n", 1)
    (directory / "policy.yaml").write_text(text)
    table = AccountPrice(
        "table:public.visits", Budget.model_validate({"epsilon": 3, "delta": "1e-6", "renew": {"every": "week"}})
    )

    async def spend() -> None:
        async with open_ledger(dsn) as ledger:
            await charge(ledger, [account_charge(table, pure("0.75"))])

    asyncio.run(spend())
    result = dpproxy("report", "policy.yaml", "--format", "json", "--ledger", dsn, directory=directory)
    assert result.returncode == 0, result.stderr
    left = {account["name"]: account["spent"]["percent_left"] for account in json.loads(result.stdout)["accounts"]}
    assert left == {
        "table:public.visits": 75,
        "analyst:ana:public.visits": 100,
        "group:bi": 100,
        "unit:patient": 100,
        "table:public.visits per day": 100,
    }


def test_windows_of_time_are_told_by_the_one_with_the_least_left(
    directory: Path, postgres_cluster: PostgresCluster
) -> None:
    dsn = postgres_cluster.create_database("ledger")
    budget = "{epsilon: 3, delta: 1e-6, per: month, of: visited_at}"
    text = OLD.replace("{epsilon: 3, delta: 1e-6}", budget, 1)
    text = text.replace("timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}", "timing: null")
    text = text.replace("patient_id: {}\n", "patient_id: {}\n      visited_at: {bounds: [2024-01-01, 2024-12-31]}\n", 1)
    (directory / "policy.yaml").write_text(text)

    async def spend() -> None:
        async with open_ledger(dsn) as ledger:
            name = "table:public.visits.visited_at@2024-03"
            await charge(ledger, [AccountCharge(name, promise("3", "1e-6"), pure("0.75"))])

    asyncio.run(spend())
    result = dpproxy("report", "policy.yaml", "--format", "json", "--ledger", dsn, directory=directory)
    assert result.returncode == 0, result.stderr
    left = {account["name"]: account["spent"]["percent_left"] for account in json.loads(result.stdout)["accounts"]}
    assert left == {
        "table:public.visits.visited_at": 75,
        "analyst:ana:public.visits.visited_at": 100,
        "unit:patient": 100,
    }


def test_findings_and_what_is_accepted_are_told(directory: Path) -> None:
    text = OLD.replace("{epsilon: 3, delta: 1e-6}", "{epsilon: 30, delta: 1e-6}  # dpproxy: allow DP320 made-up data")
    (directory / "policy.yaml").write_text(text)
    printed = dpproxy("report", "policy.yaml", directory=directory).stdout
    assert "- accepted: allow DP320 made-up data" in printed
    assert "[DP301]" in printed
    assert "[DP320]" not in printed


@pytest.mark.parametrize(
    "arguments",
    [("absent.yaml",), ("policy.yaml", "--state", "absent"), ("policy.yaml", "--state", ".", "--ledger", "x")],
)
def test_what_keeps_a_report_from_being_written(directory: Path, arguments: tuple[str, ...]) -> None:
    result = dpproxy("report", *arguments, directory=directory)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr

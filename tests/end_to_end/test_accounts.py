"""Accounts through the wire: renewal, unlocking, rates, groups, `may`, `valid_until`, stewards and grants."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from ruamel.yaml import YAML

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.query import limits
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_budget import Notices, charged, spent
from tests.end_to_end.test_precisions import ask, rho

SetClock = Callable[[str], None]
COUNT = "SELECT count(*) FROM patients WHERE birth_year > {}"
LOGIN = {"password": clinic.VERIFIER}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Sets the clock by which budgets renew."""

    def set_clock(text: str) -> None:
        moment = dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)
        monkeypatch.setattr(limits, "now", lambda: moment)
        monkeypatch.setattr("proxy.query.private_router.now", lambda: moment)
        monkeypatch.setattr("proxy.query.virtual.now", lambda: moment)

    set_clock("2026-11-23T12:00")
    return set_clock


def policy(patients: dict[str, Any] | None = None, **changes: object) -> Policy:
    return clinic.policy(patients=patients or {}, **changes)


def test_a_budget_begins_anew_on_monday_morning_in_berlin(proxies: StartProxy, clock: SetClock) -> None:
    renew = {"every": "week", "at": "monday 06:00", "zone": "Europe/Berlin"}
    with proxies(policy({"budget": {"epsilon": "1", "renew": renew}})).connect() as client:
        ask(client, "1", COUNT.format(1900))
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            ask(client, "0.5", COUNT.format(1901))
        assert "The budget begins anew on 2026-11-30 05:00 UTC" in (refusal.value.diag.message_hint or "")
        row = client.execute(
            "SELECT percent_left, renews FROM dp.budget WHERE table_name = 'public.patients'"
        ).fetchone()
        assert row == (0, dt.datetime(2026, 11, 30, 5, tzinfo=dt.UTC))
        clock("2026-11-30T05:00")
        assert client.execute("SELECT epsilon_spent FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (0,)
        ask(client, "1", COUNT.format(1900))
        ask(client, "0.75", COUNT.format(1901))
        clock("2026-11-23T12:00")
        assert client.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (25,)
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
            ask(client, "0.5", COUNT.format(1902))
        ledger = client.execute("SELECT account FROM dp.ledger ORDER BY at").fetchall()
        assert ledger == [
            ("table:public.patients@2026-11-23T05:00Z",),
            ("table:public.patients@2026-11-30T05:00Z",),
        ]


def test_a_proxy_starts_again_on_what_was_spent_of_a_budget_that_renews(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]
) -> None:
    renewing = policy({"budget": {"epsilon": "1", "renew": {"every": "week"}}})
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_that_renews")}
    with proxies(renewing, **again).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
    with proxies(renewing, **again).connect() as client:
        assert client.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (50,)
    with pytest.raises(PolicyError, match=r"such as table:public\.patients@.*Z, would not count any more"):
        proxies(policy({"budget": {"epsilon": "1"}}), **again)


def test_a_budget_that_was_spent_from_does_not_become_one_that_renews(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]
) -> None:
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_of_one_budget")}
    with proxies(policy({"budget": {"epsilon": "1"}}), **again).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
    renewing = {"epsilon": "1", "renew": {"every": "week"}}
    with pytest.raises(PolicyError, match=r"such as table:public\.patients, would not count any more"):
        proxies(policy({"budget": renewing}), **again)
    with proxies(policy({"budget": renewing | {"new_accounts": True}}), **again).connect() as client:
        assert client.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (100,)


@pytest.mark.usefixtures("clock")
def test_proxies_with_two_versions_of_a_policy_spend_one_budget(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]
) -> None:
    """Both start, since nothing is spent yet."""
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_of_versions")}
    versions: tuple[dict[str, Any], ...] = ({"renew": {"every": "month"}}, {"renew": {"every": "day"}}, {})
    monthly, daily, once = (proxies(policy({"budget": {"epsilon": "1"} | each}), **again) for each in versions)
    with monthly.connect() as client, daily.connect() as other, once.connect() as third:
        ask(client, "1", COUNT.format(1900))
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            ask(other, "0.5", COUNT.format(1901))
        assert "The budget begins anew on 2026-12-01 00:00 UTC" in (refusal.value.diag.message_hint or "")
        assert other.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (0,)
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="has other windows than what was spent"):
            ask(third, "0.5", COUNT.format(1901))
        assert {name for (name,) in client.execute("SELECT account FROM dp.ledger")} == {
            "table:public.patients@2026-11-01T00:00Z"
        }


@pytest.mark.usefixtures("clock")
def test_what_a_group_has_spent_counts_after_an_edit_or_no_proxy_starts(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]
) -> None:
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_of_a_group")}

    def of_group(**budget: object) -> Policy:
        return policy(groups={"bi": {"members": ["ana"], "budget": {"epsilon": "1", **budget}}})

    with proxies(of_group(renew={"every": "week"}), **again).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
    with pytest.raises(PolicyError, match=r"groups\.bi\.budget: .* such as group:bi@.*Z, would not count any more"):
        proxies(of_group(), **again)
    with pytest.raises(PolicyError, match=r"spent of group:bi since 2026-11-23 00:00 UTC would not count until"):
        proxies(of_group(renew={"every": "day"}), **again)
    proxies(of_group(renew={"every": "day"}, new_accounts=True), **again)


def test_no_edit_ends_a_window_early_that_was_spent_from(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str], clock: SetClock
) -> None:
    """A week from Monday the 23rd: days begin as it does, and months later."""
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_of_a_week")}

    def renewing(**renew: str) -> Policy:
        return policy({"budget": {"epsilon": "1", "renew": renew}})

    with proxies(renewing(every="week"), **again).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
    for early in ({"every": "day"}, {"every": "week", "at": "tuesday 00:00"}, {"every": "week", "zone": "Asia/Tokyo"}):
        with pytest.raises(PolicyError, match=r"since 2026-11-23 00:00 UTC would not count until 2026-11-30 00:00 UTC"):
            proxies(renewing(**early), **again)
    with proxies(renewing(every="month"), **again).connect() as client:
        assert client.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (50,)
    clock("2026-11-30T00:00")
    with proxies(renewing(every="day"), **again).connect() as client:
        assert client.execute("SELECT percent_left FROM dp.budget WHERE account LIKE '%patients'").fetchone() == (100,)


def test_a_budget_is_unlocked_day_by_day(proxies: StartProxy, clock: SetClock) -> None:
    unlock = {"over": "4 days", "since": dt.date(2026, 11, 23)}
    with proxies(policy({"budget": {"epsilon": "2", "unlock": unlock}})).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            ask(client, "0.5", COUNT.format(1901))
        assert "More of it is unlocked each day" in (refusal.value.diag.message_hint or "")
        clock("2026-11-25T00:00")
        ask(client, "1", COUNT.format(1901))
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
            ask(client, "0.1", COUNT.format(1902))


def test_a_rate_stops_a_runaway_dashboard_until_tomorrow(proxies: StartProxy, clock: SetClock) -> None:
    budget = {"epsilon": "10", "at_most": {"epsilon": "1", "per": "day"}}
    with proxies(policy({"budget": budget})).connect() as client:
        ask(client, "0.75", COUNT.format(1900))
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match=r"table:public\.patients per day"):
            ask(client, "0.5", COUNT.format(1901))
        clock("2026-11-24T00:00")
        ask(client, "0.5", COUNT.format(1901))
        rows = client.execute("SELECT account, epsilon_spent FROM dp.budget WHERE account LIKE '%patients%'").fetchall()
        assert dict(rows) == {"table:public.patients": 1.25, "table:public.patients per day": 0.5}


def test_a_group_is_shown_the_same_answers_and_pays_once(proxies: StartProxy) -> None:
    plenty = {"epsilon": "100", "delta": "1e-6"}
    groups = {"bi": {"members": ["ana", "bob"], "budget": plenty}}
    proxy = proxies(policy({"budget": plenty}, groups=groups, analysts={**clinic.POLICY["analysts"], "eve": LOGIN}))  # type: ignore[dict-item]
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob, proxy.connect("eve") as eve:
        before, notices = spent(ana), Notices(bob)
        answer = ask(ana, "0.5", COUNT.format(1950))
        assert charged(before, spent(ana)) == {"table:public.patients": rho("0.5"), "group:bi": rho("0.5")}
        assert ask(bob, "0.5", COUNT.format(1950)) == answer
        assert ask(bob, "0.2", COUNT.format(1950)) == answer
        assert [text for text in notices.texts if text and "free of charge" not in text] == []
        assert charged(before, spent(ana)) == {"table:public.patients": rho("0.5"), "group:bi": rho("0.5")}
        assert "group:bi" not in spent(eve)
        quantile = "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY height) FROM patients"
        answer, after = ask(ana, "0.5", quantile), spent(ana)
        assert ask(bob, "0.5", quantile) == answer
        assert spent(ana) == after


def test_a_group_pays_for_what_its_new_member_has_seen_before(
    proxies: StartProxy, stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]
) -> None:
    """Each account's readers see no more together than it has paid for, also of questions that stand alone."""
    plenty, little = {"epsilon": "100"}, {"epsilon": "0.75"}
    again = {"source": copy_clinic(), "ledger": copy_database(stage_cluster.dsn(), "template1", "ledger_of_movers")}
    alone = [
        f"SELECT percentile_disc(0.{place}) WITHIN GROUP (ORDER BY height) FROM patients WHERE birth_year > 1950"
        for place in (3, 6)
    ]

    def grouped(**members: list[str]) -> Policy:
        budgets = {"old": plenty, "new": little}
        return policy(
            {"budget": plenty},
            groups={name: {"members": who, "budget": budgets[name]} for name, who in members.items()},
        )

    with proxies(grouped(old=["ana"], new=["bob"]), **again).connect("ana") as ana:
        seen = [ask(ana, "0.5", question) for question in alone]
        price = spent(ana)["group:old"] / 2
    with proxies(grouped(new=["ana", "bob"]), **again).connect("bob") as bob:
        assert ask(bob, "0.5", alone[0]) == seen[0]
        assert spent(bob)["group:new"] == price
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match="group:new"):
            ask(bob, "0.5", alone[1])
        assert ask(bob, "0.5", alone[0]) == seen[0]
        assert spent(bob)["group:new"] == price
    own = policy({"budget": plenty, "per_analyst": little})
    with proxies(own, **again).connect("ana") as ana:
        assert ask(ana, "0.5", alone[1]) == seen[1]
        assert ask(ana, "0.5", alone[1]) == seen[1]
        assert spent(ana)["analyst:ana:public.patients"] == price > 0


def test_what_an_analyst_may_not_ask_is_refused_in_every_form(proxies: StartProxy) -> None:
    analysts = {"ana": LOGIN | {"may": ["public.visits"]}, "bob": LOGIN}
    proxy = proxies(policy(analysts=analysts, groups={"bi": {"members": ["bob"], "may": ["public.patients"]}}))
    refused = {
        "ana": ["SELECT count(*) FROM patients", "SELECT DISTINCT sex FROM patients", "EXPLAIN SELECT count(*) FROM patients",
                "SELECT count(*) FROM visits v JOIN patients p USING (patient_id)",
                "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM patients p WHERE p.patient_id = v.patient_id)"],
        "bob": ["SELECT count(*) FROM visits", "SELECT (SELECT count(*) FROM patients), (SELECT count(*) FROM visits)"],
    }  # fmt: skip
    for login, statements in refused.items():
        with proxy.connect(login) as client:
            for statement in statements:
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied for table public"):
                    client.execute(statement.encode())
            assert client.execute("SELECT count(*) FROM dp.ledger").fetchone() == (0,)
            client.execute("SELECT count(*) FROM regions")
    with proxy.connect("ana") as ana:
        ana.execute("SELECT count(*) FROM visits")


def test_after_the_last_day_nothing_private_is_answered(proxies: StartProxy, clock: SetClock) -> None:
    analysts = {"ana": LOGIN | {"valid_until": dt.date(2026, 11, 23)}}
    with proxies(policy(analysts=analysts)).connect() as client:
        ask(client, "0.5", COUNT.format(1900))
        clock("2026-11-24T00:00")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="until 2026-11-23 only"):
            ask(client, "0.5", COUNT.format(1900))
        client.execute("SELECT count(*) FROM regions")


def test_a_steward_sees_every_account_and_charge_and_no_private_table(proxies: StartProxy) -> None:
    proxy = proxies(policy(stewards={"sam": LOGIN}))
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob, proxy.connect("sam") as sam:
        ask(ana, "0.5", "SELECT count(*) FROM visits")
        ask(bob, "0.5", "SELECT count(*) FROM visits WHERE urgent")
        accounts = {name for (name,) in sam.execute("SELECT account FROM dp.budget")}
        assert {"analyst:ana:public.visits", "analyst:bob:public.visits", "table:public.visits"} <= accounts
        assert {row[0] for row in sam.execute("SELECT analyst FROM dp.ledger")} == {"ana", "bob"}
        assert {row[0] for row in ana.execute("SELECT analyst FROM dp.ledger")} == {"ana"}
        assert "analyst:bob:public.visits" not in {name for (name,) in ana.execute("SELECT account FROM dp.budget")}
        for statement in ("SELECT count(*) FROM visits", "EXPLAIN SELECT count(*) FROM visits"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
                sam.execute(statement.encode())
            assert "is a steward, who sees accounts and charges" in (refusal.value.diag.message_detail or "")


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    path, text = tmp_path / "policy.yaml", io.StringIO()
    YAML(typ="safe", pure=True).dump(clinic.POLICY, text)
    path.write_text(re.sub(r"'([\d.e-]+)'", r"\1", text.getvalue()))  # numbers are texts there
    return path


def test_a_grant_pays_for_more_at_once(
    proxies: StartProxy, policy_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy = proxies(policy({"budget": {"epsilon": "10", "delta": "1e-6"}}))
    of = ["--policy", str(policy_file), "--ledger", proxy.options.ledger_dsn]
    grant = ["budget", "grant", *of, "--account", "table:public.patients", "--epsilon", "2.5"]
    with proxy.connect() as client:
        limit = "SELECT epsilon FROM dp.budget WHERE account = 'table:public.patients'"
        assert client.execute(limit).fetchone() == (10,)
        assert main([*grant, "--reason", "the paper's revision"]) == ExitCode.OK
        assert client.execute(limit).fetchone() == (12.5,)
    assert "granted to table:public.patients: epsilon 2.5" in capsys.readouterr().out
    assert main(["budget", "--export", "--ledger", proxy.options.ledger_dsn]) == ExitCode.OK
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["reason"] == "the paper's revision"
    assert main(["budget", "--json", *of]) == ExitCode.OK
    assert {row["account"]: row["epsilon"] for row in json.loads(capsys.readouterr().out)}[
        "table:public.patients"
    ] == "12.5"
    for wrong in (
        grant,
        [*grant[:-4], "--account", "table:public.nobody", "--epsilon", "1", "--reason", "x"],
        ["budget", *of, "--reason", "x"],
    ):
        assert main(wrong) == ExitCode.WRONG_INPUT

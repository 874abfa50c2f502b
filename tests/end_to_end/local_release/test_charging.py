"""What a local release costs, and that the same question is free and has the same answer."""

from __future__ import annotations

from fractions import Fraction

import psycopg
import pytest

from proxy.commands import ExitCode
from proxy.dp.local.slots import LocalPrivacy
from tests.end_to_end.local_release.owner import POLICY, Owner


def test_an_export_is_charged_to_the_table_and_to_all_analysts(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    assert owner.export("public.visits", "region", "2", "--values-per-unit", "2") == ExitCode.OK
    price = LocalPrivacy(Fraction(2), 1, 2).price
    charges = owner.charges()
    assert {charge.account for charge in charges} == {
        "table:public.visits",
        "analyst:ana:public.visits",
        "analyst:bob:public.visits",
    }
    assert all(charge.price == price for charge in charges)
    assert {charge.statement for charge in charges} == {"local release (rappor) of region over public.visits"}
    assert "charged epsilon 2" in capsys.readouterr().out


def test_a_source_that_is_not_available_costs_nothing_and_there_is_no_file(
    owner: Owner, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its locks are held by somebody else for longer than dpproxy waits."""
    monkeypatch.setattr("proxy.postgres.transaction.PREPARATION_SECONDS", 0.5)
    with psycopg.connect(owner.source) as somebody:
        somebody.execute("LOCK TABLE patients IN ACCESS EXCLUSIVE MODE")
        assert owner.export("public.patients", "sex", "2") == ExitCode.UNREACHABLE
    assert "the private database is not available\n  Nothing was charged" in capsys.readouterr().err
    assert owner.charges() == []
    assert not (owner.directory / "release").exists()


def test_a_source_that_fails_is_charged_all_the_same_and_there_is_no_file(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(owner.source, autocommit=True) as somebody:
        somebody.execute("ALTER TABLE patients RENAME TO people")
        somebody.execute("CREATE VIEW patients AS SELECT people.* FROM people WHERE 1 / (patient_id - patient_id) = 1")
    assert owner.export("public.patients", "sex", "2") == ExitCode.UNREACHABLE
    assert "the private database could not answer" in capsys.readouterr().err
    assert [charge.price.epsilon for charge in owner.charges()] == [Fraction(2)]
    assert not (owner.directory / "release").exists()


def test_an_account_that_cannot_pay_is_told_before_the_source_is_asked(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(owner.source) as somebody:
        somebody.execute("LOCK TABLE visits IN ACCESS EXCLUSIVE MODE")
        assert owner.export("public.visits", "region", "3.5") == ExitCode.FAILED
    assert "cannot pay" in capsys.readouterr().err


def test_a_source_that_does_not_take_the_measurement_costs_nothing(
    owner: Owner, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another version of PostgreSQL might not."""
    monkeypatch.setattr("proxy.local_model.question.UnitRows.sql", lambda *_: "SELECT no_such_function()")
    assert owner.export("public.patients", "sex", "2") == ExitCode.WRONG_INPUT
    assert "the private database cannot compute this" in capsys.readouterr().err
    assert owner.charges() == []


def test_an_account_that_cannot_pay_gets_no_file_and_nobody_is_charged(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table has 4, each analyst 3."""
    assert owner.export("public.visits", "region", "3.5") == ExitCode.FAILED
    assert 'the budget of "analyst:ana:public.visits" cannot pay' in capsys.readouterr().err
    assert owner.charges() == []
    assert not (owner.directory / "release").exists()


def test_the_same_export_is_the_same_file_free_of_charge_even_if_the_data_changed(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    assert owner.export("public.visits", "region", "1") == ExitCode.OK
    before = owner.charges()
    owner.ask("UPDATE visits SET region = 'west'")
    assert owner.export("public.visits", "region", "1", out="again") == ExitCode.OK
    assert "recalled an earlier export, free of charge" in capsys.readouterr().out
    assert owner.content("again") == owner.content()
    assert owner.charges() == before


@pytest.mark.parametrize("change", ["data_version", "epsilon", "values", "domain"])
def test_another_question_is_charged_again_and_answered_with_new_randomness(owner: Owner, change: str) -> None:
    assert owner.export("public.visits", "region", "1") == ExitCode.OK
    before = len(owner.charges())
    further: list[str] = ["--values-per-unit", "2"] if change == "values" else []
    if change == "data_version":
        owner.policy.write_text(POLICY.replace('data_version: "1"', 'data_version: "2"'))
    if change == "domain":
        owner.ask("INSERT INTO regions VALUES ('new', NULL, 0)")
    assert owner.export("public.visits", "region", "0.9" if change == "epsilon" else "1", *further) == ExitCode.OK
    assert len(owner.charges()) == 2 * before


def test_unchanged_values_get_new_reports_in_a_new_data_version(owner: Owner) -> None:
    """Equal records by chance: a report has 7 random bits at least, so half of the records would be far too many."""
    assert owner.export("public.visits", "region", "1", "--mechanism", "sketch") == ExitCode.OK
    owner.policy.write_text(POLICY.replace('data_version: "1"', 'data_version: "2"'))
    assert owner.export("public.visits", "region", "1", "--mechanism", "sketch", out="second") == ExitCode.OK
    first, second = (set(owner.content(out).splitlines()[1:]) for out in ("release", "second"))
    assert len(first & second) == 0


def test_only_analysts_who_see_the_file_pay_and_later_ones_when_they_do(owner: Owner) -> None:
    assert owner.export("public.visits", "region", "1", "--analyst", "ana") == ExitCode.OK
    assert {charge.account for charge in owner.charges()} == {"table:public.visits", "analyst:ana:public.visits"}
    for _ in range(2):
        assert owner.export("public.visits", "region", "1", out="again") == ExitCode.OK
    assert owner.content("again") == owner.content()
    assert [charge.account for charge in owner.charges()][2:] == ["analyst:bob:public.visits"]
    assert owner.charges()[2].price == LocalPrivacy(Fraction(1), 1).price

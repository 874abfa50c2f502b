"""What is refused, before anything is charged, and how it is said."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.errors import DpproxyError
from proxy.local_model.question import LocalRequest, local_question
from proxy.policy.load import load_policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.sql.schema import Schema
from tests.end_to_end.local_release.owner import POLICY, Owner

ONE = Fraction(1)

REFUSED: list[tuple[str, str, LocalRequest]] = [
    ("local-table", "42501", LocalRequest("public.regions", ("name",), "rappor", ONE, 1)),
    ("local-column", "42501", LocalRequest("public.patients", ("name",), "rappor", ONE, 1)),
    ("local-columns", "22023", LocalRequest("public.patients", ("sex", "sex"), "rappor", ONE, 1)),
    ("local-unit-column", "42501", LocalRequest("public.patients", ("patient_id",), "sketch", ONE, 1)),
    ("local-type", "0A000", LocalRequest("public.patients", ("height",), "sketch", ONE, 1)),
    ("local-domain", "42501", LocalRequest("public.visits", ("diagnosis",), "rappor", ONE, 1)),
    ("local-domain-size", "0A000", LocalRequest("public.patients", ("birth_year",), "rappor", ONE, 1)),
    ("local-values-per-unit", "22023", LocalRequest("public.patients", ("sex",), "rappor", ONE, 0)),
    ("local-epsilon", "22023", LocalRequest("public.patients", ("sex",), "rappor", Fraction("0.001"), 1)),
    ("local-epsilon", "22023", LocalRequest("public.patients", ("sex",), "rappor", Fraction("1.0000000000001"), 1)),
    ("local-epsilon", "22023", LocalRequest("public.patients", ("sex",), "rappor", Fraction(10**13), 1)),
    ("local-columns", "22023", LocalRequest("public.patients", tuple(map(str, range(101))), "rappor", ONE, 1)),
]


@pytest.mark.parametrize(("rule", "sqlstate", "request_"), REFUSED)
def test_what_may_not_be_released_is_refused(owner: Owner, rule: str, sqlstate: str, request_: LocalRequest) -> None:
    owner.policy.write_text(POLICY.replace("[1930, 1950]", "[1000, 2950]"))
    policy = load_policy(owner.policy)
    schema = Schema(policy, read_catalog(owner.source, list(policy.tables)))
    with pytest.raises(DpproxyError) as refusal:
        local_question(request_, schema)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, sqlstate)


def test_an_export_below_the_least_price_is_refused(owner: Owner) -> None:
    budget = "budget: {epsilon: 1e9}\n"
    owner.policy.write_text(POLICY.replace(budget, f"{budget}    query: {{epsilon: 3, min_epsilon: 2}}\n"))
    policy = load_policy(owner.policy)
    schema = Schema(policy, read_catalog(owner.source, list(policy.tables)))
    local_question(LocalRequest("public.patients", ("sex",), "rappor", Fraction(2), 1), schema)
    with pytest.raises(DpproxyError) as refusal:
        local_question(LocalRequest("public.patients", ("sex",), "rappor", Fraction("1.99"), 1), schema)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("least-epsilon", "22023")
    assert refusal.value.hint == "Give --epsilon 2 or more."


def test_a_refused_export_charges_nothing_and_writes_no_file(owner: Owner, capsys: pytest.CaptureFixture[str]) -> None:
    assert owner.export("public.patients", "patient_id", "1") == ExitCode.WRONG_INPUT
    printed = capsys.readouterr()
    assert printed.err.startswith("dpproxy export-local: column patient_id identifies individual units or rows\n")
    assert (printed.out, owner.charges(), (owner.directory / "release").exists()) == ("", [], False)


def test_declared_values_that_no_header_can_hold_are_refused_before_the_charge(
    owner: Owner, capsys: pytest.CaptureFixture[str]
) -> None:
    owner.ask("INSERT INTO regions SELECT n || repeat('x', 9000), NULL, 0 FROM generate_series(1, 2000) n")
    assert owner.export("public.patients", "region", "1", "--mechanism", "sketch") == ExitCode.WRONG_INPUT
    assert "the declared values of these columns are too long for the file's header" in capsys.readouterr().err
    assert owner.charges() == []


WRONG = {
    "--epsilon: 'much'": ("public.patients", "sex", "much"),
    "--epsilon: '-1'": ("public.patients", "sex", "-1"),
    "--analyst: the policy has no analyst eve": ("public.patients", "sex", "1", "--analyst", "eve"),
    "--state and --ledger": ("public.patients", "sex", "1", "--state", "x"),
}


@pytest.mark.parametrize(("message", "arguments"), WRONG.items(), ids=WRONG)
def test_a_wrong_command_line_is_explained(
    owner: Owner, capsys: pytest.CaptureFixture[str], message: str, arguments: tuple[str, ...]
) -> None:
    table, columns, epsilon, *further = arguments
    assert owner.export(table, columns, epsilon, *further) == ExitCode.WRONG_INPUT
    assert capsys.readouterr().err.startswith(f"dpproxy export-local: {message}")


def test_a_place_that_cannot_be_written_is_noticed_before_the_charge(owner: Owner) -> None:
    assert owner.export("public.patients", "sex", "1", out="absent/release") == ExitCode.WRONG_INPUT
    assert owner.export("public.patients", "sex", "1", out=".") == ExitCode.WRONG_INPUT
    assert owner.charges() == []


def test_a_state_directory_in_use_is_refused_with_a_clear_message(
    owner: Owner, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with EmbeddedPostgres(tmp_path / "state", durable=False):
        arguments = ["--table", "public.patients", "--columns", "sex", "--epsilon", "1", "--out", str(tmp_path / "x")]
        databases = ["--source", owner.source, "--state", str(tmp_path / "state")]
        assert main(["export-local", str(owner.policy), *arguments, *databases]) == ExitCode.FAILED
    assert "is in use by a running dpproxy (process" in capsys.readouterr().err


def test_a_policy_that_does_not_fit_the_source_is_explained(owner: Owner, capsys: pytest.CaptureFixture[str]) -> None:
    owner.ask("ALTER TABLE patients DROP COLUMN smoker")
    assert owner.export("public.patients", "sex", "1") == ExitCode.WRONG_INPUT
    printed = capsys.readouterr().err
    assert printed.startswith("dpproxy export-local: the policy does not fit the source:\n")
    assert "  tables.public.patients.columns.smoker: public.patients has no column 'smoker'" in printed


DECODING_MISTAKES = {
    "--confidence: between 0 and 1": ["--confidence", "1"],
    "--column: the file has sex, not region": ["--column", "region"],
    "--candidates: for one column of a sketch": ["--candidates", "/dev/null"],
}


@pytest.mark.parametrize(("message", "further"), DECODING_MISTAKES.items(), ids=DECODING_MISTAKES)
def test_decoding_mistakes_are_explained(
    owner: Owner, capsys: pytest.CaptureFixture[str], message: str, further: list[str]
) -> None:
    assert owner.export("public.patients", "sex", "1") == ExitCode.OK
    assert main(["decode-local", str(owner.directory / "release"), *further]) == ExitCode.WRONG_INPUT
    assert capsys.readouterr().err.startswith(f"dpproxy decode-local: {message}")


def test_a_sketch_without_declared_values_asks_for_candidates(owner: Owner, capsys: pytest.CaptureFixture[str]) -> None:
    assert owner.export("public.visits", "diagnosis", "1", "--mechanism", "sketch") == ExitCode.OK
    assert main(["decode-local", str(owner.directory / "release")]) == ExitCode.WRONG_INPUT
    assert "name candidates with --candidates FILE" in capsys.readouterr().err

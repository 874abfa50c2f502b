"""Loading: exact values, ${VARIABLES}, all mistakes at once, and what findings must not repeat."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.policy.load import PolicyError, examine_policy, load_policy
from proxy.policy.model import Policy
from tests.policy.policies import VALID, VERIFIER, edited, examine

POLICIES = Path(__file__).parents[2] / "policies"


def loaded(text: str, environment: dict[str, str] | None = None) -> Policy:
    examination = examine(text, environment)
    assert examination.policy is not None, examination.findings
    return examination.policy


def column_values(values: str) -> object:
    policy = loaded(edited("[cardiology, radiology]", values))
    columns = policy.tables["public.visits"].columns
    assert columns is not None
    return columns["specialty"].values


@pytest.mark.parametrize("file", sorted(POLICIES.glob("*.yaml")), ids=lambda file: file.name)
def test_a_policy_that_we_ship_has_no_findings(file: Path) -> None:
    examination = examine_policy(file)
    assert examination.findings == []
    assert examination.policy is not None


def test_numbers_are_exact() -> None:
    policy = loaded(edited("epsilon: 0.1,", "epsilon: 0.1000000000000000000000000000000001,"))
    visits = policy.tables["public.visits"]
    assert visits.query.epsilon == Decimal("0.1000000000000000000000000000000001")
    assert visits.budget is not None
    assert visits.budget.delta == Decimal("0.000001")


@pytest.mark.parametrize("spelling", ["1e12", "1E+12", "1000000000000", "+1.0e12", "1000000000000."])
def test_a_huge_budget_has_many_spellings(spelling: str) -> None:
    budget = loaded(edited("{epsilon: 3,", f"{{epsilon: {spelling},")).tables["public.visits"].budget
    assert budget is not None
    assert budget.epsilon == Decimal(10) ** 12


def test_dates_and_timestamps_in_bounds_are_dates_and_timestamps() -> None:
    bounds = "[2024-01-01T12:30:00+02:00, 2026-01-01 00:00:00Z]"
    columns = loaded(edited("[2024-01-01, 2026-01-01]", bounds)).tables["public.visits"].columns
    assert columns is not None
    zone = dt.timezone(dt.timedelta(hours=2))
    expected = (dt.datetime(2024, 1, 1, 12, 30, tzinfo=zone), dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    assert columns["visited_at"].bounds == expected


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("[2024-01-01, 2026-01-01)", dt.date(2025, 12, 31)),
        ("[2024-01-01 00:00:00, 2026-01-01 00:00:00)", dt.datetime(2025, 12, 31, 23, 59, 59, 999_999)),
        ("[ 2024-01-01,2024-03-01 )", dt.date(2024, 2, 29)),
    ],
)
def test_half_open_bounds_end_before_their_upper_end(text: str, last: dt.date) -> None:
    columns = loaded(edited("[2024-01-01, 2026-01-01]", f'"{text}"')).tables["public.visits"].columns
    assert columns is not None
    bounds = columns["visited_at"].bounds
    assert bounds is not None
    assert bounds[1] == last


@pytest.mark.parametrize("text", ["[0, 9)", "[2024-01-01, 2026-01-01]", "(2024-01-01, 2026-01-01)", "[2024-01-01, )"])
def test_other_texts_are_no_bounds(text: str) -> None:
    (finding,) = examine(edited("[2024-01-01, 2026-01-01]", f'"{text}"'), None).findings
    assert finding.message == "must be a list of two numbers, dates, timestamps or durations"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("[1, -2, 1.50]", (1, -2, Decimal("1.5"))),
        ("[true, false]", (True, False)),
        ("[2024-01-01]", (dt.date(2024, 1, 1),)),
        ("[yes, 'true', '1', '2024-01-01', \"\"]", ("yes", "true", "1", "2024-01-01", "")),
    ],
)
def test_values_have_the_type_that_they_are_written_in(values: str, expected: tuple[object, ...]) -> None:
    found = column_values(values)
    assert found == expected
    assert isinstance(found, tuple)
    assert [type(value) for value in found] == [type(value) for value in expected]


@pytest.mark.parametrize("written", ["2", '"2"', "'2'"])
def test_a_data_version_may_be_a_number(written: str) -> None:
    policy = examine(edited("epsilon: 0.1, max_epsilon: 1}", f"epsilon: 0.1}}\n    data_version: {written}")).policy
    assert policy is not None
    assert policy.tables["public.visits"].data_version.text == "2"


def test_variables_are_replaced_in_texts() -> None:
    text = "source: postgresql://${HOST}:${PORT:-5432}/clinic\n" + VALID
    assert loaded(text, {"HOST": "db"}).source == "postgresql://db:5432/clinic"
    assert loaded(text, {"HOST": "db", "PORT": "6432"}).source == "postgresql://db:6432/clinic"
    assert loaded(text, {"HOST": "db", "PORT": ""}).source == "postgresql://db:5432/clinic"


def test_two_dollars_are_one_and_a_single_one_stays() -> None:
    assert column_values("['$$5', '$${HOST}', 'US$']") == ("$5", "${HOST}", "US$")


def test_an_unquoted_variable_has_the_type_of_its_value() -> None:
    text = edited("{epsilon: 0.1, max_epsilon: 1}", "\n      epsilon: ${PRICE}")
    assert loaded(text, {"PRICE": "0.25"}).tables["public.visits"].query.epsilon == Decimal("0.25")


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_secret_is_what_its_file_contains(tmp_path: Path, ending: str) -> None:
    secret = tmp_path / "dsn"
    secret.write_bytes(("postgresql://reader:a$b${c}@db/clinic" + ending).encode())
    assert loaded(f"source: ${{file:{secret}}}\n" + VALID).source == "postgresql://reader:a$b${c}@db/clinic"
    secret.write_text("s3\n4")
    assert (
        loaded(f"source: postgresql://reader:${{file:{secret}}}@db/c\n" + VALID).source
        == "postgresql://reader:s3\n4@db/c"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "is not UTF-8 text"),
        (b"x" * 65537, "has more than 65536 bytes"),
    ],
)
def test_a_secret_that_cannot_be_read_is_a_finding(tmp_path: Path, content: bytes | None, message: str) -> None:
    secret = tmp_path / "dsn"
    if content is not None:
        secret.write_bytes(content)
    (finding,) = examine(f"source: ${{file:{secret}}}\n" + VALID).findings
    assert (finding.rule, finding.message) == ("DP104", f"the file {secret} {message}")
    assert "/run/secrets" in finding.hint


def test_a_secret_has_an_absolute_path() -> None:
    (finding,) = examine("source: ${file:dsn}\n" + VALID).findings
    assert finding.message == "'${' does not start a variable"


def test_a_quoted_variable_is_text() -> None:
    text = edited("{epsilon: 0.1, max_epsilon: 1}", "\n      epsilon: '${PRICE}'")
    (finding,) = examine(text, {"PRICE": "0.25"}).findings
    assert "must be a number, not a text" in finding.message


def test_a_variable_inside_a_flow_mapping_gets_a_hint_on_quotes() -> None:
    (finding,) = examine(edited("epsilon: 0.1", "epsilon: ${PRICE}"), {"PRICE": "1"}).findings
    assert "quotes around ${…}" in finding.hint


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_file() -> None:
    text = VALID
    for old, new in [
        ("version: 1", "version: 3"),
        (f'"{VERIFIER}"', "hunter2"),
        ("born: {range: [1900, 2026]}", "born: {range: [2026, 1900], stp: 1}"),
        ("epsilon: 3,", "epsilon: -3,"),
        ("max_epsilon: 1", "max_epsilon: 0.01"),
        ("max_rows: 20", "max_rows: 2"),
        ("step: 0.01", "step: 0"),
        ("[2024-01-01, 2026-01-01]", "[2026-01-01, 2024-01-01]"),
    ]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    findings = examine(text).findings
    assert [finding.path for finding in findings] == [
        "version",
        "analysts.ana.password",
        "tables.public.patients.columns.born.range",
        "tables.public.patients.columns.born.stp",
        "tables.public.visits.budget.epsilon",
        "tables.public.visits.query.max_epsilon",
        "tables.public.visits.contribution.max_rows_per_group",
        "tables.public.visits.columns.cost.step",
        "tables.public.visits.columns.visited_at.bounds",
    ]
    assert findings == sorted(findings)


def test_a_wrong_part_causes_no_findings_about_its_absence() -> None:
    text = edited("unit: {name: patient, column: patient_id}", "unit: {name: patient, column: 5}")
    assert [finding.path for finding in examine(text).findings] == ["tables.public.patients.unit.column"]


def test_an_aliased_part_is_read_at_each_of_its_places() -> None:
    policy = loaded(
        edited("budget: {epsilon: 4, delta: 1e-6}", "budget: &b {epsilon: 4, delta: 1e-6}").replace(
            "budget: {epsilon: 3, delta: 1e-6}", "budget: *b"
        )
    )
    assert policy.tables["public.visits"].budget == policy.tables["public.patients"].budget


@pytest.mark.parametrize("password", ["hunter2", "1234567", "2024-01-31", "SCRAM-SHA-256$4096:aHVudGVyMg=="])
def test_a_wrong_password_entry_is_not_repeated_in_the_findings(password: str) -> None:
    (finding,) = examine(
        edited(f'"{VERIFIER}"', "${SECRET}").replace("{password: ${SECRET}}", "\n    password: ${SECRET}"),
        {"SECRET": password},
    ).findings
    assert finding.path == "analysts.ana.password"
    assert password not in str(finding)


def test_load_policy_raises_all_findings(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(edited("version: 1", "version: 2").replace("step: 0.01", "step: 0"))
    with pytest.raises(PolicyError) as caught:
        load_policy(file)
    assert [finding.path for finding in caught.value.findings] == [
        "version",
        "tables.public.visits.columns.cost.step",
    ]
    assert str(caught.value).startswith(f"{file}:1:10: error: version: must be 1")


def test_load_policy_takes_a_policy_with_warnings(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(edited("{epsilon: 0.1,", "{epsilon: 0.1, delta: 5e-7,"))
    assert [finding.severity for finding in examine_policy(file).findings] == ["warning"]
    assert load_policy(file) == examine_policy(file).policy


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"# only a comment\n", "the file is empty"),
        (b"[1, 2]", "a policy is a mapping"),
        (b"policy", "a policy is a mapping"),
        (b"version: \xff", "not UTF-8"),
        (b"version: 1\n---\nversion: 1", "expected a single document"),
        (b"version: \x01", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_policy_has_one_finding(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "policy.yaml"
    file.write_bytes(content)
    examination = examine_policy(file)
    (finding,) = examination.findings
    assert examination.policy is None
    assert message in finding.message


def test_an_empty_mapping_lacks_both_required_keys() -> None:
    findings = examine("{}").findings
    assert [(finding.path, finding.severity) for finding in findings] == [
        ("analysts", "warning"),
        ("tables", "error"),
        ("version", "error"),
    ]


def test_a_missing_file_is_a_finding(tmp_path: Path) -> None:
    examination = examine_policy(tmp_path / "absent.yaml")
    (finding,) = examination.findings
    assert examination.policy is None
    assert finding.message == "cannot be read: No such file or directory"


WRONG = [
    "",
    "-1",
    "1.5",
    "1e12",
    "true",
    "'text'",
    "2024-01-01",
    "[1, 2]",
    "[[a], null]",
    "{a: {b: 1}}",
    "${X}",
    "$$",
    "<<",
]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_anything_in_the_place_of_anything_is_a_policy_or_findings(data: st.DataObject) -> None:
    tokens = list(re.finditer(r"\[[^\]]*\]|\{[^}]*\}|[^\s{}\[\],:]+", VALID))
    text = VALID
    # From the end, so that the places of the earlier tokens stay right.
    for index in sorted(data.draw(st.sets(st.sampled_from(range(len(tokens))), min_size=1, max_size=3)), reverse=True):
        replacement = data.draw(st.sampled_from(WRONG))
        text = text[: tokens[index].start()] + replacement + text[tokens[index].end() :]
    examination = examine(text)
    has_error = any(finding.severity == "error" for finding in examination.findings)
    assert (examination.policy is None) == has_error
    assert all(finding.message and finding.hint for finding in examination.findings)

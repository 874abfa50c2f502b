"""Cautions that look at several parts of a policy at once; the examples of `check --rules` are tested for each alone."""

from __future__ import annotations

import pytest

from proxy.policy.cautions import (
    check_birth_dates,
    check_default_noise,
    check_last_days,
    check_least_epsilon,
    check_settings_are_allowed,
    check_shares,
    check_somebody_may_ask,
    check_wide_bounds,
    public_person,
)
from proxy.policy.load import Examination
from proxy.policy.model import Policy
from tests.policy.policies import VALID, VERIFIER, edited, examine


def policy_of(text: str) -> tuple[Policy, Examination]:
    examination = examine(text)
    assert examination.policy is not None, examination.findings
    return examination.policy, examination


@pytest.mark.parametrize(
    ("patients", "visits", "count"),
    [
        ("birth_date: {}", "postcode: {}", 1),
        ("birth_date: {}\n      dob: {}\n      zip: {}", "cost: {}", 2),
        ("dateOfBirth: {}\n      postalCode: {}", "cost: {}", 1),
        ("birth_year: {}\n      postcode: {}", "cost: {}", 0),
        ("birth_date: {}", "unzipped: {}", 0),
        ("born: {bounds: [1900-01-01, 2026-01-01]}", "postcode: {}", 1),
        ("born: {range: [1900, 2026]}", "postcode: {}", 0),
    ],
)
def test_birth_dates_and_postcodes_of_one_unit_are_found_across_tables(patients: str, visits: str, count: int) -> None:
    text = edited("born: {range: [1900, 2026]}", patients).replace("cost: {bounds: [0, 5000], step: 0.01}", visits)
    policy, examination = policy_of(text)
    assert [finding.rule for finding in check_birth_dates(policy, examination.source_map)] == ["DP413"] * count


@pytest.mark.parametrize(
    ("bounds", "is_found"),
    [
        ("[0, 1000000000000000]", False),
        ("[0, 1000000000000001]", True),
        ("[0, 2147483647]", True),
        ("[-32768, 100]", True),
        ("[0, 2147483646]", False),
        ("[1800-01-01, 2100-01-01]", False),
        ("[0001-01-01, 9999-12-31]", True),
    ],
)
def test_bounds_are_those_of_the_world(bounds: str, is_found: bool) -> None:
    policy, examination = policy_of(edited("[0, 5000], step: 0.01", bounds))
    found = [finding.rule for finding in check_wide_bounds(policy, examination.source_map)]
    assert found == (["DP410"] if is_found else [])


@pytest.mark.parametrize(("epsilon", "is_found"), [("1", False), ("1.01", True), ("much", False)])
def test_sessions_begin_with_a_price_that_some_table_allows(epsilon: str, is_found: bool) -> None:
    policy, examination = policy_of(
        VALID.replace(VERIFIER + '"', f"{VERIFIER}\", settings: {{dp.epsilon: '{epsilon}'}}")
    )
    found = [finding.path for finding in check_settings_are_allowed(policy, examination.source_map)]
    assert found == (["analysts.ana.settings.dp.epsilon"] if is_found else [])


def test_days_and_lists_under_which_nobody_may_ask_are_found() -> None:
    text = VALID.replace(VERIFIER + '"', VERIFIER + '", valid_until: 2020-12-31, may: []')
    policy, examination = policy_of(f"groups: {{bi: {{members: [], may: []}}}}\n{text}")
    assert [finding.path for finding in check_somebody_may_ask(policy, examination.source_map)] == [
        "groups.bi.members",
        "groups.bi.may",
        "analysts.ana.may",
    ]
    (over,) = check_last_days(policy, examination.source_map)
    assert over.path == "analysts.ana.valid_until"


@pytest.mark.parametrize(
    ("groups", "is_found"),
    [
        ("{}", True),
        ("{bi: {members: [ana, bob], budget: {epsilon: 1, delta: 1e-6}}}", False),
        ("{bi: {members: [ana, bob], budget: {epsilon: 4, delta: 1e-6}}}", True),
        ("{bi: {members: [ana], budget: {epsilon: 1, delta: 1e-6}}}", True),
        ("{bi: {members: [ana, bob]}}", True),
    ],
)
def test_analysts_who_share_a_smaller_budget_cannot_spend_a_table_s(groups: str, is_found: bool) -> None:
    both = f'  ana: {{password: "{VERIFIER}"}}\n  bob: {{certificate: Bob}}\n'
    text = VALID.replace(f'  ana: {{password: "{VERIFIER}"}}\n', both)
    policy, examination = policy_of(f"groups: {groups}\n{text}")
    found = [finding.path for finding in check_shares(policy, examination.source_map)]
    assert found == (["tables.public.patients.budget"] if is_found else [])


@pytest.mark.parametrize(("least", "is_found"), [("1e-9", True), ("1e-4", False)])
def test_the_least_price_buys_more_than_noise(least: str, is_found: bool) -> None:
    priced = edited(
        "query: {epsilon: 0.1, max_epsilon: 1}", f"query: {{epsilon: 0.1, max_epsilon: 1, min_epsilon: {least}}}"
    )
    policy, examination = policy_of(priced)
    found = {finding.rule for finding in check_least_epsilon(policy, examination.source_map)}
    assert ("DP317" in found) is is_found


@pytest.mark.parametrize(("own", "is_found"), [("1e-9", True), ("0.01", False)])
def test_the_price_of_profiles_buys_more_than_noise(own: str, is_found: bool) -> None:
    query = f"query: {{epsilon: 0.1, max_epsilon: 1, profile_epsilon: {own}}}"
    policy, examination = policy_of(edited("query: {epsilon: 0.1, max_epsilon: 1}", query))
    found = [finding.path for finding in check_default_noise(policy, examination.source_map)]
    assert any(path.endswith("query.profile_epsilon") for path in found) is is_found


@pytest.mark.parametrize(
    ("column", "meaning"),
    [
        ("annual_salary", "what somebody earns"),
        ("diagnosis", "somebody's health"),
        ("birthdate", "an exact birth date"),
        ("price", None),
        ("wagered", None),
        ("name", None),
    ],
)
def test_a_public_column_of_what_people_have_is_found(column: str, meaning: str | None) -> None:
    _, examination = policy_of(VALID)
    found = list(public_person("public.lists", column, "numeric", ("tables",), examination.source_map))
    assert [finding.message for finding in found] == (
        []
        if meaning is None
        else [f"public, but {column} seems to be {meaning}: every analyst can read it of every row of public.lists"]
    )

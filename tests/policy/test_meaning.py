"""What a budget means in numbers, against the definitions; and cautions about budgets and prices."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from scipy import stats

from proxy.dp.accounting import Account
from proxy.dp.risk import risk_at_worst, risk_by_gaussian, risk_text
from proxy.meaning import check_deltas, check_meaning, check_noise, queries_paid
from proxy.policy.model import Budget
from tests.policy.policies import VALID, examine


def budget(epsilon: str, delta: str = "1e-6") -> Budget:
    return Budget(epsilon=Decimal(epsilon), delta=Decimal(delta))


def limit(epsilon: str, delta: str = "1e-6") -> Account:
    return Account(Fraction(epsilon), Fraction(delta))


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4", "10"])
def test_the_worst_case_is_randomised_response(epsilon: str) -> None:
    keeps = 1 / (1 + math.exp(-float(epsilon)))
    risk = risk_at_worst(limit(epsilon))
    assert risk.advantage == pytest.approx(keeps - (1 - keeps))
    assert risk.posterior == pytest.approx(0.01 * keeps / (0.01 * keeps + 0.99 * (1 - keeps)))


def test_gaussian_noise_is_as_published_for_ten() -> None:
    risk = risk_by_gaussian(limit("10"))
    assert risk is not None
    assert (round(risk.advantage, 2), round(risk.posterior, 2)) == (0.61, 0.27)


@pytest.mark.parametrize("epsilon", ["0.5", "2", "20"])
def test_gaussian_noise_tells_as_much_as_the_best_test_between_two_normals(epsilon: str) -> None:
    """The best threshold, searched for, is right as often as the closed form says: for a coin, and for 1 in 100."""
    mu = math.sqrt(2 * Account(Fraction(epsilon), Fraction(1, 10**6)).rho_max)
    risk = risk_by_gaussian(limit(epsilon))
    assert risk is not None
    thresholds = [step / 1000 for step in range(-6000, 12000)]
    best = max(stats.norm.cdf(thresholds) - stats.norm.cdf([at - mu for at in thresholds]))
    assert risk.advantage == pytest.approx(float(best), abs=1e-6)
    assert risk.posterior == pytest.approx(float(stats.norm.sf(stats.norm.isf(0.01) - mu)))


def test_without_delta_no_gaussian_noise_is_paid() -> None:
    assert risk_by_gaussian(limit("1", "0")) is None


def test_a_risk_that_is_the_same_whatever_is_paid_for_is_told_once() -> None:
    told = "whether one unit is in the data with an advantage of up to 0.9999, and a suspicion of 1% can grow to 0.9999"
    assert risk_text(limit("1000")) == risk_text(limit("1000", "0")) == told
    assert risk_text(limit("20")).startswith(f"{told}; if Gaussian noise is all that is paid for, 0.8")


@pytest.mark.parametrize(("delta", "paid"), [("1e-6", 16), ("0", 20)])
def test_queries_paid_are_those_of_the_page(delta: str, paid: int) -> None:
    assert queries_paid(budget("2", delta), Decimal("0.1")) == paid


@pytest.mark.parametrize(
    ("size", "found"),
    [
        (0, []),
        (999_999, []),
        (1_000_000, ["patients.budget", "visits.budget"]),
        (10_000_000, ["patients.budget", "visits.budget", "visits.per_analyst"]),
    ],
)
def test_a_delta_is_below_one_over_the_number_of_units(size: int, found: list[str]) -> None:
    examination = examine(VALID)
    assert examination.policy is not None
    findings = list(check_deltas(examination.policy, {"patient": size, "doctor": 10**12}, examination.source_map))
    assert [finding.path for finding in findings] == [f"tables.public.{name}.delta" for name in found]
    assert all((finding.rule, finding.hint) == ("DP322", f"choose 1E-{len(str(size))} or less") for finding in findings)


@pytest.mark.parametrize(
    ("bounds", "size", "is_found"),
    [
        # 5 rows of a group, epsilon 0.1: the width is 150 times the larger bound.
        ("[0, 5000]", 151, False),
        ("[0, 5000]", 149, True),
        ("[1000000000, 1000000001]", None, True),
        ("[1000000, 1000200]", None, False),
        ("[-5000, 5000]", 76, False),
        ("[-5000, 5000]", 74, True),
        ("[1980, 1987]", 20, False),
        ("[1980, 1987.5]", 20, True),
        ("[1980, 1987], values: [1980, 1987]", 20, False),
        ("[19800, 19870]", 20, True),
        ("[19800, 19870], values: [19800, 19870]", 20, False),
    ],
)
def test_noise_is_narrower_than_what_bounds_leave_open(bounds: str, size: int | None, is_found: bool) -> None:
    examination = examine(VALID.replace("[0, 5000], step: 0.01", bounds))
    assert examination.policy is not None
    sizes = {} if size is None else {"patient": size}
    found = list(check_noise(examination.policy, sizes, examination.source_map))
    places = [finding.path for finding in found if "visits.columns.cost" in finding.path]
    assert places == (["tables.public.visits.columns.cost.bounds"] if is_found else [])
    assert {finding.rule for finding in found} <= {"DP316"}


@pytest.mark.parametrize(
    ("group", "found"),
    [
        ("{members: [ana], budget: {epsilon: 0.05, delta: 1e-6}}", ["patients", "visits"]),
        ("{members: [ana], budget: {epsilon: 0.05, delta: 1e-6}, may: [public.visits]}", ["visits"]),
        ("{members: [ana], budget: {epsilon: 2, delta: 1e-6}}", []),
        ("{members: [ana]}", []),
    ],
)
def test_the_budget_of_a_group_pays_for_a_query_on_each_table_that_it_may_ask(group: str, found: list[str]) -> None:
    examination = examine(f"groups: {{bi: {group}}}\n{VALID}")
    assert examination.policy is not None
    findings = check_meaning(examination.policy, examination.source_map)
    assert [(finding.rule, finding.path) for finding in findings] == [("DP321", "groups.bi.budget")] * len(found)
    assert [name in finding.message for name, finding in zip(found, findings, strict=True)] == [True] * len(found)


@pytest.mark.parametrize(
    ("epsilon", "delta", "query", "words"),
    [
        ("1e27", "1e-6", "epsilon: 1e20", None),
        ("1e27", "1e-6", "epsilon: 1e20, mechanism: gaussian", "does not pay for one query on public.visits"),
        (
            "3",
            "1e-6",
            "epsilon: 1",
            "pays for 3 queries on public.visits at its default price of 1, with Laplace noise",
        ),
        ("3", "1e-6", "epsilon: 1, mechanism: laplace", None),
        ("3", "1e-6", "epsilon: 1, mechanism: gaussian", "does not pay for one query on public.visits"),
        ("3", "0", "epsilon: 1", None),
        ("3", "1e-6", "epsilon: 0.25", None),
    ],
)
def test_a_budget_that_laplace_noise_alone_can_be_paid_from(
    epsilon: str, delta: str, query: str, words: str | None
) -> None:
    text = VALID.replace("{epsilon: 3, delta: 1e-6}", f"{{epsilon: {epsilon}, delta: {delta}}}")
    text = text.replace("    per_analyst: {epsilon: 1, delta: 1e-7}\n", "").replace(
        "epsilon: 0.1, max_epsilon: 1", query
    )
    examination = examine(text)
    assert examination.policy is not None
    found = [
        finding for finding in check_meaning(examination.policy, examination.source_map) if finding.rule == "DP321"
    ]
    assert [(words or "") in finding.message for finding in found] == ([True] if words else [])


WINDOWS = VALID.replace("{epsilon: 3, delta: 1e-6}", "{epsilon: 3, delta: 1e-6, per: month, of: visited_at}")


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (WINDOWS, True),
        (WINDOWS.replace("of: visited_at", "of: visited_at, total: {epsilon: 10, delta: 1e-6}"), False),
        (WINDOWS.replace("patient: {}", "patient: {budget: {epsilon: 10, delta: 1e-6}}"), False),
        (VALID, False),
    ],
)
def test_budgets_of_windows_add_up_unless_something_limits_them(text: str, is_found: bool) -> None:
    examination = examine(text)
    assert examination.policy is not None
    found = check_meaning(examination.policy, examination.source_map)
    assert [finding.rule for finding in found] == (["DP324"] if is_found else [])
    assert all("all 25 of them an epsilon of 75 " in finding.message for finding in found)


@pytest.mark.parametrize(
    ("addition", "found"),
    [
        ("at_most: {epsilon: 0.01, per: day}", ["DP321 tables.public.visits.budget.at_most"]),
        ("at_most: {epsilon: 1, per: day}", []),
        ("unlock: {over: 36500 days, since: 2020-01-01}", []),
        ("unlock: {over: 365000 days, since: 2020-01-01}", ["DP339 tables.public.visits.budget.unlock"]),
        ("unlock: {over: 30 days, since: 2999-01-01}", ["DP339 tables.public.visits.budget.unlock"]),
        ("unlock: {over: 30 days, since: 2020-01-01}", []),
    ],
)
def test_what_is_available_soon_pays_for_a_query(addition: str, found: list[str]) -> None:
    examination = examine(VALID.replace("{epsilon: 3, delta: 1e-6}", f"{{epsilon: 3, delta: 1e-6, {addition}}}"))
    assert examination.policy is not None
    findings = check_meaning(examination.policy, examination.source_map)
    assert [f"{finding.rule} {finding.path}" for finding in findings] == found


def test_groups_can_have_as_many_units_as_they_have_to() -> None:
    examination = examine(VALID.replace("max_rows_per_group: 5", "max_rows_per_group: 5, min_units: 100"))
    assert examination.policy is not None
    rules = [
        {finding.rule for finding in check_noise(examination.policy, sizes, examination.source_map)} - {"DP316"}
        for sizes in ({"patient": 100}, {"patient": 101}, {})
    ]
    assert rules == [{"DP323"}, set(), set()]

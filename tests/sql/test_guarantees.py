"""Stated (epsilon, delta): what a block's plan makes of it, and what it refuses (theorem 16)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from proxy.dp.calibrated import calibrated_rho
from proxy.dp.conversion import largest_rho
from proxy.dp.mechanisms import GaussianMechanism, gaussian_rho
from proxy.errors import InvalidSettingError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.query.same_question import block_hash
from proxy.settings import QuerySettings
from proxy.sql.explain import explain_block
from proxy.sql.planning.alternatives import alternatives
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import read_sums, sums_sql
from tests.conftest import PostgresCluster
from tests.dp.discrete_gaussian import discrete_gaussian_delta
from tests.end_to_end import clinic
from tests.sql.test_planning import plan

DELTA = Fraction(1, 10**7)
COUNT = "SELECT count(*) FROM visits"
COUNTS = "SELECT count(*), sum(minutes), count(DISTINCT patient_id) FROM visits"
SELECTED = "SELECT diagnosis, count(*) FROM visits GROUP BY 1"


@pytest.fixture(scope="module")
def catalog(postgres_cluster: PostgresCluster) -> Catalog:
    dsn = postgres_cluster.create_database("guarantees")
    clinic.create(dsn)
    return read_catalog(dsn, list(clinic.policy().tables), ["public.regions", "public.specialties"])


def stated(epsilon: Fraction | int | str = 1, delta: Fraction | None = DELTA, **settings: Any) -> QuerySettings:
    return QuerySettings(epsilon=Fraction(epsilon), delta=delta, **settings)


def noise_rho(block: BlockPlan) -> Fraction:
    return sum(
        (mechanism.rho for mechanism in block.mechanisms if isinstance(mechanism, GaussianMechanism)), Fraction(0)
    )


def with_query(**query: object) -> Policy:
    return clinic.policy(visits={"query": {"epsilon": "0.5", "max_epsilon": "2"} | query})


@pytest.mark.parametrize("calibration", ["zcdp", "analytic", "classic"])
def test_the_whole_vector_of_statistics_has_the_rho_of_the_calibration(calibration: Any, catalog: Catalog) -> None:
    block = plan(COUNTS, catalog, settings=stated("0.9", calibration=calibration, mechanism="gaussian"))
    assert len(block.mechanisms) == 3
    assert noise_rho(block) == calibrated_rho(calibration, Fraction("0.9"), DELTA, REFINEMENT)
    assert abs(block.price.rho - noise_rho(block)) < Fraction(1, 10**28)
    assert block.price.delta == 0


def test_zcdp_is_the_calibration_of_a_delta_that_says_nothing_else(catalog: Catalog) -> None:
    block = plan(COUNT, catalog, settings=stated(mechanism="gaussian"))
    assert noise_rho(block) == largest_rho(Fraction(1), DELTA)


def test_a_block_that_also_chooses_is_calibrated_by_zcdp_whatever_was_asked(catalog: Catalog) -> None:
    block = plan(
        "SELECT count(*), max(minutes) FROM visits",
        catalog,
        settings=stated("0.9", calibration="analytic", mechanism="gaussian"),
    )
    assert block.price.rho <= largest_rho(Fraction("0.9"), DELTA)
    assert noise_rho(block) == largest_rho(Fraction("0.9"), DELTA) / 2


def test_without_a_stated_delta_epsilon_alone_buys_the_noise(catalog: Catalog) -> None:
    for policy in (clinic.policy(), with_query(delta="1e-8")):
        block = plan(SELECTED, catalog, policy, QuerySettings(epsilon=Fraction(1), mechanism="gaussian"))
        assert block.price.rho == pytest.approx(gaussian_rho(Fraction(1)))


def test_selecting_keys_takes_half_of_the_stated_delta_and_noise_the_other(catalog: Catalog) -> None:
    for mechanism in ("gaussian", "laplace"):
        block = plan(SELECTED, catalog, with_query(delta="1e-9"), stated(mechanism=mechanism))
        assert block.selection is not None
        assert block.selection.delta == block.price.delta == DELTA / 2
    block = plan(SELECTED, catalog, settings=stated(mechanism="gaussian"))
    assert block.selection is not None
    assert noise_rho(block) + block.selection.share == largest_rho(Fraction(1), DELTA / 2)


def test_a_policy_states_its_delta_with_a_calibration(catalog: Catalog) -> None:
    block = plan(COUNT, catalog, with_query(delta="1e-8", calibration="analytic", mechanism="gaussian"))
    assert noise_rho(block) == calibrated_rho("analytic", Fraction(1, 2), Fraction(1, 10**8), REFINEMENT)
    weaker = plan(COUNT, catalog, with_query(delta="1e-8", calibration="analytic"), stated(calibration="zcdp"))
    assert (weaker.guarantee.delta, weaker.guarantee.calibration) == (DELTA, "zcdp")


def test_two_tables_state_the_lesser_delta_and_disagree_on_zcdp(catalog: Catalog) -> None:
    joined = "SELECT count(*) FROM visits JOIN patients USING (patient_id)"
    query = {"epsilon": "0.5", "delta": "1e-8", "calibration": "analytic"}
    for other, expected in (("analytic", "analytic"), ("classic", "zcdp"), (None, "analytic")):
        changed = {"epsilon": "0.5", "delta": "1e-9", "calibration": other}
        promise = plan(joined, catalog, clinic.policy(visits={"query": query}, patients={"query": changed})).guarantee
        assert promise.calibration == expected
        assert promise.delta == Fraction(1, 10**9) if other else Fraction(1, 10**8)


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        (stated(calibration="classic"), "calibration-range"),
        (stated(calibration="classic", mechanism="gaussian"), "calibration-range"),
        (stated(delta=Fraction(9, 10**7)), "delta-limit"),
        (stated(delta=None, calibration="analytic"), "calibration-delta"),
        (stated("1e-9", Fraction(1, 10**300), calibration="analytic"), "calibration-range"),
    ],
    ids=["classic", "classic gaussian", "more than an account has", "no delta", "tiny"],
)
def test_what_cannot_be_promised_is_refused(settings: QuerySettings, rule: str, catalog: Catalog) -> None:
    with pytest.raises(InvalidSettingError) as refusal:
        plan(COUNT, catalog, with_query(min_epsilon="1e-9"), settings)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, "22023")


def test_an_account_without_delta_refuses_a_stated_one(catalog: Catalog) -> None:
    pure = clinic.policy(visits={"budget": {"epsilon": "10"}})
    with pytest.raises(InvalidSettingError) as refusal:
        plan(COUNT, catalog, pure, stated())
    assert refusal.value.rule == "delta-limit"
    assert "an account that pays for this query allows none" in refusal.value.message
    assert plan(COUNT, catalog, pure).noise_name == "laplace"


def test_the_delta_that_a_hint_proposes_is_accepted(catalog: Catalog) -> None:
    odd = clinic.policy(visits={"budget": {"epsilon": "10", "delta": "1.23456789e-7"}, "per_analyst": None})
    with pytest.raises(InvalidSettingError) as refusal:
        plan(COUNT, catalog, odd, stated(delta=Fraction(2, 10**7)))
    proposed = (refusal.value.hint or "").partition("'")[2].partition("'")[0]
    assert plan(COUNT, catalog, odd, stated(delta=Fraction(proposed))).guarantee.delta == Fraction("1.23456e-7")


def test_laplace_noise_needs_no_calibration_so_that_none_is_refused(catalog: Catalog) -> None:
    assert plan(COUNT, catalog, settings=stated(calibration="classic", mechanism="laplace")).noise_name == "laplace"


def test_continuous_calibrations_refine_sums_that_need_no_scaling(catalog: Catalog) -> None:
    """One row per unit is counted in whole cells; discrete noise of few cells is unlike continuous noise."""
    text = "SELECT count(*), sum(height) FROM patients"
    block = plan(text, catalog, settings=stated(calibration="analytic", mechanism="gaussian"))
    plain = plan(text, catalog, settings=stated(calibration="zcdp", mechanism="gaussian"))
    assert (block.path, block.cells_per_step(0), plain.cells_per_step(0)) == ("unique", REFINEMENT, 1)
    assert sums_sql(block) == sums_sql(plain)
    rows = [("7", "1234.5")]
    (fine,), (coarse,) = read_sums(block, rows).sums, read_sums(plain, rows).sums
    assert fine == tuple(REFINEMENT * cells for cells in coarse)
    count = block.mechanisms[0]
    assert isinstance(count, GaussianMechanism)
    assert count.squared_sensitivity == REFINEMENT**2


def test_one_number_is_private_by_the_exact_sum_of_its_discrete_noise(catalog: Catalog) -> None:
    block = plan(
        "SELECT count(*) FROM patients", catalog, settings=stated(calibration="analytic", mechanism="gaussian")
    )
    (count,) = block.mechanisms
    assert isinstance(count, GaussianMechanism)
    assert 0.99e-7 <= discrete_gaussian_delta(count.variance, Fraction(1), REFINEMENT) <= 1e-7


def test_blocks_of_different_calibrations_are_different_questions(catalog: Catalog) -> None:
    schema = Schema(clinic.policy(), catalog)
    for text in (COUNTS, SELECTED, "SELECT count(*), avg(height) FROM patients"):
        hashes = {
            block_hash(plan(text, catalog, settings=settings), (), schema)
            for settings in (
                stated("0.9", delta=None, mechanism="gaussian"),
                *(
                    stated("0.9", calibration=calibration, mechanism="gaussian")
                    for calibration in ("zcdp", "analytic", "classic")
                ),
                stated("0.9", delta=DELTA / 2, mechanism="gaussian"),
            )
        }
        assert len(hashes) == 5


@pytest.mark.parametrize(
    "text", [COUNT, COUNTS, SELECTED, "SELECT sex, count(*), avg(height) FROM patients GROUP BY 1"]
)
@pytest.mark.parametrize("delta", [DELTA, None], ids=["stated", "epsilon alone"])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_chosen_alternative_is_the_plans_own_noise_and_price(
    text: str, delta: Fraction | None, mechanism: Any, catalog: Catalog
) -> None:
    block = plan(text, catalog, settings=stated("0.9", delta, mechanism=mechanism))
    found = alternatives(block)
    (chosen,) = (alternative for alternative in found if alternative.chosen)
    assert chosen.price == block.price
    assert chosen.standard_deviation == pytest.approx(block.mechanisms[0].standard_deviation)
    assert len(found) == (4 if delta else 2)
    other = plan(
        text, catalog, settings=stated("0.9", delta, mechanism="gaussian" if mechanism == "laplace" else "laplace")
    )
    (its_own,) = (alternative for alternative in alternatives(other) if alternative.chosen)
    same = next(alternative for alternative in found if alternative.name == its_own.name)
    assert same.price == other.price
    assert same.standard_deviation == pytest.approx(other.mechanisms[0].standard_deviation)


def test_explain_says_what_is_spent_on_what_and_why_an_alternative_is_not_possible(catalog: Catalog) -> None:
    lines = explain_block(plan(SELECTED, catalog, settings=stated(mechanism="gaussian")))
    text = "\n".join(lines)
    assert "  Mechanism: gaussian; epsilon 1, delta 1e-07 for the block" in lines
    assert "5e-08 for the noise calibrated by zcdp, 5e-08 for selecting group keys" in text
    assert (
        "    gaussian classic: not possible, the classic calibration is proven only for epsilon below 1, got 1" in lines
    )
    assert sum("(chosen)" in line for line in lines) == 1
    pure = clinic.policy(visits={"budget": {"epsilon": "10"}})
    assert any(
        "not possible, an account that pays has delta 0" in line for line in explain_block(plan(COUNT, catalog, pure))
    )


MANY = f"SELECT {', '.join(f'count(*) FILTER (WHERE minutes > {n})' for n in range(100))} FROM visits"
CHEAP = {
    "a tiny delta": (COUNT, stated("0.002", Fraction(1, 10**240))),
    "a tiny delta, exactly": (COUNT, stated("0.002", Fraction(1, 10**240), calibration="analytic")),
    "selected keys alone": ("SELECT DISTINCT diagnosis FROM visits", stated("0.002", Fraction(1, 10**240))),
    "many numbers": (MANY, QuerySettings(epsilon=Fraction("0.002"), mechanism="laplace")),
    "a percentile": (
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
        QuerySettings(epsilon=Fraction("0.002"), mechanism="laplace"),
    ),
}


@pytest.mark.parametrize(("query", "settings"), CHEAP.values(), ids=CHEAP.keys())
def test_nothing_costs_less_on_either_rail_than_the_least_price(
    query: str, settings: QuerySettings, catalog: Catalog
) -> None:
    """The number of questions that a budget pays for bounds what nobody thought of: failures, times."""
    found = plan(query, catalog, with_query(epsilon="0.002", min_epsilon="0.002"), settings)
    least = gaussian_rho(Fraction("0.002"))
    assert found.price.rho >= least
    assert found.price.epsilon is None or found.price.epsilon >= Fraction("0.002")
    if found.mechanisms:
        assert all(
            alternative.price.rho >= least for alternative in alternatives(found) if alternative.price is not None
        )
        assert sum((mechanism.price.rho for mechanism in found.mechanisms), Fraction(0)) < least, (
            "the noise alone would cost less"
        )


def test_the_unstated_alternative_of_a_tiny_epsilon_is_finite(catalog: Catalog) -> None:
    tiny = QuerySettings(epsilon=Fraction(1, 10**9))
    found = alternatives(plan(COUNT, catalog, with_query(min_epsilon="1e-9"), tiny))
    assert all(math.isfinite(alternative.standard_deviation) for alternative in found)


@pytest.mark.parametrize(
    ("query", "groups", "noise"), [(COUNT, 12, "laplace"), (SELECTED, 1, "laplace"), (SELECTED, 12, "gaussian")]
)
def test_auto_weighs_the_groups_that_show_against_the_noise(
    catalog: Catalog, query: str, groups: int, noise: str
) -> None:
    """With Laplace noise a unit gives 1/12 to each of its groups, with Gaussian noise 1/√12."""
    found = plan(query, catalog, settings=stated(max_groups=groups))
    assert found.noise_name == noise

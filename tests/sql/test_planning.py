"""What a plan decides: path, shared statistics, noise, price; and that it depends on nothing else (decision 2, theorem 1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.errors import InvalidSettingError, RefusedError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.explain import explain_block
from proxy.sql.planning.accuracy import choices_text
from proxy.sql.planning.choices import CELLS
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.remarks import remarks
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import sums_sql
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.planned import analysed, only_plan


@pytest.fixture(scope="module")
def catalog(postgres_cluster: PostgresCluster) -> Catalog:
    dsn = postgres_cluster.create_database("planning")
    clinic.create(dsn)
    return read_catalog(dsn, list(clinic.policy().tables), ["public.regions", "public.specialties"])


def plan(text: str, catalog: Catalog, policy: Policy | None = None, settings: QuerySettings | None = None) -> BlockPlan:
    """The plan of the only block of `text`."""
    schema = Schema(policy or clinic.policy(), catalog)
    found = analysed(text, schema)
    assert found.probe_sql is None
    return only_plan(found, schema, settings)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("SELECT count(*) FROM patients", "unique"),
        ("SELECT region, avg(height) FROM patients GROUP BY region", "unique"),
        ("SELECT zone, count(*) FROM patients p JOIN regions r ON r.name = p.region GROUP BY zone", "unique"),
        ("SELECT zone, count(*) FROM patients p LEFT JOIN regions r ON p.region = r.name GROUP BY zone", "unique"),
        ("SELECT zone, count(*) FROM patients p JOIN regions r ON r.zone = p.region GROUP BY zone", "general"),
        ("SELECT zone, count(*) FROM patients p JOIN regions r ON r.name >= p.region GROUP BY zone", "general"),
        ("SELECT count(*) FROM patients, regions", "single group"),
        ("SELECT count(*) FROM visits", "single group"),
        ("SELECT region, count(*) FROM visits GROUP BY region", "general"),
    ],
)
def test_a_unit_with_one_row_is_proven_from_keys_alone(text: str, path: str, catalog: Catalog) -> None:
    assert plan(text, catalog).path == path


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("SELECT count(*) FROM visits", 1),
        ("SELECT count(*), count(*) + 1, count(visit_id) FROM visits", 1),
        ("SELECT avg(minutes), sum(minutes), count(minutes) FROM visits", 2),
        ("SELECT avg(cost), avg(v.cost) FROM visits v", 2),
        ("SELECT sum(minutes), sum(minutes) FILTER (WHERE urgent) FROM visits", 2),
        ("SELECT count(*), count(DISTINCT patient_id) FROM patients", 1),
        ("SELECT count(*), count(DISTINCT patient_id) FROM visits", 2),
        ("SELECT region FROM visits GROUP BY region", 0),
    ],
)
def test_aggregates_share_their_noisy_numbers(text: str, numbers: int, catalog: Catalog) -> None:
    assert len(plan(text, catalog).statistics) == numbers


def test_sensitivities_are_those_of_the_contribution_bounds(catalog: Catalog) -> None:
    laplace = plan("SELECT count(*), sum(minutes) FROM visits", catalog, settings=QuerySettings(mechanism="laplace"))
    assert [m.sensitivity for m in laplace.mechanisms if isinstance(m, LaplaceMechanism)] == [
        20 * REFINEMENT,
        20 * 240 * REFINEMENT,
    ]
    gaussian = plan("SELECT count(*), sum(minutes) FROM visits", catalog, settings=QuerySettings(mechanism="gaussian"))
    assert [m.squared_sensitivity for m in gaussian.mechanisms if isinstance(m, GaussianMechanism)] == [
        20 * 10 * REFINEMENT**2,
        20 * 10 * (240 * REFINEMENT) ** 2,
    ]
    centred = plan("SELECT avg(minutes) FROM visits", catalog, settings=QuerySettings(mechanism="laplace"))
    assert [m.sensitivity for m in centred.mechanisms if isinstance(m, LaplaceMechanism)] == [
        20 * REFINEMENT,
        20 * 120 * REFINEMENT,
    ]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_parts_of_a_block_cost_its_epsilon_together(mechanism: str, catalog: Catalog) -> None:
    settings = QuerySettings(epsilon=Fraction(1), mechanism=mechanism)  # type: ignore[arg-type]
    several = plan(
        "SELECT region, count(*), avg(cost), sum(minutes) FROM visits GROUP BY 1", catalog, settings=settings
    )
    if mechanism == "laplace":
        assert several.price.epsilon is not None
        assert abs(several.price.epsilon - 1) < Fraction(1, 10**20)
    else:
        assert several.price.epsilon is None
        assert abs(several.price.rho - Fraction(1, 2)) < Fraction(1, 10**20)
    assert several.price == sum((m.price for m in several.mechanisms), Price.zero())


MIXED = (
    "SELECT region, count(*), min(cost), max(cost), percentile_disc(0.5) WITHIN GROUP (ORDER BY cost), "
    "mode() WITHIN GROUP (ORDER BY urgent), bool_or(urgent) FROM visits GROUP BY region"
)


@pytest.mark.parametrize("text", [MIXED, "SELECT max(cost) FROM visits", MIXED.replace("region", "diagnosis")])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_choices_pay_equal_parts_of_the_same_price(text: str, mechanism: str, catalog: Catalog) -> None:
    settings = QuerySettings(epsilon=Fraction(1), mechanism=mechanism)  # type: ignore[arg-type]
    block = plan(text, catalog, settings=settings)
    parts = [mechanism.price for mechanism in (*block.mechanisms, *block.choosing)]
    parts += [block.selection.price] if block.selection is not None else []
    assert block.price == sum(parts, Price.zero())
    share = Fraction(1, len(parts))
    paid = [price.epsilon if mechanism == "laplace" else 2 * price.rho for price in parts]
    assert [round(part, 12) for part in paid if part is not None] == [round(share, 12)] * len(parts)


def test_explain_says_what_is_chosen_from_and_how_far_off_it_is(catalog: Catalog) -> None:
    lines = explain_block(plan(MIXED, catalog))
    beginnings = [line.strip().partition(";")[0] for line in lines if line.strip().startswith("Choice")]
    assert beginnings == [
        "Choice 1: minimum of 200001 values in steps of 0.01",
        "Choice 2: maximum of 200001 values in steps of 0.01",
        "Choice 3: 0.5 quantile of 200001 values in steps of 0.01",
        "Choice 4: one of the declared values",
    ]
    ends = [line.rpartition("at most ")[2].partition("; ")[0] for line in lines if "Choice" in line]
    assert [end.split(" ", 1)[1] for end in ends] == [
        "units, as they count, from the rank that is sought",
        "units, as they count, from the rank that is sought",
        "rows, as they count, from the rank that is sought",
        "rows fewer than the most frequent one",
    ]
    assert "  min(cost): from choice 1" in lines
    assert "  bool_or(urgent): from noisy number 2; true if that is above 136; false of no rows" in lines


@pytest.mark.parametrize(
    ("value", "steps"),
    [
        ("cost", ""),
        ("minutes", ""),
        ("minutes * 100000", " and in steps of 50"),
        ("cost / 3", " and in steps of 0.001"),
        ("score", " and in steps of 0.0002"),
        ("visited_at", " and in steps of 0:05:00"),
        ("visited_at::date", ""),
    ],
)
def test_the_notice_says_in_which_steps_values_are_chosen_where_others_lie_between(
    value: str, steps: str, catalog: Catalog
) -> None:
    text = choices_text(plan(f"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY {value}) FROM visits", catalog))
    assert text.endswith(f" from the rank that is sought{steps}")


STATED = clinic.policy(**{name: {"contribution": {"max_rows": 40}} for name in ("visits", "patients")})


@pytest.mark.parametrize(
    ("from_", "times"),
    [
        ("visits v", None),
        ("visits v JOIN regions r ON r.name = v.region", None),
        ("visits v CROSS JOIN regions r", 5),
        ("visits v LEFT JOIN regions r ON r.zone > v.region", 5),
        ("visits v CROSS JOIN regions r CROSS JOIN regions q", 25),
        ("patients p LEFT JOIN visits v ON v.patient_id = p.patient_id JOIN regions r ON r.name = p.region", None),
        ("(SELECT region FROM visits UNION ALL SELECT region FROM patients) AS v", None),
    ],
)
def test_the_notice_says_how_often_a_row_counts_towards_a_stated_limit(
    from_: str, times: int | None, catalog: Catalog
) -> None:
    found = remarks(plan(f"SELECT count(*) FROM {from_}", catalog, STATED))
    told = [remark for remark in found if "FROM repeats it" in remark]
    assert told == (
        [f"each row counts up to {times} times, as FROM repeats it, and max_rows = 40 limits them all"] if times else []
    )


@pytest.mark.parametrize(
    "query", ["SELECT count(*) FROM patients, regions", "SELECT count(DISTINCT patient_id) FROM visits, regions"]
)
def test_nothing_is_said_of_repeated_rows_where_no_stated_limit_counts_them(query: str, catalog: Catalog) -> None:
    assert not [remark for remark in remarks(plan(query, catalog, clinic.policy())) if "FROM repeats it" in remark]


def test_undeclared_keys_cost_a_delta_and_declared_ones_none(catalog: Catalog) -> None:
    assert plan("SELECT diagnosis, count(*) FROM visits GROUP BY 1", catalog).price.delta > 0
    assert plan("SELECT region, count(*) FROM visits GROUP BY 1", catalog).price.delta == 0


@pytest.mark.parametrize(
    "condition",
    ["diagnosis = SOME (ARRAY['x', 'y'])", "diagnosis = ALL (ARRAY['x'])", "(diagnosis, region) IN (('x', 'north'))"],
)
def test_a_condition_that_lists_no_single_values_declares_no_key(condition: str, catalog: Catalog) -> None:
    undeclared = plan(f"SELECT diagnosis, count(*) FROM visits WHERE {condition} GROUP BY 1", catalog)
    assert (undeclared.domain, undeclared.selection is not None) == (None, True)


def test_undeclared_keys_are_refused_where_an_account_has_no_delta(catalog: Catalog) -> None:
    pure = clinic.policy(visits={"budget": {"epsilon": "10"}})
    with pytest.raises(RefusedError) as refusal:
        plan("SELECT diagnosis, count(*) FROM visits GROUP BY 1", catalog, pure)
    assert refusal.value.rule == "undeclared-keys"


def test_a_pure_account_gets_laplace_noise_only(catalog: Catalog) -> None:
    pure = clinic.policy(visits={"budget": {"epsilon": "10"}})
    assert plan("SELECT count(*) FROM visits", catalog, pure).noise_name == "laplace"
    with pytest.raises(InvalidSettingError) as refusal:
        plan("SELECT count(*) FROM visits", catalog, pure, QuerySettings(mechanism="gaussian"))
    assert refusal.value.rule == "pure-account"


def test_an_epsilon_above_the_policys_is_refused(catalog: Catalog) -> None:
    with pytest.raises(InvalidSettingError) as refusal:
        plan("SELECT count(*) FROM visits", catalog, settings=QuerySettings(epsilon=Fraction(3)))
    assert refusal.value.rule == "setting-limit"


@pytest.mark.parametrize(
    "spelling",
    [
        "select REGION , COUNT( * ) as n from public.visits as v where (v.minutes > 5) group by 1 order by 2",
        'SELECT "region", count(*) FROM visits WHERE visits.minutes > 5 GROUP BY visits.region HAVING count(*) > 0',
        "SELECT count(*), region AS r /* a comment */ FROM visits WHERE minutes>5 GROUP BY r LIMIT 3",
    ],
)
def test_spellings_of_one_block_are_one_measurement(spelling: str, catalog: Catalog) -> None:
    expected = sums_sql(plan("SELECT region, count(*) FROM visits WHERE minutes > 5 GROUP BY region", catalog))
    assert sums_sql(plan(spelling, catalog)) == expected


def test_explain_names_path_noise_and_price(catalog: Catalog) -> None:
    lines = "\n".join(explain_block(plan("SELECT region, avg(cost) FROM visits GROUP BY region", catalog)))
    for fact in ("public.visits", "max_rows 20", "declared (public.regions.name)", "95 %", "epsilon 0.5", "rho 0.125"):
        assert fact in lines


@pytest.mark.parametrize("aggregate", ["count(DISTINCT patient_id)", "max(minutes)"])
def test_without_groups_a_unit_counts_once_whatever_the_bounds_on_its_rows(aggregate: str, catalog: Catalog) -> None:
    def noise(keys: str) -> int:
        text = f"SELECT {keys}{aggregate} FROM visits{' GROUP BY region' if keys else ''}"
        block = plan(text, catalog, settings=QuerySettings(mechanism="laplace"))
        (sensitivity,) = [
            mechanism.sensitivity
            for mechanism in (*block.mechanisms, *block.choosing)
            if not isinstance(mechanism, GaussianMechanism)
        ]
        return sensitivity

    assert 2 * noise("") == noise("region, ")


def test_a_sensitivity_that_is_no_whole_number_is_rounded_up(catalog: Catalog) -> None:
    """A unit counts in at most 20/7 groups, in cells of 1/1024 and of 2^-20."""
    bounds = clinic.policy(visits={"contribution": {"max_rows": 20, "max_rows_per_group": 7}})
    text = "SELECT region, count(DISTINCT patient_id), min(cost) FROM visits GROUP BY region"
    gaussian = plan(text, catalog, bounds, QuerySettings(mechanism="gaussian"))
    laplace = plan(text, catalog, bounds, QuerySettings(mechanism="laplace"))
    assert [m.squared_sensitivity for m in gaussian.mechanisms if isinstance(m, GaussianMechanism)] == [
        -(-20 * REFINEMENT**2 // 7)
    ]
    assert [m.sensitivity for m in laplace.mechanisms if isinstance(m, LaplaceMechanism)] == [-(-20 * REFINEMENT // 7)]
    assert [mechanism.sensitivity for mechanism in gaussian.choosing] == [-(-20 * CELLS // 7)]

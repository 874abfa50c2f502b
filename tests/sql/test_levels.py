"""Grouping sets as levels: which are measured, what each costs, how noisy it is, and that nothing else is released."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction

import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.query.same_question import block_hash
from proxy.release.drawn import draw
from proxy.release.noisy_answers import listed, release, rows_to_show
from proxy.release.totals import MOST_WORK, check_size
from proxy.settings import QuerySettings
from proxy.sql.explain import explain_block
from proxy.sql.planning.guarantees import Noise
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum, RowCount
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults, sums_sql
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.sql.test_planning import plan

NOISES: list[Noise] = ["laplace", "gaussian"]
ROLLUP = "SELECT region, urgent, count(*), sum(cost) FROM visits GROUP BY ROLLUP (region, urgent)"
PARTS = [(region, urgent) for region in ("north", "south", "east") for urgent in ("f", "t")]


@pytest.fixture(scope="module")
def catalog(postgres_cluster: PostgresCluster) -> Catalog:
    dsn = postgres_cluster.create_database("levels")
    clinic.create(dsn)
    return read_catalog(dsn, list(clinic.policy().tables), ["public.regions", "public.specialties"])


def grouped(sets: str, catalog: Catalog, noise: Noise | None = None, columns: str = "count(*), sum(cost)") -> BlockPlan:
    return plan(f"SELECT {columns} FROM visits GROUP BY {sets}", catalog, settings=QuerySettings(mechanism=noise))


def levels_of(block: BlockPlan) -> tuple[list[str], tuple[int, ...]]:
    assert block.levels is not None
    return [level.grouping for level in block.levels.measured], block.levels.shown


@pytest.mark.parametrize(
    ("sets", "measured", "shown"),
    [
        ("ROLLUP (region, urgent)", ["00", "01", "11"], (0, 1, 2)),
        ("GROUPING SETS ((), (region), (urgent, region))", ["00", "01", "11"], (2, 1, 0)),
        ("CUBE (region, urgent)", ["00", "01", "10", "11"], (0, 1, 2, 3)),
        ("region, ROLLUP (urgent, specialty_id)", ["000", "001", "011"], (0, 1, 2)),
        ("GROUPING SETS ((region), (urgent))", ["00", "01", "10"], (1, 2)),
        ("GROUPING SETS ((region), (region))", ["0"], (0, 0)),
        ("GROUPING SETS ((), ())", [""], (0, 0)),
    ],
)
def test_each_different_grouping_set_is_measured_once_and_the_finest_always(
    sets: str, measured: list[str], shown: tuple[int, ...], catalog: Catalog
) -> None:
    assert levels_of(grouped(sets, catalog))[0] == measured
    assert sorted(levels_of(grouped(sets, catalog))[1]) == sorted(shown)


@pytest.mark.parametrize(
    ("sets", "shown"),
    [
        ("ROLLUP (region), ROLLUP (region)", (0, 0, 0, 1)),
        ("ALL ROLLUP (region), ROLLUP (region)", (0, 0, 0, 1)),
        ("DISTINCT ROLLUP (region), ROLLUP (region)", (0, 1)),
        ("DISTINCT CUBE (region, upper(region)), ROLLUP (region)", (0, 1, 2, 3)),
    ],
)
def test_group_by_distinct_shows_each_grouping_set_once(sets: str, shown: tuple[int, ...], catalog: Catalog) -> None:
    assert tuple(sorted(levels_of(grouped(sets, catalog))[1])) == shown


@pytest.mark.parametrize("sets", ["region, urgent", "(region, urgent)", "GROUPING SETS ((region, urgent))", "()"])
def test_one_grouping_set_is_an_ordinary_block(sets: str, catalog: Catalog) -> None:
    assert grouped(sets, catalog).levels is None


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("sets", ["CUBE (region, urgent)", "GROUPING SETS ((region), (urgent), ())"])
def test_all_levels_together_cost_what_a_plain_block_costs(sets: str, noise: Noise, catalog: Catalog) -> None:
    block, plain = grouped(sets, catalog, noise), grouped("region", catalog, noise)
    assert block.levels is not None
    assert block.price.epsilon == plain.price.epsilon
    assert block.price.rho == plain.price.rho if noise == "gaussian" else block.price.rho < plain.price.rho
    assert block.price == sum((m.price for level in block.levels.measured for m in level.mechanisms), Price.zero())


def prices(block: BlockPlan) -> list[Fraction]:
    """What share of the block's price each level takes."""
    assert block.levels is not None
    return [
        sum((m.price.rho for m in level.mechanisms), Fraction(0)) / block.price.rho for level in block.levels.measured
    ]


def test_levels_share_the_price_equally_and_a_finest_level_that_nobody_asks_for_takes_a_sixteenth(
    catalog: Catalog,
) -> None:
    assert prices(grouped("ROLLUP (region, urgent)", catalog, "gaussian")) == [Fraction(1, 3)] * 3
    hidden = prices(grouped("GROUPING SETS ((region), (urgent), ())", catalog, "gaussian"))
    assert hidden == [Fraction(1, 16), *[Fraction(15, 48)] * 3]


def test_the_same_grouping_sets_in_other_words_are_the_same_question(catalog: Catalog) -> None:
    schema = Schema(clinic.policy(), catalog)

    def name(sets: str) -> str:
        return block_hash(grouped(sets, catalog), (), schema)

    same = {name("ROLLUP (region, urgent)"), name("GROUPING SETS ((region, urgent), (), (region), ())")}
    different = {name("region, urgent"), name("CUBE (region, urgent)"), name("GROUPING SETS ((region, urgent), ())")}
    assert len(same) == 1
    assert len(same | different) == 4
    # As many levels with the same noise, over the same source query: what is kept still differs.
    assert name("GROUPING SETS ((region, urgent), (urgent), ())") not in same


def test_more_than_64_grouping_sets_are_refused(catalog: Catalog) -> None:
    keys = ["region", "urgent", "specialty_id", "(cost > 1)", "(cost > 2)", "(cost > 3)", "(cost > 4)"]
    assert len(levels_of(grouped(f"CUBE ({', '.join(keys[:6])})", catalog))[0]) == 64
    equal = f"GROUPING SETS ({', '.join(['(region)'] * 65)})"
    for sets in (f"CUBE ({', '.join(keys)})", "CUBE (region, urgent), " * 3 + "ROLLUP (specialty_id)", equal):
        with pytest.raises(UnsupportedError, match="more than 64 grouping sets") as error:
            grouped(sets, catalog)
        assert error.value.rule == "grouping-sets"


@pytest.mark.parametrize("keys", [18, 70])
def test_the_sets_of_a_cube_are_counted_before_they_are_written_out(keys: int, catalog: Catalog) -> None:
    cube = f"CUBE ({', '.join(f'(cost > {key})' for key in range(keys))})"
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedError, match="more than 64 grouping sets") as error:
            grouped(cube, catalog)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert (error.value.rule, error.value.sqlstate) == ("grouping-sets", "0A000")


def test_totals_of_people_and_of_distinct_values_are_refused_but_equal_sets_of_them_are_not(catalog: Catalog) -> None:
    for number in ("count(DISTINCT patient_id)", "count(DISTINCT minutes)"):
        with pytest.raises(UnsupportedError, match="count") as error:
            grouped("ROLLUP (region)", catalog, columns=number)
        assert error.value.rule == "grouping-sets"
        assert levels_of(grouped("GROUPING SETS ((region), (region))", catalog, columns=number)) == (["0"], (0, 0))


def test_so_many_numbers_that_the_fit_would_take_long_are_refused(catalog: Catalog) -> None:
    block = plan(ROLLUP, catalog)
    most = MOST_WORK // (2 * 3**2)
    check_size(block, most)
    with pytest.raises(UnsupportedError, match="too many groups to be made consistent") as error:
        check_size(block, most + 1)
    assert error.value.rule == "too-many-keys"
    check_size(grouped("region, urgent", catalog), 10 * most)


@pytest.mark.parametrize("noise", NOISES)
def test_every_level_gets_noise_of_its_own_as_wide_as_its_mechanism_says(noise: Noise, catalog: Catalog) -> None:
    # 600 releases of nothing. The deviation of n numbers has a relative error of at most sqrt(5 / 4n) (Laplace), 4.6 %
    # for the grand total and 2.6 % for the three regions; the tolerances are 6.5 of them, so a false alarm has a
    # probability below 1e-6. Noise of M·m instead of M² in the regions is 29 % too little, 4 errors beyond the tolerance.
    block = plan(ROLLUP, catalog, settings=QuerySettings(mechanism=noise))
    assert block.levels is not None
    answers = [release(block, ExactResults([], [], []), PARTS, draw(block, PARTS)) for _ in range(600)]
    for level in block.levels.measured:
        for index, mechanism in enumerate(level.mechanisms):
            drawn = [
                values[index]
                for answer in answers
                for key, values in zip(answer.keys, answer.values, strict=True)
                if key[0] == level.grouping
            ]
            deviation = math.sqrt(sum(number**2 for number in drawn) / len(drawn))
            tolerance = 0.3 / math.sqrt(len(drawn) / 600)
            assert deviation == pytest.approx(mechanism.standard_deviation, rel=tolerance)


def numbers(block: BlockPlan, cells: list[int]) -> dict[tuple[str | None, ...], int]:
    """The exact totals, by key, as a release without noise would keep them."""
    measured = ExactResults(list(PARTS), [(total, total) for total in cells], [])
    answer = release(block, measured, PARTS, draw(block, PARTS))
    return {
        key: round(values[0] / block.cells_per_step(0)) for key, values in zip(answer.keys, answer.values, strict=True)
    }


def exact(catalog: Catalog, sets: str) -> BlockPlan:
    text = f"SELECT region, urgent, count(*), sum(cost) FROM visits GROUP BY {sets}"
    return plan(text, catalog, policy=clinic.exact_policy())


def test_totals_are_sums_of_the_declared_groups(catalog: Catalog) -> None:
    found = numbers(exact(catalog, "CUBE (region, urgent)"), [1024 * number for number in range(1, 7)])
    assert found[("11", None, None)] == 21
    assert [found[("01", region, None)] for region in ("north", "south", "east")] == [3, 7, 11]
    assert [found[("10", None, urgent)] for urgent in "ft"] == [9, 12]


def test_consistent_numbers_add_up_and_are_not_negative_and_raw_ones_are_neither(catalog: Catalog) -> None:
    block = plan(ROLLUP, catalog)
    negative = 0
    for _ in range(20):
        answer = release(block, ExactResults([], [], []), PARTS, draw(block, PARTS))
        raw = rows_to_show(block, answer, hide_empty=False, consistent=False)
        fitted = rows_to_show(block, answer, hide_empty=False)
        assert raw.keys == fitted.keys
        negative += sum(number is not None and number < 0 for row in raw.statistics for number in row)
        for index in (0, 1):
            column = {key: row[index] or 0 for key, row in zip(fitted.keys, fitted.statistics, strict=True)}
            assert min(column.values()) >= 0
            regions = [("01", region, None) for region in ("north", "south", "east")]
            assert column["11", None, None] == sum(column[region] for region in regions)
            for _, region, _ in regions:
                assert column["01", region, None] == sum(column["00", region, urgent] for urgent in "ft")
    # Of 400 raw numbers around 0, hardly fewer than half.
    assert negative > 100


def test_the_grand_total_shows_though_everything_looks_empty_and_its_sum_is_null(catalog: Catalog) -> None:
    block = exact(catalog, "CUBE (region, urgent)")
    shown = rows_to_show(block, release(block, ExactResults([], [], []), PARTS, draw(block, PARTS)), hide_empty=True)
    assert shown.keys == [("11", None, None)]
    assert [tuple(row) for row in shown.statistics] == [(Fraction(0), None)]


def test_a_total_is_hidden_only_with_all_of_its_parts(catalog: Catalog) -> None:
    block = exact(catalog, "GROUPING SETS ((region, urgent), (region))")
    cells = 1024 * 7
    parts = [(cells if part == ("south", "t") else 0,) * 2 for part in PARTS]
    keys = (*(("00", *part) for part in PARTS), *(("01", region, None) for region in ("north", "south", "east")))
    answer = StoredAnswer(keys, (*parts, *[(0, 0)] * 3))
    shown = rows_to_show(block, answer, hide_empty=True, consistent=False)
    assert list(shown.keys) == [("00", "south", "t"), ("01", "south", None)]


def test_centred_sums_may_become_negative_where_counts_may_not(catalog: Catalog) -> None:
    block = grouped("ROLLUP (region, urgent)", catalog, columns="avg(minutes)")
    counts, sums = (
        next(i for i, statistic in enumerate(block.statistics) if isinstance(statistic, kind))
        for kind in (RowCount, GridSum)
    )
    rows = [
        row
        for _ in range(10)
        for row in rows_to_show(
            block, release(block, ExactResults([], [], []), PARTS, draw(block, PARTS)), hide_empty=False
        ).statistics
    ]
    assert min(row[counts] or 0 for row in rows) == 0
    # 60 cells of noise around 0: none is below with a probability of 2^-60.
    assert min(row[sums] or 0 for row in rows) < 0


def test_a_block_without_declared_groups_has_a_grand_total_as_in_postgres(catalog: Catalog) -> None:
    block = plan(ROLLUP, catalog)
    answer = release(block, ExactResults([], [], []), [], draw(block, []))
    assert answer.keys == (("11", None, None),)
    for consistent in (True, False):
        assert len(rows_to_show(block, answer, hide_empty=False, consistent=consistent).keys) == 1


def test_keys_alone_have_their_totals_too_and_nothing_is_paid_for(catalog: Catalog) -> None:
    block = plan("SELECT region, urgent FROM visits GROUP BY ROLLUP (region, urgent)", catalog)
    assert not block.asks_source
    shown = rows_to_show(block, listed(block, PARTS), hide_empty=False)
    assert len(shown.keys) == 6 + 3 + 1
    assert set(shown.statistics) == {()}
    assert not any("onsistency" in line for line in explain_block(block))


def test_a_unit_is_scaled_down_in_both_norms_only_for_totals_with_gaussian_noise(catalog: Catalog) -> None:
    def scale(sets: str, noise: Noise) -> bool:
        return "OR r > " in sums_sql(grouped(sets, catalog, noise))

    assert scale("ROLLUP (region, urgent)", "gaussian")
    assert not scale("ROLLUP (region, urgent)", "laplace")
    assert not scale("region, urgent", "gaussian")
    assert not scale("GROUPING SETS ((region), (region))", "gaussian")


def test_explain_says_what_each_level_gets(catalog: Catalog) -> None:
    lines = explain_block(plan(ROLLUP, catalog, settings=QuerySettings(mechanism="gaussian")))
    text = "\n".join(lines)
    assert "Grouping sets: 3, each with noise of its own for an equal share of the price" in text
    assert "Consistency: totals and parts are made to add up, at no price" in text
    assert "all their rows <= 20" in text
    deviations = [line.split("standard deviation ")[1].split(",")[0] for line in lines if "standard deviation" in line]
    # M² = 400 instead of M·m = 200 for totals.
    assert float(deviations[1]) == pytest.approx(math.sqrt(2) * float(deviations[0]), rel=1e-5)
    assert any(line.startswith("    in each total: ") for line in lines)
    hidden = explain_block(grouped("GROUPING SETS ((region), (urgent))", catalog))
    assert any("not shown, measured for 1/16 of the price" in line for line in hidden)


def test_noises_differ_between_levels_only_by_their_sensitivity(catalog: Catalog) -> None:
    for noise in NOISES:
        block = grouped("ROLLUP (region, urgent)", catalog, noise)
        assert block.levels is not None
        for finest, total in zip(
            block.levels.measured[0].mechanisms, block.levels.measured[-1].mechanisms, strict=True
        ):
            assert finest.price == total.price
            if isinstance(finest, LaplaceMechanism):
                assert finest == total
            elif isinstance(finest, GaussianMechanism) and isinstance(total, GaussianMechanism):
                assert 2 * finest.squared_sensitivity == total.squared_sensitivity

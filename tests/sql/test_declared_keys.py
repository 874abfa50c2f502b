"""Which values a policy declares for a column, how the stage writes them, and whether they are all there are (decision 5).

A group that the stage writes otherwise than the source is never found; one that is missing is in no answer.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from proxy.errors import RefusedError
from proxy.policy.catalog import Catalog, ForeignKey, Table
from proxy.policy.model import ColumnPolicy, ContributionPolicy
from proxy.sql.planning.domains import Domain
from proxy.sql.planning.keys import LONGEST_KEY, Key, limited_keys
from proxy.sql.schema import Schema
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TEXT
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY


def _domain(
    text: str,
    table: str,
    columns: dict[str, dict[str, Any]],
    *,
    max_rows: int | None = None,
    catalog: Catalog = CATALOG,
) -> Domain | None:
    """The declared keys of a block, after a change of the policy for some columns of its table. If `max_rows` is 0, nobody
    states it."""
    name = f"public.{table}"
    before = POLICY.tables[name]
    assert before.columns is not None
    declared = {column: ColumnPolicy.model_validate(policy) for column, policy in columns.items()}
    contribution = ContributionPolicy(max_rows=max_rows or None) if max_rows is not None else before.contribution
    after = before.model_copy(update={"columns": {**before.columns, **declared}, "contribution": contribution})
    policy = POLICY.model_copy(update={"tables": {**POLICY.tables, name: after}})
    schema = Schema(policy, catalog)
    return plan_of(text, schema).domain


def _grouped(column: str, table: str) -> str:
    return f"SELECT {column}, count(*) FROM {table} GROUP BY {column}"


@pytest.mark.parametrize(
    ("column", "value", "modifier", "written"),
    [
        ("code", "ab", 8, "('ab'::bpchar(4))"),
        ("code", "ab", -1, "('ab'::bpchar)"),
        ("short", "ab", 14, "('ab'::character varying(10))"),
        ("level", "1.5", -1, "('1.5'::numeric)"),
        ("level", "1.5", (8 << 16 | 2) + 4, "('1.5'::numeric(8, 2))"),
        ("small", 3, -1, "('3'::smallint)"),
    ],
)
def test_a_declared_value_has_the_length_or_scale_of_stored_ones(
    column: str, value: object, modifier: int, written: str
) -> None:
    readings = CATALOG.tables["public.readings"]
    stored = replace(readings.columns[column], type_modifier=modifier, scale=2 if modifier > 100 else None)
    changed = replace(readings, columns={**readings.columns, column: stored})
    catalog = Catalog({**CATALOG.tables, "public.readings": changed})
    domain = _domain(_grouped(column, "readings"), "readings", {column: {"values": [value]}}, catalog=catalog)
    assert domain is not None
    assert f"(VALUES {written})" in domain.sql


def test_a_boolean_has_both_values_unless_the_policy_names_one() -> None:
    both = _domain(_grouped("smoker", "patients"), "patients", {})
    one = _domain(_grouped("smoker", "patients"), "patients", {"smoker": {"values": [True]}})
    listed = _domain(_grouped("smoker", "patients"), "patients", {"smoker": {"values": [False, True]}})
    assert both is not None
    assert both.complete
    assert listed is not None
    assert listed.complete
    assert one is not None
    assert not one.complete
    assert "(VALUES ('true'::boolean))" in one.sql


@pytest.mark.parametrize(
    ("column", "limits", "declares"),
    [
        ("minutes", {"bounds": [0, 9_999]}, True),
        ("minutes", {"bounds": [0, 10_000]}, False),
        ("minutes", {"range": [0, 10_000]}, True),
        ("minutes", {"bounds": [0, 49_995], "step": 5}, True),
        ("minutes", {"bounds": [0, 50_000], "step": 2}, False),
        ("day", {"bounds": [dt.date(1800, 1, 1), dt.date(1800, 1, 1) + dt.timedelta(99_999)]}, True),
        ("day", {"bounds": [dt.date(1800, 1, 1), dt.date(1800, 1, 1) + dt.timedelta(100_000)]}, False),
        ("day", {"range": [dt.date(1990, 1, 1), dt.date(1990, 1, 1) + dt.timedelta(10_000)]}, True),
        ("cost", {"bounds": [0, "99.99"]}, True),
        ("cost", {"bounds": [0, 100]}, False),
        ("score", {"bounds": [0, 5]}, False),
        ("score", {"bounds": [-1, 1], "step": "0.25"}, True),
        ("visited_at", {"bounds": [dt.date(2024, 1, 1), dt.date(2024, 1, 3)]}, False),
    ],
)
def test_bounds_declare_few_steps_or_days_and_a_range_all(column: str, limits: dict[str, Any], declares: bool) -> None:
    if declares:
        assert _domain(_grouped(column, "visits"), "visits", {column: limits}) is not None
    else:
        with pytest.raises(RefusedError, match=f"{column} has too many possible values to group by"):
            _domain(_grouped(column, "visits"), "visits", {column: limits})


@pytest.mark.parametrize(
    "query",
    [
        "SELECT c, count(*) FROM (SELECT cost AS c FROM visits) t GROUP BY c",
        "WITH a AS (SELECT cost FROM visits), b AS (SELECT cost AS c FROM a) SELECT c, count(*) FROM b GROUP BY c",
        "SELECT cost::int, count(*) FROM visits GROUP BY 1",
        "SELECT c::numeric, count(*) FROM (SELECT cost AS c FROM visits) t GROUP BY 1",
    ],
)
def test_bounded_columns_with_too_many_values_are_refused_behind_subqueries_and_casts(query: str) -> None:
    with pytest.raises(RefusedError, match="has too many possible values to group by") as refusal:
        _domain(query, "visits", {"cost": {"bounds": [0, 20_000]}})
    assert refusal.value.hint is not None
    assert "/ 1000) * 1000" in refusal.value.hint


@pytest.mark.parametrize(
    ("result", "declares"),
    [("'few'", True), ("NULL", True), ("CASE WHEN sum(cost) > 9 THEN 'x' END", True), ("max(region)", False)],
)
def test_a_case_about_aggregates_declares_its_results_if_all_are_constants(result: str, declares: bool) -> None:
    case = f"CASE WHEN count(*) > 9 THEN 'many' ELSE {result} END AS n"
    found = _domain(
        f"SELECT n, count(*) FROM (SELECT {case} FROM visits GROUP BY patient_id) t GROUP BY n", "visits", {}
    )
    assert (found is not None) == declares
    assert found is None or found.complete


@pytest.mark.parametrize(("max_rows", "declares"), [(9_999, True), (10_000, False)])
def test_counts_of_a_units_rows_are_declared_where_they_are_few(max_rows: int, declares: bool) -> None:
    text = "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS t GROUP BY n"
    assert (_domain(text, "visits", {}, max_rows=max_rows) is not None) == declares


@pytest.mark.parametrize(
    ("texts", "max_groups", "longest"),
    [(1, 12, LONGEST_KEY), (3, 12, 8_333), (4, 12, 6_250), (1, 10_000, 2_500), (2, 10_000, 1_250), (1, 10**7, 50)],
)
def test_the_longer_and_the_more_a_units_keys_could_be_the_shorter_each_is_cut(
    texts: int, max_groups: int, longest: int
) -> None:
    keys = tuple(Key(f"t{number}", Term(f"t{number}", TEXT, True), f"t{number}") for number in range(texts))
    for key, limited in zip(keys, limited_keys(keys, max_groups), strict=True):
        assert limited.term.sql == (
            f"(CASE WHEN octet_length({key.text}) > {longest} THEN left({key.text}, {longest})::text ELSE {key.text} END)"
        )


@pytest.mark.parametrize("key", ["{}", "to_char({}, 'Mon')", "({})::date"])
def test_months_of_another_time_zone_are_not_those_of_the_sessions(key: str) -> None:
    for call, in_zone in (
        ("date_trunc('month', paid_at)", False),
        ("date_trunc('month', paid_at, 'Asia/Tokyo')", True),
        ("date_trunc('month', paid_at AT TIME ZONE 'Asia/Tokyo')", True),
    ):
        domain = _domain(f"SELECT {key.format(call)}, count(*) FROM visits GROUP BY 1", "visits", {})
        assert domain is not None
        assert ("timezone('Asia/Tokyo'" in domain.sql) == in_zone
        assert domain.depends_on_server


def _collated(text: str, column: str) -> Domain | None:
    """The declared keys, where different texts of the column can be equal."""
    visits = CATALOG.tables["public.visits"]
    collated = replace(visits, columns={**visits.columns, column: replace(visits.columns[column], collation=16_400)})
    return _domain(text, "visits", {}, catalog=Catalog({**CATALOG.tables, "public.visits": collated}))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("SELECT region = 'x', count(*) FROM visits GROUP BY 1", "region"),
        ("SELECT region IN ('x'), count(*) FROM visits GROUP BY 1", "region"),
        ("SELECT note, count(*) FROM visits WHERE note IN ('a', 'b') GROUP BY note", "note"),
    ],
)
def test_keys_are_declared_alike_under_every_collation(text: str, column: str) -> None:
    """A source query reads such a column under a collation by which only identical texts are equal, as on the stage."""
    known, collated = _domain(text, "visits", {}), _collated(text, column)
    assert known is not None
    assert collated is not None
    assert collated.sql == known.sql


COUNTS = (
    "(SELECT patient_id, count(*) AS n, count(*) FILTER (WHERE diagnosis = 'flu') AS sick, "
    "least(count(cost), 7) AS few FROM visits GROUP BY patient_id) AS each"
)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("least(n, 10)", "generate_series(1, 10)"),
        ("least(sick, 10)", "generate_series(0, 10)"),
        ("greatest(least(n, 10), 3)", "generate_series(3, 10)"),
        ("few", "generate_series(0::bigint, 7::bigint)"),
    ],
)
def test_a_limited_count_is_declared_where_nobody_states_how_many_rows_count(key: str, values: str) -> None:
    domain = _domain(f"SELECT {key}, count(*) FROM {COUNTS} GROUP BY 1", "visits", {}, max_rows=0)
    assert domain is not None
    assert values in domain.sql


@pytest.mark.parametrize(
    ("counts", "least"),
    [
        ("SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id", 1),
        ("SELECT p.patient_id, count(*) AS n FROM patients p LEFT JOIN visits v USING (patient_id) GROUP BY 1", 1),
        ("SELECT p.patient_id, count(v) AS n FROM patients p LEFT JOIN visits v USING (patient_id) GROUP BY 1", 0),
        ("SELECT p.patient_id, count(v.visit_id) AS n FROM patients p LEFT JOIN visits v USING (patient_id) GROUP BY 1", 0),
        ("SELECT p.patient_id, coalesce(n, 0) AS n FROM patients p LEFT JOIN (SELECT patient_id, count(*) AS n "
         "FROM visits GROUP BY 1) v USING (patient_id)", 0),
        ("SELECT patient_id, (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) AS n FROM patients p", 0),
        ("SELECT patient_id, count(*) OVER (PARTITION BY patient_id ORDER BY visit_id "
         "ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS n FROM visits", 0),
    ],
)  # fmt: skip
def test_all_rows_of_a_group_are_at_least_one(counts: str, least: int) -> None:
    domain = _domain(f"SELECT least(n, 5), count(*) FROM ({counts}) AS each GROUP BY 1", "visits", {}, max_rows=0)
    assert domain is not None
    assert f"generate_series({least}, 5)" in domain.sql


def test_a_column_without_null_is_never_null() -> None:
    visits = "SELECT {} AS k, count(*) FROM visits GROUP BY 1"
    joined = "SELECT {} AS k, count(*) FROM patients p LEFT JOIN visits v USING (patient_id) GROUP BY 1"
    for query, key, has_null in (
        (visits, "visit_id IS NOT NULL", False),
        (visits, "visit_id IS NULL", False),
        (visits, "cost IS NULL", True),
        (joined, "v.visit_id IS NULL", True),
    ):
        domain = _domain(query.format(key), "visits", {})
        assert domain is not None
        assert domain.complete
        assert ("UNION ALL SELECT NULL" in domain.sql) is has_null


@pytest.mark.parametrize(
    "key",
    [
        "n",
        "least(n, 102)",
        "greatest(n, 10)",
        "least(n, 10.5)",
        "least(n, 10)::text || CASE WHEN n >= 10 THEN '+' ELSE '' END",
    ],
)
def test_other_expressions_of_a_count_are_selected_there(key: str) -> None:
    """The last one would have groups that nobody can be in."""
    assert _domain(f"SELECT {key}, count(*) FROM {COUNTS} GROUP BY 1", "visits", {}, max_rows=0) is None


PRESENT = Catalog(
    {
        **CATALOG.tables,
        "public.visits": replace(
            CATALOG.tables["public.visits"],
            columns={
                name: replace(column, nullable=column.nullable and name != "region")
                for name, column in CATALOG.tables["public.visits"].columns.items()
            },
        ),
    }
)
"""With visits.region NOT NULL, whose foreign key leads to a region."""


@pytest.mark.parametrize(
    ("text", "has_null"),
    [
        ("SELECT (SELECT zone FROM regions WHERE name = v.region), count(*) FROM visits v GROUP BY 1", False),
        ("SELECT upper((SELECT r.zone FROM regions r WHERE r.name = v.region)), count(*) FROM visits v GROUP BY 1", False),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT name AS n, zone AS z FROM regions) r ON n = region GROUP BY 1", False),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT n, z FROM (SELECT name AS n, zone AS z FROM regions) q) r "
         "ON n = region GROUP BY 1", False),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT name AS n, zone AS z FROM regions WHERE zone <> 'x') r "
         "ON n = region GROUP BY 1", True),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT DISTINCT zone AS z FROM regions) r ON z = region GROUP BY 1", True),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT lower(name) AS n, zone AS z FROM regions) r ON n = region "
         "GROUP BY 1", True),
        ("SELECT z, count(*) FROM visits LEFT JOIN (SELECT a.name AS n, a.zone AS z FROM regions a JOIN regions b "
         "ON b.zone = a.name) r ON n = region GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT region AS area FROM visits) v LEFT JOIN regions ON name = area GROUP BY 1", False),
        ("SELECT zone, count(*) FROM (SELECT (area) AS a FROM (SELECT DISTINCT patient_id, region AS area FROM visits) q WHERE "
         "patient_id > 5) v LEFT JOIN (SELECT name AS n, zone FROM regions) r ON n = a GROUP BY 1", False),
        ("SELECT zone, count(*) FROM (SELECT v.region AS area FROM visits v JOIN patients p USING (patient_id)) v "
         "LEFT JOIN regions ON name = area GROUP BY 1", False),
        ("SELECT zone, count(*) FROM (SELECT lower(region) AS area FROM visits) v LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT diagnosis AS area FROM visits) v LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT region AS area FROM visits UNION ALL SELECT region FROM patients) v "
         "LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT region AS area FROM visits UNION ALL SELECT coalesce(region, 'x') FROM visits) v "
         "LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT v.region AS area FROM patients p LEFT JOIN visits v USING (patient_id)) v "
         "LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM patients p LEFT JOIN (SELECT patient_id, region AS area FROM visits) v USING (patient_id) "
         "LEFT JOIN regions ON name = area GROUP BY 1", True),
        ("SELECT zone, count(*) FROM (SELECT a FROM (SELECT q.area AS a FROM patients p LEFT JOIN (SELECT patient_id, region AS area "
         "FROM visits) q USING (patient_id)) s) v LEFT JOIN regions ON name = a GROUP BY 1", True),
        ("SELECT (SELECT zone FROM regions WHERE name = v.region AND zone <> 'x'), count(*) FROM visits v GROUP BY 1", True),
        ("SELECT (SELECT zone FROM regions WHERE name = v.diagnosis), count(*) FROM visits v GROUP BY 1", True),
    ],
)  # fmt: skip
def test_a_lookup_along_a_foreign_key_finds_a_row(text: str, *, has_null: bool) -> None:
    """So there is no group of rows that found none; of what leaves rows of the public table out, there is one."""
    found, nullable = _domain(text, "visits", {}, catalog=PRESENT), _domain(text, "visits", {})
    assert found is not None
    assert nullable is not None
    assert ("SELECT NULL" in found.sql) is has_null
    assert "SELECT NULL" in nullable.sql


def _present(table: str, *columns: str) -> Table:
    """A table of PRESENT with these columns NOT NULL."""
    found = PRESENT.tables[f"public.{table}"]
    present = {name: replace(found.columns[name], nullable=False) for name in columns}
    return replace(found, columns={**found.columns, **present})


TWO_COLUMNS = Catalog(
    {
        **PRESENT.tables,
        "public.regions": _present("regions", "zone"),
        "public.visits": replace(
            _present("visits", "diagnosis"),
            foreign_keys=(
                ForeignKey(("patient_id",), "public.patients", ("patient_id",)),
                ForeignKey(("region", "diagnosis"), "public.regions", ("name", "zone")),
            ),
        ),
    }
)
"""With a foreign key of two columns to regions."""


@pytest.mark.parametrize(
    ("rows", "has_null"),
    [
        ("(SELECT region AS a, diagnosis AS b FROM visits) AS v", False),
        ("(SELECT v.region AS a, w.diagnosis AS b FROM visits v JOIN visits w USING (patient_id)) AS v", True),
        (
            "(SELECT patient_id, region AS a FROM visits) AS v "
            "JOIN (SELECT patient_id, diagnosis AS b FROM visits) AS w USING (patient_id)",
            True,
        ),
        ("(SELECT region AS a, region AS b FROM visits) AS v", True),
    ],
)
def test_a_foreign_key_of_two_columns_leads_on_from_one_row(rows: str, *, has_null: bool) -> None:
    text = f"SELECT zone, count(*) FROM {rows} LEFT JOIN regions ON name = a AND zone = b GROUP BY 1"
    found = _domain(text, "visits", {}, catalog=TWO_COLUMNS)
    assert found is not None
    assert ("SELECT NULL" in found.sql) is has_null


@pytest.mark.parametrize(
    ("joined", "has_null"),
    [
        ("patients", False),
        ("(SELECT * FROM patients) AS q", False),
        ("(SELECT * FROM (SELECT patient_id, smoker FROM patients) AS o) AS q", False),
        ("(SELECT * FROM patients WHERE height > 1) AS q", True),
        ("(SELECT p.* FROM patients p JOIN visits USING (patient_id)) AS q", True),
    ],
)
def test_a_foreign_key_leads_to_each_row_of_a_private_table(joined: str, *, has_null: bool) -> None:
    text = f"SELECT smoker, count(*) FROM (SELECT patient_id AS p FROM visits) AS v LEFT JOIN {joined} ON patient_id = p GROUP BY 1"
    catalog = Catalog({**PRESENT.tables, "public.patients": _present("patients", "smoker")})
    found = _domain(text, "visits", {}, catalog=catalog)
    assert found is not None
    assert ("NULL" in found.sql) is has_null


@pytest.mark.parametrize(("value", "optional"), [("cost", False), ("upper(note)", True)])
def test_a_subquery_that_leaves_rows_of_a_unit_out_need_not_have_the_row(value: str, *, optional: bool) -> None:
    """Where a row may take long, only so many of a unit's rows take part."""
    joined = f"(SELECT visit_id AS v, urgent, {value} AS x FROM visits) AS v ON v.v = d.visit_id"
    plan = plan_of(
        f"SELECT urgent, count(*), count(x) FROM drugs d LEFT JOIN {joined} GROUP BY 1", Schema(POLICY, CATALOG)
    )
    assert [member.optional for member in plan.relation.members] == [False, optional]


def _bounds(column: str, policy: dict[str, Any]) -> tuple[Fraction, Fraction] | None:
    columns = POLICY.tables["public.visits"].columns
    assert columns is not None
    table = POLICY.tables["public.visits"].model_copy(
        update={"columns": columns | {column: ColumnPolicy.model_validate(policy)}}
    )
    tables = POLICY.tables | {"public.visits": table}
    found = Schema(POLICY.model_copy(update={"tables": tables}), CATALOG).table("public.visits").term(column).bounds
    return (found.low, found.high) if found is not None else None


@pytest.mark.parametrize(
    ("column", "policy", "bounds"),
    [
        ("minutes", {"values": [30, 5, 60]}, (5, 60)),
        ("cost", {"values_from": "public.prices.amount"}, (Fraction(1, 2), 20)),
        ("minutes", {"values": [30, 5, 60], "bounds": [0, 240]}, (0, 240)),
        ("minutes", {}, None),
    ],
)
def test_declared_numbers_are_bounds_where_the_policy_states_none(
    column: str, policy: dict[str, Any], bounds: tuple[Fraction, Fraction] | None
) -> None:
    assert _bounds(column, policy) == bounds


@pytest.mark.parametrize(
    ("column", "step", "checked", "complete"),
    [
        ("cost", None, True, True),
        ("cost", None, False, False),
        ("cost", "0.05", True, False),
        ("score", "0.5", True, False),
    ],
)
def test_steps_are_all_values_where_a_check_and_the_type_say_so(
    column: str, step: str | None, checked: bool, complete: bool
) -> None:
    visits = replace(CATALOG.tables["public.visits"], checks=(f"{column} >= 0 AND {column} <= 5",) if checked else ())
    catalog = Catalog(CATALOG.tables | {"public.visits": visits})
    policy = {"bounds": [0, 5]} | ({"step": step} if step is not None else {})
    found = _domain(_grouped(column, "visits"), "visits", {column: policy}, catalog=catalog)
    assert found is not None
    assert found.complete == complete

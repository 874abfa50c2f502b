"""min, max and percentiles of texts whose values the policy lists: with a huge epsilon, Postgres's own by code points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

VALUES = [*(f"diagnosis {number}" for number in range(40)), "Zoster", "äther", "it's \\ odd"]
ODD = {
    "upper case first": "UPDATE visits SET diagnosis = 'Zoster' WHERE visit_id % 5 = 0",
    "letters beyond ASCII last": "UPDATE visits SET diagnosis = 'äther' WHERE visit_id % 7 = 1",
    "quotes and backslashes": "UPDATE visits SET diagnosis = 'it''s \\ odd' WHERE visit_id % 5 = 2",
}
QUERIES = {
    "extremes": "SELECT min({x}), max({x}) FROM visits",
    "by key": "SELECT region, min({x}), max({x}), count(*) FROM visits GROUP BY region",
    "of distinct values": "SELECT min(DISTINCT {x}), max({x}) FILTER (WHERE urgent) FROM visits",
    "percentiles": "SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY {x}), "
    "percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY {x} DESC) FROM visits",
    "conditions": "SELECT min({x}), max({x}) FROM visits WHERE diagnosis > 'diagnosis 2' AND diagnosis < 'e'",
    "derived": "SELECT max({y}), min({y}) FROM (SELECT patient_id, diagnosis AS d FROM visits WHERE minutes > 60) AS v",
    "left join": "SELECT sex, max({x}) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY sex",
    "nothing": "SELECT max({x}), count(*) FROM visits WHERE minutes < -5",
    "beside a mode": "SELECT mode() WITHIN GROUP (ORDER BY {x}), min({x}) FROM visits",
}


def policy(diagnosis: Mapping[str, object]) -> Policy:
    content = clinic.exact_policy().model_dump(exclude_none=True)
    content["tables"]["public.visits"]["columns"]["diagnosis"] = diagnosis
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def connections(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        for change in ODD.values():
            owner.execute(change.encode())
    with client_and_source(proxies(policy({"values": VALUES}), source=source)) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_answer_equals_postgres_by_code_points(query: str, connections: Connections) -> None:
    by_code_point = query.format(x='diagnosis COLLATE "C"', y='d COLLATE "C"')
    assert_same_answer(query.format(x="diagnosis", y="d"), connections, by_code_point)
    assert_same_answer(by_code_point, connections)


FROM_PUBLIC_ROWS = {
    "values from": "SELECT min(region), max(region) FROM visits",
    "by key": "SELECT specialty_id, min(region), percentile_disc(0.5) WITHIN GROUP (ORDER BY region), count(*) "
    "FROM visits GROUP BY 1",
    "narrowed": "SELECT min(region), max(region) FROM patients WHERE region > 'f'",
    "derived": "SELECT max(r) FROM (SELECT patient_id, region AS r FROM patients) AS p",
    "nothing": "SELECT max(region) FROM visits WHERE region = 'nowhere'",
    "public column": "SELECT min(s.title), max(s.title) FROM visits v JOIN specialties s USING (specialty_id)",
    "public column by key": "SELECT urgent, max(s.title) FROM visits v JOIN specialties s USING (specialty_id) GROUP BY 1",
    "optional public column": "SELECT min(s.title), count(s.title) FROM visits v "
    "LEFT JOIN specialties s ON s.specialty_id = v.specialty_id AND v.urgent",
}


@pytest.mark.parametrize("query", FROM_PUBLIC_ROWS.values(), ids=FROM_PUBLIC_ROWS.keys())
def test_texts_of_public_rows_have_extremes(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


PADDED = {
    "character(n)": "SELECT min(sex), max(sex), pg_typeof(min(sex)) FROM patients",
    "percentiles of it": "SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY sex), "
    "percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY sex DESC) FROM patients",
    "by key": "SELECT smoker, max(sex) FROM patients GROUP BY smoker",
    "derived": "SELECT max(s), min(t) FROM (SELECT patient_id, sex AS s, sex::text AS t FROM patients) AS p",
    "nothing": "SELECT max(sex) FROM patients WHERE birth_year < 1900",
    "a text of it": "SELECT min(sex::text), max(sex::varchar), max(CAST(sex AS text)) || '!' FROM patients",
    "blanks": "SELECT '<' || min(s.code)::text || '>', octet_length(min(s.code)), max(s.code), min(s.code::text) "
    "FROM visits v JOIN specialties s USING (specialty_id)",
    "compared": "SELECT min(s.code) = 'CAR', max(s.code) LIKE '% ' FROM visits v JOIN specialties s USING (specialty_id)",
    "a cast of text": "SELECT min(region::varchar), max(region::text) FROM visits",
}


@pytest.mark.parametrize("query", PADDED.values(), ids=PADDED.keys())
def test_padded_texts_have_extremes_and_so_have_casts(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_rows_with_undeclared_values_do_not_count(connections: Connections) -> None:
    client, source = connections
    least = 'SELECT min(diagnosis COLLATE "C"), max(diagnosis COLLATE "C") FROM visits WHERE visit_id IN (4, 9)'
    source.execute("UPDATE visits SET diagnosis = 'Aaron' WHERE visit_id = 4")
    try:
        (answered,), (exact,) = client.execute(least).fetchall(), source.execute(least).fetchall()
    finally:
        source.execute("UPDATE visits SET diagnosis = 'diagnosis 4' WHERE visit_id = 4")
    assert (answered, exact) == (("diagnosis 3", "diagnosis 3"), ("Aaron", "diagnosis 3"))


def test_other_values_count_by_their_name(proxies: StartProxy) -> None:
    named = {"values": ["diagnosis 2", "diagnosis 3"], "others": "elsewhere"}
    read = "CASE WHEN diagnosis IN ('diagnosis 2', 'diagnosis 3') THEN diagnosis ELSE 'elsewhere' END"
    query = (
        "SELECT min({0}), max({0}), percentile_disc(0.1) WITHIN GROUP (ORDER BY {0}) FROM visits WHERE {0} IS NOT NULL"
    )
    with client_and_source(proxies(policy(named))) as connections:
        expected = query.format(f'{read} COLLATE "C"').replace(f'{read} COLLATE "C" IS', "diagnosis IS")
        assert_same_answer(query.format("diagnosis"), connections, expected)


@pytest.mark.parametrize(
    "call",
    ["max(upper(sex))", "max(sex::char(2))", "max(minutes::text)", "max(upper(diagnosis))", "min(diagnosis || 'x')"],
)
def test_other_texts_have_no_extremes(call: str, connections: Connections) -> None:
    client, _ = connections
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="is not supported"):
        client.execute(f"SELECT {call} FROM visits v JOIN patients p USING (patient_id)".encode())


def test_explain_says_what_is_chosen_from(connections: Connections) -> None:
    client, _ = connections
    plan = "\n".join(line for (line,) in client.execute("EXPLAIN SELECT max(diagnosis) FROM visits"))
    assert f"maximum of {len(VALUES)} values in the order of their code points; " in plan


def test_padded_others_count_by_their_name(proxies: StartProxy) -> None:
    content = clinic.exact_policy().model_dump(exclude_none=True)
    content["tables"]["public.patients"]["columns"]["sex"] = {"values": ["F"], "others": "X"}
    with client_and_source(proxies(Policy.model_validate(content))) as connections:
        read = "(CASE sex WHEN 'F' THEN 'F' WHEN 'M' THEN 'X' END)::bpchar"
        query = "SELECT min({0}), max({0}), pg_typeof(max({0})) FROM patients"
        assert_same_answer(query.format("sex"), connections, query.format(read))

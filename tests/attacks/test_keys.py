"""Group keys: which groups show, and how they look, is not one person's doing (attacks 11, 12, 19 and 20)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

SEVERAL_TEXTS = """
ALTER TABLE visits DISABLE TRIGGER ALL;
CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE visits ALTER diagnosis TYPE text COLLATE ignoring_case;
UPDATE visits SET diagnosis = CASE WHEN visit_id = 1 THEN 'FLU' ELSE 'flu' END;
UPDATE visits SET discount = CASE WHEN visit_id = 1 THEN 0.5000 ELSE 0.5 END;
UPDATE visits SET score = CASE WHEN visit_id = 1 THEN '-0'::float8 ELSE 0 END;
CREATE TYPE mood AS ENUM ('good', 'bad', 'awful');
ALTER TABLE patients ADD mood mood, ADD code char(4);
UPDATE patients SET mood = 'good', code = 'A';
"""


@pytest.fixture(scope="module")
def ordinary(proxies: StartProxy) -> RunningProxy:
    """A proxy with noise, where a budget is left for every test of this module."""
    generous = {"budget": {"epsilon": "1000", "delta": "1e-4"}, "per_analyst": None}
    return proxies(clinic.policy(visits=generous, patients=generous))


@pytest.fixture(scope="module")
def spelled(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """Exact answers before a clinic in which equal values have several texts."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        try:
            connection.execute(SEVERAL_TEXTS)
        except psycopg.errors.FeatureNotSupported:
            pytest.skip("this server has no ICU collations")
    tables: dict[str, Any] = clinic.POLICY["tables"]  # type: ignore[assignment]
    visits = EXACT | {"columns": tables["public.visits"]["columns"] | WITHOUT_BOUNDS}
    patients = EXACT | {"columns": tables["public.patients"]["columns"] | CODES}
    return proxies(clinic.policy(visits=visits, patients=patients), source=source)


EXACT = {
    "budget": {"epsilon": "1e18", "delta": "0.4"},
    "per_analyst": None,
    "query": {"epsilon": "1e13", "delta": "1e-5"},
    "contribution": {"max_rows": 2000, "max_rows_per_group": 2000},
}
WITHOUT_BOUNDS: dict[str, object] = {"discount": {}, "score": {}}
"""With bounds they would have too many possible values to group by."""
CODES = {"mood": {"values": ["good", "bad", "awful"]}, "code": {"values": ["A", "B"]}}


def test_group_of_one_unit_never_shows(ordinary: RunningProxy) -> None:
    with ordinary.connect() as client:
        for query in (
            "SELECT patient_id, count(*) FROM visits GROUP BY 1",
            "SELECT DISTINCT height, patient_id FROM patients",
            "SELECT patient_id + 0, count(*) FROM patients GROUP BY 1",
            "SELECT patient_id * 3, count(*) FROM patients GROUP BY 1",
            "SELECT DISTINCT least(patient_id, 99999) FROM patients",
            "SELECT c, count(*) FROM (SELECT region || visit_id AS c FROM visits) x GROUP BY c",
            "SELECT coalesce(v.patient_id, p.patient_id), count(*) FROM visits v FULL JOIN patients p "
            "ON p.patient_id = v.patient_id GROUP BY 1",
            "SELECT id, count(*) FROM (SELECT lower(patient_id::varchar) AS id FROM visits) x GROUP BY id",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="would be one patient"):
                client.execute(query)
        assert client.execute("SELECT patient_id % 99991, count(*) FROM patients GROUP BY 1").fetchall() == []
        assert client.execute("SELECT visit_id % 99991, region, count(*) FROM visits GROUP BY 1, 2").fetchall() == []


def test_declared_keys_show_whether_or_not_rows_have_them(ordinary: RunningProxy) -> None:
    with ordinary.connect() as client:
        regions = client.execute("SELECT region, count(*) FROM visits WHERE patient_id = -1 GROUP BY region").fetchall()
        assert {name for name, _ in regions} == {"north", "south", "east", "west", "nowhere", None}
        sexes = client.execute("SELECT sex, count(*) FROM patients WHERE height < 0 GROUP BY sex").fetchall()
        assert {name for name, _ in sexes} == {"F", "M", None}


def test_aggregates_over_nothing_are_noisy_numbers(ordinary: RunningProxy) -> None:
    """Eight rows: all counts are equal with a probability below 1e-5, and an average shows in 2.5 % of all cases."""
    query = "SELECT count(*), sum(cost), avg(cost) FROM visits WHERE patient_id = -1 - {}"
    with ordinary.connect() as client:
        rows = [client.execute(query.format(number).encode()).fetchall()[0] for number in range(8)]
    assert all(None not in row[:2] for row in rows)
    assert len({count for count, _, _ in rows}) > 1
    averages = [average for _, _, average in rows]
    assert averages.count(None) >= 4
    assert all(average is None or 0 <= average <= 2000 for average in averages)


@pytest.mark.parametrize(
    ("column", "text"), [("diagnosis", "flu"), ("discount", "0.5"), ("score", "0"), ("score * 2", "0")]
)
def test_one_row_does_not_decide_how_a_group_looks(column: str, text: str, spelled: RunningProxy) -> None:
    """Under a collation that ignores case, texts still group by their letters as they are."""
    with spelled.connect() as client:
        rows = client.execute(f"SELECT key::text FROM (SELECT {column} AS key, count(*) FROM visits GROUP BY 1) AS g")
        assert rows.fetchall() == [(text,)]


def test_interval_is_no_group_key(ordinary: RunningProxy) -> None:
    """30 days equal 1 month, and a group would show the spelling of one row."""
    with (
        ordinary.connect() as client,
        pytest.raises(psycopg.errors.FeatureNotSupported, match="GROUP BY on type interval"),
    ):
        client.execute("SELECT age(visited_at, seen_at::timestamp), count(*) FROM visits GROUP BY 1")


def test_declared_values_of_enums_and_padded_texts_meet_their_rows(spelled: RunningProxy) -> None:
    with spelled.connect() as client:
        moods = client.execute("SELECT mood, count(*) FROM patients WHERE mood IN ('good', 'awful') GROUP BY mood")
        assert dict(moods.fetchall()) == {"good": 2000, "awful": 0}
        codes = client.execute(
            "SELECT btrim(code), n FROM (SELECT code, count(*) AS n FROM patients GROUP BY code) AS c"
        )
        assert dict(codes.fetchall()) == {"A": 2000, "B": 0, None: 0}

"""RowDescription through the proxy is Postgres's own: names, types with their length and scale, tables and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TABLE stays (
    stay_id bigint PRIMARY KEY, patient_id integer NOT NULL, code varchar(3), grade char(4), share numeric(5, 2),
    ward text, at timestamp(0), seen timestamptz(3), took interval day to second (0), flags bit(3)
);
INSERT INTO stays SELECT i, i, (ARRAY['nor', 'sou', 'eas', 'void', NULL])[1 + i % 3], 'a', i % 7 / 4.0, 'w',
    '2024-01-01', '2024-01-01', '3 hours', '101' FROM generate_series(1, 200) AS i;
CREATE VIEW wards AS SELECT DISTINCT name::varchar(10) AS ward, population::numeric(12, 1) AS beds FROM regions;
"""
QUERIES = {
    "keys of every type with a length": "SELECT code, grade, share, count(*) FROM stays GROUP BY 1, 2, 3",
    "values of a longer type, cut": "SELECT code, count(*) AS n FROM stays GROUP BY code",
    "a column of a subquery": "SELECT c FROM (SELECT code AS c, count(*) FROM stays GROUP BY code) AS s",
    "a cast": "SELECT code::varchar(2) AS short, sum(share)::numeric(9, 1) FROM stays GROUP BY 1",
    "beside public columns": "SELECT r.zone, r.population, count(*) FROM stays s JOIN regions r ON r.name = s.ward GROUP BY 1, 2",
    "aggregates alone": "SELECT min(share), max(share), avg(share), count(*) FROM stays",
    "no row": "SELECT * FROM stays WHERE 1 = 0",
    "a public view": "SELECT * FROM wards ORDER BY beds",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    """A client of an exact proxy with a table of many types, and one of its source."""
    dsn = copy_clinic()
    with psycopg.connect(dsn, autocommit=True) as source:
        source.execute(TABLE)
    stays = {
        "unit": {"name": "patient", "column": "patient_id"},
        "budget": {"epsilon": "1e27", "delta": "0.4"},
        "query": {"epsilon": "1e20", "delta": "0.1"},
        "columns": {
            **{name: {} for name in ("stay_id", "patient_id", "at", "seen", "took", "flags")},
            "code": {"values_from": "public.regions.name"},
            "grade": {"values": ["a", "b"]},
            "share": {"values": [Decimal(i) / 4 for i in range(7)], "bounds": ["0", "2"]},
            "ward": {"values_from": "public.regions.name"},
        },
    }
    tables = {**clinic.exact_policy().model_dump(exclude_unset=True)["tables"]}
    tables |= {"public.stays": stays, "public.wards": {"public": True}}
    with client_and_source(proxies(Policy.model_validate({**clinic.POLICY, "tables": tables}), source=dsn)) as both:
        yield both


def described(connection: psycopg.Connection, query: str, *, extended: bool) -> list[tuple[object, ...]]:
    """What the result says of each column; its table by name."""
    text = query.encode()
    found = connection.pgconn.exec_params(text, []) if extended else connection.pgconn.exec_(text)
    assert found.status == psycopg.pq.ExecStatus.TUPLES_OK, found.get_error_message()
    columns = [
        (found.fname(i), found.ftype(i), found.fmod(i), found.ftable(i), found.ftablecol(i))
        for i in range(found.nfields)
    ]
    names = connection.execute(
        "SELECT oid, relname FROM pg_class WHERE oid = ANY (%s)", [[column[3] for column in columns]]
    )
    by_oid: dict[int, str] = dict(names.fetchall())
    return [(*column[:3], by_oid.get(column[3]), column[4] if column[3] else 0) for column in columns]


@pytest.mark.parametrize("extended", [False, True], ids=["simple", "extended"])
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_columns_are_described_as_by_the_source(connections: Connections, query: str, extended: bool) -> None:
    client, source = connections
    assert described(client, query, extended=extended) == described(source, query, extended=extended)


def test_keys_longer_than_the_column_are_cut_as_its_values_are(connections: Connections) -> None:
    client, source = connections
    query = "SELECT code, count(*) FROM stays GROUP BY code ORDER BY 1"
    expected = source.execute(query).fetchall()
    assert client.execute(query).fetchall() == expected
    client.execute("SET dp.empty_groups = show")
    rows = client.execute(query).fetchall()
    client.execute("SET dp.empty_groups = hide")
    assert [row for row in rows if row[1]] == expected
    assert [row[0] for row in rows] == ["eas", "nor", "now", "sou", "wes", None]

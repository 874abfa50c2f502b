"""A lending library, small enough that a query takes milliseconds: ties, NULLs, an empty table, every common type."""

from __future__ import annotations

import datetime as dt
from typing import Any

import psycopg

from proxy.policy.model import Policy
from tests.end_to_end.clinic import VERIFIER

SCHEMA = """
CREATE TABLE branches (name text PRIMARY KEY, city text, size bigint NOT NULL);
INSERT INTO branches VALUES ('north', 'bay', 12), ('south', 'hill', 34), ('east', 'bay', 5), ('west', NULL, 8), ('none', 'moor', 0);
CREATE TABLE genres (genre_id integer PRIMARY KEY, title varchar(20) NOT NULL, code char(4), shelf integer);
INSERT INTO genres VALUES (1, 'crime', 'CRI', 3), (2, 'drama', 'D', 3), (3, 'poetry', NULL, NULL), (4, 'maths', 'M', 1);
CREATE TABLE readers (
    reader_id integer PRIMARY KEY, branch text REFERENCES branches, born smallint, grade char(1), active boolean,
    joined date NOT NULL, height numeric(4, 1)
);
INSERT INTO readers
SELECT i, (ARRAY['north', 'south', 'east', 'west', NULL])[1 + i % 5], 1960 + (i * 7) % 30, (ARRAY['a', 'b', NULL])[1 + (i / 3) % 3],
       CASE WHEN i % 7 < 3 THEN true WHEN i % 7 < 6 THEN false END, date '2023-01-01' + (i * 13) % 300,
       CASE WHEN i % 9 > 0 THEN 150 + ((i * 271) % 500) / 10.0 END
FROM generate_series(1, 40) AS i;
CREATE TABLE loans (
    loan_id bigint PRIMARY KEY, reader_id integer NOT NULL REFERENCES readers, genre_id integer REFERENCES genres, branch text,
    lent_at timestamp NOT NULL, back_at timestamptz, fee numeric(8, 2), pages integer, days smallint NOT NULL,
    score double precision, note text, renewed boolean
);
INSERT INTO loans
SELECT i, 1 + (i * i * 7) % 37, CASE WHEN i % 13 > 0 THEN 1 + (i * i) % 3 END, (ARRAY['north', 'south', 'east'])[1 + (i / 5) % 3],
       timestamp '2024-01-01' + (i * 17 % 180) * interval '1 day' + (i % 24) * interval '1 hour',
       CASE WHEN i % 10 > 0 THEN timestamptz '2024-01-01 00:00+00' + (i * 31 % 4000) * interval '1 hour' END,
       CASE WHEN i % 6 > 0 THEN ((i * 37) % 1000) / 100.0 END, CASE WHEN i % 11 > 0 THEN i * 7 % 50 END, i % 9,
       CASE WHEN i % 8 > 0 THEN (i % 40) / 4.0 END, (ARRAY['good', 'Fine!', 'a_b%c', '', NULL])[1 + i % 5],
       CASE WHEN i % 5 > 0 THEN i % 4 = 0 END
FROM generate_series(1, 180) AS i;
CREATE TABLE fines (
    fine_id integer PRIMARY KEY, loan_id bigint NOT NULL REFERENCES loans, amount numeric(6, 2) NOT NULL, reason text,
    issued date, paid boolean NOT NULL
);
INSERT INTO fines
SELECT i, 1 + (i * 19) % 180, (i * 11 % 60) / 4.0, (ARRAY['late', 'lost', NULL])[1 + i % 3],
       CASE WHEN i % 7 > 0 THEN date '2024-03-01' + i % 40 END, i % 3 = 0
FROM generate_series(1, 70) AS i;
CREATE TABLE complaints (complaint_id integer PRIMARY KEY, reader_id integer NOT NULL, genre_id integer, urgency integer, filed date);
ANALYZE;
"""

_LOOSE = {
    "budget": {"epsilon": "1e26", "delta": "0.4"},
    "query": {"epsilon": "1e18", "max_epsilon": "1e18", "delta": "1e-9"},
    # A reader may be in max_rows / max_rows_per_group groups until COUNT(DISTINCT reader) scales it down.
    "contribution": {"max_rows": 4000, "max_rows_per_group": 20, "max_groups": 256},
}
_BY_READER = _LOOSE | {"unit": {"name": "reader", "column": "reader_id"}}
_DATES = [dt.date(2023, 1, 1), dt.date(2024, 12, 31)]

POLICY: dict[str, Any] = {
    "version": 1,
    "analysts": {"ana": {"password": VERIFIER}},
    "units": {"reader": {}},
    "tables": {
        "public.readers": _BY_READER
        | {
            "columns": {
                "reader_id": {},
                "branch": {"values_from": "public.branches.name"},
                "born": {"range": ["1960", "1989"]},
                "grade": {"values": ["a", "b"]},
                "active": {},
                "joined": {"bounds": _DATES},
                "height": {"bounds": ["100", "230"]},
            },
        },
        "public.loans": _BY_READER
        | {
            "columns": {
                "loan_id": {},
                "reader_id": {},
                "genre_id": {"values_from": "public.genres.genre_id"},
                "branch": {"values_from": "public.branches.name"},
                "lent_at": {"bounds": _DATES},
                "back_at": {"bounds": _DATES},
                "fee": {"bounds": ["0", "100"]},
                "pages": {"bounds": ["0", "60"]},
                "days": {"range": ["0", "9"]},
                # A power of two, so that the grid holds every score and sums of floats are exact.
                "score": {"bounds": ["0", "16"]},
                "note": {},
                "renewed": {},
            },
        },
        "public.fines": _LOOSE
        | {
            "unit": {"name": "reader", "via": "loan_id -> public.loans.loan_id"},
            "columns": {
                "fine_id": {},
                "loan_id": {},
                "amount": {"bounds": ["0", "20"]},
                "reason": {"values": ["late", "lost", "torn"]},
                "issued": {"bounds": [dt.date(2024, 3, 1), dt.date(2024, 4, 30)]},
                "paid": {},
            },
        },
        "public.complaints": _BY_READER
        | {
            "columns": {
                "complaint_id": {},
                "reader_id": {},
                "genre_id": {"values_from": "public.genres.genre_id"},
                "urgency": {"range": ["1", "5"]},
                "filed": {"bounds": _DATES},
            },
        },
        "public.branches": {"public": True, "columns": {"name": {}, "city": {}, "size": {"bounds": ["0", "50"]}}},
        "public.genres": {
            "public": True,
            "columns": {"genre_id": {}, "title": {}, "code": {}, "shelf": {"bounds": ["0", "9"]}},
        },
    },
}


def create(dsn: str) -> None:
    """Fill an empty database with the library."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)


def exact_policy() -> Policy:
    """Epsilon so large and bounds so loose that answers are Postgres's own (decision 8)."""
    return Policy.model_validate(POLICY)

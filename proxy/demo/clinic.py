"""The demo's owner: puts the clinic into a database, and knows the exact answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg import conninfo, sql

from proxy.demo.data import REGIONS, SPECIALTIES, Clinic, Row, generate_clinic

DATABASE: Final = "clinic"

Advance = Callable[[int], object]
"""Called with the number of rows just loaded."""

_REPORT_EVERY: Final = 5_000

_TABLES: Final = """
CREATE TABLE public.regions (name text PRIMARY KEY, zone text NOT NULL);
CREATE TABLE public.specialties (name text PRIMARY KEY, department text NOT NULL);
CREATE TABLE public.patients (
    patient_id int NOT NULL,
    region text NOT NULL,
    birth_year int NOT NULL,
    sex text NOT NULL
);
CREATE TABLE public.visits (
    visit_id bigint NOT NULL,
    patient_id int NOT NULL,
    region text NOT NULL,
    specialty text NOT NULL,
    visited_at timestamp NOT NULL,
    cost numeric(10, 2) NOT NULL,
    minutes int,
    diagnosis text
);
"""

_KEYS: Final = """
ALTER TABLE public.patients ADD PRIMARY KEY (patient_id);
ALTER TABLE public.patients ADD FOREIGN KEY (region) REFERENCES public.regions;
ALTER TABLE public.visits ADD PRIMARY KEY (visit_id);
ALTER TABLE public.visits ADD FOREIGN KEY (patient_id) REFERENCES public.patients;
ALTER TABLE public.visits ADD FOREIGN KEY (region) REFERENCES public.regions;
ALTER TABLE public.visits ADD FOREIGN KEY (specialty) REFERENCES public.specialties;
CREATE INDEX ON public.visits (patient_id);
ANALYZE public.regions, public.specialties, public.patients, public.visits;
"""


@dataclass(frozen=True)
class Size:
    """The numbers of rows in a loaded clinic."""

    patients: int
    visits: int


def find_clinic(server_dsn: str) -> Size | None:
    """The clinic that an earlier run left on the server; None if there is none.

    Raises:
        psycopg.Error: the server cannot be reached.
    """
    if not _exists(server_dsn):
        return None
    with psycopg.connect(clinic_dsn(server_dsn)) as connection:
        query = "SELECT (SELECT count(*) FROM public.patients), (SELECT count(*) FROM public.visits)"
        ((patients, visits),) = connection.execute(query).fetchall()
    return Size(patients, visits)


def load_clinic(server_dsn: str, rows: int, advance: Advance = lambda _: None) -> Size:
    """Make the database `clinic` with `rows` visits on a server that does not have it.

    The database gets its name when it is complete: an interrupted load is dropped by the next one.

    Args:
        server_dsn: connection string of another database of the server, as a role that may create databases.
        rows: number of visits.
        advance: called with the progress, up to the sum of the returned sizes.

    Raises:
        ValueError: `rows` is out of range.
        psycopg.Error: the server cannot be reached or refuses.
    """
    clinic = generate_clinic(rows)
    unfinished = f"{DATABASE}_unfinished"
    with psycopg.connect(server_dsn, autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(unfinished)))
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(unfinished)))
        _fill(conninfo.make_conninfo(server_dsn, dbname=unfinished), clinic, advance)
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        server.execute(rename.format(sql.Identifier(unfinished), sql.Identifier(DATABASE)))
    return Size(len(clinic.home), len(clinic.patient))


def clinic_dsn(server_dsn: str) -> str:
    """Connection string of the clinic's database."""
    return conninfo.make_conninfo(server_dsn, dbname=DATABASE)


def exact_rows(dsn: str, query: str) -> list[Row]:
    """The source's own answer, which no analyst can get.

    Raises:
        psycopg.Error: the source cannot be reached or refuses.
    """
    with psycopg.connect(dsn) as connection:
        return connection.execute(query.encode()).fetchall()


def _exists(server_dsn: str) -> bool:
    with psycopg.connect(server_dsn) as connection:
        return connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is not None


def _fill(dsn: str, clinic: Clinic, advance: Advance) -> None:
    regions = [(region.name, region.zone) for region in REGIONS]
    specialties = [(specialty.name, specialty.department) for specialty in SPECIALTIES]
    with psycopg.connect(dsn) as connection:
        connection.execute(_TABLES)
        _copy(connection, "regions", regions)
        _copy(connection, "specialties", specialties)
        _copy(connection, "patients", _counted(clinic.patients(), advance))
        _copy(connection, "visits", _counted(clinic.visits(), advance))
        connection.execute(_KEYS)


def _copy(connection: psycopg.Connection[Row], table: str, rows: Iterable[Sequence[object]]) -> None:
    statement = sql.SQL("COPY public.{} FROM STDIN").format(sql.Identifier(table))
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _counted(rows: Iterator[Row], advance: Advance) -> Iterator[Row]:
    pending = 0
    for row in rows:
        yield row
        pending += 1
        if pending == _REPORT_EVERY:
            advance(pending)
            pending = 0
    advance(pending)

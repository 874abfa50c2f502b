"""Where a client connects, and the questions that every client asks."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

OPTIONS = "-c dp.notices=off -c dp.empty_groups=hide -c TimeZone=UTC"
"""Of every session. Postgres keeps settings that it does not know."""


@dataclass(frozen=True)
class Target:
    """A server.

    Attributes:
        host: its address, or the directory of its Unix socket.
        port: its port.
        database: the clinic's.
        user: who logs in.
        password: of the user; None where the server asks for none.
        authority: the file of who signed the server's certificate; None for a server without TLS.
    """

    host: str
    port: int
    database: str
    user: str
    password: str | None = None
    authority: Path | None = None

    @property
    def over_socket(self) -> bool:
        return self.host.startswith("/")

    def libpq(self, *, tls: bool = False) -> dict[str, str]:
        """Parameters of libpq."""
        known = {
            "host": self.host,
            "port": str(self.port),
            "dbname": self.database,
            "user": self.user,
            "options": OPTIONS,
            "sslmode": "verify-full" if tls else "disable",
        }
        if self.password is not None:
            known["password"] = self.password
        if tls:
            known["sslrootcert"] = str(self.authority)
        return known

    def environment(self) -> dict[str, str]:
        """Variables of libpq."""
        names = {"dbname": "PGDATABASE"}
        return {names.get(name, f"PG{name.upper()}"): value for name, value in self.libpq().items()}


TYPES = (
    "SELECT NULL::text AS none, 1.50::numeric(10,2) AS price, 'a'::varchar(5) AS short, DATE '2024-02-29' AS day,"
    " timestamptz '2024-02-29 12:00:00+00' AS moment, true AS yes, 2.5::double precision AS half, 7::smallint AS seven,"
    " ARRAY[1, NULL, 3] AS numbers, '\\x00ff'::bytea AS bytes, interval '36:00:00' AS long"
)
GROUPED = (
    "SELECT p.sex, v.region, v.urgent, count(*) AS visits, sum(v.cost) AS total, avg(v.minutes) AS usual"
    " FROM visits v JOIN patients p ON p.patient_id = v.patient_id"
    " GROUP BY 1, 2, 3 ORDER BY 1 NULLS FIRST, 2, 3"
)
"""Keys with NULLs, of three types; a bigint, a numeric with two digits, and one with sixteen."""

PAGED = "SELECT birth_year, count(*) FROM patients GROUP BY birth_year ORDER BY birth_year"
FILTERED = "SELECT count(*), sum(cost) FROM visits WHERE cost > {} AND region = {} AND visited_at >= {}"
VALUES = (Decimal("99.5"), "north", dt.datetime(2024, 3, 1))
NOTHING = "SELECT count(*) FROM visits WHERE region = {}"
REFUSED = "SELECT visit_id, diagnosis FROM visits ORDER BY visit_id LIMIT 3"
WRONG = "SELECT count(nothere) FROM visits"
SLOW = "SELECT pg_sleep(20)"
COPIED = f"COPY ({PAGED} LIMIT 5) TO STDOUT (FORMAT csv, HEADER)"

COLUMNS = (
    "SELECT column_name, ordinal_position, is_nullable, data_type, character_maximum_length, numeric_precision,"
    " numeric_scale FROM information_schema.columns"
    " WHERE table_schema = 'public' AND table_name = 'visits' ORDER BY ordinal_position"
)
KEYS = (
    "SELECT conname, contype, pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint"
    " WHERE conrelid = 'visits'::regclass AND contype IN ('p', 'f') ORDER BY conname"
)
READABLE = (
    "SELECT c.relname, c.relkind, has_table_privilege(c.oid, 'SELECT'), has_any_column_privilege(c.oid, 'SELECT')"
    " FROM pg_catalog.pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') ORDER BY 1"
)

"""The ledger's tables, and how an older ledger is upgraded (decision 6).

All tables but `account` and `statement` are append-only: a trigger refuses to change or delete records. A superuser
can drop the trigger, but nobody does so by accident. `account` holds running totals, so that a charge does not have to
add up the past; `Ledger.verify` recomputes them. No decision reads `statement`, whose texts an owner may delete.
"""

from __future__ import annotations

from typing import Final, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from proxy.errors import LedgerUnavailableError

_ADVISORY_LOCK: Final = 0x6470_6C65_6467_6572
"""Held while migrating, so that proxies that start together migrate one after the other."""

_CREATE: Final = """
CREATE SCHEMA IF NOT EXISTS dpproxy;

CREATE TABLE dpproxy.ledger_version (
    version integer PRIMARY KEY
);

CREATE TABLE dpproxy.account (
    account text PRIMARY KEY,
    epsilon numeric DEFAULT 0,              -- NULL once a charge was not pure
    rho numeric NOT NULL DEFAULT 0,
    delta numeric NOT NULL DEFAULT 0,
    CHECK (epsilon >= 0 AND rho >= 0 AND delta >= 0)
);

CREATE TABLE dpproxy.charge (
    sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    charge_id uuid,                         -- one for all accounts that pay for the same block
    account text REFERENCES dpproxy.account,
    analyst text NOT NULL,
    epsilon numeric,                        -- NULL: not pure
    rho numeric NOT NULL,
    delta numeric NOT NULL,
    block text NOT NULL,
    statement text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),    -- for display only
    PRIMARY KEY (charge_id, account),
    CHECK (epsilon >= 0 AND rho >= 0 AND delta >= 0)
);
CREATE INDEX ON dpproxy.charge (analyst, sequence);

CREATE TABLE dpproxy.payment (
    block text,
    analyst text,
    charge_id uuid NOT NULL,
    PRIMARY KEY (block, analyst)
);

CREATE TABLE dpproxy.answer (
    block text PRIMARY KEY,
    analyst text NOT NULL,
    content text NOT NULL,
    FOREIGN KEY (block, analyst) REFERENCES dpproxy.payment    -- nothing is kept that was not paid for
);

CREATE FUNCTION dpproxy.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    RAISE EXCEPTION '%.% is append-only', TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.charge
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.payment
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.answer
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER never_forgotten BEFORE DELETE OR TRUNCATE ON dpproxy.account
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.charge ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.payment ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.answer ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.account ENABLE ALWAYS TRIGGER never_forgotten;
"""

_FAILURES: Final = """
CREATE TABLE dpproxy.failure (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    analyst text NOT NULL,
    block text NOT NULL,
    sqlstate_class text NOT NULL,           -- two characters; no message, since messages quote values
    label text NOT NULL,                    -- what was asked, as in dpproxy.charge.statement
    allowed integer NOT NULL,               -- how many failures the policy bore then
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),    -- for display only
    CHECK (allowed > 0)
);
CREATE INDEX ON dpproxy.failure (analyst, sequence);

CREATE TABLE dpproxy.lift (                 -- the failures of an analyst up to this one count no more
    through bigint PRIMARY KEY REFERENCES dpproxy.failure,
    analyst text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
CREATE INDEX ON dpproxy.lift (analyst, through);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.failure
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.lift
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.failure ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.lift ENABLE ALWAYS TRIGGER append_only;
"""

_CLIPPING: Final = """
CREATE TABLE dpproxy.clipping (             -- what an answer told of the units that were scaled down in it
    block text PRIMARY KEY REFERENCES dpproxy.answer,
    share double precision,                 -- about how much does not count; NULL: that cannot be told
    report text NOT NULL,
    CHECK (share BETWEEN 0 AND 1)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.clipping
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.clipping ENABLE ALWAYS TRIGGER append_only;
"""

_PRECISIONS: Final = """
CREATE TABLE dpproxy.measurement (          -- a question at any rho is a family; its measurements, in order
    family text,
    number integer CHECK (number > 0),
    charge_id uuid NOT NULL,
    rho numeric NOT NULL CHECK (rho > 0),
    content text NOT NULL,
    PRIMARY KEY (family, number)
);

CREATE TABLE dpproxy.precision (            -- up to which rho a payer has paid for what it sees of a family
    family text,
    payer text,
    number integer CHECK (number > 0),
    charge_id uuid NOT NULL,
    rho numeric NOT NULL CHECK (rho > 0),
    PRIMARY KEY (family, payer, number)
);

CREATE TABLE dpproxy.reading (              -- what a reader was shown of a family
    family text,
    reader text,
    rho numeric CHECK (rho > 0),
    whole integer NOT NULL CHECK (whole >= 0),  -- measurements that are seen as they are
    part text,                              -- what is seen of the next one
    content text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),    -- for display only
    PRIMARY KEY (family, reader, rho)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.measurement
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.precision
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.reading
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.measurement ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.precision ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.reading ENABLE ALWAYS TRIGGER append_only;
"""

_TIME: Final = """
CREATE TABLE dpproxy.opened (               -- windows of accounts that renew; the ledger's account names have the start
    account text,
    start timestamptz,
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),    -- for display only
    PRIMARY KEY (account, start)
);

CREATE TABLE dpproxy.granted (              -- beside what the policy says
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text NOT NULL,
    epsilon numeric NOT NULL CHECK (epsilon >= 0),
    delta numeric NOT NULL CHECK (delta >= 0),
    reason text NOT NULL CHECK (reason <> ''),
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
CREATE INDEX ON dpproxy.granted (account);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.opened
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.granted
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.opened ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.granted ENABLE ALWAYS TRIGGER append_only;
"""

_IDENTITY: Final = """
CREATE TABLE dpproxy.identity (             -- a copy of a ledger has the same one (`proxy.budget.witness`)
    ledger uuid PRIMARY KEY
);
INSERT INTO dpproxy.identity VALUES (pg_catalog.gen_random_uuid());

CREATE TRIGGER append_only BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON dpproxy.identity
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.identity ENABLE ALWAYS TRIGGER append_only;
"""

_HOLDINGS: Final = """
CREATE TABLE dpproxy.holding (              -- what a family's measurements hold for other questions
    family text PRIMARY KEY,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    scope text NOT NULL,                    -- a hash of rows, bounds and data
    content text NOT NULL
);
CREATE INDEX ON dpproxy.holding (scope, sequence);

CREATE TABLE dpproxy.combination (          -- what a reader was shown that is made of several families' numbers
    family text,                            -- the question's own
    reader text,
    rho numeric CHECK (rho > 0),            -- what it is worth
    at timestamptz,                         -- when the oldest of its parts was asked
    told text NOT NULL,                     -- of what it is made, in words
    content text NOT NULL,
    PRIMARY KEY (family, reader, rho, at)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.holding
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpproxy.combination
    FOR EACH STATEMENT EXECUTE FUNCTION dpproxy.refuse_change();
ALTER TABLE dpproxy.holding ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE dpproxy.combination ENABLE ALWAYS TRIGGER append_only;
"""

_TEXTS: Final = """
CREATE TABLE dpproxy.statement (            -- what the policy lets us keep of a statement; it may be deleted
    charge_id uuid PRIMARY KEY,
    query text NOT NULL
);
"""

_UNTIL: Final = """
-- When a window was to end as it was opened, so that no edit of the policy ends it earlier. NULL: not known.
ALTER TABLE dpproxy.opened ADD COLUMN until timestamptz;
"""

_PAID_BY: Final = """
-- Which accounts have paid for a block.
CREATE INDEX ON dpproxy.charge (block);
"""

_CHARGED_ENDS: Final = """
-- A row for each end that a window was to have when it was charged: another policy may know a later one.
ALTER TABLE dpproxy.opened DROP CONSTRAINT opened_pkey, ADD UNIQUE (account, start, until);
CREATE INDEX ON dpproxy.opened (account, until);
-- All accounts over the same rows are found by what their names begin with.
CREATE INDEX ON dpproxy.account (account COLLATE "C");
"""

_MIGRATIONS: Final[tuple[LiteralString, ...]] = (
    _CREATE,
    _FAILURES,
    _CLIPPING,
    _PRECISIONS,
    _TIME,
    _IDENTITY,
    _HOLDINGS,
    _TEXTS,
    _UNTIL,
    _PAID_BY,
    _CHARGED_ENDS,
)
"""Script i leads from version i to version i + 1. Released scripts are never edited, only added to."""

VERSION: Final = len(_MIGRATIONS)


class NoLedgerError(LedgerUnavailableError):
    """The database has no ledger."""


async def migrate(connection: AsyncConnection[TupleRow], *, begins: bool = True) -> None:
    """Create the ledger's tables or upgrade them to `VERSION`: all or nothing, and nothing if they are current.

    Args:
        connection: in autocommit mode.
        begins: may a ledger begin where there is none?

    Raises:
        NoLedgerError: there is none, and none may begin.
        LedgerUnavailableError: a newer release has written this ledger.
        psycopg.Error: the database failed, or permissions are missing.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", (_ADVISORY_LOCK,))
        version = await _version(connection)
        if version == 0 and not begins:
            raise NoLedgerError(
                "the database has no ledger: name the one that has, or begin one with dpproxy serve", rule="no-ledger"
            )
        if version > VERSION:
            raise LedgerUnavailableError(
                f"the ledger has version {version}, but this release supports versions up to {VERSION}",
                hint="Run the newest release of dpproxy that has used this ledger.",
                rule="ledger_version",
            )
        for number, script in enumerate(_MIGRATIONS[version:], start=version + 1):
            await connection.execute(script)
            await connection.execute("INSERT INTO dpproxy.ledger_version VALUES (%s)", (number,))


async def _version(connection: AsyncConnection[TupleRow]) -> int:
    """The number of the newest script that was run; 0 if there is no ledger yet."""
    cursor = await connection.execute("SELECT pg_catalog.to_regclass('dpproxy.ledger_version') IS NOT NULL")
    exists = await cursor.fetchone()
    if not exists or not exists[0]:
        return 0
    cursor = await connection.execute("SELECT coalesce(max(version), 0) FROM dpproxy.ledger_version")
    newest = await cursor.fetchone()
    return int(newest[0]) if newest else 0

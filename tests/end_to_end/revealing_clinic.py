"""The clinic of an owner who put one word wherever a schema can hold data: defaults, CHECKs, comments, labels, names."""

from __future__ import annotations

import psycopg

from proxy.policy.model import ColumnPolicy, Policy, TablePolicy
from tests.end_to_end import clinic

SECRET = "quagga77"
REVEALING = f"""
CREATE TYPE mood AS ENUM ('calm', '{SECRET}');
ALTER TABLE patients ADD COLUMN mood mood, ADD COLUMN {SECRET}_number text UNIQUE,
    ALTER COLUMN region SET DEFAULT '{SECRET}', ADD CONSTRAINT {SECRET}_check CHECK (region <> '{SECRET}');
UPDATE visits SET diagnosis = '{SECRET}' WHERE visit_id % 5 = 0;
CREATE UNIQUE INDEX {SECRET}_code ON specialties (code);
ALTER TABLE specialties ADD CONSTRAINT {SECRET}_title UNIQUE (title);
CREATE INDEX {SECRET}_columns ON visits (region, visited_at);
CREATE INDEX {SECRET}_expression ON visits ((diagnosis || '{SECRET}'));
CREATE INDEX {SECRET}_index ON visits (cost) WHERE diagnosis = '{SECRET}';
CREATE STATISTICS {SECRET}_statistics ON region, diagnosis FROM visits;
CREATE VIEW urgent_visits AS SELECT visit_id, patient_id, region FROM visits WHERE urgent AND diagnosis <> '{SECRET}';
CREATE POLICY {SECRET}_policy ON visits USING (diagnosis <> '{SECRET}');
CREATE FUNCTION {SECRET}_function() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER {SECRET}_trigger BEFORE INSERT ON visits FOR EACH ROW EXECUTE FUNCTION {SECRET}_function('{SECRET}');
CREATE SCHEMA {SECRET}_schema CREATE TABLE wards (ward_id integer PRIMARY KEY);
COMMENT ON TABLE visits IS 'without {SECRET}';
COMMENT ON COLUMN regions.zone IS 'not {SECRET}';
ANALYZE;
"""


def alter(dsn: str) -> None:
    """Make a copy of the clinic reveal `SECRET`."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(REVEALING)


def exact_policy() -> Policy:
    """The clinic's exact policy, which lists the enum column and the view too."""
    exact = clinic.exact_policy()
    patients = exact.tables["public.patients"]
    view_columns = {name: ColumnPolicy() for name in ("visit_id", "patient_id", "region")}
    tables = {
        **exact.tables,
        "public.patients": patients.model_copy(
            update={"columns": {**(patients.columns or {}), "mood": ColumnPolicy()}}
        ),
        "public.urgent_visits": TablePolicy(view=True, columns=view_columns),
    }
    return exact.model_copy(update={"tables": tables})

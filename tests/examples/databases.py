"""The tables that each example is about, in a database of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import psycopg

from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.policy.catalog import Catalog
from proxy.policy.load import load_policy
from proxy.policy.model import Policy
from proxy.postgres.databases import ensure_database
from proxy.postgres.survey import read_whole_catalog
from tests.docs.markdown import CHECKOUT
from tests.tpch.loading import generate, load

FOLDER: Final = CHECKOUT / "policies"
_TPCH_SCALE: Final = 0.01


def _of_script(path: Path) -> Callable[[str], str]:
    def made(server: str) -> str:
        dsn = ensure_database(server, f"example_{path.stem}")
        with psycopg.connect(dsn, autocommit=True) as connection:
            tables, _, _roles = path.read_text(encoding="utf-8").partition("CREATE ROLE")
            connection.execute(tables.encode())
        return dsn

    return made


def _tpch(server: str) -> str:
    dsn = ensure_database(server, "example_tpch")
    with tempfile.TemporaryDirectory() as directory:
        generate(Path(directory), _TPCH_SCALE)
        load(dsn, Path(directory))
    return dsn


def _demo(server: str) -> str:
    load_clinic(server, 1_000)
    return clinic_dsn(server)


EXAMPLES: Final[dict[str, tuple[Path, Callable[[str], str]]]] = {
    "demo": (CHECKOUT / "proxy" / "demo" / "demo.yaml", _demo),
    "events": (FOLDER / "events.yaml", _of_script(FOLDER / "schemas" / "events.sql")),
    "example": (FOLDER / "example.yaml", _of_script(CHECKOUT / "docker" / "source.sql")),
    "flights": (FOLDER / "flights.yaml", _of_script(FOLDER / "schemas" / "flights.sql")),
    "shop": (FOLDER / "shop.yaml", _of_script(FOLDER / "schemas" / "shop.sql")),
    "tpch": (FOLDER / "tpch.yaml", _tpch),
}
"""Each example's policy, and what makes its database on a server and returns the connection string."""


def policy_of(name: str) -> Policy:
    return load_policy(EXAMPLES[name][0])


def catalog_path(name: str) -> Path:
    return FOLDER / "catalogs" / f"{name}.json"


def queries_path(name: str) -> Path:
    return FOLDER / "queries" / f"{name}.sql"


def read_catalog_of(name: str, server: str) -> Catalog:
    """The example's catalog, without what is the server's own: its version, its locale, who reads.

    Args:
        name: of the example.
        server: connection string of a superuser, on a server that has no such database yet.
    """
    catalog = read_whole_catalog(EXAMPLES[name][1](server), policy_of(name))
    listed = {table: found for table, found in catalog.tables.items() if table in policy_of(name).tables}
    return replace(catalog, tables=listed, database=name, server_version=170000, superuser=False, collations={})

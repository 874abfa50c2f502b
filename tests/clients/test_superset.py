"""Superset: databases, datasets and charts through its own API. Charts show what they show of plain Postgres; connecting,
syncing and refreshing cost nothing.

Superset is in an environment of its own, since it wants other versions of what everybody uses.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from tests.clients.conftest import Targets
from tests.clients.target import OPTIONS, Target
from tests.clients.tunnel import tunnel

PROGRAMS = os.environ.get("DPPROXY_TEST_SUPERSET")
INSTALL = (
    "python3 -m venv superset; superset/bin/pip install apache-superset psycopg2-binary gunicorn rich cachetools"
    " 'flask-caching<2.4' 'cachelib<0.14'; DPPROXY_TEST_SUPERSET=$PWD/superset/bin"
)
pytestmark = pytest.mark.skipif(PROGRAMS is None, reason=INSTALL)

CONFIGURATION = """
SECRET_KEY = "of a test, and as long as it has to be"
SQLALCHEMY_DATABASE_URI = "sqlite:///{directory}/superset.db"
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
"""
_VISITS = {"expressionType": "SQL", "sqlExpression": "count(*)", "label": "visits"}
_MINUTES = {"expressionType": "SQL", "sqlExpression": "sum(minutes)", "label": "minutes"}
_MONTH = {
    "columnType": "BASE_AXIS",
    "timeGrain": "P1M",
    "sqlExpression": "visited_at",
    "label": "month",
    "expressionType": "SQL",
}
CHARTS: dict[str, tuple[str, dict[str, Any]]] = {
    "big number": ("big_number_total", {"columns": [], "metrics": [_VISITS]}),
    "bars": ("echarts_timeseries_bar", {"columns": ["region"], "metrics": [_VISITS, _MINUTES]}),
    "time series": (
        "echarts_timeseries_line",
        {"columns": [_MONTH], "metrics": [_VISITS], "extras": {"time_grain_sqla": "P1M"}},
    ),
    "top 3": (
        "table",
        {"columns": ["region"], "metrics": [_VISITS], "orderby": [[_VISITS, False]], "row_limit": 3},
    ),
    "filtered": (
        "echarts_timeseries_bar",
        {
            "columns": ["urgent"],
            "metrics": [_VISITS],
            "filters": [
                {"col": "region", "op": "IN", "val": ["north", "south"]},
                {"col": "visited_at", "op": "TEMPORAL_RANGE", "val": "2024-03-01 : 2025-03-01"},
            ],
        },
    ),
}
FILTER_BOX = ("table", {"columns": ["region"], "metrics": [], "orderby": [["region", True]]})


class Superset:
    """A Superset that runs, asked over HTTP."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"
        self._token: str | None = None

    def log_in(self) -> None:
        while True:
            try:
                urllib.request.urlopen(f"{self._address}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.5)
        login = {"username": "admin", "password": "admin", "provider": "db"}
        self._token = self.ask("POST", "security/login", login)["access_token"]

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """What its API says."""
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        data = None if content is None else json.dumps(content).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self._address}/api/v1/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            pytest.fail(f"{path}: {error.read().decode()}")

    def connect(self, target: Target, port: int, known: int | None = None) -> int:
        """The number of a database that is added, or leads elsewhere from now on."""
        login = f"{target.user}:{quote(target.password or 'none', safe='')}"
        made = {
            "database_name": "clinic",
            "sqlalchemy_uri": f"postgresql+psycopg2://{login}@127.0.0.1:{port}/{target.database}",
            "extra": json.dumps({"engine_params": {"connect_args": {"options": OPTIONS}}}),
        }
        self.ask("POST", "database/test_connection/", made)
        if known is not None:
            self.ask("PUT", f"database/{known}", made)
            return known
        return int(self.ask("POST", "database/", made)["id"])

    def dataset(self, database: int, name: str) -> int:
        """Find a table as the pages do, and sync it."""
        assert "public" in self.ask("GET", f"database/{database}/schemas/")["result"]
        tables = self.ask("GET", f"database/{database}/tables/?q=(force:!t,schema_name:public)")["result"]
        assert name in {table["value"] for table in tables}
        made = {"database": database, "schema": "public", "table_name": name}
        dataset = int(self.ask("POST", "dataset/", made)["id"])
        self.ask("PUT", f"dataset/{dataset}/refresh")
        return dataset

    def rows(self, dataset: int, kind: str, query: dict[str, Any]) -> list[dict[str, Any]]:
        """The rows that a chart draws, never from Superset's own cache."""
        asked = {
            "datasource": {"id": dataset, "type": "table"},
            "force": True,
            "queries": [{"filters": [], "row_limit": 1000, **query}],
            "form_data": {"viz_type": kind},
            "result_format": "json",
            "result_type": "full",
        }
        return sorted(self.ask("POST", "chart/data", asked)["result"][0]["data"], key=str)


@pytest.fixture(scope="module")
def superset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    assert PROGRAMS is not None
    directory = tmp_path_factory.mktemp("superset")
    configuration = directory / "superset_config.py"
    configuration.write_text(CONFIGURATION.format(directory=directory))
    environment = {
        "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
        "HOME": str(directory),
        "SUPERSET_CONFIG_PATH": str(configuration),
        "FLASK_APP": "superset",
    }

    def run(*command: str) -> None:
        program = Path(PROGRAMS or "") / "superset"
        subprocess.run([program, *command], env=environment, capture_output=True, timeout=300, check=True)

    run("db", "upgrade")
    run("init")
    run("fab", "create-admin", *"--username admin --password admin --firstname a --lastname b --email a@b.org".split())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    served = [f"{PROGRAMS}/gunicorn", "--threads", "4", "-b", f"127.0.0.1:{port}", "superset.app:create_app()"]
    with (directory / "log").open("wb") as log, subprocess.Popen(served, env=environment, stderr=log) as server:
        try:
            found = Superset(port)
            found.log_in()
            yield found
        finally:
            server.terminate()


def charges(targets: Targets) -> int:
    with psycopg.connect(**targets.proxied.libpq()) as connection:  # type: ignore[arg-type]
        row = connection.execute("SELECT count(*) FROM dp.ledger").fetchone()
    assert row is not None
    return int(row[0])


def test_charts_are_those_of_plain_postgres_and_a_refresh_is_free(superset: Superset, targets: Targets) -> None:
    before = charges(targets)
    database = superset.connect(targets.proxied, targets.proxied.port)
    visits = superset.dataset(database, "visits")
    listed = superset.rows(visits, *FILTER_BOX)
    assert charges(targets) == before
    shown = {name: superset.rows(visits, *chart) for name, chart in CHARTS.items()}
    assert all(shown.values())
    paid = charges(targets)
    assert paid > before
    assert shown == {name: superset.rows(visits, *chart) for name, chart in CHARTS.items()}
    assert charges(targets) == paid
    with tunnel(targets.plain) as port:
        superset.connect(targets.plain, port, database)
        assert shown == {name: superset.rows(visits, *chart) for name, chart in CHARTS.items()}
        # Which of the declared regions have rows is private.
        assert [row for row in superset.rows(visits, *FILTER_BOX) if row not in listed] == []

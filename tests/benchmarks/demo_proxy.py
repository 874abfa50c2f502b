"""The demo's clinic and a proxy in front of it, for benchmark programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.demo.play import demo_policy
from proxy.policy.model import Policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.end_to_end.running import RunningProxy

PASSWORD = "demo"


@contextmanager
def loaded_clinic(rows: int) -> Iterator[str]:
    """Connection string of a source with the demo's clinic."""
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedPostgres(Path(directory) / "source", durable=False) as server,
    ):
        load_clinic(server.dsn(), rows)
        yield clinic_dsn(server.dsn())


@contextmanager
def running_proxy(
    source_dsn: str, policy: Policy | None = None, password: str = PASSWORD, *, processes: bool = True
) -> Iterator[RunningProxy]:
    """A proxy in front of `source_dsn`, a database called clinic; the ledger is on disk as in production.

    Args:
        source_dsn: of the source.
        policy: the demo's if None.
        password: of its analysts.
        processes: as of `RunningProxy`.
    """
    with tempfile.TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "stage") as stage:
        ledger = ensure_database(stage.dsn(), LEDGER_DATABASE)
        options = ServiceOptions(
            policy or demo_policy(), source_dsn, stage.dsn(), ledger, owns_stage_cluster=True, port=0
        )
        with RunningProxy(options, "clinic", password, processes=processes) as proxy:
            yield proxy

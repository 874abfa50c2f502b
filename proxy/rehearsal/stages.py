"""A stage for planning alone: an embedded Postgres that lives as long as a command, with the policy's tables, empty."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.findings import PolicyError, has_errors
from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Analyst, Policy
from proxy.policy.type_values import with_values_of_types
from proxy.postgres.databases import host_and_port
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.stage import Stage, build_stage
from proxy.serving.service import client_database
from proxy.sql.schema import Schema
from proxy.wire.stage_connection import StageAddress

NOBODY: Final = "analyst"
"""Who asks where the policy has no analyst."""


@dataclass(frozen=True)
class RehearsalStage:
    """A built stage without a row.

    Attributes:
        schema: policy and catalog.
        stage: for the proxy's own queries on it.
        address: where sessions on it begin.
    """

    schema: Schema
    stage: Stage
    address: StageAddress

    @property
    def analysts(self) -> tuple[str, ...]:
        """Who can ask, in the policy's order."""
        return tuple(self.schema.policy.analysts)


@contextlib.contextmanager
def rehearsal_stage(policy: Policy, catalog: Catalog) -> Iterator[RehearsalStage]:
    """Build a stage for the `with` block. Nothing but `catalog` is known of the source, not even public rows.

    Raises:
        PolicyError: the policy does not fit the catalog.
        EmbeddedPostgresError: there is no server to run, or it does not start.
        StageBuildError: the stage cannot be built.
    """
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError([finding for finding in findings if finding.severity == "error"])
    if not policy.analysts:
        policy = policy.model_copy(update={"analysts": {NOBODY: Analyst()}})
    policy = with_values_of_types(policy, catalog)
    database = client_database(catalog.database)
    with _directory() as directory, EmbeddedPostgres(directory, durable=False) as server:
        stage = build_stage(server.dsn(), policy, catalog, None, database, owns_cluster=True)
        host, port = host_and_port(server.dsn())
        yield RehearsalStage(Schema(policy, catalog), stage, StageAddress(host, port, database, stage.password))


@contextlib.contextmanager
def _directory() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(prefix="dpproxy-"))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)

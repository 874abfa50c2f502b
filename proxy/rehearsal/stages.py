"""A stage for planning alone: an embedded Postgres that lives as long as a command, with the policy's tables, empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.lint import require_fitting
from proxy.policy.model import Analyst, Policy
from proxy.policy.type_values import with_values_of_types
from proxy.postgres.databases import client_database, host_and_port
from proxy.postgres.stage import Stage, build_stage
from proxy.rehearsal.servers import ServerSoon
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


def rehearsal_stage(policy: Policy, catalog: Catalog, server: ServerSoon) -> RehearsalStage:
    """Build a stage on a server of our own. Nothing but `catalog` is known of the source, not even public rows.

    Raises:
        PolicyError: the policy does not fit the catalog.
        EmbeddedPostgresError: there is no server to run, or it does not start.
        StageBuildError: the stage cannot be built.
    """
    require_fitting(policy, catalog)
    if not policy.analysts:
        policy = policy.model_copy(update={"analysts": {NOBODY: Analyst()}})
    policy = with_values_of_types(policy, catalog)
    database = client_database(catalog.database)
    dsn = server()
    stage = build_stage(dsn, policy, catalog, None, database, owns_cluster=True)
    host, port = host_and_port(dsn)
    return RehearsalStage(Schema(policy, catalog), stage, StageAddress(host, port, database, stage.password))

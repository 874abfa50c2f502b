"""A stage for planning alone: the policy's tables, empty, on an embedded Postgres that lives as long as a command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.lint import require_fitting
from proxy.policy.model import Analyst, Policy
from proxy.policy.type_values import with_values_of_types
from proxy.postgres.databases import client_database
from proxy.postgres.stage_building import synchronise_stage
from proxy.rehearsal.servers import ServerSoon

NOBODY: Final = "analyst"
"""Who asks where the policy has no analyst."""
_SESSIONS: Final = 100


@dataclass(frozen=True)
class BuiltStage:
    """A built stage without a row, in values that another process can be told.

    Attributes:
        policy: with the values of types, and at least one analyst.
        catalog: of its tables.
        dsn: connection string of a superuser of the stage's server.
        database: its name.
        passwords: of every role that may connect, by role.
    """

    policy: Policy
    catalog: Catalog
    dsn: str
    database: str
    passwords: Mapping[str, str]


def built_stage(policy: Policy, catalog: Catalog, server: ServerSoon) -> BuiltStage:
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
    passwords = synchronise_stage(dsn, policy, catalog, None, database, owns_cluster=True, sessions=_SESSIONS)
    return BuiltStage(policy, catalog, dsn, database, passwords)

"""A stage for planning, as a process uses it that plans."""

from __future__ import annotations

from dataclasses import dataclass

from proxy.postgres.databases import host_and_port
from proxy.postgres.stage import Stage
from proxy.rehearsal.stages import BuiltStage
from proxy.sql.schema import Schema
from proxy.wire.stage_connection import StageAddress


@dataclass(frozen=True)
class RehearsalStage:
    """An open stage without a row.

    Attributes:
        schema: policy and catalog.
        stage: for the proxy's own queries on it.
        address: where sessions on it begin.
    """

    schema: Schema
    stage: Stage
    address: StageAddress


def opened(built: BuiltStage) -> RehearsalStage:
    """Use a stage; its `stage` has to be closed."""
    stage = Stage(built.dsn, built.database, built.passwords)
    host, port = host_and_port(built.dsn)
    address = StageAddress(host, port, built.database, stage.password)
    return RehearsalStage(Schema(built.policy, built.catalog), stage, address)

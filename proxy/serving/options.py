"""Everything that a proxy needs to run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from proxy.policy.model import Policy
from proxy.query.nursery import NURSERY
from proxy.query.workers import StartWorker
from proxy.serving.ledger_memory import LedgerMemory
from proxy.wire.session import Limits
from proxy.wire.tls import TlsFiles


@dataclass(frozen=True)
class ServiceOptions:
    """What one proxy is told.

    Attributes:
        policy: the checked policy.
        source_dsn: the owner's database, as a role that may SELECT the policy's tables.
        stage_dsn: a database of the stage's server, as a superuser.
        ledger_dsn: the ledger's database, as a role that may create a schema in it.
        owns_stage_cluster: is the stage's server ours alone, so that its other databases can be closed to analysts?
        host: address to listen on.
        port: port to listen on; 0 picks a free one.
        tls: the files of the server's certificate; None if there is no TLS.
        require_tls: are clients without TLS refused?
        source_timeout: seconds a source query may take.
        source_connections: source queries at a time; one analyst gets half of them.
        audit_log: the file of the audit log; None for none.
        audit_statements: does it have statements, without their constants?
        limits: of the wire.
        adapt_limits: serve fewer sessions where the stage's server has no room for as many, rather than not to start.
        planners: planning processes at most.
        start_planner: starts one.
        read_policy: reads the policy again, on `reload`; None if it stays.
        status: address of the pages for operators (`status_server`); None for none.
        memory: of the ledger, beside the policy; None if nothing is remembered.
        http: address of the dashboard for stewards; None for none.
        log_format: of the dashboard's process: text or json.
        log_level: the least that it logs.
    """

    policy: Policy
    source_dsn: str = field(repr=False)
    stage_dsn: str = field(repr=False)
    ledger_dsn: str = field(repr=False)
    owns_stage_cluster: bool = False
    host: str = "127.0.0.1"
    port: int = 5433
    tls: TlsFiles | None = None
    require_tls: bool = False
    source_timeout: float = 60.0
    source_connections: int = 4
    audit_log: Path | None = None
    audit_statements: bool = False
    limits: Limits = field(default_factory=Limits)
    adapt_limits: bool = True
    planners: int = field(default_factory=lambda: max(3, os.cpu_count() or 1))
    start_planner: StartWorker = NURSERY.start_worker
    read_policy: Callable[[], Policy] | None = None
    status: tuple[str, int] | None = None
    memory: LedgerMemory | None = None
    http: tuple[str, int] | None = None
    log_format: str = "text"
    log_level: str = "info"

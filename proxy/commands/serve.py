"""`dpproxy serve`: the proxy itself, in front of a real database."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.limits import LimitsUsageError, add_limits, limits_of, require_memory
from proxy.serving.signals import take_early_signals

if TYPE_CHECKING:
    from proxy.policy.findings import PolicyError
    from proxy.policy.model import Policy
    from proxy.postgres.embedded import EmbeddedPostgres
    from proxy.wire.session import Limits
    from proxy.wire.tls import TlsFiles

_COMMAND: Final = "serve"
DEFAULT_LISTEN = "127.0.0.1:5433"
DEFAULT_STATE = Path("dpproxy-state")


class UsageError(Exception):
    """Options that cannot be meant; the text is for the user."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `serve`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="serve analysts in front of a database",
        description="Serve analysts over the Postgres protocol. The stage and the ledger live in an embedded Postgres "
        "under --state, or in the servers that --stage and --ledger name.",
    )
    parser.add_argument("--policy", metavar="FILE", type=Path, required=True, help="the policy in YAML")
    parser.add_argument("--source", metavar="DSN", help="the private database (default: the policy's `source`)")
    parser.add_argument(
        "--state", metavar="DIR", type=Path, help=f"directory of the embedded Postgres (default: {DEFAULT_STATE})"
    )
    parser.add_argument(
        "--new-ledger",
        action="store_true",
        help="let a new ledger begin although the file beside the policy remembers another",
    )
    parser.add_argument("--stage", metavar="DSN", help="server for the stage, as a superuser")
    parser.add_argument("--ledger", metavar="DSN", help="database for the ledger")
    parser.add_argument(
        "--listen", metavar="HOST:PORT", default=DEFAULT_LISTEN, help=f"address (default: {DEFAULT_LISTEN})"
    )
    parser.add_argument(
        "--audit-log", metavar="FILE", type=Path, help="append a JSON line for each decision about private rows"
    )
    parser.add_argument(
        "--audit-statements", action="store_true", help="in the audit log: statements, with ? for their constants"
    )
    parser.add_argument("--tls-cert", metavar="FILE", type=Path, help="the server's certificate and its chain, in PEM")
    parser.add_argument("--tls-key", metavar="FILE", type=Path, help="the certificate's private key, in PEM")
    parser.add_argument(
        "--tls-client-ca", metavar="FILE", type=Path, help="who signs the certificates of clients, in PEM"
    )
    parser.add_argument(
        "--require-tls",
        action=argparse.BooleanOptionalAction,
        help="refuse clients without TLS (default: unless --listen is a loopback address)",
    )
    parser.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        help="serve /live, /ready and /metrics over HTTP here, for operators; analysts must not reach it",
    )
    parser.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="serve the dashboard for stewards here, over HTTPS where there is --tls-cert",
    )
    parser.add_argument(
        "--log-format",
        metavar="FORMAT",
        choices=("text", "json"),
        default="text",
        help="text for people, json for machines (default: text)",
    )
    parser.add_argument(
        "--log-level",
        metavar="LEVEL",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="the least that is logged: debug, info, warning or error (default: info)",
    )
    add_limits(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    early = take_early_signals()
    try:
        require_memory()  # before large libraries are loaded, which need some
    except LimitsUsageError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)

    from proxy.errors import LedgerUnavailableError
    from proxy.policy.load import PolicyError, load_policy
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.postgres.stage_schema import StageBuildError
    from proxy.serving.ledger_memory import LedgerLostError, LedgerMemory
    from proxy.serving.logs import set_up_logs
    from proxy.serving.options import ServiceOptions
    from proxy.serving.requirements import LedgerDisagreesError, LimitsError
    from proxy.serving.running import parse_address, serve_until_stopped
    from proxy.serving.running import run as run_loop
    from proxy.serving.service import Service
    from proxy.sql.plain_postgres import CompiledSqlglotError
    from proxy.wire.tls import CertificateError

    set_up_logs(as_json=arguments.log_format == "json", level=arguments.log_level)
    if (arguments.stage is None) != (arguments.ledger is None):
        return failed(
            _COMMAND,
            "--stage and --ledger go together: both name servers, or both are left to --state",
            ExitCode.WRONG_INPUT,
        )
    if arguments.stage is not None and arguments.state is not None:
        return failed(
            _COMMAND,
            "--state is for the embedded Postgres; leave it out with --stage and --ledger",
            ExitCode.WRONG_INPUT,
        )
    try:
        host, port = parse_address(arguments.listen)
        status = None if arguments.metrics is None else parse_address(arguments.metrics)
        http = None if arguments.http is None else parse_address(arguments.http)
        policy = load_policy(arguments.policy, needs_source=arguments.source is None)
    except ValueError as error:
        return failed(_COMMAND, f"--listen, --metrics or --http: {error}", ExitCode.WRONG_INPUT)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    source = arguments.source or policy.source
    if source is None:
        return failed(
            _COMMAND, "no private database: give --source, or set `source` in the policy", ExitCode.WRONG_INPUT
        )
    try:
        for option, dsn in {"--source": source, "--stage": arguments.stage, "--ledger": arguments.ledger}.items():
            _check_dsn(option, dsn)
        tls, require_tls = _tls(arguments, host, policy)
        if http is not None:
            _require_dashboard(arguments, http[0], policy)
        limits = limits_of(arguments)
        state = None if arguments.stage is not None else arguments.state or DEFAULT_STATE
        memory = LedgerMemory(arguments.policy, state, new=arguments.new_ledger)
        memory.check_place()
        if state is not None and not (state / "data").exists():
            logging.getLogger(__name__).warning("a new ledger begins in %s", state)
    except (UsageError, LimitsUsageError, LedgerLostError) as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    try:
        with _databases(arguments, limits) as (stage, ledger, server):
            options = ServiceOptions(
                policy,
                source,
                stage,
                ledger,
                owns_stage_cluster=arguments.stage is None,
                host=host,
                port=port,
                tls=tls,
                require_tls=require_tls,
                source_connections=arguments.source_connections,
                limits=limits,
                adapt_limits=arguments.max_clients is None,
                read_policy=lambda: load_policy(arguments.policy, needs_source=arguments.source is None),
                status=status,
                memory=memory,
                audit_log=arguments.audit_log,
                audit_statements=arguments.audit_statements,
                http=http,
                log_format=arguments.log_format,
                log_level=arguments.log_level,
            )
            came_to_listen = run_loop(serve_until_stopped(Service(options), early, server))
    except (LimitsError, LedgerLostError) as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    except CertificateError as error:
        return failed(_COMMAND, f"the certificate cannot be used: {error}", ExitCode.WRONG_INPUT)
    except PolicyError as error:
        return failed(_COMMAND, unfitting_text(arguments.policy, error), ExitCode.WRONG_INPUT)
    except (EmbeddedPostgresError, StageBuildError, LedgerDisagreesError, CompiledSqlglotError) as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    except (DatabaseError, LedgerUnavailableError) as error:
        return failed(_COMMAND, _said(error), ExitCode.UNREACHABLE)
    except OSError as error:
        return failed(_COMMAND, _said(error), ExitCode.FAILED)
    return ExitCode.OK if came_to_listen else ExitCode.INTERRUPTED


def unfitting_text(path: Path, error: PolicyError) -> str:
    """Why a proxy does not start under a policy that by itself is right."""
    from proxy.policy.window_rules import UNCOUNTED

    findings = "\n".join(f"  {finding.sentence}" for finding in error.findings)
    if all(finding.rule == UNCOUNTED for finding in error.findings):
        return f"the policy does not fit the ledger:\n{findings}"
    hint = f"dpproxy check {path} --source … shows where and what would be right"
    return f"the policy does not fit the source:\n{findings}\n{hint}"


def _check_dsn(option: str, dsn: str | None) -> None:
    """Refuse an option that is no connection string.

    Raises:
        UsageError: it is none.
    """
    from proxy.postgres.databases import check_dsn

    try:
        check_dsn(dsn or "")
    except ValueError as error:
        raise UsageError(f"{option}: not a connection string: {error}") from None


def _said(error: Exception) -> str:
    """What could not be done, as noted, and why."""
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    why = (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
    return ": ".join((*getattr(error, "__notes__", ()), why.partition("\n")[0]))


def _tls(arguments: argparse.Namespace, host: str, policy: Policy) -> tuple[TlsFiles | None, bool]:
    """The certificate's files, and whether clients without TLS are refused.

    Raises:
        UsageError: the options do not go together, or fit neither the address nor the policy.
    """
    from proxy.serving.running import is_loopback
    from proxy.wire.tls import TlsFiles

    certificate, key, client_ca = arguments.tls_cert, arguments.tls_key, arguments.tls_client_ca
    if (certificate is None) != (key is None):
        raise UsageError("--tls-cert and --tls-key go together")
    if client_ca is not None and certificate is None:
        raise UsageError("--tls-client-ca needs --tls-cert and --tls-key")
    barred = [name for name, login in policy.logins.items() if login.password is None]
    if barred and client_ca is None:
        raise UsageError(f"{', '.join(barred)}: no password, and no certificate without --tls-client-ca")
    required = not is_loopback(host) if arguments.require_tls is None else arguments.require_tls
    if required and certificate is None:
        raise UsageError(
            f"no certificate for clients of {arguments.listen}: give --tls-cert and --tls-key, or say --no-require-tls "
            "if nobody else reads that network",
        )
    return (None if certificate is None else TlsFiles(certificate, key, client_ca)), required


def _require_dashboard(arguments: argparse.Namespace, host: str, policy: Policy) -> None:
    """Raise UsageError if the dashboard cannot be served, or nobody could log in there, or passwords would be sent to
    it through a network without TLS."""
    from proxy.serving.dashboard import DashboardMissingError, require_libraries
    from proxy.serving.running import is_loopback

    try:
        require_libraries()
    except DashboardMissingError as error:
        raise UsageError(str(error)) from None
    if all(steward.password is None for steward in policy.stewards.values()):
        raise UsageError("--http is for stewards, and the policy has none with a password: add `stewards`")
    required = not is_loopback(host) if arguments.require_tls is None else arguments.require_tls
    if required and arguments.tls_cert is None:
        raise UsageError(
            f"no certificate for the dashboard on {arguments.http}: give --tls-cert and --tls-key, or say "
            "--no-require-tls if nobody else reads that network",
        )


@contextlib.contextmanager
def _databases(arguments: argparse.Namespace, limits: Limits) -> Iterator[tuple[str, str, EmbeddedPostgres | None]]:
    """The connection strings of stage and ledger, whose servers run for the `with` block, and the embedded one."""
    from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
    from proxy.postgres.embedded import EmbeddedPostgres, max_connections

    if arguments.stage is not None:
        yield arguments.stage, arguments.ledger, None
        return
    settings = {"max_connections": str(max_connections(limits.connections))}
    with EmbeddedPostgres(arguments.state or DEFAULT_STATE, settings=settings) as server:
        yield server.dsn(), ensure_database(server.dsn(), LEDGER_DATABASE), server

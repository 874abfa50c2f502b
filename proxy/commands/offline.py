"""What commands share that use the ledger and the source themselves, without a serving proxy."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from proxy.commands import ExitCode, failed
from proxy.commands.serve import DEFAULT_STATE

if TYPE_CHECKING:  # slow to import: what uses them at run time imports them there
    from proxy.budget.ledger import Ledger
    from proxy.policy.model import Policy
    from proxy.postgres.source import Source
    from proxy.sql.schema import Schema

SOURCE_SECONDS = 600.0
"""How long the source may take: nobody is waiting at a prompt."""


class LedgerInUseError(Exception):
    """Another dpproxy has the ledger open; the text is for the user."""


@dataclass(frozen=True)
class Offline:
    """The schema (the policy with the source's catalog), the source, and the open ledger."""

    schema: Schema
    source: Source
    ledger: Ledger


def add_database_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where source and ledger are, with the options of `serve`."""
    parser.add_argument("--source", metavar="DSN", help="the private database (default: the policy's `source`)")
    add_ledger_arguments(parser, beside=False)


def add_ledger_arguments(parser: argparse.ArgumentParser, *, beside: bool = True) -> None:
    """Declare where the ledger is, with the options of `serve`; `beside` as of `ledger_dsn`."""
    running = "may" if beside else "must not"
    parser.add_argument(
        "--state",
        metavar="DIR",
        type=Path,
        help=f"state directory of `dpproxy serve`, which {running} be running on it (default: {DEFAULT_STATE})",
    )
    parser.add_argument("--ledger", metavar="DSN", help="instead of --state: the ledger's database")


def run_on_ledger(command: str, arguments: argparse.Namespace, work: Callable[[Ledger], Awaitable[int]]) -> int:
    """Do `work` on the open ledger, without policy and source.

    Returns:
        The exit code of `work`; or, if the ledger cannot be used, the code for that, after an error on standard error.
    """
    import asyncio

    from proxy.errors import LedgerUnavailableError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError

    async def opened(dsn: str) -> int:
        async with _open_ledger(dsn) as ledger:
            return await work(ledger)

    if arguments.ledger is not None and arguments.state is not None:
        return failed(command, "--state and --ledger: give one of them", ExitCode.WRONG_INPUT)
    try:
        with ledger_dsn(arguments, beside=True) as dsn:
            return asyncio.run(opened(dsn))
    except (LedgerInUseError, EmbeddedPostgresError) as error:
        return failed(command, str(error), ExitCode.FAILED)
    except (LedgerUnavailableError, DatabaseError) as error:
        return failed(command, str(error).partition("\n")[0], ExitCode.UNREACHABLE)


@contextlib.asynccontextmanager
async def _open_ledger(dsn: str) -> AsyncIterator[Ledger]:
    from proxy.budget.ledger import Ledger

    ledger = Ledger(dsn)
    await ledger.open()
    try:
        yield ledger
    finally:
        await ledger.close()


@contextlib.asynccontextmanager
async def offline(policy: Policy, source_dsn: str, ledger_dsn: str) -> AsyncIterator[Offline]:
    """Read the catalog and open the ledger for the `async with` block.

    Raises:
        PolicyError: the policy does not fit the source.
        psycopg.Error: the source cannot be reached.
        LedgerUnavailableError: the ledger cannot be used.
    """
    from proxy.policy.findings import PolicyError, has_errors
    from proxy.policy.lint import check_against_catalog
    from proxy.policy.traps import Watch
    from proxy.policy.type_values import with_values_of_types
    from proxy.postgres.catalog_reader import catalog_for
    from proxy.postgres.source import Source
    from proxy.sql.schema import Schema

    catalog = catalog_for(source_dsn, policy)
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError([finding for finding in findings if finding.severity == "error"])
    source = Source(source_dsn, Watch(policy, catalog), statement_timeout_seconds=SOURCE_SECONDS)
    async with _open_ledger(ledger_dsn) as ledger:
        try:
            yield Offline(Schema(with_values_of_types(policy, catalog), catalog), source, ledger)
        finally:
            await source.close()


@contextlib.contextmanager
def ledger_dsn(arguments: argparse.Namespace, *, beside: bool = False) -> Iterator[str]:
    """The connection string of the ledger, whose server runs for the `with` block.

    Args:
        arguments: those of `add_ledger_arguments`.
        beside: may a running dpproxy have it? Then its server is used.

    Raises:
        LedgerInUseError: another dpproxy has it.
        EmbeddedPostgresError: its server does not start.
    """
    from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
    from proxy.postgres.embedded import EmbeddedPostgres, StateInUseError

    if arguments.ledger is not None:
        yield arguments.ledger
        return
    state = arguments.state or DEFAULT_STATE
    if not state.exists():
        print(f"a new ledger begins in {state}; if there is one already, name it with --state or --ledger", flush=True)
    with contextlib.ExitStack() as stack:
        server = EmbeddedPostgres(state)
        try:
            stack.enter_context(server)
            dsn = server.dsn()
        except StateInUseError as error:
            if not beside:
                # Another directory would be another ledger, which does not know what was spent.
                raise LedgerInUseError(
                    f"the ledger in {state} is in use by a running dpproxy (process {error.holder}). Stop it first; "
                    "a ledger has one dpproxy at a time"
                ) from None
            dsn = server.dsn_of_running()
        yield ensure_database(dsn, LEDGER_DATABASE)

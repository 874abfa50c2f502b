"""What commands share that use the ledger and the source themselves, without a serving proxy."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from proxy.commands import ExitCode, failed
from proxy.commands.serve import DEFAULT_STATE, unfitting_text

if TYPE_CHECKING:  # slow to import: what uses them at run time imports them there
    from proxy.budget.ledger import Ledger
    from proxy.policy.model import Policy
    from proxy.postgres.source import Source
    from proxy.serving.ledger_memory import LedgerMemory
    from proxy.sql.schema import Schema

SOURCE_SECONDS = 600.0
"""How long the source may take: nobody is waiting at a prompt."""


class LedgerInUseError(Exception):
    """Another dpproxy has the ledger open; the text is for the user."""


class LedgerMissingError(Exception):
    """There is no ledger to look at; the text is for the user."""


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


def memory_of(arguments: argparse.Namespace) -> LedgerMemory | None:
    """What is remembered beside the policy of a command; None without one."""
    from proxy.serving.ledger_memory import LedgerMemory

    policy = getattr(arguments, "policy", None)
    state = None if arguments.ledger is not None else arguments.state or DEFAULT_STATE
    return None if policy is None else LedgerMemory(policy, state)


def run_on_ledger(
    command: str,
    arguments: argparse.Namespace,
    work: Callable[[Ledger], Awaitable[int]],
    *,
    changes: Policy | None = None,
) -> int:
    """Do `work` on the open ledger, without a source. None begins here; where the command has a policy, it is the one
    that this remembers.

    Args:
        command: its name.
        arguments: those of `add_ledger_arguments`.
        work: what to do.
        changes: the policy whose accounts it changes, which the ledger has to fit as for `serve`; None if it looks.

    Returns:
        The exit code of `work`; or, if the ledger cannot be used, the code for that, after an error on standard error.
    """
    import asyncio

    from proxy.errors import LedgerUnavailableError
    from proxy.policy.findings import PolicyError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.serving.ledger_memory import LedgerLostError
    from proxy.serving.requirements import LedgerDisagreesError, open_ledger, open_remembered

    async def opened(dsn: str) -> int:
        from proxy.budget.ledger import Ledger

        ledger, memory = Ledger(dsn), memory_of(arguments)
        if changes is None:
            await open_remembered(ledger, memory, begins=False)
        else:
            await open_ledger(ledger, changes, memory, begins=False)
        try:
            return await work(ledger)
        finally:
            await ledger.close()

    if arguments.ledger is not None and arguments.state is not None:
        return failed(command, "--state and --ledger: give one of them", ExitCode.WRONG_INPUT)
    try:
        with ledger_dsn(arguments, beside=True) as dsn:
            return asyncio.run(opened(dsn))
    except (LedgerMissingError, LedgerLostError) as error:
        return failed(command, str(error), ExitCode.WRONG_INPUT)
    except PolicyError as error:
        return failed(command, unfitting_text(arguments.policy, error), ExitCode.WRONG_INPUT)
    except (LedgerInUseError, EmbeddedPostgresError, LedgerDisagreesError) as error:
        return failed(command, str(error), ExitCode.FAILED)
    except (LedgerUnavailableError, DatabaseError) as error:
        return failed(command, str(error).partition("\n")[0], ExitCode.UNREACHABLE)


@contextlib.asynccontextmanager
async def charging(policy: Policy, arguments: argparse.Namespace, dsn: str) -> AsyncIterator[Ledger]:
    """The ledger for a command that charges it, open for the `async with` block, and remembered as `serve` does.

    Raises: as `open_ledger`.
    """
    from proxy.budget.identity import read_last
    from proxy.budget.ledger import Ledger
    from proxy.serving.requirements import open_ledger

    ledger, memory = Ledger(dsn), memory_of(arguments)
    await open_ledger(ledger, policy, memory)
    try:
        if memory is not None:
            memory.remember(await read_last(ledger.database))
        try:
            yield ledger
        finally:
            if memory is not None:
                memory.remember(await read_last(ledger.database))
    finally:
        await ledger.close()


@contextlib.asynccontextmanager
async def offline(policy: Policy, arguments: argparse.Namespace, ledger_dsn: str) -> AsyncIterator[Offline]:
    """Read the catalog and open the ledger for the `async with` block.

    Args:
        policy: whose accounts are charged.
        arguments: of the command, with the source that it uses.
        ledger_dsn: of the ledger.

    Raises:
        PolicyError: the policy does not fit the source.
        psycopg.Error: the source cannot be reached.
        LedgerUnavailableError: the ledger cannot be used; and the others of `open_ledger`.
    """
    from proxy.policy.findings import PolicyError, has_errors
    from proxy.policy.lint import check_against_catalog
    from proxy.policy.traps import Watch
    from proxy.policy.type_values import with_values_of_types
    from proxy.postgres.catalog_reader import catalog_for
    from proxy.postgres.source import Source
    from proxy.sql.schema import Schema

    catalog = catalog_for(arguments.source, policy)
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError([finding for finding in findings if finding.severity == "error"])
    source = Source(arguments.source, Watch(policy, catalog), statement_timeout_seconds=SOURCE_SECONDS)
    try:
        async with charging(policy, arguments, ledger_dsn) as ledger:
            yield Offline(Schema(with_values_of_types(policy, catalog), catalog), source, ledger)
    finally:
        await source.close()


@contextlib.contextmanager
def ledger_dsn(arguments: argparse.Namespace, *, beside: bool = False) -> Iterator[str]:
    """The connection string of the ledger, whose server runs for the `with` block.

    Args:
        arguments: those of `add_ledger_arguments`.
        beside: may a running dpproxy have it? Then its server is used, and no ledger begins.

    Raises:
        LedgerMissingError: there is none, and none begins.
        LedgerLostError: there is none, and the policy remembers one.
        LedgerInUseError: another dpproxy has it.
        EmbeddedPostgresError: its server does not start.
    """
    from proxy.postgres.databases import LEDGER_DATABASE, ensure_database, existing_database
    from proxy.postgres.embedded import EmbeddedPostgres, StateInUseError

    if arguments.ledger is not None:
        yield arguments.ledger
        return
    state = arguments.state or DEFAULT_STATE
    is_there, memory = (state / "data").exists(), memory_of(arguments)
    missing = LedgerMissingError(f"no ledger in {state}: name it with --state or --ledger")
    if memory is not None and not is_there:
        memory.check_place()
    if beside and not is_there:
        raise missing
    if not is_there:
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
        ledger = existing_database(dsn, LEDGER_DATABASE) if beside else ensure_database(dsn, LEDGER_DATABASE)
        if ledger is None:
            raise missing
        yield ledger

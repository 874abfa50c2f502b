"""`dpproxy dummy`: the proxy before a database of made-up rows, for whoever builds dashboards without the data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.catalog import (
    NoCatalogError,
    add_catalog_arguments,
    catalog_of_arguments,
    needs_source_of_policy,
)
from proxy.commands.serve import DEFAULT_LISTEN
from proxy.serving.signals import EarlySignals, take_early_signals

if TYPE_CHECKING:
    from proxy.policy.catalog import Catalog
    from proxy.policy.model import Policy

_COMMAND: Final = "dummy"
PASSWORD: Final = "dummy"
"""Of every login: there is nothing to protect."""
_NOBODY: Final = "analyst"
_UNITS: Final = 1_000
_MOST_UNITS: Final = 100_000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `dummy`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="serve made-up rows that fit a policy",
        description="Make up rows that fit the policy and its catalog, and serve them as `serve` would serve the "
        f"private database, until Ctrl-C. Every analyst of the policy logs in with the password `{PASSWORD}`. Nothing "
        "is read of a private database but its catalog, with --source.",
    )
    parser.add_argument("--policy", metavar="FILE", type=Path, required=True, help="the policy in YAML")
    add_catalog_arguments(parser)
    parser.add_argument(
        "--units", metavar="N", type=int, default=_UNITS, help=f"units of each kind (default: {_UNITS})"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="other rows for another number (default: 0)")
    parser.add_argument(
        "--listen", metavar="HOST:PORT", default=DEFAULT_LISTEN, help=f"address (default: {DEFAULT_LISTEN})"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Make up rows and serve them."""
    early = take_early_signals()
    from proxy.dummy.rows import CannotMakeUpError
    from proxy.policy.load import PolicyError, load_policy
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.stage_schema import StageBuildError
    from proxy.postgres.temporary import temporary_directory
    from proxy.serving.running import parse_address

    if not 1 <= arguments.units <= _MOST_UNITS:
        return failed(_COMMAND, f"--units: from 1 to {_MOST_UNITS}, not {arguments.units}", ExitCode.WRONG_INPUT)
    if not 0 <= arguments.seed < 2**32:
        return failed(_COMMAND, "--seed: from 0 to 4294967295", ExitCode.WRONG_INPUT)
    try:
        host, port = parse_address(arguments.listen)
        policy = load_policy(arguments.policy, needs_source=needs_source_of_policy(arguments))
        catalog = catalog_of_arguments(arguments, policy)
    except ValueError as error:
        return failed(_COMMAND, f"--listen: {error}", ExitCode.WRONG_INPUT)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    except NoCatalogError as error:
        return failed(_COMMAND, str(error), error.code)
    try:
        with temporary_directory() as directory:
            came_to_listen = _serve(_for_everybody(policy), catalog, arguments, directory, (host, port), early)
    except PolicyError as error:
        findings = "\n".join(f"  {finding.sentence}" for finding in error.findings)
        return failed(_COMMAND, f"the policy does not fit the catalog:\n{findings}", ExitCode.WRONG_INPUT)
    except CannotMakeUpError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    except (EmbeddedPostgresError, StageBuildError) as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    except OSError as error:
        return failed(_COMMAND, f"cannot listen on {arguments.listen}: {error.strerror or error}", ExitCode.FAILED)
    return ExitCode.OK if came_to_listen else ExitCode.INTERRUPTED


def _for_everybody(policy: Policy) -> Policy:
    """The policy with one password for every analyst, from everywhere; with an analyst if it has none."""
    from proxy.policy.model import Analyst
    from proxy.wire.scram import make_verifier

    verifier = make_verifier(PASSWORD, iterations=4096)
    settings = {name: analyst.settings for name, analyst in policy.analysts.items()} or {_NOBODY: {}}
    analysts = {name: Analyst(password=verifier, settings=own) for name, own in settings.items()}
    return policy.model_copy(update={"analysts": analysts})


def _serve(
    policy: Policy,
    catalog: Catalog,
    arguments: argparse.Namespace,
    directory: Path,
    address: tuple[str, int],
    early: EarlySignals,
) -> bool:
    """Make up rows, and serve them until a signal. Returns whether it came to that.

    Raises:
        PolicyError: the policy does not fit the catalog.
        CannotMakeUpError: no row can be made up for a table.
        EmbeddedPostgresError, StageBuildError: a server does not start.
        OSError: the address is taken.
    """
    import asyncio

    from proxy.dummy.database import load
    from proxy.dummy.rows import made_up_rows
    from proxy.policy.lint import require_fitting
    from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
    from proxy.postgres.embedded import EmbeddedPostgres
    from proxy.serving.options import ServiceOptions
    from proxy.serving.running import serve_until_stopped
    from proxy.serving.service import Service

    require_fitting(policy, catalog)
    made = made_up_rows(policy, catalog, arguments.units, arguments.seed)
    with (
        EmbeddedPostgres(directory / "source", durable=False) as source,
        EmbeddedPostgres(directory / "dpproxy") as own,
    ):
        dsn = ensure_database(source.dsn(), catalog.database)
        for text in load(dsn, catalog, made):
            print(f"left out: {text}", flush=True)
        for name, rows in made.items():
            print(f"{name}: {len(rows.rows)} made-up rows", flush=True)
        print(f"log in as {' or '.join(policy.analysts)} with the password {PASSWORD}", flush=True)
        options = ServiceOptions(
            policy,
            dsn,
            own.dsn(),
            ensure_database(own.dsn(), LEDGER_DATABASE),
            owns_stage_cluster=True,
            host=address[0],
            port=address[1],
        )
        return asyncio.run(serve_until_stopped(Service(options), early))

"""`dpproxy explain`: what a query would release and cost, without asking the private database (decision 2)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, expect_little_garbage, failed
from proxy.commands.catalog import (
    NoCatalogError,
    add_catalog_arguments,
    catalog_of_arguments,
    needs_source_of_policy,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proxy.policy.catalog import Catalog
    from proxy.policy.model import Policy
    from proxy.rehearsal.rehearsing import Outcome
    from proxy.rehearsal.servers import ServerSoon

_COMMAND: Final = "explain"
_STANDARD_INPUT: Final = "-"


class CannotRehearseError(Exception):
    """Nothing can be planned; the text is for the user, `code` for the shell."""

    def __init__(self, text: str, code: ExitCode) -> None:
        super().__init__(text)
        self.code = code


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `explain`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="plan a query without asking the private database",
        description="Plan statements as the server would: whose rows, keys, bounds, noise, price, and the source "
        "query; or the refusal. No row is read. Names and types are resolved by a PostgreSQL that runs as long as the "
        "command and holds nothing. Exit code 0: all are answered, 1: one is refused, 2: the policy or the catalog "
        "cannot be used, 3: the source cannot be read.",
    )
    parser.add_argument("sql", metavar="SQL", help="statements, or - for standard input; SET dp.… holds for the next")
    parser.add_argument("--policy", metavar="FILE", type=Path, required=True, help="the policy in YAML")
    add_catalog_arguments(parser)
    parser.add_argument("--analyst", metavar="NAME", help="who asks (default: the policy's first analyst)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Plan the statements and print what was planned."""
    from proxy.policy.load import PolicyError, load_policy
    from proxy.rehearsal.servers import starting_server

    expect_little_garbage()
    try:
        policy = load_policy(arguments.policy, needs_source=needs_source_of_policy(arguments))
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    script = sys.stdin.read() if arguments.sql == _STANDARD_INPUT else arguments.sql
    try:
        with starting_server() as server:
            catalog = catalog_of_arguments(arguments, policy)
            (outcomes,) = rehearsed(policy, catalog, arguments.analyst, [script], server)
    except (NoCatalogError, CannotRehearseError) as error:
        return failed(_COMMAND, str(error), error.code)
    if not outcomes:
        return failed(_COMMAND, "there is no statement to explain", ExitCode.WRONG_INPUT)
    from proxy.rehearsal.report import json_report, text_report

    if arguments.format == "json":
        print(json.dumps(json_report(outcomes), indent=2, ensure_ascii=False))
    else:
        print(text_report(outcomes))
    return ExitCode.FAILED if any(outcome.refusal is not None for outcome in outcomes) else ExitCode.OK


def rehearsed(
    policy: Policy, catalog: Catalog, analyst: str | None, scripts: Sequence[str], server: ServerSoon
) -> list[list[Outcome]]:
    """What becomes of each statement of some scripts.

    Args:
        policy: the policy.
        catalog: of its tables.
        analyst: who asks; None for the policy's first analyst.
        scripts: each has a session of its own.
        server: where the stage is built.

    Raises:
        CannotRehearseError: the policy does not fit the catalog, or there is no stage.
    """
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from proxy.errors import DpproxyError
    from proxy.policy.findings import PolicyError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.postgres.stage_schema import StageBuildError
    from proxy.rehearsal.stages import RehearsalStage, rehearsal_stage
    from proxy.wire.router import StageError

    outcomes: list[list[Outcome]] = []

    async def run_on(place: RehearsalStage) -> None:
        try:
            # Not returned: asyncio would spell all plans out, for a message that nobody reads.
            outcomes.extend(await rehearse(place, analyst or place.analysts[0], scripts))
        finally:
            await place.stage.close()

    if analyst is not None and analyst not in policy.analysts:
        raise CannotRehearseError(f"the policy has no analyst {analyst}", ExitCode.WRONG_INPUT)
    try:
        with ThreadPoolExecutor(1) as executor:
            building = executor.submit(rehearsal_stage, policy, catalog, server)
            from proxy.rehearsal.rehearsing import rehearse  # slow to import: the stage is built meanwhile

            place = building.result()
        asyncio.run(run_on(place))
    except PolicyError as error:
        findings = "\n".join(f"  {finding.sentence}" for finding in error.findings)
        raise CannotRehearseError(f"the policy does not fit the catalog:\n{findings}", ExitCode.WRONG_INPUT) from None
    except (EmbeddedPostgresError, StageBuildError, DpproxyError, DatabaseError) as error:
        raise CannotRehearseError(str(error), ExitCode.FAILED) from None
    except StageError as error:
        text = f"the stage refuses the session: SQLSTATE {error.sqlstate}"
        raise CannotRehearseError(text, ExitCode.FAILED) from None
    return outcomes

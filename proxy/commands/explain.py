"""`dpproxy explain`: what a query would release and cost, without asking the private database (decision 2)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from proxy.commands import CannotGoOnError, ExitCode, expect_little_garbage, failed
from proxy.commands.catalog import (
    add_catalog_arguments,
    catalog_of_arguments,
    needs_source_of_policy,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proxy.policy.catalog import Catalog
    from proxy.policy.model import Policy
    from proxy.rehearsal.planners import Reading, Rehearsals

_COMMAND: Final = "explain"
_STANDARD_INPUT: Final = "-"


class CannotRehearseError(CannotGoOnError):
    """Nothing can be planned."""


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
    from proxy.policy.findings import PolicyError
    from proxy.rehearsal.planners import starting_rehearsals

    expect_little_garbage()
    try:
        with starting_rehearsals() as rehearsals:
            from proxy.policy.load import load_policy  # slow to import: the process imports meanwhile

            policy = load_policy(arguments.policy, needs_source=needs_source_of_policy(arguments))
            script = sys.stdin.read() if arguments.sql == _STANDARD_INPUT else arguments.sql
            catalog = catalog_of_arguments(arguments, policy)
            (explained,) = rehearsed(arguments.format, policy, catalog, arguments.analyst, {"": script}, rehearsals)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    except CannotGoOnError as error:
        return failed(_COMMAND, str(error), error.code)
    if explained is None:
        return failed(_COMMAND, "there is no statement to explain", ExitCode.WRONG_INPUT)
    report, refused = explained
    print(report)
    return ExitCode.FAILED if refused else ExitCode.OK


def rehearsed(
    reading: Reading,
    policy: Policy,
    catalog: Catalog,
    analyst: str | None,
    scripts: Mapping[str, str],
    rehearsals: Rehearsals,
) -> list[Any]:
    """What is read from what becomes of the statements of some scripts, for each of them.

    Args:
        reading: what is read.
        policy: the policy.
        catalog: of its tables.
        analyst: who asks; None for the policy's first analyst.
        scripts: by name; each has a session of its own.
        rehearsals: what plans, and where the stage is built.

    Raises:
        CannotRehearseError: the policy does not fit the catalog, or there is no stage.
    """
    from proxy.errors import DpproxyError
    from proxy.policy.findings import PolicyError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.postgres.stage_schema import StageBuildError
    from proxy.rehearsal.planners import PlannerLostError, Question
    from proxy.rehearsal.stages import built_stage
    from proxy.wire.router import StageError

    if analyst is not None and analyst not in policy.analysts:
        raise CannotRehearseError(f"the policy has no analyst {analyst}", ExitCode.WRONG_INPUT)
    try:
        built = built_stage(policy, catalog, rehearsals.server)
        asker = analyst or next(iter(built.policy.analysts))
        found: list[Any] = rehearsals.planner.read(Question(reading, built, asker, scripts))
    except PolicyError as error:
        findings = "\n".join(f"  {finding.sentence}" for finding in error.findings)
        raise CannotRehearseError(f"the policy does not fit the catalog:\n{findings}", ExitCode.WRONG_INPUT) from None
    except PlannerLostError:
        raise CannotRehearseError("a planning process has ended, maybe for want of memory", ExitCode.FAILED) from None
    except (EmbeddedPostgresError, StageBuildError, DpproxyError, DatabaseError) as error:
        raise CannotRehearseError(str(error), ExitCode.FAILED) from None
    except StageError as error:
        text = f"the stage refuses the session: SQLSTATE {error.sqlstate}"
        raise CannotRehearseError(text, ExitCode.FAILED) from None
    return found

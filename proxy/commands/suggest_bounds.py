"""`dpproxy suggest-bounds`: bounds that are not publicly known, chosen privately and paid for (theorem 17)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.offline import LedgerInUseError, add_database_arguments, charging, ledger_dsn
from proxy.commands.serve import unfitting_text

if TYPE_CHECKING:
    from proxy.dp.accounting import Price
    from proxy.policy.model import ContributionPolicy, Policy
    from proxy.policy.traps import Watch
    from proxy.sql.planning.accounts import AccountPrice
    from proxy.sql.schema import Schema
    from proxy.sql.suggesting.questions import Questions
    from proxy.sql.suggesting.requests import Request

_COMMAND: Final = "suggest-bounds"
SOURCE_TIMEOUT_SECONDS = 3600.0
"""A steward can wait longer than an analyst."""


class _WrongInputError(Exception):
    """The command line does not fit the policy; the text is for the user."""


@dataclass(frozen=True)
class _Plan:
    """The questions about a table or a query.

    Attributes:
        about: "schema.table" or the query's text.
        questions: the questions, with their price.
        contribution: the policy's for the table; None for a query, which is not in the policy.
    """

    about: str
    questions: Questions
    contribution: ContributionPolicy | None


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `suggest-bounds`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="choose bounds privately, for a price",
        description="Choose clamping bounds and contribution bounds such that few units are outside, with differential "
        "privacy. The price is charged to the ledger like that of a query, before the data are read; asking again "
        "costs again. Without further options everything is asked that the policy's private tables lack.",
    )
    parser.add_argument("policy", metavar="POLICY", type=Path, help="the policy in YAML")
    parser.add_argument("--table", metavar="SCHEMA.TABLE", help="only this table")
    parser.add_argument(
        "--query", metavar="SELECT", help="instead of a table: the rows of a query, each of which belongs to one unit"
    )
    parser.add_argument(
        "--column", metavar="NAME", action="append", default=[], help="bounds of this column (repeatable)"
    )
    parser.add_argument("--max-rows", action="store_true", help="the rows of a unit in the table")
    parser.add_argument("--group-by", metavar="NAME,…", help="also the rows of a unit in one group of these columns")
    parser.add_argument("--all", action="store_true", help="also what the policy has already")
    parser.add_argument(
        "--epsilon",
        metavar="E",
        help="price for each table, as that of one query at dp.epsilon = E (default: the table's query.epsilon)",
    )
    parser.add_argument(
        "--groups",
        metavar="G",
        type=int,
        default=0,
        help="for sums in G groups: leave as many units outside as makes clipping weigh about what the noise does "
        "(default: few units, whatever the noise)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the questions and the price, and ask nothing")
    parser.add_argument("--write", action="store_true", help="put the numbers into the policy file")
    add_database_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Plan, show the price, charge, measure, choose, print and write."""
    import asyncio

    from proxy.errors import DpproxyError, InvalidSettingError, LedgerUnavailableError, RefusedError, UnsupportedError
    from proxy.policy.findings import PolicyError
    from proxy.policy.rewriting import RewriteError
    from proxy.policy.window_rules import UNCOUNTED
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.serving.ledger_memory import LedgerLostError
    from proxy.serving.requirements import LedgerDisagreesError

    try:
        plans, policy, watch = _plan(arguments)
        for plan in plans:
            print(_announcement(plan), flush=True)
        if arguments.dry_run:
            print("nothing was charged or asked")
        else:
            with ledger_dsn(arguments) as ledger:
                asyncio.run(_ask(arguments, plans, policy, watch, ledger))
    except PolicyError as error:
        if all(finding.rule == UNCOUNTED for finding in error.findings):
            return failed(_COMMAND, unfitting_text(arguments.policy, error), ExitCode.WRONG_INPUT)
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    except (_WrongInputError, LedgerLostError, RewriteError) as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    except (LedgerInUseError, LedgerDisagreesError, EmbeddedPostgresError) as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    except (DatabaseError, LedgerUnavailableError) as error:
        return failed(_COMMAND, str(error).partition("\n")[0], ExitCode.UNREACHABLE)
    except (UnsupportedError, RefusedError, InvalidSettingError) as error:
        return failed(
            _COMMAND, "\n".join(filter(None, (error.message, error.detail, error.hint))), ExitCode.WRONG_INPUT
        )
    except DpproxyError as error:
        return failed(_COMMAND, "\n".join(filter(None, (error.message, error.detail))), ExitCode.FAILED)
    return ExitCode.OK


def _plan(arguments: argparse.Namespace) -> tuple[list[_Plan], Policy, Watch]:
    """The questions about each table, after everything that can be checked without asking or paying, the policy, and
    what to verify of the source with them.

    Raises:
        _WrongInputError: nothing to ask, or something that cannot be asked.
        PolicyError: the policy is wrong, or does not fit the source.
        RewriteError: the policy's file could not be rewritten.
        psycopg.Error: the source cannot be reached.
    """
    from proxy.policy.findings import PolicyError, has_errors
    from proxy.policy.lint import check_against_catalog
    from proxy.policy.load import load_policy
    from proxy.policy.other_values import declaring_columns
    from proxy.policy.rewriting import check_rewritable
    from proxy.policy.traps import Watch
    from proxy.policy.type_values import with_values_of_types
    from proxy.postgres.catalog_reader import read_catalog
    from proxy.sql.schema import Schema
    from proxy.sql.suggesting.questions import plan_questions
    from proxy.sql.suggesting.requests import RequestError
    from proxy.suggest_bounds.changes import placeholders, policy_changes

    if arguments.ledger is not None and arguments.state is not None:
        raise _WrongInputError("--state and --ledger exclude each other: both name the ledger")
    if arguments.groups < 0:
        raise _WrongInputError(f"--groups: expected a number of groups, got {arguments.groups}")
    asked = _epsilon(arguments.epsilon)
    policy = load_policy(arguments.policy, needs_source=arguments.source is None)
    arguments.source = arguments.source or policy.source
    if arguments.source is None:
        raise _WrongInputError("no private database: give --source, or set `source` in the policy")
    catalog = read_catalog(arguments.source, policy.tables, declaring=declaring_columns(policy))
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError(findings)
    schema = Schema(with_values_of_types(policy, catalog), catalog)
    try:
        requests = _requests(arguments, schema)
        plans = [
            _Plan(
                about,
                plan_questions(request, policy, asked, arguments.groups),
                policy.tables[about].contribution if arguments.query is None else None,
            )
            for about, request in requests.items()
        ]
    except RequestError as error:
        raise _WrongInputError(str(error)) from error
    if arguments.write:
        for plan in plans:
            if plan.contribution is None:
                raise _WrongInputError(
                    "--write works with tables only: a policy has no place for the bounds of a query"
                )
            changes = policy_changes(plan.about, plan.contribution, placeholders(plan.questions))
            check_rewritable(arguments.policy, changes)
    return plans, policy, Watch(policy, catalog)


def _epsilon(text: str | None) -> Fraction | None:
    if text is None:
        return None
    from proxy.dp.exact import positive

    try:
        return positive("--epsilon", Decimal(text))
    except (ValueError, InvalidOperation):
        raise _WrongInputError(f"--epsilon: expected a positive number, got {text}") from None


def _requests(arguments: argparse.Namespace, schema: Schema) -> dict[str, Request]:
    """The requests that the options mean, by table or query.

    Raises:
        _WrongInputError: they contradict each other or the policy, or there is nothing to ask.
        RequestError: something that cannot be asked.
        DpproxyError: a query whose rows are not proven to belong to one unit each.
    """
    from proxy.sql.suggesting.requests import (
        Request,
        all_numbers,
        everything,
        missing,
        query_probes,
        query_relation,
        table_relation,
    )

    named = bool(arguments.column or arguments.max_rows)
    columns = tuple(dict.fromkeys(arguments.column))
    groups = tuple(name.strip() for name in arguments.group_by.split(",")) if arguments.group_by is not None else ()
    if arguments.all and named:
        raise _WrongInputError("--all includes everything: leave out --column and --max-rows")
    if arguments.query is not None:
        if arguments.table is not None:
            raise _WrongInputError("--table and --query exclude each other")
        relation = query_relation(schema, arguments.query)
        columns = columns if named or groups else all_numbers(relation)
        probes = query_probes(schema, arguments.query)
        requests = {arguments.query: Request(relation, columns, arguments.max_rows, groups, probes)}
    else:
        requests = {}
        for name in _tables(arguments, schema, only_one=named or bool(groups)):
            if named:
                request = Request(table_relation(schema, name), columns, arguments.max_rows)
            else:
                request = everything(schema, name) if arguments.all else missing(schema, name)
            bounded = schema.table(name).policy.contribution.max_rows is not None
            # max_rows_per_group has no meaning without max_rows.
            rows = request.max_rows or (bool(groups) and not bounded)
            requests[name] = replace(request, max_rows=rows, group_by=groups)
    requests = {about: request for about, request in requests.items() if request.choices}
    if not requests:
        raise _WrongInputError(
            "nothing is missing; use --column, --max-rows or --all to estimate existing bounds again"
        )
    return requests


def _tables(arguments: argparse.Namespace, schema: Schema, *, only_one: bool) -> list[str]:
    """The tables that are meant; a single one where the options concern one table."""
    private = [name for name, table in schema.policy.tables.items() if not table.public and not table.view]
    if arguments.table is not None:
        if arguments.table not in private:
            raise _WrongInputError(
                f"{arguments.table} is not a private table of the policy; private tables are {', '.join(private)}"
            )
        return [arguments.table]
    if only_one and len(private) > 1:
        raise _WrongInputError("--column, --max-rows and --group-by need --table: the policy has several tables")
    return private


async def _ask(
    arguments: argparse.Namespace, plans: Sequence[_Plan], policy: Policy, watch: Watch, ledger_dsn: str
) -> None:
    """Charge, measure, print and write table by table, so that no later failure loses what was paid for."""
    from proxy.policy.rewriting import rewrite_policy
    from proxy.postgres.source import Source
    from proxy.query.notices import left_text
    from proxy.suggest_bounds.changes import policy_changes, suggestion_lines
    from proxy.suggest_bounds.choosing import ask

    source = Source(arguments.source, watch, statement_timeout_seconds=SOURCE_TIMEOUT_SECONDS)
    try:
        async with charging(policy, arguments, ledger_dsn) as ledger:
            for plan in plans:
                receipt, suggestions = await ask(plan.questions, plan.about, ledger, source, plan.contribution)
                print("\n".join([f"{plan.about}:", *suggestion_lines(plan.questions, suggestions)]))
                print(left_text(receipt), flush=True)
                if arguments.write and plan.contribution is not None:
                    changes = policy_changes(plan.about, plan.contribution, suggestions)
                    if changes:
                        rewrite_policy(arguments.policy, changes)
                    print(f"written to {arguments.policy}" if changes else "nothing was written", flush=True)
    finally:
        await source.close()


def _announcement(plan: _Plan) -> str:
    """What will be asked, and its price."""
    from proxy.sql.explain import price_text
    from proxy.sql.planning.wording import short

    questions = plan.questions
    accounts = ", ".join(f"{account.name} ({_share(account, questions.price)} of it)" for account in questions.accounts)
    return (
        f"{plan.about}: {', '.join(questions.asked)}\n"
        f"  price: as one query at dp.epsilon = {short(questions.epsilon)} "
        f"({price_text(questions.price)}), charged to {accounts}"
    )


def _share(account: AccountPrice, price: Price) -> str:
    """What a price takes of an account's limit."""
    from proxy.query.limits import account_limit

    limit = account_limit(account)
    return f"{float(1 - limit.share_left(limit.remaining(price))):.1%}"

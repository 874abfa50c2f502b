"""`dpproxy catalog`: what checking and planning need of a database, as a file for places without one (decision 8)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import CannotGoOnError, ExitCode, failed

if TYPE_CHECKING:
    from proxy.policy.catalog import Catalog
    from proxy.policy.model import Policy

_COMMAND: Final = "catalog"


class NoCatalogError(CannotGoOnError):
    """The catalog that a command was told to use cannot be had."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `catalog`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="save what checking and planning need of a database, for CI without one",
        description="Print names, types, keys and constraints of a database's tables as JSON. No row of a private "
        "table is read. With --policy, of its public tables also the number of rows, the range of their numbers, how "
        "long their texts are, and the values that the policy declares by them.",
    )
    parser.add_argument("--source", metavar="DSN", help="the private database (default: the policy's `source`)")
    parser.add_argument("--policy", metavar="FILE", type=Path, help="the policy that the catalog is for")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write here, not to standard output")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Read the catalog, and print or write it."""
    from proxy.policy.catalog_file import catalog_text
    from proxy.policy.load import PolicyError, load_policy
    from proxy.postgres.survey import read_whole_catalog

    try:
        needs_source = arguments.source is None
        policy = load_policy(arguments.policy, needs_source=needs_source) if arguments.policy is not None else None
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    source = arguments.source or (policy.source if policy is not None else None)
    if source is None:
        return failed(_COMMAND, "no database: give --source, or a --policy with `source`", ExitCode.WRONG_INPUT)
    try:
        catalog = read_whole_catalog(source, policy)
    except Exception as error:  # the driver's errors; no command knows the driver
        return failed(_COMMAND, f"the source cannot be read: {str(error).partition(chr(10))[0]}", ExitCode.UNREACHABLE)
    if catalog.encoding != "UTF8":
        message = f"the database's encoding is {catalog.encoding}; only UTF8 is supported"
        return failed(_COMMAND, message, ExitCode.WRONG_INPUT)
    if arguments.output is None:
        print(catalog_text(catalog), end="")
        return ExitCode.OK
    try:
        arguments.output.write_text(catalog_text(catalog), encoding="utf-8")
    except OSError as error:
        return failed(_COMMAND, f"{arguments.output} cannot be written: {error.strerror}", ExitCode.WRONG_INPUT)
    return ExitCode.OK


def add_catalog_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where a command that plans has the catalog from."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--catalog", metavar="FILE", type=Path, help="a file that `dpproxy catalog` wrote")
    what.add_argument("--source", metavar="DSN", help="the private database (default: the policy's `source`)")


def needs_source_of_policy(arguments: argparse.Namespace) -> bool:
    """Is the policy's `source` where the catalog is read? Not if the arguments name a file or a database."""
    return arguments.catalog is None and arguments.source is None


def catalog_of_arguments(arguments: argparse.Namespace, policy: Policy, *, for_planning: bool = True) -> Catalog:
    """The catalog of a policy's tables, from the file or the database that the arguments name.

    Args:
        arguments: with `catalog` and `source`.
        policy: the policy.
        for_planning: with what public rows say. Comparing a policy with its source does without, and the reader may
            lack the privilege to read them.

    Raises:
        NoCatalogError: neither is named, or it cannot be read.
    """
    from proxy.policy.catalog_file import CatalogFileError, catalog_of_policy, read_catalog_file
    from proxy.policy.other_values import declaring_columns
    from proxy.postgres.catalog_reader import catalog_for, read_catalog

    if arguments.catalog is not None:
        try:
            return catalog_of_policy(read_catalog_file(arguments.catalog), policy, for_planning=for_planning)
        except CatalogFileError as error:
            raise NoCatalogError(str(error), ExitCode.WRONG_INPUT) from None
    source = arguments.source or policy.source
    if source is None:
        text = "no catalog: give --catalog or --source, or set `source` in the policy"
        raise NoCatalogError(text, ExitCode.WRONG_INPUT)
    try:
        if for_planning:
            return catalog_for(source, policy)
        return read_catalog(source, policy.tables, declaring=declaring_columns(policy))
    except Exception as error:  # the driver's errors; no command knows the driver
        text = f"the source cannot be read: {str(error).partition(chr(10))[0]}"
        raise NoCatalogError(text, ExitCode.UNREACHABLE) from error

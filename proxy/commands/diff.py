"""`dpproxy diff`: what a change of a policy does to the guarantee, for those who have to agree to it (decision 8)."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from proxy.commands import ExitCode, failed

if TYPE_CHECKING:
    from proxy.policy.load import Examination

_COMMAND: Final = "diff"
_STANDARD_INPUT: Final = "-"


class _ListRules(argparse.Action):
    """Prints the rules where the option stands, as `--help` does, so that no file need be named."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, _values: object, _option: str | None = None
    ) -> NoReturn:
        from proxy.review.judging import CHANGE_RULES

        print("\n".join(f"{rule} {effect}: {summary}" for rule, (effect, summary) in CHANGE_RULES.items()))
        parser.exit(ExitCode.OK)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `diff`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="say what a change of a policy does to the guarantee",
        description="Compare two policies and say in words what the change does to the guarantee. Exit code 0: privacy "
        "is not weakened, or only as --allow accepts, 1: it is, 2: a policy is unusable.",
    )
    parser.add_argument("old", metavar="OLD", help="the policy before, or - for standard input")
    parser.add_argument("new", metavar="NEW", help="the policy after, or - for standard input")
    parser.add_argument(
        "--format", choices=("text", "json", "github", "markdown"), default="text", help="how to print changes"
    )
    parser.add_argument(
        "--allow", metavar="RULE", action="append", default=[], help="accept changes of this rule (repeatable)"
    )
    parser.add_argument("--rules", action=_ListRules, nargs=0, help="list all rules, and end")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compare two policies."""
    from proxy.review.change_formats import CHANGE_FORMATS
    from proxy.review.changes import errors_of, failing, placed
    from proxy.review.judging import CHANGE_RULES

    unknown = [rule for rule in arguments.allow if rule not in CHANGE_RULES]
    if unknown:
        return failed(_COMMAND, f"--allow: there is no rule {unknown[0]}; --rules lists them", ExitCode.WRONG_INPUT)
    if arguments.old == arguments.new == _STANDARD_INPUT:
        return failed(_COMMAND, "only one policy can come from standard input", ExitCode.WRONG_INPUT)
    old, new = _examined(arguments.old), _examined(arguments.new)
    errors = errors_of(old, new)
    if errors:
        print("\n".join(map(str, errors)), file=sys.stderr)
        return ExitCode.WRONG_INPUT
    found = placed(old, new, arguments.allow)
    print(CHANGE_FORMATS[arguments.format](found))
    return ExitCode.FAILED if failing(found) else ExitCode.OK


def _examined(name: str) -> Examination:
    """A policy with its `source` as it is written: nothing is connected to, and variables of it may be unset."""
    from proxy.policy.load import examine_policy, examine_stream

    if name == _STANDARD_INPUT:
        found = examine_stream(sys.stdin.buffer, "<stdin>", needs_source=False)
    else:
        found = examine_policy(Path(name), needs_source=False)
    if found.policy is None:
        return found
    written = found.source_map.written(("source",), found.policy.source or "")
    return replace(found, policy=found.policy.model_copy(update={"source": written}))

"""`dpproxy schema`: the JSON Schema of policies, for editors."""

from __future__ import annotations

import argparse
import json
from typing import Final

from proxy.commands import ExitCode

_COMMAND: Final = "schema"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `schema`."""
    return subparsers.add_parser(
        _COMMAND,
        help="print the JSON Schema of policies, for editors",
        description="Print the JSON Schema of policies. Editors that know YAML complete and explain keys by it: write "
        "it to dpproxy.schema.json beside the policy, whose first line names that file. `dpproxy check` finds more.",
    )


def run(_arguments: argparse.Namespace) -> int:
    """Print the schema."""
    from proxy.policy.json_schema import policy_schema

    print(json.dumps(policy_schema(), indent=2))
    return ExitCode.OK

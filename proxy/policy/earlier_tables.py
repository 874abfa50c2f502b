"""What was spent of rows that another table of the policy has now: a partition in the place of its parent, a view with
a unit of its own in the place of what it reads, or the other way round.

Accounts go by the table's name, so that such rows would have a fresh budget. Within one policy that is an error
(`traps`); between two versions of it only the ledger knows the earlier name, and only the catalog what has whose rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy
from proxy.policy.traps import rows_of
from proxy.policy.window_rules import UNCOUNTED

_BEGINNING: Final = r"@\d{4}-\d\d-\d\dT\d\d:\d\dZ"
_WINDOW: Final = r"\..+@\d{4}[-\dQW]*"
_RATE: Final = r" per (?:day|week|month)"
_ADDED: Final = rf"(?s:{_WINDOW})?(?:{_RATE})?(?:{_BEGINNING})?"
"""What an account's name may have behind that of its table: a window of time, a rate, the beginning of a budget that
renews."""

_TABLE: Final = "table:"


def accounts_of(table: str) -> re.Pattern[str]:
    """All names that the ledger ever had for the accounts of a table."""
    return re.compile(re.escape(_TABLE + table) + _ADDED)


def earlier_tables(policy: Policy, charged: Collection[str]) -> dict[str, list[str]]:
    """What may be names of tables of which something was spent, and which have no budget in the policy now.

    Args:
        policy: the policy.
        charged: the names of the ledger's accounts that have paid for something.

    Returns:
        Their accounts, by name. Of an account with a dot in its name it is not known which part is the table's: there
        are several names then, of which at most one is that of a table.
    """
    known = [accounts_of(name) for name, table in policy.tables.items() if table.budget is not None]
    found: dict[str, list[str]] = {}
    for account in sorted(charged):
        if account.startswith(_TABLE) and not any(pattern.fullmatch(account) for pattern in known):
            for name in _names(account.removeprefix(_TABLE)):
                found.setdefault(name, []).append(account)
    return found


def _names(account: str) -> set[str]:
    """What an account's table may be called, schema and all."""
    ends = [match.start() for match in re.finditer(r"\.|@| per ", account)] + [len(account)]
    names = {account[:end] for end in ends}
    return {name for name in names if "." in name and accounts_of(name).fullmatch(_TABLE + account)}


def check_earlier_tables(
    policy: Policy, catalog: Catalog, earlier: dict[str, list[str]], places: SourceMap
) -> Iterator[Finding]:
    """No edit of the policy gives rows that were asked about another budget by another name.

    Args:
        policy: the policy.
        catalog: of its tables and of the earlier ones.
        earlier: as of `earlier_tables`.
        places: in the policy's file.
    """
    rows = {name: rows_of(policy, catalog, name) for name in earlier if name in catalog.tables}
    for name, table in policy.tables.items():
        if table.budget is None or table.budget.new_accounts or name not in catalog.tables:
            continue
        own = set(rows_of(policy, catalog, name))
        other = next((other for other, theirs in sorted(rows.items()) if not own.isdisjoint(theirs)), None)
        if other is not None:
            message = (
                f"what was spent under other accounts, such as {earlier[other][0]}, would not count any more, since "
                f"rows of {name} are rows of {other}: list that one as it was, or write `new_accounts: true`"
            )
            hint = "with `new_accounts: true` both budgets add up"
            yield places.error(UNCOUNTED, ("tables", name, "budget"), message, hint)

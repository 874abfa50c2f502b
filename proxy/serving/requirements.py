"""What must hold before a proxy answers: of the policy and its source, of the stage's server and of the ledger."""

from __future__ import annotations

import logging
from dataclasses import replace

from proxy.budget.identity import has_charge, read_last
from proxy.budget.ledger import Ledger
from proxy.budget.ledger_tables import NoLedgerError
from proxy.dp.accounting import Price
from proxy.policy.catalog import Catalog
from proxy.policy.findings import PolicyError, SourceMap
from proxy.policy.lint import require_fitting
from proxy.policy.model import Policy
from proxy.policy.type_values import with_values_of_types
from proxy.policy.window_rules import check_earlier_accounts, check_open_windows, unknown_ends
from proxy.postgres.catalog_reader import catalog_for
from proxy.postgres.stage_building import room_on_stage
from proxy.postgres.stage_roles import OWN_CONNECTIONS
from proxy.query import limits
from proxy.serving.ledger_memory import LedgerMemory
from proxy.serving.options import ServiceOptions
from proxy.wire.session import Limits

logger = logging.getLogger(__name__)


class LimitsError(Exception):
    """Limits that do not fit the stage's server; the text says which."""


class LedgerDisagreesError(Exception):
    """The ledger's totals are not the sums of its charges; the text says what to do."""


def policy_and_catalog(policy: Policy, source_dsn: str) -> tuple[Policy, Catalog]:
    """A policy with the values of its types, and the source's catalog.

    Raises:
        PolicyError: they do not fit (`require_fitting`).
        psycopg.Error: the source cannot be reached.
    """
    catalog = catalog_for(source_dsn, policy)
    require_fitting(policy, catalog)
    return with_values_of_types(policy, catalog), catalog


def fitting_limits(options: ServiceOptions) -> Limits:
    """The limits, as far as the stage's server has room for them.

    Raises:
        LimitsError: it has not.
        psycopg.Error: it cannot be reached.
    """
    limits, room = options.limits, room_on_stage(options.stage_dsn)
    if limits.connections <= room:
        return limits
    if not options.adapt_limits or room < 1:
        raise LimitsError(
            f"the stage's server has room for {max(room, 0)} sessions, not for {limits.connections}, beside what "
            f"dpproxy itself needs ({OWN_CONNECTIONS}): raise its max_connections, or lower --max-clients"
        )
    logger.info("at most %d sessions: the stage's server has no room for more", room)
    return replace(limits, connections=room, connections_per_analyst=min(limits.connections_per_analyst, room))


async def open_ledger(ledger: Ledger, policy: Policy, memory: LedgerMemory | None, *, begins: bool = True) -> None:
    """Open the ledger of a policy that is to be charged: the one that is remembered, as it was, and with accounts that
    the policy still has. The ledger is closed again if it cannot be used.

    Args:
        ledger: not open.
        policy: as it is now.
        memory: what is remembered beside the policy; None where nothing is.
        begins: may one begin where none is remembered?

    Raises:
        LedgerUnavailableError: it cannot be used.
        LedgerLostError: it is not the one that is remembered.
        LedgerDisagreesError: somebody has changed it.
        PolicyError: what was spent would not count under the policy.
    """
    await open_remembered(ledger, memory, begins=begins)
    try:
        await require_agreement(ledger)
        await require_known_accounts(policy, ledger)
    except BaseException:
        await ledger.close()
        raise


async def open_remembered(ledger: Ledger, memory: LedgerMemory | None, *, begins: bool) -> None:
    """Open a ledger, which is the one that is remembered, if one is; the arguments are those of `open_ledger`.

    Raises:
        LedgerUnavailableError: it cannot be used.
        LedgerLostError: it is not the one that is remembered.
    """
    remembered = None if memory is None or memory.new else memory.remembered()
    try:
        await ledger.open(begins=begins and remembered is None)
    except NoLedgerError:
        if memory is None or remembered is None:
            raise
        raise memory.lost("this database has none") from None
    if memory is None or remembered is None:
        return
    try:
        last = await read_last(ledger.database)
        if remembered.ledger not in (None, last.ledger):
            raise memory.lost(f"this one is {last.ledger}, and not {remembered.ledger}")
        if remembered.last is not None and not await has_charge(ledger.database, remembered.last):
            raise memory.lost(f"this one is an older copy, in which charge {remembered.last} is missing")
    except BaseException:
        await ledger.close()
        raise


async def require_agreement(ledger: Ledger) -> None:
    """Refuse a ledger that somebody has changed.

    Raises:
        LedgerDisagreesError: its totals are not the sums of its charges.
    """
    discrepancies = await ledger.verify()
    if discrepancies:
        raise LedgerDisagreesError(
            f"somebody has changed the ledger: {discrepancies[0]} ({len(discrepancies)} such findings). Restore "
            "what it was; `dpproxy budget --verify` lists them all"
        )


async def require_known_accounts(policy: Policy, ledger: Ledger) -> None:
    """Refuse a policy under whose accounts what was spent would not count; note the ends of windows that are not known.

    Raises:
        PolicyError: there is such an account.
    """
    charged = [name for name, spent in (await ledger.accounts()).items() if spent != Price.zero()]
    opened = {account: (known.start, known.until) for account, known in (await ledger.opened()).items()}
    place = SourceMap("policy")
    findings = [
        *check_earlier_accounts(policy, charged, place),
        *check_open_windows(policy, opened, limits.now(), place),
    ]
    if findings:
        raise PolicyError(findings)
    await ledger.note_ends(unknown_ends(policy, opened))

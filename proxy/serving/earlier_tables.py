"""Refuses a policy that lists rows under another table's name than that under which they were asked about."""

from __future__ import annotations

from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Price
from proxy.policy.earlier_tables import check_earlier_tables, earlier_tables
from proxy.policy.findings import PolicyError, SourceMap
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.serving.threads import in_thread


async def require_known_tables(policy: Policy, ledger: Ledger, source_dsn: str) -> None:
    """Refuse a policy whose tables have rows of which something was spent by another name.

    The source is asked only where the ledger has charges of tables that the policy does not list as private ones.

    Args:
        policy: fits the source.
        ledger: open.
        source_dsn: connection string of the private database.

    Raises:
        PolicyError: there is such a table.
        LedgerUnavailableError: the ledger cannot be asked.
        psycopg.Error: the source cannot be reached.
    """
    charged = [name for name, spent in (await ledger.accounts()).items() if spent != Price.zero()]
    earlier = earlier_tables(policy, charged)
    if not earlier:
        return
    catalog = await in_thread(read_catalog, source_dsn, sorted({*policy.tables, *earlier}))
    findings = list(check_earlier_tables(policy, catalog, earlier, SourceMap("policy")))
    if findings:
        raise PolicyError(findings)

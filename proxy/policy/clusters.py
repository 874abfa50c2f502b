"""Checks that a Citus cluster keeps all rows of a unit on one worker, which then does its work alone.

Where it does not, answers are as private and as exact, but rows travel between the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy
from proxy.policy.unit_paths import parse_via


def check_distribution(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """The rows of a private table are spread by the unit, or by what leads to it."""
    table = policy.tables[name]
    if table.unit is None or table.view or catalog.tables[name].distributed_by is None:
        return
    spread, reference = catalog.tables[name].distributed_by, table.unit
    if reference.column is not None:
        if spread != reference.column:
            message = f"the cluster spreads its rows by {spread}, and those of one unit over all workers"
            hint = f"SELECT alter_distributed_table('{name}', distribution_column => '{reference.column}')"
            yield places.warning("DP524", ("tables", name, "unit", "column"), message, hint)
        return
    hop = parse_via(reference.via or "")[0]
    target = catalog.tables.get(hop.target)
    if spread != hop.column or (target is not None and target.distributed_by not in (None, hop.target_column)):
        message = f"the cluster cannot join it with {hop.target} by {hop.column}: the rows of both are on other workers"
        hint = "store the unit in both tables, distribute both by it, and name that column instead of a path"
        yield places.warning("DP524", ("tables", name, "unit", "via"), message, hint)

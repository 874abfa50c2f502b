"""Views of a policy beside the database: are they some, what do they read, and is it listed?"""

from __future__ import annotations

from collections.abc import Iterator

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy


def check_tables_of_views(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A view is read by its query, so that what this reads is listed."""
    if not policy.tables[name].view:
        return
    read = {found.target for found in catalog.dependencies if found.reader == name and found.how == "query"}
    missing = sorted(target for target in read if target not in policy.tables and not target.endswith(")"))
    if missing:
        message = f"it reads {', '.join(missing)}, which the policy does not list: every query of it is refused"
        hint = "list what it reads; a materialized view cannot be listed, only the tables that it was made from"
        yield places.warning("DP534", ("tables", name, "view"), message, hint)


def check_view(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """`view: true` names a view; a view without it is treated as a table."""
    table, is_view = policy.tables[name], catalog.tables[name].view_definition is not None
    if table.view and not is_view:
        hint = "remove `view: true`, and add the table's unit and budget"
        yield places.error("DP520", ("tables", name, "view"), f"{name} is not a view", hint)
    elif is_view and not table.view and not table.public:
        message = "a view with a unit of its own: nothing proves that each of its rows is that unit's, or cannot fail"
        hint = "write `view: true` in the place of unit and budget, and list the tables that it reads"
        yield places.warning("DP521", ("tables", name), message, hint)


def check_views_of_public_tables(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A view stands for its query only beside private rows. Where it reads none, its own rows are what is asked for."""
    read = tables_read(policy, catalog, name)
    if policy.tables[name].view and read and all(each in policy.tables and policy.tables[each].public for each in read):
        message = f"it reads public tables only ({', '.join(read)}): a query of it alone is refused"
        hint = "write `public: true`, so that its rows are copied like theirs"
        yield places.warning("DP536", ("tables", name, "view"), message, hint)


def tables_read(policy: Policy, catalog: Catalog, name: str) -> list[str]:
    """What a view reads, and what the views that it reads do that stand for their query, too."""
    found: dict[str, None] = {}
    seen, pending = {name}, [name]
    for reader in pending:
        for each in catalog.dependencies:
            if each.reader != reader or each.how != "query" or each.target in seen:
                continue
            seen.add(each.target)
            if each.target.endswith(")") or (each.target in policy.tables and policy.tables[each.target].view):
                pending.append(each.target)
            else:
                found[each.target] = None
    return sorted(found)

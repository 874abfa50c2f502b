"""What a policy lacks of its database: new tables and columns, added in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from proxy.policy.additions import add_to_policy
from proxy.policy.load import PolicyError, examine_policy
from proxy.policy.model import Policy
from proxy.policy.rewriting import read_text
from proxy.policy.unit_paths import unit_path
from proxy.postgres.survey import Survey
from proxy.starter.document import held_by, listable_tables, listable_views
from proxy.starter.spelling import comment, key
from proxy.starter.tables import column_lines, private_table, unowned_table, view
from proxy.starter.units import Owner, all_owners, led_elsewhere


def update_policy(path: Path, survey: Survey) -> list[str]:
    """Add to the policy's file what it does not mention, not even in a comment.

    Returns:
        What was added, in words.

    Raises:
        PolicyError: the file is no valid policy.
        RewriteError: it cannot be edited in place.
    """
    examination = examine_policy(path, needs_source=False)
    if examination.policy is None:
        raise PolicyError(examination.findings)
    policy, text = examination.policy, read_text(path)
    listed = _owners(policy)
    additions: dict[tuple[str, ...], list[str]] = {}
    told: list[str] = []
    for name, owner in listed.items():
        found = survey.catalog.tables.get(name)
        mentioned = {*(policy.tables[name].columns or {}), *_commented(_region(text, name))}
        new = [
            column
            for column in (found.columns if found is not None else {})
            if comment(key(column)) not in mentioned and column not in mentioned
        ]
        if new:
            additions["tables", name, "columns"] = column_lines(survey, name, owner, new)
            told += [f"new column {name}.{comment(column)}" for column in new]
    commented = _commented(text)
    mentioned = {*policy.tables, *commented}
    for name, lines in _new_tables(policy, survey, listed):
        if name not in mentioned and comment(key(name)) not in mentioned:
            additions.setdefault(("tables",), []).extend(lines)
            told.append(f"new table {comment(name)}")
    if additions:
        add_to_policy(path, additions)
    return told


def _owners(policy: Policy) -> dict[str, Owner]:
    """How the private tables of a policy lead to their units."""
    found = {}
    for name, table in policy.tables.items():
        if table.unit is None:
            continue
        path = unit_path(policy, name)
        if path.hops:
            hop = path.hops[0]
            found[name] = Owner(path.unit, hop.column, f"{hop.target}.{hop.target_column}")
        else:
            found[name] = Owner(path.unit, path.column)
    return found


def _new_tables(policy: Policy, survey: Survey, listed: dict[str, Owner]) -> Iterator[tuple[str, list[str]]]:
    tables = listable_tables(survey)
    owned = all_owners(tables, {name: owner for name, owner in listed.items() if name in tables})
    elsewhere = led_elsewhere(tables, survey.sizes, owned)
    for name in tables:
        if name in policy.tables:
            continue
        if name in owned:
            unit = owned[name].unit
            yield name, private_table(survey, name, owned[name], _budget(policy, unit), _query(policy, unit))
        else:
            yield name, unowned_table(survey, name, policy.units, elsewhere)
    for name in listable_views(survey):
        yield name, view(survey, name, held_by(survey, {*owned, *listed}))


def _budget(policy: Policy, unit: str) -> str:
    """As large as the least that another table of the unit has; beside it, it adds to what may be learned."""
    budgets = [
        table.budget for table in policy.tables.values() if table.unit and table.budget and table.unit.name == unit
    ]
    least = min(budgets, key=lambda budget: (budget.epsilon, budget.delta))
    text = f"{{epsilon: {least.epsilon:f}, delta: {_small(least.delta)}}}"
    capped = policy.units[unit].budget is not None
    return text if capped else f"{text}  # decide: it adds to what may be learned of one {comment(unit)}"


def _query(policy: Policy, unit: str) -> str | None:
    """The prices that all other tables of the unit have; None where they differ, or are those of a table that states
    none."""
    queries = [table.query for table in policy.tables.values() if table.unit is not None and table.unit.name == unit]
    stated = {name: getattr(queries[0], name) for name in sorted(queries[0].model_fields_set)}
    if any(query != queries[0] for query in queries) or not stated:
        return None
    words = (f"{name}: {_small(value) if isinstance(value, Decimal) else value}" for name, value in stated.items())
    return f"{{{', '.join(words)}}}"


def _small(number: Decimal) -> str:
    """A number as short as one writes it: 1e-6, 0.25."""
    exact = number.normalize()
    is_short = exact.adjusted() < -4 and exact.as_tuple().digits == (1,)
    return f"1e{exact.adjusted()}" if is_short else f"{number:f}"


def _region(text: str, table: str) -> str:
    """The lines of a table's entry: up to the next line that is indented as little."""
    lines = text.splitlines()
    start = next(
        (number for number, line in enumerate(lines) if re.match(rf"\s*[\"']?{re.escape(table)}[\"']?\s*:", line)), None
    )
    if start is None:
        return ""
    indent = len(lines[start]) - len(lines[start].lstrip())
    region = []
    for line in lines[start + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        region.append(line)
    return "\n".join(region)


def _commented(text: str) -> set[str]:
    """The keys of entries that are commented out, and unquoted ones as they are."""
    return {match[1] for match in re.finditer(r"^\s*#\s*(\"[^\"]*\"|[^\s:]+):", text, re.MULTILINE)}

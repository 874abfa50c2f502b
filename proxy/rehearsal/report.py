"""What `dpproxy explain` prints: EXPLAIN's own lines, and what only the steward may see beside them; as text or JSON.

The source query names what is sent to the private database; analysts are never shown it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from proxy.dp.accounting import Price
from proxy.policy.model import ColumnPolicy
from proxy.query.limits import account_limit
from proxy.query.planned import numbered_blocks
from proxy.rehearsal.rehearsing import Outcome, Refusal
from proxy.sql.explain import explain_block, other_noise, with_half_the_noise
from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.accuracy import numeric_widths
from proxy.sql.planning.alternatives import alternatives
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.exact_sums import source_statements

FORMAT: Final = 1
"""The version of the JSON; keys are only added while it stays."""


def text_report(outcomes: Sequence[Outcome]) -> str:
    """For people."""
    parts = []
    for outcome in outcomes:
        shown = [f"-- {_title(outcome)}"] if len(outcomes) > 1 else []
        parts.append("\n".join([*shown, *_lines(outcome)]))
    return "\n\n".join(parts)


def _title(outcome: Outcome) -> str:
    return " ".join(outcome.text.split())[:100]


def _lines(outcome: Outcome) -> Iterator[str]:
    if outcome.refusal is not None:
        yield from refusal_lines(outcome.refusal, outcome.text)
        return
    if outcome.plan is None:
        yield "Reads no private rows; free"
        return
    for block, number, reads in numbered_blocks(outcome.plan.blocks):
        yield from explain_block(block.plan, number, reads)
        if block.plan.asks_source:
            yield from other_noise(block.plan, with_half_the_noise(block.plan), None)
        for name, share in _accounts(block.plan):
            yield f"  Account {name}: a new one pays for {share} such queries"
        for place, origins in _columns(block.plan).items():
            yield f"  Column {place}: {', '.join(f'{key} {value}' for key, value in origins.items())}"
        for statement in source_statements(block.plan):
            yield f"  Source query: {statement}"


def refusal_lines(refusal: Refusal, text: str) -> Iterator[str]:
    """As psql shows it, with the rule; `text` is the statement."""
    yield f"ERROR:  {refusal.sqlstate}: {refusal.message}" + (f" [{refusal.rule}]" if refusal.rule else "")
    if refusal.position is not None:
        start = text.rfind("\n", 0, refusal.position - 1) + 1
        label = f"LINE {text.count(chr(10), 0, start) + 1}: "
        yield label + text[start:].partition("\n")[0].rstrip()
        yield " " * (len(label) + refusal.position - 1 - start) + "^"
    for name, said in (("DETAIL", refusal.detail), ("HINT", refusal.hint)):
        if said is not None:
            yield f"{name}:  {said}"


def _accounts(plan: BlockPlan) -> Iterator[tuple[str, int]]:
    """Each account that pays, and how many such queries it pays for if nothing is spent."""
    for account in plan.accounts if plan.asks_source else ():
        yield account.name, account_limit(account).queries_left(Price.zero(), account.price(plan.price))


def _columns(plan: BlockPlan) -> dict[str, dict[str, str]]:
    """What is known of the columns that a block reads, and who says so."""
    tables = {table.name: table for table in plan.footprint.tables}
    found = {f"{name}.{column}": _origins(tables[name], column) for name, column in sorted(plan.footprint.columns)}
    return {place: origins for place, origins in found.items() if origins}


def _origins(table: NamedTable, column: str) -> dict[str, str]:
    said: dict[str, str] = {}
    declared: ColumnPolicy = table.column_policy(column)
    for key in ("bounds", "range"):
        pair = getattr(declared, key)
        if pair is not None:
            said[key] = f"[{pair[0]}, {pair[1]}] (policy)"
    if declared.step is not None:
        said["step"] = f"{declared.step} (policy)"
    elif (scale := table.catalog.columns[column].scale) is not None:
        said["step"] = f"{float(Fraction(1, 10**scale)):g} (type)" if scale >= 0 else f"{10**-scale} (type)"
    if declared.values_from is not None:
        said["values"] = f"those of {declared.values_from} (policy)"
    elif declared.values is not None:
        said["values"] = f"{len(declared.listed)} (policy)"
    if not {"bounds", "range"} & said.keys() and column in table.catalog.ranges:
        low, high = table.catalog.ranges[column]
        said["bounds"] = f"[{float(low):g}, {float(high):g}] (its public rows)"
    elif not {"bounds", "range"} & said.keys() and (moments := table.moments(column)) is not None:
        said["bounds"] = f"[{moments[0]}, {moments[1]}] ({declared.values_from or 'its public rows'})"
    return said


def json_report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """For programs: the document `dpproxy explain --format json` prints."""
    return {"dpproxy_explain": FORMAT, "statements": [_statement(outcome) for outcome in outcomes]}


def _statement(outcome: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = {"sql": outcome.text.strip()}
    if outcome.refusal is not None:
        refusal = outcome.refusal
        return said | {
            "outcome": "refused",
            "refusal": {
                "sqlstate": refusal.sqlstate,
                "rule": refusal.rule,
                "message": refusal.message,
                "detail": refusal.detail,
                "hint": refusal.hint,
                "position": refusal.position,
            },
        }
    if outcome.plan is None:
        return said | {"outcome": "public"}
    blocks = [_block(block.plan, number, reads) for block, number, reads in numbered_blocks(outcome.plan.blocks)]
    return said | {"outcome": "answered", "blocks": blocks}


def _block(plan: BlockPlan, number: int | None, reads: Sequence[int]) -> dict[str, Any]:
    bounds = plan.contribution
    stated = {"max_rows": bounds.max_rows, "max_rows_per_group": bounds.max_rows_per_group}
    keys = "none" if not plan.keys else "declared" if plan.domain is not None else "selected"
    return {
        "number": number or 1,
        "reads_blocks": list(reads),
        "tables": [table.name for table in plan.footprint.private_tables],
        "units": sorted({table.policy.unit.name for table in plan.footprint.private_tables if table.policy.unit}),
        "owners": {
            table.name: table.policy.unit.column or f"via {table.policy.unit.via}"
            for table in plan.footprint.private_tables
            if table.policy.unit
        },
        "columns": _columns(plan),
        "keys": {"kind": keys, "labels": [key.label for key in plan.keys]},
        "contribution": "chosen from the data" if plan.clipping is not None else stated,
        "aggregates": [aggregate.label for aggregate in plan.aggregates],
        "errors_95": {label: None if width is None else float(width) for label, width in numeric_widths(plan).items()},
        "mechanism": plan.noise_name,
        "alternatives": _alternatives(plan),
        "epsilon": float(plan.guarantee.epsilon),
        "price": _price(plan.price if plan.asks_source else Price.zero()),
        "accounts": [{"name": name, "queries": queries} for name, queries in _accounts(plan)],
        "source_sql": source_statements(plan),
        "explanation": explain_block(plan, number, reads),
    }


def _alternatives(plan: BlockPlan) -> list[Mapping[str, Any]]:
    if not plan.statistics or plan.clipping is not None:
        return []
    return [
        {"name": found.name, "chosen": found.chosen, "price": _price(found.price) if found.price is not None else None}
        for found in alternatives(plan)
    ]


def _price(price: Price) -> dict[str, float | None]:
    return {
        "epsilon": None if price.epsilon is None else float(price.epsilon),
        "rho": float(price.rho),
        "delta": float(price.delta),
    }

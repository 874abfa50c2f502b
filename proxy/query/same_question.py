"""When two questions are the same, so that one answer is recalled for both (decision 6)."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.schema import Schema
from proxy.sql.source_queries import exact_sums

_JSON = json.JSONEncoder(sort_keys=True)
_TIMELESS = frozenset(
    "smallint,integer,bigint,numeric,real,double precision,boolean,uuid,text,character,character varying,bpchar".split(
        ","
    )
)
_LOCAL = _TIMELESS | {"timestamp without time zone"}
_CLOCKS = "json current_ local now today tomorrow yesterday".split()
_TIMES = "date time interval epoch".split()
"""What SQL that has to do with dates or times has in it. Other SQL may have it, too, which is then asked once more."""
_ZONES = ["with time zone", "timestamptz", "timezone", "to_timestamp"]
"""What is in it where moments meet the clock of the session."""
_AGE, _DATE = re.compile(r"\bage\("), re.compile(r"\bdate\b")


@dataclass(frozen=True)
class Hashes:
    """What a question is known by.

    Attributes:
        question: the key of its stored answer.
        family: that of the same question at any ρ; None if there is no such question.
        at: when that was answered, if it is an edition that was made; else None.
        versions: of its data, as the source told them.
    """

    question: str
    family: str | None
    at: dt.datetime | None = None
    versions: tuple[str, ...] = ()


def block_hash(plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema) -> str:
    """The hash of what makes two blocks the same question: source query, noise, keys, the version of the data.

    Args:
        plan: the block's plan.
        shared: the session's TimeZone, DateStyle and IntervalStyle.
        schema: policy and catalog.
    """
    return block_hashes(plan, shared, schema)[0]


def block_hashes(
    plan: BlockPlan, shared: Sequence[tuple[str, str]], schema: Schema
) -> tuple[str, str | None, dict[str, str]]:
    """The `block_hash`; that of the same question at any ρ, its family, or None if it has none (theorem 23); and the
    settings that the block reads, with their values."""
    versions = {table.name: str(schema.table(table.name).policy.data_version) for table in plan.footprint.tables}
    measurement = exact_sums.source_statements(plan)
    settings = _settings_read(plan, measurement, shared, schema)
    # Ledgers hold answers under these hashes, which the names are part of: they must not change.
    content: dict[str, object] = {
        "database": schema.catalog.database,
        "measurement": measurement,
        "domain": plan.domain.sql if plan.domain is not None else None,
        "candidates": [choice.candidates.sql if choice.candidates else None for choice in plan.choices],
        "selection": repr(plan.selection),
        "grids": [repr(number.grid if isinstance(number, GridSum) else None) for number in plan.statistics],
        "versions": versions,
        "settings": settings,
    }
    if plan.clipping is not None:
        content["clipping"] = repr(plan.clipping)
    if any(limit is not None for limit in plan.limits):
        content["limits"] = repr(plan.limits)
    family = _hash(content | {"family": 1} | _noise(plan.at_rho(Fraction(1)))) if plan.is_refinable else None
    return _hash(content | _noise(plan)), family, settings


def _noise(plan: BlockPlan) -> dict[str, object]:
    """What a hash has of the noise."""
    noise: dict[str, object] = {"noise": [repr(mechanism) for mechanism in (*plan.mechanisms, *plan.choosing)]}
    if plan.levels is not None:
        noise["levels"] = repr(plan.levels.measured)
    return noise


def _hash(content: dict[str, object]) -> str:
    return hashlib.sha256(_JSON.encode(content).encode()).hexdigest()


def _settings_read(
    plan: BlockPlan, measurement: Sequence[str], shared: Sequence[tuple[str, str]], schema: Schema
) -> dict[str, str]:
    """The settings that a block reads, with their values: all of them, unless it plainly has nothing to do with dates
    and times.

    A setting says how dates, times and intervals are read, written, or brought to a clock. So none is read where all
    columns are numbers, truth values and texts, and the SQL, which is all that two servers compute of the block, names
    no type, function or field of time. TimeZone is not read where timestamps without time zone are added to that, and
    nothing brings them to a moment.
    """
    listed = [plan.domain, *(choice.candidates for choice in plan.choices)]
    sql = " ".join([*measurement, *(domain.sql for domain in listed if domain is not None)])
    lowered = sql.lower()
    if plan.footprint.feedback:
        return dict(shared)  # Released results of any type are written into the SQL.
    tables = schema.catalog.tables
    read = [tables[table].columns[column] for table, column in plan.footprint.columns]
    for name, columns in schema.public_columns:
        if name in sql:
            read += columns
    types = {column.type_name for column in read}
    # Few texts have these words, and to look for them by patterns takes ten times as long.
    of_clocks = _has_any(lowered, _CLOCKS) or ("age(" in lowered and _AGE.search(lowered) is not None)
    if types <= _TIMELESS and not of_clocks and not _has_any(lowered, _TIMES):
        return {}
    of_zones = _has_any(lowered, _ZONES) or ("date" in lowered and _DATE.search(lowered) is not None)
    is_local = types <= _LOCAL and not of_clocks and not of_zones
    return {name: value for name, value in shared if not is_local or name != "TimeZone"}


def _has_any(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)


def question_hash(block: str, literals: Sequence[str], versions: Sequence[str]) -> str:
    """The hash of a block together with the released results that it reads.

    Args:
        block: its `block_hash`.
        literals: the literal relations in its feedback's order.
        versions: of its data, as the source tells them (`live_versions`).
    """
    if not literals and not versions:
        return block
    read = "".join(f"{len(literal)}:{literal}" for literal in literals)
    read += "".join(f"v{len(version)}:{version}" for version in versions)
    return hashlib.sha256(f"{block}{read}".encode()).hexdigest()

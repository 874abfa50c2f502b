"""The settings of a session that its queries depend on."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import Final

from proxy.errors import UnsupportedError
from proxy.settings import SETTINGS, QuerySettings, read_settings
from proxy.wire.router import SessionContext

_REQUIRED = {
    "array_nulls": "on",
    "standard_conforming_strings": "on",
    "timezone_abbreviations": "Default",
    "transform_null_equals": "off",
}
"""Settings by which Postgres reads or computes expressions in another way, and how the source does."""
_SHARED_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle")
_PATH = "pg_catalog.current_setting('search_path')"
_WITH_PG_TEMP = f"""(
    SELECT coalesce(pg_catalog.json_agg(n.nspname ORDER BY p.place), '[]')
    FROM pg_catalog.regexp_matches({_PATH}, '\\s*(?:"((?:[^"]|"")*)"|([^,"\\s]+))\\s*(?:,|$)', 'g')
        WITH ORDINALITY AS p(found, place)
    JOIN pg_catalog.pg_namespace n ON n.nspname OPERATOR(pg_catalog.=)
        coalesce(pg_catalog.replace(p.found[1], '""', '"'), pg_catalog.lower(p.found[2])))"""
"""The schemas of a search_path that names pg_temp, without it: current_schemas() would make that one first."""
_SCHEMAS = (
    f"CASE WHEN pg_catalog.strpos(pg_catalog.lower({_PATH}), 'pg_temp') OPERATOR(pg_catalog.>) 0 THEN {_WITH_PG_TEMP} "
    "ELSE pg_catalog.array_to_json(pg_catalog.current_schemas(false)) END"
)
_SESSION_SQL = (
    "SELECT "
    + ", ".join(f"pg_catalog.current_setting('{name}', true)" for name in SETTINGS)
    + f", {_SCHEMAS}, "
    + ", ".join(f"pg_catalog.current_setting('{name}')" for name in (*_REQUIRED, *_SHARED_SETTINGS))
    + ", pg_catalog.current_setting('extra_float_digits')"
)
_KNOWN: Final = "settings"
_KNOWN_SECONDS: Final = 1.0
_MOST_HOURS = 15
"""Of an offset from UTC that Postgres reads."""


@dataclass(frozen=True)
class SessionState:
    """The settings of a session that its queries depend on.

    Attributes:
        settings: those of `SET dp.…`.
        search_path: schemas for unqualified names, in order.
        shared: those that source and stage have to share, as pairs of name and value.
        analyst: who asks.
        all_digits: does the stage write out all digits of numbers? Only what it computes for a statement depends on it.
    """

    settings: QuerySettings
    search_path: tuple[str, ...]
    shared: tuple[tuple[str, str], ...]
    analyst: str
    all_digits: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class _Known:
    """What was read of a session's settings, when, and at which `StageLink.changes`."""

    state: SessionState
    at: float
    changes: int


async def session_state(session: SessionContext) -> SessionState:
    """The settings that planning depends on, as they are now. The stage is not asked again if the session has done
    nothing since that could change them; an operator who changes the stage's own settings is heard within a second.

    Raises:
        StageError: the transaction has failed.
        DpproxyError: a setting that private queries refuse.
    """
    known, changes = session.memory.get(_KNOWN), session.stage.changes
    if isinstance(known, _Known) and known.changes == changes and time.monotonic() < known.at + _KNOWN_SECONDS:
        return known.state
    begun = time.monotonic()
    state = await _read_state(session)
    if isinstance(known, _Known) and (known.state, known.state.all_digits) == (state, state.all_digits):
        state = known.state  # which caches find at once
    session.memory[_KNOWN] = _Known(state, begun, changes)
    return state


async def _read_state(session: SessionContext) -> SessionState:
    *row, digits = (await session.stage.rows(_SESSION_SQL, quiet=True))[0]
    # As they are now: what a client is told of them comes with the end of a pipeline only.
    others = dict(zip((*_REQUIRED, *_SHARED_SETTINGS), row[len(SETTINGS) + 1 :], strict=True))
    for name, needed in _REQUIRED.items():
        if others[name] != needed:
            raise wrong_setting(name, needed)
    if not (others["DateStyle"] or "").startswith("ISO"):
        # The other styles print zones instead of offsets, so that two moments can be printed alike: when clocks go
        # back, and for weeks where a POSIX TimeZone says so. A group's key has to tell it from all others.
        raise UnsupportedError(
            "the output style of DateStyle must be ISO for queries over private tables",
            hint="SET DateStyle = ISO; to_char() writes dates in every other form.",
            rule="date-style",
        )
    if _hours_from_utc(others["TimeZone"] or "") > _MOST_HOURS:
        raise UnsupportedError(
            "TimeZone is too far from UTC for queries over private tables",
            detail=f"PostgreSQL writes offsets of {_MOST_HOURS + 1} hours and more, but does not read them.",
            hint="SET TimeZone = 'UTC'; or another zone with a name.",
            rule="session-setting",
        )
    texts = {name: row[index] or "" for index, name in enumerate(SETTINGS)}
    shared = tuple((name, others[name] or "") for name in _SHARED_SETTINGS)
    search_path = tuple(json.loads(row[len(SETTINGS)] or "[]"))
    return SessionState(read_settings(texts), search_path, shared, session.analyst, int(digits or 0) >= 1)


def _hours_from_utc(zone: str) -> int:
    """The most hours that a zone in POSIX's form, such as `FAR+167:59`, is away from UTC; 0 for other names."""
    offsets = re.sub(r"<[^>]*>", "", zone).split(",")[0]
    return max(map(int, re.findall(r"(?<![:\d])\d+", offsets)), default=0)


def require_all_digits(state: SessionState) -> None:
    """Refuse constants that the stage would compute and write out with too few digits for the source.

    Raises:
        UnsupportedError: extra_float_digits is 0 or less.
    """
    if not state.all_digits:
        raise wrong_setting("extra_float_digits", "1")


def wrong_setting(name: str, needed: str) -> UnsupportedError:
    """The refusal of a session's setting."""
    return UnsupportedError(
        f"{name} must be {needed} for this query over private tables",
        detail=f"The private database reads and computes expressions with {needed}.",
        hint=f"SET {name} = {needed};",
        rule="session-setting",
    )

"""The settings of a session that its queries depend on."""

from __future__ import annotations

import json
from dataclasses import dataclass

from proxy.errors import UnsupportedError
from proxy.settings import SETTINGS, QuerySettings, read_settings
from proxy.wire.router import SessionContext

_REQUIRED = {
    "array_nulls": ("on",),
    # Constants are computed on the stage and written out as texts; with 0 or less they would lose digits.
    "extra_float_digits": ("1", "2", "3"),
    "standard_conforming_strings": ("on",),
    "timezone_abbreviations": ("Default",),
    "transform_null_equals": ("off",),
}
"""Settings by which Postgres reads or computes expressions in another way, and how the source does."""
_SESSION_SQL = (
    "SELECT "
    + ", ".join(f"pg_catalog.current_setting('{name}', true)" for name in SETTINGS)
    + ", pg_catalog.array_to_json(pg_catalog.current_schemas(false)), "
    + ", ".join(f"pg_catalog.current_setting('{name}')" for name in _REQUIRED)
)
_SHARED_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle")


@dataclass(frozen=True)
class SessionState:
    """The settings of a session that its queries depend on.

    Attributes:
        settings: those of `SET dp.…`.
        search_path: schemas for unqualified names, in order.
        shared: those that source and stage have to share, as pairs of name and value.
        analyst: who asks.
    """

    settings: QuerySettings
    search_path: tuple[str, ...]
    shared: tuple[tuple[str, str], ...]
    analyst: str


async def session_state(session: SessionContext) -> SessionState:
    """The settings that planning depends on, as they are now.

    Raises:
        StageError: the transaction has failed.
        DpproxyError: a setting that private queries refuse.
    """
    row = (await session.stage.rows(_SESSION_SQL))[0]
    reported = session.stage.settings
    for (name, allowed), value in zip(_REQUIRED.items(), row[len(SETTINGS) + 1 :], strict=True):
        if value not in allowed:
            raise UnsupportedError(
                f"{name} must be {allowed[0]} for queries over private tables",
                detail=f"The private database reads and computes them with {allowed[0]}.",
                hint=f"SET {name} = {allowed[0]};",
                rule=name.replace("_", "-"),
            )
    if not reported.get("DateStyle", "ISO").startswith("ISO"):
        # The other styles print zones instead of offsets, so that two moments can be printed alike: when clocks go
        # back, and for weeks where a POSIX TimeZone says so. A group's key has to tell it from all others.
        raise UnsupportedError(
            "the output style of DateStyle must be ISO for queries over private tables",
            hint="SET DateStyle = ISO; to_char() writes dates in every other form.",
            rule="date-style",
        )
    texts = {name: row[index] or "" for index, name in enumerate(SETTINGS)}
    shared = tuple((name, reported[name]) for name in _SHARED_SETTINGS if name in reported)
    return SessionState(read_settings(texts), tuple(json.loads(row[len(SETTINGS)] or "[]")), shared, session.analyst)

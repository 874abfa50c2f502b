"""Which statements of some scripts each of several processes plans.

A query is planned alone: nothing that becomes of it changes what becomes of another. What sets something is for every
process, and a script with anything else stays whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from proxy.errors import DpproxyError
from proxy.sql.scripts import cut, first_words, names_outside_strings

Share = Mapping[int, Collection[int]]
"""By the place of a script, the places of the statements that are planned; a script that it lacks is not begun."""

_QUERIES: Final = frozenset({"select", "with", "values", "table", "show"})
_SETTINGS: Final = frozenset({"set", "reset"})
_LEAVING: Final = frozenset({"into", "set_config", "insert", "update", "delete", "merge", "currval", "lastval"})
"""Words of queries that may leave something behind for the next statement, or read what one left."""


def is_setting(statement: str) -> bool:
    """Does it set something for the statements after it?"""
    return first_words(statement, 1)[:1] in [(word,) for word in _SETTINGS]


def shares(scripts: Sequence[str], count: int) -> list[Share]:
    """Give each statement to one of `count` shares, about as much text to each.

    Args:
        scripts: each for a session of its own.
        count: how many shares, some of which may be empty.
    """
    parts = [part for place, script in enumerate(scripts) for part in _parts(place, script)]
    given: list[dict[int, list[int]]] = [{} for _ in range(count)]
    texts = [0] * count
    for size, place, statements in sorted(parts, reverse=True):
        least = texts.index(min(texts))
        texts[least] += size
        given[least].setdefault(place, []).extend(statements)
    return [{place: frozenset(found) for place, found in share.items()} for share in given]


def _parts(place: int, script: str) -> list[tuple[int, int, list[int]]]:
    """What may be planned apart: the size, the script's place, and the statements' places."""
    try:
        pieces = cut(script)
    except DpproxyError:
        return [(len(script), place, [0])]
    if all(_is_query(piece) or is_setting(piece) or not first_words(piece, 1) for piece in pieces):
        return [(len(piece), place, [number]) for number, piece in enumerate(pieces)]
    return [(len(script), place, list(range(len(pieces))))]


def _is_query(statement: str) -> bool:
    return first_words(statement, 1)[:1] in [(word,) for word in _QUERIES] and not names_outside_strings(
        statement, _LEAVING
    )

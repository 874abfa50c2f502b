"""The refusals of texts that are not read: for Postgres's grammar, for sqlglot's parser, or for their depth."""

from __future__ import annotations

from sqlglot.errors import SqlglotError

from proxy.errors import DpproxyError, UnsupportedError
from proxy.sql.dialect import ReadDifferentlyError
from proxy.sql.grammar import NotReadError


def too_deep() -> UnsupportedError:
    """The refusal of a statement that is nested too deeply to be walked."""
    return UnsupportedError(
        "this query is nested too deeply",
        hint="Use fewer parentheses, and IN (…) instead of long chains of OR.",
        rule="depth",
    )


def not_postgres(error: NotReadError, offset: int) -> UnsupportedError:
    """The refusal of what Postgres's grammar does not accept; the text begins at `offset` of the client's."""
    return UnsupportedError(
        "dpproxy could not parse this query",
        detail=f"PostgreSQL's parser reports: {error.message}.",
        position=None if error.start is None else offset + error.start + 1,
        rule="parse",
    )


def unparsable(error: SqlglotError, text: str, offset: int) -> DpproxyError:
    """The refusal of what sqlglot cannot parse, or reads differently from Postgres."""
    if isinstance(error, ReadDifferentlyError):
        return UnsupportedError(
            "dpproxy could not parse this query",
            detail=f"PostgreSQL interprets {error.spelled[:60]!r} differently.",
            hint=_how_to_write(error.spelled),
            position=None if error.start is None else offset + error.start + 1,
            rule="parse",
        )
    described = (getattr(error, "errors", None) or [{}])[0]
    highlight = described.get("highlight") or ""
    # The parser counts lines from 1 and gives the column of the token's last character.
    before = text.split("\n")[: (described.get("line") or 1) - 1]
    start = sum(len(line) + 1 for line in before) + (described.get("col") or 0) - len(highlight)
    found = bool(highlight) and text.startswith(highlight, start)
    return UnsupportedError(
        "dpproxy could not parse this query",
        detail=f"Parsing stopped near {highlight[:60]!r}." if highlight else None,
        hint="Write the query with plain SELECT, FROM, JOIN, WHERE, GROUP BY, HAVING and ORDER BY.",
        position=offset + start + 1 if found else None,
        rule="parse",
    )


def _how_to_write(spelled: str) -> str:
    """What to write where sqlglot reads a part of a text in another way than Postgres."""
    if spelled.startswith('"'):
        return "Write names of functions in small letters and without quotes, and of operators in parentheses."
    if spelled.lower() in _VALUES_WITHOUT_PARENTHESES:
        return f"Select the value in a subquery: FROM (SELECT {spelled}) AS name. A name like it is written in quotes."
    return "Put operators and their operands in parentheses, and blanks between operators."


_VALUES_WITHOUT_PARENTHESES = frozenset(
    """current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime
    localtimestamp session_user system_user user""".split()
)

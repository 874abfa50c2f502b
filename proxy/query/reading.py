"""Step 1, parse: from a client's text to a `Statement`, for the texts that need it."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.budget.cache import ImmutableCache
from proxy.errors import RefusedError, TooComplexError, UnsupportedError
from proxy.sql.prepared import may_execute
from proxy.sql.schema import Schema
from proxy.sql.scripts import cut, first_words, names_outside_strings, set_statement
from proxy.sql.statement import Statement, parse_statement, refused_write
from proxy.sql.temporary import making, may_be_temporary, mentions_temporary
from proxy.sql.text_limits import check_length, check_operators, starves_a_scanner
from proxy.sql.trees.blocks import VIRTUAL_RELATIONS
from proxy.wire.router import Description, Parameter, SessionContext, StatementText

SHORT = 4000
"""Characters of a text that is cut into statements within some milliseconds."""
_SEARCHED = 50_000
"""Characters of a text that is searched for names within a millisecond or two."""
_MESSAGES = ("notify", "listen")
_RELATIONS = VIRTUAL_RELATIONS - {"last", "sessions"}
"""Those whose names are no usual words."""
_TEXTS_KEPT = 100_000
"""Size of the cache of statements, in characters of text; trees are about a hundred times as large."""


class Reader:
    """Reads texts. What takes more than some milliseconds is for planning processes.

    Args:
        schema: policy and catalog.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._parsed: ImmutableCache[str, Statement] = ImmutableCache(_TEXTS_KEPT)

    def claims(self, text: str) -> bool:
        """As `Classifier.claims`: what is too long to be searched here may have to be answered."""
        return len(text) > _SEARCHED or self._must_be_searched(text)

    def split(self, text: str) -> tuple[StatementText, ...]:
        """As `Classifier.split`.

        Raises:
            ProgramLimitError: the text is too large to be cut.
        """
        if not self._must_be_searched(text):
            return (StatementText(text, claimed=False),)
        if ";" not in text and len(text) <= SHORT:
            return (StatementText(text, self._must_be_read(text)),)
        return tuple(StatementText(statement, self._must_be_read(statement)) for statement in cut(text))

    def setting(self, text: str) -> tuple[str, str] | None:
        """The name and value that `SET dp.…` sets, as text; None for another statement."""
        return set_statement(text) if "dp" in text.lower() else None

    def names_private(self, text: str) -> bool:
        """Does a text name, outside strings, something that only dpproxy can answer, or make a temporary table?"""
        # Many queries of the catalog have NULLS LAST.
        return names_outside_strings(text, self._schema.private_names | _RELATIONS) or _makes_temporary(text)

    def check(self, text: str) -> bool:
        """As `Classifier.check`.

        Raises:
            DpproxyError: a refusal.
        """
        if not self._must_be_searched(text):
            return False
        require_readable(text)
        try:
            if self.setting(text) is None:
                self.parse(text)
        except UnsupportedError as error:
            # The stage parses it next and reports syntax errors itself; `answer` refuses what only we cannot parse.
            if error.rule != "parse":
                raise
        return True

    def parse(self, text: str) -> Statement | None:
        """The statement, or None for one that the stage answers alone.

        Text that sqlglot cannot parse goes to the stage too if it names private tables in strings only, as psql's own
        catalog queries do.

        Raises:
            DpproxyError: a refusal.
        """
        known = self._parsed.get(text)
        if known is not None:
            return known
        try:
            parsed = parse_statement(text)
        except (UnsupportedError, TooComplexError) as error:
            if error.rule in ("parse", "operators") and not names_outside_strings(text, self._schema.private_names):
                return None
            raise
        if parsed is not None:
            self._check_insert(parsed)
            # Each statement is parsed when it arrives and again when it is answered.
            self._parsed.put(text, parsed, weight=len(text))
        return parsed

    async def parse_and_describe(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext
    ) -> tuple[Statement, Description] | None:
        """The statement and the stage's description of it. A text that neither parses gets Postgres's own syntax error.

        Raises:
            DpproxyError: a refusal.
            StageError: the stage's own error.
        """
        types = [parameter.type_oid for parameter in parameters]
        try:
            statement = self.parse(text)
        except UnsupportedError as error:
            if error.rule == "parse":
                await session.stage.describe(text, types)
            raise
        if statement is None:
            return None
        return statement, await session.stage.describe(text, types)

    def _check_insert(self, parsed: Statement) -> None:
        """No temporary table has the name of one of the policy's; of other names the session tells."""
        kept = parsed.kept
        if kept is not None and kept.present == "add" and kept.name.lower() in self._schema.private_names:
            raise refused_write("insert")

    def _must_be_searched(self, text: str) -> bool:
        """What was prepared may be private, whatever the text of EXECUTE names."""
        return (
            self._schema.mentions(text)
            or _may_be_message(text)
            or "execute" in text.lower()
            or mentions_temporary(text)
            or starves_a_scanner(text)
        )

    def _must_be_read(self, statement: str) -> bool:
        return (
            self._schema.mentions(statement)
            or _is_message(statement)
            or may_execute(statement)
            or may_be_temporary(statement)
            or starves_a_scanner(statement)
        )


def _makes_temporary(text: str) -> bool:
    try:
        return making(text) is not None
    except UnsupportedError:
        return True


def require_readable(text: str) -> None:
    """Refuse a statement before it is parsed.

    Raises:
        RefusedError: NOTIFY or LISTEN, for which Postgres has no privilege.
        ProgramLimitError, TooComplexError: it is too long, or nested too deeply.
    """
    if _is_message(text):
        raise RefusedError(
            "NOTIFY and LISTEN are not allowed",
            detail="Notifications would pass between analysts and fill a queue that all sessions share.",
            rule="messages",
        )
    check_operators(text)
    check_length(len(text))


def _may_be_message(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _MESSAGES)


def _is_message(text: str) -> bool:
    return _may_be_message(text) and first_words(text, 1) in [(word,) for word in _MESSAGES]

"""From text to trees that mean what Postgres reads: sqlglot parses, and Postgres's own grammar confirms.

sqlglot's tree is printed with parentheses around every operand and with names as the planner resolves them, and
Postgres's grammar reads the result. If that gives the same parse tree as the client's own text, then tree and text mean
the same, however sqlglot came to its tree. If not, the text is refused.
"""

from __future__ import annotations

from itertools import zip_longest

from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

from proxy.sql import grammar
from proxy.sql.explicit import explicit
from proxy.sql.grammar import NotReadError, TooLargeError, Tree
from proxy.sql.lexemes import lexemes
from proxy.sql.nodes import walk
from proxy.sql.normal_form import are_one, first_difference, normal_form
from proxy.sql.plain_postgres import PLAIN_POSTGRES, PlainPostgres, PlainPostgresParser, must_be_copied, render
from proxy.sql.plain_tokens import plain_tokens
from proxy.sql.respelling import Respelled, respelled, without_comments_in_strings

__all__ = [
    "ManyStatementsError",
    "NotReadError",
    "PlainPostgres",
    "PlainPostgresParser",
    "ReadDifferentlyError",
    "TooLargeError",
    "parse",
    "render",
    "tokenize",
]


class ReadDifferentlyError(SqlglotError):
    """sqlglot reads a text differently from Postgres.

    Args:
        spelled: the part of the text that is read differently.
        start: where it begins, in characters from 0; None if unknown.
    """

    def __init__(self, spelled: str, start: int | None = None) -> None:
        super().__init__(spelled)
        self.spelled = spelled
        self.start = start


class ManyStatementsError(SqlglotError):
    """A script of several statements."""


def parse(text: str) -> exp.Expr | None:
    """Parse a statement; None for a text without one.

    Raises:
        NotReadError: Postgres's grammar does not accept it.
        TooLargeError: it is too long or nested too deeply.
        SqlglotError: sqlglot cannot parse it.
        ReadDifferentlyError: sqlglot reads it differently from Postgres.
        ManyStatementsError: it is a script.
        RecursionError: as TooLargeError.
    """
    expected = grammar.statements(without_comments_in_strings(text))
    if len(expected) > 1:
        raise ManyStatementsError(f"{len(expected)} statements")
    trees = [tree for tree in PLAIN_POSTGRES.parser().parse(tokenize(text), text) if tree is not None]
    if len(trees) != len(expected):
        raise ReadDifferentlyError(text)
    if not trees:
        return None
    nodes = walk(trees[0])
    _mark_keywords(nodes)
    _cut_names(nodes)
    _confirm(text, trees[0], expected[0], copy=must_be_copied(nodes))
    return trees[0]


_VALUES = frozenset({"current_catalog", "current_role", "current_schema", "session_user", "user"})
_NORMAL_FORMS = frozenset({"nfc", "nfd", "nfkc", "nfkd"})


def _mark_keywords(nodes: list[exp.Expr]) -> None:
    """Mark keywords that sqlglot takes for columns: SELECT user, normalize(x, NFC)."""
    for column in nodes:
        if not isinstance(column, exp.Column):
            continue
        name = column.this
        if column.args.get("table") or not isinstance(name, exp.Identifier) or name.args.get("quoted"):
            continue
        call = column.parent
        known = _NORMAL_FORMS if isinstance(call, exp.Anonymous) and call.name.lower() == "normalize" else _VALUES
        if name.name.lower() in known:
            column.replace(exp.Var(this=name.name))


def _cut_names(nodes: list[exp.Expr]) -> None:
    """Cut names to the length that Postgres stores: two that differ only after 63 octets are the same."""
    for name in nodes:
        octets = name.name.encode() if isinstance(name, exp.Identifier) else b""
        if len(octets) > _LONGEST_NAME:
            name.set("this", octets[:_LONGEST_NAME].decode(errors="ignore"))


_LONGEST_NAME = 63


def tokenize(text: str) -> list[Token]:
    """Tokens with character offsets (`start`, `end` inclusive). Raises `sqlglot.errors.TokenError`.

    They are without the comments beside them: sqlglot takes `/* sqlglot.meta name=value */` for notes on its tree,
    where the planner's own marks are (attack 23).
    """
    spelled = respelled(text)
    tokens = plain_tokens(spelled.text)
    if tokens is None:
        tokens = list(PLAIN_POSTGRES.tokenize(spelled.text))
        for token in tokens:
            token.comments.clear()
    _let_names_be_names(tokens)
    if spelled.text != text:
        _move_back(tokens, spelled)
    return tokens


_STARTS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.VALUES})
_NAMES = frozenset(
    {TokenType.ALTER, TokenType.DROP, TokenType.INSERT, TokenType.LOCK, TokenType.REVOKE, TokenType.ROLLBACK}
)
_OF_LISTS = frozenset({TokenType.CUBE, TokenType.ROLLUP})


def _let_names_be_names(tokens: list[Token]) -> None:
    """Make names of words that Postgres reserves for nothing, where no other statement than a query can follow."""
    if not tokens or tokens[0].token_type not in _STARTS:
        return
    for token, following in zip_longest(tokens[1:], tokens[2:]):
        after = following.token_type if following is not None else None
        is_name = token.token_type in _NAMES and after is not TokenType.INTO  # WITH x AS (INSERT INTO …)
        if is_name or (token.token_type in _OF_LISTS and after is not TokenType.L_PAREN):
            token.token_type = TokenType.VAR


def _move_back(tokens: list[Token], spelled: Respelled) -> None:
    for token in tokens:
        token.start, token.end = spelled.first(token.start), spelled.last(token.end)


def _confirm(text: str, tree: exp.Expr, reading: Tree, *, copy: bool) -> None:
    """Check that both printed forms of a tree, the plain and the explicit one, mean what Postgres reads.

    Raises:
        ReadDifferentlyError: one of them does not.
    """
    for printed in (explicit(tree, copy=copy), render(tree, copy=copy)):
        if printed == text:
            continue
        try:
            found = grammar.statements(printed)
        except NotReadError:
            found = []
        if len(found) == 1 and (are_one(found[0], reading) or normal_form(found[0]) == normal_form(reading)):
            continue
        place = 0
        if len(found) == 1:
            located = normal_form(reading, located=True)
            place = first_difference(located, normal_form(found[0], located=True))[1] or 0
        raise _read_differently(text, place)


def _read_differently(text: str, place: int) -> ReadDifferentlyError:
    """The error at the lexeme at `place`, in octets; about the whole text where that is unknown."""
    start = len(text.encode()[:place].decode(errors="ignore"))
    end = next((lexeme.end for lexeme in lexemes(text) if lexeme.start >= start and place), len(text))
    return ReadDifferentlyError(text[start:end], start)

"""The tokens of plain texts, as sqlglot's tokenizer cuts them: words, numbers, strings on one line, usual operators.

That goes through a text character by character, which takes several times as long as a pattern for each token. What
the pattern does not know is left to it: comments, escapes, letters beyond ASCII in names, operators side by side.
"""

from __future__ import annotations

import re
from typing import Final

from sqlglot import Token, TokenType

from proxy.sql.plain_postgres import PlainPostgres

_KEYWORDS: Final = PlainPostgres.Tokenizer.KEYWORDS
_TYPES: Final = PlainPostgres.Tokenizer.SINGLE_TOKENS | _KEYWORDS
_TWO_WORDS: Final = [word for word in _KEYWORDS if " " in word]
_FIRST_WORDS: Final = frozenset(word.partition(" ")[0] for word in _TWO_WORDS)
"""GROUP BY is one token, but a word that begins like it may be a name."""
_LONGER: Final = re.compile(rf"(?:{'|'.join(_TWO_WORDS)})(?![\w$]|[^\0-\x7f])", re.ASCII | re.IGNORECASE)
_PLAIN: Final = re.compile(
    r"""
    [ \t]*+(?:
        (?P<word>[a-z_]\w*+)(?![$']|[^\0-\x7f])
        |(?P<punctuation>[(),;]|\.(?![0-9]))
        |(?P<operator>(?:::|<=|>=|<>|!=|\|\||[-+*/<>=%])(?![-+*/<>=~!@#%^&|`?:{}$\\]))
        |(?P<number>[0-9]++(?:\.[0-9]++)?(?![\w.$]|[^\0-\x7f]))
        |(?P<string>'[^'\\\n\r]*+'(?!'))
        |(?P<identifier>"[^"\\\n\r]++"(?!"))
        |(?P<line>\n)
    )
    """,
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_OF_KINDS: Final = {"number": TokenType.NUMBER, "string": TokenType.STRING, "identifier": TokenType.IDENTIFIER}


def plain_tokens(text: str) -> list[Token] | None:
    """The tokens of a text; None if the pattern does not know all of it."""
    tokens: list[Token] = []
    done, line, newline = 0, 1, -1
    while found := _PLAIN.match(text, done):
        kind, done = found.lastgroup or "", found.end()
        if kind == "line":
            line, newline = line + 1, done - 1
            continue
        spelled = found[kind]
        if kind == "word":
            keyword = spelled.upper()
            if keyword in _FIRST_WORDS and text[done : done + 1].isspace():
                longer = _LONGER.match(text, done - len(spelled))
                if longer is None:
                    return None
                keyword = spelled = longer[0].upper()
                done = longer.end()
            token_type = _KEYWORDS.get(keyword, TokenType.VAR)
        elif kind in _OF_KINDS:
            token_type = _OF_KINDS[kind]
        else:
            token_type = _TYPES[spelled]
        length = len(spelled)
        if kind in ("string", "identifier"):
            spelled = spelled[1:-1]
        tokens.append(Token(token_type, spelled, line, done - 1 - newline, done - length, done - 1))
    return tokens if not text[done:].strip(" \t") else None

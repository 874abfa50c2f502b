"""From a client's text to one statement: recognising what carries a query, parsing the query.

Only a tree that this module parsed is ever planned. Text that it cannot cut or parse goes to the stage, where it either
touches no private table or fails: the stage refuses to read one (decision 1).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError

from proxy.errors import RefusedError, UnsupportedError
from proxy.sql import dialect, grammar
from proxy.sql.dialect import ManyStatementsError
from proxy.sql.grammar import NotReadError, TooLargeError
from proxy.sql.lexemes import Lexeme, lexemes
from proxy.sql.nodes import walk
from proxy.sql.normal_form import are_one, normal_form
from proxy.sql.prepared import prepared_query
from proxy.sql.replacing import replace
from proxy.sql.scripts import first_words
from proxy.sql.temporary import Kept, making
from proxy.sql.text_limits import check_columns, check_length, check_lexemes, check_operators
from proxy.sql.unread_texts import not_postgres, too_deep, unparsable

Carrier = Literal["query", "explain", "declare", "copy", "keep"]
ExplainFormat = Literal["text", "json", "yaml", "xml"]


@dataclass(frozen=True)
class Wrapping:
    """The text around a query: `prefix` + query + `suffix` is what the client sent.

    Attributes:
        carrier: what runs the query: itself, EXPLAIN, DECLARE … CURSOR FOR, COPY (…) TO, or what keeps its rows in a
            temporary table.
        explained_in: the format of EXPLAIN.
        kept: the temporary table.
    """

    carrier: Carrier
    prefix: str
    suffix: str
    explained_in: ExplainFormat = "text"
    kept: Kept | None = None

    def around(self, text: str) -> str:
        """The statement with `text` in the place of its query; that alone where its rows are kept by other means."""
        return text if self.carrier == "keep" else f"{self.prefix} {text} {self.suffix}"


@dataclass(frozen=True)
class Statement:
    """A query in its `Wrapping`.

    Attributes:
        carrier, prefix, suffix, explained_in, kept: see `wrapping`.
        query: the parsed SELECT (or WITH, VALUES, set operation).
        query_text: the query's own text, for the stage's native errors.
    """

    carrier: Carrier
    prefix: str
    query_text: str
    suffix: str
    query: exp.Query
    explained_in: ExplainFormat = "text"
    kept: Kept | None = None

    @property
    def wrapping(self) -> Wrapping:
        return Wrapping(self.carrier, self.prefix, self.suffix, self.explained_in, self.kept)


_QUERIES = frozenset({"select", "with", "table", "values"})
_WRITES = {"insert", "update", "delete", "merge", "truncate"}


def parse_statement(text: str) -> Statement | None:
    """Parse one statement that mentions private tables.

    Returns:
        The statement, or None for one that carries no query (SET, SHOW, DDL …): the stage answers those.

    Raises:
        UnsupportedError: a carrier that cannot run a released query, or a query that sqlglot cannot parse.
        RefusedError: a write.
        ProgramLimitError, TooComplexError, TooManyColumnsError: it is too large.
    """
    check_length(len(text))
    check_lexemes(text)
    words = first_words(text)
    keyword = words[0] if words else ""
    if keyword in _QUERIES or keyword in _CARRIERS:
        check_operators(text)
    made = making(_without_semicolon(text)) if keyword == "insert" or keyword not in _WRITES else None
    if made is not None:
        check_operators(text)
        tree = _parse_query(made.query_text, offset=made.start)
        return Statement("keep", made.prefix, made.query_text, "", tree, kept=made.kept)
    if keyword in _WRITES:
        raise refused_write(keyword)
    if keyword in _QUERIES:
        body = _without_semicolon(text)
        return Statement("query", "", body, "", _parse_query(body))
    if keyword == "explain":
        return _parse_explain(text)
    if keyword == "declare":
        return _parse_declare(text)
    if keyword == "copy":
        return _parse_copy(text)
    if keyword == "prepare":
        query = prepared_query(text)
        if query is not None:
            check_operators(query)
            written = making(query)
            _parse_query(query if written is None else written.query_text, offset=text.index(query))
        return None
    if keyword == "alter":
        raise RefusedError(
            "ALTER is not allowed through dpproxy",
            detail="A role could change its own password and settings, which the policy defines.",
            hint="Use SET to change a setting for the session; change passwords in the policy.",
            rule="alter",
        )
    if keyword == "create" and re.search(r"\bas\b", text, re.IGNORECASE):
        raise RefusedError(
            "answers cannot be stored in tables or views that outlive the session",
            detail="Nothing can be written but temporary tables.",
            hint=_INSTEAD_OF_TABLES,
            rule="writes",
        )
    return None


def refused_write(keyword: str) -> RefusedError:
    """The refusal of a statement that writes."""
    return RefusedError(
        f"{keyword.upper()} is not allowed through dpproxy",
        detail="Clients can only read aggregates; nothing can be written but temporary tables of the session.",
        rule="writes",
    )


def _parse_explain(text: str) -> Statement:
    body = _without_semicolon(text)
    found = _spelled(body)
    if found is None or found[0][0] != "explain":
        raise UnsupportedError("this form of EXPLAIN is not supported", hint="Write EXPLAIN SELECT ….", rule="explain")
    last = _last_option(found)
    options = " ".join(spelled for spelled, _ in found[1 : last + 1])
    if re.search(r"\banaly[sz]e\b(?! ?(?:false|off|0))", options):
        raise UnsupportedError(
            "EXPLAIN ANALYZE is not supported for private tables",
            detail="It would run the query and show its exact row counts and times.",
            hint="EXPLAIN without ANALYZE shows the plan, the noise and the price, free of charge.",
            rule="explain-analyze",
        )
    for word, _ in found[last + 1 : last + 2]:
        if word in ("create", "insert"):
            raise UnsupportedError(
                f"EXPLAIN of {word.upper()} is not supported", hint="Write EXPLAIN and the query alone.", rule="explain"
            )
    statement = _carrying("explain", body, found[last][1].end)
    return replace(statement, explained_in=_format(options))


def _format(options: str) -> ExplainFormat:
    """The last format among EXPLAIN's options."""
    found: ExplainFormat = "text"
    for named in re.findall(r"\bformat ['\"]?(\w+)", options):
        if named not in _FORMATS:
            raise UnsupportedError(
                f'unrecognized value for EXPLAIN option "format": "{named}"',
                hint="Write TEXT, JSON, YAML or XML.",
                rule="explain",
            )
        found = _FORMATS[named]
    return found


_FORMATS: dict[str, ExplainFormat] = {"text": "text", "json": "json", "yaml": "yaml", "xml": "xml"}


def _last_option(found: list[tuple[str, Lexeme]]) -> int:
    """Where the options of EXPLAIN end: at a bracket or a word, or at EXPLAIN itself."""
    words = [spelled for spelled, _ in found]
    if words[1:2] == ["("] and words[2:3] and words[2] != "(" and words[2] not in _QUERIES:
        return words.index(")") if ")" in words else 0
    return next((place for place, word in enumerate(words[1:]) if word not in _EXPLAINED), len(words) - 1)


_EXPLAINED = frozenset({"analyze", "analyse", "verbose"})
_OF_CURSORS = frozenset({"binary", "asensitive", "insensitive", "no", "scroll"})
"""What may stand in front of CURSOR; Postgres's grammar says in which order."""


def _parse_declare(text: str) -> Statement:
    body = _without_semicolon(text)
    found = _spelled(body)
    end = _end_of_declaration(found) if found is not None else None
    if end is None:
        raise UnsupportedError(
            "could not parse this DECLARE", hint="Write DECLARE name CURSOR FOR SELECT ….", rule="declare"
        )
    return _carrying("declare", body, end)


def _end_of_declaration(found: list[tuple[str, Lexeme]]) -> int | None:
    """Where the query of DECLARE name … CURSOR … FOR begins; None if it is not that."""
    words = [spelled for spelled, _ in found]
    if len(words) < 2 or words[0] != "declare" or found[1][1].kind not in ("word", "identifier"):
        return None
    place = next((place for place in range(2, len(words)) if words[place] not in _OF_CURSORS), len(words))
    following = words[place : place + 4]
    held = 2 if following[1:3] in (["with", "hold"], ["without", "hold"]) else 0
    if following[:1] != ["cursor"] or words[place + 1 + held : place + 2 + held] != ["for"]:
        return None
    return found[place + 1 + held][1].end


def _carrying(carrier: Carrier, body: str, end: int) -> Statement:
    """What carries the query that begins at `end`."""
    return _carried(Statement(carrier, body[:end], body[end:], "", _parse_query(body[end:], offset=end)))


def _spelled(text: str) -> list[tuple[str, Lexeme]] | None:
    """The lexemes of a text in lower case; None if it cannot be cut."""
    try:
        return [(text[lexeme.start : lexeme.end].lower(), lexeme) for lexeme in lexemes(text)]
    except ValueError:
        return None


def _parse_copy(text: str) -> Statement | None:
    body = _without_semicolon(text)
    found = _spelled(body)
    if found is None:
        raise _no_copy()
    if len(found) < 2 or found[1][0] != "(":
        raise RefusedError(
            "COPY of a private table is not allowed",
            detail="Its rows are private; only aggregates can be queried.",
            hint="Copy the result of an aggregate query: COPY (SELECT …) TO STDOUT.",
            rule="rows",
        )
    depth, start = 0, found[1][1].end
    for place, (spelled, lexeme) in enumerate(found[1:], start=1):
        depth += (spelled == "(") - (spelled == ")")
        if depth == 0:
            _require_stdout([following for following, _ in found[place + 1 : place + 3]])
            inner = body[start : lexeme.start]
            query = _parse_query(inner, offset=start)
            return _carried(Statement("copy", body[:start], inner, body[lexeme.start :], query))
    raise _no_copy()


def _no_copy() -> UnsupportedError:
    return UnsupportedError(
        "could not parse this COPY",
        hint="Write COPY (SELECT region, count(*) FROM … GROUP BY region) TO STDOUT.",
        rule="copy",
    )


_CARRIERS = {"explain": "ExplainStmt", "declare": "DeclareCursorStmt", "copy": "CopyStmt"}


def _carried(statement: Statement) -> Statement:
    """The statement, once Postgres's grammar finds the same query in the whole text.

    Raises:
        UnsupportedError: it finds another one, or none.
    """
    try:
        (whole,) = grammar.statements(statement.prefix + statement.query_text + statement.suffix)
        (query,) = grammar.statements(statement.query_text)
    except NotReadError as error:
        raise not_postgres(error, 0) from None
    except TooLargeError:
        raise too_deep() from None
    carried = whole.get(_CARRIERS[statement.carrier], {}).get("query")
    if not are_one(carried, query) and normal_form(carried) != normal_form(query):
        raise UnsupportedError(
            "dpproxy could not parse this statement",
            detail="PostgreSQL's parser finds a different query in it.",
            hint="Send the query on its own.",
            rule="parse",
        )
    return statement


def _require_stdout(target: list[str]) -> None:
    """The stage would refuse files and programs too, but only once the query is paid for."""
    if target != ["to", "stdout"]:
        raise RefusedError(
            "COPY is supported only to the client",
            detail="Nothing is written to files or programs on the server.",
            hint="Use COPY (SELECT …) TO STDOUT; psql's \\copy writes the result to a file on the client.",
            rule="copy-target",
        )


def _without_semicolon(text: str) -> str:
    if ";" not in text:
        return text
    try:
        last = deque(lexemes(text), maxlen=1)
    except ValueError:
        return text
    return text[: last[0].start] if last and text[last[0].start : last[0].end] == ";" else text


def _parse_query(text: str, offset: int = 0) -> exp.Query:
    try:
        tree = dialect.parse(text)
    except ManyStatementsError:
        raise UnsupportedError(
            "expected a single statement",
            detail="A prepared statement, as drivers with parameters send it, has one.",
            hint="Send each statement by itself, or all of them as a simple query without parameters.",
            rule="one-statement",
        ) from None
    except NotReadError as error:
        raise not_postgres(error, offset) from None
    except SqlglotError as error:
        raise unparsable(error, text, offset) from None
    except (RecursionError, TooLargeError):
        raise too_deep() from None
    if isinstance(tree, exp.Subquery):
        tree = _without_parentheses(tree)
    if not isinstance(tree, exp.Query):
        raise UnsupportedError(
            "only SELECT can read private tables",
            hint="Write SELECT count(*) FROM … or another aggregate here.",
            rule="only-select",
        )
    nodes = walk(tree)
    _move_into_parentheses(nodes)
    _keep_starts(nodes, offset)
    _refuse_writes(nodes)
    check_columns([node for node in nodes if isinstance(node, exp.Select)])
    return tree


def _keep_starts(nodes: Sequence[exp.Expr], offset: int) -> None:
    """Of the parser's notes keep where a node starts: each copy of a tree copies all notes, which takes longest."""
    for node in nodes:
        start = node.meta_get("start")
        if start is not None:
            node._meta = {"start": start + offset}


_AROUND = ("with_", "order", "limit", "offset")
"""What belongs to a query that stands in parentheses between it: Postgres refuses a second one inside."""


def _without_parentheses(tree: exp.Subquery) -> exp.Expr:
    """The query in parentheses, with what stands around them."""
    _move_inside(tree)
    return _without_parentheses(tree.this) if isinstance(tree.this, exp.Subquery) else tree.this


def _move_into_parentheses(nodes: Sequence[exp.Expr]) -> None:
    """Give queries in parentheses what stands around these, and leave one pair of them, as Postgres does it:
    ((SELECT …) ORDER BY 1 LIMIT 3) is (SELECT … ORDER BY 1 LIMIT 3). Nothing that reads a query looks for it there.

    Raises:
        UnsupportedError: something follows VALUES.
    """
    for node in nodes:
        if isinstance(node, exp.Anonymous) and node.name.upper() == "EXISTS" and len(node.expressions) == 1:
            _read_exists(node, node.expressions[0])
        elif isinstance(node, exp.Subquery):
            _move_inside(node)
            while isinstance(node.this, exp.Subquery) and _is_bare(node.this):
                node.set("this", node.this.this)
        elif isinstance(node, exp.Values) and any(map(node.args.get, _AROUND)):
            raise UnsupportedError(
                "dpproxy could not parse this query",
                detail="VALUES are followed by another clause.",
                hint="Write SELECT … FROM (VALUES …) AS name, followed by the clause.",
                rule="parse",
            )


def _read_exists(call: exp.Anonymous, argument: exp.Expr) -> None:
    """EXISTS ((SELECT …)), which the parser takes for a call of a function, as the predicate that it is."""
    query = argument.this if isinstance(argument, exp.Limit) else argument
    if isinstance(query, exp.Subquery):
        if isinstance(argument, exp.Limit):
            query.set("limit", exp.Limit(expression=argument.expression))
        call.replace(exp.Exists(this=_without_parentheses(query)))


def _move_inside(query: exp.Subquery) -> None:
    for name in _AROUND:
        if query.args.get(name):
            query.this.set(name, query.args[name])
            query.set(name, None)


def _is_bare(query: exp.Subquery) -> bool:
    """Is it nothing but a pair of parentheses, once what stands around them is inside? One with a name is an item."""
    _move_inside(query)
    return not any(value for name, value in query.args.items() if name != "this")


_INSTEAD_OF_TABLES = (
    "Write CREATE TEMP TABLE name AS SELECT …, or WITH name AS (SELECT …) SELECT … FROM name. An answer is recalled, "
    "free of charge, in every statement that asks for it again."
)
_WRITE_NAMES: dict[type[exp.Expr], str] = {exp.Into: "SELECT INTO", exp.Lock: "FOR UPDATE or FOR SHARE"}


def _refuse_writes(nodes: Sequence[exp.Expr]) -> None:
    for node in nodes:
        if isinstance(node, (exp.DML, exp.DDL, exp.Into, exp.Command, exp.Lock)):
            what = _WRITE_NAMES.get(type(node), type(node).__name__.upper())
            raise RefusedError(
                f"{what} inside a query is not allowed through dpproxy",
                detail="Clients can only read aggregates; nothing can be written or locked.",
                hint=_INSTEAD_OF_TABLES if isinstance(node, exp.Into) else None,
                rule="writes",
            )

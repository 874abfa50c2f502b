"""CREATE TEMP TABLE, CREATE TEMP VIEW … AS, SELECT INTO TEMP, INSERT into what they make, and DROP of it.

The rows of the query are released as for every other statement, and kept by the session's stage connection. A table
that is made of columns alone is made of a query without rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proxy.errors import UnsupportedError
from proxy.sql import grammar
from proxy.sql.grammar import NotReadError, TooLargeError, Tree
from proxy.sql.lexemes import Lexeme, lexemes
from proxy.sql.normal_form import normal_form
from proxy.sql.scripts import first_words

_LONGEST_DROP = 10_000
"""Characters."""


@dataclass(frozen=True)
class Kept:
    """A temporary table that a statement makes, or inserts into.

    Attributes:
        name: as Postgres stores it.
        columns: names that the statement gives to the first columns, or into which it inserts.
        present: what becomes of the statement, or of the table, if the session has a table of this name. For `add` it
            must have one, which gets the rows.
        until_commit: is it dropped at the end of the transaction?
        empty: WITH NO DATA.
        kind: what the statement makes: a table of a query, one of columns, or a view, which becomes a table.
        modifiers: Postgres's type modifier of each column of a table of columns: its length, or its precision.
    """

    name: str
    columns: tuple[str, ...] = ()
    present: Literal["fail", "skip", "replace", "add"] = "fail"
    until_commit: bool = False
    empty: bool = False
    kind: Literal["query", "columns", "view"] = "query"
    modifiers: tuple[int | None, ...] = ()

    def tag(self, rows: int) -> str:
        """What Postgres calls the command once it is done."""
        if self.present == "add":
            return f"INSERT 0 {rows}"
        if self.kind != "query":
            return "CREATE VIEW" if self.kind == "view" else "CREATE TABLE"
        return "CREATE TABLE AS" if self.empty else f"SELECT {rows}"


@dataclass(frozen=True)
class Making:
    """A statement that makes a temporary table, or inserts into one.

    Attributes:
        kept: the table.
        prefix: the text up to its query.
        query_text: the query; VALUES stand in a SELECT.
        start: where the query's text would begin in the statement's, so that positions are those of the statement.
    """

    kept: Kept
    prefix: str
    query_text: str
    start: int


@dataclass(frozen=True)
class Dropping:
    """DROP TABLE, or DROP VIEW.

    Attributes:
        names: of the relations, without pg_temp.
        missing_ok: IF EXISTS.
        tag: what Postgres calls the command once it is done.
    """

    names: tuple[str, ...]
    missing_ok: bool
    tag: str


def mentions_temporary(text: str) -> bool:
    """May a script have a statement that makes or drops temporary tables? On the event loop: a search for words."""
    lowered = text.lower()
    return (
        ("temp" in lowered and ("create" in lowered or "into" in lowered)) or "drop" in lowered or "insert" in lowered
    )


def may_be_temporary(text: str) -> bool:
    """May a statement make, drop or fill a temporary table, or explain that? False only where it certainly does not."""
    if not mentions_temporary(text):
        return False
    words = first_words(text)
    if words[:1] == ("explain",):
        return "insert" in text.lower()
    creates = words[:1] == ("create",) and words[1:] in _CREATED
    return creates or words in _DROPS or words == _INSERT or (words[:1] in _QUERIES and "into" in text.lower())


_CREATED = tuple((word,) for word in ("temp", "temporary", "local", "global", "table", "view", "or"))
_DROPS = (("drop", "table"), ("drop", "view"))
_QUERIES = (("select",), ("with",))
_INSERT = ("insert", "into")


def making(text: str) -> Making | None:
    """The temporary table that a statement makes, or inserts into; None for every other statement.

    What INSERT names may be no temporary table: only the session knows.

    Args:
        text: of one statement, without a semicolon.

    Raises:
        UnsupportedError: a form that is not supported.
    """
    if not may_be_temporary(text):
        return None
    try:
        (tree,) = grammar.statements(text)
    except (NotReadError, TooLargeError, ValueError):
        return None
    if "CreateTableAsStmt" in tree:
        return _of_create(text, tree["CreateTableAsStmt"])
    if "CreateStmt" in tree:
        return _of_columns(tree["CreateStmt"])
    if "InsertStmt" in tree:
        return _of_insert(text, tree["InsertStmt"])
    if "ViewStmt" in tree:
        return _of_view(text, tree["ViewStmt"])
    into = _into(tree.get("SelectStmt", {}))
    return _of_select_into(text, tree, into) if into is not None and _is_temporary(into["rel"]) else None


def dropping(text: str) -> Dropping | None:
    """What DROP TABLE or DROP VIEW drops, if all of it may be temporary; None for every other statement."""
    if len(text) > _LONGEST_DROP or first_words(text) not in _DROPS:
        return None
    try:
        (tree,) = grammar.statements(text)
    except (NotReadError, TooLargeError, ValueError):
        return None
    dropped = tree["DropStmt"]
    paths = [[part["String"]["sval"] for part in found["List"]["items"]] for found in dropped["objects"]]
    if any(path[:-1] not in ([], ["pg_temp"]) for path in paths):
        return None
    tag = "DROP VIEW" if dropped["removeType"] == "OBJECT_VIEW" else "DROP TABLE"
    return Dropping(tuple(path[-1] for path in paths), bool(dropped.get("missing_ok")), tag)


def _is_temporary(relation: Tree) -> bool:
    """Postgres makes it in pg_temp, whatever the search_path."""
    return bool(relation.get("relpersistence") == "t" or relation.get("schemaname") == "pg_temp")


def _of_create(text: str, tree: Tree) -> Making | None:
    into = tree["into"]
    if not _is_temporary(into["rel"]):
        return None
    if "SelectStmt" not in tree["query"] or into.get("options") or into.get("tableSpaceName"):
        raise _unsupported()
    kept = Kept(
        _name(into["rel"]),
        _names(into.get("colNames", [])),
        "skip" if tree.get("if_not_exists") else "fail",
        _until_commit(into),
        bool(into.get("skipData")),
    )
    start, end = _after_as(text)
    found = list(lexemes(text[start:end]))
    words = [text[start + lexeme.start : start + lexeme.end].lower() for lexeme in found]
    if words[-2:] == ["with", "data"]:
        end = start + found[-2].start
    elif words[-3:] == ["with", "no", "data"]:
        end = start + found[-3].start
    return _made(kept, text[:start], text[start:end], tree["query"])


def _of_view(text: str, tree: Tree) -> Making | None:
    if not _is_temporary(tree["view"]):
        return None
    if tree.get("options") or tree.get("withCheckOption", "NO_CHECK_OPTION") != "NO_CHECK_OPTION":
        raise _unsupported()
    present: Literal["fail", "replace"] = "replace" if tree.get("replace") else "fail"
    kept = Kept(_name(tree["view"]), _names(tree.get("aliases", [])), present, kind="view")
    start, end = _after_as(text)
    return _made(kept, text[:start], text[start:end], tree["query"])


def _of_columns(tree: Tree) -> Making | None:
    """CREATE TEMP TABLE name (column type, …): as if it were made of NULLs of these types, WITH NO DATA."""
    if not _is_temporary(tree["relation"]):
        return None
    columns = [element.get("ColumnDef", {}) for element in tree.get("tableElts", [])]
    if not columns or not all({"typeName"} <= column.keys() <= _OF_COLUMNS for column in columns):
        raise UnsupportedError(
            "a temporary table has columns with types, and nothing else",
            detail="Constraints, defaults and collations are not supported: the table keeps rows that were released.",
            hint="Write CREATE TEMP TABLE name (column type, …), or CREATE TEMP TABLE name AS SELECT ….",
            rule="temporary-table",
        )
    if tree.keys() & {"inhRelations", "options", "tablespacename", "accessMethod", "ofTypename", "partspec"}:
        raise _unsupported()
    kept = Kept(
        _name(tree["relation"]),
        tuple(column["colname"] for column in columns),
        "skip" if tree.get("if_not_exists") else "fail",
        _until_commit({"onCommit": tree.get("oncommit")}),
        empty=True,
        kind="columns",
        modifiers=tuple(_modifier(column["typeName"]) for column in columns),
    )
    nulls = ", ".join(f"CAST(NULL AS {_type(column['typeName'])})" for column in columns)
    return Making(kept, "", f"SELECT {nulls}", 0)


_OF_COLUMNS = frozenset({"colname", "typeName", "is_local", "location"})


_WITH_LENGTH = frozenset({"varchar", "bpchar"})
_WITH_PRECISION = frozenset({"timestamp", "timestamptz", "time", "timetz"})
_LONGEST_TEXT = 10_485_760
"""Characters, in Postgres."""


def _modifier(found: Tree) -> int | None:
    """The type modifier of `type(number, …)`, as Postgres stores it."""
    given = [item.get("A_Const", {}).get("ival", {}).get("ival", 0) for item in found.get("typmods", [])]
    name = _names(found["names"])[-1]
    match given:
        case []:
            return None
        case [length] if name in _WITH_LENGTH and 1 <= length <= _LONGEST_TEXT:
            return int(length) + 4
        case [precision] if name in _WITH_PRECISION and 0 <= precision <= 6:
            return int(precision)
        case [precision, *scale] if name == "numeric" and 1 <= precision <= 1000 and all(0 <= n <= 1000 for n in scale):
            return (int(precision) << 16 | int(sum(scale))) + 4
    raise UnsupportedError(
        f"this length or precision of type {name} is not supported in a temporary table",
        hint="Write varchar(n), char(n), numeric(p, s), timestamp(p), or the type alone.",
        rule="temporary-table",
    )


def _type(found: Tree) -> str:
    """A type as its name in the catalog, without its length."""
    names = _names(found["names"])
    if names[:-1] not in ((), ("pg_catalog",)) or found.get("setof") or found.get("pct_type"):
        raise _unsupported()
    name = names[-1]
    spelled = name if name.isidentifier() and name == name.lower() else f'"{name.replace(chr(34), chr(34) * 2)}"'
    return spelled + "[]" * len(found.get("arrayBounds", []))


def _of_insert(text: str, tree: Tree) -> Making | None:
    relation = tree["relation"]
    if relation.get("schemaname", "pg_temp") != "pg_temp":
        return None
    if (
        "selectStmt" not in tree
        or tree.keys() & {"onConflictClause", "returningList", "withClause"}
        or "alias" in relation
    ):
        raise _unsupported(_INSERT_FORM)
    targets = [column["ResTarget"] for column in tree.get("cols", [])]
    if tree.get("override", "OVERRIDING_NOT_SET") != "OVERRIDING_NOT_SET" or any("indirection" in t for t in targets):
        raise _unsupported(_INSERT_FORM)
    kept = Kept(_name(relation), tuple(target["name"] for target in targets), "add")
    found = list(lexemes(text))
    place = _top_level(text, found, "into") + (4 if "schemaname" in relation else 2)
    if targets:
        place = next(n for n in range(place, len(found)) if text[found[n].start : found[n].end] == ")") + 1
    start = found[place].start
    return _made(kept, text[:start], text[start:], tree["selectStmt"])


def _of_select_into(text: str, tree: Tree, into: Tree) -> Making:
    """The clause becomes blanks, so that positions in the text stay what they are."""
    kept = Kept(_name(into["rel"]))
    found = list(lexemes(text))
    place = _top_level(text, found, "into")
    end = place + 1
    while text[found[end].start : found[end].end].lower() in ("temp", "temporary", "local", "global", "table"):
        end += 1
    if end + 1 < len(found) and text[found[end + 1].start : found[end + 1].end] == ".":
        end += 2
    start, stop = found[place].start, found[end].end
    select = tree["SelectStmt"]
    while "intoClause" not in select:
        select = select["larg"]
    del select["intoClause"]
    return _made(kept, "", text[:start] + " " * (stop - start) + text[stop:], tree)


def _into(select: Tree) -> Tree | None:
    """The INTO clause, which a set operation has in its first SELECT."""
    while "larg" in select:
        select = select["larg"]
    found: Tree | None = select.get("intoClause")
    return found


def _made(kept: Kept, prefix: str, query_text: str, query: Tree) -> Making:
    """The statement, once Postgres's grammar finds the same query in the query's own text.

    Raises:
        UnsupportedError: it finds another one, or none.
    """
    try:
        (alone,) = grammar.statements(query_text)
    except (NotReadError, TooLargeError, ValueError):
        raise _unsupported() from None
    if normal_form(alone) != normal_form(query):
        raise _unsupported()
    if "valuesLists" in alone.get("SelectStmt", {}):
        return Making(kept, prefix, f"{_BEFORE_VALUES}{query_text}) AS kept", len(prefix) - len(_BEFORE_VALUES))
    return Making(kept, prefix, query_text, len(prefix))


_BEFORE_VALUES = "SELECT * FROM ("


def _name(relation: Tree) -> str:
    if relation.get("schemaname", "pg_temp") != "pg_temp":
        raise _unsupported()
    return str(relation["relname"])


def _names(found: Tree) -> tuple[str, ...]:
    return tuple(name["String"]["sval"] for name in found)


def _until_commit(into: Tree) -> bool:
    if into.get("onCommit") == "ONCOMMIT_DELETE_ROWS":
        raise UnsupportedError(
            "ON COMMIT DELETE ROWS is not supported for temporary tables of released rows",
            detail="They keep their rows until the session ends, or until the transaction does.",
            hint="Leave it out, or write ON COMMIT DROP.",
            rule="temporary-table",
        )
    return bool(into.get("onCommit") == "ONCOMMIT_DROP")


def _after_as(text: str) -> tuple[int, int]:
    """Where the query after AS begins and ends."""
    found = list(lexemes(text))
    return found[_top_level(text, found, "as")].end, found[-1].end


def _top_level(text: str, found: list[Lexeme], word: str) -> int:
    """The place of the first lexeme outside of parentheses that is `word`."""
    depth = 0
    for place, lexeme in enumerate(found):
        spelled = text[lexeme.start : lexeme.end].lower()
        if depth == 0 and lexeme.kind == "word" and spelled == word:
            return place
        depth += (spelled == "(") - (spelled == ")")
    raise _unsupported()


_INSERT_FORM = (
    "INSERT INTO name (columns) SELECT … or VALUES (…), without DEFAULT, RETURNING, ON CONFLICT, WITH or an alias"
)


def _unsupported(instead: str = "CREATE TEMP TABLE name AS SELECT …") -> UnsupportedError:
    return UnsupportedError(
        "this form of a temporary table is not supported",
        hint=f"Write {instead}.",
        rule="temporary-table",
    )

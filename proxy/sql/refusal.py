"""Refusals with a position: the compiler raises all of them through these two functions."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from proxy.errors import RefusedError, UnsupportedError
from proxy.sql.nodes import walk


def position_of(node: exp.Expr | None) -> int | None:
    """Where `node` begins in the client's text, counted in characters from 1.

    The parser does not note a position for every construct; then it is that of the smallest enclosing expression that
    has one. None if the parser noted nothing in the whole SELECT.
    """
    while node is not None:
        starts = [start for found in walk(node) if isinstance(start := found.meta_get("start"), int)]
        if starts:
            return min(starts) + 1
        node = None if isinstance(node, exp.Query) else node.parent
    return None


VIEW: Final = "view"
"""What the name of a view is noted under in `meta` of the nodes of its query (`trees.ctes`)."""


def view_of(node: exp.Expr | None) -> str | None:
    """The view whose query `node` is a part of; None if the client wrote it, or any part of it."""
    if node is None or node.meta_get("start") is not None:
        return None
    name = node.meta_get(VIEW)
    if isinstance(name, str):
        return name
    below = {view_of(child) for child in node.iter_expressions()}
    return below.pop() if len(below) == 1 else None


IN_VIEW: Final = "This is in the query of the view"


def _with_view(node: exp.Expr | None, hint: str | None) -> str | None:
    """A hint that says where to follow it, if the client cannot."""
    view = view_of(node)
    if view is None:
        return hint
    return f"{hint or ''} {IN_VIEW} {view}: ask the data steward, or query its tables.".strip()


DRAWN_ANEW = "It is drawn anew each time, so that the same question would have another answer."
SAMPLE_HINT = "To use a part of the rows, choose it by a number of theirs, as in WHERE id % 10 = 0; all cost no more."
"""Of rows and numbers that are drawn: why they are refused, and what to write instead."""


def unsupported(
    node: exp.Expr | None, message: str, *, rule: str, detail: str | None = None, hint: str | None = None
) -> UnsupportedError:
    """The refusal of a construct that has no privacy proof here (0A000)."""
    return UnsupportedError(message, detail=detail, hint=_with_view(node, hint), position=position_of(node), rule=rule)


def refused(
    node: exp.Expr | None, message: str, *, rule: str, detail: str | None = None, hint: str | None = None
) -> RefusedError:
    """The refusal of a request that the policy or the purpose of the proxy forbids (42501)."""
    return RefusedError(message, detail=detail, hint=_with_view(node, hint), position=position_of(node), rule=rule)


_CLAUSES = {
    "with_": "WITH",
    "windows": "WINDOW",
    "locks": "FOR UPDATE",
    "catalog": "the name of another database",
    "sample": "TABLESAMPLE",
    "ordinality": "WITH ORDINALITY",
    "rows_from": "ROWS FROM",
}


def clause_name(argument: str) -> str:
    """What SQL calls a clause, by the name of the parser's argument for it."""
    return _CLAUSES.get(argument) or argument.upper().strip("_")


def subquery_refusal(node: exp.Expr) -> UnsupportedError:
    """The refusal of a subquery where none is supported."""
    place: exp.Expr = node
    while isinstance(place.parent, (exp.Subquery, exp.Paren)):
        place = place.parent
    if isinstance(place.parent, (exp.Any, exp.All)):
        word = "ANY" if isinstance(place.parent, exp.Any) else "ALL"
        return unsupported(
            node,
            f"a comparison with {word} (SELECT …) is not supported here",
            rule="subquery",
            detail="It is supported in WHERE, FILTER and CASE, over public rows and rows of the same privacy unit.",
            hint=_single_value(place.parent),
        )
    return unsupported(
        node,
        "a subquery is not supported here",
        rule="subquery",
        detail="dpproxy cannot prove that it reads only rows of the same privacy unit, or public rows.",
        hint="Use EXISTS or IN in WHERE, join the table in FROM, or compute the value in a separate query.",
    )


_OF_ANY: dict[type[exp.Expr], tuple[str, str, str]] = {
    exp.GT: (">", "min", "max"),
    exp.GTE: (">=", "min", "max"),
    exp.LT: ("<", "max", "min"),
    exp.LTE: ("<=", "max", "min"),
}
"""The sign of a comparison by order, and what it is compared with in the place of ANY row and of ALL rows."""


def _single_value(quantifier: exp.Expr) -> str:
    """What to write instead of a comparison with ANY or ALL of a subquery."""
    comparison = quantifier.parent
    compared = _OF_ANY.get(type(comparison)) if comparison is not None else None
    if compared is None:
        return "Write x IN (SELECT …) or x NOT IN (SELECT …)."
    sign, of_any, of_all = compared
    call = of_all if isinstance(quantifier, exp.All) else of_any
    return (
        f"Compare with one value, as in x {sign} (SELECT {call}(y) FROM (SELECT …) AS s): the same where there are "
        "rows, and none is NULL."
    )


def scalar_refusal(body: exp.Expr) -> UnsupportedError:
    """The refusal of a correlated scalar subquery that is no aggregate."""
    chosen = bool(body.args.get("order") or body.args.get("limit"))
    return unsupported(
        body,
        "a correlated subquery that is no aggregate is not supported here",
        rule="subquery",
        detail="dpproxy cannot prove that it finds at most one row for each row around it."
        if not chosen
        else "Which row is the first one is known among the rows of one unit, for ORDER BY … LIMIT 1 alone.",
        hint="Tie it to the unit's column of a private row around it, or select an aggregate, as in (SELECT max(x) "
        "FROM … WHERE …)."
        if chosen
        else "Select an aggregate, as in (SELECT max(x) FROM … WHERE …), tie it to a unique key of its table, or "
        "join the table in FROM.",
    )


def correlation_refusal(body: exp.Expr) -> UnsupportedError:
    """The refusal of a subquery whose correlation cannot be answered for all rows at once."""
    return unsupported(
        body,
        "this correlated subquery is not supported",
        rule="correlation",
        detail="It is evaluated for all keys at once, so it must be tied to the outer row by equalities.",
        hint="Write the condition as inner_column = outer_name.column, with the outer column qualified, or join a "
        "grouped subquery in FROM. Beside an equality of the unit's columns, other conditions may compare with the row "
        "of a table with a primary key.",
    )


def lone_groups_refusal(body: exp.Expr) -> UnsupportedError:
    """The refusal of a subquery that would be answered for groups which each belong to one unit."""
    return unsupported(
        body,
        "this correlated subquery would be answered for groups of one privacy unit each",
        rule="correlation",
        detail="It compares a column that identifies privacy units with one that does not, and small groups do not "
        "show.",
        hint="Select the unit's column in the subquery, and compare it, too: AND inner.unit = outer.unit.",
    )


def reads_beside(item: exp.Expr) -> UnsupportedError:
    """The refusal of VALUES or a function in FROM that is computed anew for each row beside it."""
    body = item
    while isinstance(body, (exp.Lateral, exp.Subquery)):
        body = body.this
    if isinstance(body, exp.Values):
        return unsupported(
            item,
            "these VALUES cannot read the private rows beside them",
            rule="from-item",
            detail="They are written out where their columns are read. So nothing reads them as a whole or in a "
            "subquery, and they have no subqueries, aggregates, window functions or functions that are not supported "
            "over private rows.",
            hint="Name the columns that are read, and compute such values outside: in WHERE, in the select list, or in "
            "a subquery with one SELECT per row and UNION ALL.",
        )
    return unsupported(
        item,
        "VALUES and functions in FROM cannot read the private rows beside them",
        rule="from-item",
        detail="How many rows they return for each private row is unknown, and could depend on one privacy unit.",
        hint="Use constants only, as in generate_series(1, 12), and compare in ON; to turn columns into rows, write "
        "CROSS JOIN LATERAL (VALUES ('a', t.a), ('b', t.b)) AS name (kind, value). Elements of one array in a private "
        "row are listed by unnest(t.tags), string_to_table(t.list, ',') or jsonb_array_elements_text(t.document).",
    )


_OF_ROWS: Final = frozenset({"expressions", "from_", "joins", "where"})
"""Clauses of a SELECT that only chooses rows, and computes of them."""


def grouped_correlation_refusal(body: exp.Expr) -> UnsupportedError:
    """The refusal of EXISTS or IN that is tied to the outer row, and does more than choose rows."""
    if isinstance(body, exp.Select) and not any(value for name, value in body.args.items() if name not in _OF_ROWS):
        return unsupported(
            body,
            "this correlated subquery is not supported",
            rule="correlation",
            detail="Of rows that are tied to the outer row, IN compares columns only.",
            hint="Compare what is computed in its WHERE, as in EXISTS (SELECT 1 FROM … WHERE inner_column = "
            "outer_column AND lower(code) = 'a').",
        )
    return unsupported(
        body,
        "this correlated subquery is not supported",
        rule="correlation",
        detail="In EXISTS and IN, what groups, aggregates or limits rows is computed apart from the outer row.",
        hint="Compare its value, as in (SELECT count(*) FROM … WHERE inner_column = outer_column) > 3, or write "
        "outer_column IN (SELECT inner_column FROM … GROUP BY inner_column HAVING …).",
    )

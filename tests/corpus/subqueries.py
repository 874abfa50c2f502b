"""Conditions with subqueries: EXISTS, IN and scalar ones, over public tables, the same reader's rows, or released results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.corpus.derived import where_clause
from tests.corpus.expressions import condition
from tests.corpus.statement import Item, Pen, Rows, Value
from tests.corpus.tables import PRIVATE, has_role, table


def row_condition(pen: Pen, rows: Rows) -> str:
    """A condition over one row, which may have a subquery."""
    rules: dict[str, Callable[[], str]] = {
        "plain WHERE": lambda: condition(pen, rows.columns),
        "above a released number": lambda: _above_released(pen, rows),
        "scalar subquery over public rows": lambda: _public_scalar(pen, rows),
    }
    tied, grouped = (
        rows.of_role("reader", "loan"),
        [column for column in rows.columns if column.role in ("branch", "genre")],
    )
    if tied:
        rules["IN of the reader"] = lambda: _in_private(pen, rows)
    if grouped:
        rules["IN over public rows"] = lambda: _in_public(pen, rows)
        rules["IN a released result"] = lambda: _in_released(pen, rows)
    # A merged column has no name that a subquery could not take for one of its own.
    nameable = len(rows.items) == 1 or all("." in column.sql for column in rows.columns)
    if tied and nameable:
        rules["EXISTS of the reader"] = lambda: _exists_private(pen, rows)
        rules["scalar subquery of the reader"] = lambda: _scalar_private(pen, rows)
        rules["first row of the reader"] = lambda: _first_private(pen, rows)
        rules["value of the only row with a key"] = lambda: _looked_up_private(pen, rows)
        if len(rows.items) == 1 and _numbers(rows.columns):
            rules["scalar subquery that compares with the reader's row"] = lambda: _compared_private(pen, rows)
    if grouped and nameable:
        rules["EXISTS over public rows"] = lambda: _exists_public(pen, rows)
        rules["above its group's released number"] = lambda: _above_group(pen, rows)
    return pen.rule(rules)


def _numbers(columns: Sequence[Value]) -> list[Value]:
    """Bounded columns without floats, whose averages could differ in the last bit."""
    return [column for column in columns if column.bounded and column.exact]


def _tied(pen: Pen, rows: Rows) -> tuple[Value, Item, Value]:
    """A column of the row that names the reader or the loan, and another table with a column for it."""
    outer = pen.choose(rows.of_role("reader", "loan"))
    names = [name for name in PRIVATE if has_role(name, (str(outer.role),))]
    inner = table(pen.choose(names), pen.alias())
    return outer, inner, inner.of_role(str(outer.role))[0]


def _outside(outer: Value, rows: Rows) -> str:
    """The column as a subquery can name it: a bare name could mean a column of its own."""
    return outer.sql if "." in outer.sql else f"{rows.items[0].sql}.{outer.sql}"


def _exists_private(pen: Pen, rows: Rows) -> str:
    outer, inner, key = _tied(pen, rows)
    conditions = [f"{key.sql} = {_outside(outer, rows)}"]
    if pen.sometimes():
        conditions.append(condition(pen, inner.columns))
    return f"{pen.choose(['EXISTS', 'NOT EXISTS'])} (SELECT 1 FROM {inner.sql}{where_clause(conditions)})"


def _in_private(pen: Pen, rows: Rows) -> str:
    outer, inner, key = _tied(pen, rows)
    conditions = [condition(pen, inner.columns)] if pen.sometimes() else []
    grouped = f" GROUP BY {key.sql} HAVING count(*) > 3" if key.role == "reader" and pen.sometimes(3) else ""
    return f"{outer.sql} {pen.choose(['IN', 'NOT IN'])} (SELECT {key.sql} FROM {inner.sql}{where_clause(conditions)}{grouped})"


def _scalar_private(pen: Pen, rows: Rows) -> str:
    outer, inner, key = _tied(pen, rows)
    conditions = [f"{key.sql} = {_outside(outer, rows)}"]
    if pen.sometimes(3):
        conditions.append(condition(pen, inner.columns))
    where = where_clause(conditions)
    if pen.sometimes():
        compared = pen.choose(["> 3", "= 0", "< 5", "IN (1, 3)", "NOT IN (0, 2)"])
        return f"(SELECT count(*) FROM {inner.sql}{where}) {compared}"
    value, mine = pen.choose(_numbers(inner.columns) or [key]), pen.choose(_numbers(rows.columns) or [outer])
    function = pen.choose(["avg", "max", "sum", "min"])
    return f"{mine.sql} {pen.choose(['>', '<='])} (SELECT {function}({value.sql}) FROM {inner.sql}{where})"


def _compared_private(pen: Pen, rows: Rows) -> str:
    outer, inner, key = _tied(pen, rows)
    mine, theirs = pen.choose(_numbers(rows.columns)), pen.choose(_numbers(inner.columns) or [key])
    compared = f"{theirs.sql} {pen.choose(['<', '>=', '<>'])} {_outside(mine, rows)}"
    where = where_clause([f"{key.sql} = {_outside(outer, rows)}", compared])
    if pen.sometimes(3):
        return f"({outer.sql} IS NULL OR {pen.choose(['EXISTS', 'NOT EXISTS'])} (SELECT FROM {inner.sql}{where}))"
    return f"(SELECT {pen.choose(['count(*)', f'count({theirs.sql})'])} FROM {inner.sql}{where}) {pen.choose(['>', '='])} 1"


def _first_private(pen: Pen, rows: Rows) -> str:
    outer, inner, key = _tied(pen, rows)
    value, mine = pen.choose(_numbers(inner.columns) or [key]), pen.choose(_numbers(rows.columns) or [outer])
    order = f"{value.sql}, {key.sql}" if pen.sometimes() else f"{value.sql} DESC NULLS LAST"
    where = where_clause([f"{key.sql} = {_outside(outer, rows)}"])
    return f"{mine.sql} >= (SELECT {value.sql} FROM {inner.sql}{where} ORDER BY {order} LIMIT 1)"


def _looked_up_private(pen: Pen, rows: Rows) -> str:
    outer = pen.choose(rows.of_role("reader", "loan"))
    inner = table("readers" if outer.role == "reader" else "loans", pen.alias())
    key = inner.of_role(str(outer.role))[0]
    conditions = [f"{key.sql} = {_outside(outer, rows)}"]
    if pen.sometimes(3):
        conditions.append(condition(pen, inner.columns))
    value, mine = pen.choose(_numbers(inner.columns)), pen.choose(_numbers(rows.columns) or [outer])
    return f"{mine.sql} {pen.choose(['<', '>=', '='])} (SELECT {value.sql} FROM {inner.sql}{where_clause(conditions)})"


def _in_public(pen: Pen, rows: Rows) -> str:
    column = pen.choose([column for column in rows.columns if column.role in ("branch", "genre")])
    inner = "name FROM branches WHERE size {}" if column.role == "branch" else "genre_id FROM genres WHERE shelf {}"
    tail = pen.choose(["> 6", "= 3", "IS NOT NULL", "> 1 ORDER BY 1 LIMIT 2"])
    word = pen.choose(["IN", "NOT IN", "= ANY", "<> ALL"])
    return f"{column.sql} {word} (SELECT {inner.format(tail)})"


def _exists_public(pen: Pen, rows: Rows) -> str:
    column = pen.choose([column for column in rows.columns if column.role in ("branch", "genre")])
    inner = table("branches" if column.role == "branch" else "genres", pen.alias())
    key = inner.of_role(str(column.role))[0]
    conditions = [f"{key.sql} = {_outside(column, rows)}", condition(pen, inner.columns, 0)]
    return f"{pen.choose(['EXISTS', 'NOT EXISTS'])} (SELECT * FROM {inner.sql}{where_clause(conditions)})"


def _public_scalar(pen: Pen, rows: Rows) -> str:
    numbers = _numbers(rows.columns)
    if not numbers:
        return condition(pen, rows.columns)
    inner = pen.choose(
        [
            "avg(size) FROM branches",
            "max(shelf) FROM genres",
            "count(*) FROM genres WHERE shelf = 3",
            "size FROM branches WHERE name = 'east'",
        ]
    )
    return f"{pen.choose(numbers).sql} {pen.choose(['>', '<='])} (SELECT {inner})"


def _above_released(pen: Pen, rows: Rows) -> str:
    numbers = _numbers(rows.columns)
    inner = table(pen.choose(PRIVATE[:3]), pen.alias())
    values = _numbers(inner.columns)
    if not numbers:
        return condition(pen, rows.columns)
    where = f" WHERE {condition(pen, inner.columns, 0)}" if pen.sometimes() else ""
    aggregate = pen.choose(["avg({})", "0.5 * avg({})", "sum({}) / 100", "count({})"]).format(pen.choose(values).sql)
    return f"{pen.choose(numbers).sql} {pen.choose(['>', '<='])} (SELECT {aggregate} FROM {inner.sql}{where})"


def _in_released(pen: Pen, rows: Rows) -> str:
    column = pen.choose([column for column in rows.columns if column.role in ("branch", "genre")])
    name = "branch" if column.role == "branch" else "genre_id"
    inner = pen.choose(["loans", "readers"] if name == "branch" else ["loans"])
    having = pen.choose([" HAVING count(*) > 0", " HAVING count(*) > 20", " ORDER BY count(*) DESC, 1 LIMIT 2"])
    return f"{column.sql} {pen.choose(['IN', 'NOT IN'])} (SELECT {name} FROM {inner} WHERE {name} IS NOT NULL GROUP BY {name}{having})"


def _above_group(pen: Pen, rows: Rows) -> str:
    column = pen.choose([column for column in rows.columns if column.role in ("branch", "genre")])
    numbers = _numbers(rows.columns)
    if not numbers:
        return condition(pen, rows.columns)
    inner = table("loans", pen.alias())
    key = inner.of_role(str(column.role))[0]
    aggregate = pen.choose(["avg({})", "2 * avg({})", "count({}) / 10"]).format(pen.choose(_numbers(inner.columns)).sql)
    where = where_clause([f"{key.sql} = {_outside(column, rows)}"])
    return f"{pen.choose(numbers).sql} {pen.choose(['>', '<='])} (SELECT {aggregate} FROM {inner.sql}{where})"

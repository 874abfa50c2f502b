"""Derived tables and row-level CTEs: projections, per-reader GROUP BY, DISTINCT, windows and set operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.corpus.expressions import MOST_DIGITS, condition, number, text
from tests.corpus.statement import Item, Pen, Rows, Value
from tests.corpus.tables import table

Below = Callable[[], Rows]
"""The FROM clause inside, one level down."""

ROWS = 4
"""Digits of the most rows that the policy allows a reader."""
_WINDOWS = [
    ("row_number()", "integer"),
    ("rank()", "integer"),
    ("count(*)", "integer"),
    ("lag({})", None),
    ("lead({}, 2)", None),
    ("first_value({})", None),
    ("sum({})", "numeric"),
    ("max({})", None),
    ("avg({})", "average"),
]


def derived_item(pen: Pen, below: Below, place: str) -> Item:
    """A subquery as a FROM item, under a fresh alias."""
    pen.constructs.add(f"derived table in {place}")
    query, columns = derived_query(pen, below)
    alias = pen.alias()
    return Item(f"({query}) AS {alias}", tuple(seen(column, alias) for column in columns), True)


def seen(column: Value, alias: str) -> Value:
    """An output as a column of the subquery's alias."""
    return replace(column, sql=f"{alias}.{column.name}")


def derived_query(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    """A row-level SELECT and its outputs."""
    return pen.rule(
        {
            "projection and filter": lambda: _projection(pen, below),
            "SELECT *": lambda: _star(pen),
            "GROUP BY reader": lambda: _per_reader(pen, below),
            "DISTINCT with the reader": lambda: _distinct(pen, below),
            "window over the reader": lambda: _window(pen),
            "UNION ALL of rows": lambda: _set_operation(pen, "UNION ALL"),
            "UNION, INTERSECT, EXCEPT of rows": lambda: _set_operation(
                pen, pen.choose(["UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL"])
            ),
        },
        rare={"rows cut off": lambda: _cut(pen)},
    )


def where_clause(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _inner(pen: Pen, below: Below, *roles: str) -> Rows:
    """The FROM clause inside, with a column of each role."""

    def suits(found: Rows) -> bool:
        return not found.keeps_public and all(found.of_role(role) for role in roles)

    return pen.attempt(below, suits, lambda: Rows((one := table("loans", pen.alias()),), one.sql))


def _output(value: Value, name: str) -> tuple[str, Value]:
    """A value as an output, and the column that it is from outside."""
    plain = value.sql.rsplit(".", 1)[-1] == name
    return value.sql if plain else f"{value.sql} AS {name}", replace(value, name=name)


def _select(outputs: Sequence[tuple[str, Value]]) -> tuple[str, tuple[Value, ...]]:
    return ", ".join(sql for sql, _ in outputs), tuple(column for _, column in outputs)


def _projection(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    inner = _inner(pen, below)
    outputs = [_output(number(pen, inner.columns, 1), "x")]
    if pen.sometimes():
        outputs.append(_output(text(pen, inner.columns), "t"))
    names = {"x", "t"}
    for column in pen.some(inner.columns, 1, 4):
        if column.name not in names:
            names.add(column.name)
            outputs.append(_output(column, column.name))
    conditions = list(inner.conditions)
    if pen.sometimes():
        conditions.append(condition(pen, inner.columns))
    listed, columns = _select(outputs)
    return f"SELECT {listed} FROM {inner.sql}{where_clause(conditions)}", columns


def _star(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    item = table(pen.choose(["loans", "readers", "fines"]), None, qualified=False)
    where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
    return f"SELECT * FROM {item.sql}{where}", item.columns


def _per_reader(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    inner = _inner(pen, below, "reader")
    reader = inner.of_role("reader")[0]
    keys = [reader]
    if pen.sometimes(3):
        keys += [column for column in inner.columns if column.declared and column.name != reader.name][:1]
    outputs = [_output(key, key.name) for key in keys if not pen.sometimes(6)]
    outputs += [_output(_reader_aggregate(pen, inner), name) for name in ["n", "m"][: pen.choose([1, 2])]]
    listed, columns = _select(outputs)
    having = ""
    if pen.sometimes(3):
        having = f" HAVING {_reader_aggregate(pen, inner).sql} {pen.choose(['>', '<='])} 4"
    grouped = ", ".join(key.sql for key in keys)
    return f"SELECT {listed} FROM {inner.sql}{where_clause(inner.conditions)} GROUP BY {grouped}{having}", columns


def _reader_aggregate(pen: Pen, inner: Rows) -> Value:
    """A number made of one reader's rows."""
    value = number(pen, inner.columns, 1)
    total = "numeric" if value.type == "integer" else value.type
    averaged = "float" if value.type == "float" else "numeric"
    filtered = f" FILTER (WHERE {condition(pen, inner.columns, 0)})" if pen.sometimes(4) else ""
    return pen.rule(
        {
            "count per reader": lambda: Value(f"count(*){filtered}", "integer", nullable=False, bounded=True, declared=True, reach=ROWS),
            "sum per reader": lambda: _summed(replace(value, sql=f"sum({value.sql}){filtered}", type=total)),
            "min, max per reader": lambda: replace(value, sql=f"{pen.choose(['min', 'max'])}({value.sql}){filtered}", name="", nullable=True, declared=False),
            "avg per reader": lambda: Value(f"avg({value.sql}){filtered}", averaged, bounded=True, exact=False, reach=value.reach),
            "count(DISTINCT) per reader": lambda: Value(f"count(DISTINCT {value.sql}){filtered}", "integer", nullable=False, bounded=True, reach=ROWS),
            "expression per reader": lambda: replace(_summed(replace(value, sql=f"sum({value.sql}) / count(*)", type=total)), exact=False),
        }
    )  # fmt: skip


def _summed(value: Value) -> Value:
    """A sum over a reader's rows, which the policy takes for as many as it allows."""
    reach = value.reach + ROWS
    exact = value.exact and reach + value.places <= MOST_DIGITS
    return replace(value, name="", nullable=True, declared=False, exact=exact, reach=reach)


def _distinct(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    inner = _inner(pen, below, "reader")
    shown = [inner.of_role("reader")[0]]
    for column in pen.some(inner.columns, 1, 2):
        if column.name not in [other.name for other in shown]:
            shown.append(column)
    listed, columns = _select([_output(column, column.name) for column in shown])
    return f"SELECT DISTINCT {listed} FROM {inner.sql}{where_clause(inner.conditions)}", columns


def _window(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """A window function in the order of the primary key, which has no ties."""
    item = table("loans", pen.alias())
    by_name = {column.name: column for column in item.columns}
    value = pen.choose([column for column in item.columns if column.bounded])
    function, type_ = pen.choose(_WINDOWS)
    partition = [by_name["reader_id"].sql, *([by_name["branch"].sql] if pen.sometimes(3) else [])]
    frame = pen.choose(["", "", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " ROWS UNBOUNDED PRECEDING"])
    over = f"PARTITION BY {', '.join(partition)} ORDER BY {by_name['loan_id'].sql}{frame if '(*)' in function or 'sum' in function else ''}"
    if pen.sometimes(8):
        pen.constructs.add("window over all readers")
        over = f"ORDER BY {by_name['loan_id'].sql}"
    computed = Value(f"{function.format(value.sql)} OVER ({over})", value.type, bounded=True, exact=value.exact)
    computed = replace(computed, reach=value.reach + ROWS, places=value.places)
    if type_ == "average":
        computed = replace(computed, type="float" if value.type == "float" else "numeric", exact=False)
    elif type_ == "integer":
        computed = replace(computed, type=type_, exact=True)
    elif type_ is not None and value.type == "integer":
        computed = replace(computed, type=type_)
    shown = [by_name["reader_id"], by_name["branch"], *(column for column in [value] if column.name not in ("branch",))]
    listed, columns = _select([_output(column, column.name) for column in shown] + [_output(computed, "w")])
    return f"SELECT {listed} FROM {item.sql}", columns


def _set_operation(pen: Pen, word: str) -> tuple[str, tuple[Value, ...]]:
    """Two SELECTs of the reader, a text and a number."""
    sides = []
    for name in ("loans", pen.choose(["readers", "loans", "complaints"])):
        item = table(name, None, qualified=False)
        values = [column for column in item.columns if column.bounded and column.type == "integer"]
        texts = [column.sql for column in item.columns if column.type == "text" and column.declared] or ["'none'"]
        chosen = f"reader_id, {pen.choose(texts)} AS t, {pen.choose(values).sql} AS x"
        where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
        sides.append(f"SELECT {chosen} FROM {name}{where}")
    columns = (
        Value("x", "integer", "x", bounded=True, reach=4),
        Value("reader_id", "integer", "reader_id", nullable=False, role="reader"),
        Value("t", "text", "t"),
    )
    return f" {word} ".join(sides), columns


def _cut(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """What must be refused: which rows are left depends on several readers."""
    listed, columns = _star(pen)
    key = {"loans": "loan_id", "readers": "reader_id", "fines": "fine_id"}[listed.split(" FROM ")[1].split(" ")[0]]
    return f"{listed} ORDER BY {key} LIMIT 20", columns

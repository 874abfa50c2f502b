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
_WINDOWS = {
    "row_number()": "count",
    "rank()": "count",
    "count(*)": "count",
    "sum({})": "sum",
    "avg({})": "average",
    "max({})": "one of them",
    "lag({})": "one of them",
    "lead({}, 2)": "one of them",
    "lag({0}, 1, {0})": "one of them",
    "first_value({})": "one of them",
}
"""Window functions of a number, and what they give."""
_SPREADS = ["stddev", "stddev_pop", "variance", "var_pop"]
_FRAMES = ["", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " ROWS UNBOUNDED PRECEDING"]
_PRIMARY_KEYS = {"loans": "loan_id", "readers": "reader_id", "fines": "fine_id"}


def derived_item(pen: Pen, below: Below, place: str) -> Item:
    """A subquery as a FROM item, under a fresh alias."""
    pen.constructs.add(f"derived table in {place}")
    query, columns = derived_query(pen, below)
    alias = pen.alias()
    if pen.sometimes(6):
        pen.constructs.add("renamed in FROM")
        columns = tuple(replace(column, name=f"{alias}{position}") for position, column in enumerate(columns))
        names = ", ".join(column.name for column in columns)
        return Item(f"({query}) AS {alias} ({names})", tuple(seen(column, alias) for column in columns), True)
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
            "DISTINCT ON the reader": lambda: _distinct_on(pen),
            "element of the reader's values": lambda: _element(pen),
            "elements of the reader's texts": lambda: _elements(pen),
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

    return pen.attempt(below, suits, lambda: Rows((lent := table("loans", pen.alias()),), lent.sql))


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
    if pen.sometimes(4):
        pen.constructs.add("released number beside rows")
        released = pen.choose(["(SELECT avg(days) FROM loans)", "(SELECT count(*) / 100 FROM readers WHERE active)"])
        above = f"{number(pen, inner.columns, 1).sql} > {released} AS above"
        outputs.append((above, Value("above", "boolean", name="above")))
    listed, columns = _select(outputs)
    return f"SELECT {listed} FROM {inner.sql}{where_clause(conditions)}", columns


def _star(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    item = table(pen.choose(list(_PRIMARY_KEYS)), None, qualified=False)
    where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
    return f"SELECT * FROM {item.sql}{where}", item.columns


def _cut(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """What must be refused: which rows are left depends on several readers."""
    item = table(pen.choose(list(_PRIMARY_KEYS)), None, qualified=False)
    return f"SELECT * FROM {item.sql} ORDER BY {_PRIMARY_KEYS[item.sql]} LIMIT 20", item.columns


def _per_reader(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    inner = _inner(pen, below, "reader")
    reader = inner.of_role("reader")[0]
    keys = [reader]
    if pen.sometimes(3):
        keys += [column for column in inner.columns if column.declared and column.name != reader.name][:1]
    outputs = [_output(key, key.name) for key in keys if not pen.sometimes(6)]
    outputs += [_output(_reader_aggregate(pen, inner), name) for name in ["n", "m"][: pen.choose([1, 2])]]
    if pen.sometimes(4):
        pen.constructs.add("window over the reader's groups")
        ranked = pen.choose(
            ["rank() OVER (PARTITION BY {} ORDER BY count(*) DESC)", "max(count(*)) OVER (PARTITION BY {})"]
        )
        outputs.append(_output(_counted(ranked.format(reader.sql)), "w"))
    listed, columns = _select(outputs)
    having = ""
    if pen.sometimes(3):
        having = f" HAVING {_reader_aggregate(pen, inner).sql} {pen.choose(['>', '<='])} 4"
    grouped = ", ".join(key.sql for key in keys)
    return f"SELECT {listed} FROM {inner.sql}{where_clause(inner.conditions)} GROUP BY {grouped}{having}", columns


def _reader_aggregate(pen: Pen, inner: Rows) -> Value:
    """A number made of one reader's rows."""
    value = number(pen, inner.columns, 1)
    filtered = f" FILTER (WHERE {condition(pen, inner.columns, 0)})" if pen.sometimes(4) else ""
    extreme = pen.choose(["min", "max"])
    quotient = _summed(value, f"sum({value.sql}) / count(*)")
    return pen.rule(
        {
            "count per reader": lambda: replace(_counted(f"count(*){filtered}"), declared=True),
            "sum per reader": lambda: _summed(value, f"sum({value.sql}){filtered}"),
            "min, max per reader": lambda: _one_of_them(value, f"{extreme}({value.sql}){filtered}"),
            "avg per reader": lambda: _averaged(value, f"avg({value.sql}){filtered}"),
            "count(DISTINCT) per reader": lambda: _counted(f"count(DISTINCT {value.sql}){filtered}"),
            "stddev, variance per reader": lambda: _averaged(value, f"{pen.choose(_SPREADS)}({value.sql}){filtered}"),
            "percentile, mode per reader": lambda: _ordered(pen, value, filtered),
            "expression per reader": lambda: replace(quotient, exact=False),
        }
    )


def _counted(sql: str) -> Value:
    return Value(sql, "integer", nullable=False, bounded=True, reach=ROWS)


def _one_of_them(value: Value, sql: str) -> Value:
    return replace(value, sql=sql, name="", nullable=True, declared=False, role=None)


def _ordered(pen: Pen, value: Value, filtered: str) -> Value:
    function = pen.choose(["percentile_cont(0.5)", "percentile_disc(0.25)", "mode()"])
    sql = f"{function} WITHIN GROUP (ORDER BY {value.sql}{pen.choose(['', ' DESC'])}){filtered}"
    if function.startswith("percentile_cont"):
        return Value(sql, "float", bounded=True, exact=False, reach=value.reach)
    return _one_of_them(value, sql)


def _averaged(value: Value, sql: str) -> Value:
    type_ = "float" if value.type == "float" else "numeric"
    return Value(sql, type_, bounded=True, exact=False, reach=value.reach)


def _summed(value: Value, sql: str) -> Value:
    """A sum over a reader's rows, which the policy takes for as many as it allows."""
    reach, type_ = value.reach + ROWS, "float" if value.type == "float" else "numeric"
    exact = value.exact and reach + value.places <= MOST_DIGITS
    return Value(sql, type_, bounded=True, exact=exact, reach=reach, places=value.places)


def _distinct(pen: Pen, below: Below) -> tuple[str, tuple[Value, ...]]:
    inner = _inner(pen, below, "reader")
    shown = [inner.of_role("reader")[0]]
    for column in pen.some(inner.columns, 1, 2):
        if column.name not in [other.name for other in shown]:
            shown.append(column)
    listed, columns = _select([_output(column, column.name) for column in shown])
    return f"SELECT DISTINCT {listed} FROM {inner.sql}{where_clause(inner.conditions)}", columns


def _distinct_on(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """The first of each reader's rows, or of those in each branch, in the order of the primary key."""
    item = table("loans", None, qualified=False)
    kept = pen.choose(["reader_id", "reader_id, branch", "branch, reader_id"])
    where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
    order = pen.choose([f" ORDER BY {kept}, loan_id", f" ORDER BY {kept}, loan_id DESC"])
    return f"SELECT DISTINCT ON ({kept}) * FROM loans{where}{order}", item.columns


def _element(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """A value of each reader's first rows, or of those in each branch, in the order of the primary key."""
    item = table("loans", pen.alias())
    loan, reader, branch = (
        next(column for column in item.columns if column.role == role) for role in ("loan", "reader", "branch")
    )
    keys = [reader, branch] if pen.sometimes(3) else [reader]
    value = pen.choose([column for column in item.columns if column not in (loan, *keys) and column.type != "boolean"])
    filtered = f" FILTER (WHERE {condition(pen, item.columns)})" if pen.sometimes(4) else ""
    array = f"array_agg({value.sql} ORDER BY {loan.sql}{pen.choose(['', ' DESC'])}){filtered}"
    computed = _one_of_them(value, f"({array})[{pen.choose([1, 1, 2])}]")
    where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
    listed, columns = _select([_output(column, column.name) for column in keys] + [_output(computed, "w")])
    return f"SELECT {listed} FROM {item.sql}{where} GROUP BY {', '.join(key.sql for key in keys)}", columns


def _elements(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """The parts of a text in each of the reader's rows."""
    item, alias = table("loans", pen.alias()), pen.alias()
    reader = next(column for column in item.columns if column.role == "reader")
    split = pen.choose([column for column in item.columns if column.type == "text"])
    value = pen.choose([column for column in item.columns if column.bounded])
    part = Value(f"{alias}.w", "text", "w")
    listed, columns = _select([_output(reader, reader.name), _output(value, value.name), _output(part, "w")])
    calls = [f"unnest(string_to_array({split.sql}, 'o'))", f"string_to_table({split.sql}, 'o')"]
    form = pen.choose([", {}", " CROSS JOIN LATERAL {}", " LEFT JOIN LATERAL {} ON true"])
    joined = form.format(f"{pen.choose(calls)} AS {alias}(w)")
    where = f" WHERE {condition(pen, item.columns)}" if pen.sometimes() else ""
    if pen.sometimes(3):
        listed, _ = _select([_output(reader, reader.name), _output(value, value.name)])
        return f"SELECT {listed}, {calls[0]} AS w FROM {item.sql}{where}", columns
    return f"SELECT {listed} FROM {item.sql}{joined}{where}", columns


def _window(pen: Pen) -> tuple[str, tuple[Value, ...]]:
    """A window function in the order of the primary key, which has no ties."""
    item = table("loans", pen.alias())
    loan, reader, branch = (
        next(column for column in item.columns if column.role == role) for role in ("loan", "reader", "branch")
    )
    value = pen.choose([column for column in item.columns if column.bounded])
    function = pen.choose(list(_WINDOWS))
    over = f"PARTITION BY {reader.sql}{f', {branch.sql}' if pen.sometimes(3) else ''} ORDER BY {loan.sql}"
    if function in ("count(*)", "sum({})"):
        over += pen.choose(_FRAMES)
    if pen.sometimes(20):
        pen.constructs.add("window over all readers")
        over = f"ORDER BY {loan.sql}"
    named = pen.sometimes(4)
    if named:
        pen.constructs.add("named window")
    window = "OVER w" if named else f"OVER ({over})"
    computed = _window_value(value, f"{function.format(value.sql)} {window}", _WINDOWS[function])
    listed, columns = _select(
        [_output(column, column.name) for column in (reader, branch, value)] + [_output(computed, "w")]
    )
    return f"SELECT {listed} FROM {item.sql}{f' WINDOW w AS ({over})' if named else ''}", columns


def _window_value(value: Value, sql: str, gives: str) -> Value:
    match gives:
        case "count":
            return _counted(sql)
        case "sum":
            return _summed(value, sql)
        case "average":
            return _averaged(value, sql)
        case _:
            return _one_of_them(value, sql)


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
        Value("reader_id", "integer", "reader_id", nullable=False, role="reader"),
        Value("t", "text", "t"),
        Value("x", "integer", "x", bounded=True, reach=4),
    )
    return f" {word} ".join(sides), columns

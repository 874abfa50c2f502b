"""Row-level expressions: for each type, what can be written of columns and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.corpus.statement import MOMENTS, NUMBERS, Pen, Value

_CONSTANTS = {
    "integer": ["1", "3", "0", "12", "-2"],
    "numeric": ["1.5", "0.25", "4", "-0.5"],
    "float": ["2.5", "1e1"],
    "text": ["'north'", "'good'", "''", "'late'", "'b'"],
    "boolean": ["true", "false"],
    "date": ["date '2024-03-15'", "date '2023-08-01'", "date '2024-04-30' - 40"],
    "timestamp": ["timestamp '2024-03-15 12:00'", "timestamp '2024-06-01' - interval '1 month'"],
    "timestamptz": ["timestamptz '2024-03-15 12:00+00'", "timestamptz '2024-05-01 00:00+02'"],
}
_COMPARISONS = ["=", ">", "<=", "<>", ">=", "<", "IS DISTINCT FROM"]
MOST_DIGITS = 13
"""Of the cells of a grid (2^45)."""
_LARGER = {"integer": 0, "numeric": 1, "float": 2}


def columns_of(columns: Sequence[Value], *types: str) -> list[Value]:
    return [column for column in columns if column.type in types]


def constant(pen: Pen, type_: str) -> Value:
    chosen = pen.choose(_CONSTANTS[type_])
    bounded = type_ in NUMBERS
    return Value(chosen, type_, nullable=False, bounded=bounded, reach=2, places=2 if type_ == "numeric" else 0)


def number(pen: Pen, columns: Sequence[Value], depth: int = 2) -> Value:
    """A number with bounds."""
    bounded = [column for column in columns_of(columns, *NUMBERS) if column.bounded]
    if not bounded:
        return constant(pen, "integer")
    rules: dict[str, Callable[[], Value]] = {"number column": lambda: pen.choose(bounded)}
    if depth > 0:
        rules |= {
            "arithmetic": lambda: _arithmetic(pen, columns, depth - 1),
            "numeric function": lambda: _numeric_function(pen, columns, depth - 1),
            "CASE": lambda: _number_case(pen, columns, depth - 1),
            "COALESCE, NULLIF, GREATEST": lambda: _number_choice(pen, columns, depth - 1),
            "cast to a number": lambda: _cast(pen, columns, depth - 1),
        }
        if columns_of(columns, *MOMENTS):
            rules["EXTRACT"] = lambda: _extract(pen, columns)
        if columns_of(columns, "text"):
            rules["length of a text"] = lambda: _length(pen, columns)
    return pen.rule(rules)


def _combined(sql: str, *values: Value, type_: str | None = None, nullable: bool | None = None) -> Value:
    """A number made of others: as exact, of the largest type, and no wider than their sum."""
    largest = type_ or max((value.type for value in values), key=_LARGER.__getitem__)
    could_be_null = any(value.nullable for value in values) if nullable is None else nullable
    reach = max(value.reach for value in values) + (len(values) > 1)
    places = max(value.places for value in values)
    return _fitted(
        Value(
            sql,
            largest,
            nullable=could_be_null,
            bounded=True,
            exact=largest != "float" and all(value.exact for value in values),
            reach=reach,
            places=places,
        )
    )


def _fitted(value: Value) -> Value:
    """A value with so many digits that the grid cannot hold them all is not exact."""
    return replace(value, exact=value.exact and value.reach + value.places <= MOST_DIGITS)


def _arithmetic(pen: Pen, columns: Sequence[Value], depth: int) -> Value:
    left, operator = number(pen, columns, depth), pen.choose(["+", "-", "*", "/", "%"])
    right = constant(pen, pen.choose(["integer", "numeric"])) if operator in "/%" else number(pen, columns, depth)
    if operator == "%" and left.type == "float":
        operator = "-"
    combined = _combined(f"({left.sql} {operator} {right.sql})", left, right)
    if operator == "*":
        combined = replace(combined, reach=left.reach + right.reach, places=left.places + right.places)
        return _fitted(combined)
    return replace(combined, exact=False) if operator == "/" and combined.type != "integer" else combined


def _numeric_function(pen: Pen, columns: Sequence[Value], depth: int) -> Value:
    value = number(pen, columns, depth)
    name = pen.choose(["abs", "round", "floor", "ceil", "sign", "trunc", "sqrt", "width_bucket", "mod"])
    match name:
        case "sqrt":
            return replace(_combined(f"sqrt(abs({value.sql}))", value), type="float", exact=False)
        case "width_bucket":
            return _combined(f"width_bucket({value.sql}::numeric, 0, 20, 4)", value, type_="integer")
        case "mod" if value.type == "float":
            return _combined(f"mod({value.sql}::numeric, 4)", value, type_="numeric")
        case "mod":
            return _combined(f"mod({value.sql}, 4)", value)
        case "abs":
            return _combined(f"abs({value.sql})", value)
        case _:
            # Rounding an integer gives a float.
            return _combined(f"{name}({value.sql})", value, type_="numeric" if value.type == "numeric" else "float")


def _number_case(pen: Pen, columns: Sequence[Value], depth: int) -> Value:
    first, then = condition(pen, columns, depth), number(pen, columns, depth)
    if pen.sometimes(3):
        return _combined(f"CASE WHEN {first} THEN {then.sql} END", then, nullable=True)
    other = number(pen, columns, depth)
    return _one_of(f"CASE WHEN {first} THEN {then.sql} ELSE {other.sql} END", then, other, nullable=None)


def _number_choice(pen: Pen, columns: Sequence[Value], depth: int) -> Value:
    left, right = number(pen, columns, depth), constant(pen, "integer")
    name = pen.choose(["coalesce", "greatest", "least", "nullif"])
    return _one_of(f"{name}({left.sql}, {right.sql})", left, right, nullable=name == "nullif")


def _one_of(sql: str, left: Value, right: Value, *, nullable: bool | None) -> Value:
    """One of two numbers: how many zeros a sum of numerics ends in depends on which rows had which."""
    chosen = _combined(sql, left, right, nullable=nullable)
    return replace(chosen, exact=chosen.exact and chosen.type == "integer")


def _cast(pen: Pen, columns: Sequence[Value], depth: int) -> Value:
    booleans = columns_of(columns, "boolean")
    if booleans and pen.sometimes(3):
        flag = pen.choose(booleans)
        return Value(f"{flag.sql}::int", "integer", nullable=flag.nullable, bounded=True, reach=1)
    value = number(pen, columns, depth)
    target = pen.choose(["int", "numeric", "bigint", "numeric(12, 1)", "float8"])
    type_ = {"int": "integer", "bigint": "integer", "float8": "float"}.get(target, "numeric")
    inexact = target == "numeric" and not value.exact
    return replace(_combined(f"({value.sql})::{target}", value, type_=type_), exact=type_ != "float" and not inexact)


def _extract(pen: Pen, columns: Sequence[Value]) -> Value:
    moment = pen.choose(columns_of(columns, *MOMENTS))
    field = pen.choose(["month", "day", "dow", "year", "week"])
    return Value(f"extract({field} FROM {moment.sql})", "numeric", nullable=moment.nullable, bounded=True, reach=4)


def _length(pen: Pen, columns: Sequence[Value]) -> Value:
    text = pen.choose(columns_of(columns, "text"))
    return Value(f"length({text.sql})", "integer", nullable=text.nullable, bounded=True, reach=4)


def text(pen: Pen, columns: Sequence[Value], depth: int = 1) -> Value:
    """A text."""
    texts = columns_of(columns, "text")
    if not texts:
        return constant(pen, "text")
    column = pen.choose(texts)
    if depth == 0 or not pen.sometimes():
        return column
    pen.constructs.add("text function")
    form = pen.choose(
        ["upper({})", "{} || '!'", "coalesce({}, '?')", "left({}, 2)", "replace({}, 'o', '0')", "substring({} from 2 for 2)",
         "initcap({})", "lpad({}, 6, '-')", "btrim({}, 'n')", "split_part({}, 'o', 1)", "concat({}, '-')", "nullif({}, 'good')",
         "regexp_replace({}, '[aeiou]', '')", "reverse({})"]
    )  # fmt: skip
    never_null = form.startswith(("coalesce", "concat"))
    return Value(form.format(column.sql), "text", nullable=column.nullable and not never_null, declared=column.declared)


def moment(pen: Pen, columns: Sequence[Value]) -> Value:
    """A date or timestamp; there must be a column of such a type."""
    column = pen.choose(columns_of(columns, *MOMENTS))
    if not pen.sometimes():
        return column
    pen.constructs.add("date arithmetic")
    if column.type == "date":
        return replace(column, sql=f"({column.sql} {pen.choose(['+ 10', '- 3'])})", name="", declared=False)
    form = pen.choose(
        [
            "({} + interval '3 days')",
            "({} - interval '5 hours')",
            "date_trunc('week', {})",
            "{}::date",
            "({} AT TIME ZONE 'UTC')",
            "({} + interval 'P2DT3H')",
            "({} - make_interval(days => 2, hours => 1))",
            "({} + (3 || ' days')::interval)",
            "({} + '1 mon')",
            "date_trunc('mons', {})",
        ]
    )
    type_ = column.type
    if form.endswith("::date"):
        type_ = "date"
    elif "ZONE" in form:
        type_ = "timestamp" if type_ == "timestamptz" else "timestamptz"
    return replace(column, sql=form.format(column.sql), type=type_, name="", declared=False)


def condition(pen: Pen, columns: Sequence[Value], depth: int = 1) -> str:
    """A condition over one row, without subqueries."""
    rules = {"comparison of numbers": lambda: _compare_numbers(pen, columns, depth)}
    if columns_of(columns, "text"):
        rules["comparison of texts"] = lambda: _compare_texts(pen, columns)
        rules["pattern"] = lambda: _pattern(pen, columns)
    if columns_of(columns, *MOMENTS):
        rules["comparison of dates"] = lambda: _compare_moments(pen, columns)
    if columns_of(columns, "boolean"):
        rules["boolean column"] = lambda: _flag(pen, columns)
    rules["IS NULL"] = lambda: f"{pen.choose(columns).sql} {pen.choose(['IS NOT NULL', 'IS NULL'])}"
    if depth > 0:
        rules["AND, OR, NOT"] = lambda: _junction(pen, columns, depth - 1)
    return pen.rule(rules)


def _compare_numbers(pen: Pen, columns: Sequence[Value], depth: int) -> str:
    value = number(pen, columns, min(depth, 1))
    match pen.choose(["compare", "between", "in", "any"]):
        case "compare":
            other = number(pen, columns, 0) if pen.sometimes(3) else constant(pen, "integer")
            return f"{value.sql} {pen.choose(_COMPARISONS)} {other.sql}"
        case "between":
            return f"{value.sql} {pen.choose(['BETWEEN', 'NOT BETWEEN'])} 2 AND 8"
        case "in":
            return f"{value.sql} {pen.choose(['IN', 'NOT IN'])} ({pen.choose(['1, 2, 3', '5', '4, NULL'])})"
        case _:
            return f"{value.sql} {pen.choose(['= ANY', '<> ALL', '> ANY'])} (ARRAY[1, 4, 9])"


def _compare_texts(pen: Pen, columns: Sequence[Value]) -> str:
    value = text(pen, columns)
    if pen.sometimes(3):
        return f"{value.sql} {pen.choose(['IN', 'NOT IN'])} ('north', 'good', 'late', 'bay')"
    other = text(pen, columns, 0) if pen.sometimes(3) else constant(pen, "text")
    return f"{value.sql} {pen.choose(_COMPARISONS)} {other.sql}"


def _pattern(pen: Pen, columns: Sequence[Value]) -> str:
    pattern = pen.choose(
        ["LIKE '%o%'", "NOT LIKE 'a%'", "ILIKE '%E%'", r"LIKE '%\_%'", "~ '^[a-g]'", "!~* 'H$'", "SIMILAR TO '%(a|e)%'"]
    )
    return f"{text(pen, columns).sql} {pattern}"


def _compare_moments(pen: Pen, columns: Sequence[Value]) -> str:
    value = moment(pen, columns)
    return f"{value.sql} {pen.choose(_COMPARISONS)} {constant(pen, value.type).sql}"


def _flag(pen: Pen, columns: Sequence[Value]) -> str:
    flag = pen.choose(columns_of(columns, "boolean")).sql
    return pen.choose(["{}", "NOT {}", "{} IS TRUE", "{} IS NOT TRUE", "{} IS UNKNOWN", "coalesce({}, true)"]).format(
        flag
    )


def _junction(pen: Pen, columns: Sequence[Value], depth: int) -> str:
    left = condition(pen, columns, depth)
    if pen.sometimes(4):
        return f"NOT ({left})"
    return f"({left} {pen.choose(['AND', 'OR'])} {condition(pen, columns, depth)})"


def declared_key(pen: Pen, columns: Sequence[Value]) -> Value:
    """A group key whose values the policy, a public table or the expression itself declares."""
    declared = [column for column in columns if column.declared]
    rules = {"declared column as key": lambda: pen.choose(declared)} if declared else {}
    rules["condition as key"] = lambda: Value(f"({condition(pen, columns)})", "boolean", declared=True)
    rules["CASE as key"] = lambda: _case_key(pen, columns)
    compared = [column for column in columns_of(columns, *_COMPARED) if column.name]
    if compared:
        rules["comparisons of a column as key"] = lambda: _comparisons_key(pen, pen.choose(compared))
    if any(column.type == "text" for column in declared):
        rules["text function as key"] = lambda: text(pen, [column for column in declared if column.type == "text"])
    if any(column.type == "integer" for column in declared):
        rules["arithmetic as key"] = lambda: _arithmetic_key(pen, declared)
    stepped = [column for column in columns_of(columns, "integer", "numeric") if column.bounded and column.exact]
    stepped = [column for column in stepped if column.name and column.reach < _MOST_STEPPED]
    if stepped:
        rules["steps of a number as key"] = lambda: _stepped_key(pen, stepped)
    if columns_of(columns, *MOMENTS):
        rules["date as key"] = lambda: _date_key(pen, columns)
    return pen.rule(rules)


def _case_key(pen: Pen, columns: Sequence[Value]) -> Value:
    first, second = condition(pen, columns, 0), condition(pen, columns, 0)
    return Value(f"CASE WHEN {first} THEN 'low' WHEN {second} THEN 'high' END", "text", declared=True)


_COMPARED = ("integer", "numeric", "text", *MOMENTS)


def _comparisons_key(pen: Pen, column: Value) -> Value:
    signs = ["=", "<>", "IS DISTINCT FROM"] if column.type == "text" else _COMPARISONS
    first, second = (f"{column.sql} {pen.choose(signs)} {constant(pen, column.type).sql}" for _ in range(2))
    return Value(f"CASE WHEN {first} THEN 'low' WHEN {second} THEN 'high' END", "text", declared=True)


def _arithmetic_key(pen: Pen, declared: Sequence[Value]) -> Value:
    column = pen.choose(columns_of(declared, "integer"))
    form = pen.choose(["{} / 10 * 10", "{} % 3", "{} + 1", "coalesce({}, 0)", "- {}"])
    return Value(form.format(column.sql), "integer", nullable=column.nullable, declared=True)


_MOST_STEPPED = 4
"""Numbers of so many digits have too many steps."""


def _stepped_key(pen: Pen, columns: Sequence[Value]) -> Value:
    column = pen.choose(columns)
    form = pen.choose(
        ["floor({} / 10) * 10", "round({}, -1)", "trunc({})", "width_bucket({}, 0, 50, 5)", "ceil({} / 20.0)"]
    )
    type_ = (
        "integer" if form.startswith("width") else "numeric" if column.type == "numeric" or "20.0" in form else "other"
    )
    return Value(form.format(column.sql), type_, nullable=column.nullable, declared=True)


def _date_key(pen: Pen, columns: Sequence[Value]) -> Value:
    column = pen.choose(columns_of(columns, *MOMENTS))
    form, type_ = pen.choose(
        [("date_trunc('month', {})", column.type if column.type != "date" else "timestamptz"), ("extract(year FROM {})", "numeric"),
         ("extract(dow FROM {})", "numeric"), ("to_char(date_trunc('month', {}), 'YYYY-MM')", "text"), ("date_trunc('quarter', {})::date", "date"),
         ("date_part('month', {})", "float"), ("to_char({}, 'YYYY-MM')", "text"), ("({})::date", "date"),
         ("floor(extract(epoch FROM {}) / 604800)", "numeric")]
    )  # fmt: skip
    return Value(form.format(column.sql), type_, nullable=column.nullable, declared=True)

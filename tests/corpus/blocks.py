"""Blocks: SELECTs that aggregate private rows, with their keys, aggregates, HAVING and window functions above."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

from tests.corpus.choices import choices
from tests.corpus.derived import where_clause
from tests.corpus.expressions import condition, declared_key, number
from tests.corpus.relations import rows
from tests.corpus.statement import Pen, Query, Rows, Value
from tests.corpus.subqueries import row_condition

_FIRST_OUTPUT = string.ascii_lowercase.index("k")
_ABOVE = [
    "{0} * 2 - 1",
    "rank() OVER (ORDER BY {0} DESC)",
    "dense_rank() OVER (ORDER BY {0})",
    "sum({0}) OVER ()",
    "100.0 * {0} / sum({0}) OVER ()",
    "CASE WHEN {0} > 10 THEN 1 ELSE 0 END",
]
_TOTALS = [
    "ROLLUP ({0}, {1})",
    "CUBE ({0}, {1})",
    "GROUPING SETS (({0}), ({1}), ())",
    "{0}, ROLLUP ({1})",
    "GROUPING SETS (({0}, {1}), ({1}))",
]
_COMPARED = ("integer", "numeric")
_MOST_GROUPS_OF_A_READER = 6
"""A selected key shows if more readers than a reader can have groups are in it: each adds its share of one unit."""


def block(pen: Pen, depth: int = 2) -> Query:
    """A SELECT over private rows with named outputs, all of which a query around it can use."""
    from_ = rows(pen, depth)
    conditions = list(from_.conditions)
    if pen.sometimes():
        conditions.append(row_condition(pen, from_))
    rules: dict[str, Callable[[], Query]] = {
        "GROUP BY": lambda: _grouped(pen, from_, conditions),
        "global aggregate": lambda: _global(pen, from_, conditions),
    }
    if not from_.keeps_public:
        pairs, free = _total_keys(from_), [column for column in from_.columns if column.name == "note"]
        if pairs:
            rules["ROLLUP, CUBE, GROUPING SETS"] = lambda: _grouping_sets(pen, from_, conditions, pen.choose(pairs))
        rules["SELECT DISTINCT"] = lambda: _distinct(pen, from_, conditions)
        if free and from_.of_role("reader"):
            rules["selected keys"] = lambda: _selected(pen, from_, conditions, free[0])
    return pen.rule(rules)


def _total_keys(from_: Rows) -> list[tuple[Value, Value]]:
    """Pairs of keys for totals, of different types: Postgres sorts totals wrongly by columns that it takes for equal."""
    declared = [column for column in from_.columns if column.declared]
    return [pair for pair in permutations(declared, 2) if pair[0].type != pair[1].type]


def _private_columns(from_: Rows) -> list[Value]:
    """What aggregates may be made of: where public rows are kept, columns of the private table alone count."""
    return [column for item in from_.items if item.private or not from_.keeps_public for column in item.columns]


def aggregates(pen: Pen, from_: Rows, most: int = 3, *, totals: bool = False) -> list[Value]:
    """Aggregates, of which the first counts rows: it tells empty groups from others. For `totals` they add up."""
    columns = _private_columns(from_)
    found = [_count(f"count({pen.choose(columns).sql if from_.keeps_public else '*'})")]
    for _ in range(pen.choose(list(range(most)))):
        found.extend(_aggregate(pen, columns, keeps_public=from_.keeps_public, totals=totals))
    return found


def _aggregate(pen: Pen, columns: Sequence[Value], *, keeps_public: bool, totals: bool) -> list[Value]:
    """One aggregate, and where it is a sum that can be over nothing, the count that tells."""
    filtered = ""
    if pen.sometimes(3):
        pen.constructs.add("FILTER")
        filtered = f" FILTER (WHERE {condition(pen, columns, 0)})"
    value = number(pen, columns)
    sure = not (value.nullable or filtered or keeps_public)
    rules = _of_number(pen, value, filtered, sure=sure, totals=totals)
    rules |= _counts(pen, columns, filtered)
    if not keeps_public:
        share = f"100 * count(*) FILTER (WHERE {condition(pen, columns, 0)}) / count(*)"
        rules["share of rows"] = lambda: [_count(share)]
        if not totals:
            rules |= choices(pen, columns, filtered)
    return pen.rule(rules)


def _of_number(
    pen: Pen, value: Value, filtered: str, *, sure: bool, totals: bool
) -> dict[str, Callable[[], list[Value]]]:
    """Sums and moments; a sum is `sure` if every group has a value for it."""
    type_ = "float" if value.type == "float" else "numeric"
    total = Value(f"sum({value.sql}){filtered}", type_, exact=value.exact, reach=value.reach)
    average = replace(total, sql=f"avg({value.sql}){filtered}")
    variance = replace(average, exact=False, reach=2 * value.reach)
    telling = [] if sure else [_count(f"count({value.sql}){filtered}")]
    distinct = f"{pen.choose(['sum', 'avg'])}(DISTINCT {value.sql}){filtered}"
    return {
        "sum": lambda: [*telling, total],
        "coalesced sum": lambda: [*telling, replace(total, sql=f"coalesce({total.sql}, 0)", nullable=False)],
        **({} if totals else {"sum or avg of DISTINCT": lambda: [*telling, replace(total, sql=distinct)]}),
        "avg": lambda: [average],
        "variance": lambda: [
            replace(variance, sql=f"{pen.choose(['variance', 'var_pop'])}({value.sql}){filtered}"),
        ],
    }


def _counts(pen: Pen, columns: Sequence[Value], filtered: str) -> dict[str, Callable[[], list[Value]]]:
    readers = [column for column in columns if column.role == "reader"]
    rules: dict[str, Callable[[], list[Value]]] = {
        "count of a column": lambda: [_count(f"count({pen.choose(columns).sql}){filtered}")],
        "count(DISTINCT column)": lambda: [_count(f"count(DISTINCT {pen.choose(columns).sql}){filtered}")],
    }
    if readers:
        rules["count(DISTINCT reader)"] = lambda: [_count(f"count(DISTINCT {readers[0].sql}){filtered}")]
    return rules


def _count(sql: str) -> Value:
    return Value(sql, "integer", nullable=False)


def _named(values: Sequence[Value]) -> tuple[Value, ...]:
    """The outputs of a query, from outside."""
    return tuple(
        replace(value, sql=name, name=name)
        for value, name in zip(values, string.ascii_lowercase[_FIRST_OUTPUT:], strict=False)
    )


def _select(values: Sequence[Value], from_: Rows, conditions: Sequence[str], tail: str) -> Query:
    named = _named(values)
    listed = ", ".join(f"{value.sql} AS {name.name}" for value, name in zip(values, named, strict=True))
    return Query(f"SELECT {listed} FROM {from_.sql}{where_clause(conditions)}{tail}", named)


def _global(pen: Pen, from_: Rows, conditions: Sequence[str]) -> Query:
    values = aggregates(pen, from_)
    having = " HAVING count(*) > 1" if not from_.keeps_public and pen.sometimes(8) else ""
    group = " GROUP BY ()" if pen.sometimes(10) else ""
    return _select(values, from_, conditions, group + having)


def _keys(pen: Pen, from_: Rows, most: int) -> list[Value]:
    if from_.keeps_public:
        public = [column for item in from_.items if not item.private for column in item.columns]
        # Without the key of the public table, a group could have rows of several.
        return [column for column in public if column.role is not None][:1]
    return [declared_key(pen, from_.columns) for _ in range(pen.choose(list(range(1, most + 1))))]


def _grouped(pen: Pen, from_: Rows, conditions: Sequence[str]) -> Query:
    keys = _keys(pen, from_, 2)
    values = [*keys, *aggregates(pen, from_)]
    names = _named(values)
    by = pen.choose(["expressions", "ordinals", "aliases"])
    listed = {
        "expressions": [key.sql for key in keys],
        "ordinals": [str(position + 1) for position in range(len(keys))],
        "aliases": [name.name for name in names[: len(keys)]],
    }[by]
    pen.constructs.add(f"GROUP BY {by}")
    if pen.sometimes(4) and not from_.keeps_public:
        values.append(_windows(pen, values, len(keys)))
    return _select(values, from_, conditions, f" GROUP BY {', '.join(listed)}{_having(pen, values, len(keys))}")


def _windows(pen: Pen, values: Sequence[Value], keys: int) -> Value:
    """A window function or arithmetic over an aggregate."""
    pen.constructs.add("above aggregates")
    return Value(pen.choose(_ABOVE).format(values[keys].sql), "numeric")


def _having(pen: Pen, values: Sequence[Value], keys: int) -> str:
    if not pen.sometimes(4):
        return ""
    pen.constructs.add("HAVING")
    exact = [value for value in values[keys:] if value.exact and " OVER " not in value.sql and value.type in _COMPARED]
    chosen = pen.choose(exact)
    return f" HAVING {chosen.sql} {pen.choose(['>', '<', '>='])} {pen.choose(['2', '10', '(SELECT count(*) FROM genres)'])}"


def _grouping_sets(pen: Pen, from_: Rows, conditions: Sequence[str], keys: tuple[Value, Value]) -> Query:
    first, second = keys
    values = [first, second, *aggregates(pen, from_, 2, totals=True)]
    if pen.sometimes(3):
        values.append(Value(f"grouping({first.sql}, {second.sql})", "integer"))
    return _select(values, from_, conditions, f" GROUP BY {pen.choose(_TOTALS).format(first.sql, second.sql)}")


def _distinct(pen: Pen, from_: Rows, conditions: Sequence[str]) -> Query:
    """DISTINCT with a condition that leaves out declared keys without rows: DISTINCT alone would show those for free."""
    keys = _keys(pen, from_, 1)
    query = _select(keys, from_, conditions, f" GROUP BY {keys[0].sql} HAVING count(*) > 0")
    return replace(query, sql=f"SELECT DISTINCT {query.sql.removeprefix('SELECT ')}")


def _selected(pen: Pen, from_: Rows, conditions: Sequence[str], free: Value) -> Query:
    """Keys that nobody declared, and only groups of enough readers to be sure of showing."""
    form = pen.choose(["{}", "upper({})", "length({})", "coalesce({}, 'none')"])
    key = replace(free, sql=form.format(free.sql), type="integer" if form == "length({})" else "text")
    values = [key, *aggregates(pen, from_)]
    reader = from_.of_role("reader")[0]
    having = f" GROUP BY 1 HAVING count(DISTINCT {reader.sql}) > {_MOST_GROUPS_OF_A_READER}"
    return _select(values, from_, conditions, having)

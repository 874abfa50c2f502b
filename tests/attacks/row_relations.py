"""Queries over row-level relations of every kind: derived tables, per-unit GROUP BY, DISTINCT, windows, set operations,
joins of all of them, CTEs, subqueries in WHERE, outer joins that keep public rows, and feedback.

Most are written as an analyst would, so that every row has one unit; some leave the unit out, or tie rows by something
else. Those must be refused, and if one were not, the rows of `row_data` would show it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.attacks.row_sources import (
    CONSTANTS,
    EVENTS,
    PEOPLE,
    PUBLIC,
    REGIONS,
    TABLES,
    Drawing,
    Kind,
    Query,
    Scope,
    Source,
    condition,
    conjunction,
    equal,
    named_alike,
    tie,
)


def _source(drawing: Drawing, depth: int) -> Source:
    """A private table, a subquery over others, or a CTE of this query, perhaps one that is read already."""
    if depth == 0 or drawing.once_in(3):
        return drawing.one_of(TABLES)
    if drawing.ctes and drawing.once_in(4):
        drawing.uses("CTE read twice")
        return drawing.one_of([source for source, _ in drawing.ctes])
    derive = drawing.one_of(
        [_projection, _per_unit_groups, _per_unit_groups, _distinct, _windows, _windows, _set_operation]
    )
    query = derive(drawing, depth - 1)
    if drawing.once_in(4):
        drawing.uses("CTE")
        cte = Source(f"c{len(drawing.ctes)}", query.columns)
        drawing.ctes.append((cte, query.sql))
        return cte
    return Source(f"({query.sql})", query.columns)


def _named(drawing: Drawing, source: Source, alias: str) -> Scope:
    """The source under an alias, its columns renamed if it is a subquery and luck will have it."""
    columns = source.columns
    renamed = ""
    if source.sql.startswith("(") and drawing.once_in(4):
        drawing.uses("column aliases")
        columns = {f"x{position}": kind for position, kind in enumerate(columns.values())}
        renamed = f" ({', '.join(columns)})"
    return Scope(f"{source.sql} {alias}{renamed}", {f"{alias}.{name}": kind for name, kind in columns.items()})


def _tied(drawing: Drawing, earlier: Scope, new: Scope) -> Scope:
    """The relation, or mostly another where nothing could tie it to those before."""
    if equal(earlier, new, "unit", "row") or drawing.once_in(12):
        return new
    alias = next(iter(new.columns)).split(".")[0]
    return _named(drawing, EVENTS if earlier.of("unit", "row") else PEOPLE, alias)


def _joined(drawing: Drawing, depth: int, most: int = 3) -> Scope:
    """Up to `most` members of FROM, private and public, joined in all ways."""
    scope = _named(drawing, _source(drawing, depth), "t0")
    for number in range(1, drawing.one_of(range(1, most + 1))):
        if drawing.once_in(3):
            scope = _with_public(drawing, scope, f"t{number}")
            continue
        new = _tied(drawing, scope, _named(drawing, _source(drawing, max(depth - 1, 0)), f"t{number}"))
        kind = drawing.one_of(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        kind = "LEFT JOIN" if kind == "FULL JOIN" and number > 1 else kind
        drawing.uses(kind)
        using = named_alike(drawing, scope, new) if kind != "FULL JOIN" and drawing.once_in(5) else ""
        if using:
            drawing.uses("USING")
        text = f"{scope.sql} {kind} {new.sql}{using or ' ON ' + tie(drawing, scope, new)}"
        if kind != "FULL JOIN" and drawing.once_in(5):
            drawing.uses("parentheses")
            text = f"({text})"
        scope = Scope(text, scope.columns | new.columns)
    return scope


def _with_public(drawing: Drawing, scope: Scope, alias: str) -> Scope:
    if drawing.once_in(3):
        return _with_constants(drawing, scope, alias)
    public = drawing.one_of([REGIONS, *PUBLIC])
    new = _named(drawing, public, alias)
    both = scope.columns | new.columns
    if drawing.once_in(2):
        drawing.uses("CROSS JOIN public")
        return Scope(f"{scope.sql} CROSS JOIN {new.sql}", both)
    key = f"{alias}.{'name' if public is REGIONS else 'code'}"
    columns = scope.of("word" if public is REGIONS else "number")
    kind = drawing.one_of(["JOIN", "LEFT JOIN"])
    drawing.uses(f"{kind} public")
    condition = f"{drawing.one_of(columns)} = {key}" if columns else "true"
    return Scope(f"{scope.sql} {kind} {new.sql} ON {condition}", both)


def _with_constants(drawing: Drawing, scope: Scope, alias: str) -> Scope:
    drawing.uses("constant rows")
    source = drawing.one_of(CONSTANTS)
    columns = {f"{alias}.{name}": kind for name, kind in source.columns.items()}
    new = Scope(source.sql.format(alias=alias), columns)
    parts = drawing.some(equal(scope, new, "word", "number"), 1, 2) or ["true"]
    kind = drawing.one_of(["JOIN", "JOIN", "LEFT JOIN", "CROSS JOIN"])
    condition = "" if kind == "CROSS JOIN" else f" ON {conjunction(drawing, parts)}"
    return Scope(f"{scope.sql} {kind} {new.sql}{condition}", scope.columns | columns)


def _where(drawing: Drawing, scope: Scope) -> str:
    return f" WHERE {condition(drawing, scope.columns)}" if drawing.once_in(5) else ""


def _units(drawing: Drawing, scope: Scope, construct: str) -> list[str]:
    """A column of the unit, for the clauses that need one; rarely none."""
    names = scope.of("unit") or scope.of("row")
    if not names or drawing.once_in(15):
        drawing.uses("without the unit")
        return []
    drawing.uses(construct)
    return [_person(drawing, names)]


def _person(drawing: Drawing, names: Sequence[str]) -> str:
    """One of the columns that may hold the unit; often the last, which is NULL where a LEFT JOIN finds nothing."""
    return drawing.one_of([*names, names[-1]])


def _select(outputs: Sequence[tuple[str, Kind]], rest: str, word: str = "SELECT") -> Source:
    """A SELECT whose outputs are called by their kinds and places."""
    columns = {f"{kind}{position}": kind for position, (_, kind) in enumerate(outputs)}
    texts = [f"{text} AS {name}" for (text, _), name in zip(outputs, columns, strict=True)]
    return Source(f"{word} {', '.join(texts)} FROM {rest}", columns)


def _outputs(drawing: Drawing, scope: Scope, units: Sequence[str]) -> list[tuple[str, Kind]]:
    """Columns of a scope, the given ones first."""
    names = [*units, *drawing.some([name for name in scope.columns if name not in units], 1, 3)]
    return [(name, scope.columns[name]) for name in names]


def _projection(drawing: Drawing, depth: int) -> Source:
    scope = _joined(drawing, depth, 2)
    drawing.uses("projection")
    outputs = _outputs(drawing, scope, drawing.some(scope.of("unit"), 1, 1))
    computed = drawing.some(scope.of("number"), 0, 1)
    outputs += [(f"coalesce({name}, 0) * 2 - 1", "number") for name in computed]
    return _select(outputs, scope.sql + _where(drawing, scope))


def _aggregate(drawing: Drawing, scope: Scope) -> tuple[str, Kind]:
    """An aggregate call over the rows of one unit."""
    words = scope.of("word")
    if words and drawing.once_in(8):
        return f"{drawing.one_of(['min', 'max'])}({drawing.one_of(words)})", "word"
    name = drawing.one_of(["*", *scope.of("number"), *scope.of("number"), *words])
    if name == "*" or scope.columns[name] == "word":
        call = f"count({name})"
    else:
        call = f"{drawing.one_of(['count(', 'count(DISTINCT ', 'sum(', 'avg(', 'min(', 'max('])}{name})"
    return call + (f" FILTER (WHERE {condition(drawing, scope.columns)})" if drawing.once_in(4) else ""), "number"


def _per_unit_groups(drawing: Drawing, depth: int) -> Source:
    scope = _joined(drawing, depth, 2)
    units = _units(drawing, scope, "per-unit GROUP BY")
    keys = drawing.some(scope.of("word", "number"), 0, 1)
    aggregates = [_aggregate(drawing, scope) for _ in range(drawing.one_of([1, 1, 2]))]
    rest = scope.sql + _where(drawing, scope) + (f" GROUP BY {', '.join([*units, *keys])}" if [*units, *keys] else "")
    if drawing.once_in(3):
        drawing.uses("HAVING")
        call, kind = _aggregate(drawing, scope)
        rest += f" HAVING {call} IS NOT NULL" if kind == "word" else f" HAVING {call} {drawing.one_of(['<', '>='])} 2"
    shown = units if drawing.once_in(8) is False else []
    return _select([*((name, scope.columns[name]) for name in [*shown, *keys]), *aggregates], rest)


def _distinct(drawing: Drawing, depth: int) -> Source:
    scope = _joined(drawing, depth, 2)
    outputs = _outputs(drawing, scope, _units(drawing, scope, "per-unit DISTINCT"))
    return _select(outputs, scope.sql + _where(drawing, scope), "SELECT DISTINCT")


_FRAMES = ["", "", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " ROWS UNBOUNDED PRECEDING"]


def _windows(drawing: Drawing, depth: int) -> Source:
    scope = _joined(drawing, depth, 2)
    units = _units(drawing, scope, "windows within the unit")
    partition = [*units, *drawing.some(scope.of("word"), 0, 1)]
    window = f"PARTITION BY {', '.join(partition)}" if partition else ""
    order = drawing.some([name for name in scope.columns if name not in partition], 1, 2)
    numbers = scope.of("number")
    calls = ["row_number()", "rank()", "dense_rank()", "ntile(2)", "cume_dist()"]
    calls += [f"{name}({drawing.one_of(numbers)})" for name in ("lag", "lead", "first_value", "last_value") if numbers]
    frame = ""
    if numbers and drawing.once_in(2):
        calls = [_aggregate(drawing, scope)[0] for _ in range(2)]
        calls = [call for call in calls if "DISTINCT" not in call and "region" not in call] or ["count(*)"]
        frame = drawing.one_of(_FRAMES)
    if order and (frame or drawing.once_in(3) is False):
        window += f" ORDER BY {', '.join(order)}{frame}"
    rest = f"{scope.sql}{_where(drawing, scope)}"
    return _select([*_outputs(drawing, scope, units), (f"{drawing.one_of(calls)} OVER ({window})", "number")], rest)


def _set_operation(drawing: Drawing, depth: int) -> Source:
    word = drawing.one_of(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
    drawing.uses(word)
    scopes = [_joined(drawing, depth, 2) for _ in range(drawing.one_of([2, 2, 3]))]
    if not drawing.once_in(12):
        scopes = [scope if scope.of("unit") else _named(drawing, EVENTS, "t0") for scope in scopes]
    wanted: list[Kind] = ["unit", "number", "word"]
    kinds = [kind for kind in wanted if all(scope.of(kind) for scope in scopes)] or ["unit"]
    parts = []
    for scope in scopes:
        outputs = [(_person(drawing, scope.of(kind) or ["NULL::integer"]), kind) for kind in kinds]
        parts.append(_select(outputs, scope.sql + _where(drawing, scope)))
    return Source(f" {word} ".join(part.sql for part in parts), parts[0].columns)


def _within_unit(drawing: Drawing, scope: Scope, depth: int) -> str:
    """EXISTS, IN or a scalar subquery over rows of the unit."""
    negated = drawing.one_of(["", "NOT "])
    inner = _tied(drawing, scope, _named(drawing, _source(drawing, depth), "i0"))
    tied = tie(drawing, scope, inner)
    if drawing.once_in(3):
        drawing.uses("EXISTS")
        return f"{negated}EXISTS (SELECT 1 FROM {inner.sql} WHERE {tied})"
    numbers = scope.of("number") or ["1"]
    if inner.of("number") and drawing.once_in(2):
        drawing.uses("scalar subquery")
        call = f"{drawing.one_of(['sum', 'avg', 'max', 'count'])}({drawing.one_of(inner.of('number'))})"
        return f"{drawing.one_of(numbers)} >= (SELECT {call} FROM {inner.sql} WHERE {tied})"
    drawing.uses("IN")
    units, inner_units = scope.of("unit") or numbers, inner.of("unit") or list(inner.columns)
    pairs = equal(scope, inner, "number", "word")
    if pairs and drawing.once_in(2):
        drawing.uses("rows IN")
        left, right = drawing.one_of(pairs).split(" = ")
        rest = _where(drawing, inner) if drawing.once_in(2) else f" WHERE {tied}"
        return f"({drawing.one_of(units)}, {left}) {negated}IN (SELECT {drawing.one_of(inner_units)}, {right} FROM {inner.sql}{rest})"
    rest = _where(drawing, inner) if drawing.once_in(3) else f" WHERE {tied}"
    return f"{drawing.one_of(units)} {negated}IN (SELECT {drawing.one_of(inner_units)} FROM {inner.sql}{rest})"


def _released(drawing: Drawing, scope: Scope) -> str:
    """A condition with a number or a list that is released before."""
    drawing.uses("feedback")
    number, words = drawing.one_of(scope.of("number") or ["1"]), scope.of("word")
    conditions = [f"{number} >= (SELECT avg(amount) FROM cards)"]
    for word in words:
        conditions += [
            f"{word} IN (SELECT region FROM events GROUP BY region HAVING count(*) > 1)",
            f"{word} NOT IN (SELECT region FROM cards WHERE region IS NOT NULL GROUP BY region ORDER BY count(*) LIMIT 1)",
            f"{number} < (SELECT avg(f.amount) FROM cards f WHERE f.region = {word})",
        ]
    return drawing.one_of(conditions)


def _released_join(drawing: Drawing, scope: Scope) -> Scope:
    drawing.uses("join with a released result")
    released = "(SELECT region, count(*) AS number0 FROM cards GROUP BY region)"
    condition = f"f.region = {drawing.one_of(scope.of('word'))}"
    kind = drawing.one_of(["JOIN", "LEFT JOIN"])
    return Scope(f"{scope.sql} {kind} {released} f ON {condition}", scope.columns | {"f.number0": "number"})


def _final(drawing: Drawing, scope: Scope) -> str:
    """An aggregate of the block."""
    name = drawing.one_of(["*", *scope.columns, *scope.of("number")])
    if name == "*":
        call = "count(*)"
    elif scope.columns[name] == "number":
        # As text, equal numbers of different scales are two values.
        value = drawing.one_of([name, name, name, f"{name} + 1", f"{name}::text"])
        functions = ["count", "count(DISTINCT"] if value.endswith("text") else ["sum", "sum", "avg", "count(DISTINCT"]
        function = drawing.one_of(functions)
        call = f"{function} {value})" if "(" in function else f"{function}({value})"
    else:
        call = f"{drawing.one_of(['count(DISTINCT ', 'count('])}{name})"
    return call + (f" FILTER (WHERE {condition(drawing, scope.columns)})" if drawing.once_in(4) else "")


def _grouped(drawing: Drawing) -> str:
    scope = _joined(drawing, drawing.one_of([1, 1, 2]))
    keys = drawing.some(scope.of("word", "number"), 0, 2)
    outputs = [*keys, *(_final(drawing, scope) for _ in range(drawing.one_of([1, 2, 3])))]
    conditions = [condition(drawing, scope.columns)] if drawing.once_in(5) else []
    if drawing.once_in(4):
        conditions.append(_within_unit(drawing, scope, drawing.one_of([0, 1, 2])))
    if drawing.once_in(8):
        conditions.append(_released(drawing, scope))
    if scope.of("word") and drawing.once_in(12):
        scope = _released_join(drawing, scope)
    text = f"SELECT {', '.join(outputs)} FROM {scope.sql}"
    text += f" WHERE {' AND '.join(conditions)}" if conditions else ""
    text += f" GROUP BY {', '.join(str(position + 1) for position in range(len(keys)))}" if keys else ""
    return text


def _zeros(drawing: Drawing) -> str:
    """A public table LEFT JOINed with private rows: its rows are groups, of zero where nobody's row meets them."""
    drawing.uses("public LEFT JOIN private")
    scope = _named(drawing, _source(drawing, drawing.one_of([0, 1, 1, 2])), "t0")
    columns = scope.of("word") or scope.of("number")
    key = drawing.one_of(["r.name", "r.zone", "r.code"])
    number = drawing.one_of(scope.of("number") or list(scope.columns))
    tie = f"{drawing.one_of(columns or ['NULL'])} = {'r.name' if scope.of('word') else 'r.code'}"
    aggregates = [f"count({drawing.one_of(list(scope.columns))})"]
    if scope.of("number"):
        aggregates.append(
            f"{drawing.one_of(['sum', 'avg', 'count(DISTINCT'])} ({number})".replace("DISTINCT (", "DISTINCT ")
        )
    tie += f" AND {condition(drawing, scope.columns)}" if drawing.once_in(3) else ""
    join = f"regions r LEFT JOIN {scope.sql}" if drawing.once_in(2) else f"{scope.sql} RIGHT JOIN regions r"
    return f"SELECT {key}, {', '.join(aggregates)} FROM {join} ON {tie} GROUP BY 1"


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """An aggregate query over row-level relations."""
    drawing = Drawing(draw)
    text = _zeros(drawing) if drawing.once_in(10) else _grouped(drawing)
    ctes = ", ".join(f"{source.sql} AS ({query})" for source, query in drawing.ctes)
    return Query(f"WITH {ctes} {text}" if ctes else text, frozenset(drawing.constructs))

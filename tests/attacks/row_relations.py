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


def _source(one: Drawing, depth: int) -> Source:
    """A private table, a subquery over others, or a CTE of this query, perhaps one that is read already."""
    if depth == 0 or one.once_in(3):
        return one.one_of(TABLES)
    if one.ctes and one.once_in(4):
        one.uses("CTE read twice")
        return one.one_of([source for source, _ in one.ctes])
    derive = one.one_of(
        [_projection, _per_unit_groups, _per_unit_groups, _distinct, _windows, _windows, _set_operation]
    )
    query = derive(one, depth - 1)
    if one.once_in(4):
        one.uses("CTE")
        cte = Source(f"c{len(one.ctes)}", query.columns)
        one.ctes.append((cte, query.sql))
        return cte
    return Source(f"({query.sql})", query.columns)


def _named(one: Drawing, source: Source, alias: str) -> Scope:
    """The source under an alias, its columns renamed if it is a subquery and luck will have it."""
    columns = source.columns
    renamed = ""
    if source.sql.startswith("(") and one.once_in(4):
        one.uses("column aliases")
        columns = {f"x{position}": kind for position, kind in enumerate(columns.values())}
        renamed = f" ({', '.join(columns)})"
    return Scope(f"{source.sql} {alias}{renamed}", {f"{alias}.{name}": kind for name, kind in columns.items()})


def _tied(one: Drawing, earlier: Scope, new: Scope) -> Scope:
    """The relation, or mostly another where nothing could tie it to those before."""
    if equal(earlier, new, "unit", "row") or one.once_in(12):
        return new
    alias = next(iter(new.columns)).split(".")[0]
    return _named(one, EVENTS if earlier.of("unit", "row") else PEOPLE, alias)


def _joined(one: Drawing, depth: int, most: int = 3) -> Scope:
    """Up to `most` members of FROM, private and public, joined in all ways."""
    scope = _named(one, _source(one, depth), "t0")
    for number in range(1, one.one_of(range(1, most + 1))):
        if one.once_in(3):
            scope = _with_public(one, scope, f"t{number}")
            continue
        new = _tied(one, scope, _named(one, _source(one, max(depth - 1, 0)), f"t{number}"))
        kind = one.one_of(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        kind = "LEFT JOIN" if kind == "FULL JOIN" and number > 1 else kind
        one.uses(kind)
        using = named_alike(one, scope, new) if kind != "FULL JOIN" and one.once_in(5) else ""
        if using:
            one.uses("USING")
        text = f"{scope.sql} {kind} {new.sql}{using or ' ON ' + tie(one, scope, new)}"
        if kind != "FULL JOIN" and one.once_in(5):
            one.uses("parentheses")
            text = f"({text})"
        scope = Scope(text, scope.columns | new.columns)
    return scope


def _with_public(one: Drawing, scope: Scope, alias: str) -> Scope:
    if one.once_in(3):
        return _with_constants(one, scope, alias)
    public = one.one_of([REGIONS, *PUBLIC])
    new = _named(one, public, alias)
    both = scope.columns | new.columns
    if one.once_in(2):
        one.uses("CROSS JOIN public")
        return Scope(f"{scope.sql} CROSS JOIN {new.sql}", both)
    key = f"{alias}.{'name' if public is REGIONS else 'code'}"
    columns = scope.of("word" if public is REGIONS else "number")
    kind = one.one_of(["JOIN", "LEFT JOIN"])
    one.uses(f"{kind} public")
    condition = f"{one.one_of(columns)} = {key}" if columns else "true"
    return Scope(f"{scope.sql} {kind} {new.sql} ON {condition}", both)


def _with_constants(one: Drawing, scope: Scope, alias: str) -> Scope:
    one.uses("constant rows")
    source = one.one_of(CONSTANTS)
    columns = {f"{alias}.{name}": kind for name, kind in source.columns.items()}
    new = Scope(source.sql.format(alias=alias), columns)
    parts = one.some(equal(scope, new, "word", "number"), 1, 2) or ["true"]
    kind = one.one_of(["JOIN", "JOIN", "LEFT JOIN", "CROSS JOIN"])
    condition = "" if kind == "CROSS JOIN" else f" ON {conjunction(one, parts)}"
    return Scope(f"{scope.sql} {kind} {new.sql}{condition}", scope.columns | columns)


def _where(one: Drawing, scope: Scope) -> str:
    return f" WHERE {condition(one, scope.columns)}" if one.once_in(5) else ""


def _units(one: Drawing, scope: Scope, construct: str) -> list[str]:
    """A column of the person, for the clauses that need one; rarely none."""
    names = scope.of("unit") or scope.of("row")
    if not names or one.once_in(15):
        one.uses("without the unit")
        return []
    one.uses(construct)
    return [_person(one, names)]


def _person(one: Drawing, names: Sequence[str]) -> str:
    """One of the columns that may hold the unit; often the last, which is NULL where a LEFT JOIN finds nothing."""
    return one.one_of([*names, names[-1]])


def _select(outputs: Sequence[tuple[str, Kind]], rest: str, word: str = "SELECT") -> Source:
    """A SELECT whose outputs are called by their kinds and places."""
    columns = {f"{kind}{position}": kind for position, (_, kind) in enumerate(outputs)}
    texts = [f"{text} AS {name}" for (text, _), name in zip(outputs, columns, strict=True)]
    return Source(f"{word} {', '.join(texts)} FROM {rest}", columns)


def _outputs(one: Drawing, scope: Scope, units: Sequence[str]) -> list[tuple[str, Kind]]:
    """Columns of a scope, the given ones first."""
    names = [*units, *one.some([name for name in scope.columns if name not in units], 1, 3)]
    return [(name, scope.columns[name]) for name in names]


def _projection(one: Drawing, depth: int) -> Source:
    scope = _joined(one, depth, 2)
    one.uses("projection")
    outputs = _outputs(one, scope, one.some(scope.of("unit"), 1, 1))
    computed = one.some(scope.of("number"), 0, 1)
    outputs += [(f"coalesce({name}, 0) * 2 - 1", "number") for name in computed]
    return _select(outputs, scope.sql + _where(one, scope))


def _aggregate(one: Drawing, scope: Scope) -> tuple[str, Kind]:
    """An aggregate call over the rows of one unit."""
    words = scope.of("word")
    if words and one.once_in(8):
        return f"{one.one_of(['min', 'max'])}({one.one_of(words)})", "word"
    name = one.one_of(["*", *scope.of("number"), *scope.of("number"), *words])
    if name == "*" or scope.columns[name] == "word":
        call = f"count({name})"
    else:
        call = f"{one.one_of(['count(', 'count(DISTINCT ', 'sum(', 'avg(', 'min(', 'max('])}{name})"
    return call + (f" FILTER (WHERE {condition(one, scope.columns)})" if one.once_in(4) else ""), "number"


def _per_unit_groups(one: Drawing, depth: int) -> Source:
    scope = _joined(one, depth, 2)
    units = _units(one, scope, "per-unit GROUP BY")
    keys = one.some(scope.of("word", "number"), 0, 1)
    aggregates = [_aggregate(one, scope) for _ in range(one.one_of([1, 1, 2]))]
    rest = scope.sql + _where(one, scope) + (f" GROUP BY {', '.join([*units, *keys])}" if [*units, *keys] else "")
    if one.once_in(3):
        one.uses("HAVING")
        call, kind = _aggregate(one, scope)
        rest += f" HAVING {call} IS NOT NULL" if kind == "word" else f" HAVING {call} {one.one_of(['<', '>='])} 2"
    shown = units if one.once_in(8) is False else []
    return _select([*((name, scope.columns[name]) for name in [*shown, *keys]), *aggregates], rest)


def _distinct(one: Drawing, depth: int) -> Source:
    scope = _joined(one, depth, 2)
    outputs = _outputs(one, scope, _units(one, scope, "per-unit DISTINCT"))
    return _select(outputs, scope.sql + _where(one, scope), "SELECT DISTINCT")


_FRAMES = ["", "", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " ROWS UNBOUNDED PRECEDING"]


def _windows(one: Drawing, depth: int) -> Source:
    scope = _joined(one, depth, 2)
    units = _units(one, scope, "windows within the unit")
    partition = [*units, *one.some(scope.of("word"), 0, 1)]
    window = f"PARTITION BY {', '.join(partition)}" if partition else ""
    order = one.some([name for name in scope.columns if name not in partition], 1, 2)
    numbers = scope.of("number")
    calls = ["row_number()", "rank()", "dense_rank()", "ntile(2)", "cume_dist()"]
    calls += [f"{name}({one.one_of(numbers)})" for name in ("lag", "lead", "first_value", "last_value") if numbers]
    frame = ""
    if numbers and one.once_in(2):
        calls = [_aggregate(one, scope)[0] for _ in range(2)]
        calls = [call for call in calls if "DISTINCT" not in call and "region" not in call] or ["count(*)"]
        frame = one.one_of(_FRAMES)
    if order and (frame or one.once_in(3) is False):
        window += f" ORDER BY {', '.join(order)}{frame}"
    rest = f"{scope.sql}{_where(one, scope)}"
    return _select([*_outputs(one, scope, units), (f"{one.one_of(calls)} OVER ({window})", "number")], rest)


def _set_operation(one: Drawing, depth: int) -> Source:
    word = one.one_of(["UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
    one.uses(word)
    scopes = [_joined(one, depth, 2) for _ in range(one.one_of([2, 2, 3]))]
    if not one.once_in(12):
        scopes = [scope if scope.of("unit") else _named(one, EVENTS, "t0") for scope in scopes]
    wanted: list[Kind] = ["unit", "number", "word"]
    kinds = [kind for kind in wanted if all(scope.of(kind) for scope in scopes)] or ["unit"]
    parts = []
    for scope in scopes:
        outputs = [(_person(one, scope.of(kind) or ["NULL::integer"]), kind) for kind in kinds]
        parts.append(_select(outputs, scope.sql + _where(one, scope)))
    return Source(f" {word} ".join(part.sql for part in parts), parts[0].columns)


def _within_unit(one: Drawing, scope: Scope, depth: int) -> str:
    """EXISTS, IN or a scalar subquery over rows of the unit."""
    negated = one.one_of(["", "NOT "])
    inner = _tied(one, scope, _named(one, _source(one, depth), "i0"))
    tied = tie(one, scope, inner)
    if one.once_in(3):
        one.uses("EXISTS")
        return f"{negated}EXISTS (SELECT 1 FROM {inner.sql} WHERE {tied})"
    numbers = scope.of("number") or ["1"]
    if inner.of("number") and one.once_in(2):
        one.uses("scalar subquery")
        call = f"{one.one_of(['sum', 'avg', 'max', 'count'])}({one.one_of(inner.of('number'))})"
        return f"{one.one_of(numbers)} >= (SELECT {call} FROM {inner.sql} WHERE {tied})"
    one.uses("IN")
    units, inner_units = scope.of("unit") or numbers, inner.of("unit") or list(inner.columns)
    pairs = equal(scope, inner, "number", "word")
    if pairs and one.once_in(2):
        one.uses("rows IN")
        left, right = one.one_of(pairs).split(" = ")
        rest = _where(one, inner) if one.once_in(2) else f" WHERE {tied}"
        return f"({one.one_of(units)}, {left}) {negated}IN (SELECT {one.one_of(inner_units)}, {right} FROM {inner.sql}{rest})"
    rest = _where(one, inner) if one.once_in(3) else f" WHERE {tied}"
    return f"{one.one_of(units)} {negated}IN (SELECT {one.one_of(inner_units)} FROM {inner.sql}{rest})"


def _released(one: Drawing, scope: Scope) -> str:
    """A condition with a number or a list that is released before."""
    one.uses("feedback")
    number, words = one.one_of(scope.of("number") or ["1"]), scope.of("word")
    conditions = [f"{number} >= (SELECT avg(amount) FROM cards)"]
    for word in words:
        conditions += [
            f"{word} IN (SELECT region FROM events GROUP BY region HAVING count(*) > 1)",
            f"{word} NOT IN (SELECT region FROM cards WHERE region IS NOT NULL GROUP BY region ORDER BY count(*) LIMIT 1)",
            f"{number} < (SELECT avg(f.amount) FROM cards f WHERE f.region = {word})",
        ]
    return one.one_of(conditions)


def _released_join(one: Drawing, scope: Scope) -> Scope:
    one.uses("join with a released result")
    released = "(SELECT region, count(*) AS number0 FROM cards GROUP BY region)"
    condition = f"f.region = {one.one_of(scope.of('word'))}"
    kind = one.one_of(["JOIN", "LEFT JOIN"])
    return Scope(f"{scope.sql} {kind} {released} f ON {condition}", scope.columns | {"f.number0": "number"})


def _final(one: Drawing, scope: Scope) -> str:
    """An aggregate of the block."""
    name = one.one_of(["*", *scope.columns, *scope.of("number")])
    if name == "*":
        call = "count(*)"
    elif scope.columns[name] == "number":
        # As text, equal numbers of different scales are two values.
        value = one.one_of([name, name, name, f"{name} + 1", f"{name}::text"])
        functions = ["count", "count(DISTINCT"] if value.endswith("text") else ["sum", "sum", "avg", "count(DISTINCT"]
        function = one.one_of(functions)
        call = f"{function} {value})" if "(" in function else f"{function}({value})"
    else:
        call = f"{one.one_of(['count(DISTINCT ', 'count('])}{name})"
    return call + (f" FILTER (WHERE {condition(one, scope.columns)})" if one.once_in(4) else "")


def _grouped(one: Drawing) -> str:
    scope = _joined(one, one.one_of([1, 1, 2]))
    keys = one.some(scope.of("word", "number"), 0, 2)
    outputs = [*keys, *(_final(one, scope) for _ in range(one.one_of([1, 2, 3])))]
    conditions = [condition(one, scope.columns)] if one.once_in(5) else []
    if one.once_in(4):
        conditions.append(_within_unit(one, scope, one.one_of([0, 1, 2])))
    if one.once_in(8):
        conditions.append(_released(one, scope))
    if scope.of("word") and one.once_in(12):
        scope = _released_join(one, scope)
    text = f"SELECT {', '.join(outputs)} FROM {scope.sql}"
    text += f" WHERE {' AND '.join(conditions)}" if conditions else ""
    text += f" GROUP BY {', '.join(str(position + 1) for position in range(len(keys)))}" if keys else ""
    return text


def _zeros(one: Drawing) -> str:
    """A public table LEFT JOINed with private rows: its rows are groups, of zero where nobody's row meets them."""
    one.uses("public LEFT JOIN private")
    scope = _named(one, _source(one, one.one_of([0, 1, 1, 2])), "t0")
    columns = scope.of("word") or scope.of("number")
    key = one.one_of(["r.name", "r.zone", "r.code"])
    number = one.one_of(scope.of("number") or list(scope.columns))
    tie = f"{one.one_of(columns or ['NULL'])} = {'r.name' if scope.of('word') else 'r.code'}"
    aggregates = [f"count({one.one_of(list(scope.columns))})"]
    if scope.of("number"):
        aggregates.append(
            f"{one.one_of(['sum', 'avg', 'count(DISTINCT'])} ({number})".replace("DISTINCT (", "DISTINCT ")
        )
    tie += f" AND {condition(one, scope.columns)}" if one.once_in(3) else ""
    join = f"regions r LEFT JOIN {scope.sql}" if one.once_in(2) else f"{scope.sql} RIGHT JOIN regions r"
    return f"SELECT {key}, {', '.join(aggregates)} FROM {join} ON {tie} GROUP BY 1"


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """An aggregate query over row-level relations."""
    one = Drawing(draw)
    text = _zeros(one) if one.once_in(10) else _grouped(one)
    ctes = ", ".join(f"{source.sql} AS ({query})" for source, query in one.ctes)
    return Query(f"WITH {ctes} {text}" if ctes else text, frozenset(one.constructs))

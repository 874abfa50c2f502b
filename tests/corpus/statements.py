"""Whole statements: what stands around blocks, all of it executed on released results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from tests.corpus.blocks import block
from tests.corpus.derived import derived_query
from tests.corpus.expressions import condition
from tests.corpus.relations import rows
from tests.corpus.statement import Pen, Query, Statement, Value
from tests.corpus.tables import table

_MOST_ROWS = 2000
_ORDERED = ("integer", "numeric", "text", "boolean", "date", "timestamp", "timestamptz")


@st.composite
def lone_blocks(draw: st.DrawFn) -> Statement:
    """One SELECT that aggregates private rows, simple ones first."""
    pen = Pen(draw)
    query = block(pen)
    return _finished(pen, query, query.rounded)


@st.composite
def nested_statements(draw: st.DrawFn) -> Statement:
    """Statements around blocks."""
    pen = Pen(draw)
    rules: dict[str, Callable[[], tuple[Query, int | None]]] = {
        "a block in FROM": lambda: _outer(pen),
        "row-level CTE": lambda: _row_level_cte(pen),
        "released CTE used twice": lambda: _released_twice(pen),
        "set operation of blocks": lambda: _set_operation(pen),
        "scalar subquery above": lambda: _scalar_above(pen),
        "join of released results": lambda: _join_released(pen),
        "rows joined with a released result": lambda: _rows_with_released(pen),
        "existence": lambda: _existence(pen),
        "subquery in a key": lambda: _subquery_in_key(pen),
        "best groups of public rows": lambda: _best_groups(pen),
        "number beside a group": lambda: _beside_groups(pen),
        "count in a public query": lambda: _public_query(pen),
        "count up to a public row": lambda: _up_to_public(pen),
        "released result in a public query": lambda: _public_with_released(pen),
        "temporary table": lambda: _temporary(pen),
        "cohort": lambda: _cohort(pen),
        "groups of a released list": lambda: _listed_groups(pen),
        "DISTINCT ON of groups": lambda: _first_groups(pen),
        "no row": lambda: _no_row(pen),
    }
    query, rounded = pen.rule(rules)
    return _finished(pen, query, rounded)


def _finished(pen: Pen, query: Query, rounded: int | None) -> Statement:
    """The statement; `rounded` is the reach of the widest number in it that is rounded to a grid, if there is one."""
    order, ordered = ("", False) if rounded is not None else _order(pen, query)
    # A row may be off by a cell, which is 10^-8 of the range.
    tolerance = 10.0 ** (rounded - 8) * _MOST_ROWS if rounded is not None else 0
    return Statement(query.sql + order, ordered, tolerance, frozenset(pen.constructs), query.kept)


def _order(pen: Pen, query: Query) -> tuple[str, bool]:
    """ORDER BY every output, so that rows which tie are equal; LIMIT after it."""
    if not query.columns or not all(column.type in _ORDERED for column in query.columns) or not pen.sometimes():
        return "", False
    positions = list(range(1, len(query.columns) + 1))
    if pen.sometimes():
        positions.reverse()
    listed = [f"{position}{pen.choose(['', ' DESC', ' NULLS FIRST'])}" for position in positions]
    pen.constructs.add("ORDER BY")
    limit = ""
    if pen.sometimes(3):
        pen.constructs.add("LIMIT")
        limit = pen.choose([" LIMIT 3", " LIMIT 2 OFFSET 1", " FETCH FIRST 4 ROWS ONLY"])
    return f" ORDER BY {', '.join(listed)}{limit}", True


def _widest(*reaches: int | None) -> int | None:
    return max((reach for reach in reaches if reach is not None), default=None)


def _numbers(query: Query) -> list[Value]:
    return [column for column in query.columns if column.type in ("integer", "numeric") and column.exact]


def _outer(pen: Pen) -> tuple[Query, int | None]:
    """A SELECT from a released result; its columns are named, or renamed by FROM."""
    inner = block(pen, 1)
    numbers = _numbers(inner)
    value = pen.choose(numbers or list(inner.columns)).sql
    where = f" WHERE {value} IS NOT NULL" if pen.sometimes(3) else ""
    single = (Value("v", "numeric", "v"),)

    def select(outputs: str, columns: tuple[Value, ...], tail: str = "") -> Query:
        return Query(f"SELECT {outputs} FROM ({inner.sql}) AS released{where}{tail}", columns)

    rules: dict[str, Callable[[], Query]] = {
        "columns of a released result": lambda: select(
            ", ".join(column.sql for column in inner.columns), inner.columns
        ),
        "count of a released result": lambda: select(f"count({value}) AS v", single),
        "GROUP BY of a released result": lambda: select(
            f"{value} AS v, count(*) AS n", (Value("v", "other", "v"), Value("n", "integer", "n")), f" GROUP BY {value}"
        ),
    }
    if numbers:
        aggregate = pen.choose(["max", "min"])
        rules["extreme of a released result"] = lambda: select(f"{aggregate}({value}) AS v", single)
        ranked = (replace(inner.columns[0]), Value("r", "integer", "r"))
        rules["window over a released result"] = lambda: select(
            f"{inner.columns[0].sql}, rank() OVER (ORDER BY {value} DESC) AS r", ranked
        )
        banded = f"CASE WHEN {value} > 20 THEN 'many' WHEN {value} > 5 THEN 'some' ELSE 'few' END AS v"
        rules["CASE over a released result"] = lambda: select(banded, (Value("v", "text", "v"),))
    return pen.rule(rules), inner.rounded


def _row_level_cte(pen: Pen) -> tuple[Query, int | None]:
    """A CTE of rows, read by one block or two."""
    text, columns = derived_query(pen, lambda: rows(pen, 0))
    bounded = [column for column in columns if column.bounded]
    value = pen.choose(bounded).name if bounded else ""
    total = f", count({value}) AS m, sum({value}) AS s" if value else ""
    summed = next((column for column in bounded if column.name == value), None)
    exact = summed is None or summed.exact
    rounded = summed.reach if summed is not None and not exact else None
    outputs = (
        Value("n", "integer", "n"),
        *((Value("m", "integer", "m"), Value("s", "numeric", "s", exact=exact)) if value else ()),
    )
    declared = [column.name for column in columns if column.declared and column.name]
    if declared and pen.sometimes():
        key = pen.choose(declared)
        query = f"SELECT {key} AS k, count(*) AS n{total} FROM w GROUP BY {key}"
        return Query(f"WITH w AS ({text}) {query}", (Value("k", "other", "k"), *outputs)), rounded
    if pen.sometimes(3):
        pen.constructs.add("row-level CTE read twice")
        where = f" WHERE {value} > 3" if value else ""
        query = f"SELECT (SELECT count(*) FROM w) AS n, (SELECT count(*) FROM w{where}) AS m"
        return Query(f"WITH w AS ({text}) {query}", (Value("n", "integer", "n"), Value("m", "integer", "m"))), None
    return Query(f"WITH w AS ({text}) SELECT count(*) AS n{total} FROM w", outputs), rounded


def _released_twice(pen: Pen) -> tuple[Query, int | None]:
    inner = block(pen, 1)
    first, numbers = inner.columns[0].name, [column.name for column in _numbers(inner)]
    value = pen.choose(numbers) if numbers else first
    forms = [
        f"SELECT count(*) AS n, (SELECT count({value}) FROM w) AS m FROM w",
        f"SELECT x.{first} AS f, x.{value} AS n FROM w x JOIN w y ON x.{first} = y.{first}",
    ]
    if numbers:
        forms.append(
            f"SELECT {value} AS v FROM w WHERE {value} >= (SELECT min({value}) FROM w) UNION ALL SELECT {value} FROM w"
        )
    query = pen.choose(forms)
    names = ["n", "m"] if " AS m" in query else ["f", "n"] if " AS f" in query else ["v"]
    return Query(f"WITH w AS ({inner.sql}) {query}", tuple(Value(name, "other", name) for name in names)), inner.rounded


def _set_operation(pen: Pen) -> tuple[Query, int | None]:
    sides = []
    for _ in range(2):
        name = pen.choose(["loans", "readers", "fines"])
        item = table(name, None, qualified=False)
        key = pen.choose(
            [column.sql for column in item.columns if column.declared and column.type == "text"] or ["'all'"]
        )
        where = pen.choose(["", " WHERE loan_id > 40" if name != "readers" else " WHERE born > 1970"])
        sides.append(f"SELECT {key} AS t, count(*) AS n FROM {name}{where} GROUP BY 1")
    word = pen.choose(["UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
    return Query(f" {word} ".join(sides), (Value("t", "text", "t"), Value("n", "integer", "n"))), None


def _scalar_above(pen: Pen) -> tuple[Query, int | None]:
    outer, inner = block(pen, 1), block(pen, 0)
    numbers = _numbers(inner)
    value = pen.choose(numbers or list(inner.columns)).sql
    scalar = f"(SELECT {pen.choose(['count', 'max'] if numbers else ['count'])}({value}) FROM ({inner.sql}) AS other)"
    columns = (*outer.columns, Value("z", "numeric", "z"))
    listed = ", ".join(column.sql for column in outer.columns)
    sql = f"SELECT {listed}, {scalar} AS z FROM ({outer.sql}) AS released"
    return Query(sql, columns), _widest(outer.rounded, inner.rounded)


def _join_released(pen: Pen) -> tuple[Query, int | None]:
    kind = pen.choose(["JOIN", "LEFT JOIN", "FULL JOIN"])
    where = pen.choose(["", " WHERE days > 2"])
    left = f"SELECT branch, count(*) AS n FROM loans{where} GROUP BY branch"
    right, name = pen.choose(
        [
            ("SELECT branch, count(*) AS m FROM readers GROUP BY branch", "branch"),
            ("SELECT city, name AS branch, size AS m FROM branches", "branch"),
        ]
    )
    query = f"SELECT {name}, n, m, n::numeric / nullif(m, 0) AS r FROM ({left}) x {kind} ({right}) y USING ({name})"
    columns = (
        Value(name, "text", name),
        Value("n", "integer", "n"),
        Value("m", "integer", "m"),
        Value("r", "numeric", "r"),
    )
    return Query(query, columns), None


def _rows_with_released(pen: Pen) -> tuple[Query, int | None]:
    """A released result as one more relation among the rows."""
    released = "SELECT branch, avg(fee) AS usual, count(*) AS many FROM loans GROUP BY branch"
    item = table(pen.choose(["loans", "readers"]), "x")
    condition = pen.choose(
        [*(f"x.{column.name} > r.usual" for column in item.columns if column.bounded and column.exact), "r.many > 50"]
    )
    key = pen.choose([column for column in item.columns if column.declared])
    tail = f"{item.sql} JOIN {'r' if pen.sometimes() else f'({released}) r'} ON r.branch = x.branch WHERE {condition} GROUP BY 1"
    with_ = f"WITH r AS ({released}) " if "JOIN r " in tail else ""
    columns = (replace(key, sql="k", name="k"), Value("n", "integer", "n"))
    return Query(f"{with_}SELECT {key.sql} AS k, count(*) AS n FROM {tail}", columns), None


def _existence(pen: Pen) -> tuple[Query, int | None]:
    """Is there such a row? With so large an epsilon one unit is enough."""
    item = table(pen.choose(["loans", "readers", "fines"]), "x")
    where = f" WHERE {condition(pen, item.columns)}"
    form = pen.choose(
        [
            f"SELECT EXISTS (SELECT FROM {item.sql}{where}) AS v",
            f"SELECT 1 AS v FROM {item.sql}{where} LIMIT 1",
            f"SELECT CASE WHEN EXISTS (SELECT 1 FROM {item.sql}{where}) THEN 'some' ELSE 'none' END AS v",
            "SELECT name AS v FROM branches b WHERE EXISTS (SELECT FROM loans x WHERE x.branch = b.name AND x.days > 4)",
        ]
    )
    return Query(form, (Value("v", "other", "v"),)), None


def _subquery_in_key(pen: Pen) -> tuple[Query, int | None]:
    listed = f"SELECT branch FROM loans GROUP BY branch HAVING count(*) > {pen.choose([10, 40, 60])}"
    key = pen.choose(
        [
            f"CASE WHEN x.branch IN ({listed}) THEN x.branch ELSE 'other' END",
            "(SELECT b.city FROM branches b WHERE b.name = x.branch)",
            "x.days > (SELECT avg(days) FROM loans)",
            "EXISTS (SELECT FROM fines f WHERE f.loan_id = x.loan_id)",
            "x.reader_id IN (SELECT reader_id FROM readers WHERE active)",
            "width_bucket(x.days, 0, (SELECT max(days) FROM loans), 3)",
        ]
    )
    value = pen.choose(["count(*)", "count(DISTINCT x.reader_id)", "sum(x.days)"])
    sql = f"SELECT {key} AS k, {value} AS n FROM loans x{_where_of_loans(pen)} GROUP BY 1"
    return Query(sql, (Value("k", "other", "k"), Value("n", "integer", "n"))), None


def _where_of_loans(pen: Pen) -> str:
    return f" WHERE ({condition(pen, table('loans', 'x').columns)})"


def _best_groups(pen: Pen) -> tuple[Query, int | None]:
    """The first groups of each public row, in an order without ties."""
    best = (
        f"SELECT x.days, count(*) AS n FROM loans x{_where_of_loans(pen)} AND x.branch = b.name GROUP BY x.days "
        f"HAVING count(*) > 0 ORDER BY {pen.choose(['count(*) DESC, x.days', 'x.days', 'x.days DESC'])} LIMIT 2"
    )
    sql = f"SELECT b.name AS k, q.days AS d, q.n FROM branches b, LATERAL ({best}) AS q"
    return Query(sql, (Value("k", "text", "k"), Value("d", "integer", "d"), Value("n", "integer", "n"))), None


def _beside_groups(pen: Pen) -> tuple[Query, int | None]:
    beside = pen.choose(
        [
            "(SELECT count(*) FROM readers r WHERE r.branch = x.branch)",
            "(SELECT b.city FROM branches b WHERE b.name = x.branch)",
            "(SELECT sum(days) FROM loans)",
        ]
    )
    sql = f"SELECT x.branch AS k, count(*) AS n, {beside} AS m FROM loans x{_where_of_loans(pen)} GROUP BY x.branch"
    return Query(sql, (Value("k", "text", "k"), Value("n", "integer", "n"), Value("m", "other", "m"))), None


def _temporary(pen: Pen) -> tuple[Query, int | None]:
    """Released rows, or constants, that are kept in a temporary table and read by another statement."""
    kept = pen.choose(
        [
            "VALUES ('north', 2), ('west', 3), (NULL, 4)",
            "SELECT branch, count(*) FROM loans GROUP BY branch HAVING count(*) > 40",
            "SELECT branch, sum(days) FROM loans WHERE days > 2 GROUP BY branch",
        ]
    )
    form = pen.choose(
        [
            "SELECT x.branch AS k, count(*) AS n FROM loans x WHERE x.branch IN (SELECT c.b FROM kept c (b, w)){} GROUP BY 1",
            "SELECT x.branch AS k, sum(c.w * x.days) AS n FROM loans x JOIN kept c (b, w) ON c.b = x.branch{} GROUP BY 1",
            "SELECT c.b AS k, r.n FROM kept c (b, w) LEFT JOIN (SELECT branch, count(*) AS n FROM readers GROUP BY 1) r "
            "ON r.branch = c.b",
        ]
    )
    narrowed = f" AND ({condition(pen, table('loans', 'x').columns)})"
    return Query(form.format(narrowed), (Value("k", "text", "k"), Value("n", "numeric", "n")), kept), None


def _cohort(pen: Pen) -> tuple[Query, int | None]:
    """Readers by what was first of theirs, and what they did later."""
    key = pen.choose(
        ["min(days)", "date_trunc('month', min(lent_at))", "extract(month FROM min(lent_at))", "max(days)"]
    )
    later = pen.choose(["count(*)", "count(DISTINCT reader_id)"])
    form = pen.choose(
        [
            f"SELECT k, {later} AS n FROM (SELECT reader_id, {key} AS k FROM loans{{}} GROUP BY reader_id) AS first GROUP BY k",
            f"SELECT k, {later} AS n FROM (SELECT reader_id, min(days) OVER (PARTITION BY reader_id) AS k, days FROM loans"
            "{}) AS first WHERE days - k < 3 GROUP BY k",
            f"SELECT k, {later} AS n FROM loans JOIN (SELECT reader_id, {key} AS k FROM loans{{}} GROUP BY reader_id) AS first "
            "USING (reader_id) WHERE days > 2 GROUP BY k",
            "SELECT least(n, 4) AS k, count(*) AS n FROM (SELECT reader_id, count(*) AS n FROM loans{} GROUP BY reader_id) AS "
            "each GROUP BY 1",
        ]
    )
    where = pen.choose(["", " WHERE days > 1"])
    return Query(form.format(where), (Value("k", "other", "k"), Value("n", "integer", "n"))), None


def _listed_groups(pen: Pen) -> tuple[Query, int | None]:
    """The groups that a released list leaves: BI tools' limit of series."""
    listed = "SELECT branch FROM loans GROUP BY branch ORDER BY count(*) DESC, 1 LIMIT 2"
    item = table(pen.choose(["loans", "readers"]), "x")
    where = condition(pen, item.columns)
    form = pen.choose(
        [
            f"FROM {item.sql} WHERE x.branch IN ({listed}) AND ({where})",
            f"FROM {item.sql} JOIN (SELECT branch AS b FROM ({listed}) AS most) AS series ON series.b = x.branch WHERE {where}",
        ]
    )
    columns = (Value("k", "text", "k"), Value("n", "integer", "n"))
    return Query(f"SELECT x.branch AS k, count(*) AS n {form} GROUP BY x.branch", columns), None


def _first_groups(pen: Pen) -> tuple[Query, int | None]:
    order = pen.choose(["count(*) DESC, days", "days", "days DESC"])
    sql = f"SELECT DISTINCT ON (branch) branch AS k, days AS d, count(*) AS n FROM loans GROUP BY branch, days ORDER BY branch, {order}"
    columns = (Value("k", "text", "k"), Value("d", "integer", "d"), Value("n", "integer", "n"))
    return Query(f"SELECT * FROM ({sql}) AS first WHERE n > 0", columns), None


def _no_row(pen: Pen) -> tuple[Query, int | None]:
    """What tools ask for names and types."""
    name = pen.choose(["loans", "readers", "fines"])
    form = pen.choose(
        ["{} LIMIT 0", "{} WHERE 1 = 0", "(SELECT * FROM {} WHERE false) AS nothing", "{} WHERE NULL LIMIT 5"]
    )
    return Query(f"SELECT * FROM {form.format(name)}", ()), None


def _public_query(pen: Pen) -> tuple[Query, int | None]:
    item = pen.choose([table("genres", "g"), table("branches", "g")])
    key = item.of_role("genre", "branch")[0]
    inner = table("loans", "x")
    mine = inner.of_role(str(key.role))[0]
    condition = pen.choose(["", " AND x.days > 3"])
    aggregate = pen.choose(["count(*)", "coalesce(sum(x.pages), 0)", "avg(x.fee)"])
    scalar = f"(SELECT {aggregate} FROM loans x WHERE {mine.sql} = {key.sql}{condition})"
    if pen.sometimes(3):
        return Query(f"SELECT {key.sql} AS k FROM {item.sql} WHERE {scalar} > 5", (replace(key, sql="k"),)), None
    columns = (replace(key, sql="k"), Value("n", "numeric", "n"))
    return Query(f"SELECT {key.sql} AS k, {scalar} AS n FROM {item.sql}", columns), None


def _up_to_public(pen: Pen) -> tuple[Query, int | None]:
    """Rows that are compared with public ones, otherwise than by an equality."""
    item, key, pages = pen.choose(
        [
            (
                "generate_series(date '2024-01-01', date '2024-12-01', interval '2 months') AS d(k)",
                "timestamptz",
                "x.back_at",
            ),
            ("(VALUES (1), (3), (3), (NULL)) AS d(k)", "integer", "x.days"),
            ("(SELECT size AS k FROM branches) AS d", "integer", "x.pages"),
            ("(SELECT generate_series(0, 20, 5) AS k) AS d", "integer", "x.days"),
        ]
    )
    span = "interval '40 days'" if key == "timestamptz" else "2"
    condition = pen.choose(
        [
            f"{pages} <= d.k",
            f"{pages} > d.k AND {pages} < d.k + {span}",
            f"{pages} BETWEEN d.k - {span} AND d.k",
            f"{pages} >= d.k AND x.branch = 'north'",
        ]
    )
    aggregate = pen.choose(["count(*)", "coalesce(sum(x.pages), 0)", "avg(x.fee)"])
    columns = (Value("k", key, "k"), Value("n", "numeric", "n"))
    query = f"SELECT {aggregate} AS n FROM loans x WHERE {condition}"
    if pen.sometimes():
        return Query(f"SELECT d.k, y.n FROM {item} CROSS JOIN LATERAL ({query}) AS y", columns), None
    return Query(f"SELECT d.k, ({query}) AS n FROM {item}", columns), None


def _public_with_released(pen: Pen) -> tuple[Query, int | None]:
    """Public rows, or VALUES, beside what was released."""
    where = pen.choose(["", " WHERE days > 2", " WHERE reader_id IN (SELECT reader_id FROM readers WHERE active)"])
    released = f"SELECT branch, count(*) AS n FROM loans{where} GROUP BY branch"
    columns = (Value("k", "text", "k"), Value("n", "integer", "n"))
    form = pen.choose(
        [
            f"SELECT b.name AS k, r.n FROM branches b LEFT JOIN ({released}) r ON r.branch = b.name",
            f"SELECT x.k, r.n FROM (VALUES ('north'), ('west'), ('void')) AS x (k) LEFT JOIN ({released}) r ON r.branch = x.k",
            f"SELECT name AS k, size AS n FROM branches WHERE name IN ({released.replace(', count(*) AS n', '')} HAVING count(*) > 30)",
            f"WITH r AS ({released}) SELECT city AS k, sum(n) AS n FROM branches JOIN r ON branch = name GROUP BY city",
            f"SELECT branch AS k, n FROM ({released}) r WHERE n > (SELECT avg(size) FROM branches) OR branch = 'west'",
        ]
    )
    return Query(form, columns), None

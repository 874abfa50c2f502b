"""FROM clauses over private rows: tables, joins of every kind, and derived tables whose rows have one reader each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.corpus.derived import Below, derived_item
from tests.corpus.statement import Item, Pen, Rows, Value
from tests.corpus.tables import PRIVATE, PUBLIC, has_role, table

_COMMON = ("reader", "loan")
_KINDS = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]


def rows(pen: Pen, depth: int = 2) -> Rows:
    """A FROM clause with private rows.

    Args:
        pen: draws.
        depth: levels of derived tables that may follow.
    """
    if depth > 0 and pen.sometimes(3):
        pen.constructs.add("derived table")
        return _single(derived_item(pen, _below(pen, depth), "FROM"))
    rules: dict[str, Callable[[], Rows]] = {
        "one table": lambda: _one_table(pen),
        "private JOIN public": lambda: _with_public(pen, depth),
        "private JOIN private": lambda: _with_private(pen, depth),
        "merged columns": lambda: _merged(pen),
        "public LEFT JOIN private": lambda: _public_left_join(pen),
        "three tables": lambda: _three(pen, depth),
        "LATERAL": lambda: _lateral(pen),
        "LATERAL without FROM": lambda: _computed(pen),
        "columns as rows": lambda: _columns_as_rows(pen),
    }
    return pen.rule(rules, rare={"join that mixes readers": lambda: _mixed(pen)})


def _below(pen: Pen, depth: int) -> Below:
    return lambda: rows(pen, depth - 1)


def _single(item: Item) -> Rows:
    return Rows((item,), item.sql)


def _one_table(pen: Pen) -> Rows:
    name = pen.choose(PRIVATE[:3] if not pen.sometimes(8) else PRIVATE)
    return _single(table(name, None, qualified=not pen.sometimes()))


def _private(pen: Pen, depth: int) -> Item:
    """One private relation, which may be a derived table."""
    if depth > 0 and pen.sometimes(4):
        return derived_item(pen, _below(pen, depth), "a join")
    return table(pen.choose(PRIVATE[:3]), pen.alias())


def _public(pen: Pen, item: Item) -> tuple[Item, Value, Value]:
    """A public table that has a column in common with the item, and both columns."""
    mine = pen.choose(item.of_role("genre", "branch"))
    name = "genres" if mine.role == "genre" else "branches"
    alias = pen.alias()
    if pen.sometimes(5):
        other = _constant_rows(pen, str(mine.role), alias)
        return other, mine, other.columns[0]
    if pen.sometimes(5):
        pen.constructs.add("public derived table")
        bare = table(name, None, qualified=False)
        shown = tuple(replace(column, sql=f"{alias}.{column.name}") for column in bare.columns)
        where = pen.choose(
            ["size > 5", "city IS NOT NULL"] if name == "branches" else ["shelf = 3", "title LIKE '%a%'"]
        )
        other = Item(f"(SELECT * FROM {name} WHERE {where}) {alias}", shown, False)
    else:
        other = table(name, alias)
    return other, mine, other.of_role(str(mine.role))[0]


_WRITTEN = {
    "genre": (
        "(VALUES (1, 5), (2, -3), (4, 5)) {}(id, weight)",
        "generate_series(1, 5) WITH ORDINALITY {}(id, weight)",
    ),
    "branch": (
        "(VALUES ('north', 1), ('north', 2), ('south', NULL)) {}(id, weight)",
        "unnest(ARRAY['north', 'east', 'nowhere']) WITH ORDINALITY {}(id, weight)",
        "(SELECT 'south' AS id, 7 AS weight UNION ALL SELECT 'west', 1) {}",
    ),
}
"""Rows that a query writes out itself, by what their first column is compared with."""


def _constant_rows(pen: Pen, role: str, alias: str) -> Item:
    pen.constructs.add("constant rows")
    key = Value(f"{alias}.id", "integer" if role == "genre" else "text", "id", declared=True, role=role)
    weight = Value(f"{alias}.weight", "integer", "weight", declared=True)
    return Item(pen.choose(_WRITTEN[role]).format(alias), (key, weight), False)


def _with_public(pen: Pen, depth: int) -> Rows:
    left = pen.attempt(
        lambda: _private(pen, depth), lambda item: item.of_role("genre", "branch"), lambda: table("loans", pen.alias())
    )
    other, mine, theirs = _public(pen, left)
    return pen.rule(
        {
            "JOIN public ON": lambda: _on("JOIN", left, other, f"{mine.sql} = {theirs.sql}"),
            "LEFT JOIN public": lambda: _on("LEFT JOIN", left, other, f"{mine.sql} = {theirs.sql}{_extra(pen, other)}"),
            "public JOIN private": lambda: _on("JOIN", other, left, f"{mine.sql} = {theirs.sql}{_extra(pen, left)}"),
            "comma join with public": lambda: _comma(other, left, f"{mine.sql} = {theirs.sql}"),
            "CROSS JOIN public": lambda: Rows((left, other), f"{left.sql} CROSS JOIN {other.sql}"),
            "inequality with public": lambda: _on("JOIN", left, other, f"{mine.sql} <> {theirs.sql}"),
        }
    )


def _extra(pen: Pen, item: Item) -> str:
    """One more condition for ON."""
    bounded = [column for column in item.columns if column.bounded]
    return f" AND {pen.choose(bounded).sql} > 4" if bounded and pen.sometimes() else ""


def _with_private(pen: Pen, depth: int) -> Rows:
    left = pen.attempt(
        lambda: _private(pen, depth), lambda item: item.of_role(*_COMMON), lambda: table("loans", pen.alias())
    )
    mine = pen.choose(left.of_role(*_COMMON))
    names = [name for name in PRIVATE if has_role(name, (str(mine.role),))]
    right = table(pen.choose(names), pen.alias())
    equal = f"{mine.sql} = {right.of_role(str(mine.role))[0].sql}"
    return pen.rule(
        {
            "private JOIN ON": lambda: _on("JOIN", left, right, equal),
            "private LEFT JOIN": lambda: _on("LEFT JOIN", left, right, equal + _extra(pen, right)),
            "private RIGHT JOIN": lambda: _on("RIGHT JOIN", left, right, equal + _extra(pen, left)),
            "private FULL JOIN": lambda: _on("FULL JOIN", left, right, equal),
            "private comma join": lambda: _comma(left, right, equal + _extra(pen, left)),
            "IS NOT DISTINCT FROM": lambda: _on("JOIN", left, right, equal.replace(" = ", " IS NOT DISTINCT FROM ")),
            "equality of rows": lambda: _on("LEFT JOIN", left, right, _as_rows(pen, equal, left, right)),
        }
    )


def _as_rows(pen: Pen, equal: str, left: Item, right: Item) -> str:
    """The equality, and another of two columns, as one of rows."""
    pairs = [
        (column.sql, other.sql)
        for column in left.columns
        for other in right.columns
        if column.type == other.type == "text"
    ]
    pair = pen.choose([*pairs, ("1", "1")])
    mine, theirs = equal.split(" = ")
    return f"({mine}, {pair[0]}) = ({theirs}, {pair[1]})"


def _mixed(pen: Pen) -> Rows:
    """What must be refused: each row would belong to two readers."""
    left, right = table("loans", pen.alias()), table("readers", pen.alias())
    return _on("JOIN", left, right, f"{left.of_role('branch')[0].sql} = {right.of_role('branch')[0].sql}")


def _on(kind: str, left: Item, right: Item, condition: str) -> Rows:
    first = left.as_nullable() if kind in ("RIGHT JOIN", "FULL JOIN") else left
    second = right.as_nullable() if kind in ("LEFT JOIN", "FULL JOIN") else right
    return Rows((first, second), f"{left.sql} {kind} {right.sql} ON {condition}")


def _comma(left: Item, right: Item, condition: str) -> Rows:
    return Rows((left, right), f"{left.sql}, {right.sql}", (condition,))


def _merged(pen: Pen) -> Rows:
    return pen.rule(
        {
            "private USING": lambda: _using(pen, "loan_id", "fines", "loans"),
            "private NATURAL": lambda: _using(pen, None, "fines", "loans"),
            "private USING two columns": lambda: _using(pen, "reader_id, branch", "loans", "readers"),
            "USING public": lambda: _using(pen, "genre_id", "loans", "genres"),
            "NATURAL public": lambda: _using(pen, None, "loans", "genres"),
            "NATURAL after a comma": lambda: _natural_beside(pen, "{0}, {1} NATURAL JOIN {2}"),
            "NATURAL in parentheses": lambda: _natural_beside(pen, "{0} CROSS JOIN ({1} NATURAL JOIN {2})"),
        }
    )


def _using(pen: Pen, names: str | None, left_name: str, right_name: str) -> Rows:
    """USING or NATURAL, inner or outer; merged columns may be named with no qualifier."""
    left, right = table(left_name, pen.alias()), table(right_name, pen.alias())
    kind = pen.choose(["JOIN", "LEFT JOIN", "RIGHT JOIN"] if right_name in PRIVATE else ["JOIN", "LEFT JOIN"])
    merged = [column.name for column in left.columns if column.name in {other.name for other in right.columns}]
    columns = [replace(column, sql=column.name) if column.name in merged else column for column in left.columns]
    first = replace(left, columns=tuple(columns))
    others = tuple(column for column in right.columns if column.name not in merged)
    second = replace(right, columns=others)
    if kind == "LEFT JOIN":
        second = second.as_nullable()
    if kind == "RIGHT JOIN":
        first = first.as_nullable()
    if names is None:
        return Rows((first, second), f"{left.sql} NATURAL {kind} {right.sql}")
    return Rows((first, second), f"{left.sql} {kind} {right.sql} USING ({names})")


def _natural_beside(pen: Pen, form: str) -> Rows:
    """A table whose columns NATURAL must not see beside the join of loans and genres."""
    readers, loans, genres = (table(name, pen.alias()) for name in ("readers", "loans", "genres"))
    person = f"{loans.of_role('reader')[0].sql} = {readers.of_role('reader')[0].sql}"
    return Rows((readers, loans), form.format(readers.sql, loans.sql, genres.sql), (person,))


def _public_left_join(pen: Pen) -> Rows:
    """Public rows without private ones are groups of zero."""
    right = table(pen.choose(["loans", "readers", "complaints"]), pen.alias())
    other, mine, theirs = _public(pen, right)
    condition = f"{theirs.sql} = {mine.sql}{_extra(pen, right)}"
    nullable = right.as_nullable()
    if pen.sometimes(3):
        pen.constructs.add("private RIGHT JOIN public")
        return Rows((other, nullable), f"{right.sql} RIGHT JOIN {other.sql} ON {condition}", keeps_public=True)
    return Rows((other, nullable), f"{other.sql} LEFT JOIN {right.sql} ON {condition}", keeps_public=True)


def _three(pen: Pen, depth: int) -> Rows:
    """A third table after a join, or joined with one in parentheses."""
    loans, readers = table("loans", pen.alias()), table("readers", pen.alias())
    fines, genres = table("fines", pen.alias()), table("genres", pen.alias())
    person = f"{loans.of_role('reader')[0].sql} = {readers.of_role('reader')[0].sql}"
    loan = f"{loans.of_role('loan')[0].sql} = {fines.of_role('loan')[0].sql}"
    genre = f"{loans.of_role('genre')[0].sql} = {genres.of_role('genre')[0].sql}"
    last = pen.choose(["JOIN", "LEFT JOIN"])

    def chain() -> Rows:
        first = pen.attempt(
            lambda: _with_private(pen, depth - 1),
            lambda found: _is_joinable(found) and _sure_readers(found),
            lambda: _on("JOIN", loans, genres, genre),
        )
        condition = f"{readers.of_role('reader')[0].sql} = {pen.choose(_sure_readers(first)).sql}"
        third = readers.as_nullable() if last == "LEFT JOIN" else readers
        return Rows((*first.items, third), f"{first.sql} {last} {readers.sql} ON {condition}")

    return pen.rule(
        {
            "chain of joins": chain,
            "join in parentheses": lambda: Rows(
                (readers, *(item.as_nullable() if last == "LEFT JOIN" else item for item in (loans, genres))),
                f"{readers.sql} {last} ({loans.sql} JOIN {genres.sql} ON {genre}) ON {person}",
            ),
            "two hops": lambda: Rows(
                (fines, loans, readers), f"{fines.sql}, {loans.sql}, {readers.sql}", (loan, person)
            ),
            "join of a left join": lambda: Rows(
                (readers, loans.as_nullable(), fines.as_nullable()),
                f"{readers.sql} LEFT JOIN ({loans.sql} LEFT JOIN {fines.sql} ON {loan}) ON {person}",
            ),
        }
    )


def _is_joinable(rows: Rows) -> bool:
    """A comma binds less than a JOIN after it, and a merged column has no qualifier."""
    return not rows.conditions and all("." in column.sql for column in rows.columns)


def _sure_readers(rows: Rows) -> list[Value]:
    return [column for column in rows.of_role("reader") if not column.nullable]


def _lateral(pen: Pen) -> Rows:
    """A subquery in FROM that sees the row before it."""
    reader, alias, inner = table("readers", pen.alias()), pen.alias(), table("loans", pen.alias())
    person = f"{inner.of_role('reader')[0].sql} = {reader.of_role('reader')[0].sql}"
    value = pen.choose([column for column in inner.columns if column.bounded])
    shown = replace(value, sql=f"{alias}.v", name="v", nullable=True, declared=False)
    form = pen.choose([", LATERAL ({}) {}", " CROSS JOIN LATERAL ({}) {}", " LEFT JOIN LATERAL ({}) {} ON true"])
    query = f"SELECT {value.sql} AS v FROM {inner.sql} WHERE {person}"
    return Rows((reader, Item("", (shown,), True)), reader.sql + form.format(query, alias))


def _computed(pen: Pen) -> Rows:
    """Columns of the row before it, computed in FROM."""
    reader, alias = table("readers", pen.alias()), pen.alias()
    value = pen.choose([column for column in reader.columns if column.bounded])
    shown = replace(value, sql=f"{alias}.v", name="v", nullable=True, declared=False)
    form = pen.choose([", LATERAL ({}) {}", " CROSS JOIN LATERAL ({}) {}", " LEFT JOIN LATERAL ({}) {} ON true"])
    case = f"CASE WHEN {value.sql} IS NOT NULL THEN {value.sql} END"
    query, name = pen.choose([(f"SELECT {case} AS v", alias), (f"VALUES ({case})", f"{alias}(v)")])
    return Rows((reader, Item("", (shown,), True)), reader.sql + form.format(query, name))


def _columns_as_rows(pen: Pen) -> Rows:
    """The columns of the row before it, each in a row of its own."""
    reader, alias = table("readers", pen.alias()), pen.alias()
    numbers = [column for column in reader.columns if column.bounded]
    listed = [(name, pen.choose(numbers)) for name in ("first", "second", "third")[: pen.choose([2, 3])]]
    if len({column.type for _, column in listed}) > 1:
        # Whole numbers alone add up to one without places, and which rows there are is not known here.
        listed = [
            (name, replace(column, sql=f"{column.sql}::numeric(8, 1)", type="numeric", places=1))
            for name, column in listed
        ]
    shown = replace(listed[0][1], sql=f"{alias}.v", name="v", nullable=True, declared=False)
    form = pen.choose([", LATERAL ({}) {}", " CROSS JOIN LATERAL ({}) {}", " LEFT JOIN LATERAL ({}) {} ON true"])
    values = ", ".join(f"('{name}', {column.sql})" for name, column in listed)
    selected = " UNION ALL ".join(f"SELECT '{name}' AS part, {column.sql} AS v" for name, column in listed)
    named, columns = ", ".join(f"'{name}'" for name, _ in listed), ", ".join(column.sql for _, column in listed)
    arrays = f" CROSS JOIN unnest(ARRAY[{named}], ARRAY[{columns}]) {alias}(part, v)"
    joined = pen.choose([form.format(f"VALUES {values}", f"{alias}(part, v)"), form.format(selected, alias), arrays])
    return Rows((reader, Item("", (shown,), True)), reader.sql + joined)


__all__ = ["PUBLIC", "rows"]

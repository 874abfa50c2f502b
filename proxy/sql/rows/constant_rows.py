"""Rows that a query writes out itself: VALUES, unnest(ARRAY[…]), generate_series(…), or a SELECT without FROM.

The rows are public, and known before the source query runs, but not when it is planned. The plan relies on what the
text promises: a maximal number of rows, and columns in which no two of them are equal. The first limits how far the
rows multiply private ones (`multiplicity`). The second lets a unit's row meet only one of them, on which a fast path
can rest (theorem 1). `feedback.promise_sql` has the source verify both before the charge, so a false promise is
refused, never relied on. Bounds say where to clamp; no proof rests on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.rows.multiplicity import MOST_ROWS
from proxy.sql.terms.bounds import Bounds
from proxy.sql.trees.common_tables import cte_of
from proxy.sql.trees.walking import body_of, column_aliases, is_function_item, is_star, items_of, unaliased

Constants = list[list[exp.Expr]]
"""Row by row."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of a column: bounds that hold them, and a grid on which they lie."""

    bounds: Bounds
    grid: Fraction


UNCOUNTED = MOST_ROWS
"""The number of rows assumed for a function whose rows the text does not count."""


def promised_rows(query: exp.Expr) -> int | None:
    """The most rows of a query that reads only what it writes out itself; None for every other query.

    Where the text does not say how many there are, it is the most that a private row may meet.
    """
    return _promised(query, {})


def _promised(query: exp.Expr, known: dict[int, int | None]) -> int | None:
    """As `promised_rows`, of each query once: CTEs can read each other twice."""
    if id(query) not in known:
        known[id(query)] = None  # what reads itself
        known[id(query)] = _counted(query, known)
    return known[id(query)]


def _counted(query: exp.Expr, known: dict[int, int | None]) -> int | None:
    if isinstance(query, exp.Union):
        counts = [_promised(body_of(side), known) for side in (query.this, query.expression)]
        return sum(count for count in counts if count is not None) if None not in counts else None
    if not isinstance(query, exp.Select):
        return None
    chosen = _chosen_from(query)
    if chosen is not None:
        return _promised(chosen, known)
    if not all(is_function_item(item.this) for item in items_of(query)):
        return None
    constants = written_constants(query)
    if constants is not None:
        return len(constants)
    item = _only_item(query)
    call = _only_output(query) if query.args.get("from_") is None else None
    series = _series(item.this if item is not None and not _computes_rows(query) else call)
    if series is not None:
        start, stop, step = series
        return int(abs(stop - start) / abs(step)) + 1
    return UNCOUNTED


def _chosen_from(query: exp.Select) -> exp.Query | None:
    """The subquery or CTE of whose rows a SELECT shows some, each once at most; None if it is no such SELECT."""
    items = items_of(query)
    if len(items) != 1 or query.args.get("joins") or query.args.get("laterals") or _computes_rows(query):
        return None
    item = items[0].this
    if isinstance(item, exp.Subquery):
        body = body_of(item)
        return body if isinstance(body, exp.Query) else None
    cte = cte_of(item)
    return cte.this if cte is not None else None


def promised_keys(query: exp.Expr, width: int) -> list[tuple[int, ...]]:
    """Sets of columns, by position, in which no two rows are equal; the smallest sets that the text shows.

    Args:
        query: the query.
        width: how many columns it has.
    """
    constants = written_constants(query)
    if constants is not None:
        return _distinct_columns(constants, width)
    first: tuple[int, ...] = (0,)
    if query.args.get("from_") is None:
        return [first] if _is_call_of_series(_only_output(query)) else []
    item = _only_item(query)
    if item is None:
        return []
    if _shows_all(query):
        ordinal: list[tuple[int, ...]] = []
        if item.args.get("ordinality") or item.args.get("offset"):
            ordinal.append((width - 1,))
        return [*ordinal, first] if _is_series(item) and width == 1 + len(ordinal) else ordinal
    return [first] if _is_series(item) and _is_column_of(_only_output(query), item) else []


def _distinct_columns(constants: Constants, width: int) -> list[tuple[int, ...]]:
    """The columns, or else the pairs of columns, whose constants differ in every row."""
    texts = [[_spelling(constant) for constant in row] for row in constants]
    present = [i for i in range(width) if not any(isinstance(row[i].unnest(), exp.Null) for row in constants)]
    for size in (1, 2):
        distinct = [len({tuple(row[i] for i in key) for row in texts}) for key in combinations(present, size)]
        keys = [key for key, n in zip(combinations(present, size), distinct, strict=True) if n == len(texts)]
        if keys:
            return keys
    return []


def promised_numbers(query: exp.Expr, position: int) -> Numbers | None:
    """The numbers of a column that the text writes out or bounds; None for every other column."""
    constants = written_constants(query)
    if constants is None:
        item = _only_item(query) if position == 0 and _shows_all(query) else None
        series = _series(item.this if item is not None else None)
        return Numbers(Bounds(min(series[:2]), max(series[:2])), Fraction(1)) if series is not None else None
    numbers = [_number(row[position]) for row in constants]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(numbers):
        return None
    values = [value for value, _ in known]
    return Numbers(Bounds(min(values), max(values)), Fraction(1, 10 ** max(places for _, places in known)))


def written_constants(query: exp.Expr) -> Constants | None:
    """The constants of a query that is only a list of constants; None for every other query."""
    if isinstance(query, exp.Union):
        left, right = (written_constants(body_of(side)) for side in (query.this, query.expression))
        return [*left, *right] if left is not None and right is not None and _is_union_all(query) else None
    if not isinstance(query, exp.Select):
        return None
    if query.args.get("from_") is None:
        plain = not any(value for name, value in query.args.items() if name != "expressions")
        row = [unaliased(output) for output in query.expressions]
        return [row] if plain and all(map(_is_constant, row)) else None
    item = _only_item(query)
    if item is None or not _shows_all(query):
        return None
    if isinstance(item, exp.Table):
        item = item.this
    if isinstance(item, exp.Values):
        rows = [list(row.expressions) if isinstance(row, exp.Tuple) else [row] for row in item.expressions]
    elif isinstance(item, exp.Unnest) and not item.args.get("offset") and len(item.expressions) == 1:
        array = item.expressions[0]
        if not isinstance(array, exp.Array):
            return None
        rows = [[element] for element in array.expressions]
    else:
        return None
    return rows if all(_is_constant(value) for row in rows for value in row) else None


def _is_union_all(query: exp.Union) -> bool:
    clauses = {"this", "expression", "distinct"}
    return query.args.get("distinct") is False and not any(v for name, v in query.args.items() if name not in clauses)


def _only_item(query: exp.Expr) -> exp.Expr | None:
    """The only item in a SELECT's FROM, if it is made of constant rows; else None."""
    items = items_of(query) if isinstance(query, exp.Select) else []
    return items[0].this if len(items) == 1 and is_function_item(items[0].this) else None


def _shows_all(query: exp.Expr) -> bool:
    """Is it SELECT * FROM …, all of it?"""
    outputs = query.expressions
    plain = not any(value for name, value in query.args.items() if name not in ("expressions", "from_", "with_"))
    return plain and len(outputs) == 1 and isinstance(outputs[0], exp.Star) and not any(outputs[0].args.values())


def _only_output(query: exp.Expr) -> exp.Expr | None:
    """The only output of a SELECT, without casts: either casts keep values distinct, or the promise is found broken."""
    if not isinstance(query, exp.Select) or len(query.expressions) != 1 or is_star(query.expressions[0]):
        return None
    output = unaliased(query.expressions[0]).unnest()
    while isinstance(output, exp.Cast):
        output = output.this.unnest()
    return output


def _is_column_of(node: exp.Expr | None, item: exp.Expr) -> bool:
    names = column_aliases(item) or [alias for alias in [item.alias_or_name] if alias]
    return isinstance(node, exp.Column) and folded(node.this) in names


def _is_call_of_series(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "generate_series"


def _is_series(item: exp.Expr) -> bool:
    return isinstance(item, (exp.Table, exp.Lateral)) and _is_call_of_series(item.this)


def _computes_rows(query: exp.Select) -> bool:
    """Could an output be a function that returns several rows?"""
    return not all(is_star(output) or isinstance(unaliased(output), exp.Column) for output in query.expressions)


def _series(call: exp.Expr | None) -> tuple[Fraction, Fraction, Fraction] | None:
    """Start, stop and step of generate_series(1, 12) or generate_series(0, 100, 10), over whole numbers."""
    if call is None or not _is_call_of_series(call):
        return None
    numbers = [_number(argument) for argument in call.expressions]
    if not 2 <= len(numbers) <= 3 or any(number is None or number[1] for number in numbers):
        return None
    start, stop, *rest = (number[0] for number in numbers if number is not None)
    step = rest[0] if rest else Fraction(1)
    return (start, stop, step) if step else None


def _is_constant(node: exp.Expr) -> bool:
    """Is it a literal, possibly with a sign or a type?"""
    node = node.unnest()
    if isinstance(node, (exp.Neg, exp.Cast)):
        return _is_constant(node.this)
    return isinstance(node, (exp.Literal, exp.Null, exp.Boolean))


def _spelling(node: exp.Expr) -> str:
    """A constant's SQL without its type, which all constants of a column share."""
    node = node.unnest()
    if isinstance(node, (exp.Neg, exp.Cast)):
        return ("-" if isinstance(node, exp.Neg) else "") + _spelling(node.this)
    return f"'{node.name}" if isinstance(node, exp.Literal) and node.is_string else node.name


def _number(node: exp.Expr) -> tuple[Fraction, int] | None:
    """A plain number, and the number of its decimal places."""
    node = node.unnest()
    if isinstance(node, exp.Neg):
        found = _number(node.this)
        return (-found[0], found[1]) if found is not None else None
    if isinstance(node, exp.Cast):
        return _exactly_cast(node)
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.replace(".", "", 1).isdigit():
        return None
    return Fraction(node.name), len(node.name.partition(".")[2])


_EXACT_TYPES = frozenset({exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL})


def _exactly_cast(cast: exp.Cast) -> tuple[Fraction, int] | None:
    """The number of a cast that keeps it as it is, as 520::bigint and '2.50'::numeric."""
    if cast.to.this not in _EXACT_TYPES or cast.to.expressions:
        return None
    text = cast.this.unnest()
    if isinstance(text, exp.Literal) and text.is_string:
        sign = -1 if text.name.startswith("-") else 1
        found = _number(exp.Literal.number(text.name.removeprefix("-")))
        found = None if found is None else (sign * found[0], found[1])
    else:
        found = _number(text)
    return found if found is not None and (found[1] == 0 or cast.to.this == exp.DType.DECIMAL) else None

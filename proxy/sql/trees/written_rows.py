"""The rows that an item of FROM writes out, one below the other, as expressions over the items beside it:

    VALUES ('departure', f.dep_delay), ('arrival', f.arr_delay)
    SELECT 'departure', f.dep_delay UNION ALL SELECT 'arrival', f.arr_delay
    unnest(ARRAY['departure', 'arrival'], ARRAY[f.dep_delay, f.arr_delay])

Several of them turn columns into rows, and are written as rows of constants, one for each, beside what they compute:

    (VALUES (1, 'departure'), (2, 'arrival')) AS x(place, kind)
    CASE x.place WHEN 2 THEN f.arr_delay ELSE f.dep_delay END
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied
from proxy.sql.trees.constant_items import rows_as_subquery
from proxy.sql.trees.walking import alias_of, body_of, column_aliases, output_name, own_nodes, unaliased

_COMPUTING = frozenset({"expressions", "where"})
"""The clauses of a SELECT that computes columns, or would without its condition."""
_UNION_ALL = frozenset({"this", "expression"})
_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean, exp.Neg, exp.Paren, exp.Cast, exp.DataType, exp.DataTypeParam)


@dataclass(frozen=True)
class WrittenRows:
    """The rows of an item.

    Attributes:
        names: of its columns.
        rows: the expressions of each row.
        conditional: does a WHERE decide about any of them?
        flattened: were they elements of arrays, of which arrays would make more?
    """

    names: tuple[str, ...]
    rows: tuple[tuple[exp.Expr, ...], ...]
    conditional: bool = False
    flattened: bool = False

    @property
    def columns(self) -> list[tuple[exp.Expr, ...]]:
        """The expressions of each column, in the order of the rows."""
        return list(zip(*self.rows, strict=True))


def written_rows(item: exp.Expr) -> WrittenRows | None:
    """The rows of a LATERAL item or of unnest(); None if it does more than write some out, or two columns have one
    name."""
    body, conditional = body_of(item), False
    own: list[str | None]
    if isinstance(body, exp.Values):
        listed = [row.expressions for row in body.expressions]
        own = [f"column{position}" for position, _ in enumerate(listed[0], start=1)]
    elif isinstance(body, exp.Unnest):
        elements = [_elements(array) for array in body.expressions]
        listed = list(zip(*elements, strict=False)) if len({len(each) for each in elements}) == 1 else []
        own = [alias_of(item)] * len(elements)
        if body.args.get("offset"):
            listed = [(*row, exp.Literal.number(number)) for number, row in enumerate(listed, start=1)]
            own.append(_ordinality(body))
    else:
        arms = _arms(body)
        if arms is None:
            return None
        listed = [arm.expressions for arm in arms]
        own = [output_name(output) for output in listed[0]]
        conditional = any(arm.args.get("where") for arm in arms)
    aliases = column_aliases(item)
    names = [*aliases, *own[len(aliases) :]]
    known = tuple(name for name in names if name is not None)
    if not known or len(set(known)) < len(names) or any(len(row) != len(names) for row in listed):
        return None
    rows = tuple(tuple(map(unaliased, row)) for row in listed)
    return WrittenRows(known, rows, conditional, isinstance(body, exp.Unnest)) if rows else None


def _elements(array: exp.Expr) -> list[exp.Expr]:
    """The elements of ARRAY[…], or of ARRAY[…]::type[]; none of anything else."""
    if isinstance(array, exp.Array):
        return array.expressions
    to = array.args.get("to") if isinstance(array, exp.Cast) and isinstance(array.this, exp.Array) else None
    inner = to.expressions[0] if to is not None and len(to.expressions) == 1 else None
    if not isinstance(inner, exp.DataType):
        return []
    return [exp.Cast(this=element.copy(), to=inner.copy()) for element in array.this.expressions]


def _ordinality(unnest: exp.Unnest) -> str:
    offset = unnest.args["offset"]
    return folded(offset) if isinstance(offset, exp.Identifier) else "ordinality"


def _arms(body: exp.Expr) -> list[exp.Select] | None:
    """The SELECTs without FROM of a UNION ALL, or the only one; None if there is anything else."""
    pending, found = [body], []
    while pending:
        query = pending.pop()
        if isinstance(query, exp.Union) and {name for name, value in query.args.items() if value} <= _UNION_ALL:
            pending += [query.expression, query.this]
        elif isinstance(query, exp.Select) and {name for name, value in query.args.items() if value} <= _COMPUTING:
            found.append(query)
        else:
            return None
    return found


def numbered(written: WrittenRows, alias: exp.Identifier, taken: Collection[str]) -> tuple[exp.Join, list[exp.Expr]]:
    """A join with a row of constants for each of several rows, and for each column what reads or computes it there.

    Args:
        written: the rows; what they read is qualified.
        alias: of their item.
        taken: names that the column which counts the rows must not have.
    """
    free = next(name for number in range(len(taken) + 1) if (name := f"place{number or ''}") not in taken)
    counter = exp.to_identifier(free)
    constant = [all(map(_is_constant, column)) for column in written.columns]
    numbers: list[exp.Expr] = [exp.Literal.number(number) for number, _ in enumerate(written.rows, start=1)]
    kept = [(counter, numbers)]
    kept += [
        (_identifier(name), [_bare(value) for value in column])
        for name, column, is_constant in zip(written.names, written.columns, constant, strict=True)
        if is_constant
    ]
    rows = exp.Values(
        expressions=[exp.Tuple(expressions=list(row)) for row in zip(*(values for _, values in kept), strict=True)],
        alias=exp.TableAlias(this=alias.copy(), columns=[name for name, _ in kept]),
    )
    read = [
        exp.column(_identifier(name), table=alias.copy()) if is_constant else _chosen(column, counter, alias)
        for name, column, is_constant in zip(written.names, written.columns, constant, strict=True)
    ]
    return exp.Join(this=rows_as_subquery(rows), kind="CROSS"), [exp.Paren(this=value) for value in read]


def _is_constant(value: exp.Expr) -> bool:
    return all(isinstance(node, _CONSTANTS) for node in own_nodes(value))


def _chosen(column: Sequence[exp.Expr], counter: exp.Identifier, alias: exp.Identifier) -> exp.Expr:
    # Of the types of a CASE Postgres considers ELSE first, and of VALUES the first row.
    first, *others = [_bare(value) for value in column]
    chosen = [exp.If(this=exp.Literal.number(place), true=value) for place, value in enumerate(others, start=2)]
    return exp.Case(this=exp.column(counter.copy(), table=alias.copy()), ifs=chosen, default=first)


def _bare(value: exp.Expr) -> exp.Expr:
    """A copy without parentheses around it."""
    return copied(value.unnest())


def _identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)

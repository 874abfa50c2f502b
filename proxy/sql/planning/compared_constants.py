"""Constants that WHERE compares declared columns of texts with: one that is not declared is likely a slip."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.planning.value_sets import declared_values
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class ComparedConstants:
    """A condition `column = 'text'` or `column IN ('text', …)`.

    Attributes:
        column: as the client wrote it.
        constants: what it is compared with.
        sql: the column's declared values, as a query for the stage with one column of texts.
    """

    column: str
    constants: tuple[str, ...]
    sql: str

    def undeclared(self, declared: frozenset[str]) -> list[str]:
        """A sentence for each constant that is none of the declared values."""
        alike = {value.casefold().strip(): value for value in sorted(declared)}
        sentences = []
        for constant in self.constants:
            if constant not in declared:
                other = alike.get(constant.casefold().strip())
                hint = f"; {other!r} is one" if other is not None else ""
                sentences.append(f"{self.column} has no declared value {constant!r}{hint}")
        return sentences


def compared_constants(conditions: Conditions) -> tuple[ComparedConstants, ...]:
    """The comparisons of declared columns with texts among conditions that all rows meet.

    Args:
        conditions: each with the relation of its columns.
    """
    found = []
    for node, relation in conditions:
        column, constants = _comparison(node)
        if not isinstance(column, exp.Column) or not constants:
            continue
        origin = relation.origin(column)
        if not isinstance(origin.member.table, NamedTable) or origin.term().kind is not Kind.TEXT:
            continue
        values = declared_values(origin)
        if values is not None:
            sql = f"SELECT v.c0::text FROM ({values[0]}) AS v(c0) LIMIT {MOST_DECLARED + 1}"
            found.append(ComparedConstants(column.name, constants, sql))
    return tuple(found)


def _comparison(node: exp.Expr) -> tuple[exp.Expr | None, tuple[str, ...]]:
    """The column and the constants of a comparison; no constants for another condition."""
    bare = node.unnest()
    if isinstance(bare, exp.EQ):
        sides = (bare.this.unnest(), bare.expression.unnest())
        column, *others = sorted(sides, key=lambda side: not isinstance(side, exp.Column))
    elif isinstance(bare, exp.In) and bare.expressions:
        column, others = bare.this.unnest(), [member.unnest() for member in bare.expressions]
    else:
        return None, ()
    texts = [other.name for other in others if isinstance(other, exp.Literal) and other.is_string]
    return column, tuple(texts) if len(texts) == len(others) else ()

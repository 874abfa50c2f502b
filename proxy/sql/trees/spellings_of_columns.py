"""Other spellings of a column's values, of which each tells the value: id::text, 'C-' || id, md5(id::text), id + 1.

Grouping by one of them is grouping by the column. Surrogate keys of models and casts of identifiers are written so.
What could be the same for two values, such as lower(code) or code::integer, is no such spelling. What coalesce() finds
in one of several columns tells the value of each, where they have the same value or none: the sides of a FULL JOIN.
"""

from __future__ import annotations

from sqlglot import exp

_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})


def spelled_columns(node: exp.Expr) -> tuple[exp.Column, ...]:
    """The column of which an expression, or the column itself, is a spelling, or the columns of which it spells the
    first that is not NULL; none for all else."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return (node,)
    if isinstance(node, exp.Cast):
        to = node.to
        return spelled_columns(node.this) if to.this in _TEXTS and not to.expressions else ()
    if isinstance(node, (exp.Add, exp.Sub, exp.DPipe)):
        return _beside_constant(node)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "md5" and len(node.expressions) == 1:
        return spelled_columns(node.expressions[0])
    return merged_columns(node)


def merged_columns(node: exp.Expr) -> tuple[exp.Column, ...]:
    """The arguments of coalesce(), if all are columns; none for all else."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "coalesce":
        return ()
    columns = [argument.unnest() for argument in node.expressions]
    found = tuple(column for column in columns if isinstance(column, exp.Column))
    return found if len(found) == len(columns) else ()


def _beside_constant(node: exp.Binary) -> tuple[exp.Column, ...]:
    sides = [node.this.unnest(), node.expression.unnest()]
    is_text = isinstance(node, exp.DPipe)
    constants = [side for side in sides if isinstance(side, exp.Literal) and (is_text or not side.is_string)]
    if len(constants) != 1:
        return ()
    return spelled_columns(next(side for side in sides if side is not constants[0]))

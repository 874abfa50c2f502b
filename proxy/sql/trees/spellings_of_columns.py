"""Other spellings of a column's values, of which each tells the value: id::text, 'C-' || id, md5(id::text), id + 1.

Grouping by one of them is grouping by the column. Surrogate keys of models and casts of identifiers are written so.
What could be the same for two values, such as lower(code) or code::integer, is no such spelling.
"""

from __future__ import annotations

from sqlglot import exp

_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})


def spelled_column(node: exp.Expr) -> exp.Column | None:
    """The column of which an expression, or the column itself, is a spelling; None for all else."""
    node = node.unnest()
    if isinstance(node, exp.Column):
        return node
    if isinstance(node, exp.Cast):
        to = node.to
        return spelled_column(node.this) if to.this in _TEXTS and not to.expressions else None
    if isinstance(node, (exp.Add, exp.Sub, exp.DPipe)):
        return _beside_constant(node)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "md5" and len(node.expressions) == 1:
        return spelled_column(node.expressions[0])
    return None


def _beside_constant(node: exp.Binary) -> exp.Column | None:
    sides = [node.this.unnest(), node.expression.unnest()]
    is_text = isinstance(node, exp.DPipe)
    constants = [side for side in sides if isinstance(side, exp.Literal) and (is_text or not side.is_string)]
    if len(constants) != 1:
        return None
    return spelled_column(next(side for side in sides if side is not constants[0]))

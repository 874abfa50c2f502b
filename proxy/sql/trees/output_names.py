"""The names of a SELECT's outputs, which stay what they are while its columns are written as something else."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.trees.walking import is_star, output_name


def quoted(name: str) -> exp.Identifier:
    """A folded name as it has to be written."""
    return exp.to_identifier(name, quoted=True)


def with_name(output: exp.Expr) -> exp.Expr:
    """The output with the name that it has from the columns in it as its alias."""
    name = output_name(output) if not isinstance(output, exp.Alias) and not is_star(output) else None
    return output if name in (None, "?column?") else exp.Alias(this=output, alias=quoted(str(name)))


def names_of_outputs(select: exp.Select) -> set[int]:
    """The bare names in ORDER BY and DISTINCT ON that are those of outputs, which Postgres looks for first; by id."""
    order, distinct = select.args.get("order"), select.args.get("distinct")
    kept = distinct.args.get("on") if distinct is not None else None
    items = [item.this for item in order.expressions] if order is not None else []
    items += kept.expressions if kept is not None else []
    named = {output_name(output) for output in select.expressions}
    bare = [item.unnest() for item in items]
    return {
        id(node)
        for node in bare
        if isinstance(node, exp.Column) and not node.args.get("table") and folded(node.this) in named
    }

"""Writes a group key that is an output with a subquery in it, written out twice, as the position of the output.

ORMs write `SELECT EXISTS (…) AS seg, count(*) … GROUP BY EXISTS (…)`, which has to stay one expression in what follows.
"""

from __future__ import annotations

from itertools import takewhile

from sqlglot import exp

from proxy.sql.nodes import find, find_all, identical
from proxy.sql.schema import Schema
from proxy.sql.trees.unique_columns import is_plainly_grouped
from proxy.sql.trees.walking import is_star, unaliased


def write_repeated_keys_as_positions(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write such keys in place.

    Args:
        query: a tree with parameters as literals.
    """
    for select in find_all(query, exp.Select):
        if not is_plainly_grouped(select):
            continue
        # A star is several outputs: what stands behind it has no known position.
        known = list(takewhile(lambda output: not is_star(output), select.expressions))
        for key in select.args["group"].expressions:
            if find(key, exp.Query, exp.Exists) is None:
                continue
            same = (unaliased(output).unnest() for output in known)
            position = next((n for n, output in enumerate(same, start=1) if identical(output, key.unnest())), None)
            if position is not None:
                key.replace(exp.Literal.number(position))
    return query

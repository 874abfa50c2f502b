"""Writes conditions of constants in CASE as true and false.

Of the first three letters of a text ibis makes `SUBSTRING(x FROM CASE WHEN (0 + 1) >= 1 THEN 0 + 1 ELSE 0 + 1 +
LENGTH(x) END FOR 3)`, where the first result is certain.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.constant_conditions import NotConstantError, value_of


def write_decided_cases_as_truth(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write them in place, in every query. NULL is as good as false there.

    Args:
        query: a tree with parameters as literals.
    """
    for case in find_all(query, exp.Case):
        if case.args.get("this") is not None:
            continue
        for branch in case.args["ifs"]:
            try:
                value = value_of(branch.this)
            except NotConstantError:
                continue
            if value is None or isinstance(value, bool):
                branch.set("this", exp.Boolean(this=bool(value)))
    return query

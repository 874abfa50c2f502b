"""Calls of what may not be called over private rows, and the names of aggregates."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.refusal import refused, unsupported

AGGREGATES = frozenset(
    """count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop covar_samp corr
    regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy regr_sxy bool_and bool_or every
    array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg xmlagg bit_and bit_or bit_xor any_value
    mode percentile_cont percentile_disc range_agg range_intersect_agg json_arrayagg json_objectagg grouping""".split()
)


def refusal_of_call(node: exp.Anonymous) -> Exception:
    """The refusal of a function that is not on the allow-list, or of an aggregate inside a row-level expression."""
    name = node.name.lower()
    if name in AGGREGATES:
        return refused(
            node,
            f"the aggregate {name}() cannot be used inside another aggregate, in WHERE or in GROUP BY",
            rule="nested-aggregate",
            hint="Put the inner aggregate in a subquery in FROM and aggregate its result.",
        )
    return unsupported(
        node,
        f"the function {name}() is not supported over private rows",
        rule="function",
        detail="Only functions that never fail, run long or have effects run on the private database.",
        hint="Apply it to the released result instead: SELECT … FROM (SELECT … GROUP BY …) AS released.",
    )

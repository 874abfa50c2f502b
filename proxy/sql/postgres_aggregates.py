"""The names of PostgreSQL's aggregates, and of those that only a stage has. Over private rows those without a
class in `planning.aggregates` are refused; over released results all can be used."""

from __future__ import annotations

LISTING = frozenset(
    """string_agg array_agg range_agg any_value xmlagg json_arrayagg json_objectagg json_agg json_agg_strict
    json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict jsonb_agg
    jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
    jsonb_object_agg_unique_strict""".split()
)
"""Aggregates whose result lists values that they read."""

NAMES_OF_TOOLS = frozenset(["median", "approx_count_distinct"])
"""Aggregates that extensions have, and every stage in its schema public (`postgres.stage_aggregates`)."""

ZERO_OVER_NOTHING = frozenset(["count", "regr_count", "approx_count_distinct"])
"""Aggregates that are 0 over no rows; all others are NULL."""

SPREADS = frozenset(["variance", "var_pop", "var_samp", "stddev", "stddev_pop", "stddev_samp"])
"""Aggregates that add up squares."""

AGGREGATES = (
    LISTING
    | NAMES_OF_TOOLS
    | ZERO_OVER_NOTHING
    | SPREADS
    | frozenset(
        """sum avg min max covar_pop covar_samp corr regr_slope
        regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy bool_and bool_or every bit_and bit_or
        bit_xor mode percentile_cont percentile_disc range_intersect_agg grouping""".split()
    )
)
"""All aggregates that are called by name. JSON_ARRAYAGG, JSON_OBJECTAGG and GROUPING are syntax."""

"""The aggregates that PostgreSQL has, by name: those over private rows that are no class of `planning.aggregates` are
refused, all of them can be asked of released results."""

from __future__ import annotations

LISTING = frozenset(
    """string_agg array_agg range_agg any_value xmlagg json_arrayagg json_objectagg json_agg json_agg_strict
    json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict jsonb_agg
    jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
    jsonb_object_agg_unique_strict""".split()
)
"""Their result lists values that they read."""

ZERO_OVER_NOTHING = frozenset(["count", "regr_count"])
"""Without rows they are 0, all others NULL."""

AGGREGATES = (
    LISTING
    | ZERO_OVER_NOTHING
    | frozenset(
        """sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop covar_samp corr regr_slope
        regr_intercept regr_r2 regr_avgx regr_avgy regr_sxx regr_syy regr_sxy bool_and bool_or every bit_and bit_or
        bit_xor mode percentile_cont percentile_disc range_intersect_agg grouping""".split()
    )
)
"""All that are called by their name. JSON_ARRAYAGG, JSON_OBJECTAGG and GROUPING are syntax."""

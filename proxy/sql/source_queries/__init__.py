"""From a plan to the SQL of its source query, and from its rows to exact sums (decision 5).

exact_sums          the statements of a plan, and how their rows are read
by_norm             sums by the norm of the unit, from which those at every threshold follow
distinct_by_norm    the same of distinct values; buckets: where a norm is among thresholds
per_unit            rows added up for each unit and group; windows over all rows of a unit
bounding, distinct  each unit scaled down to a fixed bound; COUNT(DISTINCT …)
key_weights         how much a unit helps to select the groups that it is in
hashes              keyed hashes, by which it is chosen what of a unit counts
row_columns         the expressions of a row, each computed once
shared_cells        sums that need only what products need
plain_sums          sums and counts as aggregates of Postgres
histograms          what minima, maxima, percentiles and modes are chosen from
sized_histograms    the same by size of the unit, from which those under every limit follow
sending             which rows leave the source
unit_rows           some rows of every unit, for local releases
fragments, redacted pieces of SQL; statements for the log, without values
"""

"""From a plan to the SQL of its source query, and from its rows to exact sums (decision 5).

exact_sums          the statements of a plan, and how their rows are read
by_norm             sums by the norm of the unit, from which those at every threshold follow
per_unit, plain_sums rows added up for each unit and group; aggregates that need no scaling
bounding, distinct  each unit scaled down to its bound; COUNT(DISTINCT …)
histograms          what minima, maxima, percentiles and modes are chosen from
sending             which rows leave the source
unit_rows           some rows of every unit, for local releases
fragments, redacted pieces of SQL; statements for the log, without values
"""

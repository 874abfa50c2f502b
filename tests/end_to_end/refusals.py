"""One statement for every rule that refuses, and what its client must see."""

from __future__ import annotations

from tests.end_to_end.refusal import COUNT, DENIED, INVALID, UNSUPPORTED, Refusal
from tests.end_to_end.refused_relations import REFUSED_RELATIONS

REFUSALS = REFUSED_RELATIONS | {
    "aggregate": Refusal(
        "SELECT bit_and(minutes) FROM visits",
        UNSUPPORTED,
        "bit_and() is not supported over private rows",
        "bit_and",
        None,
        "count, sum, avg",
    ),
    "aggregate-type": Refusal(
        "SELECT sum(visited_at - visited_at) FROM visits", UNSUPPORTED, "sum(interval) is not supported", "sum("
    ),
    "alter": Refusal(
        "ALTER TABLE visits ADD x integer", DENIED, "nothing can be altered", None, "A role could change", "SET changes"
    ),
    "arithmetic-type": Refusal(
        "SELECT sum(minutes + '5') FROM visits", UNSUPPORTED, "arithmetic on unknown", "minutes +", None, "Use numeric"
    ),
    "bounds": Refusal(
        "SELECT region, avg(visit_id) FROM visits GROUP BY 1",
        DENIED,
        "avg() needs bounds",
        "avg(",
        "One person's",
        "Ask",
    ),
    "calibration-delta": Refusal(
        COUNT,
        INVALID,
        "a calibration needs a delta to calibrate to",
        None,
        "dp.calibration is set, but",
        "SET dp.delta = '1e-7'",
        ["SET dp.calibration = analytic"],
    ),
    "calibration-range": Refusal(
        COUNT,
        INVALID,
        "the classic calibration is proven for epsilon below 1 only, not for 1",
        None,
        None,
        "SET dp.calibration = 'analytic'",
        ["SET dp.epsilon = 1", "SET dp.delta = '1e-7'", "SET dp.calibration = classic"],
    ),
    "cast": Refusal(
        f"{COUNT} WHERE diagnosis::interval > '3 days'",
        UNSUPPORTED,
        "a cast from text to interval",
        "diagnosis",
        "It can fail on one",
    ),
    "cast-type": Refusal(
        f"{COUNT} WHERE cost::money IS NULL", UNSUPPORTED, "a cast to this type is not supported", "cost"
    ),
    "comparison": Refusal(
        "SELECT count(*) FROM devices WHERE address = network",
        UNSUPPORTED,
        "inet and cidr cannot be compared",
        "address",
        None,
        "Cast one",
    ),
    "constant-argument": Refusal(
        f"{COUNT} WHERE date_trunc(region, visited_at) > now()",
        UNSUPPORTED,
        "date_trunc needs a constant field",
        "date_trunc",
        None,
        "One of century, day",
    ),
    "constant-pattern": Refusal(
        f"{COUNT} WHERE diagnosis LIKE region", UNSUPPORTED, "LIKE needs a constant", "diagnosis"
    ),
    "copy": Refusal(f"COPY ({COUNT}", UNSUPPORTED, "this COPY is not understood"),
    "copy-target": Refusal(
        f"COPY ({COUNT}) TO PROGRAM 'cat'",
        DENIED,
        "COPY goes to the client only",
        None,
        "Nothing is written",
        "COPY (SELECT",
    ),
    "date-arithmetic": Refusal(
        f"{COUNT} WHERE visited_at::date + visited_at::time > now()",
        UNSUPPORTED,
        "arithmetic between date and time",
        "visited_at",
        None,
        "Supported: date",
    ),
    "datetime-type": Refusal(
        f"{COUNT} WHERE to_char(cost, '99') = '7'",
        UNSUPPORTED,
        "a date or timestamp is needed here, not numeric",
        "to_char",
        None,
        "Write constants with their type",
    ),
    "declare": Refusal(
        "DECLARE c SELECT visits", UNSUPPORTED, "this DECLARE is not understood", None, None, "Write DECLARE"
    ),
    "delta-limit": Refusal(
        COUNT,
        INVALID,
        "a delta of 0.01 is stated, but an account that pays has 8e-7 in all",
        None,
        None,
        "SET dp.delta = '8e-7'; or less",
        ["SET dp.delta = 0.01"],
    ),
    "depth": Refusal(
        f"{COUNT} WHERE {'(' * 400}urgent{')' * 400}",
        UNSUPPORTED,
        "this query is nested too deeply",
        None,
        None,
        "Write fewer",
    ),
    "distinct": Refusal(
        "SELECT sum(DISTINCT minutes) FROM visits",
        UNSUPPORTED,
        "sum(DISTINCT …) is not supported",
        "sum(",
        "Whether a value is there",
        "SELECT sum(x) FROM",
    ),
    "distinct-on": Refusal(
        "SELECT DISTINCT ON (region) region FROM visits",
        UNSUPPORTED,
        "DISTINCT ON is not supported",
        "region",
        None,
        "Use",
    ),
    "explain": Refusal(f"(EXPLAIN {COUNT})", UNSUPPORTED, "this form of EXPLAIN", None, None, "Write EXPLAIN SELECT"),
    "explain-analyze": Refusal(
        f"EXPLAIN (ANALYZE, COSTS off) {COUNT}",
        UNSUPPORTED,
        "EXPLAIN ANALYZE is not supported",
        None,
        "It would run",
        "EXPLAIN without ANALYZE",
    ),
    "expression-size": Refusal(
        f"{COUNT} WHERE discount{' / 3' * 20} > 1",
        UNSUPPORTED,
        "this expression is too large",
        "discount",
        "Each step that could fail",
        "Nest fewer divisions",
    ),
    "function": Refusal(
        f"{COUNT} WHERE pg_sleep(cost) IS NULL",
        UNSUPPORTED,
        "the function pg_sleep() is not supported",
        "pg_sleep",
        "Only functions that",
        "Apply it to the released result",
    ),
    "grouping-sets": Refusal(
        "SELECT diagnosis, count(*) FROM visits GROUP BY ROLLUP (diagnosis)",
        UNSUPPORTED,
        "ROLLUP, CUBE and GROUPING SETS need declared group keys",
        "diagnosis)",
        "Totals are the sums",
        "Ask for the totals in a query of its own",
    ),
    "interval": Refusal(
        f"{COUNT} WHERE visited_at > timestamp '2024-01-01' AND visited_at - interval '99999 years' > visited_at",
        UNSUPPORTED,
        "this interval constant is not supported",
        "'99999 years'",
        None,
        "Write interval",
    ),
    "key-type": Refusal(
        "SELECT address, count(*) FROM devices GROUP BY 1",
        UNSUPPORTED,
        "GROUP BY a inet is not supported",
        "address",
        None,
        "Group by numbers, texts",
    ),
    "listing-aggregate": Refusal(
        "SELECT region, string_agg(diagnosis, ', ') FROM visits GROUP BY region",
        DENIED,
        "string_agg() would show people's own values",
        "diagnosis, ', '",
        "Each value that it shows is one person's",
        "Ask which values many people share",
    ),
    "literal": Refusal(f"{COUNT} WHERE cost > 'NaN'::numeric", UNSUPPORTED, "this numeric constant", "'NaN'"),
    "magnitude": Refusal(
        f"SELECT sum({' * '.join(['discount'] * 20)}) FROM visits",
        UNSUPPORTED,
        "this expression can grow too large",
        "discount",
        None,
        "Multiply fewer columns",
    ),
    "noise-interval": Refusal(
        "SELECT dp.low(n) FROM (SELECT count(*) AS n FROM visits) x",
        UNSUPPORTED,
        "dp.low() takes an aggregate of private rows that the same SELECT releases",
        "dp.low(n)",
        "It tells how far the noise",
        "Write dp.low() around the aggregate itself",
    ),
    "noise-interval-confidence": Refusal(
        "SELECT dp.high(count(*), 1.5) FROM visits",
        UNSUPPORTED,
        "the confidence of an interval must be a constant between 0 and 1",
        "1.5",
        None,
        "Write for example dp.low(count(*), 0.9)",
    ),
    "not-allowed": Refusal(
        f"{COUNT} WHERE region COLLATE \"C\" = 'north'",
        UNSUPPORTED,
        'region COLLATE "C" is not supported',
        "region COLLATE",
        "Only expressions that",
        "Arithmetic, comparisons",
    ),
    "one-statement": Refusal(f"{COUNT}; SELECT 1", UNSUPPORTED, "one statement at a time", extended=True),
    "only-select": Refusal(
        "EXPLAIN INSERT INTO visits (visit_id) VALUES (1)",
        UNSUPPORTED,
        "only SELECT can read",
        None,
        None,
        "Write SELECT",
    ),
    "parameter": Refusal(f"{COUNT} WHERE region = $1", UNSUPPORTED, "there is no value for $1", "1"),
    "parse": Refusal(
        f"{COUNT}\nWHERE urgent AND region IS NFC NORMALIZED",
        UNSUPPORTED,
        "dpproxy could not parse",
        "NORMALIZED",
        "Parsing stopped near 'NORMALIZED'",
        "Write the query with plain",
    ),
    "pure-account": Refusal(
        "SELECT count(*) FROM devices",
        INVALID,
        "the Gaussian mechanism is not possible here",
        None,
        "An account that pays has delta 0",
        "SET dp.mechanism = 'laplace'",
        ["SET dp.mechanism = gaussian"],
    ),
    "reserved-name": Refusal(
        'SELECT count(*) AS "dpproxy_0" FROM visits',
        UNSUPPORTED,
        "names and texts with dpproxy_ are reserved",
        "count(",
    ),
    "rows": Refusal(
        "SELECT * FROM visits",
        DENIED,
        "this would return rows of public.visits",
        "*",
        "Each row belongs to one",
        "Ask for",
    ),
    "setting-limit": Refusal(
        COUNT,
        INVALID,
        "dp.epsilon is 3, but the policy allows at most 2",
        None,
        None,
        "SET dp.epsilon = 2;",
        ["SET dp.epsilon = 3"],
    ),
    "setting-name": Refusal(
        "SET dp.epsilom = 1", INVALID, "there is no setting dp.epsilom", None, None, "There are dp."
    ),
    "setting-value": Refusal(
        "SET dp.epsilon = 'NaN'", INVALID, "'NaN' is not a value of dp.epsilon", None, None, "dp.epsilon: price of"
    ),
    "sql-prepare": Refusal(f"PREPARE p AS {COUNT}", UNSUPPORTED, "PREPARE in SQL", None, None, "Use your driver's"),
    "standard-conforming-strings": Refusal(
        COUNT,
        UNSUPPORTED,
        "standard_conforming_strings must be on",
        None,
        None,
        "SET standard_conforming_strings = on",
        ["SET standard_conforming_strings = off"],
    ),
    "text-type": Refusal(
        "SELECT count(*) FROM devices WHERE address || 'a' = '::1a'",
        UNSUPPORTED,
        "a text is needed here, not inet",
        "address",
        None,
        "Cast it",
    ),
    "too-many-keys": Refusal(
        "SELECT registered, birth_year, count(*) FROM patients GROUP BY 1, 2",
        UNSUPPORTED,
        "these group keys have more than 100000",
        None,
        None,
        "Group by fewer columns",
    ),
    "undeclared-keys": Refusal(
        "SELECT note, count(*) FROM devices GROUP BY note",
        DENIED,
        "these group keys are not declared",
        "note",
        "Showing a",
        "Group by columns with declared",
    ),
    "group-by-unit": Refusal(
        "SELECT count(*) FROM visits GROUP BY region, patient_id",
        DENIED,
        "each group of patient_id would be one person",
        "patient_id",
        "A group shows only if",
        "Group by something that people share",
    ),
    "unknown-column": Refusal(
        "SELECT count(*) FROM visits WHERE ctid = '(0,1)'",
        DENIED,
        "column ctid cannot be used here",
        "ctid",
        "It is not one of the columns",
        "\\d and dp.columns",
    ),
    "percentile-fraction": Refusal(
        "SELECT percentile_disc(50) WITHIN GROUP (ORDER BY cost) FROM visits",
        UNSUPPORTED,
        "percentiles need constant fractions between 0 and 1",
        "percentile_disc",
        None,
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY x) is the median.",
    ),
    "undeclared-mode": Refusal(
        "SELECT mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits",
        DENIED,
        "mode() needs declared values, and this expression has none",
        "mode()",
        "The answer is chosen from all declared values",
        "SELECT x, count(*)",
    ),
    "writes": Refusal(
        "DELETE FROM visits", DENIED, "DELETE is not possible through dpproxy", None, "Clients can only ask"
    ),
}

NATIVE_FIRST = {
    "condition-type": (f"{COUNT} WHERE minutes", "42804"),
    "group-ordinal": ("SELECT region, count(*) FROM visits GROUP BY 3", "42P10"),
    "mixed-types": ("SELECT sum(coalesce(minutes, region)) FROM visits", "42804"),
    "ungrouped": ("SELECT urgent, count(*) FROM visits GROUP BY region", "42803"),
    "nested-aggregate": ("SELECT sum(max(cost)) FROM visits", "42803"),
}
"""Rules behind which the compiler stands for itself: clients meet Postgres's own error first, with this SQLSTATE."""

NEVER_REACHED = {
    "clause": "the parser of today builds no further clause; one that a new parser adds is refused",
    "declared-keys": "`dpproxy check` finds values that do not fit their column",
    "noise-interval-aggregate": "every aggregate of today has an interval: tests/sql/test_noise_intervals.py has it",
    "view": "needs a view in the policy: test_views.py has it",
}
"""Rules that only guard against what the parser may build one day, with the reason."""

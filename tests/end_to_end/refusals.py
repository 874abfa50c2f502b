"""One statement for every rule that refuses, and what its client must see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """What a client sends and what it must see.

    Attributes:
        query: the statement.
        sqlstate: of the error.
        message: how its text begins.
        at: what stands in the statement where the error points; None for errors of the whole statement.
        detail: how DETAIL begins; None if there is none.
        hint: how HINT begins; None if there is none.
        first: statements that are sent before, and must work.
        extended: send it by the extended protocol.
    """

    query: str
    sqlstate: str
    message: str
    at: str | None = None
    detail: str | None = None
    hint: str | None = None
    first: Sequence[str] = ()
    extended: bool = False


UNSUPPORTED, DENIED, INVALID = "0A000", "42501", "22023"
COUNT = "SELECT count(*) FROM visits"

REFUSALS = {
    "aggregate": Refusal(
        "SELECT bit_and(minutes) FROM visits",
        UNSUPPORTED,
        "the aggregate bit_and is not supported",
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
    "column-aliases": Refusal(
        "SELECT count(*) FROM visits AS v (a)", UNSUPPORTED, "column aliases in FROM are not supported", "visits"
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
    "duplicate-alias": Refusal(
        f"{COUNT} JOIN public.regions ON true JOIN archive.regions ON true",
        UNSUPPORTED,
        "the table name regions appears",
        "archive.regions",
        None,
        "Use aliases",
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
    "from-decoration": Refusal(
        "SELECT count(*) FROM visits TABLESAMPLE SYSTEM (1)",
        UNSUPPORTED,
        "TABLESAMPLE is not supported",
        "visits",
        None,
        "Write the table's name",
    ),
    "from-relation": Refusal(
        f"{COUNT}, generate_series(1, 3) AS g",
        UNSUPPORTED,
        "generate_series(1, 3)",
        "generate_series",
        "It is neither",
        "Join tables that",
    ),
    "from-item": Refusal(
        "SELECT count(*) FROM visits, unnest(ARRAY[1, 2]) AS u",
        UNSUPPORTED,
        "this FROM item is not supported",
        "1, 2]) AS u",
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
    "join-kind": Refusal(
        f"{COUNT} FULL JOIN regions ON true",
        UNSUPPORTED,
        "this FULL JOIN is not supported",
        "regions",
        "It is not proven",
        "FULL JOIN two tables of the same person",
    ),
    "key-type": Refusal(
        "SELECT address, count(*) FROM devices GROUP BY 1",
        UNSUPPORTED,
        "GROUP BY a inet is not supported",
        "address",
        None,
        "Group by numbers, texts",
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
    "noise-interval-totals": Refusal(
        "SELECT region, count(*), dp.stddev(count(*)) FROM visits GROUP BY ROLLUP (region)",
        UNSUPPORTED,
        "noise intervals of ROLLUP, CUBE and GROUPING SETS",
        "dp.stddev(",
        "Totals and the groups below them",
        "Ask for the totals",
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
    "private-join": Refusal(
        f"{COUNT} v JOIN regions r ON true JOIN patients p ON p.region = v.region",
        UNSUPPORTED,
        "a row of this join could belong to two people",
        "visits",
        "Nothing in the join says",
        "Join them on the person: v.patient_id = p.patient_id",
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
    "multiplying-joins": Refusal(
        f"{COUNT}, " + ", ".join(f"regions r{index}" for index in range(6)) + " WHERE patient_id = 42",
        UNSUPPORTED,
        "these joins multiply the private rows too much",
        "visits",
        "Tables that are joined by no unique key",
        "Join each table by its key",
    ),
    "subquery": Refusal(
        f"{COUNT} WHERE cost > (SELECT population FROM regions WHERE name = region)",
        UNSUPPORTED,
        "a subquery is not supported at this place",
        "population",
        "It would have to be proven",
        "Use EXISTS or IN in WHERE",
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
    "correlation": Refusal(
        "SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.minutes < v.minutes)",
        UNSUPPORTED,
        "this correlated subquery is not supported",
        "avg(",
        "It is answered for all its keys",
        "Write the condition as inner_column",
    ),
    "cte-name": Refusal(
        "WITH r AS (SELECT region FROM visits GROUP BY 1), d AS (SELECT * FROM visits v JOIN r USING (region)) "
        "SELECT * FROM (WITH r AS (SELECT 1) SELECT count(*) FROM d) x",
        UNSUPPORTED,
        "another CTE called r hides the one meant here",
        "r USING",
        None,
        "Rename it",
    ),
    "feedback-size": Refusal(
        f"{COUNT} WHERE visit_id IN (SELECT generate_series(1, 20001))",
        UNSUPPORTED,
        "the result of a subquery among private rows is too large",
        "generate_series",
        "It may have 20000 rows",
        "Narrow it",
    ),
    "feedback-keys": Refusal(
        "SELECT count(*) FROM visits CROSS JOIN (SELECT count(*) AS n, generate_series(1, 3) AS g FROM regions) AS x",
        UNSUPPORTED,
        "a subquery among private rows has several rows for a key",
        "count(*) AS n, generate_series",
        None,
        "Group it by other columns",
    ),
    "mixed-rows": Refusal(
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT 1 FROM visits GROUP BY region)",
        UNSUPPORTED,
        "this GROUP BY would mix the rows of several people",
        "1 FROM visits",
        None,
        "Add the person's column to GROUP BY",
    ),
    "outer-join-rows": Refusal(
        "SELECT r.name, count(*) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
        UNSUPPORTED,
        "this aggregate would count public rows",
        "count(",
        "How many there are depends on single people",
        "Name a column of the private table",
    ),
    "per-unit-aggregate": Refusal(
        "SELECT count(*) FROM (SELECT patient_id, string_agg(region, ',') AS r FROM visits GROUP BY 1) x",
        UNSUPPORTED,
        "this aggregate is not supported over the rows of one person",
        "region, ','",
        None,
        "count, sum, avg",
    ),
    "per-unit-window": Refusal(
        "SELECT count(*) FROM (SELECT nth_value(cost, 2) OVER (PARTITION BY patient_id) FROM visits) x",
        UNSUPPORTED,
        "this window function is not supported over the rows of one person",
        "nth_value",
        None,
        "Ranks, lag",
    ),
    "row-clause": Refusal(
        "SELECT count(*) FROM (SELECT * FROM visits LIMIT 5) x",
        UNSUPPORTED,
        "LIMIT is not supported below an aggregate",
        "* FROM visits",
        "Which rows are left",
        "Aggregate first",
    ),
    "row-set-operation": Refusal(
        "SELECT count(*) FROM (SELECT region FROM visits UNION SELECT region FROM patients) x",
        UNSUPPORTED,
        "UNION would compare the rows of several people",
        "region",
        None,
        "Select the person's column",
    ),
    "window-over-people": Refusal(
        "SELECT count(*) FROM (SELECT rank() OVER (ORDER BY cost) AS r FROM visits) x WHERE r < 9",
        UNSUPPORTED,
        "this window function would see the rows of several people",
        "rank(",
        "Below an aggregate over private rows",
        "Add the person's column to PARTITION BY",
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

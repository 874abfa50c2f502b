"""One statement for every rule about statements as a whole, settings and prices, and what its client must see."""

from __future__ import annotations

from tests.end_to_end.refusal import COUNT, DENIED, INVALID, UNSUPPORTED, Refusal

REFUSED_STATEMENTS = {
    "columns": Refusal(
        f"SELECT {', '.join(['1'] * 1665)} FROM (SELECT count(*) FROM visits) AS x",
        "54011",
        "target lists can have at most 1664 entries",
        None,
        None,
        "Select fewer columns.",
    ),
    "complexity": Refusal(
        f"{COUNT} WHERE minutes IN ({', '.join(['1'] * 13_000)})",
        "54001",
        "this statement has more than 25000 tokens",
        None,
        None,
        "Replace long lists",
    ),
    "messages": Refusal("NOTIFY visits", DENIED, "NOTIFY and LISTEN are not allowed", None, "Notifications would pass"),
    "operators": Refusal(
        f"SELECT 1 {'/**/' * 600}",
        "54001",
        "this statement has too many operator characters in a row",
        "/**/",
        None,
        "Separate comments by spaces or",
    ),
    "size": Refusal(
        f"{COUNT} WHERE diagnosis = '{'x' * 1_000_000}'",
        "54000",
        "a query over private tables has more than 1000000 characters",
        None,
        None,
        "Shorten the query; replace long",
    ),
    "alter": Refusal(
        "ALTER TABLE visits ADD x integer", DENIED, "ALTER is not allowed", None, "A role could change", "Use SET"
    ),
    "answer-size": Refusal(
        "SELECT registered, percentile_disc(ARRAY[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.13, "
        "0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28]) WITHIN GROUP (ORDER BY height) "
        "FROM patients GROUP BY 1",
        UNSUPPORTED,
        "this answer would have too many minima, maxima, percentiles and modes",
        None,
        "1828 groups times 28 exceeds the limit of 50000.",
        "Group by fewer columns",
    ),
    "calibration-delta": Refusal(
        COUNT,
        INVALID,
        "calibration requires a delta",
        None,
        "dp.calibration is set, but",
        "SET dp.delta = '1e-7'",
        ["SET dp.calibration = analytic"],
    ),
    "calibration-range": Refusal(
        COUNT,
        INVALID,
        "the classic calibration is proven only for epsilon below 1, got 1",
        None,
        None,
        "SET dp.calibration = 'analytic'",
        ["SET dp.epsilon = 1", "SET dp.delta = '1e-7'", "SET dp.calibration = classic"],
    ),
    "copy": Refusal(f"COPY ({COUNT}", UNSUPPORTED, "could not parse this COPY"),
    "copy-target": Refusal(
        f"COPY ({COUNT}) TO PROGRAM 'cat'",
        DENIED,
        "COPY is supported only to the client",
        None,
        "Nothing is written",
        "Use COPY (SELECT",
    ),
    "declare": Refusal(
        "DECLARE c SELECT visits", UNSUPPORTED, "could not parse this DECLARE", None, None, "Write DECLARE"
    ),
    "delta-limit": Refusal(
        COUNT,
        INVALID,
        "delta is 0.01, but an account that pays for this query allows 8e-7 in total",
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
        "Use fewer",
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
    "not-allowed": Refusal(
        f"{COUNT} WHERE minutes & 1 = 1",
        UNSUPPORTED,
        "minutes & 1 is not supported",
        "minutes & 1",
        "Only expressions that",
        "Arithmetic, comparisons",
    ),
    "one-statement": Refusal(f"{COUNT}; SELECT 1", UNSUPPORTED, "expected a single statement", extended=True),
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
        "the Gaussian mechanism cannot be used here",
        None,
        "An account that pays for this query",
        "SET dp.mechanism = 'laplace'",
        ["SET dp.mechanism = gaussian"],
    ),
    "max-price": Refusal(
        COUNT,
        "53400",
        "this statement costs ",
        None,
        "Nothing was charged. Its price is rho 0.125.",
        "SET dp.max_price = '",
        first=["SET dp.max_price = '0.00001 %'"],
    ),
    "least-epsilon": Refusal(
        COUNT,
        INVALID,
        "dp.epsilon is 1e-06, but the policy requires at least 0.002 here",
        None,
        "With very cheap queries an analyst could",
        "SET dp.epsilon = 0.002;",
        ["SET dp.epsilon = 1e-6"],
    ),
    "no-price": Refusal(
        "SELECT count(*) FROM devices JOIN patients USING (patient_id)",
        INVALID,
        "no price is possible for a query over public.devices and public.patients",
        None,
        "The policy allows at most epsilon 0.001 for one of these tables and requires at least 0.002 for another.",
        "Query each table separately, or ask",
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
        "SET dp.epsilom = 1", INVALID, 'unrecognized setting "dp.epsilom"', None, None, "Available settings are dp."
    ),
    "setting-value": Refusal(
        "SET dp.epsilon = 'NaN'",
        INVALID,
        "invalid value for setting \"dp.epsilon\": 'NaN'",
        None,
        None,
        "dp.epsilon: price of",
    ),
    "sql-prepare": Refusal(f"PREPARE p AS {COUNT}", UNSUPPORTED, "PREPARE in SQL", None, None, "Use your driver's"),
    "date-style": Refusal(
        COUNT,
        UNSUPPORTED,
        "the output style of DateStyle must be ISO",
        None,
        None,
        "SET DateStyle = ISO",
        ["SET DateStyle = 'SQL, DMY'"],
    ),
    **{
        name.replace("_", "-"): Refusal(
            COUNT,
            UNSUPPORTED,
            f"{name} must be {needed}",
            None,
            "The private database reads and computes",
            f"SET {name} = {needed};",
            [f"SET {name} = {value}"],
        )
        for name, needed, value in (
            ("array_nulls", "on", "off"),
            ("extra_float_digits", "1", "0"),
            ("standard_conforming_strings", "on", "off"),
            ("timezone_abbreviations", "Default", "'Australia'"),
            ("transform_null_equals", "off", "on"),
        )
    },
    "writes": Refusal(
        "DELETE FROM visits", DENIED, "DELETE is not allowed through dpproxy", None, "Clients can only read"
    ),
}

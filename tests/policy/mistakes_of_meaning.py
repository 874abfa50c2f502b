"""Mistakes in what a well-written policy says: names and owners, prices, values and bounds of columns."""

from __future__ import annotations

from tests.policy.mistake import (
    ANALYSTS,
    BORN,
    COST,
    LOGIN,
    PATIENTS_BUDGET,
    PATIENTS_UNIT,
    QUERY,
    REGION,
    REGIONS,
    SHARE,
    SPECIALTY,
    VIA,
    VISITED,
    Mistake,
)
from tests.policy.policies import MARK, VERIFIER

NAMES_AND_OWNERS = [
    Mistake(
        "table without schema", REGIONS, f"regions: {MARK}{{public: true}}\n  {REGIONS}", "schema.table", "public."
    ),
    Mistake("pg_catalog", REGIONS, f"pg_catalog.a: {MARK}{{public: true}}\n  {REGIONS}", "reserved", "another schema"),
    Mistake("schema dp", REGIONS, f"dp.budget: {MARK}{{public: true}}\n  {REGIONS}", "'dp' is reserved", "another"),
    Mistake("long name", REGIONS, f"a.{'b' * 64}: {MARK}{{public: true}}\n  {REGIONS}", "too long", "63 bytes"),
    Mistake("system column", "patient_id: {}", f"ctid: {MARK}{{}}", "'ctid' is a system column", "own columns"),
    Mistake("empty column name", "patient_id: {}", f"'': {MARK}{{}}", "not a possible column name", "1 to 63"),
    Mistake("reserved login", "  ana: {", f"  pg_ana: {MARK}{{", "'pg_ana' is reserved", "another name"),
    Mistake("plain password", f'"{VERIFIER}"', f"{MARK}secret", "not a SCRAM-SHA-256 verifier", "dpproxy password"),
    Mistake("cut verifier", f'"{VERIFIER}"', f"{MARK}'{VERIFIER[:-8]}'", "not a SCRAM-SHA-256", "dpproxy password"),
    Mistake(
        "few iterations",
        f'"{VERIFIER}"',
        f"{MARK}'{VERIFIER.replace('4096', '1000')}'",
        "only 1000 iterations",
        "at least 4096",
    ),
    Mistake("no login", ANALYSTS, f"analysts:\n  ana: {MARK}{{}}", "'password' is missing", "certificate: COMMON NAME"),
    Mistake("empty login", LOGIN, f"{MARK}{{password: null}}", "'password' is missing", "certificate: COMMON NAME"),
    Mistake("empty name", LOGIN, f'{{certificate: {MARK}""}}', "not a possible common name", "the CN of the subject"),
    Mistake("long name", LOGIN, f"{{certificate: {MARK}{'x' * 65}}}", "not a possible common name", "1 to 64"),
    Mistake(
        "one certificate for two",
        LOGIN,
        f"{{certificate: Ana}}\n  bob: {{certificate: {MARK}Ana}}",
        "this certificate is also that of 'ana'",
        "of their own",
    ),
    Mistake("no network", LOGIN, f"{{certificate: Ana, networks: {MARK}[]}}", "no network is listed", "leave it out"),
    Mistake("a host", LOGIN, f"{{certificate: Ana, networks: {MARK}10.0.0.0/8}}", "a list of networks", "[10.0.0.0/8"),
    Mistake("no CIDR", LOGIN, f"{{certificate: Ana, networks: [{MARK}office]}}", "not a network", "10.0.0.0/8"),
    Mistake(
        "host bits", LOGIN, f"{{certificate: Ana, networks: [{MARK}10.1.0.0/8]}}", "to the right", "write 10.0.0.0/8"
    ),
    Mistake(
        "mapped network", LOGIN, f"{{certificate: Ana, networks: [{MARK}'::ffff:10.0.0.0/104']}}", "inside IPv6", "IPv4"
    ),
    Mistake("no analysts", ANALYSTS, f"analysts: {MARK}{{}}", "no analyst can log in", "add", "warning"),
    Mistake("unknown unit", PATIENTS_UNIT, f"unit: {{name: {MARK}patent, column: a}}", "'patent'", "mean 'patient'"),
    Mistake("unused unit", "patient: {}", f"patient: {{}}\n  doctor: {MARK}{{}}", "no table", "remove it", "warning"),
    Mistake(
        "column and via", PATIENTS_UNIT, f"unit: {MARK}{{name: patient, column: a, via: b}}", "both", "exactly one"
    ),
    Mistake("neither column nor via", VIA, f"{MARK}{{name: patient}}", "neither column nor via", "exactly one"),
    Mistake("via is no path", VIA, f"{{name: patient, via: {MARK}patient_id}}", "foreign-key path", "column -> schema"),
    Mistake("via unlisted", VIA, f"{{name: patient, via: {MARK}a -> public.patient.b}}", "not list", "public.patients"),
    Mistake("via public", VIA, f"{{name: patient, via: {MARK}a -> public.regions.b}}", "which is public", "private"),
    Mistake(
        "via circle", VIA, f"{{name: patient, via: {MARK}a -> public.visits.b}}", "in a circle", "the unit's column"
    ),
    Mistake(
        "a unit of its own by a path",
        VIA,
        VIA.replace("}", f", when_null: {MARK}each_row}}"),
        "leads to no other row",
        "the table that has the unit's column",
    ),
    Mistake(
        "another word for rows without a unit",
        PATIENTS_UNIT,
        PATIENTS_UNIT.replace("}", f", when_null: {MARK}keep}}"),
        "each_row",
        "",
    ),
    Mistake(
        "public with a unit",
        REGIONS,
        f"public.regions: {{public: true, unit: {MARK}{{name: patient, column: a}}}}",
        "a public table has no such key",
        "remove 'unit'",
    ),
    Mistake(
        "public with a budget",
        REGIONS,
        f"public.regions: {{public: true, budget: {MARK}{PATIENTS_BUDGET}}}",
        "a public table has no such key",
        "remove 'budget'",
    ),
    Mistake("private without budget", f"    budget: {PATIENTS_BUDGET}\n", "", "needs 'budget'", "add `budget"),
    Mistake("private without unit", f"    unit: {VIA}\n", "", "needs 'unit'", "public: true"),
    Mistake("empty budget", f"budget: {PATIENTS_BUDGET}", f"{MARK}budget:", "needs 'budget'", "add `budget"),
]


PRICES = [
    Mistake("analyst above table", SHARE, f"per_analyst: {{epsilon: {MARK}5, delta: 1e-7}}", "table's 3", "at most 3"),
    Mistake(
        "analyst's delta", SHARE, f"per_analyst: {{epsilon: 1, delta: {MARK}1e-5}}", "more than the table's", "most"
    ),
    Mistake("maximum below default", QUERY, f"{{epsilon: 0.5, max_epsilon: {MARK}0.2}}", "less than", "at least 0.5"),
    Mistake(
        "minimum above default",
        QUERY,
        f"{{epsilon: 0.1, max_epsilon: 1, min_epsilon: {MARK}0.2}}",
        "0.2 is more than the default price of 0.1",
        "give at most 0.1",
    ),
    Mistake(
        "profile above default",
        QUERY,
        f"{{epsilon: 0.1, max_epsilon: 1, profile_epsilon: {MARK}0.2}}",
        "0.2 is more than the default price of 0.1",
        "to 0.1",
    ),
    Mistake(
        "profile below minimum",
        QUERY,
        f"{{epsilon: 0.1, min_epsilon: 0.05, profile_epsilon: {MARK}0.01}}",
        "0.01 is less than 0.05",
        "give 0.05 to 0.1",
    ),
    Mistake(
        "noise without delta",
        "budget: {epsilon: 3, delta: 1e-6}\n    per_analyst: {epsilon: 1, delta: 1e-7}\n"
        "    query: {epsilon: 0.1, max_epsilon: 1}",
        f"budget: {{epsilon: 3}}\n    query: {{mechanism: {MARK}gaussian}}",
        "cannot be paid without delta",
        "mechanism: laplace",
    ),
    Mistake("price above budget", QUERY, f"{{epsilon: {MARK}2}}", "per_analyst.epsilon, 1", "lower", "warning"),
    Mistake("keys above budget", QUERY, f"{{delta: {MARK}5e-7}}", "per_analyst.delta", "undeclared", "warning"),
    Mistake("calibrated to nothing", QUERY, f"{{calibration: {MARK}zcdp}}", "requires a delta", "add `delta"),
    Mistake(
        "stated above budget",
        QUERY,
        f"{{calibration: zcdp, delta: {MARK}2e-7}}",
        "pays for it has 1E-7",
        "lower query.delta",
    ),
    Mistake(
        "classic beyond its proof",
        QUERY,
        f"{{epsilon: 1, delta: 1e-8, calibration: {MARK}classic}}",
        "proven only for epsilon below 1, got 1",
        "calibration: analytic",
    ),
    Mistake(
        "delta of nobody", PATIENTS_BUDGET, f"{{epsilon: 4, delta: {MARK}1e-30}}", "nobody better", "1e-6", "warning"
    ),
    Mistake(
        "delta above the unit's",
        f"patient: {{}}\ntables:\n  public.patients:\n    {PATIENTS_UNIT}\n    budget: {PATIENTS_BUDGET}",
        f"patient: {{budget: {{epsilon: 9, delta: 1e-6}}}}\ntables:\n  public.patients:\n    {PATIENTS_UNIT}\n"
        f"    budget: {{epsilon: 4, delta: {MARK}2e-6}}",
        "0.000002 cannot all be spent: the unit's cap is 0.000001",
        "raise the delta",
        "warning",
    ),
    Mistake("large delta", PATIENTS_BUDGET, f"{{epsilon: 4, delta: {MARK}0.001}}", "too large", "1e-6", "warning"),
    Mistake(
        "above the unit's cap",
        "patient: {}",
        "patient: {budget: {epsilon: 3.5, delta: 1e-6}}",
        "cap is 3.5",
        "raise",
        "warning",
    ),
    Mistake(
        "clock of parts", QUERY, f"{QUERY}\n    clock: {MARK}1.5 seconds", "whole number of seconds", "clock: 1 hour"
    ),
    Mistake("endless clock", QUERY, f"{QUERY}\n    clock: {MARK}367 days", "366 days", "clock: off"),
    Mistake("clock of words", QUERY, f"{QUERY}\n    clock: {MARK}never", "a length of time, or off", "clock: off"),
    Mistake("no recall", QUERY, f"{QUERY}\n    recall: {{for: {MARK}0 s}}", "never be recalled", "24 hours"),
    Mistake("recall of words", QUERY, f"{QUERY}\n    recall: {{for: {MARK}ever}}", "a length of time", "24 hours"),
    Mistake(
        "recall before the clock",
        QUERY,
        f"{QUERY}\n    recall: {{for: {MARK}90 seconds}}",
        "after 90 seconds, but now() moves only every 1 hour",
        "for: 1 hour",
        "warning",
    ),
    Mistake("query of nothing", QUERY, f"{QUERY}\n    data_version: {{query: {MARK}2}}", "must be text", "quotes"),
    Mistake("version of nothing", QUERY, f"{QUERY}\n    data_version: {MARK}true", "a text or a query", '"2"'),
    Mistake(
        "version of private rows",
        QUERY,
        f"{QUERY}\n    data_version: {{query: {MARK}SELECT max(cost) FROM public.visits}}",
        "public.visits is no public table",
        "public: true",
    ),
    *(
        Mistake(
            f"version by {query}", QUERY, f'{QUERY}\n    data_version: {{query: {MARK}"{query}"}}', "not max", "max"
        )
        for query in (
            "SELECT max(name), min(name) FROM public.regions",
            "SELECT max(name) FROM regions",
            "SELECT sum(name) FROM public.regions",
            "SELECT max(*) FROM public.regions",
            "SELECT max(lower(name)) FROM public.regions",
            "SELECT max(name) FROM public.regions, public.visits",
            "SELECT max(name) FROM public.regions; DELETE FROM public.visits",
        )
    ),
    Mistake(
        "windows of no time",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, delta: 1e-6, per: {MARK}month}}",
        "which time",
        "of: column",
    ),
    Mistake(
        "time of no windows",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, delta: 1e-6, of: {MARK}born}}",
        "without 'per'",
        "per: month",
    ),
    Mistake(
        "windows of a column that is not listed",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, delta: 1e-6, per: month, of: {MARK}seen}}",
        "do not have 'seen'",
        "bounds: [2024",
    ),
    Mistake(
        "windows of numbers",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, delta: 1e-6, per: month, of: {MARK}born}}",
        "no bounds of dates",
        "bounds: [2024",
    ),
    Mistake(
        "windows of minutes",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, delta: 1e-6, per: {MARK}minute, of: born}}",
        "must be 'day', 'week', 'month', 'quarter' or 'year'",
        "write",
    ),
    Mistake(
        "a budget of all windows that begins at no time",
        "{epsilon: 3, delta: 1e-6}",
        "{epsilon: 3, delta: 1e-6, per: month, of: visited_at,"
        f" total: {{epsilon: 9, delta: 1e-6, renew: {{every: week, at: {MARK}noon}}}}}}",
        "a week cannot begin then",
        "monday 00:00",
    ),
    Mistake(
        "a budget of all windows that is unlocked by the hour",
        "{epsilon: 3, delta: 1e-6}",
        "{epsilon: 3, delta: 1e-6, per: month, of: visited_at,"
        f" total: {{epsilon: 9, delta: 1e-6, unlock: {{over: {MARK}1 hour, since: 2026-01-01}}}}}}",
        "a part becomes available each day",
        "30 days",
    ),
    Mistake("nothing to snap to", QUERY, f"{QUERY}\n    clock: off\n    snap: {MARK}true", "clock is off", "snap"),
    Mistake(
        "m above M", "max_rows_per_group: 5", f"max_rows_per_group: {MARK}21", "more than max_rows, 20", "at most 20"
    ),
]


DOMAINS = [
    Mistake("bounds reversed", COST, f"cost: {{bounds: {MARK}[5000, 0]}}", "5000 is not below", "[low, high]"),
    Mistake("bounds equal", COST, f"cost: {{bounds: {MARK}[5, 5.0]}}", "is not below", "`values: [5]`"),
    Mistake("bounds of two kinds", VISITED, f"visited_at: {{bounds: {MARK}[0, 2026-01-01]}}", "a number", "one kind"),
    Mistake(
        "one zone",
        VISITED,
        f"visited_at: {{bounds: {MARK}[2024-01-01T00:00:00, 2026-01-01T00:00:00Z]}}",
        "the high bound a timestamp with time zone",
        "one kind",
    ),
    Mistake("bounds and range", BORN, f"{{range: [1, 9], bounds: {MARK}[1, 9]}}", "contradicts 'range'", "keep one"),
    Mistake("values and range", BORN, f"{{values: [a], range: {MARK}[1, 9]}}", "contradicts 'values'", "keep one"),
    Mistake("values twice", REGION, f"{{values: [a], values_from: {MARK}public.regions.name}}", "contradicts", "keep"),
    Mistake("fractional range", BORN, f"{{range: [{MARK}0.5, 9]}}", "whole numbers or dates", "use `bounds`"),
    Mistake("huge range", BORN, f"{{range: {MARK}[1, 1000000]}}", "1000000 group keys", "use `bounds`", "warning"),
    Mistake("coarse step", COST, f"cost: {{bounds: [0, 5], step: {MARK}6}}", "larger than the width", "grid"),
    Mistake(
        "step of dates",
        VISITED,
        f"visited_at: {{bounds: [2024-01-01, 2026-01-01], step: {MARK}1}}",
        "only numbers have a step",
        "remove it",
    ),
    Mistake("step alone", COST, f"cost: {{step: {MARK}1}}", "nothing without bounds", "add `bounds", "warning"),
    Mistake("no values", SPECIALTY, f"{{values: {MARK}[]}}", "list of values is empty", "list the values"),
    Mistake("value twice", SPECIALTY, f"{{values: [a, b, {MARK}a]}}", "a appears twice", "once"),
    Mistake("equal numbers", SPECIALTY, f"{{values: [1, {MARK}1.0]}}", "1.0 appears twice", "once"),
    Mistake("mixed values", SPECIALTY, f"{{values: [a, {MARK}1]}}", "a number among values of the kind text", "quote"),
    Mistake("truth among numbers", SPECIALTY, f"{{values: [1, {MARK}true]}}", "a true or false among", "quote"),
    Mistake(
        "no column", REGION, f"{{values_from: {MARK}public.regions}}", "schema.table.column", "values_from: schema"
    ),
    Mistake(
        "unlisted", REGION, f"{{values_from: {MARK}public.region.name}}", "not list public.region", "public.regions"
    ),
    Mistake("months as a bound", COST, f"cost: {{bounds: {MARK}[0 days, 2 months]}}", "or durations", "without months"),
    Mistake("no duration", COST, f"cost: {{bounds: {MARK}[0 days, 8 hourss]}}", "or durations", "such as 8 hours"),
    Mistake("long duration", COST, f"cost: {{bounds: {MARK}[0 days, 1000001 days]}}", "or durations", "8 hours"),
    Mistake("durations upside down", COST, f"cost: {{bounds: {MARK}[8 hours, 90 minutes]}}", "is not below", "[low"),
    Mistake(
        "a duration and a number", COST, f"cost: {{bounds: {MARK}[0, 8 hours]}}", "high bound a duration", "one kind"
    ),
    Mistake("range of durations", COST, f"cost: {{range: [{MARK}0 hours, 8 hours]}}", "whole numbers or", "`bounds`"),
    Mistake(
        "step of durations", COST, f"cost: {{bounds: [0 hours, 8 hours], step: {MARK}1}}", "have a step", "own grid"
    ),
    Mistake("others of nothing", COST, f"cost: {{bounds: [0, 1], others: {MARK}x}}", "no values are", "add `values"),
    Mistake("others of numbers", SPECIALTY, f"{{values: [1, 2], others: {MARK}x}}", "only texts", "leave `others` out"),
    Mistake("number for others", SPECIALTY, f"{{values: [a], others: {MARK}1}}", "must be text", "quotes"),
    Mistake(
        "others declared",
        SPECIALTY,
        f"{{values: [a, b], others: {MARK}b}}",
        "'b' is declared itself",
        "that no row has",
    ),
    Mistake(
        "other units", "patient_id: {}", f"patient_id: {{values: [a], others: {MARK}b}}", "leads to the unit", "leave"
    ),
    Mistake(
        "others on the way to the unit",
        '"patient_id": {bounds: [0, 1000000]}',
        f"patient_id: {{values: [a], others: {MARK}b}}",
        "leads to the unit",
        "leave `others` out",
    ),
    Mistake(
        "others of public rows",
        REGIONS,
        f"public.regions: {{public: true, columns: {{name: {{values: [a], others: {MARK}b}}}}}}",
        "the rows of a public table are read as they are",
        "leave `others` out",
    ),
    Mistake("private keys", REGION, f"{{values_from: {MARK}public.visits.specialty}}", "is private", "public table"),
]

"""Mistakes in how a policy is written: its YAML, its keys, and what its values are."""

from __future__ import annotations

from tests.policy.mistake import (
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
from tests.policy.policies import MARK

SYNTAX = [
    Mistake("unclosed bracket", "[cardiology, radiology]}", "[cardiology, radiology", "YAML", "syntax"),
    Mistake("tab", "  patient: {}", f"{MARK}\tpatient: {{}}", "not valid YAML", "syntax"),
    Mistake("duplicate table", REGIONS, f"{REGIONS}\n  {MARK}{REGIONS}", "appears twice", "first one is on line 25"),
    Mistake("duplicate key", QUERY, f"{{epsilon: 0.1, {MARK}epsilon: 0.2}}", "'epsilon' appears twice", "line 18"),
    Mistake(
        "merge key", "patient_id: {}", f"patient_id: {{}}\n      {MARK}<<: {{}}", "merge keys", "write the entries"
    ),
    Mistake("list as a key", "patient_id: {}", f"patient_id: {{}}\n      ? {MARK}[a]\n      : {{}}", "text", "quote"),
    Mistake("tag", "epsilon: 0.1", f"epsilon: {MARK}!price 0.1", "'!price' means nothing", "leave out"),
    Mistake("circular alias", SPECIALTY, f"{{values: {MARK}&v [*v]}}", "contains it", "write the value out"),
    Mistake("NUL in a text", SPECIALTY, f'{{values: [{MARK}"a\\0"]}}', "cannot store", "remove"),
    Mistake(
        "variable in a key", "patient: {}", f"patient: {{}}\n  {MARK}a${{B}}: {{}}", "values only", "write the key"
    ),
    Mistake("unset variable", QUERY, f"\n      epsilon: {MARK}${{PRICE}}", "variable PRICE is not set", "export PRICE"),
    Mistake("broken variable", QUERY, f"\n      epsilon: {MARK}${{1}}", "does not start a variable", "${NAME}"),
]


MEANT = [
    Mistake("decimal comma", "epsilon: 0.1", f"epsilon: {MARK}'0,1'", "a number, not a text", "a decimal point"),
    Mistake(
        "comma in a flow", "{epsilon: 4, delta", f"{{epsilon: 4, {MARK}5, delta", "unknown key '5'", "a decimal point"
    ),
    Mistake("power of ten", "delta: 1e-7", f"delta: {MARK}10^-7", "a number", "as in 1e-6"),
    Mistake("fraction", "delta: 1e-7", f"delta: {MARK}1/10000000", "a number", "as in 1e-6"),
    Mistake("singular", SHARE, f"{SHARE}\n    {MARK}column: {{}}", "'column'", "did you mean 'columns'"),
    Mistake("whole subject", LOGIN, f"{{certificate: {MARK}/O=clinic/CN=ana}}", "not a possible common", "CN of the"),
    Mistake("member", "units:", f"groups: {{bi: {{members: [{MARK}anna]}}}}\nunits:", "no analyst 'anna'", "'ana'"),
    Mistake(
        "no such table to ask",
        "units:",
        f"groups: {{bi: {{members: [ana], may: [{MARK}public.visit]}}}}\nunits:",
        "there is no table 'public.visit'",
        "did you mean 'public.visits'",
    ),
    Mistake("percent", "epsilon: 0.1", f"epsilon: {MARK}10%", "a number", "without a percent sign"),
    Mistake("unlimited", "epsilon: 3", f"epsilon: {MARK}unlimited", "a number", "a finite number"),
    Mistake("currency", "[0, 5000]", f"{MARK}[0 EUR, 5000 EUR]", "a list of two numbers", "without its unit"),
    Mistake("thousands", "[0, 5000]", f"{MARK}[0, 5_000]", "a list of two numbers", "without separators"),
    Mistake("date of Germany", "[2024-01-01,", f"{MARK}[1.1.2024,", "a list of two", "dates as 2024-01-31"),
    Mistake("date of America", "[2024-01-01,", f"{MARK}[01/01/2024,", "a list of two", "dates as 2024-01-31"),
    Mistake("date without zeros", "[2024-01-01,", f"{MARK}[2024-1-1,", "a list of two", "dates as 2024-01-31"),
    Mistake("date in words", "[2024-01-01,", f"{MARK}[1 January 2024,", "a list of two", "dates as 2024-01-31"),
    Mistake("minimum", "bounds: [0, 5000]", f"bounds: [0, 5000], {MARK}min: 0", "'min'", "`bounds: [low, high]`"),
    Mistake("allowed", SPECIALTY, f"{{{MARK}allowed: [a]}}", "'allowed'", "`values: [first, second]`"),
    Mistake("private", REGIONS, f"public.regions: {{public: true, {MARK}private: false}}", "'private'", "leave it out"),
    Mistake(
        "misplaced key", COST, f"cost: {{bounds: [0, 9], {MARK}max_rows: 5}}", "'max_rows'", "`contribution` of a table"
    ),
    Mistake(
        "unit as text", PATIENTS_UNIT, f"unit: {MARK}patient", "a mapping, not a text", "`unit: {name: patient, column"
    ),
    Mistake("budget as number", PATIENTS_BUDGET, f"{MARK}4", "a mapping, not a number", "`budget: {epsilon: 4"),
    Mistake("list as a text", REGION, f"{{values_from: {MARK}[public.regions.name]}}", "text, not a list", "one text"),
    Mistake("version as text", "version: 1", f"version: {MARK}'1'", "must be 1, not a text", "1 without quotes"),
    Mistake("later version", "version: 1", f"version: {MARK}2", "must be 1, not 2", "write 1"),
]


KEYS_AND_TYPES = [
    Mistake("wrong version", "version: 1", f"version: {MARK}2", "must be 1", "write 1"),
    Mistake("unknown root key", "units:", f"{MARK}tabels: {{}}\nunits:", "'tabels'", "mean 'tables'"),
    Mistake("unknown table key", SHARE, f"{MARK}per_analysts: {{}}", "'per_analysts'", "mean 'per_analyst'"),
    Mistake("unknown column key", VISITED, f"visited_at: {{{MARK}bound: [1, 2]}}", "'bound'", "did you mean 'bounds'"),
    Mistake(
        "unlike any key",
        QUERY,
        f"{{{MARK}zzz: 1}}",
        "'zzz'",
        "epsilon, max_epsilon, min_epsilon, profile_epsilon, delta, mechanism",
    ),
    Mistake("number as text", "epsilon: 0.1", f"epsilon: {MARK}'0.1'", "a number, not a text", "without quotes"),
    Mistake("bool as number", "max_rows: 20", f"max_rows: {MARK}true", "whole number, not true", "without quotes"),
    Mistake("fraction of a row", "max_rows: 20", f"max_rows: {MARK}20.5", "must be a whole number", "whole number"),
    Mistake("text as bool", REGIONS, f"public.regions: {{public: {MARK}yes}}", "true or false", "write true"),
    Mistake("number as text key", VIA, f"{{name: {MARK}5, column: a}}", "must be text, not a number", "quotes"),
    Mistake("mapping missing", "patient_id: {}", f"{MARK}patient_id:", "must be a mapping, not nothing", "{}"),
    Mistake("number for a mapping", QUERY, f"{MARK}0.1", "must be a mapping, not a number", "query: {epsilon: 0.1}"),
    Mistake("text for a list", SPECIALTY, f"{{values: {MARK}cardiology}}", "must be a list", "values: ["),
    Mistake("no failure allowed", "version: 1", f"version: 1\nfailures: {MARK}0", "at least 1, not 0", "at least 1"),
    Mistake(
        "failures in words", "version: 1", f"version: 1\nfailures: {MARK}none", "whole number, not a text", "whole"
    ),
    Mistake(
        "work without a unit",
        "version: 1",
        f'version: 1\ntiming: {{work: {MARK}"1"}}',
        "a time in us, ms",
        "work: 1 ms",
    ),
    Mistake(
        "unknown timing key",
        "version: 1",
        f"version: 1\ntiming: {{delta: 1e-9, {MARK}works: 1 ms}}",
        "'works'",
        "mean 'work'",
    ),
    Mistake(
        "no work",
        "version: 1",
        f"version: 1\ntiming: {{delta: 1e-9, work: {MARK}0 ms}}",
        "take some time",
        "work: 1 ms",
    ),
    Mistake(
        "endless delays",
        "version: 1",
        f"version: 1\ntiming: {{epsilon: 0.001, delta: 1e-9, work: {MARK}1 s}}",
        "wait for minutes: 1 s at an epsilon of 0.001",
        "raise timing.epsilon",
    ),
    Mistake(
        "time that cannot be paid",
        "version: 1",
        f"version: 1\ntiming: {{delta: {MARK}9E-8}}",
        "tables.public.visits.per_analyst has",
        "a larger delta",
    ),
    Mistake("null in values", SPECIALTY, f"{{values: {MARK}[a, null]}}", "must be a list of texts", "values: ["),
    Mistake("timestamp in values", SPECIALTY, f"{{values: {MARK}[2024-01-01T10:00:00]}}", "list of texts", "values: ["),
    Mistake("one bound", VISITED, f"visited_at: {{bounds: {MARK}[2024-01-01]}}", "list of two", "[low, high]"),
    Mistake("three bounds", VISITED, f"visited_at: {{bounds: {MARK}[1, 2, 3]}}", "list of two", "[low, high]"),
    Mistake("bounds of text", VISITED, f"visited_at: {{bounds: {MARK}[a, b]}}", "list of two", "without quotes"),
    Mistake(
        "missing unit name", PATIENTS_UNIT, f"unit: {MARK}{{column: patient_id}}", "'name' is missing", "add `name"
    ),
    Mistake("negative price", "epsilon: 0.1", f"epsilon: {MARK}-0.1", "greater than 0, not -0.1", "greater than 0"),
    Mistake("zero budget", "epsilon: 3", f"epsilon: {MARK}0", "greater than 0, not 0", "greater than 0"),
    Mistake("NaN", "epsilon: 0.1", f"epsilon: {MARK}.nan", "not a number that can be", "finite"),
    Mistake("infinity", "epsilon: 3", f"epsilon: {MARK}.inf", "not a number that can be", "finite"),
    Mistake("too many digits", "epsilon: 3", f"epsilon: {MARK}1e1000000000", "out of range", "1e300"),
    Mistake("negative delta", "delta: 1e-7", f"delta: {MARK}-1e-7", "at least 0", "at least 0"),
    Mistake("certain failure", "delta: 1e-7", f"delta: {MARK}1", "less than 1, not 1", "less than 1"),
    Mistake("no rows", "max_rows_per_group: 5", f"max_rows_per_group: {MARK}0", "at least 1, not 0", "at least 1"),
    Mistake("zero step", "step: 0.01", f"step: {MARK}0", "greater than 0", "greater than 0"),
    Mistake("no such mechanism", QUERY, f"{{mechanism: {MARK}gausian}}", "'gaussian'", "'laplace'"),
    Mistake("no such calibration", QUERY, f"{{calibration: {MARK}zcpd}}", "'analytic'", "'classic'"),
    Mistake(
        "no such renewal",
        PATIENTS_BUDGET,
        f"{{epsilon: 4, renew: {MARK}daily}}",
        "never, or when it begins",
        "{every: month}",
    ),
    Mistake("no such day", VISITED, f"visited_at: {{bounds: [{MARK}2024-02-30, 2026-01-01]}}", "not a date", "2024-01"),
    Mistake("leading zero", SPECIALTY, f"{{values: [{MARK}01234]}}", "starts with a zero", 'write "01234"'),
]

"""The rules of `dpproxy check`, each with a stable id: once given, an id keeps its meaning and is not given again.

001: remarks, 1xx: the file, 2xx: names and units, 3xx: budgets and prices, 4xx: columns, 5xx: does the policy fit the
database, 6xx: does the database keep the promise, 7xx: are queries planned as they expect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from proxy.policy.findings import Severity


@dataclass(frozen=True)
class RuleDescription:
    """A rule as `dpproxy check --rules` lists it.

    Attributes:
        id: such as "DP302".
        severity: of its findings.
        summary: what is wrong.
        example: a part of a policy that breaks it, alone or put into a valid policy; empty where it takes a database.
    """

    id: str
    severity: Severity
    summary: str
    example: str = ""


_RULES: Final[tuple[tuple[str, Severity, str, str], ...]] = (
    (
        "DP001",
        "warning",
        "a mark `# decide:` is left",
        'analysts: {ana: {password: "SCRAM…"}}  # decide: who may log in',
    ),
    (
        "DP002",
        "warning",
        "a remark of dpproxy's is misspelt, has no reason, or does nothing",
        "timing: null  # dpproxy: allow DP310",
    ),
    ("DP101", "error", "the file cannot be read, or is not YAML", "tables: ["),
    ("DP102", "error", "YAML that means nothing in a policy: tags, merge keys, lists as keys", "units: !person {}"),
    ("DP103", "error", "a key appears twice", "{version: 1, version: 1}"),
    (
        "DP104",
        "error",
        "a value cannot be read: an unset variable, a number or date that is none",
        "source: ${NOT_SET_ANYWHERE}",
    ),
    ("DP105", "error", "the file is larger or deeper than a policy can be", "[" * 33 + "]" * 33),
    ("DP110", "error", "an unknown key", "tables: {public.visits: {budgets: {}}}"),
    ("DP111", "error", "a required key is missing", "tables: {public.other: {unit: {column: patient_id}}}"),
    ("DP112", "error", "a value of the wrong kind or out of range", "tables: {public.visits: {budget: {epsilon: -1}}}"),
    ("DP201", "error", "a table's name is not schema.table, or reserved", "tables: {visits: {public: true}}"),
    (
        "DP202",
        "error",
        "a column's name is impossible, or a system column's",
        "tables: {public.visits: {columns: {ctid: {}}}}",
    ),
    ("DP203", "warning", "no analyst can log in", "analysts: null"),
    ("DP204", "error", "a login's name is impossible or reserved", "analysts: {postgres: {password: x}}"),
    ("DP205", "error", "a password is not a verifier, or a weak one", "analysts: {ana: {password: secret}}"),
    ("DP206", "error", "a table names a unit that is not declared", "tables: {public.visits: {unit: {name: doctor}}}"),
    ("DP207", "warning", "a unit has no tables", "units: {doctor: {}}"),
    ("DP208", "error", "a public table has keys of a private one", "tables: {public.regions: {budget: {epsilon: 1}}}"),
    (
        "DP209",
        "error",
        "a view has keys that belong to the tables it reads",
        "tables: {public.seen: {view: true, budget: {epsilon: 1}}}",
    ),
    ("DP210", "error", "a private table lacks its unit, budget or columns", "tables: {public.other: {columns: {}}}"),
    (
        "DP211",
        "error",
        "a unit has not exactly one of column and via",
        "tables: {public.visits: {unit: {column: patient_id}}}",
    ),
    ("DP212", "error", "`when_null: each_row` beside `via`", "tables: {public.visits: {unit: {when_null: each_row}}}"),
    (
        "DP213",
        "error",
        "a `via` that leads to no unit, or in a circle, or to another unit",
        "tables: {public.visits: {unit: {via: visit -> public.absent.id}}}",
    ),
    (
        "DP214",
        "error",
        "a certificate of two analysts, or with an impossible common name",
        'analysts: {ana: {certificate: ""}}',
    ),
    (
        "DP215",
        "error",
        "networks that are none, or nobody's",
        "analysts: {ana: {networks: [10.0.0.1/8]}}",
    ),
    (
        "DP216",
        "error",
        "a setting of an analyst that there is not, or a value that it cannot have",
        "analysts: {ana: {settings: {dp.epsilon: much}}}",
    ),
    ("DP217", "warning", "a network that every address is in", "analysts: {ana: {networks: [0.0.0.0/0]}}"),
    (
        "DP218",
        "warning",
        "the private database's password stands in the file",
        "source: postgresql://reader:hunter2@localhost/clinic",
    ),
    (
        "DP219",
        "warning",
        "the connection to the private database may go without TLS",
        "source: host=db.example.org dbname=clinic",
    ),
    (
        "DP220",
        "warning",
        "a login's password is guessed at once, or another's",
        'analysts: {bob: {password: "SCRAM-SHA-256$4096:cKDe61zMteTMtOaX5FVCMg==$'
        'ME/UKYz3rpR4twBosMoHhxepCrM+pNhUEQzmH9LnVS4=:PX1k8EQCLbzv9uFPzBJouMYh6KlUvNiWDsM3TEWjHz8="}}',
    ),
    (
        "DP221",
        "warning",
        "sessions begin with a price that no table allows",
        "analysts: {ana: {settings: {dp.epsilon: '5'}}}",
    ),
    (
        "DP301",
        "warning",
        "a table's budget is more than its unit's, and cannot be spent",
        "units: {patient: {budget: {epsilon: 1, delta: 1e-6}}}",
    ),
    ("DP302", "warning", "a delta too large to protect anybody", "tables: {public.visits: {budget: {delta: 0.01}}}"),
    (
        "DP303",
        "error",
        "one analyst's share is more than the whole",
        "tables: {public.visits: {per_analyst: {epsilon: 9}}}",
    ),
    (
        "DP304",
        "error",
        "the least or greatest price contradicts the default price",
        "tables: {public.visits: {query: {max_epsilon: 0.01}}}",
    ),
    (
        "DP305",
        "error",
        "Gaussian noise without delta",
        "tables: {public.patients: {budget: {delta: 0}, query: {mechanism: gaussian}}}",
    ),
    (
        "DP306",
        "error",
        "a calibration without a delta, or with one that no account has",
        "tables: {public.visits: {query: {calibration: analytic}}}",
    ),
    (
        "DP307",
        "warning",
        "the default price is more than a budget",
        "tables: {public.visits: {query: {epsilon: 3.5, max_epsilon: 4}}}",
    ),
    (
        "DP308",
        "warning",
        "the delta of selected keys is more than a budget's",
        "tables: {public.visits: {query: {delta: 1e-5}}}",
    ),
    (
        "DP309",
        "error",
        "max_rows_per_group without max_rows, or above it",
        "tables: {public.visits: {contribution: {max_rows_per_group: 50}}}",
    ),
    ("DP310", "warning", "nothing is said of response times", "timing:"),
    ("DP311", "error", "response times that cannot be paid for, or waits of minutes", "timing: {work: 0 ms}"),
    (
        "DP312",
        "warning",
        "one query may ask for more than a whole budget",
        "tables: {public.visits: {query: {max_epsilon: 100}}}",
    ),
    (
        "DP313",
        "warning",
        "one of several analysts can spend a whole budget",
        "{analysts: {bob: {certificate: Bob}}, tables: {public.visits: {per_analyst: null}}}",
    ),
    ("DP314", "warning", "very many failures are let through", "failures: 10000"),
    (
        "DP315",
        "warning",
        "a default price that buys noise alone",
        "tables: {public.visits: {query: {epsilon: 1e-9}}}",
    ),
    (
        "DP316",
        "warning",
        "noise wider than all that the bounds tell",
        "tables: {public.visits: {columns: {cost: {bounds: [1000000000, 1000000001]}}}}",
    ),
    ("DP320", "warning", "an epsilon that protects little", "tables: {public.visits: {budget: {epsilon: 50}}}"),
    (
        "DP321",
        "warning",
        "an account does not pay for one default query",
        "tables: {public.visits: {query: {epsilon: 1}}}",
    ),
    ("DP322", "warning", "a delta of one over the number of units or more", ""),
    ("DP323", "warning", "no group can have as many units as it has to", ""),
    (
        "DP324",
        "warning",
        "windows of time whose budgets add up without a limit",
        "tables: {public.visits: {budget: {per: month, of: visited_at}}}",
    ),
    (
        "DP330",
        "error",
        "a clock that cannot tick, or nothing to snap to",
        "tables: {public.visits: {clock: 1.5 seconds}}",
    ),
    ("DP331", "error", "answers are never recalled", "tables: {public.visits: {recall: {for: 0 s}}}"),
    (
        "DP332",
        "warning",
        "answers are asked anew before the clock moves",
        "tables: {public.visits: {recall: {for: 30 minutes}}}",
    ),
    (
        "DP333",
        "error",
        "the version of the data is not read from a public table",
        "tables: {public.visits: {data_version: {query: SELECT max(visit_id) FROM public.visits}}}",
    ),
    ("DP334", "warning", "a clock that moves at each refresh", "tables: {public.visits: {clock: 5 seconds}}"),
    (
        "DP335",
        "error",
        "a budget begins anew at a time or in a zone that there is not",
        "tables: {public.visits: {budget: {renew: {every: week, at: noon}}}}",
    ),
    (
        "DP336",
        "warning",
        "a budget renews: what its windows tell of the same rows adds up",
        "tables: {public.visits: {budget: {renew: {every: month}}}}",
    ),
    (
        "DP337",
        "error",
        "the parts of a budget have no first day, or are no days",
        "tables: {public.visits: {budget: {unlock: {over: 30 days}}}}",
    ),
    (
        "DP338",
        "warning",
        "a rate that is no limit",
        "tables: {public.visits: {budget: {at_most: {epsilon: 100, per: day}}}}",
    ),
    (
        "DP339",
        "warning",
        "a budget that pays for nothing in the next weeks",
        "tables: {public.visits: {budget: {unlock: {over: 30 days, since: 2999-01-01}}}}",
    ),
    ("DP341", "error", "a member of a group that is no analyst, or of two groups", "groups: {bi: {members: [nobody]}}"),
    (
        "DP342",
        "error",
        "`may` lists something other than private tables",
        "groups: {bi: {members: [], may: [a.x]}}",
    ),
    ("DP343", "error", "a steward who is an analyst, too", "stewards: {ana: {certificate: Ana}}"),
    (
        "DP344",
        "error",
        "a budget for windows of time that does not say which",
        "tables: {public.visits: {budget: {per: month}}}",
    ),
    (
        "DP345",
        "error",
        "the time of windows has no bounds of dates",
        "tables: {public.visits: {budget: {per: month, of: cost}}}",
    ),
    (
        "DP346",
        "error",
        "the bounds of the time hold too many windows",
        "tables: {public.visits: {budget: {per: day, of: visited_at}, "
        "columns: {visited_at: {bounds: '[1990-01-01, 2026-01-01)'}}}}",
    ),
    (
        "DP347",
        "error",
        "response times are protected, but depend on windows that do not pay",
        "{timing: {work: 1 ms}, tables: {public.visits: {budget: {per: month, of: visited_at}}}}",
    ),
    (
        "DP348",
        "warning",
        "all windows together have less than one of them",
        "tables: {public.visits: {budget: {per: month, of: visited_at, total: {epsilon: 1}}}}",
    ),
    ("DP350", "warning", "a group without members, or a login that may ask nothing", "groups: {bi: {members: []}}"),
    ("DP349", "warning", "an analyst's last day is over", "analysts: {ana: {valid_until: 2020-12-31}}"),
    (
        "DP401",
        "error",
        "two declarations of one column contradict each other",
        "tables: {public.visits: {columns: {cost: {range: [1, 5]}}}}",
    ),
    (
        "DP402",
        "error",
        "bounds of two kinds, or the wrong way round",
        "tables: {public.visits: {columns: {cost: {bounds: [9, 1]}}}}",
    ),
    (
        "DP403",
        "error",
        "a range of other than whole numbers or dates",
        "tables: {public.patients: {columns: {born: {range: [0.5, 2]}}}}",
    ),
    (
        "DP404",
        "warning",
        "a range declares very many groups",
        "tables: {public.patients: {columns: {born: {range: [0, 1000000]}}}}",
    ),
    (
        "DP405",
        "error",
        "a step of something other than a number, or wider than the bounds",
        "tables: {public.visits: {columns: {cost: {step: 9999}}}}",
    ),
    (
        "DP406",
        "error",
        "a list of values is empty, mixed or has one twice",
        "tables: {public.visits: {columns: {specialty: {values: [a, a]}}}}",
    ),
    (
        "DP407",
        "error",
        "`values_from` names no listed public column",
        "tables: {public.patients: {columns: {region: {values_from: public.visits.cost}}}}",
    ),
    ("DP408", "warning", "a step without bounds", "tables: {public.visits: {columns: {minutes: {step: 1}}}}"),
    (
        "DP409",
        "error",
        "a name for other values that means nothing",
        "tables: {public.visits: {columns: {minutes: {others: other}}}}",
    ),
    (
        "DP410",
        "warning",
        "bounds so wide that noise hides every answer",
        "tables: {public.visits: {columns: {cost: {bounds: [0, 1e30]}}}}",
    ),
    ("DP411", "warning", "a listed column tells who somebody is", "tables: {public.patients: {columns: {email: {}}}}"),
    (
        "DP412",
        "warning",
        "the column of the unit, or of the way to it, is not listed",
        "tables: {public.patients: {unit: {column: person}}}",
    ),
    (
        "DP413",
        "warning",
        "an exact birth date and a postcode",
        "tables: {public.patients: {columns: {birth_date: {bounds: [1900-01-01, 2026-01-01]}, postcode: {}}}}",
    ),
    (
        "DP414",
        "warning",
        "a public column seems to be about people",
        "tables: {public.regions: {columns: {name: {}, email: {}}}}",
    ),
    ("DP501", "error", "the database has no such table", ""),
    ("DP502", "error", "the table has no such column", ""),
    ("DP503", "error", "no row can have a declared value", ""),
    ("DP504", "error", "bounds do not fit the column's type", ""),
    ("DP505", "warning", "a step finer than the column's own grid", ""),
    ("DP506", "error", "`values_from` names a column of another type", ""),
    ("DP507", "warning", "rows with undeclared values are in no group", ""),
    ("DP508", "warning", "a number without bounds", ""),
    ("DP509", "warning", "texts that the source takes for equal are different here", ""),
    ("DP510", "error", "the unit's column cannot identify a unit", ""),
    ("DP511", "warning", "units that the source takes for one are two here", ""),
    ("DP512", "error", "nothing tells apart the rows whose unit is NULL", ""),
    ("DP513", "error", "a row of its own could be a unit's", ""),
    ("DP514", "error", "columns of one unit differ in which texts are equal", ""),
    ("DP515", "error", "a `via` leads to a column that is not unique", ""),
    ("DP516", "error", "a `via` joins columns of different types", ""),
    ("DP517", "warning", "noise is made for more rows than a unit has", ""),
    ("DP518", "warning", "no column can be a group key", ""),
    ("DP519", "warning", "a public table refers to private rows", ""),
    ("DP520", "error", "`view: true` on a table", ""),
    ("DP521", "warning", "a view with a unit of its own", ""),
    ("DP522", "error", "`others` does not fit the column", ""),
    ("DP523", "warning", "`others` is not needed", ""),
    ("DP524", "warning", "a cluster spreads rows otherwise than by the unit", ""),
    ("DP526", "warning", "rows lead to a unit that does not own them", ""),
    ("DP525", "error", "`from_type` where neither type nor CHECK lists values", ""),
    ("DP601", "error", "the database's encoding is not UTF8", ""),
    ("DP602", "warning", "the reader is a superuser", ""),
    ("DP603", "warning", "texts sort otherwise than on the source", ""),
    ("DP604", "error", "a public relation shows private rows", ""),
    ("DP605", "error", "a public relation shows what the server knows of private tables", ""),
    ("DP606", "warning", "a public relation reads what nothing tells", ""),
    ("DP607", "error", "declared values come from private rows", ""),
    ("DP608", "error", "rows have two budgets: a parent and its partition are both listed", ""),
    ("DP609", "warning", "row-level security decides what is counted", ""),
    ("DP610", "warning", "rows without a unit are not counted", ""),
    ("DP611", "error", "the reader may not read a table", ""),
    ("DP640", "error", "what was spent under other accounts of a table would not count (found by `serve`)", ""),
    ("DP701", "error", "a query is refused that should be answered", "SELECT * FROM visits;"),
    (
        "DP702",
        "error",
        "a query is answered, or refused by another rule",
        "-- expect: refused\nSELECT count(*) FROM visits;",
    ),
    ("DP703", "error", "a query costs more than expected", "-- max_epsilon: 0.001\nSELECT count(*) FROM visits;"),
    (
        "DP704",
        "error",
        "the noise of a number is wider than expected, or not known before the answer",
        "-- max_error: ±0.1\nSELECT count(*) FROM visits;",
    ),
    ("DP705", "error", "other accounts pay than expected", "-- accounts: unit:doctor\nSELECT count(*) FROM visits;"),
    ("DP706", "error", "queries or expectations that cannot be read", "-- max_epsilom: 0.1\nSELECT 1;"),
)

RULE_LIST: Final = {row[0]: RuleDescription(*row) for row in _RULES}
"""All rules by their ids, in their order."""


def rule_lines() -> list[str]:
    """The rules as text."""
    lines = []
    for rule in RULE_LIST.values():
        lines.append(f"{rule.id} {rule.severity}: {rule.summary}")
        example = rule.example.replace("\n", " ⏎ ")
        lines.append(f"    {example}" if example else "    found with --source or --catalog")
    return lines

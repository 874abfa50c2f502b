"""The rules on files, and on what they name: remarks (001), the file (1xx), names and units (2xx)."""

from __future__ import annotations

from typing import Final

from proxy.policy.rule_texts.row import Row

FILES_AND_NAMES: Final[tuple[Row, ...]] = (
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
        "DP222",
        "warning",
        "the private database's connection string cannot be read",
        "source: https://db.example.org/clinic",
    ),
    ("DP223", "warning", "no table is listed", "{version: 1, tables: {}}"),
    ("DP224", "warning", "a login's name with a blank", "analysts: {ana smith: {certificate: Ana}}"),
    (
        "DP225",
        "warning",
        "a password beside a certificate",
        "analysts: {ana: {certificate: Ana}}",
    ),
    ("DP226", "warning", "a login that several people seem to share", "analysts: {team: {certificate: Team}}"),
)

"""A policy against the catalog of its source: one test per disagreement."""

from __future__ import annotations

import dataclasses
import json

import pytest

from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.findings import Finding
from proxy.policy.lint import check_against_catalog
from tests.policy.mistake import Mistake
from tests.policy.policies import MARK, VALID, edited, examine, marked_place


def table(name: str, types: dict[str, str], unique: str | None = None, *foreign_keys: ForeignKey) -> Table:
    columns = {column: Column(column, type_name, type_oid=0, nullable=False) for column, type_name in types.items()}
    keys = frozenset({frozenset({unique})}) if unique is not None else frozenset[frozenset[str]]()
    return Table(name, columns, (unique,) if unique is not None else (), keys, foreign_keys)


PATIENTS = table(
    "public.patients",
    {"patient_id": "integer", "region": "text", "born": "smallint"},
    "patient_id",
    ForeignKey(("region",), "public.regions", ("name",)),
)
VISITS = table(
    "public.visits",
    {
        "visit_id": "bigint",
        "patient_id": "integer",
        "cost": "numeric",
        "specialty": "character varying",
        "visited_at": "timestamp with time zone",
        "minutes": "integer",
        "score": "double precision",
        "token": "uuid",
        "open": "boolean",
        "code": "text",
        "took": "interval",
        "tags": "text[]",
    },
    "visit_id",
    ForeignKey(("patient_id",), "public.patients", ("patient_id",)),
)
CHECKED = dataclasses.replace(VISITS.columns["specialty"], labels=("cardiology", "radiology"))
VISITS = dataclasses.replace(
    VISITS,
    columns={**VISITS.columns, "specialty": CHECKED},
    unique_keys=VISITS.unique_keys | {frozenset({"code"})},
)
REGIONS = table("public.regions", {"name": "text", "code": "integer", "patient": "integer"}, "name")
CATALOG = Catalog({found.name: found for found in (PATIENTS, VISITS, REGIONS)})

COST = "cost: {bounds: [0, 5000], step: 0.01}"
SPECIALTY = "{values: [cardiology, radiology]}"
VIA = "via: patient_id -> public.patients.patient_id"


def findings_of(text: str, catalog: Catalog = CATALOG) -> list[Finding]:
    examination = examine(text)
    assert examination.policy is not None, examination.findings
    return check_against_catalog(examination.policy, catalog, examination.source_map)


def with_column(found: Table, column: Column) -> Catalog:
    changed = dataclasses.replace(found, columns={**found.columns, column.name: column})
    return Catalog({**CATALOG.tables, found.name: changed})


def test_a_policy_that_fits_its_source_has_no_findings() -> None:
    assert findings_of(VALID) == []


@pytest.mark.parametrize(
    "keys",
    [
        (),
        (ForeignKey(("region",), "public.regions", ("code",)),),
        (ForeignKey(("region", "born"), "public.regions", ("name", "code")),),
    ],
)
def test_declared_values_that_no_foreign_key_guarantees_are_a_warning(keys: tuple[ForeignKey, ...]) -> None:
    """One of two columns says nothing of a row in which the other is NULL."""
    born = dataclasses.replace(PATIENTS.columns["born"], nullable=True)
    changed = dataclasses.replace(PATIENTS, foreign_keys=keys, columns={**PATIENTS.columns, "born": born})
    (finding,) = findings_of(VALID, Catalog({**CATALOG.tables, changed.name: changed}))
    assert (finding.severity, finding.path) == ("warning", "tables.public.patients.columns.region.values_from")
    assert "rows with them are in no group" in finding.message
    assert "add a foreign key to public.regions.name" in finding.hint


def test_foreign_keys_over_other_tables_guarantee_declared_values_too() -> None:
    both = ForeignKey(("region", "born"), "public.visits", ("specialty", "minutes"))
    to_regions = ForeignKey(("specialty",), "public.regions", ("name",))
    visits = dataclasses.replace(VISITS, foreign_keys=(*VISITS.foreign_keys, to_regions))
    patients = dataclasses.replace(PATIENTS, foreign_keys=(both,))
    assert findings_of(VALID, Catalog({**CATALOG.tables, patients.name: patients, visits.name: visits})) == []


MISTAKES = [
    Mistake("no such column", COST, f"costs: {MARK}{{}}", "no column 'costs'", "did you mean 'cost'?"),
    Mistake(
        "bounds on text", SPECIALTY, f"{{bounds: {MARK}[0, 5]}}", "do not fit a column of type char", "only numbers"
    ),
    Mistake("dates on numbers", COST, f"cost: {{bounds: {MARK}[2024-01-01, 2025-01-01]}}", "numeric", "dates and"),
    Mistake(
        "bounds without a zone",
        "[2024-01-01, 2026-01-01]",
        f"{MARK}[2024-01-01T00:00:00, 2026-01-01T00:00:00]",
        "do not fit a column of type timestamp with time zone",
        "by dates",
    ),
    Mistake(
        "durations on numbers", COST, f"cost: {{bounds: {MARK}[0 hours, 8 hours]}}", "type numeric", "bound numbers by"
    ),
    Mistake("numbers on intervals", COST, f"took: {{bounds: {MARK}[0, 8]}}", "type interval", "intervals by durations"),
    Mistake("range of fractions", COST, f"cost: {{range: {MARK}[0, 5]}}", "cannot list all values", "use `bounds`"),
    Mistake(
        "range of moments",
        "{bounds: [2024-01-01, 2026-01-01]}",
        f"{{range: {MARK}[2024-01-01, 2024-02-01]}}",
        "cannot list all values",
        "use `bounds`",
    ),
    Mistake("numbers in a text column", SPECIALTY, f"{{values: [{MARK}1]}}", "no character varying has", "quote"),
    Mistake("text in a number column", COST, f"minutes: {{values: [1, {MARK}70000000000]}}", "no integer has", "store"),
    Mistake("fraction in an integer column", COST, f"minutes: {{values: [{MARK}1.5]}}", "no integer has", "store"),
    Mistake("no uuid", COST, f"token: {{values: [{MARK}abc]}}", "no uuid has", "store"),
    Mistake("text for a boolean", COST, f"open: {{values: [{MARK}'true']}}", "no boolean has", "store"),
    Mistake("boolean for a text", SPECIALTY, f"{{values: [{MARK}true]}}", "no character varying has", "store"),
    Mistake("keys from no column", "public.regions.name}", "public.regions.nam}", "no column 'nam'", "mean 'name'"),
    Mistake(
        "keys of another type", "public.regions.name}", "public.regions.code}", "has the type integer", "same type"
    ),
    Mistake(
        "no unit column", "column: patient_id", f"column: {MARK}patientid", "no column 'patientid'", "'patient_id'"
    ),
    Mistake(
        "array as unit",
        f"{{name: patient, {VIA}}}",
        f"{{name: patient, column: {MARK}tags}}",
        "does not identify",
        "uuid column",
    ),
    Mistake(
        "float as unit",
        f"{{name: patient, {VIA}}}",
        f"{{name: patient, column: {MARK}score}}",
        "does not identify",
        "uuid column",
    ),
    Mistake(
        "others of numbers",
        COST,
        f"minutes: {{values_from: public.regions.code, others: {MARK}x}}",
        "a column of type integer has no name for other values",
        "only texts",
    ),
    Mistake(
        "others of what is unique",
        COST,
        f"code: {{values: [a], others: {MARK}x}}",
        "every row has a value of its own",
        "leave `others` out",
    ),
    Mistake("hop from nowhere", VIA, f"via: {MARK}pat -> public.patients.patient_id", "visits has no column", "check"),
    Mistake("hop to nowhere", VIA, f"via: {MARK}patient_id -> public.patients.id", "patients has no column", "check"),
    Mistake("ambiguous hop", VIA, f"via: {MARK}patient_id -> public.patients.born", "not unique", "unique column"),
    Mistake("hop between types", VIA, f"via: {MARK}token -> public.patients.patient_id", "cannot refer", "same type"),
    Mistake("number without bounds", COST, f"minutes: {MARK}{{}}", "SUM and AVG will be refused", "bounds", "warning"),
    Mistake("float without bounds", COST, f"score: {MARK}{{}}", "SUM and AVG will be refused", "bounds", "warning"),
    Mistake(
        "fine integer grid", COST, f"minutes: {{bounds: [0, 5], step: {MARK}0.5}}", "grid of 1", "`step: 1`", "warning"
    ),
    Mistake(
        "coarse integer grid", COST, f"minutes: {{bounds: [0, 5], step: {MARK}5}}", "steps of 5", "leave", "warning"
    ),
    Mistake(
        "several rows of a unique unit",
        "column: patient_id}",
        "column: patient_id}\n    contribution: {max_rows: 2}",
        "one row here",
        "max_rows: 1",
        "warning",
    ),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_disagreement_is_found_at_its_place_and_nothing_else_is(mistake: Mistake) -> None:
    text, line, column = marked_place(edited(mistake.old, mistake.new))
    (finding,) = findings_of(text)
    assert mistake.message in finding.message
    assert mistake.hint in finding.hint
    assert finding.severity == mistake.severity
    if MARK in mistake.new:
        assert (finding.line, finding.column) == (line, column)


def test_a_table_that_the_source_lacks_is_found() -> None:
    catalog = Catalog({name: found for name, found in CATALOG.tables.items() if name != "public.visits"})
    (finding,) = findings_of(VALID, catalog)
    assert (finding.path, finding.severity) == ("tables.public.visits", "error")
    assert finding.message == "the source has no table public.visits, or its user may not read it"


def test_a_step_finer_than_the_scale_of_the_column_is_found() -> None:
    catalog = with_column(VISITS, Column("cost", "numeric", type_oid=0, scale=1))
    (finding,) = findings_of(VALID, catalog)
    assert finding.message == "a step of 0.01 is finer than the column's own grid of 0.1"
    assert finding.hint == "write `step: 0.1`, or leave it out"


def test_a_step_coarser_than_the_scale_of_the_column_is_found() -> None:
    catalog = with_column(VISITS, Column("cost", "numeric", type_oid=0, scale=3))
    (finding,) = findings_of(VALID, catalog)
    assert finding.message == "the column has steps of 0.001: what lies between steps of 0.01 is cut off"
    assert finding.rule == "DP533"


@pytest.mark.parametrize(("bounds", "is_found"), [("[0, 1000]", False), ("[0, 1001]", True), ("[-1001, 5]", True)])
def test_bounds_beyond_the_type_are_found(bounds: str, is_found: bool) -> None:
    decimals = Column("cost", "numeric", type_oid=0, scale=2, type_modifier=(5 << 16 | 2) + 4, full_type="numeric(5,2)")
    found = findings_of(edited(COST, f"cost: {{bounds: {bounds}}}"), with_column(VISITS, decimals))
    assert [finding.rule for finding in found] == ["DP528"] * is_found
    small = with_column(VISITS, Column("cost", "smallint", type_oid=0))
    assert [finding.rule for finding in findings_of(edited(COST, "cost: {bounds: [0, 40000]}"), small)] == ["DP528"]


@pytest.mark.parametrize(("type_name", "rule"), [("inet", "DP411"), ("jsonb", "DP415"), ("integer", None)])
def test_types_tell_what_a_column_can_hold(type_name: str, rule: str | None) -> None:
    found = findings_of(
        edited(COST, f"{COST}\n      extra: {{}}"), with_column(VISITS, Column("extra", type_name, type_oid=0))
    )
    assert [finding.rule for finding in found if finding.path.endswith("extra")] == ([rule] if rule else ["DP508"])


def test_an_interval_has_durations_as_bounds() -> None:
    assert findings_of(edited(COST, "took: {bounds: [-90 minutes, 1 week 08:00:00]}")) == []
    assert [finding.rule for finding in findings_of(edited(COST, "took: {values: [1 day]}"))] == ["DP507"]


def test_a_unit_s_own_row_may_refer_to_rows_that_lead_to_it() -> None:
    last = ForeignKey(("region",), "public.visits", ("specialty",))
    patients = dataclasses.replace(PATIENTS, foreign_keys=(*PATIENTS.foreign_keys, last))
    assert findings_of(VALID, Catalog({**CATALOG.tables, patients.name: patients})) == []


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("[cardiology, radiology]", []),
        ("[radiology, cardiology]", []),
        ("from_type", []),
        ("[cardiology]", [("DP507", "values", "rows with radiology are in no group of answers")]),
        (
            "[cardiology, surgery]",
            [("DP503", "values[1]", "holds cardiology, radiology only"), ("DP507", "values", "")],
        ),
    ],
)
def test_listed_values_are_those_that_an_enum_or_a_check_lists(values: str, found: list[tuple[str, str, str]]) -> None:
    findings = {finding.rule: finding for finding in findings_of(edited(SPECIALTY, f"{{values: {values}}}"))}
    assert [(rule, findings[rule].path.rpartition(".")[2]) for rule in sorted(findings)] == [
        (rule, place) for rule, place, _ in found
    ]
    assert all(part in findings[rule].message for rule, _, part in found)


@pytest.mark.parametrize(
    ("column", "hint"),
    [
        ("code: {values: [a, b]}", "list all values, and CHECK (code IN (…)) on the source"),  # a unique key
        ("minutes: {values: [10, 20]}", "list all values"),
        ("open: {values: [true]}", "`values: [false, true]`"),
        ("open: {values: [true, false]}", None),
        ("code: {values: [a, b], others: other}", None),
    ],
)
def test_values_that_nothing_makes_the_only_ones_are_a_warning(column: str, hint: str | None) -> None:
    found = [finding for finding in findings_of(edited(COST, column)) if finding.rule == "DP507"]
    assert [finding.severity for finding in found] == (["warning"] if hint else [])
    assert all(hint is not None and hint in finding.hint for finding in found)


@pytest.mark.parametrize(
    ("name", "length", "values", "hint"),
    [
        ("kind", -1, "[a, b]", "`others: other` gives them a group, and CHECK (kind IN (…)) on the source"),
        ("kind", 3, "[a, b]", "`others: etc` gives them a group"),
        ("group", 1, "[F, M]", '`others: "?"` gives them a group, and CHECK ("group" IN (…)) on the source'),
        ("Married?", 1, '["?", M]', '`others: "-"` gives them a group, and CHECK ("Married?" IN (…)) on the source'),
        ('a"b', 5, "[else, other]", '`others: etc` gives them a group, and CHECK ("a""b" IN (…)) on the source'),
    ],
)
def test_a_name_for_other_values_fits_and_a_column_is_quoted(name: str, length: int, values: str, hint: str) -> None:
    kind = Column(name, "bpchar" if length > 0 else "text", type_oid=0, type_modifier=length + 4 if length > 0 else -1)
    catalog = with_column(VISITS, kind)
    found = findings_of(edited(COST, f"{json.dumps(name)}: {{values: {values}}}"), catalog)
    (finding,) = (finding for finding in found if finding.rule == "DP507")
    assert hint in finding.hint
    others = finding.hint.partition("`")[2].partition("`")[0]
    mended = f"{json.dumps(name)}: {{values: {values}, {others}}}"
    assert [finding for finding in findings_of(edited(COST, mended), catalog) if finding.rule != "DP411"] == []


def test_a_name_for_other_values_is_none_of_a_public_column() -> None:
    patients = dataclasses.replace(PATIENTS, foreign_keys=())
    regions = dataclasses.replace(REGIONS, declared={"name": ("north", "other")})
    (finding,) = findings_of(VALID, Catalog({**CATALOG.tables, patients.name: patients, regions.name: regions}))
    assert "or `others: else`, which gives them a group" in finding.hint


OTHERS = "{values_from: public.regions.name, others: elsewhere}"
REGION_OF_VISITS = edited(SPECIALTY, OTHERS)


def with_regions(*names: str) -> Catalog:
    changed = dataclasses.replace(REGIONS, declared={"name": names})
    return Catalog({**CATALOG.tables, changed.name: changed})


def test_values_beside_others_need_no_foreign_key() -> None:
    assert findings_of(REGION_OF_VISITS, with_regions("north", "south")) == []


def test_a_name_for_others_that_the_public_table_has_is_found() -> None:
    (finding,) = findings_of(REGION_OF_VISITS, with_regions("elsewhere", "north"))
    assert (finding.path, finding.severity) == ("tables.public.visits.columns.specialty.others", "error")
    assert finding.message.startswith("'elsewhere' is one of the values of public.regions.name")


def test_too_many_values_beside_others_are_found() -> None:
    (finding,) = findings_of(REGION_OF_VISITS, CATALOG)
    assert (finding.path, finding.severity) == ("tables.public.visits.columns.specialty.others", "error")
    assert finding.message.startswith("public.regions.name has more than 10000 values")


def test_others_that_a_foreign_key_keeps_out_are_found() -> None:
    (finding,) = findings_of(edited("{values_from: public.regions.name}", OTHERS), with_regions("north"))
    assert (finding.path, finding.severity) == ("tables.public.patients.columns.region.others", "warning")
    assert finding.message.startswith("a foreign key keeps other values out of region")


@pytest.mark.parametrize(("name", "message"), [("b  ", "trailing blanks"), ("abcd", "longer than")])
def test_a_name_for_others_fits_a_padded_column(name: str, message: str) -> None:
    catalog = with_column(VISITS, Column("specialty", "bpchar", type_oid=1042, type_modifier=7))
    (finding,) = findings_of(edited(SPECIALTY, f"{{values: [a, b], others: '{name}'}}"), catalog)
    assert (finding.path, finding.severity) == ("tables.public.visits.columns.specialty.others", "error")
    assert message in finding.message


def test_a_value_longer_than_the_column_is_found() -> None:
    # varchar(9) has the type modifier 13: "radiology" fits, "cardiology" does not.
    catalog = with_column(VISITS, Column("specialty", "character varying", type_oid=0, type_modifier=13))
    (finding,) = findings_of(VALID, catalog)
    assert finding.path == "tables.public.visits.columns.specialty.values[0]"


def test_a_unit_of_a_type_with_an_equality_of_its_own_is_found() -> None:
    catalog = with_column(PATIENTS, Column("patient_id", "text", type_oid=25, nullable=False, cast_to_text=True))
    (finding,) = [found for found in findings_of(VALID, catalog) if found.path == "tables.public.patients.unit.column"]
    assert finding.severity == "warning"
    assert finding.message.startswith("units are told apart by the text of patient_id")


def test_a_column_of_a_type_with_an_equality_of_its_own_is_found() -> None:
    catalog = with_column(VISITS, Column("specialty", "text", type_oid=25, cast_to_text=True, own_equality="citext"))
    (finding,) = [found for found in findings_of(VALID, catalog) if found.path.endswith("columns.specialty")]
    assert finding.severity == "warning"
    assert finding.message == "values of type citext are compared and grouped by their text here"


def test_a_column_in_which_different_texts_are_equal_is_found() -> None:
    catalog = with_column(VISITS, dataclasses.replace(VISITS.columns["specialty"], collation=12345))
    (finding,) = [found for found in findings_of(VALID, catalog) if found.path.endswith("columns.specialty")]
    assert finding.severity == "warning"
    assert finding.message.startswith("only identical texts are equal here")


def test_an_enum_is_its_texts() -> None:
    catalog = with_column(VISITS, Column("specialty", "text", type_oid=25, cast_to_text=True))
    assert not [found for found in findings_of(VALID, catalog) if found.path.endswith("columns.specialty")]


def test_a_hop_between_collations_is_found() -> None:
    catalog = with_column(VISITS, dataclasses.replace(VISITS.columns["patient_id"], collation=12345))
    (finding,) = findings_of(VALID, catalog)
    assert (finding.path, finding.severity) == ("tables.public.visits.unit.via", "error")
    assert finding.message.startswith("patient_id and public.patients.patient_id differ in which texts are equal")


def test_units_of_two_collations_are_found() -> None:
    text = VALID.replace(VIA, "column: patient_id")
    catalog = with_column(VISITS, dataclasses.replace(VISITS.columns["patient_id"], collation=12345))
    (finding,) = findings_of(text, catalog)
    assert (finding.path, finding.severity) == ("tables.public.visits.unit.column", "error")
    assert finding.message.startswith("patient_id and public.patients.patient_id differ in which texts are equal")


def test_a_public_table_that_refers_to_a_private_one_is_found() -> None:
    reference = ForeignKey(("patient",), "public.patients", ("patient_id",))
    regions = dataclasses.replace(REGIONS, foreign_keys=(reference,))
    (finding,) = findings_of(VALID, Catalog({**CATALOG.tables, regions.name: regions}))
    assert (finding.path, finding.severity) == ("tables.public.regions.public", "warning")
    assert finding.message == "public, but its column patient refers to the private table public.patients"


def test_a_table_without_delta_and_declared_keys_is_found() -> None:
    text = edited(
        "budget: {epsilon: 3, delta: 1e-6}\n    per_analyst: {epsilon: 1, delta: 1e-7}", "budget: {epsilon: 3}"
    )
    assert findings_of(text) == []
    (finding,) = findings_of(text.replace(SPECIALTY, "{}"))
    assert (finding.path, finding.severity) == ("tables.public.visits.budget", "warning")
    assert finding.message == "without delta no column of this table can be a group key"


def test_identifiers_need_no_bounds() -> None:
    text = edited('"patient_id": {bounds: [0, 1000000]}', "visit_id: {}\n      patient_id: {}")
    assert findings_of(text) == []


def test_a_policy_that_was_never_in_a_file_has_findings_at_its_beginning() -> None:
    policy = examine(edited(COST, "costs: {}")).policy
    assert policy is not None
    (finding,) = check_against_catalog(policy, CATALOG)
    assert (finding.file, finding.line, finding.column) == ("policy", 1, 1)


@pytest.mark.parametrize(("scale", "is_found"), [(None, True), (2, True), (0, False)])
def test_numbers_with_fractions_seldom_tell_units_apart(scale: int | None, is_found: bool) -> None:
    text, line, column = marked_place(edited(VIA, f"column: {MARK}cost"))
    visits = {**VISITS.columns, "cost": dataclasses.replace(VISITS.columns["cost"], scale=scale)}
    tables = {**CATALOG.tables, "public.visits": dataclasses.replace(VISITS, columns=visits)}
    found = [finding for finding in findings_of(text, Catalog(tables)) if finding.rule == "DP529"]
    assert [(finding.line, finding.column) for finding in found] == ([(line, column)] if is_found else [])


TO_PATIENTS = ForeignKey(("patient_id",), "public.patients", ("patient_id",))
MINUTES_TO_PATIENTS = ForeignKey(("minutes",), "public.patients", ("patient_id",))
CODE_TO_REGIONS = ForeignKey(("code",), "public.regions", ("name",))

"""`dpproxy diff`: each kind of change is judged, at its place, and what nobody has thought of counts as weaker."""

from __future__ import annotations

import json

import pytest

from proxy.policy.load import examine_text
from proxy.policy.model import Policy
from proxy.review.change_formats import CHANGE_FORMATS, as_markdown
from proxy.review.changes import Placed, changes, failing, placed
from proxy.review.judging import CHANGE_RULES
from tests.policy.policies import VERIFIER

OLD = f"""
version: 1
source: host=db dbname=clinic
failures: 3
analysts:
  ana: {{password: "{VERIFIER}", networks: [10.0.0.0/8]}}
units:
  patient: {{budget: {{epsilon: 6, delta: 1e-6}}}}
tables:
  public.visits:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 3, delta: 1e-6}}
    per_analyst: {{epsilon: 2, delta: 5e-7}}
    query: {{epsilon: 0.1, max_epsilon: 1, min_epsilon: 0.01}}
    contribution: {{max_rows: 20, min_units: 10}}
    columns:
      patient_id: {{}}
      region: {{values: [north, south]}}
      cost: {{bounds: [0, 500], step: 0.01}}
  public.regions: {{public: true, columns: {{name: {{}}}}}}
timing: {{epsilon: 0.1, delta: 1e-7, work: 1 ms}}
"""


def examined(text: str) -> list[Placed]:
    return placed(examine_text(OLD, "old.yaml", {}), examine_text(text, "new.yaml", {}), ())


CASES = [
    ("budget: {epsilon: 3, delta", "budget: {epsilon: 4, delta", "DP801 tables.public.visits.budget.epsilon"),
    ("epsilon: 3, delta: 1e-6", "epsilon: 3, delta: 1e-5", "DP801 tables.public.visits.budget.delta"),
    ("    per_analyst: {epsilon: 2, delta: 5e-7}\n", "", "DP802 tables.public.visits.per_analyst"),
    ("  patient: {budget: {epsilon: 6, delta: 1e-6}}", "  patient: {}", "DP802 units.patient.budget"),
    (
        "  public.regions: {public: true, columns: {name: {}}}",
        "  public.regions: {public: true}",
        "DP805 tables.public.regions.columns",
    ),
    ("timing:", "  public.zones: {public: true}\ntiming:", "DP804 tables.public.zones"),
    (
        "      patient_id: {}\n",
        "      patient_id: {}\n      name: {}\n",
        "DP805 tables.public.visits.columns.name",
    ),
    ("column: patient_id}", "column: region}", "DP806 tables.public.visits.unit"),
    ("public.visits:", "clinic.visits:", "DP807 tables.clinic.visits"),
    ("units:\n", f'  bob: {{password: "{VERIFIER}"}}\nunits:\n', "DP808 analysts.bob"),
    (", networks: [10.0.0.0/8]", "", "DP809 analysts.ana.networks"),
    ("[10.0.0.0/8]", "[10.0.0.0/8, 192.0.2.0/24]", "DP809 analysts.ana.networks"),
    ('", networks', '", certificate: Ana, networks', "DP809 analysts.ana.certificate"),
    ("timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}", "timing: null", "DP810 timing"),
    ("work: 1 ms", "work: 100 us", "DP810 timing.work"),
    ("failures: 3", "failures: 30", "DP811 failures"),
    ("min_epsilon: 0.01", "min_epsilon: 0.001", "DP811 tables.public.visits.query.min_epsilon"),
    (
        "column: patient_id}",
        "column: patient_id, when_null: each_row}",
        "DP812 tables.public.visits.unit.when_null",
    ),
    ("min_units: 10", "min_units: 1", "DP813 tables.public.visits.contribution.min_units"),
    ("budget: {epsilon: 3, delta", "budget: {epsilon: 2, delta", "DP851 tables.public.visits.budget.epsilon"),
    ("      cost: {bounds: [0, 500], step: 0.01}\n", "", "DP854 tables.public.visits.columns.cost"),
    ("  public.regions: {public: true, columns: {name: {}}}\n", "", "DP854 tables.public.regions"),
    ("[10.0.0.0/8]", "[10.1.0.0/16]", "DP855 analysts.ana.networks"),
    ("work: 1 ms", "work: 2 ms", "DP856 timing.work"),
    ("failures: 3", "failures: 1", "DP857 failures"),
    ("min_units: 10", "min_units: 20", "DP858 tables.public.visits.contribution.min_units"),
    ("epsilon: 0.1, max", "epsilon: 0.2, max", "DP881 tables.public.visits.query.epsilon"),
    ("max_epsilon: 1,", "max_epsilon: 2,", "DP881 tables.public.visits.query.max_epsilon"),
    ("bounds: [0, 500]", "bounds: [0, 900]", "DP882 tables.public.visits.columns.cost.bounds"),
    ("max_rows: 20", "max_rows: 40", "DP882 tables.public.visits.contribution.max_rows"),
    ("[north, south]", "[north]", "DP882 tables.public.visits.columns.region.values"),
    ("dbname=clinic", "dbname=other", "DP884 source"),
    ("failures: 3", "failures: 3\nstatement_texts: whole", "DP887 statement_texts"),
    ("units:\n", f'stewards: {{sam: {{password: "{VERIFIER}"}}}}\nunits:\n', "DP808 stewards.sam"),
    ("networks: [", "may: [public.visits], networks: [", "DP855 analysts.ana.may"),
    ("networks: [", "valid_until: 2026-12-31, networks: [", "DP855 analysts.ana.valid_until"),
    (
        "units:\n",
        "groups: {bi: {members: [ana], budget: {epsilon: 1, delta: 1e-6}}}\nunits:\n",
        "DP852 groups.bi.budget",
    ),
    ("networks: [", "settings: {dp.notices: off}, networks: [", "DP885 analysts.ana.settings"),
]


@pytest.mark.parametrize(
    ("before", "after", "expected"), CASES, ids=[case[2].split()[1] + "-" + case[2][:5] for case in CASES]
)
def test_a_change_is_judged_at_its_place(before: str, after: str, expected: str) -> None:
    assert OLD.count(before) == 1
    found = [
        each for each in examined(OLD.replace(before, after)) if each.change.rule != "DP854" or "DP854" in expected
    ]
    rule, place = expected.split()
    assert [(each.change.rule, each.place) for each in found] == [(rule, place)]
    assert found[0].fails == (rule < "DP85")
    assert 1 <= found[0].line <= 23


def test_a_change_has_the_place_of_the_new_policy_and_of_the_old_one_where_it_is_gone() -> None:
    lines = OLD.splitlines()
    (raised,) = examined(OLD.replace("failures: 3", "failures: 30"))
    assert (raised.file, lines[raised.line - 1][: raised.column - 1]) == ("new.yaml", "failures: ")
    (gone,) = examined(OLD.replace("      cost: {bounds: [0, 500], step: 0.01}\n", ""))
    assert (gone.file, lines[gone.line - 1][: gone.column - 1]) == ("old.yaml", "      cost: ")


OF_ROWS = """\
  public.visited:
    unit: {name: person, column: id}
    budget: {epsilon: 1, delta: 1e-6}
    columns: {id: {}}
"""


@pytest.mark.parametrize("becomes", ["", "  public.visits: {view: true}\n"], ids=["gone", "a view"])
def test_a_table_beside_one_that_loses_its_account_may_have_its_rows(becomes: str) -> None:
    start, end = OLD.index("  public.visits:"), OLD.index("  public.regions")
    text = OLD[:start] + becomes + OF_ROWS + OLD[end:]
    found = [each.change for each in examined(text.replace("units:", "units:\n  person: {}"))]
    (fresh,) = [change for change in found if change.path == ("tables", "public.visited")]
    assert fresh.rule == "DP807"
    assert "If its rows are rows of public.visits, as where one is a view or a partition of the other" in fresh.message
    unit = OF_ROWS.replace("person", "patient")
    (added,) = [each.change for each in examined(OLD[:end] + unit + OLD[end:]) if each.change.rule != "DP854"]
    assert added.rule == "DP804"


def test_private_to_public_is_one_change() -> None:
    start = OLD.index("  public.visits:")
    text = OLD[:start] + "  public.visits: {public: true}\n" + OLD[OLD.index("  public.regions") :]
    found = [each.change for each in examined(text) if each.change.path[0] == "tables"]
    assert [(change.rule, change.path[-1]) for change in found] == [("DP803", "public")]
    backwards = changes(Policy.model_validate(plain(text)), Policy.model_validate(plain(OLD)))
    assert [change.rule for change in backwards if change.path[0] == "tables"] == ["DP853"]


def plain(text: str) -> dict[str, object]:
    policy = examine_text(text, "", {}).policy
    assert policy is not None
    return policy.model_dump()


class LaterPolicy(Policy):
    """What a later version may have."""

    nobody_knows: int = 0


def test_a_change_that_nobody_has_thought_of_counts_as_weaker() -> None:
    old, new = (LaterPolicy.model_validate({**plain(OLD), "nobody_knows": value}) for value in (1, 2))
    (change,) = changes(old, new)
    assert (change.rule, change.effect, change.path) == ("DP814", "weaker", ("nobody_knows",))


def test_every_rule_but_those_for_whole_policies_has_a_case() -> None:
    tested = {case[2][:5] for case in CASES} | {"DP803", "DP853", "DP814"}
    assert CHANGE_RULES.keys() - tested == {"DP883", "DP886"}
    (limited,) = changes(
        Policy.model_validate({**plain(OLD), "units": {"patient": {}}}), Policy.model_validate(plain(OLD))
    )
    assert limited.rule == "DP852"
    (login,) = examined(OLD.replace("$4096:", "$4097:"))
    assert login.change.rule == "DP883"


GROUP = "groups: {bi: {members: [ana], may: [public.visits], budget: {epsilon: 1, delta: 1e-6}}}\nunits:\n"
LIMITED = OLD.replace("networks: [", "may: [public.visits], valid_until: 2026-12-31, networks: [").replace(
    "units:\n", f'stewards: {{sam: {{password: "{VERIFIER}"}}}}\n{GROUP}'
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("may: [public.visits], valid", "valid", "DP808 analysts.ana.may"),
        ("2026-12-31", "2027-12-31", "DP808 analysts.ana.valid_until"),
        ("2026-12-31", "2026-11-30", "DP855 analysts.ana.valid_until"),
        ("valid_until: 2026-12-31, ", "", "DP808 analysts.ana.valid_until"),
        ("may: [public.visits], budget", "budget", "DP808 groups.bi.may"),
        ("{epsilon: 1, delta: 1e-6}", "{epsilon: 2, delta: 1e-6}", "DP801 groups.bi.budget.epsilon"),
        (f'stewards: {{sam: {{password: "{VERIFIER}"}}}}\n', "", "DP855 stewards.sam"),
    ],
)
def test_changes_of_stewards_groups_and_what_they_may_ask(before: str, after: str, expected: str) -> None:
    assert LIMITED.count(before) == 1
    old, new = (examine_text(text, "policy.yaml", {}) for text in (LIMITED, LIMITED.replace(before, after)))
    assert [f"{each.change.rule} {each.place}" for each in placed(old, new, ())] == [expected]


def test_no_change_shows_a_verifier() -> None:
    texts = [OLD, LIMITED, LIMITED.replace("$4096:", "$4097:"), LIMITED.replace("sam:", "tim:")]
    policies = [Policy.model_validate(plain(text)) for text in texts]
    told = [change.message for old in policies for new in policies for change in changes(old, new)]
    assert any("another password" in text for text in told)
    assert not any("SCRAM" in text for text in told)


def test_the_same_policy_has_no_change() -> None:
    assert examined(OLD.replace("patient_id: {}", "patient_id:   {}  # a comment")) == []
    assert as_markdown([]).endswith("The policies promise the same, and ask the same.")


def test_an_accepted_change_does_not_fail() -> None:
    new = examine_text(OLD.replace("failures: 3", "failures: 30"), "new.yaml", {})
    old = examine_text(OLD, "old.yaml", {})
    assert failing(placed(old, new, ()))
    assert not failing(placed(old, new, ["DP811"]))
    assert failing(placed(old, new, ["DP801"]))


@pytest.mark.parametrize("name", CHANGE_FORMATS)
def test_every_format_names_rule_and_place(name: str) -> None:
    text = CHANGE_FORMATS[name](examined(OLD.replace("failures: 3", "failures: 30")))
    assert "DP811" in text
    assert "failures" in text
    if name == "json":
        (change,) = json.loads(text)["changes"]
        assert (change["effect"], change["line"], change["accepted"]) == ("weaker", 4, False)
    if name == "github":
        assert text.startswith("::error file=new.yaml,line=4,col=11,title=DP811::failures: 3 → 30 ")


def test_a_policy_cannot_write_into_a_comment() -> None:
    hostile = OLD.replace("timing:", '  "public.x`<img src=y>](z)": {public: true}\ntiming:').replace(
        "[north, south]", "['![a](b)']"
    )
    text = as_markdown(examined(hostile))
    assert "`tables.public.x'<img src=y>](z)`" in text
    assert "\\!\\[a\\](b)" in text

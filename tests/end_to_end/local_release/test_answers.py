"""What a local release says: exact at huge epsilon, one record for each unit, in random order, for any unit path."""

from __future__ import annotations

import json

import numpy as np
import pytest

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.local_model.file_format import read_release
from tests.end_to_end.local_release.conftest import Decode
from tests.end_to_end.local_release.owner import EXACT, GENEROUS, POLICY, Owner


def test_at_huge_epsilon_the_counts_are_those_of_postgres(owner: Owner, decode: Decode) -> None:
    """All types; NULL is missing, and a value that is not declared is other."""
    columns = "region,birth_year,sex,smoker"
    assert owner.export("public.patients", columns, EXACT) == ExitCode.OK
    found = decode()
    for column in columns.split(","):
        truth = {(column, "missing"): 0.0, (column, "other"): 0.0}
        for value, number in owner.ask(f"SELECT {column}, count(*) FROM patients GROUP BY 1"):
            declared = column != "birth_year" or value in range(1930, 1951)
            text = "missing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            key = (column, text if declared else "other")
            truth[key] = truth.get(key, 0.0) + number
        shown = {key: number for key, number in found.items() if key[0] == column}
        assert shown == pytest.approx(dict.fromkeys(shown, 0.0) | truth, abs=1e-6)
    assert read_release(owner.directory / "release").header.records == 2000


def test_at_huge_epsilon_a_sketch_finds_candidates_and_missing_values(owner: Owner, decode: Decode) -> None:
    assert owner.export("public.patients", "registered", EXACT, "--mechanism", "sketch") == ExitCode.OK
    truth = {str(day): number for day, number in owner.ask("SELECT registered, count(*) FROM patients GROUP BY 1")}
    candidates = owner.directory / "candidates"
    candidates.write_text("\n".join([*list(truth)[:30], "1999-01-01"]))
    found = decode("--candidates", str(candidates))
    assert len(found) == 32
    # What is left is the collisions of 2000 reports in 256 buckets, of which each has a variance of 1/256.
    for (_, value), number in found.items():
        assert number == pytest.approx(truth.get(value, 0), abs=6 * (2000 / 256) ** 0.5)


@pytest.mark.parametrize(("values", "most"), [("1", 1), ("3", 3)])
def test_no_unit_has_more_records_than_it_may_and_none_is_left_out(owner: Owner, values: str, most: int) -> None:
    owner.policy.write_text(GENEROUS)
    assert owner.export("public.visits", "region", EXACT, "--values-per-unit", values) == ExitCode.OK
    ((truth,),) = owner.ask(
        f"SELECT sum(least(n, {most})) FROM (SELECT count(*) AS n FROM visits GROUP BY patient_id) AS each"
    )
    assert read_release(owner.directory / "release").header.records == truth


def test_rows_of_a_unit_are_chosen_at_random_each_as_likely(owner: Owner, decode: Decode) -> None:
    """2000 patients with one visit of ten in the north: about 200 records, and not all or none."""
    owner.policy.write_text(GENEROUS)
    owner.ask("DELETE FROM prescriptions")
    owner.ask("DELETE FROM visits")
    owner.ask(
        "INSERT INTO visits (visit_id, patient_id, region, visited_at, urgent) SELECT p * 10 + v, p, "
        "CASE v WHEN 4 THEN 'north' ELSE 'south' END, now(), true FROM generate_series(1, 2000) p, generate_series(0, 9) v"
    )
    assert owner.export("public.visits", "region", EXACT) == ExitCode.OK
    # Six standard deviations of a binomial: by chance less than once in 10^8 runs.
    assert decode()["region", "north"] == pytest.approx(200, abs=6 * 180**0.5)


def test_units_are_found_along_foreign_keys(owner: Owner, decode: Decode) -> None:
    """One record for each patient with a prescription, though prescriptions name no patient. Visits pay, too."""
    owner.policy.write_text(GENEROUS)
    assert owner.export("public.prescriptions", "drug,form", EXACT) == ExitCode.OK
    ((truth,),) = owner.ask("SELECT count(DISTINCT patient_id) FROM prescriptions JOIN visits USING (visit_id)")
    accounts = {charge.account for charge in owner.charges()}
    assert accounts >= {"table:public.prescriptions", "table:public.visits", "analyst:ana:public.visits"}
    found = decode()
    assert read_release(owner.directory / "release").header.records == truth
    assert found["drug", "drug 7"] == pytest.approx(0, abs=1e-6)
    assert found["drug", "other"] > 0  # drug 2 is not declared
    assert found["form", "pill"] + found["form", "drops"] == pytest.approx(truth)


def test_rows_without_a_unit_are_left_out(owner: Owner) -> None:
    owner.policy.write_text(
        POLICY.replace("column: patient_id}\n    budget: {epsilon: 1e9}", "column: height}\n    budget: {epsilon: 1e9}")
    )
    owner.ask("ALTER TABLE patients ALTER height TYPE integer USING patient_id")
    owner.ask("UPDATE patients SET height = NULL WHERE patient_id % 4 = 0")
    assert owner.export("public.patients", "sex", EXACT) == ExitCode.OK
    assert read_release(owner.directory / "release").header.records == 1500


def test_records_say_nothing_of_the_order_of_rows(owner: Owner) -> None:
    """The first 400 patients live in the north: in the file every tenth of the records has its share of them."""
    owner.ask("UPDATE patients SET region = CASE WHEN patient_id <= 400 THEN 'north' ELSE 'south' END")
    assert owner.export("public.patients", "region", EXACT) == ExitCode.OK
    release = read_release(owner.directory / "release")
    north = np.unpackbits(release.records, axis=1)[:, release.header.columns[0].values.index("north")]
    assert north.sum() == 400
    # 40 in each 200 records with a standard deviation below 5.7: six of them in ten places, once in 10^7 runs.
    assert np.abs(north.reshape(10, 200).sum(axis=1).astype(int) - 40).max() < 35


def test_decode_prints_tables_and_json_with_the_same_numbers(owner: Owner, capsys: pytest.CaptureFixture[str]) -> None:
    assert owner.export("public.patients", "region,sex", "3") == ExitCode.OK
    file = str(owner.directory / "release")
    capsys.readouterr()
    assert main(["decode-local", file, "--column", "sex", "--confidence", "0.9", "--format", "json"]) == ExitCode.OK
    content = json.loads(capsys.readouterr().out)
    assert [frequency["value"] for frequency in content["frequencies"]] == ["F", "M", None, None]
    assert (content["epsilon"], content["unit"], content["confidence"]) == ("3", "patient", 0.9)
    assert main(["decode-local", file, "--column", "sex", "--confidence", "0.9"]) == ExitCode.OK
    table = capsys.readouterr().out
    assert "90 % interval" in table
    for frequency in content["frequencies"]:
        assert f"{frequency['count']:.0f}" in table
        assert f"{frequency['low']:.0f} to {frequency['high']:.0f}" in table
    assert main(["decode-local", file, "--non-negative", "--format", "json"]) == ExitCode.OK
    adjusted = json.loads(capsys.readouterr().out)["frequencies"]
    assert all(frequency["count"] >= 0 for frequency in adjusted)
    assert sum(frequency["count"] for frequency in adjusted if frequency["column"] == "region") == pytest.approx(
        content["total"]
    )


def test_texts_of_a_file_cannot_steer_a_terminal(owner: Owner, capsys: pytest.CaptureFixture[str]) -> None:
    owner.policy.write_text(POLICY.replace("sex: {values: [F, M]}", 'drug: {values: [x, "\\e[2J"]}'))
    owner.ask("ALTER TABLE patients ADD drug text")
    assert owner.export("public.patients", "drug", "1") == ExitCode.OK
    assert main(["decode-local", str(owner.directory / "release")]) == ExitCode.OK
    printed = capsys.readouterr().out
    assert "\\x1b[2J" in printed
    assert "\x1b" not in printed

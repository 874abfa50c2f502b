"""Exports of Superset and Metabase: their queries, and what is left out of them."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from proxy.rehearsal.exports import script_of_export
from tests.policy.test_cli import dpproxy
from tests.rehearsal.test_commands import directory

pytestmark = pytest.mark.postgres
__all__ = ["directory"]

SUPERSET = {
    "export/metadata.yaml": "version: 1.0.0\ntype: assets\ntimestamp: '2026-01-05T09:00:00.000000+00:00'\n",
    "export/datasets/clinic/visits_1.yaml": "table_name: visits\nschema: public\nsql: null\nmetrics: []\n",
    "export/datasets/clinic/by_region_2.yaml": """\
table_name: visits by region
schema: public
sql: "SELECT region, count(*) AS visits,\\n       avg(cost) AS cost\\nFROM visits\\n\\
  GROUP BY region; "
metrics:
- metric_name: n
  expression: sum(visits)
version: 1.0.0
""",
    "export/datasets/clinic/recent_3.yaml": "sql: SELECT count(*) FROM visits WHERE visited_at >= '{{ from_dttm }}'\n",
    "export/charts/All_3.yaml": "slice_name: All\nparams: {metric: count, datasource: 1__table}\nquery_context: null\n",
    "export/queries/clinic/public/Look.yaml": "label: Look\nsql: SELECT * FROM visits LIMIT 10; SELECT 1\n",
    "export/queries/clinic/public/Again.yaml": """\
label: Again
sql: |-
  SELECT region, count(*) AS visits,
         avg(cost) AS cost
  FROM visits
  GROUP BY region
""",
}
METABASE = {
    "collections/main/cards/f1C68_by_region.yaml": """\
name: Visits by region
entity_id: f1C68pznmrpN1F5xFDj6d
dataset_query:
  database: clinic
  native:
    query: |-
      SELECT region, count(*) AS visits,
             avg(cost) AS cost
      FROM visits
      GROUP BY region
    template-tags: {}
  type: native
result_metadata: []
""",
    "collections/main/cards/least.yaml": """\
dataset_query:
  native: {query: "SELECT count(*) FROM visits WHERE cost > 1 [[AND region = {{region}}]]"}
  type: native
""",
    "collections/main/cards/newer.yaml": """\
dataset_query:
  lib/type: mbql/query
  stages:
  - lib/type: mbql.stage/native
    native: SELECT avg(cost) FROM visits
""",
    "collections/main/cards/built.yaml": "dataset_query: {query: {source-table: [clinic, public, visits]}, type: query}\n",
    "collections/main/cards/broken.yaml": "native: {query: [\n",
    "cards.json": '[{"dataset_query": {"native": {"query": "SELECT max(cost) FROM visits"}, "type": "native"}}]',
}
BY_REGION = "SELECT region, count(*) AS visits,\n       avg(cost) AS cost\nFROM visits\nGROUP BY region;\n\n"


def zipped(path: Path, documents: dict[str, str]) -> Path:
    with ZipFile(path, "w") as archive:
        for name, text in documents.items():
            archive.writestr(name, text)
    return path


def unpacked(path: Path, documents: dict[str, str]) -> Path:
    for name, text in documents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_superset_s_datasets_and_saved_queries(tmp_path: Path) -> None:
    script, left_out = script_of_export(zipped(tmp_path / "assets.zip", SUPERSET))
    assert script.endswith(f"\n\n-- export/datasets/clinic/by_region_2.yaml\n{BY_REGION}")
    assert [line.partition(": ")[0] for line in left_out] == [
        "export/datasets/clinic/recent_3.yaml",
        "export/queries/clinic/public/Look.yaml",
    ]
    assert [line for line in script.splitlines() if line.startswith("-- left out: ")] == [
        f"-- left out: {words}" for words in left_out
    ]
    assert script_of_export(unpacked(tmp_path / "assets", SUPERSET)) == (script, left_out)


def test_metabase_s_questions(tmp_path: Path) -> None:
    script, left_out = script_of_export(unpacked(tmp_path, METABASE))
    assert [line.partition(": ")[0].rpartition("/")[2] for line in left_out] == ["broken.yaml", "least.yaml"]
    _, found = script.split("\n\n", 1)
    assert found == (
        "-- cards.json\nSELECT max(cost) FROM visits;\n\n"
        f"-- collections/main/cards/f1C68_by_region.yaml\n{BY_REGION}"
        "-- collections/main/cards/newer.yaml\nSELECT avg(cost) FROM visits;\n\n"
    )


def test_metabase_s_archive_is_read_as_it_is(tmp_path: Path) -> None:
    unpacked(tmp_path / "metabase", METABASE)
    with tarfile.open(tmp_path / "metabase.tgz", "w:gz") as archive:
        archive.add(tmp_path / "metabase", "export")
    script, left_out = script_of_export(tmp_path / "metabase.tgz")
    assert script.replace("export/", "") == script_of_export(tmp_path / "metabase")[0]
    assert len(left_out) == 2
    whole = (tmp_path / "metabase.tgz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    assert script_of_export(tmp_path / "cut.tar.gz")[1][0].startswith("cut.tar.gz: ")
    (tmp_path / "no.tgz").write_text("not compressed")
    assert script_of_export(tmp_path / "no.tgz") == ("", ["no.tgz: Not a gzipped file (b'no')"])


def test_an_archive_is_not_unpacked_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proxy.rehearsal.archives._LARGEST_TAR", 1 << 20)
    small, large = tarfile.TarInfo("a.yaml"), tarfile.TarInfo("b.yaml")
    small.size, large.size = 13, 64 << 20
    with gzip.open(tmp_path / "bomb.tgz", "wb") as packed:
        packed.write(small.tobuf() + b"sql: SELECT 1".ljust(512, b"\0") + large.tobuf())
        for _ in range(64):
            packed.write(bytes(1 << 20))
    script, left_out = script_of_export(tmp_path / "bomb.tgz")
    assert (script.endswith("-- a.yaml\nSELECT 1;\n\n"), left_out) == (True, ["bomb.tgz: more than 1 MB; unpack it"])


def test_a_bomb_of_aliases_and_a_damaged_archive_are_left_out(tmp_path: Path) -> None:
    lines = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    (tmp_path / "bomb.yaml").write_text("\n".join(["a0: &a0 {sql: SELECT 1}", *lines]))
    assert script_of_export(tmp_path / "bomb.yaml") == ("-- bomb.yaml\nSELECT 1;\n\n", [])
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    assert script_of_export(tmp_path / "broken.zip") == ("", ["broken.zip: File is not a zip file"])
    with pytest.raises(FileNotFoundError):
        script_of_export(tmp_path / "absent.zip")


def test_an_export_becomes_a_query_test(directory: Path) -> None:
    zipped(directory / "assets.zip", SUPERSET)
    (directory / "empty").mkdir()
    command = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries")
    written = dpproxy(*command, "assets.zip", "--record", directory=directory)
    assert (written.returncode, written.stdout.splitlines()[-1]) == (0, "assets.zip: ok, written to assets.sql")
    assert "by_region_2.yaml\n-- expect: answered\n-- max_epsilon: 0.5\n" in (directory / "assets.sql").read_text()
    found = dpproxy(*command, "assets.sql", "assets.zip", "empty", directory=directory)
    assert found.returncode == 1
    assert "\nassets.sql: ok, as expected\nassets.zip: 1 error\nempty: 1 error\n" in found.stdout
    assert "assets.zip:1:1: error: cannot be read: assets.sql is there already" in found.stdout
    assert "empty:1:1: error: cannot be read: it is for --record" in found.stdout


@pytest.mark.parametrize("compression", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_a_damaged_member_is_left_out(tmp_path: Path, compression: int) -> None:
    with ZipFile(tmp_path / "export.zip", "w", compression) as archive:
        archive.writestr("a.yaml", "sql: SELECT 1\n" * 100)
        start = archive.getinfo("a.yaml").header_offset + len("a.yaml") + 30
    octets = bytearray((tmp_path / "export.zip").read_bytes())
    octets[start + 12 : start + 24] = bytes(12)
    (tmp_path / "export.zip").write_bytes(octets)
    script, (left_out,) = script_of_export(tmp_path / "export.zip")
    assert script == ""
    assert left_out.startswith("export.zip: ")


def test_half_a_character_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("sql: \"select '\\ud800' from visits\"\n")
    assert script_of_export(tmp_path) == ("", ["a.yaml: not one query without parameters"])
    log = {"timestamp": "2026-01-05 09:00:00.000 UTC", "error_severity": "LOG", "message": "statement: select '\ud800'"}
    (tmp_path / "a.json").write_text(json.dumps(log))
    assert script_of_export(tmp_path / "a.json") == ("", [])


def test_a_script_has_as_many_queries_as_can_be_planned(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("".join(f"LOG:  statement: SELECT {number}\n" for number in range(1002)))
    script, left_out = script_of_export(tmp_path / "a.log")
    assert left_out == ["2 more queries: a script has at most 1000"]
    assert script.count(";") == 1000

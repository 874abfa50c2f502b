"""The audit log: one JSON line for each decision, with who, what, price and outcome, and never a value."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from proxy.errors import RefusedError
from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.query.audit_log import AuditLog
from proxy.serving.options import ServiceOptions
from proxy.sql.redaction import LONGEST, redacted
from tests.end_to_end import clinic
from tests.end_to_end.running import RunningProxy


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_decision_has_a_line(
    stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str], tmp_path: Path
) -> None:
    source, ledger = copy_clinic(), ensure_database(stage_cluster.dsn(), "audited_ledger")
    log = tmp_path / "audit.jsonl"
    options = ServiceOptions(
        clinic.policy(), source, stage_cluster.dsn(), ledger, owns_stage_cluster=True, port=0,
        audit_log=log, audit_statements=True,
    )  # fmt: skip
    counted = "SELECT count(*) FROM visits WHERE diagnosis = 'a secret'"
    with RunningProxy(options, str(conninfo_to_dict(source)["dbname"])) as proxy:
        with proxy.connect("ana") as ana:
            ana.execute(counted.encode())
            ana.execute(counted.encode())
            ana.execute("SELECT (SELECT count(*) FROM visits WHERE minutes = 77), (SELECT count(*) FROM patients)")
            ana.execute("SELECT count(*) FROM regions")
        with proxy.connect("bob") as bob:
            bob.execute(counted.encode())
            for refused in (
                "SELECT * FROM visits WHERE diagnosis = 'a secret'",
                "SELECT count(*) FROM visits FOR UPDATE",
            ):
                with pytest.raises(psycopg.Error):
                    bob.execute(refused.encode())
            bob.execute("SET dp.max_price = '0.001 %'")
            with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
                bob.execute("SELECT count(*) FROM visits WHERE minutes = 78")
    found = lines(log)
    told = [(line["login"], line["outcome"], line.get("rule"), sorted(line.get("charges", ()))) for line in found]
    both = ["analyst:ana:public.visits", "table:public.visits"]
    assert told[:5] == [
        ("ana", "charged", None, both),
        ("ana", "free", None, []),
        ("ana", "charged", None, both),
        ("ana", "charged", None, ["table:public.patients"]),
        ("bob", "charged", None, ["analyst:bob:public.visits"]),
    ]
    assert [entry[:2] for entry in told[5:]] == [("bob", "refused")] * 3
    assert [line["rule"] for line in found[5:]][-1] == "max-price"
    assert found[0]["charges"]["table:public.visits"] == {"epsilon": None, "rho": "0.125", "delta": "0"}
    assert found[0]["about"] == "count(*) over public.visits"
    assert found[0]["statement"] == "SELECT count(*) FROM visits WHERE diagnosis = ?"
    text = log.read_text(encoding="utf-8")
    assert "secret" not in text
    assert not any(number in line["statement"] for line in found for number in ("77", "78"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("SELECT 'a', E'b\\'c', $$d$$, 1.5e3, 0x1F /* e */ -- f", "SELECT ?, ?, ?, ?, ?"),
        ('SELECT "Col", x.y FROM t WHERE z = $1', 'SELECT "Col", x.y FROM t WHERE z = $1'),
        ("  SELECT\n\tcount(*)FROM/* a */t--b\n;", "SELECT count(*)FROM t ;"),
        ("SELECT 'unterminated", None),
    ],
)
def test_no_constant_is_left_in_a_statement(text: str, shown: str | None) -> None:
    assert redacted(text) == shown


def test_a_long_statement_is_cut() -> None:
    assert len(redacted(f"SELECT {'a + ' * LONGEST}a") or "") <= LONGEST


def test_a_log_that_was_renamed_is_begun_anew(
    stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str], tmp_path: Path
) -> None:
    source, ledger = copy_clinic(), ensure_database(stage_cluster.dsn(), "rotated_ledger")
    log, old = tmp_path / "audit.jsonl", tmp_path / "audit.jsonl.1"
    options = ServiceOptions(
        clinic.policy(), source, stage_cluster.dsn(), ledger, owns_stage_cluster=True, port=0, audit_log=log
    )
    with RunningProxy(options, str(conninfo_to_dict(source)["dbname"])) as proxy, proxy.connect("ana") as ana:
        assert proxy.service is not None
        ana.execute("SELECT count(*) FROM visits")
        log.rename(old)
        ana.execute("SELECT count(*) FROM visits")
        proxy.run(proxy.service.reload())
        ana.execute("SELECT count(*) FROM visits")
        log.unlink()
        log.mkdir()
        proxy.run(proxy.service.reload())
        ana.execute("SELECT count(*) FROM visits")
    assert [line["outcome"] for line in lines(old)] == ["charged", "free"]


@pytest.fixture
def small_files() -> Iterator[Callable[[int], None]]:
    """Lets no file of this process grow beyond so many bytes, as a full disk does not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_costs_lines_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, small_files: Callable[[int], None]
) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    log.refused("ana", "SELECT 1", RefusedError("no", rule="first"))
    small_files(path.stat().st_size + 20)
    for rule in ("second", "third"):
        log.refused("ana", "SELECT 1", RefusedError("no", rule=rule))
    small_files(1 << 20)
    for rule in ("fourth", "fifth"):
        log.refused("ana", "SELECT 1", RefusedError("no", rule=rule))
    log.close()
    first, torn, *last = path.read_text().splitlines()
    assert len(torn) == 20
    assert [json.loads(line)["rule"] for line in (first, *last)] == ["first", "fourth", "fifth"]
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "the audit log cannot be written",
        "the audit log can be written again; it misses the last 2 decisions",
    ]


def test_a_log_that_cannot_be_opened_again_stays(tmp_path: Path) -> None:
    log, old = tmp_path / "audit.jsonl", tmp_path / "old"
    audit = AuditLog(log)
    log.rename(old)
    log.mkdir()
    with pytest.raises(IsADirectoryError):
        audit.reopen()
    audit.answered("ana", "SELECT 1", "hash", "count(*)", ())
    audit.close()
    assert [line["login"] for line in lines(old)] == ["ana"]

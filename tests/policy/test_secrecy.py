"""Secrets in a policy's file, and connections that others can read."""

from __future__ import annotations

import pytest

from proxy.policy.findings import Finding
from proxy.policy.secrecy import check_guessed, check_source
from proxy.wire.scram import make_verifier
from tests.policy.policies import VALID, VERIFIER, examine

CLEAR = (
    "postgresql://reader:hunter2@localhost/clinic",
    "postgres://reader:hunter2@${HOST}/clinic",
    "postgresql://reader:${PASSWORD:-hunter2}@localhost/clinic",
    "postgresql://reader@localhost/clinic?password=hunter2",
    "host=localhost user=reader password=hunter2",
    "host=localhost password = 'hunter2 3' user=reader",
)
HIDDEN = (
    "postgresql://reader:${PASSWORD}@localhost/clinic",
    "postgresql://${USER:-reader}:${PASSWORD}@localhost/clinic",
    "postgresql://reader:${file:/dev/null}@localhost/clinic",
    "postgresql://reader@localhost/clinic",
    "host=localhost password=${PASSWORD}",
    "host=localhost passfile=/run/secrets/pgpass",
    "${DATABASE_URL}",
)
OPEN = (
    "postgresql://db.example.org/clinic",
    "postgresql://reader@db.example.org:5433/clinic?sslmode=prefer",
    "postgresql://reader:${PASSWORD}@10.0.0.7/clinic",
    "postgresql://[2001:db8::7]/clinic?sslmode=disable",
    "host=db.example.org sslmode=allow",
)
CLOSED = (
    "postgresql://db.example.org/clinic?sslmode=verify-full",
    "host=db.example.org sslmode=require",
    "host='db.example.org' sslmode='verify-ca'",
    "postgresql://localhost/clinic",
    "postgresql://[::1]/clinic",
    "postgresql://127.0.0.9/clinic",
    "host=/var/run/postgresql",
    "postgresql:///clinic",
    "dbname=clinic",
    "postgresql://${HOST}/clinic",
)
ENVIRONMENT = {
    "HOST": "db.example.org",
    "PASSWORD": "hunter2",
    "DATABASE_URL": "postgresql://r:hunter2@db.example.org/c",
}


def found(source: str) -> list[Finding]:
    examination = examine(f'source: "{source}"\n{VALID}', ENVIRONMENT)
    assert examination.policy is not None, examination.findings
    return list(check_source(examination.policy, examination.source_map))


@pytest.mark.parametrize("source", CLEAR)
def test_a_password_in_the_file_is_a_finding_that_does_not_show_it(source: str) -> None:
    (finding,) = found(source)
    assert (finding.rule, finding.line) == ("DP218", 1)
    assert "hunter2" not in str(finding)


@pytest.mark.parametrize("source", [*OPEN, "postgresql://r:${file:/dev/null}@db.example.org/c"])
def test_a_connection_that_may_go_without_tls_is_a_finding(source: str) -> None:
    assert [finding.rule for finding in found(source)] == ["DP219"]


@pytest.mark.parametrize("source", [*HIDDEN, *CLOSED])
def test_secrets_from_elsewhere_and_connections_by_tls_are_none(source: str) -> None:
    assert found(source) == []


def logins(**passwords: str) -> list[Finding]:
    lines = "".join(f'  {name}: {{password: "{password}"}}\n' for name, password in passwords.items())
    examination = examine(VALID.replace(f'  ana: {{password: "{VERIFIER}"}}\n', lines))
    assert examination.policy is not None, examination.findings
    return list(check_guessed(examination.policy, examination.source_map))


def test_passwords_that_everybody_would_try_are_findings() -> None:
    found = logins(ana=make_verifier("ana"), bob=make_verifier("secret"), eve=make_verifier("Tk3-rather-long"))
    assert [(finding.path, finding.rule) for finding in found] == [
        ("analysts.ana.password", "DP220"),
        ("analysts.bob.password", "DP220"),
    ]


def test_one_verifier_of_two_logins_is_a_finding() -> None:
    (finding,) = logins(ana=VERIFIER, bob=VERIFIER)
    assert (finding.path, "'ana'" in finding.message) == ("analysts.bob.password", True)


def test_verifiers_that_take_long_are_not_tried() -> None:
    slow = make_verifier("secret").replace("$4096:", "$999999999:")
    assert logins(ana=slow) == []


@pytest.mark.parametrize("source", [*CLEAR, *HIDDEN, *OPEN, *CLOSED])
def test_connection_strings_can_be_read(source: str) -> None:
    assert "DP222" not in {finding.rule for finding in found(source)}


@pytest.mark.parametrize(
    "source", ["https://db/clinic", "host=db dbnam=clinic", "db.example.org", "host=db, dbname=x y"]
)
def test_what_no_client_of_postgres_reads_is_found(source: str) -> None:
    assert "DP222" in {finding.rule for finding in found(source)}

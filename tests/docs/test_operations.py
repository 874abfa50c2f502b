"""docker/README.md: options, exit codes, limits, log messages, the ledger's commands, suspensions, containers."""

from __future__ import annotations

import argparse
import asyncio
import inspect
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from proxy.budget.failures import Failure, Failures
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge
from proxy.commands import ExitCode, serve
from proxy.commands.limits import add_limits, limits_of
from proxy.dp.accounting import Account, Price
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source import Source
from proxy.postgres.stage_roles import OWN_CONNECTIONS
from proxy.query.memory import MEMORY
from proxy.query.worker import SECONDS
from proxy.wire.session import Limits
from proxy.wire.throttle import Throttle
from proxy.wire.tls import Credentials, TlsFiles
from tests.docs.markdown import CHECKOUT, OPERATIONS, POLICIES
from tests.docs.running import commands_and_output, documented_options, options_of, run_command
from tests.programs import find_program

pytestmark = pytest.mark.postgres


@pytest.fixture
def directory() -> Iterator[Path]:
    """With a short name, since the commands reach a Unix socket in it by its path."""
    with tempfile.TemporaryDirectory(prefix="dpproxy-", dir="/tmp") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_options_of_serve_are_those_of_the_command() -> None:
    rows = OPERATIONS.table("option of `dpproxy serve`", "default", "meaning")
    documented = {option: default for option, default, _ in rows}
    assert list(documented) == documented_options(OPERATIONS, "serve") == options_of(serve)
    assert documented["--listen HOST:PORT"] == serve.DEFAULT_LISTEN
    assert documented["--state DIR"] == str(serve.DEFAULT_STATE)


def test_exit_codes_are_those_of_the_command_line() -> None:
    assert [row[0] for row in OPERATIONS.table("exit code", "meaning")] == [str(int(code)) for code in ExitCode]


def test_limits_are_those_of_the_program() -> None:
    options = {
        option: default for option, default, _ in OPERATIONS.table("option of `dpproxy serve`", "default", "meaning")
    }
    defaults = [f"{name}={default}" for option, default in options.items() if (name := option.split()[0]) in LIMITS]
    assert len(defaults) == len(LIMITS)
    parser = argparse.ArgumentParser()
    add_limits(parser)
    assert limits_of(parser.parse_args(defaults)) == limits_of(parser.parse_args([])) == Limits()
    source = inspect.signature(Source).parameters
    assert options["--source-connections N"] == str(source["pool_size"].default) == str(2 * source["each"].default)
    said = " ".join(OPERATIONS.text.split())
    assert f"A source query may take {source['statement_timeout_seconds'].default:.0f} seconds" in said
    assert f"{SECONDS} seconds of computing and {MEMORY >> 30} GB" in said
    assert f"dpproxy itself needs {OWN_CONNECTIONS} connections" in said


LIMITS = (
    "--max-clients",
    "--max-clients-per-analyst",
    "--max-unauthenticated",
    "--login-time",
    "--max-message",
    "--max-statement",
    "--source-connections",
    "--drain",
)


def test_certificates_are_made_as_described(directory: Path) -> None:
    for command in OPERATIONS.block("sh", "certificates").splitlines():
        run_command(command, directory)
    Credentials.read(TlsFiles(directory / "server.crt", directory / "server.key", directory / "ca.crt"))
    run_command("openssl verify -CAfile ca.crt -verify_ip 127.0.0.1 server.crt", directory)


def test_limits_and_reasons_of_refused_logins_are_those_of_the_program() -> None:
    said = " ".join(OPERATIONS.between("\n## Refused logins\n", "\n| reason").split())
    limits = {name: known.default for name, known in inspect.signature(Throttle).parameters.items()}
    assert (
        f"After {limits['address']} failures an address (of IPv6: its /64) has to wait, after {limits['account']}"
        in said
    )
    assert f"every {limits['seconds']:.0f} seconds" in said
    assert f"a limit of {limits['pair']} of their own" in said
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((CHECKOUT / "proxy/wire").glob("*.py")))
    reasons = [reason.strip("`") for reason, _ in OPERATIONS.table("reason in the log", "what it means")]
    assert all(f'"{reason}"' in code for reason in reasons)


def test_what_logs_and_errors_say_stands_in_the_code() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((CHECKOUT / "proxy").rglob("*.py")))
    code = re.sub(r'"\s*\n\s*f?"', "", code)
    logged = [said for said, _ in OPERATIONS.table("the log says", "what it means")]
    errors = re.findall(r"^\| `(.*?)`", OPERATIONS.text.partition("| when | do |")[2], re.MULTILINE)
    assert len(logged) >= 7
    assert len(errors) >= 4
    for said in (*logged, *errors):
        for part in said.split("…"):
            assert part.strip(" ()") in code, said


def test_ledger_is_read_and_copied_as_described(directory: Path) -> None:
    programs = {Path(find_program(name)).parent for name in ("psql", "pg_dump")}
    with EmbeddedPostgres(directory / "dpproxy-state", durable=False) as server:
        asyncio.run(opened(ensure_database(server.dsn(), LEDGER_DATABASE)))
        for command in OPERATIONS.block("sh", "ledger").splitlines():
            path = os.pathsep.join((*map(str, sorted(programs)), os.environ["PATH"]))
            printed = run_command(command, directory, PATH=path)
            assert "(0 rows)" in printed or not printed
    assert (directory / "ledger.dump").stat().st_size > 0


def test_budgets_are_listed_and_verified_as_described(directory: Path) -> None:
    (directory / "clinic.yaml").write_text(POLICIES.block("yaml", "policy"), encoding="utf-8")
    with EmbeddedPostgres(directory / "dpproxy-state", durable=False) as server:
        asyncio.run(charged(ensure_database(server.dsn(), LEDGER_DATABASE)))
    for command, output in commands_and_output(OPERATIONS.block("console", "budget")):
        assert run_command(command, directory, DATABASE_URL="postgresql:///clinic") == output


async def charged(dsn: str) -> None:
    """Record two questions of ana about the visits, one with Laplace noise and one with Gaussian noise."""
    ledger = Ledger(dsn)
    await ledger.open()
    try:
        for block, price in enumerate((Price.laplace(Fraction(1, 4)), Price.gaussian(Fraction(1, 32)))):
            limit = Account(Fraction(4), Fraction("1e-6"))
            await ledger.charge("ana", [AccountCharge("table:public.visits", limit, price)], f"block {block}", "")
    finally:
        await ledger.close()


async def opened(dsn: str) -> None:
    """Make the ledger's tables."""
    ledger = Ledger(dsn)
    await ledger.open()
    await ledger.close()


def test_suspensions_are_listed_and_lifted_as_described(directory: Path) -> None:
    session = list(commands_and_output(OPERATIONS.block("console", "suspensions")))
    labels = re.findall(r"SQLSTATE 57…  (.*)", session[0][1])
    with EmbeddedPostgres(directory / "dpproxy-state", durable=False) as server:
        asyncio.run(failed(ensure_database(server.dsn(), LEDGER_DATABASE), labels))
    moment = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
    for command, output in session:
        assert moment.sub("…", run_command(command, directory)) == moment.sub("…", output)


async def failed(dsn: str, labels: list[str]) -> None:
    """Record a failure of ana with each label."""
    ledger = Ledger(dsn)
    await ledger.open()
    try:
        for number, label in enumerate(labels):
            await Failures(ledger.database, len(labels)).record(Failure("ana", f"block {number}", "57", label))
    finally:
        await ledger.close()


@pytest.mark.parametrize("name", ["compose.yaml", "compose.citus.yaml"])
def test_containers_are_built_and_mounted_from_files_that_exist(name: str) -> None:
    directory = CHECKOUT / "docker"
    services = YAML(typ="safe", pure=True).load(directory / name)["services"]
    build = services["dpproxy"]["build"]
    assert (directory / build["context"] / build["dockerfile"]).is_file()
    mounts = [volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    assert all((directory / mount).is_file() for mount in mounts if mount.startswith("."))
    copied = re.findall(r"^COPY (.+) \S+$", (directory / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert all((CHECKOUT / path).exists() for paths in copied for path in paths.split())


def test_commands_of_containers_name_what_the_files_have() -> None:
    """They need an engine and a registry, so that here only what they name is compared with the files."""
    dockerfile = (CHECKOUT / "docker/Dockerfile").read_text(encoding="utf-8")
    compose = (CHECKOUT / "docker/compose.yaml").read_text(encoding="utf-8")
    cluster = (CHECKOUT / "docker/compose.citus.yaml").read_text(encoding="utf-8")
    blocks = [block for block in OPERATIONS.blocks("sh") if block.marker == "containers"]
    lines = [shlex.split(line) for block in blocks for line in block.text.splitlines()]
    assert [line[:2] for line in lines] == [
        ["docker", "compose"],
        ["psql", "postgresql://ana:example@127.0.0.1:5433/clinic"],
        ["docker", "compose"],
        ["docker", "build"],
        ["docker", "run"],
        ["docker", "compose"],
    ]
    assert lines[1][1] in compose
    assert lines[1][1] in cluster
    for line in lines:
        assert all((CHECKOUT / name).is_file() for flag, name in pairwise(line) if flag == "-f")
    run = lines[4]
    image = run.index(lines[3][lines[3].index("-t") + 1])
    serve.add_parser(argparse.ArgumentParser().add_subparsers()).parse_args(run[image + 1 :])
    mounts = [value.split(":") for flag, value in pairwise(run) if flag == "-v"]
    assert (CHECKOUT / mounts[0][0].removeprefix("$PWD/")).is_file()
    assert all(mount[1] in dockerfile for mount in mounts)
    assert f"EXPOSE {run[run.index('-p') + 1].split(':')[-1]}" in dockerfile

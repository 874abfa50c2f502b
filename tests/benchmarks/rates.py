"""How many statements a second get through, with pgbench: relayed (beside pgbouncer), recalled, and paid for."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tests.benchmarks.bystanders import client_dsn, serving
from tests.benchmarks.demo_proxy import PASSWORD, loaded_clinic
from tests.benchmarks.processor_time import WHO, Who, computed, computed_around

_RECALLED = "SELECT region, count(*) FROM visits GROUP BY region"
_PAID = "\\set least random(1, 1000000000)\nSET dp.epsilon = 0.01;\nSELECT count(*) FROM visits WHERE cost > :least / 1e7;\n"
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_FAILED = re.compile(r"^number of failed transactions: [1-9].*|^pgbench: error: .*", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=20_000, help="visits in the clinic (default: 20000)")
    parser.add_argument("--seconds", type=int, default=5, help="of each run of pgbench (default: 5)")
    parser.add_argument("--repetitions", type=int, default=3, help="in turns (default: 3)")
    parser.add_argument("--only", choices=("relayed", "recalled", "paid"), help="only these statements")


@dataclass(frozen=True)
class Load:
    """What pgbench found.

    Attributes:
        rate: statements a second.
        middle, most: the median and the 99th percentile of how long one took, in seconds.
        cpu: seconds that each computed for one, by who; other programs on the machine do not change it much.
    """

    rate: float
    middle: float
    most: float
    cpu: Mapping[Who, float]


@dataclass(frozen=True)
class Between:
    """What stands between pgbench and the server: its port on this machine, and its process. Only a proxy has others."""

    port: int
    process: int
    is_proxy: bool = True

    def cpu(self, before: Mapping[Who, float] | None = None) -> dict[Who, float]:
        """Seconds that each has computed, as of `computed_around`."""
        if self.is_proxy:
            return computed_around(self.process, before)
        none = dict.fromkeys(WHO, 0.0)
        return {**none, "proxy": computed(self.process) - (before or none)["proxy"]}


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    with loaded_clinic(arguments.rows) as source, serving(source, budget=1_000_000) as (port, process):
        ours = Between(port, process.pid)
        _warm(port)
        print(f"{'':69} CPU µs for one, by process")
        print(
            "statements         clients protocol      rate/s   median ms   99 % within ms",
            *(f"{who:>9}" for who in WHO),
        )
        if arguments.only in (None, "relayed"):
            _relayed(source, ours, arguments)
        for protocol in ("simple", "prepared") if arguments.only in (None, "recalled") else ():
            _show("recalled", 8, protocol, [_load(ours, _RECALLED, 8, protocol, arguments) for _ in _turns(arguments)])
        if arguments.only in (None, "paid"):
            _show("paid for", 50, "simple", [_load(ours, _PAID, 50, "simple", arguments) for _ in _turns(arguments)])


def _turns(arguments: argparse.Namespace) -> range:
    return range(arguments.repetitions)


def _warm(port: int) -> None:
    with psycopg.connect(client_dsn(port, "ana"), autocommit=True) as client:
        client.execute(_RECALLED.encode())


def _relayed(source: str, ours: Between, arguments: argparse.Namespace) -> None:
    """In turns, since the machine is not the same from one second to the next."""
    with _pgbouncer(source) as bouncer:
        for protocol in ("simple", "prepared"):
            pairs = [
                (_load(ours, "SELECT 1", 8, protocol, arguments), _load(bouncer, "SELECT 1", 8, protocol, arguments))
                for _ in _turns(arguments)
            ]
            _show("SELECT 1", 8, protocol, [our for our, _ in pairs])
            _show("  by pgbouncer", 8, protocol, [their for _, their in pairs])
            print(f"  ratio {statistics.median(our.rate / their.rate for our, their in pairs):.2f}", flush=True)


def _show(name: str, clients: int, protocol: str, loads: Sequence[Load]) -> None:
    rate, middle, most, *cpu = (
        statistics.median(values)
        for values in zip(
            *((load.rate, load.middle, load.most, *(load.cpu[who] for who in WHO)) for load in loads), strict=True
        )
    )
    shown = f"{rate:10.0f} {middle * 1e3:11.2f} {most * 1e3:16.1f}"
    print(f"{name:18} {clients:7} {protocol:9} {shown}", *(f"{each * 1e6:9.0f}" for each in cpu), flush=True)


def _load(between: Between, script: str, clients: int, protocol: str, arguments: argparse.Namespace) -> Load:
    """One run of pgbench.

    Raises:
        AssertionError: it had errors.
    """
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "script").write_text(f"{script.rstrip().rstrip(';')};\n")
        command = ["pgbench", "-n", "-M", protocol, "-c", str(clients), "-j", "1", "-T", str(arguments.seconds)]
        command += ["-l", "-f", "script", client_dsn(between.port, "ana").replace(f" password={PASSWORD}", "")]
        environment = {**os.environ, "PGPASSWORD": PASSWORD}
        before = between.cpu()
        done = subprocess.run(command, capture_output=True, text=True, cwd=directory, env=environment, check=False)
        cpu = between.cpu(before)
        rate = _RATE.search(done.stdout)
        if rate is None or (failed := _FAILED.search(done.stdout + done.stderr)) is not None:
            raise AssertionError(failed[0] if rate is not None and failed is not None else done.stderr)
        logs = (line for log in Path(directory).glob("pgbench_log*") for line in log.read_text().splitlines())
        took = sorted(int(line.split()[2]) / 1e6 for line in logs)
    return Load(
        float(rate[1]), took[len(took) // 2], took[len(took) * 99 // 100], {who: cpu[who] / len(took) for who in WHO}
    )


@contextlib.contextmanager
def _pgbouncer(source: str) -> Iterator[Between]:
    """A pgbouncer in front of the source, for ana; both are on this machine's loopback, as dpproxy is."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        raise SystemExit("pgbouncer is not installed")
    target = conninfo_to_dict(source)
    with tempfile.TemporaryDirectory() as directory:
        port = 6_000 + os.getpid() % 1_000
        configuration = Path(directory) / "pgbouncer.ini"
        configuration.write_text(
            f"[databases]\nclinic = host={target['host']} port={target['port']} user={target['user']} dbname=clinic\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            "pool_mode = session\nmax_client_conn = 100\ndefault_pool_size = 60\nlog_connections = 0\n"
        )
        command = [program, "-q", str(configuration)]
        if os.geteuid() == 0:
            Path(directory).chmod(0o755)
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                _wait_for(port)
                yield Between(port, process.pid, is_proxy=False)
            finally:
                process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(400):
        with contextlib.suppress(psycopg.Error), psycopg.connect(client_dsn(port, "ana")):
            return
        time.sleep(0.05)
    raise AssertionError("pgbouncer does not answer")

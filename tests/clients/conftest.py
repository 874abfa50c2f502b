"""A plain Postgres and dpproxy in front of a copy of it, as clients reach them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.clients.target import Target
from tests.end_to_end import clinic
from tests.end_to_end.conftest import clinic_template, copy_lasting_clinic, proxies, stage_cluster, starting
from tests.end_to_end.running import RunningProxy
from tests.wire.certificates import Authority, server_files

__all__ = ["clinic_template", "copy_lasting_clinic", "proxies", "stage_cluster"]


@dataclass(frozen=True)
class Targets:
    """Where a client connects: through a proxy whose answers are exact, and to its source."""

    proxied: Target
    plain: Target
    proxy: RunningProxy


@pytest.fixture(scope="session")
def targets(
    stage_cluster: object, copy_lasting_clinic: Callable[[], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Targets]:
    directory = tmp_path_factory.mktemp("certificates")
    authority = Authority(directory)
    with starting(stage_cluster, copy_lasting_clinic) as start:  # type: ignore[arg-type]
        proxy = start(clinic.exact_policy(), tls=server_files(authority))
        host, port = proxy.address
        proxied = Target(host, port, proxy.database, "ana", clinic.PASSWORD, Path(authority.file))
        known = conninfo_to_dict(proxy.options.source_dsn)
        plain = Target(
            str(known["host"]),
            int(str(known.get("port", 5432))),
            str(known["dbname"]),
            str(known["user"]),
            str(known["password"]) if "password" in known else None,
        )
        yield Targets(proxied, plain, proxy)

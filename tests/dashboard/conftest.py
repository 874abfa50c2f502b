"""A proxy with a dashboard, and a month in its ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.dashboard.made_up import month_of_charges
from tests.dashboard.visitor import Visitor
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy, clinic_template, copy_clinic, proxies, stage_cluster
from tests.end_to_end.running import RunningProxy
from tests.wire.certificates import Pair

__all__ = ["clinic_template", "copy_clinic", "proxies", "stage_cluster"]

HOSTILE = "<img src=x onerror=alert(1)>"
LOGIN = {"password": clinic.VERIFIER}


@dataclass(frozen=True)
class Shown:
    """A proxy and the address of its dashboard."""

    proxy: RunningProxy
    host: str
    port: int

    def visitor(self, scheme: str = "http", pair: Pair | None = None) -> Visitor:
        """A new browser, as far as HTTP is concerned."""
        return Visitor(scheme, self.host, self.port, pair)


def policy(**changes: object) -> Policy:
    """The clinic's, with stewards, and an analyst whose name is no good to a careless page."""
    analysts = {"ana": LOGIN, "bob": LOGIN, "superset": LOGIN, HOSTILE: LOGIN}
    return clinic.policy(**{"analysts": analysts, "stewards": {"sam": LOGIN}, **changes})


StartShown = Callable[..., Shown]


@pytest.fixture(scope="module")
def show(proxies: StartProxy) -> StartShown:
    """Starts proxies with a dashboard."""

    def start(wanted: Policy | None = None, **options: object) -> Shown:
        proxy = proxies(wanted or policy(), http=("127.0.0.1", 0), **options)
        assert proxy.service is not None
        assert proxy.service.http is not None
        return Shown(proxy, *proxy.service.http)

    return start


@pytest.fixture(scope="module")
def month(show: StartShown) -> Iterator[Shown]:
    """With a month of charges, questions of today, refusals, and clipping."""
    shown = show(policy(visits={"contribution": {}}))
    month_of_charges(shown.proxy.options.ledger_dsn, dt.datetime.now(dt.UTC), most="0.02")
    with shown.proxy.connect(HOSTILE, application_name="<script>alert(2)</script>") as client:
        client.execute("SELECT region, count(*) FROM visits GROUP BY region")
        client.execute("SELECT count(*) FROM visits WHERE diagnosis <> '</code><script>alert(3)</script>'")
        for refused in ('SELECT cost AS "<script>alert(4)</script>" FROM visits', "SELECT * FROM visits"):
            with pytest.raises(psycopg.Error):
                client.execute(refused.encode())
        yield shown

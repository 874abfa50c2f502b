"""What operators can look at while a proxy runs: is it there, is it ready, and how much of what."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from proxy.budget.ledger import Ledger
from proxy.errors import LedgerUnavailableError
from proxy.policy.model import Policy
from proxy.postgres.source import Source
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.counts import Counts
from proxy.query.virtual import budget_rows
from proxy.serving.health import Health
from proxy.serving.metrics import LoopLag, metric
from proxy.serving.status_server import Page
from proxy.turns import Turns
from proxy.wire.server import Server


class Pages:
    """The pages of a `StatusServer`.

    Args:
        health: of the parts.
        counts: of statements.
        server: whose sessions are counted.
        ledger: what was spent.
        lag: of the event loop.
        policy: in force.
        planners: the places of its planning processes.
        source: whose queries are counted.

    Attributes:
        policy, planners: as above; they change with the policy.
    """

    def __init__(
        self,
        health: Health,
        counts: Counts,
        server: Server,
        ledger: Ledger,
        lag: LoopLag,
        policy: Policy,
        planners: Turns,
        source: Source,
    ) -> None:
        self.policy = policy
        self.planners = planners
        self._source = source
        self._health = health
        self._counts = counts
        self._server = server
        self._ledger = ledger
        self._lag = lag

    @property
    def by_path(self) -> Mapping[str, Page]:
        return {"/live": self._live, "/ready": self._ready, "/metrics": self._metrics}

    async def _live(self) -> tuple[HTTPStatus, str]:
        return HTTPStatus.OK, "alive\n"

    async def _ready(self) -> tuple[HTTPStatus, str]:
        parts = await self._health.parts()
        text = "".join(f"{name}: {'ready' if works else 'does not answer'}\n" for name, works in parts.items())
        return HTTPStatus.OK if all(parts.values()) else HTTPStatus.SERVICE_UNAVAILABLE, text

    async def _metrics(self) -> tuple[HTTPStatus, str]:
        counts, parts = self._counts, await self._health.parts()
        outcomes = [({"outcome": outcome}, number) for outcome, number in sorted(counts.outcomes.items())]
        took = [({"part": part}, seconds) for part, seconds in sorted(self._health.seconds.items())]
        source, durations = self._source.turns, self._source.durations
        sessions = [({"analyst": analyst}, number) for analyst, number in sorted(self._server.sessions.items())]
        shown = [
            metric("ready", "gauge", "Does this part answer?", [({"part": p}, works) for p, works in parts.items()]),
            metric("part_seconds", "gauge", "How long this part took to answer just now.", took),
            metric("source_queries_total", "counter", "Source queries.", [({}, durations.number)]),
            metric("source_query_seconds_total", "counter", "What they took together.", [({}, durations.seconds)]),
            metric("source_running", "gauge", "Questions that have a place at the source.", [({}, source.held)]),
            metric("source_waiting", "gauge", "Questions that wait for one.", [({}, source.waiting)]),
            metric("statements_total", "counter", "Statements over private tables, by what became of them.", outcomes),
            metric("statement_seconds_total", "counter", "What they took together.", [({}, counts.seconds)]),
            metric("sessions", "gauge", "Sessions of each analyst.", sessions),
            metric(
                "unauthenticated", "gauge", "Clients that have not logged in.", [({}, self._server.unauthenticated)]
            ),
            metric("planning", "gauge", "Statements being planned.", [({}, self.planners.held)]),
            metric("planning_waiting", "gauge", "Statements that wait to be.", [({}, self.planners.waiting)]),
            metric("loop_lag_seconds", "gauge", "The most that the event loop was late.", [({}, self._lag.worst())]),
            await self._budgets(),
        ]
        return HTTPStatus.OK, "".join(shown)

    async def _budgets(self) -> str:
        try:
            states, opened = await self._ledger.states(), await self._ledger.opened()
        except LedgerUnavailableError:
            return ""
        names = [name for name, _ in VIRTUAL_COLUMNS["budget"]]
        rows = budget_rows(self.policy, states, opened, sorted(self.policy.analysts))
        accounts = [dict(zip(names, row, strict=True)) for row in rows]
        left = [({"account": str(row["account"])}, float(row["percent_left"] or 0) / 100) for row in accounts]
        return metric("budget_left_ratio", "gauge", "What is left of each account, from 1 to 0.", left)

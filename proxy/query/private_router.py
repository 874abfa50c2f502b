"""The wire's `Router`: claims the statements that dpproxy answers itself, and takes them through the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proxy.budget.answers import Answers
from proxy.budget.editions import Editions
from proxy.budget.failures import Failures
from proxy.budget.holdings import Holdings
from proxy.budget.ledger import Ledger
from proxy.budget.looking import Looks
from proxy.budget.precisions import Precisions
from proxy.errors import DpproxyError
from proxy.postgres.source import Source
from proxy.postgres.stage import Stage
from proxy.query import notices
from proxy.query.answering import Answerer
from proxy.query.asking import Asker
from proxy.query.audit_log import AuditLog
from proxy.query.counts import Counts
from proxy.query.deriving import Derivations
from proxy.query.desk import Desk
from proxy.query.executing import executed_query
from proxy.query.explaining import Explainer
from proxy.query.keeping import dropped_rows, kept_rows, no_rows, try_keeping
from proxy.query.limits import now, require_valid
from proxy.query.live_versions import LiveVersions
from proxy.query.orders import carried_out, order_in
from proxy.query.outlooks import Outlooks
from proxy.query.pacing import Pacer
from proxy.query.paid_work import PaidWork
from proxy.query.paying import Payments
from proxy.query.planned import Plan
from proxy.query.reading import require_readable
from proxy.query.recalling import Recalls
from proxy.query.relative_error import planned_at_share
from proxy.query.releasing import Releaser
from proxy.query.remote_planning import RemotePlanner
from proxy.query.session_state import SessionState, session_state
from proxy.query.trial import try_cursor
from proxy.query.workers import Workers
from proxy.settings import check_setting, check_startup, wants_notices
from proxy.sql.schema import Schema
from proxy.wire.roster import Roster
from proxy.wire.router import Answer, Notice, Parameter, SessionContext, StatementText


class PrivateRouter:
    """Answers claimed statements.

    Args:
        schema: policy and catalog.
        source: where source queries run.
        stage: for the proxy's own queries on it.
        ledger: the accounts.
        answers: the released answers.
        precisions: those of questions that are asked at several precisions.
        failures: failed source queries, by analyst.
        work: on questions that are charged.
        pacer: times fresh answers.
        workers: read and plan.
        counts: what became of statements.
        audit: told of each decision.
        roster: the sessions.
    """

    def __init__(
        self,
        schema: Schema,
        source: Source,
        stage: Stage,
        ledger: Ledger,
        answers: Answers,
        precisions: Precisions,
        failures: Failures,
        work: PaidWork,
        pacer: Pacer,
        workers: Workers,
        counts: Counts,
        audit: AuditLog,
        roster: Roster,
    ) -> None:
        self._roster = roster
        self._counts = counts
        self._audit = audit
        desk = Desk()
        recalls = Recalls(answers, precisions, Editions(ledger.database), LiveVersions(source))
        holdings = Holdings(ledger.database)
        looks = Looks(ledger.database, precisions, holdings, answers)
        derivations = Derivations(holdings, precisions)
        payments = Payments(ledger, answers, precisions, looks, recalls, derivations)
        self._outlooks = Outlooks(answers, precisions, recalls, derivations, Asker(stage))
        releaser = Releaser(source, payments, failures, pacer, desk, work)
        self._schema = schema
        self._planner = RemotePlanner(schema, stage, workers)
        self._answerer = Answerer(schema.policy, stage, ledger, releaser, self._outlooks, desk, audit, roster)
        self._explainer = Explainer(stage, ledger, self._outlooks, desk)

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:
        check_startup(parameters)
        ordered = notices.order_of_texts(self._schema.catalog) if wants_notices(parameters) else None
        return (ordered,) if ordered is not None else ()

    def claims(self, text: str) -> bool:
        return self._planner.claims(text)

    def split_short(self, text: str) -> tuple[StatementText, ...] | None:
        return self._planner.split_short(text)

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        return await self._planner.split(text, analyst)

    async def check(self, text: str, analyst: str) -> bool:
        try:
            return await self._planner.check(text, analyst)
        except DpproxyError as error:
            self._audit.refused(analyst, text, error)
            raise

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        try:
            with self._counts.statement():
                return await self._answer(text, parameters, session)
        except DpproxyError as error:
            self._audit.refused(session.analyst, text, error)
            unit = self._schema.unit_in(text)
            if unit is not None:
                error.name_unit(unit)
            raise

    async def _answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        if not self._planner.was_planned(text):
            answer = await self._other_than_query(text, parameters, session)
            if answer is not None:
                return answer
        try:
            state = await session_state(session)
        except DpproxyError:
            # RESET, SHOW and the catalog's queries must work with settings that private queries refuse.
            if await self._planner.names_private(text, session.analyst):
                raise
            return Answer(None)
        executed = await executed_query(text, session, self._schema)

        async def plan_at(state: SessionState) -> Plan | None:
            if executed is not None:
                return await self._executed(*executed, session, state)
            return await self._planner.plan(text, parameters, session, state)

        told: tuple[str, ...] = ()
        share = state.settings.error_share
        if share is None:
            plan = await plan_at(state)
        else:
            found = await planned_at_share(plan_at, self._outlooks, state, share)
            plan, state, told = found.plan, found.state, found.told
        if plan is None:
            return Answer(None)
        if plan.blocks:
            require_valid(self._schema.policy, session.analyst, now())
        if plan.wrapping.carrier == "explain":
            return await self._explainer.explanation(plan, state, told)
        if plan.wrapping.carrier == "declare":
            await try_cursor(plan.wrapping, session)
        kept = plan.wrapping.kept
        if kept is not None and (present := await try_keeping(plan, kept, session, state)) is not None:
            return present
        if kept is not None and kept.empty:
            return no_rows(plan, kept)
        answer = await self._answerer.answer(plan, text, state, session)
        if kept is None or answer.sql is None:
            return answer
        return await kept_rows(plan, kept, answer, session)

    async def _other_than_query(
        self, text: str, parameters: Sequence[Parameter], session: SessionContext
    ) -> Answer | None:
        """The answer to an order, a setting or the end of a temporary table; None for another text."""
        require_readable(text)
        order = order_in(text, parameters)
        if order is not None:
            return carried_out(order, session.analyst, self._schema.policy, self._roster)
        setting = await self._planner.setting(text, session.analyst)
        if setting is not None:
            check_setting(*setting)
            return Answer(None)
        return await dropped_rows(text, session)

    async def _executed(
        self, query: str, parameters: Sequence[Parameter], session: SessionContext, state: SessionState
    ) -> Plan | None:
        """The plan of what an EXECUTE executes."""
        try:
            return await self._planner.plan(query, parameters, session, state)
        except DpproxyError as error:
            # In the text of EXECUTE it means nothing.
            error.position = None
            raise

"""The wire's `Router`: claims the statements that dpproxy answers itself, and takes them through the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proxy.budget.answers import Answers
from proxy.budget.failures import Failures
from proxy.budget.ledger import Ledger
from proxy.budget.precisions import Precisions
from proxy.errors import DpproxyError, UnsupportedError
from proxy.postgres.source import Source
from proxy.postgres.stage import Stage
from proxy.query import notices
from proxy.query.answering import Answerer
from proxy.query.audit_log import AuditLog
from proxy.query.desk import Desk
from proxy.query.explaining import Explainer
from proxy.query.limits import now, require_valid
from proxy.query.pacing import Pacer
from proxy.query.paying import Payments
from proxy.query.planning import Planner
from proxy.query.reading import Reader, require_readable
from proxy.query.releasing import Releaser
from proxy.query.session_state import session_state
from proxy.query.trial import try_cursor
from proxy.settings import check_setting, check_startup, wants_notices
from proxy.sql.schema import Schema
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
        pacer: times fresh answers.
        audit: told of each decision.
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
        pacer: Pacer,
        audit: AuditLog,
    ) -> None:
        self._audit = audit
        desk = Desk()
        payments = Payments(ledger, answers, precisions)
        releaser = Releaser(source, payments, failures, pacer, desk)
        self._schema = schema
        self._reader = Reader(schema, desk)
        self._planner = Planner(schema, stage, desk, self._reader)
        self._answerer = Answerer(schema.policy, stage, ledger, releaser, desk, audit)
        self._explainer = Explainer(ledger, payments, desk)

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:
        check_startup(parameters)
        ordered = notices.order_of_texts(self._schema.catalog) if wants_notices(parameters) else None
        return (ordered,) if ordered is not None else ()

    def claims(self, text: str) -> bool:
        return self._reader.claims(text)

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        return await self._reader.split(text, analyst)

    async def check(self, text: str, analyst: str) -> None:
        require_readable(text)
        if await self._reader.setting(text, analyst) is not None:
            return
        try:
            await self._reader.parse(text, analyst)
        except UnsupportedError as error:
            # The stage parses it next and reports syntax errors itself; `answer` refuses what only we cannot parse.
            if error.rule != "parse":
                self._audit.refused(analyst, text, error)
                raise

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        try:
            return await self._answer(text, parameters, session)
        except DpproxyError as error:
            self._audit.refused(session.analyst, text, error)
            unit = self._schema.unit_in(text)
            if unit is not None:
                error.name_unit(unit)
            raise

    async def _answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        require_readable(text)
        setting = await self._reader.setting(text, session.analyst)
        if setting is not None:
            check_setting(*setting)
            return Answer(None)
        try:
            state = await session_state(session)
        except DpproxyError:
            # RESET, SHOW and the catalog's queries must work with settings that private queries refuse.
            if await self._reader.names_private(text, session.analyst):
                raise
            return Answer(None)
        plan = await self._planner.plan(text, parameters, session, state)
        if plan is None:
            return Answer(None)
        if plan.blocks:
            require_valid(self._schema.policy, session.analyst, now())
        if plan.statement.carrier == "explain":
            return await self._explainer.explanation(plan, session.analyst)
        if plan.statement.carrier == "declare":
            await try_cursor(plan.statement, session)
        return await self._answerer.answer(plan, state)

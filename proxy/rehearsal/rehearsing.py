"""Plans statements as the server would, up to the point where it would charge: no ledger and no source (decision 2)."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from proxy.budget.exhausted import budget_exhausted
from proxy.dp.accounting import Price
from proxy.errors import DpproxyError
from proxy.query.asking import Asker
from proxy.query.limits import account_limit, now, require_valid
from proxy.query.planned import Plan, all_blocks
from proxy.query.planning import Planner
from proxy.query.reading import Reader, require_readable
from proxy.query.session_state import SessionState, session_state
from proxy.query.trial import try_out
from proxy.rehearsal.opened import RehearsalStage
from proxy.rehearsal.shares import Share, is_setting
from proxy.settings import check_setting
from proxy.sql.scripts import cut, first_words
from proxy.sql.unread_texts import too_deep
from proxy.wire.backend import Report
from proxy.wire.channel import Channel
from proxy.wire.link import ChannelLink
from proxy.wire.router import SessionContext, StageError
from proxy.wire.stage_connection import StageConnection, StageUnavailableError, connect

Result = TypeVar("Result")


@dataclass(frozen=True)
class Refusal:
    """The error that a client would get.

    Attributes:
        rule: dpproxy's rule; None for an error of Postgres's own.
        position: in the statement, counted in characters from 1.
    """

    sqlstate: str
    rule: str | None
    message: str
    detail: str | None = None
    hint: str | None = None
    position: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What becomes of one statement.

    Attributes:
        text: the statement, with the comments before it.
        start: its offset in the script.
        plan: what would be released for it; None if it is refused, or reads nothing private.
        refusal: the error, if it is refused.
    """

    text: str
    start: int
    plan: Plan | None = None
    refusal: Refusal | None = None


class Rehearsal:
    """One analyst's session on a stage without rows.

    Args:
        place: the stage.
        analyst: who asks.
        connection: the session's own connection to the stage.
    """

    def __init__(self, place: RehearsalStage, analyst: str, connection: StageConnection) -> None:
        self._schema = place.schema
        self._reader = Reader(place.schema)
        self._planner = Planner(place.schema, place.stage, self._reader)
        self._asker = Asker(place.stage)
        self._connection = connection
        self._channel = Channel(connection.settings)
        self._link = ChannelLink(self._channel, in_pipeline=False, deliver=self._deliver)
        self._session = SessionContext(analyst, self._link)
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        connection.connection.on_lost = self._lose
        connection.connection.relay_to(self._receive)

    async def rehearse(self, script: str, places: Collection[int] | None = None) -> list[Outcome]:
        """What becomes of each statement of a script; settings hold for the statements after them.

        Args:
            script: its text.
            places: of the statements that are planned, beside those that set something; None for all.

        Raises:
            StageUnavailableError: the stage has ended.
        """
        outcomes, start = [], 0
        try:
            pieces = cut(script)
        except DpproxyError as error:
            return [Outcome(script, 0, refusal=_of_ours(error))]
        for place, piece in enumerate(pieces):
            ours = places is None or place in places
            if first_words(piece, 1) and (ours or is_setting(piece)):
                outcome = await self._outcome(piece, start)
                outcomes += [outcome] if ours else []
            start += len(piece)
        return outcomes

    async def _outcome(self, text: str, start: int) -> Outcome:
        try:
            plan = await self._while_connected(self._planned(text))
        except DpproxyError as error:
            unit = self._schema.unit_in(text)
            if unit is not None:
                error.name_unit(unit)
            return Outcome(text, start, refusal=_of_ours(error))
        except StageError as error:
            return Outcome(text, start, refusal=_of_stage(Report.decode(error.body)))
        except RecursionError:
            return Outcome(text, start, refusal=_of_ours(too_deep()))
        except Exception as error:
            return Outcome(text, start, refusal=_of_ours(_of_a_defect(error)))
        return Outcome(text, start, plan)

    async def _planned(self, text: str) -> Plan | None:
        """As `PrivateRouter.answer`, without its ends: what reads nothing private runs on the stage, which is empty."""
        if not self._reader.claims(text):
            await self._link.rows(text)
            return None
        require_readable(text)
        setting = self._reader.setting(text)
        if setting is not None:
            check_setting(*setting)
        state = await session_state(self._session) if setting is None else None
        plan = None if state is None else await self._planner.plan(text, (), self._session, state)
        if state is None or plan is None:
            await self._link.rows(text)
            return None
        await try_out(plan, self._session)
        if plan.blocks:
            require_valid(self._schema.policy, self._session.analyst, now())
        await self._check_payable(plan, state)
        return plan

    async def _check_payable(self, plan: Plan, state: SessionState) -> None:
        """Refuse what has too many keys, and what accounts could not pay that have spent nothing yet."""
        for block in all_blocks(plan.blocks):
            await self._asker.check_keys(block, state)
        spent: dict[str, Price] = {}
        for block in {block.hash: block for block in all_blocks(plan.blocks) if block.plan.asks_source}.values():
            for account in block.plan.accounts:
                before, limit = spent.get(account.name, Price.zero()), account_limit(account)
                price = account.price(block.plan.price)
                if not limit.admits(before, price):
                    raise budget_exhausted(account.name, price, limit.remaining(before))
                spent[account.name] = before + price

    async def _while_connected(self, work: Awaitable[Result]) -> Result:
        """What `work` returns, unless the stage ends first."""
        working = asyncio.ensure_future(work)
        await asyncio.wait((working, self._lost), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
            raise StageUnavailableError
        return working.result()

    def _lose(self) -> None:
        if not self._lost.done():
            self._lost.set_result(None)

    def _receive(self, data: bytes) -> None:
        self._channel.replies.receive(data)

    def _deliver(self) -> None:
        self._connection.connection.write(b"".join(self._channel.to_stage))
        self._channel.to_stage.clear()


def _of_a_defect(error: Exception) -> DpproxyError:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
    return DpproxyError("internal error", detail=f"This is a defect of dpproxy: {where}.")


def _of_ours(error: DpproxyError) -> Refusal:
    return Refusal(error.sqlstate, error.rule, error.message, error.detail, error.hint, error.position)


def _of_stage(report: Report) -> Refusal:
    texts = {code: report[code].decode(errors="replace") or None for code in "MDHP"}
    position = int(texts["P"]) if texts["P"] is not None else None
    return Refusal(report.sqlstate, None, texts["M"] or "", texts["D"], texts["H"], position)


async def rehearse(
    place: RehearsalStage, analyst: str, scripts: Sequence[str], share: Share | None = None
) -> list[list[Outcome]]:
    """What becomes of each statement of some scripts, each of which has a session of its own.

    Args:
        place: the stage.
        analyst: who asks.
        scripts: their texts.
        share: the statements that are planned; None for all.

    Raises:
        StageError, StageUnavailableError: the stage does not accept the session, or ends.
    """
    outcomes: list[list[Outcome]] = [[] for _ in scripts]
    for number, script in enumerate(scripts):
        if share is not None and number not in share:
            continue
        connection = await connect(place.address, analyst, {"client_encoding": "UTF8"})
        try:
            places = share[number] if share is not None else None
            outcomes[number] = await Rehearsal(place, analyst, connection).rehearse(script, places)
        finally:
            connection.close()
    return outcomes

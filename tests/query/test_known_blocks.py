"""Planned blocks are kept in a bounded room, for those who asked for them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from proxy.query import known_blocks
from proxy.query.known_blocks import BlockKey, KnownBlocks
from proxy.query.planned import PlannedBlock
from proxy.query.session_state import SessionState
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.staging.block_types import BlockTypes
from tests.planned import analysed, only_plan
from tests.sql.events import SCHEMA

STATE = SessionState(QuerySettings(), ("public",), (("TimeZone", "UTC"),), "ana")
DAY = dt.date(2030, 1, 1)


def made(text: str) -> tuple[BlockKey, PlannedBlock]:
    found = analysed(text, SCHEMA)
    (block,) = found.blocks
    planned = PlannedBlock(only_plan(found, SCHEMA), BlockTypes((), (), ()), text)
    return BlockKey(analysis.decisive(block, (), names=False), STATE, DAY), planned


def test_a_block_is_found_for_the_same_state_alone() -> None:
    known = KnownBlocks()
    key, block = made("SELECT count(*) AS n FROM events")
    known.keep(key, block)
    assert known.find(made("SELECT count(*) AS m FROM events")[0]) is block
    states = [
        replace(STATE, analyst="bob"),
        replace(STATE, search_path=("archive", "public")),
        replace(STATE, shared=(("TimeZone", "Asia/Tokyo"),)),
        replace(STATE, settings=replace(STATE.settings, empty_groups="hide")),
    ]
    assert [known.find(replace(key, state=state)) for state in states] == [None] * 4
    assert known.find(replace(key, today=DAY + dt.timedelta(days=1))) is None
    assert known.find(replace(key, made_of=replace(key.made_of, named=True))) is None


def test_the_room_for_blocks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    key, block = made("SELECT count(*) FROM events")
    other, larger = made("SELECT count(*) FROM events WHERE amount > 1")
    assert other.made_of.size > key.made_of.size > 20
    monkeypatch.setattr(known_blocks, "_KEPT", other.made_of.size + len(larger.plan.accounts))
    known = KnownBlocks()
    known.keep(key, block)
    known.keep(other, larger)
    assert (known.find(key), known.find(other)) == (None, larger)


def test_lists_of_declared_keys_take_room(monkeypatch: pytest.MonkeyPatch) -> None:
    key, block = made("SELECT code, count(*) FROM events GROUP BY code")
    assert block.plan.domain is not None
    monkeypatch.setattr(known_blocks, "_KEPT", key.made_of.size + len(block.plan.accounts))
    for characters, kept in ((len(block.plan.domain.sql) + 1, block), (len(block.plan.domain.sql), None)):
        monkeypatch.setattr(known_blocks, "_CHARACTERS", characters)
        known = KnownBlocks()
        known.keep(key, block)
        assert known.find(key) is kept


def test_accounts_of_windows_of_time_take_room() -> None:
    key, block = made("SELECT count(*) FROM events")
    (account,) = block.plan.accounts
    known = KnownBlocks()
    known.keep(key, replace(block, plan=replace(block.plan, accounts=(account,) * 50_000)))
    assert known.find(key) is None

"""Rows without another one, to which a foreign key leads, are searched for without the source, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.policy.catalog import ForeignKey
from proxy.sql.schema import Schema
from tests.planned import analysed, plan_of
from tests.plans.schema import CATALOG, POLICY

_KEY = ForeignKey(("patient_id",), "public.patients", ("patient_id",))
_LOST = "SELECT count(*) FROM visits v LEFT JOIN patients p ON p.patient_id = v.patient_id WHERE p.patient_id IS NULL"


def _is_free(query: str, *, keys: tuple[ForeignKey, ...] = (_KEY,), secured: bool = False) -> bool:
    tables = dict(CATALOG.tables)
    tables["public.visits"] = replace(tables["public.visits"], foreign_keys=keys)
    tables["public.patients"] = replace(tables["public.patients"], row_security=secured)
    return not analysed(query, Schema(POLICY, replace(CATALOG, tables=tables))).blocks


def test_a_foreign_key_leads_to_a_row() -> None:
    assert _is_free(_LOST)
    assert not _is_free(_LOST, keys=())
    assert not _is_free(_LOST, keys=(replace(_KEY, target="public.visits"),))
    assert not _is_free(_LOST, keys=(replace(_KEY, two_equalities=True),))


def test_rows_that_row_security_may_hide_are_not_there() -> None:
    assert not _is_free(_LOST, secured=True)


def test_a_foreign_key_between_types_with_two_equalities_need_not_find_a_row() -> None:
    """'D ' of a text refers to 'D' of a character(2), and is not equal to it."""
    for two_equalities in (False, True):
        key = ForeignKey(("region",), "public.regions", ("name",), two_equalities=two_equalities)
        visits = CATALOG.tables["public.visits"]
        columns = {**visits.columns, "region": replace(visits.columns["region"], nullable=False)}
        tables = {**CATALOG.tables, "public.visits": replace(visits, columns=columns, foreign_keys=(key,))}
        text = "SELECT zone, count(*) FROM visits LEFT JOIN regions ON name = visits.region GROUP BY 1"
        found = plan_of(text, Schema(POLICY, replace(CATALOG, tables=tables))).domain
        assert found is not None
        assert ("SELECT NULL" in found.sql) is two_equalities


@pytest.mark.parametrize("side", ["RIGHT", "FULL"])
def test_a_later_join_may_keep_rows_without_one(side: str) -> None:
    assert _is_free(_LOST.replace("WHERE", "LEFT JOIN regions r ON r.name = v.region WHERE"))
    assert not _is_free(_LOST.replace("WHERE", f"{side} JOIN regions r ON r.name = v.region WHERE"))

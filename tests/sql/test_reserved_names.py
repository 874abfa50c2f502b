"""Nothing of a client's text can be taken for a marker of the template, where the released rows are put in."""

from __future__ import annotations

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.dialect import parse
from proxy.sql.staging.staged import template
from tests.plans.schema import SCHEMA


@pytest.mark.parametrize(
    "text",
    [
        'SELECT 1 AS "dpproxy_relation_0"',
        # The stage calls the column dpproxy_relation_0, and the template names it so.
        "SELECT 1 AS DPPROXY_RELATION_0",
        "SELECT 'dpproxy_relation_0'",
        "SELECT e'\\x64pproxy_relation_0'",
        "SELECT dpproxy_relation_0()",
        "SELECT 1::dpproxy_relation_0",
        "SELECT 1 FROM t AS a (dpproxy_relation_0)",
        "SELECT 1 OPERATOR(dpproxy_relation_0.+) 2",
    ],
)
def test_names_and_texts_like_markers_are_refused(text: str) -> None:
    query = parse(text)
    assert isinstance(query, exp.Query)
    with pytest.raises(UnsupportedError) as refusal:
        template(query, [], [], SCHEMA)
    assert refusal.value.rule == "reserved-name"


def test_others_are_not() -> None:
    query = parse("SELECT 'dpproxy relation', dpproxy.relation FROM dpproxy")
    assert isinstance(query, exp.Query)
    assert template(query, [], [], SCHEMA).count("dpproxy") == 3

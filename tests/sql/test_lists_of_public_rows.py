"""Declared keys are narrowed by lists of public rows, and by no other list: the stage has no private row, and a list that
reads the row around it is another one for each row."""

from __future__ import annotations

import pytest

from proxy.policy.model import Policy
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY, SCHEMA


def keys_of(text: str, schema: Schema = SCHEMA) -> str:
    """The query for the declared keys of a statement."""
    domain = plan_of(text, schema).domain
    assert domain is not None
    return domain.sql


@pytest.mark.parametrize("negation", ["", "NOT "])
def test_a_list_of_public_rows_narrows_the_keys(negation: str) -> None:
    listed = "(SELECT name FROM regions WHERE zone = 'hill')"
    found = keys_of(f"SELECT region, count(*) FROM visits WHERE region {negation}IN {listed} GROUP BY region")
    assert "'hill'" in found


def test_a_list_that_reads_the_row_around_it_narrows_nothing() -> None:
    plain = keys_of("SELECT region, count(*) FROM visits GROUP BY region")
    listed = "(SELECT r.name FROM regions r WHERE r.zone = v.note)"
    assert keys_of(f"SELECT region, count(*) FROM visits v WHERE region IN {listed} GROUP BY region") == plain


def test_a_list_of_private_rows_narrows_nothing() -> None:
    content = POLICY.model_dump(mode="python", exclude_unset=True)
    content["tables"]["public.visits"]["columns"]["patient_id"] = {"range": ["1", "9"]}
    schema = Schema(Policy.model_validate(content), CATALOG)
    plain = keys_of("SELECT patient_id % 3, count(*) FROM visits GROUP BY 1", schema)
    listed = "(SELECT s.patient_id FROM stays s)"
    found = keys_of(f"SELECT patient_id % 3, count(*) FROM visits WHERE patient_id IN {listed} GROUP BY 1", schema)
    assert found == plain


def test_a_row_in_a_list_is_answered_without_narrowing() -> None:
    listed = "(SELECT name, true FROM regions)"
    found = keys_of(f"SELECT region, urgent, count(*) FROM visits WHERE (region, urgent) IN {listed} GROUP BY 1, 2")
    assert "EXISTS" not in found

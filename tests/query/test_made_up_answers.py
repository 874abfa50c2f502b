"""Which SQL around released rows is computed from made-up numbers before anything is charged."""

from __future__ import annotations

import pytest

from proxy.query.made_up_answers import may_fail

_ROWS = 'SELECT r.k0 AS "region", r.a0 AS "n" FROM rows AS r'


@pytest.mark.parametrize(
    "rest",
    [
        "",
        " ORDER BY 2 DESC LIMIT 3",
        " WHERE (r.a0 > 100)",
        " WHERE (r.a0 >= 1.5) AND (NOT (r.a1 <> r.a0 OR r.k0 IS NULL))",
        " WHERE r.a0 IN (1, 2)",
    ],
)
def test_what_names_and_compares_is_not_tried(rest: str) -> None:
    assert not may_fail(_ROWS + rest)


@pytest.mark.parametrize(
    "rest",
    [
        " WHERE (r.a0 / r.a1 > 1)",
        " WHERE (SQRT(r.a0) > 1)",
        " WHERE (CAST(r.k0 AS INT) > 1)",
        " WHERE (r.k0::int > 1)",
        " WHERE (r.a0 = (SELECT r.a0 FROM rows AS r))",
        " WHERE (r.a0 = (WITH x AS (TABLE y) SELECT 1))",
        " WHERE (r.a0 > (VALUES (1), (2)))",
        ' WHERE "f"(r.a0)',
        " WHERE (r.a0 > -1)",
    ],
)
def test_what_can_fail_for_some_numbers_is_tried(rest: str) -> None:
    assert may_fail(_ROWS + rest)

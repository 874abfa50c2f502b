"""Where units are in more groups than help to select these, every group that many units share is shown."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

WORDS = """
CREATE TABLE words (writer integer, word text);
INSERT INTO words SELECT writer, 'word ' || word FROM generate_series(1, 80) AS writer, generate_series(1, 12) AS word;
INSERT INTO words SELECT writer, 'own ' || writer FROM generate_series(1, 80) AS writer;
"""


def test_groups_that_many_units_share_are_shown_whatever_else_these_write(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    dsn = copy_clinic()
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    limits = {"max_rows": 13, "max_rows_per_group": 1, "max_groups": 3}
    words = {
        "unit": {"name": "writer", "column": "writer"},
        "columns": {"word": {}},
        "contribution": limits,
        **generous,
    }
    content = {**clinic.POLICY, "units": {"writer": {}}, "tables": {"public.words": words}}
    with psycopg.connect(dsn, autocommit=True) as source:
        source.execute(WORDS)
    with proxies(Policy.model_validate(content), source=dsn).connect() as client:
        found: dict[str, int] = dict(client.execute("SELECT word, count(*) FROM words GROUP BY word").fetchall())
    assert found == {f"word {number}": 80 for number in range(1, 13)}

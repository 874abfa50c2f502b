"""SmartNoise SQL: COUNT, SUM and AVG by a key, at a total (epsilon, delta). Needs smartnoise-sql and psycopg2."""

from __future__ import annotations

import json
import sys
from typing import Any

import psycopg2
from snsql import Privacy, from_connection


def main() -> None:
    """Answer what standard input asks."""
    asked = json.load(sys.stdin)
    query = f"SELECT {asked['key']}, COUNT(*) AS n, SUM({asked['value']}) AS s, AVG({asked['value']}) AS a FROM public.{asked['table']} GROUP BY {asked['key']}"
    connection = psycopg2.connect(asked["dsn"])
    # Its epsilon is that of each noisy column, so the total decides what each of them may cost.
    cost = _reader(connection, asked, 1.0).get_privacy_cost(query)[0]
    answers = []
    for _ in range(asked["repetitions"]):
        rows = _reader(connection, asked, asked["epsilon"] / cost).execute(query)
        answers.append([[row[0], *map(float, row[1:])] for row in rows[1:]])
    json.dump(answers, sys.stdout)


def _reader(connection: Any, asked: dict[str, Any], epsilon: float) -> Any:
    low, high = asked["bounds"]
    table = {
        "max_ids": asked["max_rows"],
        "rows": asked["rows"],
        "censor_dims": False,
        "clamp_counts": False,
        asked["unit"]: {"type": "int", "private_id": True},
        asked["key"]: {"type": "string", "card": len(asked["keys"])},
        asked["value"]: {"type": "float", "lower": low, "upper": high},
    }
    metadata = {"": {"public": {asked["table"]: table}}}
    privacy = Privacy(epsilon=epsilon, delta=asked["delta"])
    return from_connection(connection, privacy=privacy, metadata=metadata, engine="postgres")


if __name__ == "__main__":
    main()

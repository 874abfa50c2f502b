"""Qrlew: COUNT, SUM and AVG by a key, at a total (epsilon, delta). Needs pyqrlew, SQLAlchemy and psycopg2."""

from __future__ import annotations

import json
import sys
from urllib.parse import quote

import pyqrlew
import sqlalchemy


def main() -> None:
    """Answer what standard input asks."""
    asked = json.load(sys.stdin)
    engine = sqlalchemy.create_engine(f"postgresql+psycopg2:///?dsn={quote(asked['dsn'])}")
    table = asked["table"]
    low, high = asked["bounds"]
    dataset = (
        pyqrlew.Dataset.from_database("source", engine, "public")
        .with_range("public", table, asked["value"], low, high)
        .with_possible_values("public", table, asked["key"], asked["keys"])
    )
    relation = dataset.relation(
        f"SELECT {asked['key']}, count(*) AS n, sum({asked['value']}) AS s, avg({asked['value']}) AS a FROM public.{table} GROUP BY {asked['key']}"
    )
    budget = {"epsilon": asked["epsilon"], "delta": asked["delta"]}
    answers = []
    for _ in range(asked["repetitions"]):
        rewritten = relation.rewrite_with_differential_privacy(
            dataset,
            [(table, [], asked["unit"])],
            budget,
            max_multiplicity=asked["max_rows"],
            max_privacy_unit_groups=asked["max_groups"],
        )
        with engine.connect() as connection:
            rows = connection.exec_driver_sql(rewritten.relation().to_query().replace("%", "%%")).fetchall()
        answers.append([[row[0], *map(float, row[1:])] for row in rows])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()

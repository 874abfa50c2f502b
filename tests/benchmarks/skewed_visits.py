"""Made-up visits of people to countries: some people have many, and some countries have more than others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psycopg

from proxy.postgres.embedded import EmbeddedPostgres

COUNTRIES = tuple(f"country {number:02}" for number in range(1, 31))
SCHEMA = """
CREATE TABLE countries (name text PRIMARY KEY);
CREATE TABLE visits (
    visit_id bigint PRIMARY KEY, user_id integer NOT NULL, country text NOT NULL REFERENCES countries,
    amount numeric(10,2) NOT NULL
);
"""


@dataclass(frozen=True)
class Skew:
    """How unequal people and countries are.

    Attributes:
        users: people.
        visits: of all of them.
        activity: standard deviation of the logarithm of how active people are.
        home: share of a person's visits that are to one country.
        countries: exponent of Zipf's law for the sizes of countries.
        amounts: standard deviation of the logarithm of the amounts.
    """

    users: int = 50_000
    visits: int = 1_000_000
    activity: float = 0.5
    home: float = 0.0
    countries: float = 0.5
    amounts: float = 0.35


@contextmanager
def loaded_visits(skew: Skew) -> Iterator[str]:
    """Connection string of a source with such visits; the same ones whenever asked."""
    with TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "source", durable=False) as server:
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute(SCHEMA.encode())
        fill_visits(server.dsn(), skew)
        yield server.dsn()


def fill_visits(owner: str, skew: Skew) -> None:
    """Rows for the two empty tables."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.cursor().executemany("INSERT INTO countries VALUES (%s)", [(name,) for name in COUNTRIES])
        with connection.cursor().copy("COPY visits FROM STDIN") as copy:
            for row in _rows(skew):
                copy.write_row(row)
        connection.execute("ANALYZE")


def _rows(skew: Skew) -> Iterator[tuple[int, int, str, str]]:
    generator = np.random.default_rng(20_260_101)
    activity = generator.lognormal(0, skew.activity, skew.users)
    users = generator.choice(skew.users, skew.visits, p=activity / activity.sum())
    sizes = 1 / np.arange(1, len(COUNTRIES) + 1) ** skew.countries
    sizes /= sizes.sum()
    homes = generator.choice(len(COUNTRIES), skew.users, p=sizes)
    elsewhere = generator.choice(len(COUNTRIES), skew.visits, p=sizes)
    countries = np.where(generator.random(skew.visits) < skew.home, homes[users], elsewhere)
    cents = np.rint(100 * generator.lognormal(3, skew.amounts, skew.visits)).astype(int)
    for number in range(skew.visits):
        amount = int(cents[number])
        yield number, int(users[number]), COUNTRIES[countries[number]], f"{amount // 100}.{amount % 100:02}"

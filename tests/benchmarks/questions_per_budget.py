"""How many questions a table's budget answers in a day of ten analysts: with a charge for each, with recall of the same
question, and with recall across questions."""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal
from unittest import mock

import psycopg

from proxy.demo.play import demo_policy
from proxy.dp.accounting import Account
from proxy.policy.model import Policy
from proxy.query.deriving import NOTHING, Derivations, Found
from proxy.query.planned import PlannedBlock
from proxy.query.recalling import Recalls
from proxy.query.same_question import Hashes
from tests.benchmarks.demo_proxy import loaded_clinic, running_proxy

ANALYSTS: Final = 10
_NORMAL: Final = 1.96
"""95 % of a normal law are within so many standard deviations."""
_LEAST: Final = 0.001
"""The least epsilon of the demo's policy."""

Mode = Literal["none", "identical", "precisions", "all"]
MODES: Final[dict[Mode, str]] = {
    "none": "a charge for each",
    "identical": "recall of identical ones",
    "precisions": "the same, at any precision",
    "all": "recall across questions",
}
BUDGET: Final = Account(Fraction(4), Fraction(1, 10**6))
"""What the demo gives each table."""


@dataclass(frozen=True)
class Dimension:
    """What charts are grouped and sliced by: an expression, and the values that slices take."""

    sql: str
    values: tuple[str, ...]
    groups: int


@dataclass(frozen=True)
class Cube:
    """What the analysts look at: a table's rows, its dimensions, and what is counted and added up.

    Attributes:
        slices: how tools write a slice: as a condition, or as one of the aggregate, which leaves it open how the rows
            of a unit that has many are counted (theorem 25).
        squared_sensitivity: of a count, by the demo's policy (theorem 1).
    """

    table: str
    squared_sensitivity: int
    dimensions: tuple[Dimension, ...]
    value: str
    slices: Literal["WHERE", "FILTER"]


_REGIONS = Dimension("region", ("north", "south", "east", "west", "centre"), 5)
_SPECIALTIES = Dimension("specialty", ("cardiology", "radiology", "neurology", "general practice"), 9)
CUBES: Final = (
    Cube("patients", 1, (_REGIONS, Dimension("sex", ("F", "M"), 3)), "birth_year", "WHERE"),
    Cube(
        "visits",
        40 * 32,
        (_REGIONS, _SPECIALTIES, Dimension("date_trunc('quarter', visited_at)", (), 8)),
        "cost",
        "FILTER",
    ),
)


@dataclass(frozen=True)
class Chart:
    """One question.

    Attributes:
        groups: the dimensions of its groups.
        slices: the dimensions of which it shows one value.
        averages: does it show an average, too?
        share: how far 95 % of the noise of its counts may go, as a share of a group of average size.
    """

    groups: frozenset[Dimension]
    slices: frozenset[tuple[Dimension, str]]
    averages: bool
    share: Fraction

    def sql(self, cube: Cube) -> str:
        condition = " AND ".join(sorted(f"{dimension.sql} = '{value}'" for dimension, value in self.slices))
        written = f" {'FILTER (WHERE ' if cube.slices == 'FILTER' else 'WHERE '}{condition}" if condition else ""
        after, within = (written, "") if cube.slices == "WHERE" else ("", f"{written})" if condition else "")
        keys = sorted(dimension.sql for dimension in self.groups)
        numbers = [f"count(*){within}"] + ([f"avg({cube.value}){within}"] if self.averages else [])
        grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {', '.join([*keys, *numbers])} FROM {cube.table}{after}{grouped}"

    def epsilon(self, cube: Cube, rows: int) -> float:
        """The price at which counts have the chart's error: the same share of a group for all charts."""
        groups = rows
        for dimension in [*self.groups, *(dimension for dimension, _ in self.slices)]:
            groups //= dimension.groups
        numbers = 2 if self.averages else 1
        return max(_NORMAL * math.sqrt(cube.squared_sensitivity * numbers) / float(self.share * groups), _LEAST)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=200_000, help="visits in the clinic (default: 200000)")
    parser.add_argument("--questions", type=int, default=1000, help="of the day (default: 1000)")
    parser.add_argument("--seed", type=int, default=1)


def run(arguments: argparse.Namespace) -> None:
    """Ask, and print what it cost."""
    limit = BUDGET.rho_max
    print(f"{'table':10} {'':30} {'questions':>9} {'charges':>8} {'rho':>8} {'questions per budget':>21}")
    with loaded_clinic(arguments.rows) as source:
        with psycopg.connect(source, autocommit=True) as owner:
            # What the policy declares holds for every row: so groups of all values are all rows.
            owner.execute("ALTER TABLE public.patients ADD CHECK (sex IN ('F', 'M', 'X'))")
            sizes = {cube.table: _size(owner, cube.table) for cube in CUBES}
        for cube in CUBES:
            day = list(_day(cube, arguments.questions, random.Random(arguments.seed)))
            per_budget = {}
            for mode, label in MODES.items():
                rho, charges = _asked(source, cube, day, sizes[cube.table], mode)
                per_budget[mode] = len(day) * limit / rho
                print(
                    f"{cube.table:10} {label:30} {len(day):9} {charges:8} {float(rho):8.3f} {float(per_budget[mode]):21.0f}"
                )
            for mode in list(MODES)[:-1]:
                print(f"{'':10} {float(per_budget['all'] / per_budget[mode]):.1f} times as many as with {MODES[mode]}")


def _size(owner: psycopg.Connection, table: str) -> int:
    row = owner.execute(f"SELECT count(*) FROM public.{table}".encode()).fetchone()
    return int(row[0]) if row is not None else 0


def _day(cube: Cube, questions: int, chance: random.Random) -> Iterator[Chart]:
    """Each analyst begins with a chart of the finest groups, and goes on from what it has seen: the same again, the
    same more precisely, with fewer dimensions, or one slice."""
    seen: list[list[Chart]] = [[] for _ in range(ANALYSTS)]
    for _ in range(questions):
        own = seen[chance.randrange(ANALYSTS)]
        if not own:
            groups = chance.sample(cube.dimensions, min(2, len(cube.dimensions)))
            chart = Chart(frozenset(groups), frozenset(), chance.random() < 0.5, Fraction(1, 10))
        else:
            chart = _next(chance.choice(own), chance)
        own.append(chart)
        yield chart


def _next(chart: Chart, chance: random.Random) -> Chart:
    """What an analyst asks after a chart."""
    step = chance.choices(["refresh", "sharper", "drill up", "slice", "numbers"], [30, 10, 30, 25, 5])[0]
    groups, slices, averages, share = chart.groups, chart.slices, chart.averages, chart.share
    ordered = sorted(groups, key=lambda dimension: dimension.sql)
    if step == "sharper" and share > Fraction(1, 40):
        share /= 2
    if step == "numbers":
        averages = not averages
    if step == "drill up" and ordered:
        groups -= {chance.choice(ordered)}
    sliced = [dimension for dimension in ordered if dimension.values]
    if step == "slice" and sliced:
        dimension = chance.choice(sliced)
        groups, slices = groups - {dimension}, slices | {(dimension, chance.choice(dimension.values))}
    return Chart(groups, slices, averages, share)


def _asked(source: str, cube: Cube, day: Sequence[Chart], rows: int, mode: Mode) -> tuple[Fraction, int]:
    """What the table paid for the day, as ρ, and in how many charges."""

    async def nothing(*_: object) -> Found:
        return NOTHING

    hashes = Recalls.hashes

    async def without_family(recalls: Recalls, block: PlannedBlock, literals: Sequence[str] = ()) -> Hashes:
        return replace(await hashes(recalls, block, literals), family=None)

    with ExitStack() as stack:
        if mode != "all":
            stack.enter_context(mock.patch.object(Derivations, "find", nothing))
        if mode == "identical":
            stack.enter_context(mock.patch.object(Recalls, "hashes", without_family))
        proxy = stack.enter_context(running_proxy(source, _policy()))
        client = stack.enter_context(proxy.connect())
        client.execute("SET dp.notices = off")
        if mode == "none":
            client.execute("SET dp.recall = off")
        for chart in day:
            client.execute(f"SET dp.epsilon = {chart.epsilon(cube, rows):.9f}".encode())
            client.execute(chart.sql(cube).encode()).fetchall()
        (spent,) = client.execute("SELECT rho_spent FROM dp.budget WHERE account = %s", [f"table:public.{cube.table}"])
        (count,) = client.execute("SELECT count(DISTINCT at) FROM dp.ledger")
    return Fraction(spent[0]), int(count[0])


def _policy() -> Policy:
    """The demo's, with tables that can pay for the whole day, and without accounts of analysts: who shares a table's
    account shares its answers."""
    content: dict[str, Any] = demo_policy().model_dump()
    for table in content["tables"].values():
        if not table["public"]:
            table |= {"budget": {"epsilon": "10000", "delta": "1e-6"}, "per_analyst": None}
            table["query"] |= {"max_epsilon": "1000", "min_epsilon": "0.001"}
    return Policy.model_validate(content)

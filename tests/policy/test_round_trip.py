"""Any valid policy, written as YAML and loaded, is the same policy."""

from __future__ import annotations

import datetime as dt
import io
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from proxy.policy.durations import duration_text
from proxy.policy.model import (
    Analyst,
    ColumnPolicy,
    ContributionPolicy,
    DataVersion,
    Policy,
    QueryPrice,
    RecallPolicy,
    TableBudget,
    TablePolicy,
    Unit,
    UnitReference,
)
from tests.policy.policies import VERIFIER, examine

NAMES = st.text("abcdefgh_0123", min_size=1, max_size=12).map(lambda text: f"c_{text}")
POSITIVE = st.decimals("1e-6", "1e12", allow_nan=False, places=9).filter(lambda number: number > 0)
DELTAS = st.sampled_from([Decimal(0), Decimal("1e-30"), Decimal("1e-6"), Decimal("0.000000123")])
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
    st.sampled_from(["null", "yes", "1e-6", "0x1F", "2024-01-01", "${HOME}", "$$", "a: b", "# x", "- a", " pad ", "'"]),
)


def unequal_pairs(elements: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    return st.tuples(elements, elements).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: tuple(sorted(pair)))


BOUNDS = st.one_of(
    unequal_pairs(st.decimals(-(10**15), 10**15, allow_nan=False, places=6)),
    unequal_pairs(st.dates(dt.date(1000, 1, 1))),
    unequal_pairs(st.datetimes(dt.datetime(1000, 1, 1))),
    unequal_pairs(st.datetimes(dt.datetime(1000, 1, 1), timezones=st.just(dt.UTC))),
)
DURATIONS = unequal_pairs(st.timedeltas(dt.timedelta(days=-1_000_000), dt.timedelta(days=1_000_000)))
VALUES = st.one_of(
    st.lists(TEXTS, min_size=1, max_size=4, unique=True),
    st.lists(st.integers(), min_size=1, max_size=4, unique=True),
    st.lists(st.dates(dt.date(1000, 1, 1)), min_size=1, max_size=4, unique=True),
    st.just([True, False]),
).map(tuple)
RANGES = st.integers(-1000, 1000).flatmap(
    lambda low: st.integers(low + 1, low + 5000).map(lambda high: (Decimal(low), Decimal(high)))
)
COLUMNS = st.one_of(
    st.just(ColumnPolicy()),
    st.builds(ColumnPolicy, bounds=BOUNDS),
    st.builds(ColumnPolicy, bounds=DURATIONS),
    st.builds(ColumnPolicy, values=TEXTS.map(lambda text: (text,)), others=TEXTS.map(lambda text: f"{text}!")),
    st.builds(ColumnPolicy, bounds=BOUNDS, values=VALUES),
    st.builds(ColumnPolicy, range=RANGES),
    st.just(ColumnPolicy(bounds=(Decimal(0), Decimal(10)), step=Decimal("0.01"))),
    st.just(ColumnPolicy(values_from="public.regions.name")),
)
CONTRIBUTIONS = st.integers(1, 10**6).flatmap(
    lambda rows: st.builds(
        ContributionPolicy,
        max_rows=st.just(rows),
        max_rows_per_group=st.none() | st.integers(1, rows),
        max_groups=st.integers(1, 1000),
        min_units=st.integers(1, 100),
    )
)


def _recalled(seconds: int) -> RecallPolicy:
    return RecallPolicy.model_validate({"for": dt.timedelta(seconds=seconds)})


def tables(
    queries: st.SearchStrategy[QueryPrice], deltas: st.SearchStrategy[Decimal]
) -> st.SearchStrategy[TablePolicy]:
    return st.builds(
        TablePolicy,
        # A column that is read with other values leads to no unit.
        unit=st.builds(
            UnitReference,
            name=st.just("patient"),
            column=NAMES.map(lambda name: f"unit {name}"),
            when_null=st.sampled_from([None, "each_row", "exclude"]),
        ),
        budget=st.builds(TableBudget, epsilon=POSITIVE, delta=deltas),
        query=queries,
        contribution=CONTRIBUTIONS,
        columns=st.dictionaries(NAMES, COLUMNS, max_size=4),
        data_version=st.builds(DataVersion, text=TEXTS)
        | st.just(DataVersion(query="SELECT max(name) FROM public.regions")),
        clock=st.integers(0, 10**6).map(lambda seconds: dt.timedelta(seconds=seconds + 1)),
        snap=st.booleans(),
        recall=st.none() | st.integers(1, 10**6).map(_recalled),
    )


CALIBRATED = st.builds(
    QueryPrice,
    epsilon=st.just(Decimal("0.5")),
    delta=st.just(Decimal("1e-9")),
    calibration=st.sampled_from(["zcdp", "analytic", "classic"]),
)
TABLES = st.one_of(
    tables(st.builds(QueryPrice, epsilon=POSITIVE, delta=st.none() | st.just(Decimal("1e-9"))), DELTAS),
    tables(CALIBRATED, st.just(Decimal("1e-6"))),
)
POLICIES = st.builds(
    lambda tables, source: Policy(
        version=1,
        source=source,
        analysts={"ana": Analyst(password=VERIFIER)},
        units={"patient": Unit()},
        tables={**tables, "public.regions": TablePolicy(public=True)},
    ),
    st.dictionaries(NAMES.map(lambda name: f"clinic.{name}"), TABLES, min_size=1, max_size=3),
    st.none() | TEXTS,
)


def yaml_value(value: object) -> object:
    """What ruamel.yaml has to write for `value`: text in quotes, dollars doubled, numbers to their last digit."""
    match value:
        case dict():
            return {yaml_value(key): yaml_value(inner) for key, inner in value.items()}
        case tuple():
            return [yaml_value(inner) for inner in value]
        case dt.timedelta():
            return DoubleQuotedScalarString(duration_text(value))
        case str():
            return DoubleQuotedScalarString(value.replace("$", "$$"))
    return value


def represent_exactly(representer: Any, number: Decimal) -> Any:
    kind = "int" if str(number).lstrip("-").isdigit() else "float"
    return representer.represent_scalar(f"tag:yaml.org,2002:{kind}", str(number))


def written(policy: Policy) -> str:
    yaml = YAML()
    yaml.representer.add_representer(Decimal, represent_exactly)
    stream = io.StringIO()
    yaml.dump(yaml_value(policy.model_dump(exclude_unset=True, exclude_none=True, by_alias=True)), stream)
    return stream.getvalue()


@settings(max_examples=60, deadline=None)
@given(POLICIES)
def test_a_policy_that_is_written_and_loaded_is_the_same(policy: Policy) -> None:
    examination = examine(written(policy))
    assert examination.policy == policy, examination.findings

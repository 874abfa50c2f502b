"""The analysts' page: what it says is answered is, what it says is refused is refused, and its numbers are EXPLAIN's.

Queries that other pages show as answered are asked, too.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import psycopg
import pytest

import proxy
from proxy.dp.accounting import Account, Price
from proxy.errors import DpproxyError
from proxy.settings import SETTINGS
from proxy.sql import text_limits
from proxy.sql.rows import multiplicity
from proxy.sql.terms import documents, intervals, stored, work
from tests.docs.markdown import LANGUAGE, PAGES


def statements(text: str) -> list[str]:
    return [statement.strip() for statement in text.split(";\n") if statement.strip()]


REFUSED = LANGUAGE.table("refused", "why", "write instead")


@pytest.mark.parametrize(
    "query",
    [
        query
        for page in PAGES.values()
        for block in page.blocks("sql")
        if block.marker == "answered"
        for query in statements(block.text)
    ],
)
def test_what_can_be_asked_is_answered(query: str, analyst: psycopg.Connection) -> None:
    analyst.execute("SET dp.epsilon = 0.1")
    assert analyst.execute(query.encode()).fetchall()


@pytest.mark.parametrize("row", REFUSED, ids=[query for query, *_ in REFUSED])
def test_what_is_refused_is_refused_with_this_code_and_what_to_write_instead_is_answered(
    row: tuple[str, ...], analyst: psycopg.Connection
) -> None:
    query, why, instead = row
    before = analyst.execute("SELECT count(*) FROM dp.ledger").fetchone()
    with pytest.raises(psycopg.Error) as refusal:
        analyst.execute(query.encode())
    assert refusal.value.sqlstate == why.partition(":")[0]
    assert analyst.execute("SELECT count(*) FROM dp.ledger").fetchone() == before
    if instead != "–":
        analyst.execute("SET dp.epsilon = 0.1")
        assert analyst.execute(instead.encode()).fetchall()


def test_where_postgres_stops_with_an_error_a_value_is_null_and_whole_numbers_do_not_overflow(
    analyst: psycopg.Connection,
) -> None:
    failing = re.findall("`(.*?)`", LANGUAGE.between("the value is NULL:", "and in casts"))
    assert len(failing) == 5
    failing = [re.sub(r"\bx\b", "birth_year", expression) for expression in failing]
    failing += [
        "sex::numeric",
        "sex::date",
        "power(birth_year, 100)",
        "extract(year FROM date '9000-01-01' + birth_year * 400)",
    ]
    counted = [f"count(*) FILTER (WHERE ({expression}) IS NULL)" for expression in [*failing, "birth_year * 2000000"]]
    analyst.execute("SET dp.epsilon = 0.1")
    counts = analyst.execute(f"SELECT {', '.join(counted)} FROM patients".encode()).fetchone()
    assert counts is not None
    # Noise with a standard deviation of 32: this fails by chance less than once in 10^100 runs.
    assert [round(count / 20_000) for count in counts] == [1] * len(failing) + [0]


ACCURACY = LANGUAGE.table(
    "`dp.epsilon`", "ρ", "`count(*)` of visits", "`sum(cost)`", "`count(*)` of patients", "queries"
)


@pytest.mark.parametrize("row", ACCURACY, ids=[row[0] for row in ACCURACY])
def test_accuracy_table_is_what_explain_says(row: tuple[str, ...], analyst: psycopg.Connection) -> None:
    epsilon, rho, *widths, queries = row
    analyst.execute(f"SET dp.epsilon = {epsilon}".encode())
    for width, asked in zip(
        widths, ("count(*) FROM visits", "sum(cost) FROM visits", "count(*) FROM patients"), strict=True
    ):
        aggregate, table_name = asked.split(" FROM ")
        plan = analyst.execute(
            f"EXPLAIN SELECT region, {aggregate} FROM {table_name} GROUP BY region".encode()
        ).fetchall()
        text = "\n".join(line for (line,) in plan)
        assert re.findall("95 % of the noise within (.*)", text) == [width]
        assert re.findall("Price: (.*)", text) == [f"rho {rho}"]
    account = Account(Fraction(4), Fraction(Decimal("1e-6")))
    assert queries == str(account.queries_left(Price.zero(), Price.gaussian(Fraction(Decimal(rho)))))


def test_settings_are_those_of_the_proxy() -> None:
    expected = [(name, setting.default, setting.meaning) for name, setting in SETTINGS.items()]
    assert LANGUAGE.table("setting", "default", "meaning") == expected


def test_relations_are_those_of_the_schema_dp(analyst: psycopg.Connection) -> None:
    found = analyst.execute(
        "SELECT 'dp.' || relname FROM pg_class WHERE relnamespace = 'dp'::regnamespace AND relkind IN ('r', 'v')"
    ).fetchall()
    assert {name for (name,) in found} == {name for name, _ in LANGUAGE.table("relation", "what it shows")}


def test_sqlstates_are_those_of_the_errors() -> None:
    for module in pkgutil.walk_packages(proxy.__path__, "proxy."):
        importlib.import_module(module.name)
    described = {
        code for codes, *_ in LANGUAGE.table("SQLSTATE", "what happened", "what to do") for code in codes.split(", ")
    }
    assert described == {error.sqlstate for error in classes(DpproxyError)}


def classes(error: type[DpproxyError]) -> Iterator[type[DpproxyError]]:
    yield error
    for subclass in error.__subclasses__():
        yield from classes(subclass)


LIMITS = (
    f"could take more than {work.MOST_ROW_WORK / 10**6:g} ms for one row",
    f"could become larger than {work.MOST_ROW_OCTETS // 10**6} MB",
    f"a row takes {work.MOST_MET_WORK // 10**6} ms or less",
    f"more than {work.SHORT_ROW_WORK / 10**6:g} ms, only {work.MOST_UNIT_WORK // work.MOST_ROW_WORK} rows of a unit",
    f"more than {stored.MOST_OCTETS} octets counts with its first {stored.CUT} characters",
    f"`substring(x FROM 'pattern')`) see {work.MOST_READ},",
    f"more than {stored.MOST_STORED} stored octets",
    f"`jsonb` array with more than {documents.MOST_ELEMENTS} elements",
    f"not jsonb, of more than {work.MOST_JSON} octets",
    f"arrays of more than {stored.MOST_ARRAY}",
    f"more than {stored.MOST_SCALE} digits after the point",
    f"more than a third of {intervals.MOST_DAYS:_} days".replace("_", " "),
    f"longer than {int(intervals.LONGEST):_} days".replace("_", " "),
    f"value between -{float(1 / intervals.MOST_FACTOR):g} and {float(1 / intervals.MOST_FACTOR):g}",
    f"has at most {text_limits.MOST_CHARACTERS:_} characters".replace("_", " "),
    f"and {text_limits.MOST_STATEMENTS} statements",
    f"at most {text_limits.MOST_LEXEMES:_} words".replace("_", " "),
    f"each SELECT {text_limits.MOST_COLUMNS} columns",
    f"beside more than {multiplicity.WIDE} public rows",
    f"of constants (at most {multiplicity.MOST_ROWS:_} rows)".replace("_", " "),
    f"four times `max_rows`, at least {multiplicity.LEAST_OF_UNIT} and at most {max(multiplicity.MOST_OF_UNIT)}",
)


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_are_those_of_the_compiler(limit: str) -> None:
    assert limit in " ".join(LANGUAGE.text.split())

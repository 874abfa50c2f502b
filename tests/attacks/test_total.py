"""Expressions that fail natively for some value must answer: an error would be an oracle for one row (attacks 5-7)."""

from __future__ import annotations

import psycopg
import pytest

from tests.attacks.conftest import Spent

CONDITIONS = {
    "smallint sum leaves smallint": ("patients", "birth_year + birth_year > 0"),
    "smallint product leaves smallint": ("patients", "birth_year * birth_year > 0"),
    "smallint negation": ("patients", "- birth_year > 0"),
    "integer product": ("visits", "minutes * minutes > 0"),
    "integer division by zero": ("visits", "1 / (minutes - 42) > 0"),
    "modulo of the least integer": ("visits", "minutes % -1 = 0"),
    "NaN as integer": ("visits", "cost::integer > 0"),
    "NaN as bigint": ("visits", "cost::bigint > 0"),
    "numeric that does not fit": ("visits", "(minutes * 1000)::numeric(6,2) > 0"),
    "huge numeric cast to its own type": ("visits", "discount::numeric * discount::numeric > 0"),
    "power of a numeric": ("visits", " * ".join(["discount"] * 9) + " > 0"),
    "numeric beyond double precision": ("visits", " * ".join(["patient_id"] * 100) + " > score"),
    "numeric too small for double precision": ("visits", "(patient_id * 1e-200 * 1e-200)::float8 > 0"),
    "numeric in a list beside a float": ("visits", "minutes IN (discount, 5, score)"),
    "numeric between floats": ("visits", "minutes BETWEEN discount AND score"),
    "rounding constant": ("visits", "(minutes * '0.5'::numeric(1,0) + 5)::integer > 0"),
    "float overflow": ("visits", "score * score > 0"),
    "float underflow": ("visits", "score / 1e150::float8 / 1e150::float8 / 1e150::float8 > 0"),
    "float as integer": ("visits", "score::integer > 0"),
    "float as real": ("visits", "score::real > 0"),
    "infinite constant minus a date": ("patients", "date 'infinity' - registered > 3"),
    "far constant minus a date": ("patients", "(date '5874897-12-31' - registered) * 500 > 3"),
    "far constant minus a timestamp": ("visits", "timestamp '294276-12-31' - visited_at > interval '1 day'"),
    "age of an infinite constant": ("visits", "age(visited_at, timestamp '-infinity') > interval '1 day'"),
    "truncating extreme dates": ("patients", "date_trunc('century', registered) > '2020-01-01'"),
    "truncating extreme timestamps": ("visits", "date_trunc('year', visited_at) > '2020-01-01'"),
    "date out of range for timestamps": ("patients", "registered::timestamp > '2020-01-01'"),
    "date against a time zone": ("patients", "registered::timestamptz > '2020-01-01'"),
    "fields of extreme dates": ("patients", "extract(epoch FROM registered) > 0"),
    "formatting extreme timestamps": ("visits", "to_char(visited_at, 'Month RM J Q CC TH SSSSS US FF6 TZ OF') = 'x'"),
    "dates moved out of range": ("patients", "registered + 1000000 > '2020-01-01'"),
    "interval added to the end of time": ("visits", "visited_at + interval '2000 years' > '2020-01-01'"),
    "text as integer": ("visits", "diagnosis::integer = 5"),
    "text as a date": ("visits", "diagnosis::date = '2024-01-01'"),
    "text as numeric": ("visits", "substr(diagnosis, 11)::numeric / 0 > 1"),
    "root of a negative number": ("visits", "sqrt(minutes - 42) > 0"),
    "logarithm of nothing": ("visits", "ln(minutes) + log(2, minutes) + log10(score) > 0"),
    "huge exponential": ("visits", "exp(minutes) + exp(score) + exp(discount) > 0"),
    "huge power": ("visits", "2 ^ minutes + score ^ 2 + minutes ^ minutes > 0"),
    "huge power of a numeric": ("visits", "discount ^ 3.5 > 0"),
    "angles of infinity": ("visits", "sin(score) + tan(discount) + asin(minutes) + acosh(score) > 0"),
    "NaN in a bucket": ("visits", "width_bucket(cost, 0, 100, 10) + width_bucket(score, 0, 10, 5) > 3"),
    "interval times a huge number": ("visits", "visited_at + minutes * interval '1 day' > now()"),
    "interval divided by nothing": ("visits", "visited_at + (visited_at - seen_at) / minutes > now()"),
    "zones of extreme timestamps": ("visits", "visited_at AT TIME ZONE 'Asia/Tokyo' > seen_at AT TIME ZONE 'UTC'"),
    "bins of extreme timestamps": ("visits", "date_bin('1 week', visited_at, timestamp '2000-01-03') > now()"),
    "epoch of infinity": ("visits", "to_timestamp(score) > to_timestamp(minutes)"),
    "days beyond the calendar": ("visits", "visited_at::date + minutes > '2024-01-01'"),
    "age of infinity": ("visits", "age(visited_at) > interval '1 day'"),
    "typed NULL in arithmetic": ("visits", "coalesce(minutes, 5) + 1 > 0"),
}


@pytest.mark.parametrize(("table", "condition"), CONDITIONS.values(), ids=CONDITIONS.keys())
def test_condition_answers_whatever_the_rows_hold(table: str, condition: str, client: psycopg.Connection) -> None:
    assert client.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone() is not None


SUMS = {
    "smallint": ("patients", "sum(birth_year * birth_year)"),
    "NaN cast to integer": ("visits", "avg(cost::integer)"),
    "NaN": ("visits", "avg(cost)"),
    "huge numeric": ("visits", "avg(discount)"),
    "infinities": ("visits", "avg(score)"),
    "denormal": ("visits", "sum(score * 1000000)"),
    "extreme integers": ("visits", "sum(minutes * minutes)"),
}


@pytest.mark.parametrize(("table", "aggregate"), SUMS.values(), ids=SUMS.keys())
def test_sum_answers_whatever_the_rows_hold(table: str, aggregate: str, client: psycopg.Connection) -> None:
    assert client.execute(f"SELECT {aggregate} FROM {table}").fetchone() is not None


REFUSED = {
    "text as interval": ("diagnosis::interval > '1 day'", "0A000"),
    "sleep": ("CASE WHEN patient_id = 42 THEN pg_sleep(5) IS NULL END", "0A000"),
    "repetition": ("length(repeat(diagnosis, 1000000)) > 5", "0A000"),
    "random": ("random() < 0.5", "0A000"),
    "regular expression from a column": ("diagnosis ~ region", "0A000"),
    "wrong regular expression": ("CASE WHEN patient_id = 42 THEN diagnosis ~ '[' END", "2201B"),
    "wrong regular expression, folded": ("CASE WHEN patient_id = 42 THEN diagnosis ~* ('(' || 'a') END", "2201B"),
    "back reference": (r"diagnosis ~ '(a*)*\1'", "0A000"),
    "LIKE pattern from a column": ("diagnosis LIKE region", "0A000"),
    "LIKE pattern that ends in its escape": (r"diagnosis LIKE 'a\'", "0A000"),
    "date field from a column": ("date_trunc(diagnosis, visited_at) > '2024-01-01'", "0A000"),
    "field of another type": ("extract(timezone FROM visited_at::date) > 0", "0A000"),
    "array subscript": ("(ARRAY[1, 2])[minutes] = 1", "0A000"),
    "unknown time zone": ("CASE WHEN patient_id = 42 THEN visited_at AT TIME ZONE 'Nowhere/Land' > now() END", "22023"),
    "time zone from a column": ("visited_at AT TIME ZONE region > now()", "0A000"),
    "wrong pattern of a function": (
        "CASE WHEN patient_id = 42 THEN regexp_replace(diagnosis, '(', '') = '' END",
        "2201B",
    ),
    "wrong pattern of substring": ("substring(diagnosis FROM '[') = 'x'", "2201B"),
    "wrong pattern of SIMILAR TO": ("diagnosis SIMILAR TO '[' OR urgent", "2201B"),
    "back reference by another escape": ("diagnosis SIMILAR TO '(a*)*#1' ESCAPE '#'", "2201B"),
    "counted group": ("diagnosis ~ '((a+){40}){40}'", "0A000"),
    "split_part from a column": ("split_part(diagnosis, ' ', minutes) = 'x'", "0A000"),
    "padding without end": ("length(lpad(diagnosis, 1000000000)) > 3", "0A000"),
    "characters by number": ("chr(minutes) = 'a'", "0A000"),
    "buckets without end": ("width_bucket(cost, 0, 10, 2000000000) = 3", "0A000"),
    "buckets of nothing": ("width_bucket(cost, 10, 10, 5) = 3", "0A000"),
    "stride in months": ("date_bin('1 month', visited_at, '2020-01-01') > now()", "0A000"),
    "table function": ("minutes IN (SELECT generate_series(1, 1000000000))", "0A000"),
    "table function in FROM": ("EXISTS (SELECT FROM generate_series(1, 1000000000) AS s WHERE s > minutes)", "0A000"),
    "query in a function": ("query_to_xml('select * from visits', true, true, '') IS NOT NULL", "0A000"),
    "identity of the row's place": ("ctid = '(0,1)'", "42501"),
}


@pytest.mark.parametrize(("condition", "sqlstate"), REFUSED.values(), ids=REFUSED.keys())
def test_condition_is_refused_before_anything_is_charged(
    condition: str, sqlstate: str, client: psycopg.Connection, spent: Spent
) -> None:
    before = spent()
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(f"SELECT count(*) FROM visits WHERE {condition}")
    # The stage may refuse first, because the expression means nothing in Postgres either.
    assert refusal.value.sqlstate in (sqlstate, "42703", "42883")
    assert spent() == before


def test_nesting_without_end_is_refused_and_the_session_lives_on(client: psycopg.Connection) -> None:
    for depth in (300, 10_000):
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="nested too deeply"):
            client.execute(f"SELECT count(*) FROM visits WHERE {'(' * depth}true{')' * depth}")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="nested too deeply"):
        client.execute(f"SELECT count(*) FROM visits WHERE {' + '.join(['minutes'] * 3000)} > 3")
    assert client.execute("SELECT 1").fetchone() == (1,)

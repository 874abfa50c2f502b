"""On ordinary values an expression means what Postgres says: the compiled term and the client's own text, side by side."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.work import LONGEST_CHARACTER, MOST_VALUE, octets_of
from proxy.sql.trees import constants
from tests.conftest import PostgresCluster

SCHEMA = """
CREATE TABLE items (
    unit int NOT NULL, small smallint, whole int, big bigint, exact numeric(10, 2), free numeric, double float8, single real,
    word text, code varchar(20), padded char(6), numeral text, moment_text text, truth boolean, day date, moment timestamp,
    instant timestamptz, clock time, span interval, paper json, record jsonb, marks int[], labels text[], tag uuid
);
INSERT INTO items
SELECT i, i % 7 - 3, i * 37 % 101 - 50, i * 1000003, (i * 7919 % 10000) / 100.0 - 20, i / 7.0 - 2, i / 3.0 - 5, i / 4.0,
    (ARRAY['alpha beta', 'Beta,gamma', 'x1y22z333', '', 'naïve ß', 'a_b%c'])[1 + i % 6], 'code-' || i % 9, (ARRAY['ab', 'c', 'abcdef'])[1 + i % 3],
    (ARRAY['12', ' -7 ', '3.50', '1e3', '+4'])[1 + i % 5], (ARRAY['2024-02-29', '2023-11-05 10:20:30.5', '1999-12-31T23:59'])[1 + i % 3],
    i % 3 = 0, date '2023-12-20' + i, timestamp '2024-02-20 13:45:10.25' + i * interval '7 hours 13 minutes',
    timestamptz '2024-03-20 10:00+00' + i * interval '11 hours', time '00:30' + i * interval '29 minutes',
    i % 5 * interval '1 month' - i * interval '1 day' + i * interval '1 hour 5 seconds',
    format('{"a": {"b": [%s, "two"]}, "name": "n%s", "n": "%s", "deep": {"x": {"y": "z"}}, "é": true}', i, i, i)::json,
    format('{"a": {"b": [%s, "two"]}, "name": "n%s", "n": %s.5, "t": %s, "list": [1, 2, %s]}', i, i, i, (i % 2 = 0)::text, i)::jsonb,
    ARRAY[i, i % 4, NULL], ARRAY['l' || i % 3, 'm'], ('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid
FROM generate_series(1, 40) AS i;
INSERT INTO items (unit) VALUES (41);
"""

NUMBERS = """
sqrt(whole + 60) | sqrt(exact + 30) | cbrt(whole) | ln(free + 3) | ln(double + 6) | log(exact + 30) | log10(single + 1) | log(2, big) | log(2.5, exact + 30)
exp(double) | exp(exact / 10) | exp(small) | power(whole, 2) | whole ^ 3 | exact ^ 2 | free ^ 3 | double ^ 2 | power(single, 3) | 2 ^ small | 1.5 ^ exact | power(exact + 30, 0.5)
power(double + 6, -1.5) | power(small, small + 4) | - whole ^ 2 | |/ (whole + 60) | ||/ double | degrees(double) | radians(whole) | sin(double) | cos(whole) | tan(exact)
cot(double + 7) | asin(double / 20) | acos(double / 20) | atan(whole) | atan2(whole, double) | sind(whole) | cosd(exact) | tand(single) | sinh(double) | cosh(small) | tanh(double) | asinh(whole)
acosh(double + 7) | atanh(double / 20) | pi() * double | sign(whole) | sign(exact) / 2 | sign(double) | div(whole, 7) | div(exact, 0.3) | div(big, small + 10) | gcd(whole, 12) | lcm(whole, small) | gcd(exact, 0.5)
round(exact, 1) | round(exact, -1) | trunc(free, 2) | round(whole) | round(whole, -1) | round(double) | ceil(exact) | floor(small) | trunc(whole) / 2 | abs(small) | mod(whole, 7) | whole % 3
width_bucket(whole, -50, 50, 10) | width_bucket(exact, 0, 60.5, 7) | width_bucket(double, 5, -5, 4) | width_bucket(exact, ARRAY[0, 10.5, 30]) | width_bucket(whole, '{-10,0,10}'::int[])
width_bucket(day, ARRAY['2024-01-01', '2024-01-15']::date[]) | least(greatest(whole, 0), 10) | greatest(least(exact, 10), small) | CASE WHEN whole BETWEEN 0 AND 10 THEN whole END
CASE WHEN exact < 0 THEN 0 WHEN exact > 20 THEN 20 ELSE exact END | nullif(small, 0) | coalesce(whole, big, 1) | greatest(double, whole) | whole / (small + 10) | whole / 7 * 3 | whole / 7.0 | big * big
"""
CONDITIONS = """
whole = ANY (ARRAY[1, 2, 3]) | whole <> ALL (ARRAY[1, 2]) | whole > ANY (ARRAY[10, 20.5]) | exact < ALL ('{10,20}') | word = ANY ('{alpha beta,x}') | day >= ANY (ARRAY['2024-01-01', '2024-01-09']::date[])
whole <> ANY (ARRAY[1]) | whole = SOME (ARRAY[1, 7]) | 3 = ANY (marks) | whole < ALL (marks) | 'm' = ANY (labels) | whole = ANY ('{}') | marks && ARRAY[1, 2] | marks @> ARRAY[3] | ARRAY[1] <@ marks | labels @> '{m}'
(small, whole) = (1, 2) | (small, truth) <> (1, true) | (whole, exact) < (0, 5) | (small, truth) IN ((1, true), (2, false)) | ROW(small, whole) = ROW(1, 24) | NOT (small, whole) IN ((1, 2))
whole BETWEEN SYMMETRIC 10 AND -10 | whole NOT BETWEEN SYMMETRIC 10 AND -10 | whole NOT BETWEEN 1 AND 5 | whole IS DISTINCT FROM small | truth IS UNKNOWN | truth IS NOT TRUE | (whole > 3) IS FALSE | whole ISNULL | NOT truth
word LIKE 'a%' | word NOT LIKE '%\\_%' | word ILIKE '%BETA%' | word LIKE 'a#_b#%%' ESCAPE '#' | word LIKE ANY (ARRAY['a%', '%3']) | word NOT LIKE ALL (ARRAY['a%', '%3']) | word NOT ILIKE ANY ('{A%,%3}') | word ~~ 'x%' | word !~~* 'X%'
word ~ '[0-9]{2}' | word !~ '^[a-z]+$' | word ~* '^b' | word SIMILAR TO '(a|x)%' | word NOT SIMILAR TO '%[0-9]+' | word SIMILAR TO 'a#_%' ESCAPE '#' | padded LIKE 'ab' | padded LIKE 'ab    ' | padded ~ 'c +$' | padded = 'ab'
word ^@ 'al' | starts_with(code, 'code-1') | regexp_like(word, 'BETA', 'i') | isfinite(moment) | (moment, instant::timestamp) OVERLAPS (timestamp '2024-02-25', timestamp '2024-02-26')
(day, interval '3 days') OVERLAPS (date '2024-01-01', interval '1 week') | record ? 'name' | record ?| ARRAY['z', 't'] | record ?& '{a,n}' | record @> '{"t": true}' | '{"a": {}}' <@ record | record -> 't' = 'true' | truth = true
moment > now() - interval '90 days' | clock > '10:00' | span > interval '1 day' | span BETWEEN '-3 days' AND '3 days' | tag = '00000000-0000-0000-0000-000000000007' | coalesce(truth, false) AND whole > 0 OR small IS NULL
"""
TEXTS = r"""
replace(word, 'a', 'XX') | split_part(word, ',', 2) | split_part(word, ' ', 1) | translate(word, 'abx', '12') | lpad(word, 8) | rpad(code, 12, '-*') | repeat(code, 3) | md5(word) | reverse(word) | initcap(word) | upper(code)
left(word, -2) | right(word, 3) | left(word, 4) | substring(word from 2 for 3) | substring(word from 3) | substring(word for 4) | substr(word, -1, 4) | substring(word from '[0-9]+') | substring(word, '(.)e') | overlay(word placing 'ZZ' from 2 for 1)
overlay(code placing '' from 3) | position('b' in word) | strpos(word, ',') | length(word) | octet_length(word) | length(padded) | octet_length(padded) | char_length(code) | btrim(word, 'ax') | trim(both 'a' from word) | ltrim(padded)
regexp_replace(word, '[aeiou]', '<\&>', 'g') | regexp_replace(word, '(.)(.)', '\2\1') | (regexp_match(word, '([a-z])([0-9])'))[2] | regexp_instr(word, '[aeiou]', 2) | regexp_instr(word, '[0-9]+$') | regexp_count(word, '[ab]') | regexp_substr(word, '[0-9]+') | (string_to_array(word, ' '))[1]
(regexp_split_to_array(word, '[ ,]'))[2] | word || 5 | whole || '-' || exact | word || day | truth || 'x' | padded || '|' | concat(word, whole, truth, padded, NULL, double) | concat_ws('/', code, exact, day, span) | concat(record -> 'a')
whole::text | exact::varchar(4) | double::text | truth::text | day::text | moment::text | instant::text | span::text | paper::text | record::text | tag::text | clock::text | word::char(3) | whole::char(3) | record ->> 'name'
paper ->> 'name' | paper -> 'a' ->> 'b' | paper #>> '{a,b,1}' | record #> '{a,b}' | record -> 'list' -> -1 | record['a']['b'][0] | paper -> 'deep' -> 'x' ->> 'y' | paper ->> 'é' | jsonb_typeof(record -> 'n') | json_typeof(paper -> 'a')
jsonb_extract_path_text(record, 'a', 'b', '1') | json_extract_path(paper, 'a', 'b') | jsonb_array_length(record -> 'list') |  labels[1] | marks[2] * 2 | array_length(marks, 1) | cardinality(labels) | pg_catalog.lower(word)
numeral::numeric | (record ->> 'n')::float8 | (record ->> 't')::boolean | (record -> 'n')::int | (record -> 't')::boolean | (record -> 'n')::numeric(6, 2) | (paper ->> 'n')::int | (paper ->> 'n')::bigint + 1 | numeral::float8 | numeral::numeric(8, 1)
moment_text::date | moment_text::timestamp | moment_text::timestamptz | moment_text::timestamp(0) | truth::int | whole::boolean::int | clock - time '00:10' | clock - interval '1 hour'
"""
DATES = """
moment AT TIME ZONE 'UTC' | instant AT TIME ZONE 'America/New_York' | day AT TIME ZONE 'Asia/Tokyo' | instant AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris' | timezone('UTC', instant) | timezone('UTC', moment)
date_trunc('week', instant) | date_trunc('day', instant, 'Asia/Tokyo') | date_trunc('hour', span) | date_trunc('month', day) | date_bin('15 minutes', moment, timestamp '2001-01-01') | date_bin('1 day 6 hours', instant, '2024-01-01 00:00+00')
age(moment) | age(day) | age(moment, timestamp '2020-02-29') | age(instant, moment) | extract(epoch from moment) | extract(epoch from span) | extract(epoch from day) | extract(second from moment) | extract(milliseconds from clock)
extract(microseconds from instant) | extract(timezone from instant) | extract(timezone_hour from instant) | extract(hour from clock) | extract(day from span) | extract(month from span) | extract(millennium from day) | extract(isoyear from day)
extract(days from span) | extract('dow' from day) | date_part('second', moment) | date_part('epoch', span) | extract(epoch from instant - moment) / 3600 | to_char(moment, 'YYYY-"W"IW Day HH12:MI AM') | to_char(day, 'FMMonth')
moment + span | instant - span | day + span | day + whole | day - small | moment + whole * interval '1 hour' | moment - interval '36 hours' * small | span * 2 | span / 3 | span * double | span + interval '1 day' | - span | span - span * 3
justify_days(span) | justify_hours(span) | justify_interval(span) | moment - instant::timestamp | day - date '2024-01-01' | moment::date - day | to_timestamp(double * 1000000) | to_timestamp(big) | moment::time | instant::time | clock::interval
moment::timestamp(0) | instant::timestamp | day::timestamptz | moment::date | make_date(2024, 1, 5) - day | current_date - day > 3 | day + make_interval(days => 3) | day + 5 | timestamp '2024-03-01' + span | greatest(day, date '2024-01-10') | clock + interval '1 hour'
"""


def _cut(line: str) -> list[str]:
    """The expressions of a line, which " | " separates."""
    return line.split(" | ")


@pytest.fixture(scope="module")
def items(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Relation]]:
    dsn = postgres_cluster.create_database("items")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
        connection.execute("SET TimeZone = 'Europe/Paris'")
        yield connection, _relation(read_catalog(dsn, ["public.items"]))


def _relation(catalog: Catalog) -> Relation:
    columns = {name: model.ColumnPolicy() for name in catalog.tables["public.items"].columns}
    table = model.TablePolicy(
        unit=model.UnitReference(name="person", column="unit"),
        budget=model.Budget(epsilon=1),  # type: ignore[arg-type]
        columns=columns,
    )
    schema = Schema(model.Policy(version=1, units={"person": model.Unit()}, tables={"public.items": table}), catalog)
    select = dialect.parse("SELECT 1 FROM items")
    assert isinstance(select, exp.Select)
    return RowCompiler(schema, ("public",), lambda _: 1).relation(select)


EXPRESSIONS = [
    text.strip()
    for block in (NUMBERS, CONDITIONS, TEXTS, DATES)
    for line in block.strip().splitlines()
    for text in _cut(line)
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_term_and_client_text_give_the_same_values(text: str, items: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = items
    select = dialect.parse(f"SELECT {text} FROM items")
    assert isinstance(select, exp.Select)
    folding = constants.foldable(select)
    if folding:
        row = connection.execute(constants.probe_sql(folding).encode()).fetchone()
        assert row is not None
        constants.substitute(folding, row)
    probe = constants.pattern_probe_sql([select])
    if probe is not None:
        connection.execute(probe.encode())
    output = select.expressions[0]
    assert isinstance(output, exp.Expr)
    term = compile_term(output, relation)
    alias = relation.members[0].alias
    query = f"SELECT ({text})::text, ({term.sql})::text, pg_typeof({text})::text FROM items AS {alias} ORDER BY unit"
    rows = connection.execute(query.encode()).fetchall()
    assert [ours for _, ours, _ in rows] == [theirs for theirs, _, _ in rows]
    assert any(theirs is not None for theirs, _, _ in rows)
    assert {"character": "bpchar"}.get(rows[0][2], rows[0][2]) == term.type.name


@pytest.mark.parametrize("folded", [True, False])
def test_every_expression_of_constants_has_a_size_as_a_key(
    folded: bool, items: tuple[psycopg.Connection, Relation]
) -> None:
    connection, relation = items
    catalog = relation.members[0].table.catalog.columns  # type: ignore[union-attr]
    texts = ", ".join(f"{name}::text" for name in catalog)
    values = connection.execute(f"SELECT {texts} FROM items WHERE unit = 1".encode()).fetchone()
    assert values is not None
    known = {name: constants.literal(text, catalog[name].type_name) for name, text in zip(catalog, values, strict=True)}
    sizes = []
    for text in EXPRESSIONS:
        select = dialect.parse(f"SELECT ({text}) FROM items")
        assert isinstance(select, exp.Select)
        for column in list(select.expressions[0].find_all(exp.Column)):
            column.replace(known[column.name].copy())
        folding = constants.foldable(select) if folded else []
        if folding:
            row = connection.execute(constants.probe_sql(folding).encode()).fetchone()
            assert row is not None
            constants.substitute(folding, row)
        try:
            key = grouping_term(select.expressions[0], compile_term(select.expressions[0], relation))
        except DpproxyError:
            continue
        sizes.append(octets_of(key))
    assert len(sizes) > len(EXPRESSIONS) / 2
    assert 0 < max(sizes) <= MOST_VALUE * LONGEST_CHARACTER

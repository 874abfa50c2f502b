"""What a row's values may be computed with: each form without a proof is refused by its own rule.

Postgres itself refuses some of these before dpproxy looks at them. That is no reason to let them through: what the
stage takes for granted is not what the source's rows are safe from.
"""

from __future__ import annotations

import pytest

from tests.sql.events import DENIED, UNSUPPORTED, assert_refused, plan

NOT_ALLOWED = {
    "an element of an array of arrays": "numbers[1][1] = 1",
    "a slice of an array": "tags[1:2] IS NULL",
    "a subscript of a text": "note[1] = 'a'",
    "two arrays of a row": "tags @> tags",
    "an array of the row's values": "tags @> ARRAY[note]",
    "ANY of a number": "1 = ANY (many)",
    "ANY of a text": "many = ANY (note)",
    "ANY of elements that need a cast": "score = ANY (numbers)",
    "a truth value of a number": "many IS TRUE",
    "IS JSON": "document IS JSON",
    "OVERLAPS of two types in a pair": "(at, at) OVERLAPS (at, day)",
    "OVERLAPS of pairs that differ": "(at, took) OVERLAPS (day, took)",
    "a path that a row holds": "document #> tags = '1'",
    "a path of a text that a row holds": "document #>> note = '1'",
    "@> of json": "plain @> '{}'",
    "@> of two documents": "document @> document",
    "@> of a document and a text": "document @> note",
    "&& of a document": "document && '{}'",
    "? of json": "plain ? 'a'",
    "? of a text": "note ? 'a'",
    "?| of json": "plain ?| ARRAY['a']",
    "?| of keys that a row holds": "document ?| tags",
    "a row compared with one column": "(many, many) IN (SELECT size FROM towns)",
    "a column compared with a row": "many IN (SELECT size, name FROM towns)",
    "LIKE ANY of nothing": "note LIKE ANY (ARRAY[]::text[])",
    "LIKE ANY of the row's texts": "note LIKE ANY (tags)",
    "a whole row": "(events).* IS NULL",
    "the number of elements of a text": "cardinality(note) = 1",
    "the length of a number": "array_length(many, 1) = 1",
}


@pytest.mark.parametrize("condition", NOT_ALLOWED.values(), ids=NOT_ALLOWED.keys())
def test_forms_without_a_proof_are_not_allowed(condition: str) -> None:
    assert_refused(f"SELECT count(*) FROM events WHERE {condition}", "not-allowed", UNSUPPORTED, "")


BY_RULE = {
    "a size that nobody knows": ("many + coalesce(NULL::integer) > 1", "magnitude", "the size of this operand"),
    "a number beyond all": ("many = 1e400", "literal", "this number is too large"),
    "numeric with three modifiers": ("amount::numeric(10, 2, 3) = 1", "cast-type", "a cast to this type"),
    "a timestamp of nine digits": ("seen::timestamp(9) IS NULL", "cast-type", "a cast to this type"),
    "a date with a modifier": ("day::date(3) IS NULL", "cast-type", "a cast to this type"),
    "boolean to date": ("urgent::date IS NULL", "cast", "a cast from boolean to date"),
    "integer to date": ("many::date IS NULL", "cast", "a cast from integer to date"),
    "inet to text": ("address::text = ''", "cast", "a cast from inet to text"),
    "point to text": ("place::text = ''", "cast", "a cast from point to text"),
    "a number as a condition": ("many", "condition-type", "expected a boolean condition, got integer"),
    "a number in a conjunction": ("many AND urgent", "condition-type", "expected a boolean condition, got integer"),
    "not a text": ("NOT note", "condition-type", "expected a boolean condition, got text"),
    "date_trunc with a zone of no zoned type": ("date_trunc('day', at, 'UTC') IS NULL", "function", "date_trunc()"),
    "to_char with the row's format": ("to_char(at, note) = ''", "constant-argument", "to_char() requires a constant"),
    "to_char with a long format": (
        f"to_char(at, '{'YYYY' * 26}') = ''",
        "constant-argument",
        "to_char() requires a constant",
    ),
    "regexp_match of all": ("(regexp_match(note, 'a', 'g'))[1] = 'a'", "constant-pattern", "regexp_match() does not"),
    "a split of all": ("(regexp_split_to_array(note, 'a', 'g'))[1] = ''", "constant-pattern", "regexp_split_to_array"),
    "regexp_like of all": ("regexp_like(note, 'a', 'g')", "constant-pattern", "regexp_like() does not"),
    "documents put together": ("document || document = '1'", "text-type", "|| of documents"),
    "a text and a document": ("note || document = '1'", "text-type", "|| of documents"),
    "buckets between the row's bounds": ("width_bucket(amount, many, 10, 5) = 1", "constant-argument", "width_bucket"),
    "buckets between texts": ("width_bucket(amount, '1', 10, 5) = 1", "constant-argument", "width_bucket() requires"),
    "gcd of floats": ("gcd(score, many) = 1", "function", "gcd() is not defined"),
    "texts that hold a number": ("tags @> ARRAY[1]", "comparison", "cannot compare text with integer"),
    "numbers that hold a truth value": ("numbers @> ARRAY[true]", "comparison", "cannot compare integer with boolean"),
    "groups that are counted, in SIMILAR TO": (
        "note SIMILAR TO '(a{1,100}){1,100}'",
        "constant-pattern",
        "this regular expression is not supported",
    ),
    "groups that are counted, with ESCAPE": (
        "note SIMILAR TO '(a+){1,200}b' ESCAPE '#'",
        "constant-pattern",
        "this regular expression is not supported",
    ),
    "thresholds of another type": (
        "width_bucket(day, ARRAY[1, 2]) = 1",
        "comparison",
        "cannot compare date with integer",
    ),
    "a finite number": ("isfinite(many)", "datetime-type", "expected a date or timestamp, got integer"),
    "div of floats": ("div(score, many) = 1", "function", "div() is not defined"),
}


@pytest.mark.parametrize(("condition", "rule", "message"), BY_RULE.values(), ids=BY_RULE.keys())
def test_values_without_a_proof_are_refused_by_their_rule(condition: str, rule: str, message: str) -> None:
    assert_refused(f"SELECT count(*) FROM events WHERE {condition}", rule, UNSUPPORTED, message)


@pytest.mark.parametrize(
    "query", ["SELECT count(*) FROM events WHERE sum(many) > 1", "SELECT sum(sum(many)) FROM events"]
)
def test_an_aggregate_inside_a_row_is_refused(query: str) -> None:
    assert_refused(query, "nested-aggregate", DENIED, "aggregate sum() is not allowed inside")


AGGREGATES = {
    "a sum of two": ("sum(many, many)", "aggregate", "sum() takes 1 argument"),
    "a correlation of one": ("corr(many)", "aggregate", "corr() takes 2 arguments"),
    "a sum of rows": ("sum(*)", "not-allowed", "sum(*) is not supported"),
    "a percentile in two orders": (
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY many, amount)",
        "aggregate",
        "percentile_cont() takes one expression in ORDER BY",
    ),
    "a percentile at two arguments": (
        "percentile_cont(0.5, 0.6) WITHIN GROUP (ORDER BY many)",
        "aggregate",
        "percentile_cont() takes one argument",
    ),
    "no percentile at all": (
        "percentile_cont(ARRAY[]::float8[]) WITHIN GROUP (ORDER BY many)",
        "percentile-fraction",
        "percentile_cont() takes 1 to 100 fractions",
    ),
    "too many percentiles": (
        f"percentile_cont(ARRAY[{', '.join(['0.5'] * 101)}]) WITHIN GROUP (ORDER BY many)",
        "percentile-fraction",
        "percentile_cont() takes 1 to 100 fractions",
    ),
}


@pytest.mark.parametrize(("call", "rule", "message"), AGGREGATES.values(), ids=AGGREGATES.keys())
def test_aggregates_of_another_form_are_refused(call: str, rule: str, message: str) -> None:
    assert_refused(f"SELECT {call} FROM events", rule, UNSUPPORTED, message)


def test_a_hundred_percentiles_and_a_format_of_a_hundred_letters_are_planned() -> None:
    assert plan(f"SELECT percentile_cont(ARRAY[{', '.join(['0.5'] * 100)}]) WITHIN GROUP (ORDER BY many) FROM events")
    assert plan(f"SELECT count(*) FROM events WHERE to_char(at, '{'YYYY' * 25}') = ''")

"""What aggregates may be of: each form without a proof is refused by its own rule.

The expressions in them stand in `tests/fixtures/expressions`.
"""

from __future__ import annotations

import pytest

from tests.sql.events import DENIED, UNSUPPORTED, assert_refused, plan


def test_a_number_is_no_condition() -> None:
    message = "expected a boolean condition, got integer"
    assert_refused("SELECT count(*) FROM events WHERE many", "condition-type", UNSUPPORTED, message)


@pytest.mark.parametrize("number", ["1e99999999", "1e-99999999", "0e99999999"])
def test_a_number_is_refused_before_its_digits_are_written_out(number: str) -> None:
    """Those of the first one take a minute."""
    assert_refused(
        f"SELECT count(*) FROM events WHERE many < {number}", "literal", UNSUPPORTED, "this number is too large"
    )


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

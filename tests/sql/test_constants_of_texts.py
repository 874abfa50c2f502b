"""Constants that become texts of SQL: what has no text, or too long a one, is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.errors import UnsupportedError
from proxy.sql import analysis
from proxy.sql.terms.term import decimal_places, quote_literal
from tests.planned import analysed
from tests.sql.events import SCHEMA, UNSUPPORTED


def test_a_text_with_a_nul_character_is_no_literal() -> None:
    with pytest.raises(ValueError, match="NUL character"):
        quote_literal("a\0b")


def test_a_number_without_a_finite_expansion_has_no_decimal_places() -> None:
    assert decimal_places(Fraction(1, 8)) == 3
    with pytest.raises(ValueError, match="no finite decimal expansion"):
        decimal_places(Fraction(1, 3))


def test_a_constant_that_the_stage_made_too_long_is_refused() -> None:
    found = analysed("SELECT count(*) FROM events WHERE note = repeat('a', 100000)", SCHEMA)
    assert found.folded(["a" * 100_000, "text"]).constants == ()
    with pytest.raises(UnsupportedError) as refusal:
        found.folded(["a" * 100_001, "text"])
    assert (refusal.value.rule, refusal.value.sqlstate) == ("literal", UNSUPPORTED)


def test_folding_constants_leaves_the_analysis_that_it_began_with() -> None:
    found = analysed("SELECT note, count(*) FROM events WHERE note = upper('a') GROUP BY note", SCHEMA)
    before = analysis.query_text(found.query)
    folded = found.folded(["A", "text"])
    (block,), (folded_block,) = found.blocks, folded.blocks
    assert analysis.query_text(found.query) == before
    assert analysis.query_text(block.select) == before
    assert analysis.query_text(folded_block.select) == analysis.query_text(folded.query) != before
    assert "upper" not in analysis.query_text(folded.query).lower()

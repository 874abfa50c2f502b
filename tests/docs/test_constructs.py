"""The table of constructs in the analysts' page: it is what the program prints, and the demo treats every example as it says."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import psycopg
import pytest

from tests.docs.conftest import client
from tests.docs.construct import Answered, Refused
from tests.docs.construct_examples import CONSTRUCTS
from tests.docs.constructs import table
from tests.docs.markdown import LANGUAGE

ALL = {name: construct for group in CONSTRUCTS.values() for name, construct in group.items()}
ANSWERED = [
    (name, query, construct.blocks)
    for name, construct in ALL.items()
    if isinstance(construct, Answered)
    for query in (construct.query, *construct.also)
]
REFUSED = {name: construct for name, construct in ALL.items() if isinstance(construct, Refused)}

LEAST_EPSILON = Decimal("0.01")


@pytest.fixture(scope="module")
def analyst(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Connection]:
    """A client of a demo with fewer rows: prices and refusals do not depend on them."""
    with client(tmp_path_factory.mktemp("demo"), "--rows", "10000") as connection:
        yield connection


@pytest.fixture
def notices(analyst: psycopg.Connection) -> Iterator[list[str]]:
    """What the proxy says of prices during the test."""
    said: list[str] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        said.append(diagnostic.message_primary or "")

    analyst.add_notice_handler(note)
    yield said
    analyst.remove_notice_handler(note)


def test_table_is_what_the_program_prints() -> None:
    assert LANGUAGE.between("<!-- constructs -->\n\n", "\n\n<!-- end of constructs -->") == table(), (
        "`python -m tests.docs.constructs` prints what belongs there"
    )


def test_names_of_constructs_are_different() -> None:
    assert len(ALL) == sum(len(group) for group in CONSTRUCTS.values())


def test_examples_hold_nothing_that_ends_a_cell_of_the_table() -> None:
    assert [construct.query for construct in ALL.values() if {"|", "`"} & set(construct.query)] == []


@pytest.mark.parametrize(
    ("query", "blocks"), [(query, blocks) for _, query, blocks in ANSWERED], ids=[name for name, _, _ in ANSWERED]
)
def test_example_is_answered_for_the_price_of_its_blocks(
    query: str, blocks: int, analyst: psycopg.Connection, notices: list[str]
) -> None:
    # Else what other examples asked would be recalled, or make a part of the answer.
    analyst.execute("SET dp.recall = off")
    analyst.execute(f"SET dp.epsilon = {LEAST_EPSILON}".encode())
    analyst.execute(query.encode())
    assert len([notice for notice in notices if notice.startswith("dpproxy charged")]) == blocks
    # At such a price all groups may look empty, of which others tell.
    told = [notice for notice in notices if notice.startswith("dpproxy ")]
    assert len(told) == blocks or (blocks == 0 and len(told) == 1)


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED.keys())
def test_example_is_refused_with_this_message_and_charges_nothing(
    refused: Refused, analyst: psycopg.Connection
) -> None:
    before = analyst.execute("SELECT * FROM dp.budget ORDER BY account").fetchall()
    with pytest.raises(psycopg.Error) as refusal:
        analyst.execute(refused.query.encode())
    assert (refusal.value.sqlstate, refusal.value.diag.message_primary) == (refused.sqlstate, refused.message)
    assert analyst.execute("SELECT * FROM dp.budget ORDER BY account").fetchall() == before

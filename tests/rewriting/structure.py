"""A rewritten statement as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proxy.errors import DpproxyError
from proxy.sql.analysis import analyse, query_text
from proxy.sql.dialect import render
from proxy.sql.statement import parse_statement
from proxy.sql.trees.blocks import Block
from proxy.sql.trees.marks import BLOCK
from tests.rewriting.schema import SCHEMA, SEARCH_PATH


def structure(statement: str) -> list[str]:
    """The lines below a statement: what is sent on, its blocks, and what the stage computes first; or the refusal."""
    try:
        parsed = parse_statement(statement)
        assert parsed is not None
        analysed = analyse(parsed, (), SCHEMA, SEARCH_PATH)
    except DpproxyError as error:
        return [f"refused {error.sqlstate} {error.rule}: {error.message}"]
    constants = [f"constant: {render(node)}" for node in analysed.constants]
    virtual = [f"own relation: {name}" for name in sorted(analysed.virtual)]
    return [f"query: {query_text(analysed.query)}", *_blocks(analysed.blocks, ""), *constants, *virtual]


def _blocks(blocks: Sequence[Block], indent: str) -> Iterator[str]:
    for block in blocks:
        yield f"{indent}block {BLOCK.of(block.select)}: {render(block.select)}"
        for read in block.feedback:
            yield f"{indent}  before it: {query_text(read.query)}"
            yield from _blocks(read.blocks, f"{indent}    ")

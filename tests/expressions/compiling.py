"""From expressions to terms, as planning does it: read, constants computed by a server, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import psycopg
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.rows.relation import Relation
from proxy.sql.statement import Statement, parse_statement
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.trees import constants


@dataclass(frozen=True)
class Refusal:
    """Why an expression is refused.

    Attributes:
        by: a rule and an SQLSTATE, or an SQLSTATE alone where a server cannot compute its constants.
        message: of the error.
    """

    by: str
    message: str


@dataclass(frozen=True)
class Read:
    """An expression as it is read.

    Attributes:
        text: as a client writes it.
        node: its tree, or why it is refused before there is one to be compiled.
        failed: why a server cannot use a pattern or time zone in it.
    """

    text: str
    node: exp.Expr | Refusal
    failed: Refusal | None = None

    def term(self, relation: Relation) -> Term | None:
        """Its term over a relation, None if it is refused."""
        outcome = self.compiled(relation)
        return outcome if isinstance(outcome, Term) else None

    def compiled(self, relation: Relation) -> Term | Refusal:
        """Its term over a relation, or why it is refused."""
        if isinstance(self.node, Refusal):
            return self.node
        try:
            term = compile_term(self.node, relation)
            return self.failed or term
        except DpproxyError as error:
            return _refusal(error)


def read(texts: Sequence[str], server: psycopg.Connection | None = None) -> list[Read]:
    """The expressions as one SELECT list; one by one if that is refused.

    Args:
        texts: the expressions.
        server: computes constants and tries patterns, as the stage does; without one they stay as they are.
    """
    failed = None
    try:
        select = _select(texts)
        if server is not None:
            _fold(select, server)
        if server is not None and (probe := constants.trying(constants.pattern_probes(select))) is not None:
            failed = _failure(probe, server)
    except DpproxyError as error:
        if len(texts) == 1:
            return [Read(texts[0], _refusal(error))]
    except psycopg.Error as error:
        if len(texts) == 1:
            return [Read(texts[0], Refusal(error.sqlstate or "", str(error)))]
    else:
        if failed is None or len(texts) == 1:
            return [Read(text, node, failed) for text, node in zip(texts, select.expressions, strict=True)]
    return [found for text in texts for found in read([text], server)]


def _select(texts: Sequence[str]) -> exp.Select:
    select = _parsed(f"SELECT {', '.join(texts)} FROM items").query.copy()
    assert isinstance(select, exp.Select)
    return select


@cache
def _parsed(text: str) -> Statement:
    """Several tests read the same expressions, and reading takes longest."""
    statement = parse_statement(text)
    assert statement is not None
    return statement


def _fold(select: exp.Select, server: psycopg.Connection) -> None:
    constants.write_out_ages(select)
    folding = constants.foldable(select)
    if folding:
        row = server.execute(f"SELECT {', '.join(constants.probes(folding))}".encode()).fetchone()
        assert row is not None
        constants.substitute(folding, row)


def _failure(probe: str, server: psycopg.Connection) -> Refusal | None:
    try:
        with server.transaction():
            server.execute(probe.encode())
    except psycopg.Error as error:
        return Refusal(error.sqlstate or "", str(error))
    return None


def _refusal(error: DpproxyError) -> Refusal:
    return Refusal(f"{error.rule} {error.sqlstate}", str(error))

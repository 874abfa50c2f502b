"""What is generated for the source and for the stage, read by Postgres's own parser (decision 5, attack 23).

A proxy answers every query that the end-to-end tests ask, and notes each text that leaves it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from pglast import parse_sql, prettify
from pglast.ast import (
    A_Expr,
    CommonTableExpr,
    FuncCall,
    ParamRef,
    RangeVar,
    RawStmt,
    SelectStmt,
    String,
    SubLink,
    TypeName,
)
from pglast.enums import SetOperation, SubLinkType
from pglast.visitors import Visitor

from proxy.postgres.source import Source
from proxy.postgres.stage import Stage
from proxy.postgres.text_rows import TextRow
from proxy.postgres.transaction import SourceRequest, Transaction
from proxy.query.private_router import PrivateRouter
from proxy.wire.router import Answer, Parameter, SessionContext
from tests.end_to_end import clinic, test_equals_postgres, test_row_level_merging
from tests.end_to_end.conftest import StartProxy
from tests.parsing.meaning import meaning

QUERIES = test_equals_postgres.QUERIES | test_row_level_merging.SAME
PRIVATE = {("public", "visits"), ("public", "patients")}
PUBLIC = {("public", "regions"), ("public", "specialties")}

FUNCTIONS = set(
    """abs array_agg count date_trunc div extract floor generate_series hashint8 hashtext hashtextextended left max min octet_length pg_column_size round
    row_number scale sum to_char trim_scale trunc
    unnest upper""".split()
)
OPERATORS = set("+ - * / % ^ || = <> < <= > >= BETWEEN ~ ~~ ~~*".split())
TYPES = set("bool bpchar date float8 int2 int4 int8 interval numeric text timestamp varchar".split())
"""All that the source queries of these queries need; more is to be looked at before it is listed here."""


@dataclass
class Sent:
    """The texts that left the proxy."""

    source_queries: list[str] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def sent(proxies: StartProxy) -> Sent:
    """Everything that a proxy sends while it answers all queries."""
    noted = Sent()

    class NotingSource(Source):
        @asynccontextmanager
        async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
            noted.source_queries.extend(request.statements)
            async with super().transaction(request) as transaction:
                yield transaction

    class NotingStage(Stage):
        async def rows_as(self, role: str, query: str, settings: Mapping[str, str]) -> list[TextRow]:
            noted.domains.append(query)
            return await super().rows_as(role, query, settings)

    class NotingRouter(PrivateRouter):
        async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
            answer = await super().answer(text, parameters, session)
            if answer.sql is not None:
                noted.answers[text] = answer.sql
            return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.serving.service.Source", NotingSource)
        patch.setattr("proxy.serving.service.PrivateRouter", NotingRouter)
        patch.setattr("proxy.postgres.stage_building.Stage", NotingStage)
        running = proxies(clinic.exact_policy())
        with running.connect() as client:
            client.execute("SET dp.empty_groups = 'hide'")
            for query in QUERIES.values():
                client.execute(query.encode())
    return noted


class Names(Visitor):
    """Collects what a statement names."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: set[tuple[str | None, str | None]] = set()
        self.ctes: set[str | None] = set()
        self.functions: set[str] = set()
        self.operators: set[str] = set()
        self.types: set[str] = set()
        self.sublinks: set[SubLinkType | None] = set()
        self.others: list[Any] = []

    def visit_RangeVar(self, _: Any, node: RangeVar) -> None:  # noqa: N802
        self.tables.add((node.schemaname, node.relname))

    def visit_CommonTableExpr(self, _: Any, node: CommonTableExpr) -> None:  # noqa: N802
        self.ctes.add(node.ctename)

    def visit_FuncCall(self, _: Any, node: FuncCall) -> None:  # noqa: N802
        self.functions.add(_last(node.funcname))

    def visit_A_Expr(self, _: Any, node: A_Expr) -> None:  # noqa: N802
        self.operators.add(_last(node.name))

    def visit_TypeName(self, _: Any, node: TypeName) -> None:  # noqa: N802
        self.types.add(_last(node.names))

    def visit_SubLink(self, _: Any, node: SubLink) -> None:  # noqa: N802
        self.sublinks.add(node.subLinkType)

    def visit_ParamRef(self, _: Any, node: ParamRef) -> None:  # noqa: N802
        self.others.append(node)

    def visit_SelectStmt(self, _: Any, node: SelectStmt) -> None:  # noqa: N802
        if node.intoClause is not None or node.lockingClause is not None:
            self.others.append(node)

    def visit(self, _: Any, node: Any) -> None:
        if type(node).__name__ in ("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt", "RangeTableSample"):
            self.others.append(node)


def _last(names: Sequence[String] | None) -> str:
    """The name itself; whatever qualifies it is pg_catalog."""
    assert names
    assert [name.sval for name in names[:-1]] in ([], ["pg_catalog"])
    return str(names[-1].sval)


def only_select(text: str) -> tuple[SelectStmt, Names]:
    """The one SELECT that a text is, and what it names."""
    statements: tuple[RawStmt, ...] = parse_sql(text)
    assert len(statements) == 1
    assert isinstance(statements[0].stmt, SelectStmt)
    names = Names()
    names(statements)
    return statements[0].stmt, names


def test_every_query_that_reads_private_rows_was_answered(sent: Sent) -> None:
    by_the_stage = {"a recursive CTE of the table's name", "a forward reference"}
    assert {name for name, query in QUERIES.items() if query not in sent.answers} == by_the_stage
    assert len(set(sent.source_queries)) > 60


def test_a_measurement_is_one_select_of_known_parts(sent: Sent) -> None:
    for text in sent.source_queries:
        _, names = only_select(text)
        assert names.others == [], text
        unqualified = {name for schema, name in names.tables if schema is None}
        assert unqualified <= names.ctes, text
        assert {name for name in names.tables if name[0] is not None} <= PRIVATE | PUBLIC, text
        assert names.tables & PRIVATE, text
        assert names.functions <= FUNCTIONS, (names.functions - FUNCTIONS, text)
        assert names.operators <= OPERATORS, (names.operators - OPERATORS, text)
        assert names.types <= TYPES, (names.types - TYPES, text)
        assert names.sublinks <= {SubLinkType.EXISTS_SUBLINK, SubLinkType.ANY_SUBLINK}, text


def test_a_domain_reads_public_tables_only(sent: Sent) -> None:
    domains = [text for text in sent.domains if "pg_catalog" not in text]
    assert domains
    for text in domains:
        _, names = only_select(text)
        assert names.others == [], text
        assert {name for name in names.tables if name[0] is not None} <= PUBLIC, text
        assert {name for schema, name in names.tables if schema is None} <= names.ctes, text


def test_the_stage_gets_one_select_that_names_no_private_table(sent: Sent) -> None:
    for query, text in sent.answers.items():
        statement, names = only_select(text)
        assert statement.op == SetOperation.SETOP_NONE
        assert names.others == [], text
        hidden = names.ctes | {"dpproxy"}
        named = {name for name in names.tables if name[1] not in hidden}
        assert not named & (PRIVATE | {(None, table) for _, table in PRIVATE}), (query, text)


def test_generated_texts_survive_being_printed_by_postgres_parser(sent: Sent) -> None:
    """A text with two readings would not come back the same."""
    for text in [*sent.source_queries, *sent.domains, *sent.answers.values()]:
        assert meaning(prettify(text)) == meaning(text)

"""Finding the blocks of a query: the innermost SELECTs that aggregate private rows (DESIGN section 1)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from proxy.sql.calls import AGGREGATES
from proxy.sql.refusal import refused, unsupported
from proxy.sql.schema import Schema, folded

VIRTUAL_RELATIONS = frozenset({"budget", "ledger"})
"""Relations of the schema dp whose rows the proxy itself provides."""


def find_blocks(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> list[exp.Select]:
    """The SELECTs that have a private table directly in FROM, in the order of a fixed traversal.

    Raises:
        UnsupportedError: a private table anywhere else (VALUES, a lateral function, a subquery in a row-level clause).
    """
    found: list[exp.Select] = []
    _visit(query, frozenset(), schema, search_path, found)
    return found


def virtual_tables(query: exp.Query) -> list[exp.Table]:
    """The references to dp.budget and dp.ledger."""
    return [
        table
        for table in query.find_all(exp.Table)
        if isinstance(table.args.get("db"), exp.Identifier)
        and folded(table.args["db"]) == "dp"
        and isinstance(table.this, exp.Identifier)
        and folded(table.this) in VIRTUAL_RELATIONS
    ]


def nested_queries(node: exp.Expr) -> Iterator[exp.Query]:
    """The queries directly below `node`: subqueries, CTE bodies, both sides of a set operation."""
    for child in node.iter_expressions():
        if isinstance(child, exp.Query) and not isinstance(child, (exp.Subquery, exp.Table)):
            yield child
        else:
            yield from nested_queries(child)


def own_nodes(node: exp.Expr) -> Iterator[exp.Expr]:
    """`node` and everything below it that is not inside a nested query."""
    yield node
    for child in node.iter_expressions():
        if isinstance(child, exp.Query) and not isinstance(child, (exp.Subquery, exp.Table)):
            continue
        yield from own_nodes(child)


def direct_tables(select: exp.Select) -> list[exp.Table]:
    """The tables named in FROM and JOIN themselves, subqueries not entered."""
    items: list[exp.Expr] = []
    source = select.args.get("from_")
    if source is not None:
        items.append(source)
    items.extend(select.args.get("joins") or [])
    items.extend(select.args.get("laterals") or [])
    return [node for item in items for node in own_nodes(item) if isinstance(node, exp.Table)]


def _visit(
    query: exp.Expr,
    visible_ctes: frozenset[str],
    schema: Schema,
    search_path: tuple[str, ...],
    found: list[exp.Select],
) -> None:
    ctes = visible_ctes
    with_ = query.args.get("with_")
    if with_ is not None:
        names = [folded(cte.args["alias"].this) for cte in with_.expressions]
        if with_.args.get("recursive"):
            ctes = ctes | frozenset(names)
        for name, cte in zip(names, with_.expressions, strict=True):
            _visit(cte.this, ctes, schema, search_path, found)
            ctes = ctes | {name}
    is_block = isinstance(query, exp.Select) and any(
        _is_private(table, ctes, schema, search_path) for table in direct_tables(query)
    )
    if isinstance(query, exp.Select) and is_block:
        _refuse_queries_in_from(query)
        _refuse_ctes_among_rows(query, ctes)
        found.append(query)
    for child in nested_queries(query):
        if (with_ is None or not _inside(child, with_)) and not (is_block and _among_rows(child, query)):
            _visit(child, ctes, schema, search_path, found)


def _refuse_ctes_among_rows(block: exp.Select, ctes: frozenset[str]) -> None:
    """A CTE that was not merged cannot be read among private rows, least of all under a table's name."""
    tables = direct_tables(block)
    for query in nested_queries(block):
        if _among_rows(query, block):
            tables.extend(query.find_all(exp.Table))
    for table in tables:
        if not table.args.get("db") and isinstance(table.this, exp.Identifier) and folded(table.this) in ctes:
            raise unsupported(
                table,
                f"the CTE {table.name} cannot be joined with private rows",
                rule="from-relation",
                detail="It is neither a private nor a public table of the policy, and more than a filter on one.",
                hint="Join tables that \\dt shows; combine others with the released result, in an outer query.",
            )


def _among_rows(query: exp.Expr, block: exp.Expr) -> bool:
    """Is it part of what the block says of each row: in WHERE, or inside an aggregate call?"""
    node = query.parent
    while node is not None and node is not block:
        if isinstance(node, exp.Filter) or (isinstance(node, exp.Anonymous) and node.name.lower() in AGGREGATES):
            return True
        if isinstance(node, exp.Where) and node.parent is block:
            return True
        node = node.parent
    return False


def _inside(node: exp.Expr, ancestor: exp.Expr) -> bool:
    parent: exp.Expr | None = node
    while parent is not None:
        if parent is ancestor:
            return True
        parent = parent.parent
    return False


def _is_private(table: exp.Table, ctes: frozenset[str], schema: Schema, search_path: tuple[str, ...]) -> bool:
    if not table.args.get("db") and isinstance(table.this, exp.Identifier) and folded(table.this) in ctes:
        return False
    named = schema.find(table, search_path)
    return named is not None and named.private


def _refuse_queries_in_from(select: exp.Select) -> None:
    """In FROM and GROUP BY of a block no subquery is understood: those that could be were merged before."""
    clauses = [select.args.get("from_"), select.args.get("group"), *(select.args.get("joins") or [])]
    for clause in clauses:
        for query in nested_queries(clause) if clause is not None else ():
            raise unsupported(
                query,
                "this subquery beside private rows is not supported yet",
                rule="from-subquery",
                detail="A subquery that only filters, computes and joins rows is merged; this one does more.",
                hint="Join the tables in FROM, or aggregate in a query of its own and join the released results.",
            )


def rows_refusal(select: exp.Select, tables: list[str]) -> Exception:
    """The refusal of a SELECT that would return people's rows."""
    return refused(
        select,
        f"this would return rows of {', '.join(tables)}; only aggregates can be asked",
        rule="rows",
        detail="Each row belongs to one person. Answers are counts, sums and averages over many people, with noise.",
        hint="Ask for example SELECT count(*) FROM … or SELECT column, count(*), avg(x) FROM … GROUP BY column.",
    )

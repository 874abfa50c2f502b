"""Finding the blocks of a query: the innermost SELECTs that aggregate private rows (DESIGN section 1)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

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
    if isinstance(query, exp.Select) and any(_is_private(t, ctes, schema, search_path) for t in direct_tables(query)):
        _refuse_private_below(query, ctes, schema, search_path)
        found.append(query)
    for child in nested_queries(query):
        if with_ is None or not _inside(child, with_):
            _visit(child, ctes, schema, search_path, found)


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


def _refuse_private_below(
    select: exp.Select, ctes: frozenset[str], schema: Schema, search_path: tuple[str, ...]
) -> None:
    """In the row-level clauses of a block no subquery is understood, private or public."""
    clauses = [select.args.get("from_"), select.args.get("where"), select.args.get("group")]
    clauses.extend(select.args.get("joins") or [])
    for clause in clauses:
        for query in nested_queries(clause) if clause is not None else ():
            private = any(_is_private(table, ctes, schema, search_path) for table in query.find_all(exp.Table))
            raise unsupported(
                query,
                "a subquery among the rows of a private table is not supported yet",
                rule="subquery",
                detail="It reads a private table itself, possibly another person's row."
                if private
                else "Only columns of the row itself and constants can be used in FROM, WHERE and GROUP BY.",
                hint="Join public tables in FROM; ask for a private aggregate in a query of its own first.",
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

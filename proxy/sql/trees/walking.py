"""Walking parsed queries: what belongs to a SELECT itself and what to the queries inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.expressions import Expr

from proxy.sql.names import folded
from proxy.sql.nodes import LEAVES


def nested_queries(node: exp.Expr) -> list[exp.Query]:
    """The queries directly below `node`: subqueries, CTE bodies, both sides of a set operation."""
    found: list[exp.Query] = []
    stack = _children(node)
    while stack:
        child = stack.pop()
        if _QUERIES[child.__class__]:
            found.append(child)  # type: ignore[arg-type]
        elif child.__class__ not in LEAVES:
            stack += _children(child)
    return found


def _children(node: exp.Expr) -> list[exp.Expr]:
    """The nodes directly below `node`, last first."""
    found: list[exp.Expr] = []
    for value in node.args.values():
        if value is None or value is False:
            continue
        if isinstance(value, Expr):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, Expr)]
    found.reverse()
    return found


class _Queries(dict[type[exp.Expr], bool]):
    """Whether a query of its own begins with a node of each class. A subquery begins with the query in its parentheses.
    Every step of planning asks it of every node."""

    def __missing__(self, kind: type[exp.Expr]) -> bool:
        self[kind] = issubclass(kind, exp.Query) and not issubclass(kind, (exp.Subquery, exp.Table))
        return self[kind]


_QUERIES = _Queries()


def ancestors(node: exp.Expr) -> Iterator[exp.Expr]:
    """What a node stands in, the innermost first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def own_nodes(node: exp.Expr) -> list[exp.Expr]:
    """`node` and everything below it that is not inside a nested query, depth first."""
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        last = stack.pop()
        found.append(last)
        if last.__class__ in LEAVES:
            continue
        # As `_children`, which would take as long again to call for each node.
        children: list[exp.Expr] = []
        for value in last.args.values():
            if value is None or value is False:
                continue
            if isinstance(value, Expr):
                if not _QUERIES[value.__class__]:
                    children.append(value)
            elif isinstance(value, list):
                children += [item for item in value if isinstance(item, Expr) and not _QUERIES[item.__class__]]
        children.reverse()
        stack += children
    return found


def items_of(select: exp.Expr) -> list[exp.Expr]:
    """What holds the items of FROM, each as its `this`: the clause, its joins, and those of joins in parentheses."""
    source = select.args.get("from_")
    holders = [*([source] if source is not None else []), *(select.args.get("joins") or [])]
    return [found for holder in holders for found in _holders(holder)]


def _holders(holder: exp.Expr) -> Iterator[exp.Expr]:
    item = holder.this
    if not is_joined_item(item):
        yield holder
        return
    yield from _holders(item)
    for join in [*(item.this.args.get("joins") or []), *(item.args.get("joins") or [])]:
        yield from _holders(join)


def is_apart(child: exp.Expr, query: exp.Expr) -> bool:
    """Does a query inside another one see nothing of the other's FROM, as a non-LATERAL item there or a CTE?"""
    node, parent = child, child.parent
    while parent is not None and parent is not query:
        if isinstance(parent, exp.Lateral):
            return False
        if isinstance(parent, exp.With) or (isinstance(parent, (exp.From, exp.Join)) and node.arg_key == "this"):
            return True
        node, parent = parent, parent.parent
    return False


def is_joined_item(item: exp.Expr) -> bool:
    """Is it a join in parentheses, or a table?"""
    return isinstance(item, exp.Subquery) and isinstance(item.this, (exp.Table, exp.Subquery))


def is_function_item(item: exp.Expr) -> bool:
    """Is it VALUES, or the call of a function in FROM, with or without LATERAL?"""
    if isinstance(item, exp.Lateral):
        return not isinstance(item.this, exp.Subquery)
    if isinstance(item, exp.Table):
        return bool(item.args.get("rows_from")) or not isinstance(item.this, exp.Identifier)
    return isinstance(item, (exp.Values, exp.Unnest))


def replace_all(pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> None:
    """Replace many nodes, none of them a root, in time that grows with their number: a list is written once."""
    by_place: dict[tuple[int, str], list[tuple[exp.Expr, exp.Expr]]] = {}
    for old, new in pairs:
        by_place.setdefault((id(old.parent), old.arg_key or ""), []).append((old, new))
    for (_, key), changes in by_place.items():
        parent = changes[0][0].parent
        if parent is None:
            raise AssertionError("a root cannot be replaced")
        value = parent.args[key]
        new_of = {id(old): new for old, new in changes}
        parent.set(key, [new_of.get(id(child), child) for child in value] if isinstance(value, list) else changes[0][1])


def append_join(select: exp.Select, join: exp.Join) -> bool:
    """Add a join that may refer to every item of FROM, and that * does not show; False if that cannot be done."""
    if not write_stars_out(select) or not write_commas_as_cross_joins(select):
        return False
    select.append("joins", join)
    return True


def write_commas_as_cross_joins(select: exp.Expr) -> bool:
    """Let a later ON see every item before it. A comma binds less than JOIN, which matters to RIGHT and FULL, and to
    the columns that USING and NATURAL find after it: False if there are both."""
    joins = select.args.get("joins") or []
    commas = [join for join in joins if not any(map(join.args.get, ("side", "kind", "on", "using", "method")))]
    if commas and any(str(join.args.get("side") or "").upper() in ("RIGHT", "FULL") for join in joins):
        return False
    after = joins[joins.index(commas[0]) :] if commas else []
    if any(join.args.get("using") or join.args.get("method") for join in after):
        return False
    for join in commas:
        join.set("kind", "CROSS")
    return True


def write_stars_out(select: exp.Select) -> bool:
    """Write * as the items that it shows: a.*, b.*; False if merged columns or items without names forbid that."""
    if not any(isinstance(output, exp.Star) for output in select.expressions):
        return True
    holders = items_of(select)
    names = [alias_of(holder.this) for holder in holders]
    if None in names or any(holder.args.get("using") or holder.args.get("method") for holder in holders):
        return False
    outputs: list[exp.Expr] = []
    for output in select.expressions:
        if not isinstance(output, exp.Star):
            outputs.append(output)
        elif any(output.args.values()):
            return False
        else:
            outputs += [exp.Column(this=exp.Star(), table=exp.to_identifier(name, quoted=True)) for name in names]
    select.set("expressions", outputs)
    return True


def alias_of(item: exp.Expr) -> str | None:
    """The name of a FROM item, or None."""
    alias = item.args.get("alias")
    if alias is not None and alias.this:
        return folded(alias.this)
    return folded(item.this) if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier) else None


def column_aliases(item: exp.Expr) -> list[str]:
    """The names that a FROM item gives its columns: AS name (a, b)."""
    alias = item.args.get("alias")
    return [folded(column) for column in (alias.args.get("columns") or [])] if alias is not None else []


def body_of(item: exp.Expr) -> exp.Expr:
    """The query inside the parentheses of a subquery or LATERAL item."""
    while isinstance(item, (exp.Subquery, exp.Lateral)):
        item = item.this
    return item


def is_star(output: exp.Expr) -> bool:
    """Is it * or table.*?"""
    return isinstance(output, exp.Star) or (isinstance(output, exp.Column) and isinstance(output.this, exp.Star))


def unaliased(output: exp.Expr) -> exp.Expr:
    """The expression of an output without its alias."""
    return output.this if isinstance(output, exp.Alias) else output


_UNNAMED = (
    exp.Literal,
    exp.Null,
    exp.Neg,
    exp.Not,
    exp.Is,
    exp.Connector,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.DPipe,
    exp.Predicate,
)
"""Expressions that Postgres certainly calls ?column?."""


def output_name(output: exp.Expr) -> str | None:
    """The name that Postgres gives an output, where it follows from an alias, a column or a function; else None."""
    if isinstance(output, exp.Alias):
        return folded(output.args["alias"])
    is_cast = False
    while isinstance(output, (exp.Cast, exp.Paren, exp.Filter, exp.Window)):
        is_cast = is_cast or isinstance(output, exp.Cast)
        output = output.this
    if isinstance(output, exp.Anonymous):
        return output.name.lower()
    if isinstance(output, _UNNAMED) and not isinstance(output, exp.Exists):
        # What has no name is called after the type that it is cast to.
        return None if is_cast else "?column?"
    is_column = isinstance(output, exp.Column) and isinstance(output.this, exp.Identifier)
    return folded(output.this) if is_column else None

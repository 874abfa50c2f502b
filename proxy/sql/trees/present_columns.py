"""Columns that have a value in every row of FROM: NOT NULL ones, and those of rows to which a foreign key leads.

So tools find out that no foreign key leads nowhere, as dbt's test of relationships does:

    SELECT c.id FROM (SELECT buyer AS id FROM orders) AS c LEFT JOIN buyers AS b ON c.id = b.buyer WHERE b.buyer IS NULL
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import identical
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import body_of, column_aliases, is_joined_item, items_of, output_name, unaliased

_OF_WHOLE = frozenset({"expressions", "from_"})


def is_present(column: exp.Column, select: exp.Select, scopes: Scopes) -> bool:
    """Has a column of a query's FROM a value in each row there? False where that is not known."""
    owner = scopes.owner(column, select)
    if owner is None or column_aliases(owner):
        return False
    if any(owner is item for item in kept_items(select)):
        return not _can_be_null(column, owner, scopes)
    join = _only_left_join(owner, select)
    equated = _equated(join, select, scopes) if join is not None else None
    if equated is None:
        return False
    start, to = equated
    return _leads_to_a_row(start, to, select, scopes) and (
        identical(column, to) or not _can_be_null(column, owner, scopes)
    )


def kept_items(select: exp.Select) -> list[exp.Expr]:
    """The FROM items of which every joined row has a row: those that no outer join can leave out."""
    joins = select.args.get("joins") or []
    first, *others = [holder.this for holder in (select.args["from_"], *joins)]
    sides = {str(join.args.get("side") or "").upper() for join in joins}
    if not sides - {""}:
        return [first, *others]
    return [first] if not sides - {"", "LEFT"} else []


def not_null(select: exp.Select) -> list[exp.Column]:
    """The columns of which WHERE wants that they are NOT NULL."""
    where = select.args.get("where")
    parts = conjuncts(where.this) if where is not None else []
    tests = [test.this for test in map(_not_null_test, parts) if test is not None]
    return [column for column in tests if isinstance(column, exp.Column) and isinstance(column.this, exp.Identifier)]


def _not_null_test(part: exp.Expr) -> exp.Is | None:
    bare = part.unnest()
    if isinstance(bare, exp.Is) and isinstance(bare.expression, exp.Null) and bare.args.get("negate"):
        return bare
    inner = bare.this.unnest() if isinstance(bare, exp.Not) else None
    is_null = isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null) and not inner.args.get("negate")
    return inner if is_null and isinstance(inner, exp.Is) else None


def _can_be_null(column: exp.Column, item: exp.Expr, scopes: Scopes) -> bool:
    """Can it be NULL in a row that the item has?"""
    table, name = scopes.table(item), folded(column.this)
    if table is not None:
        return name not in table.visible_columns() or table.nullable(name)
    handed = _handed_on(name, item)
    if handed is None:
        return True
    inner, body = handed
    wanted = any(identical(inner, test) for test in not_null(body))
    return not wanted and not is_present(inner, body, scopes)


def _handed_on(name: str, item: exp.Expr) -> tuple[exp.Column, exp.Select] | None:
    """The column that a subquery of rows hands on under a name, and its query; None if that is computed."""
    body = body_of(item) if isinstance(item, exp.Subquery) and not is_joined_item(item) else None
    if not isinstance(body, exp.Select) or any(map(body.args.get, ("with_", "group", "having"))):
        return None
    named = [unaliased(output).unnest() for output in body.expressions if output_name(output) == name]
    found = named[0] if len(named) == 1 else None
    if not isinstance(found, exp.Column) or not isinstance(found.this, exp.Identifier) or not body.args.get("from_"):
        return None
    return found, body


def _only_left_join(item: exp.Expr, select: exp.Select) -> exp.Join | None:
    """The LEFT JOIN of an item, where no other join leaves rows out of what is joined before."""
    joins = select.args.get("joins") or []
    if any(str(join.args.get("side") or "").upper() not in ("", "LEFT") for join in joins):
        return None
    own = [join for join in joins if join.this is item]
    return own[0] if own and str(own[0].args.get("side") or "").upper() == "LEFT" else None


def _equated(join: exp.Join, select: exp.Select, scopes: Scopes) -> tuple[exp.Column, exp.Column] | None:
    """The column before a join and the one of the joined item whose equality is all of its condition."""
    on = join.args.get("on")
    condition = on.unnest() if on is not None else None
    if not isinstance(condition, exp.EQ) or condition.args.get("operator"):
        return None
    sides = [condition.this.unnest(), condition.expression.unnest()]
    if not all(isinstance(side, exp.Column) and isinstance(side.this, exp.Identifier) for side in sides):
        return None
    inside = [scopes.owner(side, select) is join.this for side in sides]
    if inside == [False, True]:
        return sides[0], sides[1]
    return (sides[1], sides[0]) if inside == [True, False] else None


def _leads_to_a_row(start: exp.Column, to: exp.Column, select: exp.Select, scopes: Scopes) -> bool:
    """Does a foreign key promise a row of the joined item for each row before the join?"""
    if not is_present(start, select, scopes):
        return False
    source, target = _stored(start, select, scopes), _stored(to, select, scopes)
    owner = scopes.owner(to, select)
    if source is None or target is None or owner is None or not _has_all_rows(owner, scopes):
        return False
    (table, column), (other, other_column) = source, target
    return not other.catalog.row_security and any(
        key.target == other.name
        and not key.two_equalities
        and (key.columns, key.target_columns) == ((column,), (other_column,))
        for key in table.catalog.foreign_keys
    )


def _stored(column: exp.Column, select: exp.Select, scopes: Scopes) -> tuple[NamedTable, str] | None:
    """The table's column that a column of subqueries is, read as it is stored."""
    owner, name = scopes.owner(column, select), folded(column.this)
    if owner is None or column_aliases(owner):
        return None
    table = scopes.table(owner)
    if table is not None:
        return (table, name) if name in table.visible_columns() and name not in table.others else None
    handed = _handed_on(name, owner)
    return _stored(*handed, scopes) if handed is not None else None


def _has_all_rows(item: exp.Expr, scopes: Scopes) -> bool:
    """Is it a table, or a subquery that leaves out no row of one?"""
    if scopes.table(item) is not None:
        return True
    body = body_of(item) if isinstance(item, exp.Subquery) and not is_joined_item(item) else None
    if not isinstance(body, exp.Select) or any(value and name not in _OF_WHOLE for name, value in body.args.items()):
        return False
    items = items_of(body)
    return len(items) == 1 and _has_all_rows(items[0].this, scopes)

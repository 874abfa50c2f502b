"""Subqueries in FROM whose rows belong to one unit each: projections, filters, joins, and per-unit GROUP BY, HAVING,
DISTINCT, window functions and UNION ALL (decision 3).

The compiled subquery has a hidden column with the unit of each row, which the client never has to select. Subqueries
over public tables alone are compiled the same way, without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.refusal import clause_name, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.case_results import results_of
from proxy.sql.rows.cuts import is_limited
from proxy.sql.rows.extremes import extreme_of
from proxy.sql.rows.footprint import of_terms, union
from proxy.sql.rows.grouping import group_keys
from proxy.sql.rows.limits import GROUPED, RowLimiter, check_row
from proxy.sql.rows.members import UNIT_SQL, ColumnOrigin, Derived, DerivedColumn
from proxy.sql.rows.narrowing import meeting
from proxy.sql.rows.per_unit import (
    added_by_row,
    as_its_type,
    counts_rows,
    goes_by_place,
    mixes_units,
    per_unit_aggregate,
    per_unit_window,
    with_default,
)
from proxy.sql.rows.presence import without_null
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.room import is_open, left_for, room_for, roomy
from proxy.sql.rows.tie_breakers import TieBreakers, tie_breakers
from proxy.sql.rows.told_units import (
    compared_as,
    identities,
    keeps_units_apart,
    near_identities,
    tells_the_unit,
)
from proxy.sql.rows.unique_rows import numbered, unique_keys
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.canonical_values import require_canonical
from proxy.sql.terms.costs import of_unit
from proxy.sql.terms.expressions import compile_term, condition
from proxy.sql.terms.term import Limits, Subquery, Term, quote_identifier
from proxy.sql.terms.types import TEXT, Kind
from proxy.sql.terms.work import accounted, computed_once, size_of
from proxy.sql.trees.aggregate_calls import is_aggregate_call
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.walking import is_star, output_name, own_nodes, unaliased

_ARGUMENTS = frozenset(["expressions", "from_", "joins", "where", "group", "having", "order", "distinct"])


class RowScope:
    """What the expressions of a subquery mean: columns of its rows, window functions, and aggregates where it groups.

    Args:
        relation: its rows.
        most_rows: the rows that count of a unit; None if nobody states it.
        keys: its group keys by canonical text, if it groups.
    """

    def __init__(self, relation: Relation, most_rows: int | None, keys: dict[str, Term] | None) -> None:
        self.relation = relation
        self.most_rows = most_rows
        self.keys = keys

    def whole(self, node: exp.Expr) -> Term | None:
        """The term of a group key, an aggregate or a window function."""
        if self.keys is not None and not isinstance(node, (exp.Literal, exp.Null, exp.Boolean)):
            known = self.keys.get(canonical(node, self.relation))
            if known is not None:
                return known
        if isinstance(node, exp.Window):
            defaulted = with_default(node)
            if defaulted is not None:
                return compile_term(defaulted, self)
            if self.keys is not None or not self._is_within_unit(node):
                instead = without_null(node.args.get("partition_by") or [], self.relation)
                raise mixes_units(node, instead, alone=self.relation.unit_unique)
            operands: list[Term] = []
            breakers = tie_breakers(self.relation) if goes_by_place(node) else TieBreakers()
            unit_sql = self.relation.unit_sql
            compile_ = self._noted_in(operands, node.this)
            term = per_unit_window(node, compile_, unit_sql, self.most_rows, breakers.items)
            term = accounted(node, as_its_type(node, term), operands, of_unit)
            return computed_once(replace(term, work=term.work + breakers.work, reads=term.reads | breakers.reads))
        if self.keys is not None and is_aggregate_call(node):
            operands = []
            term = per_unit_aggregate(node, self._noted_in(operands, node), self.most_rows, by_keys=bool(self.keys))
            return computed_once(accounted(node, as_its_type(node, term), operands, of_unit))
        return None

    @property
    def limits(self) -> Limits:
        return self.relation.limits

    def column(self, node: exp.Column) -> Term:
        return self.relation.column(node)

    def subquery(self, query: exp.Expr, value: exp.Expr | None) -> Subquery:
        return self.relation.subquery(query, value)

    def _noted_in(self, operands: list[Term], call: exp.Expr) -> Callable[[exp.Expr], Term]:
        """A function that compiles expressions over the rows that a call sees, and adds the terms to a list."""
        relation = meeting(self.relation, call.expression.this if isinstance(call, exp.Filter) else None)

        def row_term(node: exp.Expr) -> Term:
            operands.append(compile_term(node, relation))
            return operands[-1]

        return row_term

    def _is_within_unit(self, node: exp.Window) -> bool:
        if self.relation.unit is None:
            return False
        columns = [child for child in node.args.get("partition_by") or [] if isinstance(child, exp.Column)]
        return any(self.relation.origin(column).tells_the_unit for column in columns)


class _RoomyScope(RowScope):
    """As `RowScope`, but counts and sums that nobody bounds have room."""

    def __init__(self, scope: RowScope) -> None:
        super().__init__(scope.relation, scope.most_rows, scope.keys)
        self.rooms: list[Bounds] = []

    def whole(self, node: exp.Expr) -> Term | None:
        term = super().whole(node)
        if term is None or not is_open(term):
            return term
        added = added_by_row(node, lambda argument: compile_term(argument, self.relation))
        self.rooms += [room_for(term, added)] if added is not None else []
        return roomy(term, self.rooms[-1]) if added is not None else term


def derive_select(select: exp.Select, relation: Relation, most_rows: int | None, limiter: RowLimiter) -> Derived:
    """Compile a subquery's SELECT.

    Args:
        select: the subquery.
        relation: its FROM clause.
        most_rows: the rows that count of a unit; None if nobody states it.
        limiter: limits the rows of a unit if they may take long.

    Raises:
        UnsupportedError: rows that would belong to several units, or an expression without a form that cannot fail.
    """
    _check_clauses(select, relation)
    where_node = select.args["where"].this if select.args.get("where") is not None else None
    where = condition(where_node, lambda node: compile_term(node, relation)) if where_node is not None else None
    relation = meeting(relation, where_node)
    group, having = select.args.get("group"), select.args.get("having")
    grouped = group is not None or having is not None or any(map(_aggregates, select.expressions))
    keys = _group_terms(select, relation) if grouped else None
    scope = RowScope(relation, most_rows, keys)
    outputs = named_outputs(select, relation)
    columns = _columns(outputs, scope)
    distinct = select.args.get("distinct") is not None
    shown = [node for _, node in outputs]
    if distinct and relation.unit is not None and not _is_by_unit(shown, relation):
        raise _not_within_unit(select, "DISTINCT", without_null(shown, relation))
    kept = condition(having.this, lambda node: compile_term(node, scope)) if having is not None else None
    if distinct:
        columns = {
            name: replace(column, value=require_canonical(select, column.value)) for name, column in columns.items()
        }
    values = [column.value for column in columns.values() if not _hands_on(column)]
    made = [*(keys or {}).values(), *(column.value for column in columns.values())]
    if not grouped:
        columns = numbered(columns, [node for _, node in outputs], relation)
    relation = relation.computing([term for term in (where, kept, *(keys or {}).values(), *values) if term is not None])
    stored = grouped or distinct
    row = check_row(select, relation, made, limiter, stored=stored, steps=GROUPED if stored else 0)
    relation = row.relation
    named = _primary_keys(select, relation) if keys is not None else []
    sql = _select_sql(columns, relation, where, keys, kept, named, distinct=distinct)
    unit_outputs = {name for name, column in columns.items() if column.value.sql in relation.unit_columns}
    return Derived(
        name="subquery",
        from_sql=f"({sql})",
        private=relation.unit is not None,
        columns={name: _outer_column(column) for name, column in columns.items()},
        footprint=union([row.footprint, of_terms(made)]),
        unit=relation.unit,
        unit_nullable=relation.unit_nullable,
        unit_kind=relation.unit_kind,
        unit_outputs=frozenset(unit_outputs),
        unique_keys=unique_keys(columns, relation, unit_outputs, keys, where_node, distinct=distinct),
        row_count=_row_count(relation, keys),
        multiplicity=relation.multiplicity,
        filters=_filters(where_node, relation),
        work=row.work,
        merges_unit=_merges_unit(relation),
        limited=is_limited(relation),
        whole=_whole(relation) if where is None and not grouped and not distinct else None,
    )


def _whole(relation: Relation) -> NamedTable | None:
    """The table that is all of FROM, if one is."""
    if len(relation.members) != 1 or relation.cuts:
        return None
    (member,) = relation.members
    return member.table.whole if isinstance(member.table, Derived) else member.table


def _merges_unit(relation: Relation) -> bool:
    """Does a unit have several rows here, or did it in what the rows are made of?"""
    inner = [member.table for member in relation.members if isinstance(member.table, Derived) and member.table.private]
    return not relation.unit_unique or any(table.merges_unit for table in inner)


def _hands_on(column: DerivedColumn) -> bool:
    """Is it a column of a subquery in FROM, unchanged? Then that subquery computes it, or a reader of this one."""
    if len(column.definitions) != 1:
        return False
    node, relation = column.definitions[0]
    bare = node.unnest()
    return isinstance(bare, exp.Column) and isinstance(relation.origin(bare).member.table, Derived)


def _check_clauses(select: exp.Select, relation: Relation) -> None:
    for name, value in select.args.items():
        if value and name not in _ARGUMENTS:
            raise _no_clause(select, clause_name(name))
    distinct = select.args.get("distinct")
    if distinct is not None and distinct.args.get("on"):
        raise _no_clause(select, "DISTINCT ON")
    if relation.kept is not None:
        raise unsupported(
            select,
            "an outer join that keeps public rows is not supported in a subquery among private rows",
            rule="outer-join-rows",
            hint="Aggregate in the same SELECT as the outer join, or use JOIN.",
        )


_FIRST = (
    "Compare with a released percentile instead, as in WHERE x > "
    "(SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY x) FROM …); LIMIT may stand around released results."
)


def _no_clause(select: exp.Select, what: str) -> Exception:
    return unsupported(
        select,
        f"{what} is not supported inside an aggregate over private rows",
        rule="row-clause",
        detail="Which rows remain would depend on more than one privacy unit.",
        hint=_FIRST if select.args.get("order") else "Aggregate first, and limit the released result.",
    )


def _aggregates(output: exp.Expr) -> bool:
    return any(
        is_aggregate_call(node) and not isinstance(_outside_filter(node).parent, exp.Window)
        for node in own_nodes(output)
    )


def _outside_filter(node: exp.Expr) -> exp.Expr:
    return node.parent if isinstance(node.parent, exp.Filter) else node


def _group_terms(select: exp.Select, relation: Relation) -> dict[str, Term]:
    nodes = group_keys(select, relation)
    group = select.args.get("group")
    if group is not None and any(value for name, value in group.args.items() if name != "expressions"):
        raise _no_clause(select, "GROUP BY ALL")
    if any(isinstance(item.unnest(), (exp.Rollup, exp.Cube, exp.GroupingSets)) for item in group_items(select)):
        raise _no_clause(select, "ROLLUP, CUBE or GROUPING SETS")
    if relation.unit is not None and not _is_by_unit(nodes, relation):
        raise _not_within_unit(select, "GROUP BY", without_null(nodes, relation))
    terms = {canonical(node, relation): (node, compile_term(node, relation)) for node in nodes}
    return {text: require_canonical(node, term) for text, (node, term) in terms.items()}


def _is_by_unit(nodes: Sequence[exp.Expr], relation: Relation) -> bool:
    """Are groups by some expressions those of units? Source queries group by the unit as well, so that units for which
    all of them are NULL stay apart, too."""
    return any(keeps_units_apart(node, relation) for node in nodes)


def _primary_keys(select: exp.Select, relation: Relation) -> list[str]:
    """The primary-key columns among those of GROUP BY, unchanged: Postgres lets a SELECT name every column of a row
    whose primary key it groups by, but does not recognise the key in its canonical form."""
    nodes = [node.unnest() for node in group_keys(select, relation)]
    origins = [relation.origin(node) for node in nodes if isinstance(node, exp.Column)]
    return [
        f"{origin.member.alias}.{quote_identifier(origin.column)}"
        for origin in origins
        if isinstance(origin.member.table, NamedTable) and origin.column in origin.member.table.catalog.primary_key
    ]


def group_items(select: exp.Select) -> list[exp.Expr]:
    """The items of GROUP BY as the client wrote them."""
    group = select.args.get("group")
    return list(group.expressions) if group is not None else []


def _not_within_unit(select: exp.Select, clause: str, without_null: str | None) -> Exception:
    return unsupported(
        select,
        f"this {clause} would mix rows of more than one privacy unit inside an aggregate",
        rule="mixed-rows",
        detail="Inside an aggregate over private rows, a value may depend on the rows of one privacy unit only.",
        hint=without_null
        or f"Add the privacy unit's column to {clause}, or aggregate here and query the released result.",
    )


def named_outputs(select: exp.Select, relation: Relation) -> list[tuple[str | None, exp.Expr]]:
    """The outputs with their names, stars written out; None for a name that Postgres would make up."""
    found: list[tuple[str | None, exp.Expr]] = []
    for output in select.expressions:
        if not is_star(output):
            found.append((output_name(output), unaliased(output)))
            continue
        if any((output.this if isinstance(output, exp.Column) else output).args.values()):
            raise unsupported(output, "this form of * is not supported", rule="row-clause")
        wanted = folded(output.args["table"]) if isinstance(output, exp.Column) else None
        shown = relation.star
        if wanted is not None:
            named = [member for member in relation.members if member.exposed == wanted]
            shown = tuple(
                (name, ColumnOrigin(member, name)) for member in named for name in member.table.visible_columns()
            )
        for name, origin in shown:
            column, table = (exp.to_identifier(text, quoted=True) for text in (origin.column, origin.member.exposed))
            found.append((name, exp.column(column, table=table)))
    return found


def _columns(outputs: Sequence[tuple[str | None, exp.Expr]], scope: RowScope) -> dict[str, DerivedColumn]:
    """The outputs by name. A name that appears twice cannot be used, as in Postgres."""
    names = [name for name, _ in outputs]
    columns: dict[str, DerivedColumn] = {}
    for position, (name, node) in enumerate(outputs):
        known = name is not None and names.count(name) == 1 and not name.startswith("\0")
        column = _column(node, f"c{position}", scope)
        # No client can write a name with a NUL.
        columns[name if known and name is not None else f"\0{position}"] = column
    return columns


def _column(node: exp.Expr, sql: str, scope: RowScope) -> DerivedColumn:
    term = compile_term(node, scope)
    if term.kind is Kind.UNKNOWN:
        term = replace(term, sql=f"{term.sql}::text", type=TEXT, size=size_of(term))
    bare, relation = node.unnest(), scope.relation
    if relation.unit_unique:
        term = replace(term, capped=None)  # no unit has more rows
    found = identities(bare, relation)
    missing = bool(found) and not tells_the_unit(bare, relation)
    comparison = compared_as(bare, relation) or (term.type.name, 0)
    windows = any(isinstance(inner, exp.Window) or is_aggregate_call(inner) for inner in own_nodes(node))
    definitions = () if windows else ((node, scope.relation),)
    counted = scope.most_rows if counts_rows(bare) else None
    room = _room(node, scope) if windows and is_open(term) else None
    extreme = extreme_of(bare, scope.relation) if windows else None
    once = _is_computed_once(node, term)
    results = results_of(bare, term.type, scope) if windows else ()
    near = near_identities(bare, relation)
    return DerivedColumn(
        sql, term, comparison, found, definitions, missing, counted, room, extreme, once, results, near_identities=near
    )


def _room(node: exp.Expr, scope: RowScope) -> Bounds | None:
    try:
        roomy_scope = _RoomyScope(scope)
        return left_for(compile_term(node, roomy_scope), roomy_scope.rooms)
    except DpproxyError:
        return None


_READ_AGAIN = 30
"""Nanoseconds to read a value that a subquery has computed."""
_IN_PLACE = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ})


def _is_computed_once(node: exp.Expr, term: Term) -> bool:
    """Does the source compute an output once for each row, so that reading it takes no time?

    Postgres merges no subquery that groups or has window functions with the query around it. It moves conditions of
    that into one that groups, where an aggregate is not computed again but an expression of it is; and into one with
    window functions only those on what all of them partition by. Values of variable length may lie in pages of their
    own, which each reading fetches.
    """
    if term.kind not in _IN_PLACE or term.wide:
        return False
    return is_aggregate_call(node.unnest()) or any(isinstance(inner, exp.Window) for inner in own_nodes(node))


def _outer_column(column: DerivedColumn) -> DerivedColumn:
    work = min(column.value.work, _READ_AGAIN) if column.once else column.value.work
    return replace(column, value=replace(column.value, constant=False, literal=None, work=work, shared=()))


def _select_sql(
    columns: dict[str, DerivedColumn],
    relation: Relation,
    where: Term | None,
    keys: dict[str, Term] | None,
    having: Term | None,
    primary_keys: Sequence[str],
    *,
    distinct: bool,
) -> str:
    outputs = [f"{column.value.sql} AS {column.sql}" for column in columns.values()]
    if relation.unit is not None:
        outputs.insert(0, f"{relation.unit_sql} AS {UNIT_SQL}")
    sql = f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(outputs)} FROM {relation.sql}"
    if where is not None:
        sql += f" WHERE {where.sql}"
    if keys is not None:
        grouped = [term.sql for term in keys.values() if not term.constant] + [*primary_keys]
        if relation.unit is not None:
            grouped.insert(0, relation.unit_sql)
        sql += f" GROUP BY {', '.join(dict.fromkeys(grouped))}" if grouped else ""
    if having is not None:
        sql += f" HAVING {having.sql}"
    return sql


def _row_count(relation: Relation, keys: dict[str, Term] | None) -> int | None:
    """The most rows of a public subquery; None if unknown."""
    if relation.unit is not None:
        return None
    if keys is not None and not keys:
        return 1
    return relation.row_count


def _filters(where: exp.Expr | None, relation: Relation) -> tuple[tuple[exp.Expr, Relation], ...]:
    own = [(node, relation) for node in conjuncts(where)] if where is not None else []
    return (*own, *relation.filters_of_subqueries())

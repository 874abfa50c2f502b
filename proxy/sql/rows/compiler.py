"""The rows of a block: FROM clauses as `Relation`s, the subqueries in them, and EXISTS and IN (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.refusal import subquery_refusal, unsupported
from proxy.sql.rows.constant_rows import reads_beside
from proxy.sql.rows.cuts import cut, is_limited
from proxy.sql.rows.derived import derive_select
from proxy.sql.rows.feedback import Feedback, feedback_of, feedback_relation
from proxy.sql.rows.joins import JoinBuilder, same_type
from proxy.sql.rows.multiplicity import MOST_OF_UNIT, WIDE, Multiplicity, rows_of_unit
from proxy.sql.rows.ownership import Equality, tie_together
from proxy.sql.rows.reach import Reach
from proxy.sql.rows.relation import ColumnOrigin, Derived, Member, Relation, from_sql
from proxy.sql.rows.set_operations import derive_set_operation
from proxy.sql.schema import NamedTable, Schema
from proxy.sql.terms.expressions import compile_term, condition, is_required, members_of_row
from proxy.sql.terms.term import Subquery, Term
from proxy.sql.terms.work import MOST_LONG_ROWS, MOST_ROW_WORK, SHORT_ROW_WORK
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.walking import FEEDBACK, body_of, column_aliases, unaliased

MostRows = Callable[[Sequence[NamedTable]], int]
"""The rows that the policy allows a unit in a query over these private tables."""


class RowCompiler:
    """Compiles FROM clauses, with the subqueries in FROM, EXISTS and IN.

    Args:
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        most_rows: the rows that a unit may have.
        feedback: what the block reads of released results.
        most_met: the limit of K, the rows of a unit where they meet others.
    """

    def __init__(
        self,
        schema: Schema,
        search_path: tuple[str, ...],
        most_rows: MostRows,
        feedback: Sequence[Feedback] = (),
        most_met: int = MOST_OF_UNIT[0],
    ) -> None:
        self.schema = schema
        self.search_path = search_path
        self.most_rows = most_rows
        self.feedback = feedback
        self.most_met = most_met

    def relation(self, select: exp.Select, prefix: str = "", outer: Relation | None = None) -> Relation:
        """Compile the FROM clause of a SELECT.

        Raises:
            UnsupportedError: a join that is not proven to keep every row with one unit, or too many rows for each row.
            RefusedError: a column that clients cannot see.
        """
        builder = self._builder(select, prefix, outer)
        relation = replace(builder.finish(select.args["from_"]), compile_subquery=self.subquery)
        reads = relation.reads
        reads.joined.check(select.args["from_"], self.rows_of_unit(relation))
        if reads.here.private or (reads.here.rows > 1 and reads.joined.rows > WIDE):
            self.limit_rows(relation, meet=True, long=False)
        return relation

    def limit_rows(self, relation: Relation, *, meet: bool, long: bool) -> None:
        """Limit the rows of a unit.

        Args:
            relation: what takes much work.
            meet: rows meet others, here and around, so that K are left; else MOST_LONG_ROWS, in the relation itself.
            long: one row may take more than SHORT_ROW_WORK, which none does that meets a hundred others.
        """
        around: Relation | None = relation
        while around is not None:
            for member in around.members:
                if member.alias in around.sources and (meet or not is_limited(member, relation.reads)):
                    inside = member.table.multiplicity if isinstance(member.table, Derived) else Multiplicity()
                    of_unit = rows_of_unit(self.most_rows(_private_tables(member)), self.most_met)
                    most = of_unit * inside.met(of_unit) if meet else MOST_LONG_ROWS
                    cut(member, self.schema, most, relation.reads, meets=meet, long=long)
            around = around.outer if meet else None

    def rows_of_unit(self, relation: Relation) -> int:
        """K where one of these tables multiplies rows."""
        private = [_private_tables(member) for member in _enclosing(relation) if member.table.private]
        return max((rows_of_unit(self.most_rows(tables), self.most_met) for tables in private), default=1)

    def _builder(self, select: exp.Select, prefix: str, outer: Relation | None) -> JoinBuilder:
        if select.args.get("from_") is None or select.args.get("laterals"):
            raise subquery_refusal(select)
        builder = JoinBuilder(self.schema, self.search_path, self.derive, prefix, outer)
        builder.first(select.args["from_"].this)
        for join in select.args.get("joins") or []:
            builder.join(join)
        where = select.args.get("where")
        if where is not None:
            builder.filter(where.this)
        return builder

    def derive(self, item: exp.Expr, prefix: str) -> Derived:
        """Compile a subquery in FROM."""
        if not isinstance(item, exp.Subquery):
            raise reads_beside(item)
        unknown = [name for name, value in item.args.items() if value and name not in ("this", "alias", "joins")]
        if unknown:
            raise unsupported(item, "this FROM item is not supported beside private rows", rule="from-item")
        feedback = feedback_of(item, self.feedback)
        derived = feedback_relation(*feedback) if feedback is not None else self._query(body_of(item), prefix)
        names = column_aliases(item)
        if not names:
            return derived
        if len(names) > len(derived.columns):
            raise unsupported(item, "there are more column aliases than columns", rule="column-aliases")
        return _renamed(derived, names)

    def _query(self, query: exp.Expr, prefix: str) -> Derived:
        if isinstance(query, exp.Subquery):
            return self._query(query.this, prefix)
        if isinstance(query, exp.SetOperation):
            known = {"this", "expression", "distinct", "order"}
            if any(value for name, value in query.args.items() if name not in known):
                raise subquery_refusal(query)
            sides = [self._query(side, f"{prefix}{letter}") for letter, side in zip("lr", _sides(query), strict=True)]
            return derive_set_operation(query, sides)
        if not isinstance(query, exp.Select):
            raise subquery_refusal(query)
        relation = self.relation(query, prefix)
        return derive_select(query, relation, self.most_rows(relation.private_tables), self)

    def subquery(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> Subquery:
        """Compile EXISTS or IN: over public tables, released results, or private rows of the same unit (DESIGN 3).

        A private row of the subquery must be tied to the row around it by an equality of its WHERE, or of IN itself;
        then it belongs to the same unit, and nothing of another unit can change what the predicate says.
        """
        body = body_of(query)
        select = body if isinstance(body, exp.Select) and _is_plain(body) else None
        if select is None or feedback_of(query, self.feedback) is not None:
            item = query if isinstance(query, exp.Subquery) else exp.Subquery(this=query.copy())
            item.meta.update({name: value for name, value in query.meta.items() if name == FEEDBACK})
            # What does more than to choose rows is a relation of its own, which sees nothing of the row around it.
            select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=item))
        builder = self._builder(select, f"s{len(outer.reads.members)}", outer)
        reach = builder.paths.reach()
        inner = replace(
            builder.scope(),
            reads=outer.reads,
            sources=frozenset(reach.sources),
            compile_subquery=self.subquery,
        )
        around = sum(outer.reads.work.values())
        outer.reads.members.extend(builder.members)
        outer.reads.work.update(builder.work)
        outputs = _outputs(select, inner) if value is not None else []
        self._prove(select, value, [origin for origin, _ in outputs], builder, outer)
        reads = outer.reads
        own, siblings = _multiplicity(query, select, builder, inner, value, reach), reads.inside
        filter_sql, reads.inside = "", Multiplicity()
        where = select.args.get("where")
        if where is not None:
            kept = reads.note(condition(where.this, lambda node: compile_term(node, inner)))
            filter_sql = f" WHERE {kept.sql}"
        # What a subquery inside does is done for each row of this one; subqueries beside each other only add up.
        own *= reads.inside
        reads.inside = siblings.or_(own)
        reads.multiplicity.check(select, self.rows_of_unit(inner))
        work = (sum(reads.work.values()) - around) * own.met(self.rows_of_unit(inner))
        wide = own.is_wide(reads.joined)
        if wide or work > SHORT_ROW_WORK:
            self.limit_rows(inner, meet=wide or work > MOST_ROW_WORK, long=not wide)
        text = f"FROM {from_sql(builder.text, reads.cuts)}{filter_sql}"
        return Subquery(text, tuple(term for _, term in outputs), where is not None)

    def _prove(
        self,
        select: exp.Select,
        value: exp.Expr | None,
        outputs: Sequence[ColumnOrigin | None],
        builder: JoinBuilder,
        outer: Relation,
    ) -> None:
        """Tie the subquery's private rows to the outer ones.

        NULLs in IN need care: `x IN (…)` is NULL, not false, if the list holds a NULL or x is one, and then says
        something of rows that the equality does not tie. So IN alone ties only columns that are never NULL: then it is
        false for every row that differs in them, whatever the other members of `(a, b) IN (…)` are.
        """
        private = [member for member in builder.members if member.table.private]
        if not private:
            return
        if builder.kept is not None:
            raise subquery_refusal(select)
        around = [member for member in _enclosing(outer) if member.table.private]
        if not around:
            raise subquery_refusal(select)
        equalities = list(builder.equalities)
        values = [] if value is None else members_of_row(value) or [value]
        for bare, right in zip((one.unnest() for one in values), outputs, strict=False):
            if isinstance(bare, exp.Column) and right is not None:
                left = outer.origin(bare)
                if not left.nullable and not right.nullable and same_type(left, right):
                    equalities.append(Equality(left, right))
        outer.reads.unique_keys.extend(tie_together(private, around, equalities, select))
        outer.reads.unique_keys.extend(
            key for member in private if isinstance(member.table, Derived) for key in member.table.source_keys
        )


def _private_tables(member: Member) -> list[NamedTable]:
    """The private tables that a private member reads."""
    return [table for table in _tables(member) if table.private]


def _tables(member: Member) -> Iterator[NamedTable]:
    if isinstance(member.table, NamedTable):
        yield member.table
    else:
        for relation in member.table.relations:
            yield from relation.all_tables


def _sides(query: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    return body_of(query.this), body_of(query.expression)


def _renamed(derived: Derived, names: Sequence[str]) -> Derived:
    """The first columns under other names. Names that are there twice afterwards are nobody's, as in Postgres."""
    wanted = [*names, *list(derived.columns)[len(names) :]]
    unique = [name if wanted.count(name) == 1 else f"\0{position}" for position, name in enumerate(wanted)]
    by_old = dict(zip(derived.columns, unique, strict=True))
    return replace(
        derived,
        columns=dict(zip(unique, derived.columns.values(), strict=True)),
        unit_outputs=frozenset(by_old[name] for name in derived.unit_outputs),
        unique_keys=frozenset(frozenset(by_old.get(name, name) for name in key) for key in derived.unique_keys),
    )


def _is_plain(select: exp.Select) -> bool:
    """Has it rows exactly where FROM and WHERE have? Aggregates and functions that return sets may change that."""
    known = {"expressions", "from_", "joins", "where"}
    outputs = (exp.Column, exp.Star, exp.Literal, exp.Null, exp.Boolean)
    return (
        select.args.get("from_") is not None
        and not any(argument and name not in known for name, argument in select.args.items())
        and all(isinstance(unaliased(output), outputs) for output in select.expressions)
    )


def _outputs(select: exp.Select, inner: Relation) -> list[tuple[ColumnOrigin | None, Term]]:
    """What IN compares with: the outputs, and the columns that they are, if they are columns."""
    found: list[tuple[ColumnOrigin | None, Term]] = []
    for output in map(unaliased, select.expressions):
        if isinstance(output, exp.Star):
            found += [(column, column.term()) for _, column in inner.star]
            continue
        origin = inner.origin(output) if isinstance(output, exp.Column) else None
        found.append((origin, compile_term(output, inner)))
    return found


def _multiplicity(
    query: exp.Expr,
    select: exp.Select,
    builder: JoinBuilder,
    inner: Relation,
    value: exp.Expr | None,
    reach: Reach,
) -> Multiplicity:
    """What the source may have to go through for each row around the subquery.

    As a conjunct of WHERE it is a join, and looked up by a hash if an equality ties it. Elsewhere it is computed for
    each row, unless nothing but equalities ties it, or IN needs it only once: then it is hashed too.

    Raises:
        UnsupportedError: private rows that would be gone through for each row around them.
    """
    own = {member.alias for member in builder.members}
    where = select.args.get("where")
    outside = [part for part in (conjuncts(where.this) if where is not None else []) if _is_outside(part, inner, own)]
    once = value is not None and not outside
    hashed = once or all(_is_tie(part, inner, own) for part in outside)
    paths = builder.paths
    private = any(member.table.private for member in builder.members)
    if not once and value is not None and _can_be_null(query, value, inner, select):
        # Postgres goes through the list anew for each row, since one NULL in it makes the answer NULL.
        hashed = joined = False
    else:
        joined = _is_conjunct(query)
    if (once or any(paths.equated(member) for member in builder.members)) and (hashed or joined):
        if hashed or any(paths.is_looked_up(member) for member in builder.members if not private):
            return reach.multiplicity
        if private and _meets_one_row(builder):
            return reach.multiplicity
        if private:
            # Behind the equality, each row of a person meets all rows of the same person.
            return reach.multiplicity * Multiplicity(private=1)
    elif private:
        raise unsupported(
            query,
            "this subquery would be computed anew for every row",
            rule="multiplying-joins",
            detail="The time that this takes would tell how many rows a person has.",
            hint="Make it a condition of WHERE that is not part of an OR or CASE, or compare with equalities only.",
        )
    for member in builder.members:
        reach.multiply(member)
    return reach.multiplicity


def _can_be_null(query: exp.Expr, value: exp.Expr, inner: Relation, select: exp.Select) -> bool:
    """Must IN over the subquery tell NULL from false? Else it is an EXISTS."""
    if query.parent is not None and is_required(query.parent):
        return False
    values = [compile_term(one, inner.outer or inner) for one in members_of_row(value) or [value]]
    return any(term.nullable for term in [*values, *(term for _, term in _outputs(select, inner))])


def _meets_one_row(builder: JoinBuilder) -> bool:
    """Do equalities lead each row of the subquery to one row around it at most?

    They do where they give a unique key of the only member around it whose rows no key leads to. Notes that key.
    """
    outer, own = builder.outer, {member.alias for member in builder.members}
    if outer is None:
        return False
    for member in outer.members:
        if outer.sources == {member.alias} and not member.optional:
            sides = [(one, other) for e in builder.equalities for one, other in ((e.left, e.right), (e.right, e.left))]
            equated = {
                one.column for one, other in sides if one.member.alias == member.alias and other.member.alias in own
            }
            for key in member.table.unique_keys:
                if key <= equated:
                    if isinstance(member.table, NamedTable):
                        outer.reads.unique_keys.append((member.table.name, tuple(sorted(key))))
                    return True
    return False


def _is_outside(part: exp.Expr, inner: Relation, own: set[str]) -> bool:
    """Does a condition of the subquery look at the row around it?"""
    for column in part.find_all(exp.Column):
        try:
            if not isinstance(column.this, exp.Star) and inner.origin(column).member.alias not in own:
                return True
        except DpproxyError:
            continue  # A column of a query inside the condition.
    return False


def _is_tie(part: exp.Expr, inner: Relation, own: set[str]) -> bool:
    """Is it an equality of one side inside with one side outside?"""
    if not isinstance(part, exp.EQ) or part.find(exp.Query) is not None:
        return False
    places = [
        {inner.origin(column).member.alias in own for column in side.find_all(exp.Column)}
        for side in (part.this, part.expression)
    ]
    return {True} in places and {False} in places


def _is_conjunct(query: exp.Expr) -> bool:
    """Is the predicate over the query a conjunct of WHERE, or its negation?"""
    node = query.parent
    while isinstance(node, (exp.Exists, exp.In, exp.Subquery, exp.Paren, exp.And, exp.Not)):
        node = node.parent
    return isinstance(node, exp.Where) and not isinstance(node.parent, exp.Filter)


def _enclosing(outer: Relation) -> list[Member]:
    members: list[Member] = []
    relation: Relation | None = outer
    while relation is not None:
        members.extend(relation.members)
        relation = relation.outer
    return members

"""The rows of a block: FROM clauses as `Relation`s, the subqueries in them, and EXISTS and IN (decision 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.named_tables import NamedTable
from proxy.sql.refusal import grouped_correlation_refusal, reads_beside, subquery_refusal, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.cuts import cut, is_limited
from proxy.sql.rows.derived import derive_select
from proxy.sql.rows.feedback import Feedback, feedback_of, feedback_relation
from proxy.sql.rows.footprint import NOTHING, Cut, Footprint, of_keys, union
from proxy.sql.rows.joins import JoinBuilder, same_type
from proxy.sql.rows.meeting import body_of_subquery, compile_conditions, how_they_meet, outputs_of
from proxy.sql.rows.members import ColumnOrigin, Derived, Member
from proxy.sql.rows.multiplicity import MOST_OF_UNIT, ONCE, WIDE, rows_of_unit
from proxy.sql.rows.ownership import Equality, tie_together
from proxy.sql.rows.relation import Relation, RowSubquery
from proxy.sql.rows.set_operations import derive_set_operation
from proxy.sql.rows.unread_columns import without_unread
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import is_required, members_of_row
from proxy.sql.terms.work import MOST_LONG_ROWS, MOST_ROW_WORK, SHORT_ROW_WORK
from proxy.sql.trees.marks import FEEDBACK
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import body_of, column_aliases, unaliased

MostRows = Callable[[Sequence[NamedTable]], int]
StatedRows = Callable[[Sequence[NamedTable]], int | None]
"""The rows that the policy allows a unit in a query over these private tables."""


class RowCompiler:
    """Compiles FROM clauses, with the subqueries in FROM, EXISTS and IN.

    Args:
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        most_rows: the rows of a unit that may meet others.
        feedback: what the block reads of released results.
        most_met: the limit of K, the rows of a unit where they meet others.
        stated_rows: the rows that count of a unit, None for tables of which nobody states it; `most_rows` if absent.
    """

    def __init__(
        self,
        schema: Schema,
        search_path: tuple[str, ...],
        most_rows: MostRows,
        feedback: Sequence[Feedback] = (),
        most_met: int = MOST_OF_UNIT[0],
        stated_rows: StatedRows | None = None,
    ) -> None:
        self.schema = schema
        self.search_path = search_path
        self.most_rows = most_rows
        self.stated_rows = stated_rows or most_rows
        self.feedback = feedback
        self.most_met = most_met
        self._names: dict[int, tuple[exp.Expr, str]] = {}

    def relation(self, select: exp.Select, prefix: str = "") -> Relation:
        """Compile the FROM clause of a SELECT.

        Raises:
            UnsupportedError: a join that is not proven to keep every row with one unit, or too many rows for each row.
            RefusedError: a column that clients cannot see.
        """
        builder = self._builder(select, prefix, None)
        relation = replace(builder.finish(select.args["from_"]), compile_subquery=self.subquery)
        if relation.joined != ONCE:
            relation.joined.check(select.args["from_"], self.rows_of_unit(relation))
        if relation.here.private or (relation.here.rows > 1 and relation.joined.rows > WIDE):
            return self.with_limits(relation, meet=True, long=False)
        return relation

    def with_limits(self, relation: Relation, *, meet: bool, long: bool) -> Relation:
        """The relation with the number of a unit's rows limited.

        Args:
            relation: what takes much work.
            meet: rows meet others, so that K are left; else MOST_LONG_ROWS, where no other limit holds.
            long: one row may take more than SHORT_ROW_WORK, which none does that meets a hundred others.
        """
        if not meet and is_limited(relation):
            return relation
        return replace(relation, own_cuts=(*relation.own_cuts, *self._cuts(relation, meet=meet, long=long)))

    def _cuts(self, relation: Relation, *, meet: bool, long: bool) -> tuple[Cut, ...]:
        """What limits the rows of a unit in a relation, for each of its members whose rows no key leads to."""
        found = []
        for member in relation.members:
            if member.alias in relation.sources:
                inside = member.table.multiplicity if isinstance(member.table, Derived) else ONCE
                of_unit = rows_of_unit(self.most_rows(_private_tables(member)), self.most_met)
                most = of_unit * inside.met(of_unit) if meet else MOST_LONG_ROWS
                found.append(cut(member, self.schema, most, meets=meet, long=long))
        return tuple(limit for limit in found if limit is not None)

    def rows_of_unit(self, relation: Relation) -> int:
        """K where one of these tables multiplies rows."""
        private = [member for level in _with_enclosing(relation) for member in level.members if member.has_unit]
        tables = map(_private_tables, private)
        return max((rows_of_unit(self.most_rows(named), self.most_met) for named in tables), default=1)

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
            raise unsupported(item, "this FROM item is not supported together with private tables", rule="from-item")
        feedback = feedback_of(item, self.feedback)
        derived = (
            feedback_relation(*feedback, self.schema) if feedback is not None else self._query(body_of(item), prefix)
        )
        names = column_aliases(item)
        if not names:
            return without_unread(derived, item)
        if len(names) > len(derived.columns):
            raise unsupported(item, "there are more column aliases than columns", rule="column-aliases")
        return without_unread(_renamed(derived, names), item)

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
        return derive_select(query, relation, self.stated_rows(relation.private_tables), self)

    def subquery(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> RowSubquery:
        """Compile EXISTS or IN: over public tables, released results, or private rows of the same unit (decision 3).

        A private row of the subquery must be tied to the row around it by an equality of its WHERE, or of IN itself;
        then it belongs to the same unit, and nothing of another unit can change what the predicate says.
        """
        body = body_of(query)
        select = body if isinstance(body, exp.Select) and _is_plain(body) else None
        if select is None or feedback_of(query, self.feedback) is not None:
            if Scopes(self.schema).outer_columns(body):
                raise grouped_correlation_refusal(body)
            # A copy, since what is asked of the predicate's place needs it in its place.
            item = query.copy() if isinstance(query, exp.Subquery) else exp.Subquery(this=query.copy())
            FEEDBACK.hand_on(query, item)
            # What does more than to choose rows is a relation of its own, which sees nothing of the row around it.
            select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=item))
        name = self._name_of(query)
        builder = self._builder(select, name, outer)
        reach = builder.paths.reach()
        inner = replace(
            builder.scope(),
            text=builder.text,
            conditions=tuple(builder.conditions),
            sources=frozenset(reach.sources),
            compile_subquery=self.subquery,
        )
        outputs = outputs_of(select, inner) if value is not None else []
        proofs = self._prove(select, value, [origin for origin, _ in outputs], builder, outer)
        meeting = how_they_meet(query, select, builder, inner, value, reach)
        where = select.args.get("where")
        met = compile_conditions(where, inner, meeting)
        inner = inner.computing(met.terms)
        # What a subquery inside does is done for each row of this one; subqueries beside each other only add up.
        multiplicity = meeting.multiplicity * inner.multiplicity
        of_unit = self.rows_of_unit(inner)
        (outer.joined * multiplicity).check(select, of_unit)
        around = [cut for inside in inner.subqueries for cut in inside.cuts_around]
        work = inner.work * multiplicity.met(of_unit)
        wide = multiplicity.is_wide(outer.joined)
        if wide or work > MOST_ROW_WORK:
            inner = self.with_limits(inner, meet=True, long=not wide)
            for enclosing in _with_enclosing(outer):
                around += self._cuts(enclosing, meet=True, long=not wide)
        elif work > SHORT_ROW_WORK:
            inner = self.with_limits(inner, meet=False, long=True)
        aliases = {member.alias for member in inner.members}
        compared = tuple(term for _, term in outputs)
        written = body_of_subquery(name, inner, builder, met, compared, distinct=meeting.distinct)
        terms = [*inner.conditions, *inner.terms, *compared]
        return RowSubquery(
            name=name,
            body=written.sql,
            outputs=written.outputs,
            filtered=written.filtered,
            tied=any(member.has_unit for member in inner.members),
            reads=frozenset(read for term in terms for read in term.reads if read.alias not in aliases),
            relation=inner,
            multiplicity=multiplicity,
            proofs=union([proofs, of_keys([*reach.verified_keys, *meeting.keys])]),
            cuts_around=tuple(cut for cut in around if cut.alias not in aliases),
        )

    def _name_of(self, query: exp.Expr) -> str:
        """A name for a subquery: the same one however often it is compiled."""
        _, name = self._names.setdefault(id(query), (query, f"s{len(self._names)}"))
        return name

    def _prove(
        self,
        select: exp.Select,
        value: exp.Expr | None,
        outputs: Sequence[ColumnOrigin | None],
        builder: JoinBuilder,
        outer: Relation,
    ) -> Footprint:
        """Tie the subquery's private rows to the outer ones, and say what that rests on.

        NULLs in IN need care: `x IN (…)` is NULL, not false, if the list holds a NULL or x is one, and then says
        something of rows that the equality does not tie. So IN ties columns that are never NULL: then it is false for
        every row that differs in them, whatever the other members of `(a, b) IN (…)` are. As a conjunct of WHERE,
        where NULL counts as false, it is an EXISTS with these equalities, and ties any.
        """
        private = [member for member in builder.members if member.has_unit]
        if not private:
            return NOTHING
        if builder.kept is not None:
            raise subquery_refusal(select)
        around = [member for level in _with_enclosing(outer) for member in level.members if member.has_unit]
        if not around:
            raise subquery_refusal(select)
        equalities, unsure = list(builder.equalities), list[Equality]()
        values = [] if value is None else members_of_row(value) or [value]
        required = value is not None and value.parent is not None and is_required(value.parent)
        for bare, right in zip((compared.unnest() for compared in values), outputs, strict=False):
            if isinstance(bare, exp.Column) and right is not None:
                left = outer.origin(bare)
                if same_type(left, right):
                    sure = required or not (left.nullable or right.nullable)
                    (equalities if sure else unsure).append(Equality(left, right))
        try:
            keys = tie_together(private, around, equalities, select)
        except UnsupportedError:
            if unsure:
                tie_together(private, around, [*equalities, *unsure], select)
                raise _null_in_list(select) from None
            raise
        return of_keys(keys)


def _null_in_list(select: exp.Select) -> UnsupportedError:
    return unsupported(
        select,
        "IN or NOT IN here compares columns that can be NULL",
        rule="private-join",
        detail="One NULL in the list makes it NULL instead of false for rows of other privacy units, too.",
        hint="Leave NULL out in both queries, by WHERE column IS NOT NULL, or write EXISTS or NOT EXISTS (SELECT … "
        "WHERE inner.column = outer.column); as a condition of WHERE that is joined by AND alone, IN is supported as "
        "it is.",
    )


def _private_tables(member: Member) -> list[NamedTable]:
    """The private tables that a private member reads."""
    return [member.table] if isinstance(member.table, NamedTable) else list(member.table.footprint.private_tables)


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


def _with_enclosing(relation: Relation) -> list[Relation]:
    """A relation and those around it, the innermost first."""
    found = [relation]
    while found[-1].outer is not None:
        found.append(found[-1].outer)
    return found

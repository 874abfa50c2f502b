"""How the rows of EXISTS and IN meet the rows around them, and the SQL that makes sure of it.

The source has several ways to compute such a predicate, and takes the one that its estimates favour; nothing here may
rely on the best one. So private rows meet private rows in a join, never row by row. The inner rows are made distinct in
the columns of their ties, so that each row meets at most one, whichever side the join starts from. And ties remain ties
whatever constants the query compares them with (`terms.ties`). Where an inequality ties rows too, a unit takes part
with a limited number of rows (`cuts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find, find_all
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import UniqueKey
from proxy.sql.rows.hash_ties import hash_ties
from proxy.sql.rows.joins import JoinBuilder
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.rows.reach import Reach
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import comparable, compile_term, condition, is_required, members_of_row
from proxy.sql.terms.term import Term
from proxy.sql.terms.ties import hash_tie, is_hashable
from proxy.sql.trees.conjuncts import conjuncts, is_conjunct
from proxy.sql.trees.walking import unaliased


@dataclass(frozen=True)
class Meeting:
    """How the rows of a subquery meet one row around it.

    Attributes:
        multiplicity: how many rows the source may go through for one row around it.
        keys: the keys of the source that this rests on.
        distinct: the rows are made distinct in the columns of their ties.
    """

    multiplicity: Multiplicity
    keys: tuple[UniqueKey, ...] = ()
    distinct: bool = False


@dataclass(frozen=True)
class Tie:
    """An equality between something inside a subquery and something around it, which the source can hash."""

    node: exp.Expr
    within: Term
    around: Term


@dataclass(frozen=True)
class Conditions:
    """The WHERE of a subquery, compiled.

    Attributes:
        own: its conditions on its own rows alone; all conditions, where nothing is made distinct.
        ties: its equalities with the rows around it, kept apart.
    """

    own: tuple[Term, ...] = ()
    ties: tuple[Tie, ...] = ()

    @property
    def terms(self) -> list[Term]:
        """The terms of all conditions."""
        return [*self.own, *(side for tie in self.ties for side in (tie.within, tie.around))]


@dataclass(frozen=True)
class Body:
    """FROM and WHERE of a subquery, whether it has a WHERE, and the values that IN compares with."""

    sql: str
    filtered: bool
    outputs: tuple[Term, ...]


def how_they_meet(
    query: exp.Expr, select: exp.Select, builder: JoinBuilder, inner: Relation, value: exp.Expr | None, reach: Reach
) -> Meeting:
    """How the rows of a subquery meet the rows around it.

    As a conjunct of WHERE the predicate is a join, looked up by a hash if equalities tie it. Elsewhere it is computed
    for each row, except IN over public rows that do not depend on the row.

    Raises:
        UnsupportedError: private rows that would be scanned for each row around them.
    """
    where = select.args.get("where")
    outside = [part for part in _parts(where) if _is_outside(part, inner)]
    beside = builder.members[0].is_beside
    once = value is not None and not outside and not beside
    tells_null = value is not None and _can_be_null(query, value, inner, select)
    # Where NULL matters, Postgres scans the list anew for each row, since one NULL in it makes the answer NULL.
    joined = _is_join(query) and (once or not tells_null)
    if any(member.has_unit for member in builder.members):
        hint = _WITH_AN_EQUALITY if value is not None and outside and _is_join(query) else _ELSEWHERE
        hint = _NULLS if tells_null and _is_join(query) and not once else hint
        joined = joined and not beside
        return _private_meeting(query, select, builder, inner, value, outside, reach, joined=joined, hint=hint)
    paths = builder.paths
    looked_up = any(paths.is_looked_up(member) for member in builder.members)
    tied = all(_tie(part, inner) is not None for part in outside)
    if once or (
        joined and not beside and any(paths.equated(member) for member in builder.members) and (tied or looked_up)
    ):
        return Meeting(reach.multiplicity)
    for member in builder.members:
        reach.multiply(member)
    return Meeting(reach.multiplicity)


_ELSEWHERE = "Move it to WHERE, outside OR and CASE, or compare with equalities only."
_WITH_AN_EQUALITY = (
    "Write the equality that IN stands for into its WHERE too, as in outer_name.x IN (SELECT y FROM … WHERE y = "
    "outer_name.x AND …), or write EXISTS (SELECT 1 FROM … WHERE y = outer_name.x AND …)."
)
_NULLS = (
    "A NULL would make NOT IN neither true nor false: exclude it by WHERE … IS NOT NULL, in the subquery and of what "
    "stands before NOT IN, or write NOT EXISTS (SELECT 1 FROM … WHERE inner_column = outer_name.column AND …)."
)


def _private_meeting(
    query: exp.Expr,
    select: exp.Select,
    builder: JoinBuilder,
    inner: Relation,
    value: exp.Expr | None,
    outside: Sequence[exp.Expr],
    reach: Reach,
    *,
    joined: bool,
    hint: str,
) -> Meeting:
    paths = builder.paths
    equated = (value is not None and not outside) or any(paths.equated(member) for member in builder.members)
    if not joined or not equated:
        raise unsupported(
            query,
            "this subquery would be executed again for every row",
            rule="multiplying-joins",
            detail="The time that this takes would reveal how many rows one privacy unit has.",
            hint=hint,
        )
    ties = [_tie(part, inner) for part in outside]
    if None not in ties and _hashable_values(value, select, inner):
        one_row = len(builder.members) == 1 and value is None and paths.is_looked_up(builder.members[0])
        return Meeting(reach.multiplicity, distinct=not one_row)
    met = _key_to_one_row(builder)
    if met is not None:
        return Meeting(reach.multiplicity, met)
    source = [member for member in builder.members if member.alias in reach.sources]
    part = paths.partly_looked_up(source[0]) if len(source) == 1 else None
    if part is not None:
        key, most = part
        reach.multiply(source[0], most)
        reach.note_key(source[0], key)
        return Meeting(reach.multiplicity)
    # Behind the equality, each row of a unit meets all rows of the same unit.
    return Meeting(reach.multiplicity * Multiplicity(private=1))


def _hashable_values(value: exp.Expr | None, select: exp.Select, inner: Relation) -> bool:
    """Can the source hash the values that IN compares?"""
    if value is None or inner.outer is None:
        return True
    around = inner.outer
    values = [compile_term(part, around) for part in members_of_row(value) or [value]]
    outputs = [term for _, term in outputs_of(select, inner)]
    return len(values) == len(outputs) and all(map(is_hashable, values, outputs))


def compile_conditions(where: exp.Expr | None, inner: Relation, meeting: Meeting) -> Conditions:
    """Compile the WHERE of a subquery; its ties separately where its rows are made distinct in them."""
    if where is None:
        return Conditions()
    if not meeting.distinct:
        return Conditions((condition(where.this, lambda node: compile_term(node, inner)),))
    own, ties = [], []
    for part in _parts(where):
        tie = _tie(part, inner)
        if tie is not None:
            ties.append(tie)
        else:
            own.append(condition(part, lambda node: compile_term(node, inner)))
    return Conditions(tuple(own), tuple(ties))


def body_of_subquery(
    name: str, inner: Relation, builder: JoinBuilder, met: Conditions, outputs: Sequence[Term], *, distinct: bool
) -> Body:
    """The SQL of a subquery behind SELECT.

    Args:
        name: of the subquery.
        inner: its rows.
        builder: of its joins.
        met: its WHERE.
        outputs: the values that IN compares with.
        distinct: make its rows distinct in the columns of their ties and in `outputs`.
    """
    if not distinct:
        where = _where([*(term.sql for term in met.own), *hash_ties(builder.where_equalities)])
        return Body(f"FROM {inner.sql}{where}", bool(where), tuple(outputs))
    own = {member.alias for member in inner.members}
    within = [tie for tie in builder.where_equalities if {tie.left.member.alias, tie.right.member.alias} <= own]
    values = [*(tie.within for tie in met.ties), *outputs]
    shown = [replace(value, sql=f"{name}d.k{index}", literal=None) for index, value in enumerate(values)]
    columns = ", ".join(f"{value.sql} AS k{index}" for index, value in enumerate(values))
    inside = f"SELECT DISTINCT {columns} FROM {inner.sql}{_where([*(t.sql for t in met.own), *hash_ties(within)])}"
    equalities = [comparable(tie.node, mine, tie.around) for tie, mine in zip(met.ties, shown, strict=False)]
    where = _where(
        [text for left, right in equalities for text in (f"{left.sql} = {right.sql}", hash_tie(left, right))]
    )
    return Body(f"FROM ({inside}) AS {name}d{where}", bool(where), tuple(shown[len(met.ties) :]))


def _where(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def outputs_of(select: exp.Select, inner: Relation) -> list[tuple[ColumnOrigin | None, Term]]:
    """The values that IN compares with: the outputs, each with the column that it is, if it is one."""
    found: list[tuple[ColumnOrigin | None, Term]] = []
    for output in map(unaliased, select.expressions):
        if isinstance(output, exp.Star):
            found += [(column, column.term()) for _, column in inner.star]
            continue
        origin = inner.origin(output) if isinstance(output, exp.Column) else None
        found.append((origin, compile_term(output, inner)))
    return found


def _parts(where: exp.Expr | None) -> list[exp.Expr]:
    return conjuncts(where.this) if where is not None else []


def _can_be_null(query: exp.Expr, value: exp.Expr, inner: Relation, select: exp.Select) -> bool:
    """Must IN over the subquery distinguish NULL from false? If not, it is an EXISTS."""
    if query.parent is not None and is_required(query.parent):
        return False
    values = [compile_term(part, inner.outer or inner) for part in members_of_row(value) or [value]]
    return any(term.nullable for term in [*values, *(term for _, term in outputs_of(select, inner))])


def _key_to_one_row(builder: JoinBuilder) -> tuple[UniqueKey, ...] | None:
    """The keys of the source by which equalities lead each row of the subquery to at most one row around it: they must
    give a unique key of the only member around it that no other key leads to. None if they do not."""
    outer, own = builder.outer, {member.alias for member in builder.members}
    if outer is None:
        return None
    for member in outer.members:
        if outer.sources == {member.alias} and not member.optional:
            pairs = [(e.left, e.right) for e in builder.equalities] + [(e.right, e.left) for e in builder.equalities]
            equated = {
                around.column
                for around, within in pairs
                if around.member.alias == member.alias and within.member.alias in own
            }
            for key in member.table.unique_keys:
                if key <= equated:
                    named = isinstance(member.table, NamedTable)
                    return ((member.table.name, tuple(sorted(key))),) if named else ()
    return None


def _is_outside(part: exp.Expr, inner: Relation) -> bool:
    """Does a condition of the subquery use the row around it?"""
    own = {member.alias for member in inner.members}
    for column in find_all(part, exp.Column):
        try:
            if not isinstance(column.this, exp.Star) and inner.origin(column).member.alias not in own:
                return True
        except DpproxyError:
            continue  # A column of a query inside the condition.
    return False


def _tie(part: exp.Expr, inner: Relation) -> Tie | None:
    """The condition as a tie; None if it is none."""
    if not isinstance(part, exp.EQ) or find(part, exp.Query) is not None:
        return None
    own = {member.alias for member in inner.members}
    sides = [part.this, part.expression]
    within = [{inner.origin(column).member.alias in own for column in find_all(side, exp.Column)} for side in sides]
    if sorted(map(sorted, within)) != [[False], [True]] or any(members_of_row(side) is not None for side in sides):
        return None
    left, right = comparable(part, *(compile_term(side, inner) for side in sides))
    if not is_hashable(left, right):
        return None
    return Tie(part, left, right) if within[0] == {True} else Tie(part, right, left)


def _is_join(query: exp.Expr) -> bool:
    """Does the source join the subquery's rows with those around it? It does for a conjunct of WHERE."""
    node = query
    while isinstance(node.parent, (exp.Exists, exp.In, exp.Subquery)):
        node = node.parent
    return is_conjunct(node)

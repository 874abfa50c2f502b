"""The rows of a block: its FROM clause as a `Relation`, and EXISTS and IN among them (DESIGN section 3)."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from proxy.sql.blocks import own_nodes
from proxy.sql.expressions import compile_term, condition
from proxy.sql.joins import JoinBuilder, same_type
from proxy.sql.multiplicity import check_multiplicity
from proxy.sql.ownership import Equality, tie_together
from proxy.sql.refusal import subquery_refusal
from proxy.sql.relation import Member, Relation
from proxy.sql.schema import Schema
from proxy.sql.term import Subquery, Term


def compile_relation(select: exp.Select, schema: Schema, search_path: tuple[str, ...]) -> Relation:
    """Compile the FROM clause of a block.

    Raises:
        UnsupportedError: a join that is not proven to keep every row with one unit.
        RefusedError: a column that clients cannot see.
    """
    builder = JoinBuilder(schema, search_path)
    builder.first(select.args["from_"].this)
    for join in select.args.get("joins") or []:
        builder.join(join)
    where = select.args.get("where")
    if where is not None:
        builder.filter(where.this)
    relation = builder.finish(select.args["from_"])
    return replace(relation, compile_subquery=_SubqueryCompiler(schema, search_path))


def _is_plain(select: exp.Select) -> bool:
    """Has it rows exactly where FROM and WHERE have? Aggregates and functions that return sets may change that."""
    known = {"expressions", "from_", "joins", "where"}
    outputs = (exp.Column, exp.Star, exp.Literal, exp.Null, exp.Boolean)
    return (
        select.args.get("from_") is not None
        and not any(argument and name not in known for name, argument in select.args.items())
        and all(isinstance(_unaliased(output), outputs) for output in select.expressions)
    )


def _unaliased(output: exp.Expr) -> exp.Expr:
    return output.this if isinstance(output, exp.Alias) else output


class _SubqueryCompiler:
    """Compiles EXISTS and IN among the rows: over public tables, or over private rows of the same unit (DESIGN 3).

    A private row of the subquery must be tied to the row around it by an equality of its WHERE, or of IN itself; then
    it belongs to the same unit, and nothing of another unit can change what the predicate says.
    """

    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self.schema = schema
        self.search_path = search_path

    def __call__(self, query: exp.Expr, value: exp.Expr | None, outer: Relation) -> Subquery:
        select = query.unnest() if isinstance(query, exp.Subquery) else query
        if not isinstance(select, exp.Select) or not _is_plain(select):
            raise subquery_refusal(query)
        builder = JoinBuilder(self.schema, self.search_path, f"s{len(outer.reads.members)}", outer)
        builder.first(select.args["from_"].this)
        for join in select.args.get("joins") or []:
            builder.join(join)
        where = select.args.get("where")
        if where is not None:
            builder.filter(where.this)
        inner = replace(builder.scope(), reads=outer.reads, compile_subquery=self)
        outer.reads.members.extend(builder.members)
        output = self._output(select, inner) if value is not None else None
        self._prove(select, value, output, builder, outer)
        outer.reads.multiplicity = check_multiplicity(
            self._multiplying(select, builder, inner, value), outer.reads.multiplicity, select
        )
        body = f"FROM {''.join(builder.parts)}"
        if where is not None:
            body += f" WHERE {condition(where.this, lambda node: compile_term(node, inner)).sql}"
        return Subquery(body, output)

    @staticmethod
    def _output(select: exp.Select, inner: Relation) -> Term:
        if len(select.expressions) != 1:
            raise subquery_refusal(select)
        return compile_term(_unaliased(select.expressions[0]), inner)

    def _prove(
        self, select: exp.Select, value: exp.Expr | None, output: Term | None, builder: JoinBuilder, outer: Relation
    ) -> None:
        """Tie the subquery's private rows to the outer ones.

        NULLs in IN need care: `x IN (…)` is NULL, not false, if the list holds a NULL or x is one, and then says
        something of rows that the equality does not tie. So IN alone ties only columns that are never NULL.
        """
        private = [member for member in builder.members if member.table.private]
        if not private:
            return
        around = [member for member in self._enclosing(outer) if member.table.private]
        equalities = list(builder.equalities)
        compared = _unaliased(select.expressions[0]) if output is not None else None
        if isinstance(value, exp.Column) and isinstance(compared, exp.Column):
            left, right = outer.origin(value), builder.scope().origin(compared)
            if not left.nullable and not right.nullable and same_type(left, right):
                equalities.append(Equality(left, right))
        outer.reads.unique_keys.extend(tie_together(private, around, equalities, self.schema, select))

    @staticmethod
    def _multiplying(select: exp.Select, builder: JoinBuilder, inner: Relation, value: exp.Expr | None) -> list[Member]:
        """The members that the source may have to go through for each row around the subquery.

        The first one is looked up by a hash if an equality ties it, or if IN needs it only once.
        """
        first, *others = builder.members
        own = {member.alias for member in builder.members}
        columns = [
            node for node in own_nodes(select) if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
        ]
        once = value is not None and all(inner.origin(column).member.alias in own for column in columns)
        _, multiplying = builder.joined_keys(others)
        return multiplying if once or builder.equated(first) else [first, *multiplying]

    @staticmethod
    def _enclosing(outer: Relation) -> list[Member]:
        members: list[Member] = []
        relation: Relation | None = outer
        while relation is not None:
            members.extend(relation.members)
            relation = relation.outer
        return members

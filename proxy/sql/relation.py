"""The rows that a block aggregates: FROM as source SQL, what its columns mean, and who owns a row (DESIGN 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from proxy.policy import model
from proxy.sql.dialect import render
from proxy.sql.expressions import compile_term, condition
from proxy.sql.interval import Interval
from proxy.sql.refusal import unsupported
from proxy.sql.schema import NamedTable, Schema, bounds_of, check_plain_table, folded, unknown_column
from proxy.sql.term import Term, quote_identifier, quote_table
from proxy.sql.types import Kind, type_of_column


@dataclass(frozen=True)
class Member:
    """One table in FROM.

    Attributes:
        exposed: the name that qualifies its columns in the client's text.
        alias: its name in generated SQL ("t0", "t1", …).
        table: what it is.
        optional: on the NULL-extended side of an outer join.
    """

    exposed: str
    alias: str
    table: NamedTable
    optional: bool = False


@dataclass(frozen=True)
class ColumnOrigin:
    """The member and the column that a reference means."""

    member: Member
    column: str

    @property
    def sql(self) -> str:
        return f"{self.member.alias}.{quote_identifier(self.column)}"

    @property
    def policy(self) -> model.Column:
        columns = self.member.table.policy.columns or {}
        return columns.get(self.column, model.Column())

    @property
    def nullable(self) -> bool:
        return self.member.optional or self.member.table.catalog.columns[self.column].nullable


@dataclass(frozen=True)
class Relation:
    """A row-level relation over one private table, optionally joined with public ones. It is the block's `Scope`.

    Attributes:
        members: the tables of FROM in order.
        sql: text of the FROM clause for the source, without the keyword.
        owner: the private member whose unit owns each row.
        unit_sql: expression of the unit.
        unit_nullable: rows can have no unit, which are not counted.
        unit_unique: no unit has two rows here, proven from `unique_keys`.
        unique_keys: (table, columns) keys of the source that the proof rests on.
        merged: columns that USING merged, by name.
    """

    members: tuple[Member, ...]
    sql: str
    owner: Member
    unit_sql: str
    unit_nullable: bool
    unit_unique: bool
    unique_keys: tuple[tuple[str, tuple[str, ...]], ...]
    merged: tuple[tuple[str, ColumnOrigin], ...]

    def origin(self, node: exp.Column) -> ColumnOrigin:
        """What a column reference means. Raises RefusedError for unknown, hidden or ambiguous names."""
        if not isinstance(node.this, exp.Identifier) or node.args.get("db") or node.args.get("catalog"):
            raise unknown_column(node)
        name = folded(node.this)
        qualifier = node.args.get("table")
        merged = dict(self.merged)
        if qualifier is None and name in merged:
            return merged[name]
        wanted = folded(qualifier) if qualifier is not None else None
        found = [
            member
            for member in self.members
            if (wanted is None or member.exposed == wanted) and member.table.visible(name)
        ]
        if len(found) != 1:
            raise unknown_column(node)
        return ColumnOrigin(found[0], name)

    def column(self, node: exp.Column) -> Term:
        return column_term(self.origin(node))


def column_term(origin: ColumnOrigin) -> Term:
    """A column as a term, with the policy's bounds and step."""
    column = origin.member.table.catalog.columns[origin.column]
    type_ = type_of_column(column)
    bounds = step = grid = None
    if type_.is_number:
        if type_.kind is Kind.INTEGER:
            grid = Fraction(1)
        elif type_.scale is not None:
            grid = Fraction(1, 10**type_.scale) if type_.scale >= 0 else Fraction(10**-type_.scale)
        declared = origin.policy.step
        step = Fraction(declared) if declared is not None else grid
        limits = bounds_of(origin.policy)
        bounds = Interval(*limits) if limits is not None else None
    bare = replace(type_, magnitude=None, scale=None) if type_.kind is Kind.NUMERIC else type_
    # Of a type from outside pg_catalog the compiler knows no operator, only that it has a text.
    sql = f"{origin.sql}::text" if column.cast_to_text else origin.sql
    return Term(sql, bare, origin.nullable, bounds, step, grid, type_.magnitude)


def _same_type(one: ColumnOrigin, other: ColumnOrigin) -> bool:
    """Does `=` compare the columns as they are? A cast could make two values of a key equal to one."""
    types = {origin.member.table.catalog.columns[origin.column].type_name for origin in (one, other)}
    return len(types) == 1


_JOIN_ARGUMENTS = {"this", "side", "kind", "on", "using"}


def compile_relation(select: exp.Select, schema: Schema, search_path: tuple[str, ...]) -> Relation:
    """Compile the FROM clause of a block.

    Raises:
        UnsupportedError: anything but one private table joined with public ones by INNER, CROSS, LEFT joins or commas.
    """
    builder = _Builder(schema, search_path)
    builder.first(select.args["from_"].this)
    for join in select.args.get("joins") or []:
        builder.join(join)
    return builder.finish(select)


class _Builder:
    """Collects members in the order of FROM; each join sees the members before it."""

    def __init__(self, schema: Schema, search_path: tuple[str, ...]) -> None:
        self.schema = schema
        self.search_path = search_path
        self.members: list[Member] = []
        self.merged: dict[str, ColumnOrigin] = {}
        self.parts: list[str] = []
        self.many_to_one = True
        self.keys: list[tuple[str, tuple[str, ...]]] = []

    def first(self, item: exp.Expr) -> None:
        member = self._add(item)
        self.parts.append(self._table_sql(member))

    def join(self, join: exp.Join) -> None:
        """One JOIN or comma: the new table must be public, or the private table after public ones by an inner join."""
        unknown = [name for name, value in join.args.items() if value and name not in _JOIN_ARGUMENTS]
        side = str(join.args.get("side") or "").upper()
        kind = str(join.args.get("kind") or "").upper()
        if unknown or kind not in ("", "INNER", "CROSS", "OUTER") or side not in ("", "LEFT"):
            what = " ".join(word for word in (str(join.args.get("method") or ""), side, kind, "JOIN") if word)
            raise unsupported(
                join,
                f"{what} is not supported with a private table",
                rule="join-kind",
                detail="It is not proven here that every row of such a join still belongs to one person.",
                hint="Use JOIN or LEFT JOIN from the private table to public ones.",
            )
        member = self._add(join.this, optional=side == "LEFT")
        if member.table.private and any(other.table.private for other in self.members[:-1]):
            raise unsupported(
                join.this,
                "joins between private tables are not supported yet",
                rule="private-join",
                detail="Each row of the join must be proven to belong to one person.",
                hint="Ask about one private table at a time; it can be joined with public tables.",
            )
        if side == "LEFT" and member.table.private:
            raise unsupported(
                join,
                "a private table on the right of LEFT JOIN is not supported",
                rule="join-kind",
                hint="Swap the tables.",
            )
        table = self._table_sql(member)
        using = join.args.get("using") or []
        on = join.args.get("on")
        if using:
            condition_sql, pairs = self._using(member, using)
        elif on is not None:
            condition_sql = condition(on, lambda node: compile_term(node, self._scope())).sql
            pairs = self._equalities(member, on)
        else:
            self.parts.append(f" CROSS JOIN {table}")
            self.many_to_one = False
            return
        self._note_key(member, pairs)
        self.parts.append(f" {'LEFT' if side == 'LEFT' else 'INNER'} JOIN {table} ON {condition_sql}")

    def _note_key(self, member: Member, joined: frozenset[str]) -> None:
        """Does each earlier row meet at most one row of `member`? Yes if the join covers one of its unique keys."""
        covered = [key for key in member.table.catalog.unique_keys if key <= joined]
        if not covered or member.table.private:
            self.many_to_one = False
            return
        self.keys.append((member.table.name, tuple(min(sorted(key) for key in covered))))

    def finish(self, select: exp.Select) -> Relation:
        (owner,) = [member for member in self.members if member.table.private]
        reference = owner.table.policy.unit
        if reference is None or reference.column is None:
            raise unsupported(
                select.args["from_"],
                f"the unit of {owner.table.name} is reached by a foreign-key path, which is not supported yet",
                rule="unit-path",
                hint="Ask about a table that holds the unit's column itself.",
            )
        key = frozenset({reference.column})
        first_is_owner = self.members[0] is owner
        unique = key in owner.table.catalog.unique_keys and self.many_to_one and first_is_owner
        keys = ((owner.table.name, (reference.column,)), *self.keys) if unique else ()
        return Relation(
            tuple(self.members),
            "".join(self.parts),
            owner,
            f"{owner.alias}.{quote_identifier(reference.column)}",
            ColumnOrigin(owner, reference.column).nullable,
            unique,
            keys,
            tuple(self.merged.items()),
        )

    def _add(self, item: exp.Expr, *, optional: bool = False) -> Member:
        if not isinstance(item, exp.Table):
            raise unsupported(
                item,
                "a subquery beside a private table is not supported yet",
                rule="from-subquery",
                hint="Join the private table with public tables directly.",
            )
        check_plain_table(item)
        if item.args.get("joins"):
            raise unsupported(item, "parenthesised joins are not supported", rule="from-decoration")
        table = self.schema.find(item, self.search_path)
        if table is None:
            raise unsupported(
                item,
                f"{item.name or render(item)[:60]} cannot be joined with a private table",
                rule="from-relation",
                detail="It is neither a private nor a public table of the policy.",
                hint="Join tables that \\dt shows; combine others with the released result, in an outer query.",
            )
        alias = item.args.get("alias")
        exposed = folded(alias.this) if alias is not None and alias.this else table.name.split(".", 1)[1]
        if any(member.exposed == exposed for member in self.members):
            raise unsupported(
                item, f"the table name {exposed} appears twice", rule="duplicate-alias", hint="Use aliases."
            )
        member = Member(exposed, f"t{len(self.members)}", table, optional)
        self.members.append(member)
        return member

    @staticmethod
    def _table_sql(member: Member) -> str:
        return f"{quote_table(member.table.name)} AS {member.alias}"

    def _scope(self) -> Relation:
        """Everything joined so far, as a scope for ON."""
        return Relation(tuple(self.members), "", self.members[0], "", True, False, (), tuple(self.merged.items()))

    def _using(self, member: Member, names: list[exp.Expr]) -> tuple[str, frozenset[str]]:
        conditions, columns = [], set()
        before = Relation(tuple(self.members[:-1]), "", member, "", True, False, (), tuple(self.merged.items()))
        for identifier in names:
            name = folded(identifier)
            left = before.origin(exp.column(exp.to_identifier(name, quoted=True)))
            if not member.table.visible(name):
                raise unknown_column(exp.column(name))
            right = ColumnOrigin(member, name)
            conditions.append(f"{column_term(left).sql} = {column_term(right).sql}")
            if _same_type(left, right):
                columns.add(name)
            self.merged[name] = left
        return " AND ".join(conditions), frozenset(columns)

    def _equalities(self, member: Member, on: exp.Expr) -> frozenset[str]:
        """Columns of `member` that ON equates with an expression over earlier members, as conjuncts."""
        scope = self._scope()
        found = set()
        for conjunct in on.unnest().flatten() if isinstance(on.unnest(), exp.And) else [on.unnest()]:
            if not isinstance(conjunct, exp.EQ):
                continue
            for side, other in ((conjunct.this, conjunct.expression), (conjunct.expression, conjunct.this)):
                if not isinstance(side, exp.Column):
                    continue
                origin = scope.origin(side)
                if isinstance(other, exp.Column) and origin.member is member:
                    partner = scope.origin(other)
                    if partner.member is not member and _same_type(origin, partner):
                        found.add(origin.column)
        return frozenset(found)

"""FROM and JOIN, table by table: the SQL for the source, and the equalities that proofs of ownership rest on."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.dialect import render
from proxy.sql.expressions import comparable, compile_term, condition
from proxy.sql.multiplicity import check_multiplicity
from proxy.sql.ownership import Equality, Ownership, UniqueKey, prove_ownership
from proxy.sql.refusal import unsupported
from proxy.sql.relation import ColumnOrigin, Member, Reads, Relation, column_term
from proxy.sql.schema import NamedTable, Schema, check_plain_table, folded, unknown_column
from proxy.sql.term import quote_table

_JOIN_ARGUMENTS = {"this", "side", "kind", "on", "using", "method"}


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The operands of a conjunction; the node itself where it is none."""
    bare = node.unnest()
    if not isinstance(bare, exp.And):
        return [bare]
    return [conjunct for operand in bare.flatten() for conjunct in conjuncts(operand)]


class JoinBuilder:
    """Collects members in the order of FROM; each join sees the members before it."""

    def __init__(
        self, schema: Schema, search_path: tuple[str, ...], prefix: str = "", outer: Relation | None = None
    ) -> None:
        self.schema = schema
        self.search_path = search_path
        self.prefix = prefix
        self.outer = outer
        self.members: list[Member] = []
        self.merged: dict[str, ColumnOrigin] = {}
        self.parts: list[str] = []
        self.equalities: list[Equality] = []

    def first(self, item: exp.Expr) -> None:
        member = self._add(item)
        self.parts.append(_table_sql(member))

    def join(self, join: exp.Join) -> None:
        """One JOIN or comma."""
        optional = _is_left(join)
        member = self._add(join.this, optional=optional)
        if optional and member.table.private and not any(m.table.private for m in self.members[:-1]):
            raise _join_refusal(join, "a private table on the right of LEFT JOIN", "Swap the tables.")
        names = self._merged_names(join, member)
        on = join.args.get("on")
        if names:
            self.parts.append(f" {_word(optional)} JOIN {_table_sql(member)} ON {self._using(member, names)}")
        elif optional and on is None:
            self.parts.append(f" LEFT JOIN {_table_sql(member)} ON true")
        elif on is not None:
            term = condition(on, lambda node: compile_term(node, self.scope()))
            self._note(on, only=member if optional else None)
            self.parts.append(f" {_word(optional)} JOIN {_table_sql(member)} ON {term.sql}")
        else:
            self.parts.append(f" CROSS JOIN {_table_sql(member)}")

    def filter(self, where: exp.Expr) -> None:
        """Equalities of WHERE hold in every row that is left, so they prove as much as those of inner joins."""
        self._note(where, only=None)

    def finish(self, from_: exp.Expr) -> Relation:
        ownership = prove_ownership(self.members, self.equalities, self.schema, from_)
        keys, multiplying = self.joined_keys(self.members[1:])
        reads = Reads(multiplicity=check_multiplicity(multiplying, 1, from_))
        unique = not multiplying and self._first_is_unique(ownership)
        if unique:
            ownership.unique_keys.extend(keys)
        private = [member.table for member in self.members if member.table.private] + ownership.path_tables
        return Relation(
            tuple(self.members),
            "".join(self.parts) + ownership.hidden_joins,
            tuple({table.name: table for table in private}.values()),
            ownership.unit_sql,
            ownership.unit_columns,
            ownership.unit_nullable,
            unique,
            tuple(dict.fromkeys(ownership.unique_keys)),
            tuple(self.merged.items()),
            reads=reads,
        )

    def _first_is_unique(self, ownership: Ownership) -> bool:
        """Has the first table at most one row for each unit?"""
        first = self.members[0]
        for key in first.table.catalog.unique_keys:
            if len(key) == 1 and ColumnOrigin(first, next(iter(key))).sql in ownership.unit_columns:
                ownership.unique_keys.append((first.table.name, tuple(key)))
                return True
        return False

    def joined_keys(self, members: Sequence[Member]) -> tuple[list[UniqueKey], list[Member]]:
        """The unique keys by which a row meets at most one row of each of `members`, and the members without one."""
        keys: list[UniqueKey] = []
        multiplying: list[Member] = []
        for member in members:
            covered = [sorted(key) for key in member.table.catalog.unique_keys if key <= self.equated(member)]
            if covered:
                keys.append((member.table.name, tuple(min(covered))))
            else:
                multiplying.append(member)
        return keys, multiplying

    def equated(self, member: Member) -> set[str]:
        """The columns of `member` that equal one of a table before it, or around it."""
        later = {one.alias for one in self.members[self.members.index(member) + 1 :]}
        return {
            mine.column
            for equality in self.equalities
            for mine, other in ((equality.left, equality.right), (equality.right, equality.left))
            if mine.member is member and other.member.alias not in later
        }

    def _add(self, item: exp.Expr, *, optional: bool = False) -> Member:
        if not isinstance(item, exp.Table):
            raise unsupported(
                item,
                "a subquery beside a private table is not supported yet",
                rule="from-subquery",
                hint="Join the private table with other tables directly.",
            )
        check_plain_table(item)
        if item.args.get("joins"):
            raise unsupported(item, "parenthesised joins are not supported", rule="from-decoration")
        table = self._find(item)
        alias = item.args.get("alias")
        exposed = folded(alias.this) if alias is not None and alias.this else table.name.split(".", 1)[1]
        if any(member.exposed == exposed for member in self.members):
            raise unsupported(
                item, f"the table name {exposed} appears twice", rule="duplicate-alias", hint="Use aliases."
            )
        member = Member(exposed, f"{self.prefix}t{len(self.members)}", table, optional)
        self.members.append(member)
        return member

    def _find(self, item: exp.Table) -> NamedTable:
        table = self.schema.find(item, self.search_path)
        if table is None:
            raise unsupported(
                item,
                f"{item.name or render(item)[:60]} cannot be joined with a private table",
                rule="from-relation",
                detail="It is neither a private nor a public table of the policy.",
                hint="Join tables that \\dt shows; combine others with the released result, in an outer query.",
            )
        return table

    def scope(self, until: int | None = None) -> Relation:
        """The members so far, or the first `until` of them, as a scope for ON."""
        members = tuple(self.members[:until])
        return Relation(members, "", (), "", frozenset(), True, False, (), tuple(self.merged.items()), self.outer)

    def _merged_names(self, join: exp.Join, member: Member) -> list[str]:
        """The columns of USING, or those that NATURAL finds on both sides."""
        if str(join.args.get("method") or "").upper() == "NATURAL":
            earlier = {name for one in self.members[:-1] for name in one.table.visible_columns()}
            return [name for name in member.table.visible_columns() if name in earlier]
        return [folded(identifier) for identifier in join.args.get("using") or []]

    def _using(self, member: Member, names: list[str]) -> str:
        """The condition of USING; the merged column is the left one, which LEFT and INNER joins keep."""
        conditions = []
        before = self.scope(len(self.members) - 1)
        for name in names:
            left = before.origin(exp.column(exp.to_identifier(name, quoted=True)))
            if not member.table.visible(name):
                raise unknown_column(exp.column(name))
            right = ColumnOrigin(member, name)
            terms = comparable(exp.column(name), column_term(left), column_term(right))
            conditions.append(f"{terms[0].sql} = {terms[1].sql}")
            self._equate(left, right, only=member if member.optional else None)
            self.merged[name] = left
        return " AND ".join(conditions)

    def _note(self, node: exp.Expr, only: Member | None) -> None:
        """Note the equalities of columns among the conjuncts of ON or WHERE.

        The condition of a LEFT JOIN holds for the rows of its right table alone, so `only` those count.
        """
        scope = self.scope()
        for conjunct in conjuncts(node):
            if not isinstance(conjunct, exp.EQ):
                continue
            sides = (conjunct.this.unnest(), conjunct.expression.unnest())
            if all(isinstance(side, exp.Column) for side in sides):
                left, right = (scope.origin(side) for side in sides)
                if only is None or (left.member is only) != (right.member is only):
                    self._equate(left, right, only)

    def _equate(self, left: ColumnOrigin, right: ColumnOrigin, only: Member | None) -> None:
        """Note an equality of two tables' columns if `=` compares them as they are."""
        if same_type(left, right) and left.member is not right.member:
            self.equalities.append(Equality(left, right, only))


def same_type(one: ColumnOrigin, other: ColumnOrigin) -> bool:
    """Does `=` compare the columns as their own keys do? A cast, or the collation of one of them, could make two values
    of the other equal to one."""
    columns = [origin.member.table.catalog.columns[origin.column] for origin in (one, other)]
    return len({(column.type_name, column.collation) for column in columns}) == 1


def _table_sql(member: Member) -> str:
    return f"{quote_table(member.table.name)} AS {member.alias}"


def _word(optional: bool) -> str:
    return "LEFT" if optional else "INNER"


def _is_left(join: exp.Join) -> bool:
    """Is it a LEFT JOIN? Refuses every join that is not INNER, CROSS, LEFT or a comma."""
    unknown = [name for name, value in join.args.items() if value and name not in _JOIN_ARGUMENTS]
    side, kind = (str(join.args.get(name) or "").upper() for name in ("side", "kind"))
    method = str(join.args.get("method") or "").upper()
    if (
        unknown
        or kind not in ("", "INNER", "CROSS", "OUTER")
        or side not in ("", "LEFT")
        or method not in ("", "NATURAL")
    ):
        what = " ".join(word for word in (method, side, kind, "JOIN") if word)
        raise _join_refusal(join, what, "Use JOIN or LEFT JOIN, starting from the private table.")
    return side == "LEFT"


def _join_refusal(join: exp.Join, what: str, hint: str) -> Exception:
    return unsupported(
        join,
        f"{what} is not supported here",
        rule="join-kind",
        detail="It is not proven here that every row of such a join still belongs to one person.",
        hint=hint,
    )

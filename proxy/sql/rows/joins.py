"""FROM and JOIN, item by item: the SQL for the source, and the equalities that proofs of ownership rest on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.elements import elements_beside
from proxy.sql.rows.fixed_columns import Fixed, fixed_columns, listed_column
from proxy.sql.rows.footprint import NOTHING, of_keys, union
from proxy.sql.rows.full_joins import side_along_key
from proxy.sql.rows.hash_ties import hash_ties
from proxy.sql.rows.join_words import Columns, columns_of, find_table, is_comma, join_refusal, merged_names, side_of
from proxy.sql.rows.lookups import Lookup, lookups
from proxy.sql.rows.matched_joins import as_inner, matched_joins
from proxy.sql.rows.members import ColumnOrigin, Derived, Extension, FromText, Member, from_sql
from proxy.sql.rows.narrowing import met_by
from proxy.sql.rows.ownership import Equality, prove_ownership
from proxy.sql.rows.presence import present_columns
from proxy.sql.rows.reach import Paths
from proxy.sql.rows.relation import Kept, Relation
from proxy.sql.rows.told_units import without_equal_casts
from proxy.sql.rows.total_joins import Pair, equal_columns, finds_a_row
from proxy.sql.schema import Schema, check_plain_table, unknown_column
from proxy.sql.terms.expressions import comparable, compile_term, condition, equality
from proxy.sql.terms.limits import together
from proxy.sql.terms.term import Limits, Term
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.null_columns import fails_without
from proxy.sql.trees.walking import is_function_item, is_joined_item

Derive = Callable[[exp.Expr, str], Derived]
"""Compiles a subquery in FROM from the item and a prefix for its aliases."""


@dataclass(frozen=True)
class _Start:
    """Where the left side of a join starts, which is all that its ON, USING and NATURAL see of earlier items: at the
    first item inside its parentheses, or after the last comma, which binds less tightly than JOIN.

    Attributes:
        member: the number of members before it.
        column: the number of columns of * before it.
    """

    member: int = 0
    column: int = 0


class JoinBuilder:
    """Collects members in the order of FROM; each join sees the members before it.

    Args:
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        derive: compiles subqueries.
        prefix: of the members' aliases.
        outer: the relation around a subquery.
    """

    def __init__(
        self,
        schema: Schema,
        search_path: tuple[str, ...],
        derive: Derive,
        prefix: str = "",
        outer: Relation | None = None,
    ) -> None:
        self.schema = schema
        self.search_path = search_path
        self.derive = derive
        self.prefix = prefix
        self.outer = outer
        self.members: list[Member] = []
        self.merged: dict[str, ColumnOrigin] = {}
        self.star: list[tuple[str, ColumnOrigin]] = []
        self.text: FromText = ()
        self.equalities: list[Equality] = []
        self.alike: list[Equality] = []
        self.lookups: list[Lookup] = []
        self.fixed: list[Fixed] = []
        self.optional: set[str] = set()
        self.unconditional: set[str] = set()
        self.present: defaultdict[str, set[str]] = defaultdict(set)
        self.extended: dict[str, tuple[frozenset[str], ...]] = {}
        self.matched: set[str] = set()
        self.extensions: list[Extension] = []
        self.kept: Kept | None = None
        self.commas = False
        self.start = _Start()
        self.conditions: list[Term] = []
        self.where_equalities: list[Equality] = []
        self.met: list[tuple[frozenset[str], Limits]] = []

    def first(self, item: exp.Expr) -> None:
        self.text = self._item(item)

    def join(self, join: exp.Join) -> None:
        """One JOIN or comma."""
        here = self._here()
        self.text += self._joined(join, self.text, 0, self.start)
        if is_comma(join):
            self.start = here

    def _here(self) -> _Start:
        return _Start(len(self.members), len(self.star))

    def _item(self, item: exp.Expr) -> FromText:
        """Add a FROM item, or a join in parentheses; returns its SQL."""
        if not is_joined_item(item):
            return (self._add(item),)
        inner = item.this
        if item.args.get("alias") is not None:
            raise AssertionError("a join with a name is a subquery")
        bare, start = inner.copy(), self._here()
        bare.set("joins", None)
        text = self._item(bare)
        for join in inner.args.get("joins") or []:
            text += self._joined(join, text, start.member, start)
        text = ("(", *text, ")") if inner.args.get("joins") else text
        for join in item.args.get("joins") or []:
            text += self._joined(join, text, start.member, start)
        return text

    def _joined(self, join: exp.Join, before_text: FromText, first: int, start: _Start) -> FromText:
        """Join an item to `before_text`, which has the members from `first` on; its ON sees those from `start` on."""
        side = side_of(join)
        self.commas = self.commas or is_comma(join)
        if side in ("RIGHT", "FULL") and self.commas:
            raise join_refusal(join, f"{side} JOIN after a comma", "Write CROSS JOIN, or put it first in FROM.")
        before = self._here()
        item_text = self._item(join.this)
        earlier, joined = self.members[first : before.member], self.members[before.member :]
        if side == "FULL":
            side = side_along_key(join, earlier, joined, self.scope())
        left, right = self.star[start.column : before.column], self.star[before.column :]
        pairs = self._pairs(join, joined, start, left, right) if side == "LEFT" else None
        if side == "LEFT" and self.kept is None and _has_private(earlier) and finds_a_row(pairs, joined):
            side = ""  # but it drops no public row that an earlier join kept
        kept = {"LEFT": earlier, "RIGHT": joined}.get(side, [])
        extended = {"LEFT": joined, "RIGHT": earlier, "FULL": self.members}.get(side, [])
        word = side or "INNER"
        if side == "FULL":
            self._check_full_join(join)
        keeps = _has_private(extended) and not _has_private(kept) and side != "FULL"
        if keeps:
            if first or self.kept is not None:
                raise join_refusal(join, "a second outer join of public rows", "Write the outer join first in FROM.")
            # Only rows with a unit count; public rows without one are declared groups, answered with zero.
            word = "INNER"
            kept_text = before_text if side == "LEFT" else item_text
            self.kept = Kept(frozenset(member.alias for member in kept), from_sql(kept_text, ()))
        else:
            self.optional.update(member.alias for member in extended)
        names, on = merged_names(join, joined, left, right), join.args.get("on")
        self.unconditional.difference_update(member.alias for member in extended)
        if side == "LEFT" and on == exp.true():
            self.unconditional.update(member.alias for member in joined[:1] if len(joined) == 1)
        outer = [] if word == "INNER" else joined
        if side == "LEFT" and not keeps:
            self._note_extension(joined, pairs)
        if word != "INNER":
            sides = (earlier, joined) if side == "FULL" else (extended,)
            self.extended[joined[0].alias] = tuple(frozenset(member.alias for member in missing) for missing in sides)
        condition_sql, known = "true", len(self.equalities)
        if names:
            condition_sql = self._using(names, joined[0], outer, side, left)
            self.star[start.column :] = [
                *((name, self.merged[name]) for name in names),
                *(shown for shown in (*left, *right) if shown[0] not in names),
            ]
        elif on is not None:
            scope = self.scope(start.member)
            self.conditions.append(condition(on, lambda node: compile_term(node, scope)))
            condition_sql = self.conditions[-1].sql
            self._note(on, outer, scope)
            if word == "INNER":
                whole = frozenset(member.alias for member in scope.members if not member.optional)
                self.met.append((whole, met_by(on, scope)))
        condition_sql = " AND ".join([condition_sql, *hash_ties(self.equalities[known:])])
        if word == "INNER":
            self.matched |= matched_joins(self.members, self.extended, self.equalities[known:], self.equalities)
        crosses = word == "INNER" and on is None and not names
        text = (" CROSS JOIN ", *item_text) if crosses else (f" {word} JOIN ", *item_text, f" ON {condition_sql}")
        if self.kept is not None and not keeps:
            self._join_kept(join, side, names, joined, text, self.scope(start.member))
        return text

    def _pairs(
        self, join: exp.Join, joined: Sequence[Member], start: _Start, left: Columns, right: Columns
    ) -> list[Pair] | None:
        """The columns whose equality is the whole condition of a join; None if it is another one."""
        names, on = merged_names(join, joined, left, right), join.args.get("on")
        if on is not None:
            return equal_columns(on, self.scope(start.member))
        pairs = [
            tuple(self._now(origin) for side in (left, right) for shown, origin in side if shown == name)
            for name in names
        ]
        return [(pair[0], pair[1]) for pair in pairs] if pairs and all(len(pair) == 2 for pair in pairs) else None

    def _note_extension(self, joined: Sequence[Member], pairs: Sequence[Pair] | None) -> None:
        """Note a LEFT JOIN of one public member along columns of the same types."""
        if not pairs or len(joined) != 1 or joined[0].table.private:
            return
        alias = joined[0].alias
        ways = [pair if pair[1].member.alias == alias else (pair[1], pair[0]) for pair in pairs]
        if all(to.member.alias == alias != start.member.alias and same_type(start, to) for start, to in ways):
            self.extensions.append(Extension(joined[0], tuple(ways)))

    def _check_full_join(self, join: exp.Join) -> None:
        """FULL JOIN has rules of its own: neither side alone has its merged columns and its unit."""
        if join.args.get("using") or join.args.get("method"):
            hint = "Write the condition with ON, as in ON a.x = b.x, and the merged column as coalesce(a.x, b.x)."
            raise join_refusal(join, "FULL JOIN with USING or NATURAL", hint)
        if len(self.members) > 2 or not all(member.table.private for member in self.members):
            raise join_refusal(
                join,
                "this FULL JOIN",
                "Use FULL JOIN only between tables of the same privacy unit, joined by it, or use LEFT JOIN.",
            )

    def _join_kept(
        self, join: exp.Join, side: str, names: list[str], joined: Sequence[Member], text: FromText, scope: Relation
    ) -> None:
        """A join after an outer join that kept public rows: it keeps them, extends them, or drops them."""
        if self.kept is None:
            raise AssertionError("an outer join kept public rows")
        aliases, on = self.kept.aliases | {member.alias for member in joined}, join.args.get("on")

        def extended(column: exp.Column) -> bool:
            return scope.origin(column).member.alias not in aliases

        # USING compares with the merged column, which NULL never equals.
        fails = any(self.merged[name].member.alias not in aliases for name in names)
        fails = fails or (on is not None and fails_without(on, extended))
        concerns_others = fails or (on is not None and any(extended(node) for node in find_all(on, exp.Column)))
        if not concerns_others and not _has_private(joined) and side in ("", "LEFT"):
            self.kept = Kept(aliases, self.kept.sql + from_sql(text, ()))
        elif side == "LEFT" and fails:
            return
        elif side == "" and fails:
            self.kept = None
        else:
            raise join_refusal(join, "this join after an outer join", "Join the other tables first.")

    def filter(self, where: exp.Expr) -> None:
        """Use WHERE: its equalities hold in every row that is left, so they prove as much as those of inner joins."""
        known, scope = len(self.equalities), self.scope()
        self._note(where, (), scope)
        self.where_equalities += self.equalities[known:]
        self.matched |= matched_joins(self.members, self.extended, self.equalities[known:], self.equalities)
        for origin in present_columns(where, scope):
            self.present[origin.member.alias].add(origin.column)

    def finish(self, from_: exp.Expr) -> Relation:
        """The relation, with the proof of the unit of its rows.

        Raises:
            UnsupportedError: no proof.
        """
        relation, proofs = self.scope(), NOTHING
        if _has_private(relation.members):
            ownership = prove_ownership(relation.members, self.equalities, self.schema, from_)
            proofs = ownership.proofs
            relation = replace(
                relation,
                text=(*self.text, ownership.hidden_joins, self._tied()),
                unit=ownership.unit,
                unit_sql=ownership.unit_sql,
                unit_columns=ownership.unit_columns,
                unit_nullable=ownership.unit_nullable,
                unit_kind=ownership.unit_kind,
                unit_home=ownership.unit_home,
            )
        reach = self.paths.reach(relation.unit_columns)
        return replace(
            relation,
            text=relation.text or self.text,
            kept=self.kept,
            limits=self._limits(),
            conditions=tuple(self.conditions),
            equal=self._everywhere(self.equalities),
            alike=self._everywhere(self.alike),
            extensions=tuple(self._now_extended(extension) for extension in self.extensions),
            joined=reach.multiplicity,
            here=reach.here,
            sources=frozenset(reach.sources),
            keys=frozenset(reach.row_keys),
            row_count=reach.row_count,
            proofs=union([proofs, of_keys(reach.verified_keys)]),
        )

    def _limits(self) -> Limits:
        """What the inner joins' ON says of numbers, where no outer join has added rows afterwards that need not meet
        it."""
        return together(*(said for whole, said in self.met if not whole & self.optional))

    def _everywhere(self, equalities: Sequence[Equality]) -> tuple[tuple[ColumnOrigin, ColumnOrigin], ...]:
        """The equalities that hold in every row, which those of outer joins do not, nor those that one may follow."""
        pairs = [(found.left, found.right) for found in equalities if found.only is None]
        return tuple(pair for pair in pairs if not {side.member.alias for side in pair} & self.optional)

    def _now_extended(self, extension: Extension) -> Extension:
        """The extension after what later joins have done to its members."""
        pairs = tuple((self._now(known), self._now(own)) for known, own in extension.pairs)
        return Extension(self._member_now(extension.member), pairs)

    def _tied(self) -> str:
        """The ties of WHERE, as the condition of a join with a single empty row."""
        ties = hash_ties(self.where_equalities)
        return f" INNER JOIN (SELECT) AS {self.prefix}tie ON {' AND '.join(ties)}" if ties else ""

    @property
    def paths(self) -> Paths:
        """How the members are reached from each other."""
        extended = {join: sides for join, sides in self.extended.items() if join not in self.matched}
        equalities, fixed = as_inner(self.equalities, self.matched), as_inner(self.fixed, self.matched)
        found = as_inner(self.lookups, self.matched)
        return Paths(self.members, equalities, found, fixed, extended, self.schema)

    def scope(self, start: int = 0) -> Relation:
        """The members so far, those from `start` on, as a scope for ON."""
        members = {member.alias: self._member_now(member) for member in self.members[start:]}
        merged, star = columns_of(members, self.merged.items()), columns_of(members, self.star)
        return Relation(tuple(members.values()), merged=merged, star=star, outer=self.outer)

    def _now(self, origin: ColumnOrigin) -> ColumnOrigin:
        """The column after what the joins so far have done to its member."""
        return ColumnOrigin(self._member_now(origin.member), origin.column)

    def _member_now(self, member: Member) -> Member:
        alias = member.alias
        optional, present = alias in self.optional, frozenset(self.present[alias])
        unconditional = alias in self.unconditional
        if (member.optional, member.present, member.unconditional) == (optional, present, unconditional):
            return member
        return replace(member, optional=optional, present=present, unconditional=unconditional)

    def _add(self, item: exp.Expr) -> Member:
        alias = f"{self.prefix}t{len(self.members)}"
        if item.args.get("joins"):
            raise unsupported(item, "joins are not supported here", rule="from-decoration", hint="Use parentheses.")
        table: NamedTable | Derived | None
        table = elements_beside(item, self.scope()) if is_function_item(item) else None
        if table is None and isinstance(item, exp.Table):
            check_plain_table(item)
            table = find_table(item, self.schema, self.search_path)
        elif table is None:
            table = self.derive(item, alias)
        named = item.args.get("alias")
        exposed = folded(named.this) if named is not None and named.this else table.name.rsplit(".", 1)[-1]
        if any(member.exposed == exposed for member in self.members):
            raise unsupported(
                item, f'table name "{exposed}" specified more than once', rule="duplicate-alias", hint="Use aliases."
            )
        member = Member(exposed, alias, table)
        self.members.append(member)
        self.star += [(name, ColumnOrigin(member, name)) for name in table.visible_columns()]
        return member

    def _using(self, names: list[str], member: Member, outer: Sequence[Member], side: str, shown: Columns) -> str:
        """The condition of USING. The merged column is that of the side that the join keeps, or else the left one."""
        conditions = []
        for name in names:
            named = [self._now(origin) for shown_name, origin in shown if shown_name == name]
            if len(named) != 1 or not member.table.visible(name):
                raise unknown_column(exp.column(name))
            left, right = named[0], ColumnOrigin(member, name)
            types = left.term().type, right.term().type
            if types[0].kind is not types[1].kind:
                # The merged column would have one side's type, while Postgres gives it a common one.
                raise unsupported(
                    exp.column(name),
                    f"USING ({name}) over columns of types {types[0].name} and {types[1].name} is not supported",
                    rule="join-kind",
                    hint="Write the condition with ON, and the column with its table.",
                )
            terms = comparable(exp.column(name), left.term(), right.term())
            conditions.append(equality(exp.column(name), *terms))
            self._equate(left, right, outer)
            self.merged[name] = right if side == "RIGHT" else left
        self.conditions += conditions
        return " AND ".join(term.sql for term in conditions)

    def _note(self, node: exp.Expr, outer: Sequence[Member], scope: Relation) -> None:
        """Note the equalities of columns among the conjuncts of ON or WHERE.

        The condition of an outer join holds only for rows that have both sides, so it only ties the members that it
        joins, `outer`, to earlier ones.
        """
        aliases = {member.alias for member in outer}
        for conjunct in conjuncts(node):
            if isinstance(conjunct, exp.NullSafeEQ):
                self._note_alike(conjunct, outer, scope)
            if isinstance(conjunct, exp.In) and len(conjunct.expressions) == 1:
                conjunct = exp.EQ(this=conjunct.this.copy(), expression=conjunct.expressions[0].copy())
            only = outer[0].alias if outer else None
            if (listed := listed_column(conjunct, scope, only)) is not None:
                self.fixed.append(listed)
            if not isinstance(conjunct, (exp.EQ, exp.NullSafeEQ)):
                continue
            sides = without_equal_casts(conjunct.this, conjunct.expression, scope)
            if all(isinstance(side, exp.Column) for side in sides):
                left, right = (scope.origin(side) for side in sides if isinstance(side, exp.Column))
                if isinstance(conjunct, exp.NullSafeEQ) and _can_both_be_null(conjunct, scope):
                    # Two such rows meet, too, and nothing ties them.
                    continue
                if not outer or (left.member.alias in aliases) != (right.member.alias in aliases):
                    self._equate(left, right, outer)
            elif isinstance(conjunct, exp.EQ):
                self.lookups += lookups(conjunct, scope, only)
                self.fixed += [Fixed(origin, only) for origin in fixed_columns(*sides, scope)]

    def _note_alike(self, node: exp.NullSafeEQ, outer: Sequence[Member], scope: Relation) -> None:
        """Note columns that are equal or both NULL, which proves nothing of units but says which keys there are."""
        sides = (node.this.unnest(), node.expression.unnest())
        if all(isinstance(side, exp.Column) for side in sides):
            left, right = (scope.origin(side) for side in sides)
            if same_type(left, right):
                self.alike.append(Equality(left, right, outer[0].alias if outer else None))

    def _equate(self, left: ColumnOrigin, right: ColumnOrigin, outer: Sequence[Member]) -> None:
        """Note an equality of two members' columns if `=` compares them as they are."""
        if same_type(left, right) and left.member.alias != right.member.alias:
            self.equalities.append(Equality(left, right, outer[0].alias if outer else None))
            for side in (left, right) if not outer else ():
                self.present[side.member.alias].add(side.column)


def same_type(left: ColumnOrigin, right: ColumnOrigin) -> bool:
    """Does `=` compare the columns as their own keys do?"""
    return left.member.table.comparison(left.column) == right.member.table.comparison(right.column)


def _can_both_be_null(node: exp.NullSafeEQ, scope: Relation) -> bool:
    """Can both sides be NULL as they are written? A cast is where a value does not fit."""
    return all(compile_term(side, scope).nullable for side in (node.this, node.expression))


def _has_private(members: Sequence[Member]) -> bool:
    return any(member.table.private for member in members)

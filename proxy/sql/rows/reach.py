"""How the rows of a join are reached from one of its members, and how often (see `multiplicity`).

Each row of a join is a combination of rows of those members that are present, and NULLs for the others, which an outer
join left out; no combination comes twice. So the join has no more rows than the sum, over every set of members that can
be present together, of the combinations that meet the equalities between them. The equalities of an outer join's
condition hold wherever the members that it extends with NULLs are present: there it found a match.
"""

from __future__ import annotations

import operator
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import prod

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.repeats import UncountedError
from proxy.sql.rows.few_values import most_values
from proxy.sql.rows.fixed_columns import Fixed
from proxy.sql.rows.footprint import UniqueKey
from proxy.sql.rows.lookups import Lookup
from proxy.sql.rows.members import UNIT, ColumnOrigin, Derived, Member
from proxy.sql.rows.multiplicity import MOST_ROWS, ONCE, WIDE, Multiplicity
from proxy.sql.rows.ownership import Equality, unit_columns
from proxy.sql.schema import Schema

_MOST_SETS = 64
"""Most sets of present members that are looked at one by one: an outer join doubles them, a FULL JOIN triples them."""


@dataclass
class Reach:
    """How the rows of a join are reached from one of its members.

    Attributes:
        multiplicity: the factor by the other members, with what is inside all of them.
        here: the factor by the other members alone.
        verified_keys: the keys of the source by which they are looked up.
        row_keys: sets of columns (UNIT for the unit) in which no two rows of the join are equal.
        multiplies: is there a member without such a key, or with one that only estimates of time rest on (`lookups`)?
        sources: the private members that no such key leads to, by their aliases.
        row_count: most rows of the join, if all its members are public and counted.
        uncounted: what is not known yet of members that it meets, which count with all their rows.
    """

    multiplicity: Multiplicity
    here: Multiplicity = ONCE
    verified_keys: list[UniqueKey] = field(default_factory=list)
    row_keys: list[frozenset[str]] = field(default_factory=list)
    multiplies: bool = False
    sources: set[str] = field(default_factory=set)
    row_count: int | None = None
    uncounted: list[UncountedError] = field(default_factory=list)

    def multiply(self, member: Member, most: int | None = None) -> None:
        """Meet a member that no unique key leads to.

        Args:
            member: the member.
            most: the most of its rows that equal what was met; all of them, or of a unit, if absent.
        """
        self.multiplies = True
        public = Multiplicity.of_public(member.table.row_count if most is None else most)
        factor = Multiplicity(private=1) if member.has_unit and most is None else public
        self.multiplicity *= factor
        self.here *= factor
        self.note(member)

    def note(self, member: Member) -> None:
        """Note a member that no unique key leads to, if its rows have units."""
        if member.has_unit:
            self.sources.add(member.alias)

    def note_key(self, member: Member, key: frozenset[str]) -> None:
        """Note a key that leads to a member, if it is one of the source."""
        if isinstance(member.table, NamedTable):
            self.verified_keys.append((member.table.name, tuple(sorted(key))))

    @property
    def cost(self) -> tuple[int, int, bool]:
        """What the choice of a member to start from minimises."""
        return self.multiplicity.private, self.multiplicity.rows, frozenset({UNIT}) not in self.row_keys


class Paths:
    """The ways between the members of a join.

    Args:
        members: the items of FROM.
        equalities: what the join and WHERE say of them.
        lookups: expressions that the join and WHERE equate with columns of public members.
        fixed: columns that have one value.
        extended: for each outer join, by the alias of the first member that it joins, the aliases that it fills with
            NULLs where it finds no match: those of one side, or of either for a FULL JOIN.
        schema: policy and catalog.
    """

    def __init__(
        self,
        members: Sequence[Member],
        equalities: Sequence[Equality],
        lookups: Sequence[Lookup],
        fixed: Sequence[Fixed],
        extended: Mapping[str, tuple[frozenset[str], ...]],
        schema: Schema,
    ) -> None:
        self._members = members
        self._extended = extended
        self._optional = frozenset[str]().union(*(side for sides in extended.values() for side in sides))
        self._schema = schema
        self._aliases = frozenset(member.alias for member in members)
        self._sides: dict[str, list[tuple[str, str, Equality]]] = defaultdict(list)
        for equality in equalities:
            for mine, other in ((equality.left, equality.right), (equality.right, equality.left)):
                self._sides[mine.member.alias].append((mine.column, other.member.alias, equality))
        self._lookups: dict[str, list[Lookup]] = defaultdict(list)
        for lookup in lookups:
            self._lookups[lookup.alias].append(lookup)
        self._fixed = fixed

    def reach(self, units: frozenset[str] = frozenset()) -> Reach:
        """Start from the member that gives the least multiplication; the others are looked up by unique keys where
        equalities give them.

        Args:
            units: the SQL of the columns that hold the unit in every row.

        Raises:
            UncountedError: how far it multiplies depends on what was not counted yet.
        """
        found = self._reach(units)
        if found.uncounted:
            raise found.uncounted[0]
        return found

    def _reach(self, units: frozenset[str]) -> Reach:
        whole = min((self._from_root(root, units) for root in self._roots(self._members)), key=lambda reach: reach.cost)
        if not whole.multiplies or not self._optional:
            return whole
        parts: list[Reach] = []
        for present in self._sets_of_present_members():
            part = self._among(present)
            if part.multiplicity.private >= whole.multiplicity.private:
                return whole
            parts.append(part)
        if not parts:
            return whole
        together = reduce(operator.add, (part.multiplicity for part in parts))
        if together.rows <= MOST_ROWS:
            whole.multiplicity = together
            whole.here = reduce(operator.add, (part.here for part in parts))
            whole.sources = set[str]().union(*(part.sources for part in parts))
            whole.uncounted = [error for part in parts for error in part.uncounted]
            whole.verified_keys += [key for part in parts for key in part.verified_keys]
        return whole

    def _sets_of_present_members(self) -> Iterator[frozenset[str]]:
        """Every set of members that can be present together, and maybe some that cannot, the largest first; none if
        there are too many outer joins."""
        outer = list(self._extended.values())
        if prod(len(sides) + 1 for sides in outer) > _MOST_SETS:
            return
        found = {
            self._aliases.difference(*missing) for missing in product(*((frozenset[str](), *sides) for sides in outer))
        }
        roots = {member.alias for member in self._roots(self._members)}
        possible = (present for present in found if present & roots and self._can_be_all(present))
        yield from sorted(possible, key=lambda present: (-len(present), sorted(present)))

    def _can_be_all(self, present: frozenset[str]) -> bool:
        """Can these be all members that are present? Not if one of them was joined by a column of another that is not:
        no NULL equals anything."""
        return not any(
            other in self._aliases
            and other not in present
            and (equality.only is None or self._found_a_match(equality.only, present))
            for alias in present
            for _, other, equality in self._sides[alias]
        )

    def _among(self, present: frozenset[str]) -> Reach:
        """The least multiplication among the members that are present."""
        members = [member for member in self._members if member.alias in present]
        walks = (self._walk(root, members, present) for root in self._roots(members))
        found = next(walks)
        for other in walks:
            if not found.multiplies:
                break
            found = min(found, other, key=lambda reach: reach.cost)
        return found

    def _roots(self, members: Sequence[Member]) -> list[Member]:
        """The members that the others can be reached from; all, if they are made of rows around the join."""
        return [member for member in members if not member.is_beside] or list(members)

    def _from_root(self, root: Member, units: frozenset[str]) -> Reach:
        reach = self._walk(root, self._members, None)
        private = any(member.table.private for member in self._members)
        if not private and root.table.row_count is not None and root.alias not in self._optional:
            reach.row_count = root.table.row_count * reach.multiplicity.rows
        if reach.multiplies or root.alias in self._optional:
            return reach
        fixed = self._fixed_of(root, None)
        for key in root.table.unique_keys:
            texts = [ColumnOrigin(root, name).sql for name in key - fixed]
            reach.row_keys.append(frozenset(UNIT if text in units else text for text in texts))
            reach.note_key(root, key)
        return reach

    def _walk(self, root: Member, members: Sequence[Member], present: frozenset[str] | None) -> Reach:
        """Meet the members one after another, looked-up ones first. A member can lead only to those that an equality
        ties to it, so that long joins are planned in time."""
        reach = Reach(_inner_multiplicity(members))
        reach.note(root)
        met = {root.alias}
        others = {member.alias: member for member in members if member is not root}
        candidates = deque(others)
        while others:
            if not candidates:
                found = self._looked_up(others, met, present)
                member = found[0] if found is not None else next(iter(others.values()))
                if found is not None:
                    reach.multiplies = True
                    reach.note_key(*found)
                elif (part := self.partly_looked_up(member, met, present)) is not None:
                    reach.multiply(member, part[1])
                    reach.note_key(member, part[0])
                else:
                    reach.multiply(member, self._equal_rows(member, met, present, reach))
            else:
                candidate = others.get(candidates.popleft())
                key = self._key_to(candidate, met, present) if candidate is not None else None
                if candidate is None or key is None:
                    continue
                member = candidate
                reach.note_key(member, key)
            del others[member.alias]
            met.add(member.alias)
            candidates.extend(dict.fromkeys(alias for _, alias, _ in self._sides[member.alias] if alias in others))
        self._repeat(root, members, present, reach)
        return reach

    def _repeat(self, root: Member, members: Sequence[Member], present: frozenset[str] | None, reach: Reach) -> None:
        """Count the rows of a public root that lead to one private row, which is read, and computed, once for each."""
        met = {member.alias for member in members if member is not root}
        if root.table.private or not any(member.table.private for member in members):
            return
        if self._key_to(root, met, present) is None:
            equal = self._equal_rows(root, met, present, reach)
            factor = Multiplicity.of_public(root.table.row_count if equal is None else equal)
            reach.multiplicity *= factor
            reach.here *= factor

    def _key_to(self, member: Member, met: AbstractSet[str], present: frozenset[str] | None) -> frozenset[str] | None:
        """A unique key of `member` whose columns all equal columns of members in `met`, or around the join."""
        known = self.equated(member, met, present) | self._fixed_of(member, present)
        covered = [key for key in member.table.unique_keys if key <= known]
        return min(covered, key=sorted) if covered else None

    def _looked_up(
        self, others: Mapping[str, Member], met: AbstractSet[str], present: frozenset[str] | None
    ) -> tuple[Member, frozenset[str]] | None:
        """A public member that expressions over `met` members lead to, with the key that they give."""
        for alias, found in self._lookups.items():
            member = others.get(alias)
            if member is None:
                continue
            columns = {
                lookup.column
                for lookup in found
                if all(alias in met or alias not in self._aliases for alias in lookup.others)
                and self._holds(lookup.only, member, present)
            }
            for key in member.table.unique_keys if columns else ():
                if key <= columns | self.equated(member, met, present):
                    return member, key
        return None

    def _equal_rows(
        self, member: Member, met: AbstractSet[str], present: frozenset[str] | None, reach: Reach
    ) -> int | None:
        """The most rows of a public table that equal a row of one member in `met`, or around the join; None if that is
        not known. Equalities with several members do not count together: the source may meet one of these later."""
        if member.is_beside:
            return member.table.row_count
        repeats = self._schema.repeats
        if repeats is None or member.table.private:
            return None
        by_other: dict[str, set[str]] = defaultdict(set)
        for column, other, equality in self._sides[member.alias]:
            if (other in met or other not in self._aliases) and self._holds(equality.only, member, present):
                by_other[other].add(column)
        for lookup in self._lookups[member.alias]:
            if len(lookup.others) == 1 and self._holds(lookup.only, member, present):
                (other,) = lookup.others
                if other in met or other not in self._aliases:
                    by_other[other].add(lookup.column)
        known = []
        for columns in sorted({frozenset(columns) for columns in by_other.values()}, key=sorted):
            stored = _stored(member.table, columns)
            if stored is None:
                continue
            try:
                known.append(repeats.most(*stored))
            except UncountedError as error:
                reach.uncounted.append(error)
        return min(known, default=None)

    def partly_looked_up(
        self, member: Member, met: AbstractSet[str] = frozenset(), present: frozenset[str] | None = None
    ) -> tuple[frozenset[str], int] | None:
        """A unique key of a private member of which equalities with one other member give a part, while the rest has
        few values, and in how many rows that can differ: up to WIDE; None without such a key.

        Args:
            member: the member.
            met: aliases of the other members, apart from which rows around the join are met; of these if there is none.
            present: as of `equated`.
        """
        if not member.table.private:
            return None
        fixed, around = self._fixed_of(member, present), self.equated(member, frozenset(), present)
        ways = []
        for given in [self.equated(member, {other}, present) - around for other in met] or [around]:
            for key in member.table.unique_keys:
                counts = [self._most_values(member, column) for column in sorted(key - given - fixed)]
                if None not in counts:
                    ways.append((prod(count for count in counts if count is not None), sorted(key)))
        most, names = min(ways, default=(WIDE + 1, []))
        return (frozenset(names), most) if most <= WIDE else None

    def _most_values(self, member: Member, column: str) -> int | None:
        """The most values of a column of `member` in the rows that the source meets; None if nothing tells. What an
        outer join says of the rows that it keeps is looked at later."""
        if column == UNIT:
            return None
        listed = [
            found.values
            for found in self._fixed
            if found.origin.member.alias == member.alias
            and found.origin.column == column
            and self._holds(found.only, member, None)
        ]
        stored = most_values(ColumnOrigin(member, column), self._schema)
        return min([*listed, *([stored] if stored is not None else [])], default=None)

    def is_looked_up(self, member: Member) -> bool:
        """Do equalities with the rows around the join give a unique key of `member`?"""
        return self._key_to(member, frozenset(), None) is not None

    def equated(
        self, member: Member, met: AbstractSet[str] = frozenset(), present: frozenset[str] | None = None
    ) -> set[str]:
        """The columns of `member` that equal a column of a member in `met`, or of the rows around the join.

        Args:
            member: the member.
            met: aliases of the other members whose columns count.
            present: the members that are present; None for rows of every kind.
        """
        found = {
            column
            for column, other, equality in self._sides[member.alias]
            if (other in met or other not in self._aliases) and self._holds(equality.only, member, present)
        }
        units = set(unit_columns(member)) if member.table.private else set()
        if any(ColumnOrigin(member, column).sql in units for column in found):
            found.add(UNIT)
        return found

    def _fixed_of(self, member: Member, present: frozenset[str] | None) -> set[str]:
        """The columns of `member` that have one value in all rows that are meant, as of `equated`."""
        return {
            found.origin.column
            for found in self._fixed
            if found.origin.member.alias == member.alias
            and found.values == 1
            and self._holds(found.only, member, present)
        }

    def _holds(self, only: str | None, member: Member, present: frozenset[str] | None) -> bool:
        if only is None:
            return True
        if present is not None:
            return self._found_a_match(only, present)
        # Where an outer join finds no match, its condition says nothing: it looks up what it extends, not the rest.
        sides = self._extended[only]
        return len(sides) == 1 and member.alias in sides[0]

    def _found_a_match(self, outer_join: str, present: AbstractSet[str]) -> bool:
        return all(side & present for side in self._extended[outer_join])


def _stored(table: NamedTable | Derived, columns: AbstractSet[str]) -> tuple[NamedTable, frozenset[str]] | None:
    """The table, and its columns, of which a subquery shows some rows, each once; None of any other subquery."""
    while isinstance(table, Derived):
        found = [table.columns[name].definitions for name in sorted(columns)]
        if any(len(definitions) != 1 for definitions in found):
            return None
        nodes = [(node.unnest(), relation) for ((node, relation),) in found]
        if any(not isinstance(node, exp.Column) or len(relation.members) > 1 for node, relation in nodes):
            return None
        origins = [relation.origin(node) for node, relation in nodes if isinstance(node, exp.Column)]
        table, columns = origins[0].member.table, {origin.column for origin in origins}
    return table, frozenset(columns)


def _inner_multiplicity(members: Sequence[Member]) -> Multiplicity:
    total = ONCE
    for member in members:
        if isinstance(member.table, Derived):
            total *= member.table.multiplicity
    return total

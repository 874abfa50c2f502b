"""How the rows of a join are reached from one of its members, and how often (see `multiplicity`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.rows.relation import UNIT, Member, UniqueKey


@dataclass
class Reach:
    """How the rows of a join are reached from one of its members.

    Attributes:
        multiplicity: what the other members do to the number of rows.
        unique_keys: the keys of the source by which they are looked up.
        row_keys: sets of columns (UNIT for the unit) of which no two rows of the join share the values.
        multiplies: is there a member without such a key?
        row_count: most rows of the join, if all its members are public and counted.
    """

    multiplicity: Multiplicity
    unique_keys: list[UniqueKey] = field(default_factory=list)
    row_keys: list[frozenset[str]] = field(default_factory=list)
    multiplies: bool = False
    row_count: int | None = None

    def multiply(self, member: Member) -> None:
        """Meet a member that no unique key leads to."""
        self.multiplies = True
        table = member.table
        self.multiplicity *= Multiplicity(private=1) if table.private else Multiplicity.of_public(table.row_count)

    @property
    def cost(self) -> tuple[int, int, bool]:
        """For the choice among several members to start from."""
        return self.multiplicity.private, self.multiplicity.rows, frozenset({UNIT}) not in self.row_keys

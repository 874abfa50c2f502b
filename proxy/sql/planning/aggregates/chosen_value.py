"""What every aggregate shows that is chosen, not computed from noisy sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.sql.planning.aggregates.aggregate import Decision, Shown
from proxy.sql.planning.aggregates.calls import AskedChoice, Call
from proxy.sql.planning.choices import Choice, QuantileChoice
from proxy.sql.terms.term import Term


@dataclass(frozen=True)
class ChosenValue(Decision):
    """A chosen value, or an array of them.

    Attributes:
        choice: index of the choice.
        positions: which of its values; one for a mode.
        is_array: were the fractions an array?
    """

    choice: int
    positions: tuple[int, ...]
    is_array: bool = False

    @classmethod
    def asking(cls, call: Call, choice: Choice, computed: Term, *, is_array: bool = False) -> AskedChoice:
        """What it asks for, to choose this from the value computed for each row."""

        def build(index: int, positions: tuple[int, ...]) -> ChosenValue:
            return cls(*call.names, None, (), index, positions, is_array)

        return AskedChoice([computed], choice, build)

    def sql(self, shown: Shown) -> str:
        choices = shown.plan.choices
        choice = choices[self.choice]
        first = columns_of(choices[: self.choice])
        values = [f"r.c{first + position}" for position in self.positions]
        if isinstance(choice, QuantileChoice):
            values = [choice.buckets.value_sql(value, choice.parts) for value in values]
        value = f"({values[0]})"
        if self.is_array:
            # Of nothing none is chosen, and the array is NULL as in Postgres.
            value = f"(CASE WHEN r.c{first + self.positions[0]} IS NOT NULL THEN ARRAY[{', '.join(values)}] END)"
        return f"{value}::{shown.type_name}"

    @property
    def sources(self) -> str:
        return f"choice {self.choice + 1}"


def columns_of(choices: Sequence[Choice]) -> int:
    """The number of columns that they have in the literal relation."""
    return sum(choice.size for choice in choices)

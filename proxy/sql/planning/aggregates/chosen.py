"""Aggregates that show values which the exponential mechanism chose (theorem 11, `planning.choices`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.planning.aggregates.aggregate import Decision, Shown
from proxy.sql.planning.aggregates.calls import AskedChoice, Call
from proxy.sql.planning.choices import Choice, ChoiceRequest, Chosen, in_cell
from proxy.sql.refusal import unsupported


@dataclass(frozen=True)
class ChosenValue(Decision):
    """A chosen value, or an array of them.

    Attributes:
        chosen: which.
    """

    chosen: Chosen

    @classmethod
    def asking(cls, call: Call, choice: Choice, *, is_array: bool = False) -> AskedChoice:
        """What it asks for, to choose this."""
        computed = in_cell(choice.value) if choice.buckets is not None else choice.value
        return AskedChoice((computed,), ChoiceRequest(choice, is_array), lambda chosen: cls(*call.names, chosen))

    def sql(self, shown: Shown) -> str:
        choices = shown.plan.choices
        choice = choices[self.chosen.choice]
        first = columns_of(choices[: self.chosen.choice])
        columns = [f"r.c{first + position}" for position in self.chosen.positions]
        values = columns if choice.buckets is None else [choice.buckets.value_sql(column) for column in columns]
        value = f"ARRAY[{', '.join(values)}]" if self.chosen.is_array else f"({values[0]})"
        return f"{value}::{shown.type_name}"

    @property
    def sources(self) -> str:
        return f"choice {self.chosen.choice + 1}"


def columns_of(choices: Sequence[Choice]) -> int:
    """How many columns of the literal relation they have."""
    return sum(choice.size for choice in choices)


def ordered_by(call: Call) -> exp.Ordered:
    """The expression of WITHIN GROUP (ORDER BY …).

    Raises:
        UnsupportedError: there are several.
    """
    ordered = call.function.expression.expressions
    if len(ordered) != 1:
        raise unsupported(call.node, f"{call.name}() takes one expression in ORDER BY", rule="aggregate")
    only: exp.Ordered = ordered[0]
    return only

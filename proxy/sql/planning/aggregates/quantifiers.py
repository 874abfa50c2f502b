"""bool_and, every and bool_or: does the noisy number of deciding rows exceed what noise alone hardly ever reaches?

Of bool_or(TRUE), which asks whether there are rows, it is the number of their units.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.planning.aggregates import statistic_noise
from proxy.sql.planning.aggregates.aggregate import Decision, Planned, Shown
from proxy.sql.planning.aggregates.calls import AskedNumbers, Call
from proxy.sql.planning.statistic import RowCount, UnitCount
from proxy.sql.trees.interval_calls import CONFIDENCE


class Quantifier(Decision):
    """True or false by the number of `rows`, or of their units, that make bool_or true, or bool_and false."""

    names = ("bool_and", "every", "bool_or")
    spelled = ("bool_and", "bool_or")

    @classmethod
    def ask(cls, call: Call) -> AskedNumbers:
        (argument,) = call.arguments()
        if call.name == "bool_or" and isinstance(argument, exp.Boolean) and argument.this:
            # Are there rows at all? As many units say so, with less noise than their rows.
            unique = call.relation.unit_unique
            return call.asking(cls, (), (RowCount if unique else UnitCount)(filter_sql=call.filter_sql))
        met = call.condition(argument.expressions[0] if isinstance(argument, exp.Distinct) else argument)
        if call.name != "bool_or":
            met = met.with_sql(f"(NOT {met.sql})")
        both = met.sql if call.filter_sql is None else f"({met.sql} AND {call.filter_sql})"
        return call.asking(cls, [met], RowCount(None, both))

    def sql(self, shown: Shown) -> str:
        return f"(r.s{self.rows} {'>' if self.function == 'bool_or' else '<='} {self.decisive_rows(shown.plan)})"

    def explained(self, plan: Planned) -> str:
        (rows,) = self.statistics
        limit = "what noise alone hardly ever reaches, which the answer's notice tells"
        if plan.has_known_noise(rows):
            limit = str(self.decisive_rows(plan))
        return f"{super().explained(plan)}; {self.found} if that is above {limit}; {self.of_nothing} of no rows"

    @property
    def found(self) -> str:
        """What it is where enough rows decide it."""
        return "true" if self.function == "bool_or" else "false"

    @property
    def of_nothing(self) -> str:
        """What it is where no row does, though there be none at all: NULL in Postgres."""
        return "false" if self.function == "bool_or" else "true"

    def decisive_rows(self, plan: Planned) -> int:
        """The threshold: with no such row, the number that is shown exceeds it with probability (1 - CONFIDENCE)/2 at
        most. Noise that rounding takes away makes it 0."""
        (rows,) = self.statistics
        return statistic_noise.whole_contributions(plan, rows, CONFIDENCE)

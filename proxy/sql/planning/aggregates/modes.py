"""mode: the most frequent of the declared values."""

from __future__ import annotations

from dataclasses import dataclass

from proxy.sql.planning.aggregates.calls import AskedChoice, Call
from proxy.sql.planning.aggregates.chosen import ChosenValue, ordered_by
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.domains import declared_domain
from proxy.sql.refusal import refused
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class Mode(ChosenValue):
    """One of the declared values."""

    names = ("mode",)
    spelled = ("mode",)
    within_group = True

    @classmethod
    def ask(cls, call: Call) -> AskedChoice:
        node = ordered_by(call).this
        value = grouping_term(node, call.compiled(node))
        candidates = declared_domain([node], call.where, call.relation) if value.kind is not Kind.UNKNOWN else None
        if candidates is None:
            raise refused(
                call.node,
                "mode() needs declared values, and this expression has none",
                rule="undeclared-mode",
                detail="The answer is chosen from all declared values, so that it is not simply one person's value.",
                hint="SELECT x, count(*) … GROUP BY x ORDER BY 2 DESC LIMIT 1 shows the most frequent of the values "
                "that many people have; dp.columns lists the columns with declared values.",
            )
        return cls.asking(call, Choice(value, call.filter_sql, candidates=candidates))

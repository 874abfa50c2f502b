"""The types of a block's outputs, keys and aggregates, which only the stage knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.nodes import copied, identical
from proxy.sql.plain_postgres import render
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.grouping import group_keys
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.trees.blocks import with_ctes
from proxy.sql.trees.sums_by_key import without_keys
from proxy.sql.trees.walking import unaliased


@dataclass(frozen=True)
class BlockTypes:
    """What the stage says of a block: its outputs, then its keys, then its aggregates."""

    outputs: tuple[StageColumn, ...]
    keys: tuple[str, ...]
    aggregates: tuple[str, ...]


@dataclass(frozen=True)
class UntypedBlock:
    """A planned block whose types are not known yet.

    Attributes:
        plan: its plan.
        select: its SELECT.
        calls: its aggregates, as `collect` gives them.
        ctes: those around it that it names (`Block.ctes`).
    """

    plan: BlockPlan
    select: exp.Select
    calls: Sequence[exp.Expr]
    ctes: Sequence[exp.CTE] = ()

    def description_sql(self) -> str:
        """A statement that the stage only describes: the outputs, keys and aggregates in one select list."""
        copy = copied(self.select)
        for clause in ("having", "order", "limit", "offset", "distinct"):
            copy.set(clause, None)
        copy.set("expressions", [*copy.expressions, *(copied(node) for node in (*self._keys(), *self._aggregates()))])
        if self.ctes:
            copy.set("with_", with_ctes(self.ctes, copy.args.get("with_")))
        return render(without_keys(copy), copy=False)

    def described(self, columns: Sequence[StageColumn]) -> BlockTypes:
        """The types, from the columns of `description_sql`."""
        outputs = len(self.select.expressions)
        keys = outputs + len(self.plan.keys)
        names = [column.type_name for column in columns]
        return BlockTypes(tuple(columns[:outputs]), tuple(names[outputs:keys]), tuple(names[keys:]))

    def among_outputs(self, outputs: Sequence[StageColumn]) -> BlockTypes | None:
        """The types, if each key and each aggregate stands among the outputs as it is; None if one does not.

        Args:
            outputs: the columns of the SELECT itself, as the stage describes them.
        """
        written = [unaliased(output) for output in self.select.expressions]

        def type_of(node: exp.Expr) -> str | None:
            places = [place for place, output in enumerate(written) if output is node]
            # To compare takes longer, and most are outputs themselves.
            same = (place for place, output in enumerate(written) if identical(output, node))
            place = places[0] if places else next(same, None)
            return outputs[place].type_name if place is not None else None

        keys, aggregates = [[type_of(node) for node in nodes] for nodes in (self._keys(), self._aggregates())]
        if None in keys or None in aggregates:
            return None
        return BlockTypes(tuple(outputs), tuple(filter(None, keys)), tuple(filter(None, aggregates)))

    def _keys(self) -> list[exp.Expr]:
        """One expression of the client's per key, found by canonical text among GROUP BY and the outputs."""
        candidates = group_keys(self.select, self.plan.relation)
        candidates += [unaliased(output) for output in self.select.expressions]
        wanted = {key.text for key in self.plan.keys}
        by_text: dict[str, exp.Expr] = {}
        for node in candidates:
            if wanted <= by_text.keys():
                break
            by_text.setdefault(canonical(node, self.plan.relation), node)
        return [by_text[key.text] for key in self.plan.keys]

    def _aggregates(self) -> list[exp.Expr]:
        """One call per aggregate, in the order of the plan."""
        if len(self.calls) == len(self.plan.aggregates):
            return list(self.calls)  # none of them is written twice
        return list({canonical(call, self.plan.relation): call for call in self.calls}.values())

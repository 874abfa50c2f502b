"""Counts what became of generated statements, and of each construct of the grammar."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from tests.corpus.comparison import Outcome
from tests.corpus.statement import Statement


@dataclass
class Tally:
    """What became of each different statement, by kind of outcome."""

    texts: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    constructs: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, statement: Statement, outcome: Outcome) -> None:
        """Count a statement, once."""
        if statement.sql in self.texts:
            return
        self.texts.add(statement.sql)
        self.kinds[outcome.kind] += 1
        if outcome.rule is not None:
            self.rules[outcome.rule] += 1
        for construct in statement.constructs:
            self.constructs[construct][outcome.kind] += 1

    @property
    def answered(self) -> float:
        """Share of the statements that are answered."""
        return self.kinds["answered"] / max(len(self.texts), 1)

    def __str__(self) -> str:
        lines = [f"{name}: {dict(kinds)}" for name, kinds in sorted(self.constructs.items())]
        return "\n".join([f"{dict(self.kinds)}, refused by {dict(self.rules)}", *lines])

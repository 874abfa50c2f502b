"""`python -m tests.plans`: write the cards of all cases anew."""

from __future__ import annotations

from dataclasses import replace

from tests.plans.cards import card
from tests.plans.cases import FILES, read, write

for file in FILES:
    cases = list(read(file))
    written = [replace(case, card=tuple(card(case.statement))) for case in cases]
    write(file, written)
    changed = sum(new != old for new, old in zip(written, cases, strict=True))
    print(f"{file.name}: {len(cases)} statements, {changed} cards changed")

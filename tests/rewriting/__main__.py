"""`python -m tests.rewriting`: write what becomes of all statements anew."""

from __future__ import annotations

from dataclasses import replace

from tests.plans.cases import read, write
from tests.rewriting.structure import structure
from tests.rewriting.test_rewriting import FILES

for file in FILES:
    cases = list(read(file))
    written = [replace(case, card=tuple(structure(case.statement))) for case in cases]
    write(file, written)
    changed = sum(new != old for new, old in zip(written, cases, strict=True))
    print(f"{file.name}: {len(cases)} statements, {changed} changed")

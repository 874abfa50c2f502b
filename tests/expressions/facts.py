"""What is expected of an expression, as comments say it: what the compiler knows of it, and what becomes of rows.

| fact | meaning |
|---|---|
| `bounds: [0, 100]` | the bounds that follow for it from the policy's, if it is a number |
| `not null` | it is never NULL |
| `step 0.01` | the grid of its values that follows from the policy's |
| `refused: function 0A000` | it is refused by this rule; where a server cannot compute its constants, by the SQLSTATE alone |
| `says: a cast from` | the message of the refusal begins so |
| `null on extremes` | it is NULL in each extreme row |
| `null on items` | it is NULL in each ordinary row, or Postgres fails there |
| `differs: because` | it has not Postgres's own values or type |

`says`, and why something differs, are written by hand; `python -m tests.expressions` writes the others. Of a family, `bounds`, `not null` and `step` are said if they are the same for all members that compile; the others with
the number of members that they are true of, as `refused (12 of 64): comparison 0A000`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term, decimal_text
from tests.expressions.compiling import Read, Refusal


def derived(members: Sequence[Read], relation: Relation) -> Iterator[str]:
    """What the compiler knows of the members: bounds, NULLs, steps, refusals."""
    outcomes = [member.compiled(relation) for member in members]
    terms = [outcome for outcome in outcomes if isinstance(outcome, Term)]
    refusals = [outcome.by for outcome in outcomes if isinstance(outcome, Refusal)]
    numbers = [term.bounds if term.type.is_number else None for term in terms]
    bounds = {None if known is None else (known.low, known.high) for known in numbers}
    if len(bounds) == 1 and (known := bounds.pop()) is not None:
        yield f"bounds: [{_number(known[0])}, {_number(known[1])}]"
    if terms and not any(term.nullable for term in terms):
        yield "not null"
    steps = {term.step for term in terms}
    if len(steps) == 1 and (step := steps.pop()) is not None:
        yield f"step {_number(step)}"
    if refusals:
        yield counted("refused", len(refusals), len(members), ", ".join(sorted(set(refusals))))


def counted(name: str, count: int, of: int, value: str = "") -> str:
    """A fact that is true of some members."""
    return name + (f" ({count} of {of})" if count < of else "") + (f": {value}" if value else "")


def _number(value: Fraction) -> str:
    try:
        return decimal_text(value)
    except ValueError:
        return str(value)

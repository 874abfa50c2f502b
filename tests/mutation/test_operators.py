"""Each operator removes the rule that it is for, and nothing else."""

from __future__ import annotations

import pytest

pytest.importorskip("cosmic_ray", reason="the extra `mutation` is not installed")

from cosmic_ray.mutating import mutate_code

from tests.mutation.operators import OPERATORS

CASES = {
    "RefusalRemoved": ("if x:\n    raise unsupported(1)\nraise AssertionError\n", ["if x:\n    pass\nraise AssertionError\n"]),
    "GuardRemoved": ("check(x)\nfound.append(x)\ny = check(x)\n", ["pass\nfound.append(x)\ny = check(x)\n"]),
    "ReasonRemoved": (
        "if a or b:\n    raise E\nif c or d:\n    f()\n",
        ["if False or b:\n    raise E\nif c or d:\n    f()\n", "if a or False:\n    raise E\nif c or d:\n    f()\n"],
    ),
    "ClaimRemoved": (
        "def f() -> bool:\n    return a and b\n",
        ["def f() -> bool:\n    return True and b\n", "def f() -> bool:\n    return a and True\n"],
    ),
    "BoundaryShifted": ("x = a <= b < c\n", ["x = a < b < c\n", "x = a <= b <= c\n"]),
    "ClampRemoved": ("x = min(a, b)\ny = max(z)\n", ["x = (a)\ny = max(z)\n", "x = (b)\ny = max(z)\n", "x = min(a, b)\ny = min(z)\n"]),
    "RoundingTurned": ("x = math.ceil(y)\n", ["x = math.floor(y)\n"]),
    "NumberChanged": ("x = 2 * y[1] + 0.0\n", ["x = 3 * y[1] + 0.0\n", "x = 2 * y[1] + 1.0\n"]),
    "ConstantChanged": ("_MOST = 40\nx = 2\n", ["_MOST = 80\nx = 2\n"]),
    "SqlWeakened": (
        'x = f"LEAST({a}, {b}) WHERE {c}"\n',
        ['x = f"coalesce({a}, {b}) WHERE {c}"\n', 'x = f"LEAST({a}, {b}) WHERE true OR {c}"\n'],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "source", "mutants"), [(name, *case) for name, case in CASES.items()], ids=CASES)
def test_an_operator_makes_these_mutants(name: str, source: str, mutants: list[str]) -> None:
    made = [mutate_code(source, OPERATORS[name](), number) for number in range(len(mutants) + 1)]
    assert made == [*mutants, None]


def test_every_operator_is_tried_here() -> None:
    assert set(CASES) == set(OPERATORS)

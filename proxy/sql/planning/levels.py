"""Grouping sets: which levels of totals a block measures, and the noise of each (theorems 5 and 15).

ROLLUP, CUBE and GROUPING SETS are lists of grouping sets. Each distinct set is a *level*: its numbers are sums of the
finest groups' exact numbers with noise of their own, so that a grand total over n groups is not n times as noisy as a
group.

**Sensitivity.** Let n_{u,g} be the rows of unit u in the finest group g, after the weight w_u that `bounding` gives it.
Where totals are measured, the weight bounds both norms,

    Σ_g n_{u,g} <= M      and, for Gaussian noise,      Σ_g n_{u,g}² <= M·m.

A statistic with values up to R moves by a vector v with |v_g| <= R·n_{u,g}. So ‖v‖₁ <= M·R and, for Gaussian noise,
‖v‖₂ <= √(M·m)·R: the finest level. A level maps each finest group to one of its own groups and adds up, V_G = Σ_{g in
G} v_g. By the triangle inequality ‖V‖₁ <= ‖v‖₁ <= M·R, and so ‖V‖₂ <= ‖V‖₁ <= M·R. √(M·m)·R is no bound of ‖V‖₂: a unit
with one row in each of M groups has all of them in the grand total. Groups outside the declared domain are left out
before anything is added up, which only shortens v. Where a unit has one row at all (M = m = 1), all these are R.

**Price.** The levels' noise is independent, so their prices add up to the block's. Each requested grouping set has an
equal share, as each statistic has: with Gaussian noise a level's standard deviation grows with the square root of the
number of levels. The finest level, with all keys, makes the others comparable, so it is measured even where it is not
requested. It is then seen by nobody, and the fit needs no more than its order of magnitude: it gets a sixteenth, which
widens the noise of the others by 3 % (Gaussian) or 7 % (Laplace).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from sqlglot import exp

from proxy.dp.mechanisms import Mechanism
from proxy.errors import UnsupportedError
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.grouping import group_item, group_leaves
from proxy.sql.rows.relation import Relation

MOST_GROUPING_SETS = 64
HIDDEN_SHARE = Fraction(1, 16)
"""The finest level's share of the price where it is not requested."""

GroupingSet = frozenset[str]
"""The keys of a grouping set, as canonical SQL."""

PLAIN = (("",), (0,))
"""`groupings` of plain keys: one level, shown once."""

T = TypeVar("T", bound=Sequence[object])


@dataclass(frozen=True)
class GroupingLevel:
    """One grouping set that is measured.

    Attributes:
        grouping: a digit for each key of the block, as GROUPING() has it: 0 grouped by, 1 rolled up.
        mechanisms: the noise of each statistic, in cells.
    """

    grouping: str
    mechanisms: tuple[Mechanism, ...]


@dataclass(frozen=True)
class Levels:
    """The grouping sets of a block.

    Attributes:
        measured: the different levels, the finest first; each gets noise.
        shown: for each grouping set of the client, in order and as often as it is there, its index in `measured`.
    """

    measured: tuple[GroupingLevel, ...]
    shown: tuple[int, ...]

    @property
    def has_totals(self) -> bool:
        """Is there a level besides the finest, which has to agree with it?"""
        return len(self.measured) > 1

    @property
    def hides_finest(self) -> bool:
        """Is the finest level measured only to make the others add up?"""
        return 0 not in self.shown


def grouping_sets(select: exp.Select, relation: Relation) -> list[GroupingSet]:
    """The grouping sets of a SELECT with GROUP BY, as Postgres expands them: one for plain keys.

    Raises:
        UnsupportedError: more than MOST_GROUPING_SETS, counting equal ones.
    """
    group = select.args["group"]

    def key(item: exp.Expr) -> str:
        return canonical(group_item(item, select, relation), relation)

    def members(item: exp.Expr) -> GroupingSet:
        bare = item.unnest()
        return frozenset(map(key, group_leaves(bare))) if isinstance(bare, exp.Tuple) else frozenset([key(item)])

    def sets_of(item: exp.Expr) -> list[GroupingSet]:
        bare = item.unnest()
        if isinstance(bare, exp.GroupingSets):
            return _few([nested for inner in bare.expressions for nested in sets_of(inner)], group)
        if not isinstance(bare, (exp.Rollup, exp.Cube)):
            return [members(item)]
        parts = [members(inner) for inner in bare.expressions]
        if isinstance(bare, exp.Rollup):
            chosen = [tuple(parts[:count]) for count in range(len(parts), -1, -1)]
        else:
            # A CUBE of n has 2^n sets.
            _few(range(2 ** min(len(parts), 20)), group)
            chosen = [some for count in range(len(parts), -1, -1) for some in combinations(parts, count)]
        return _few([frozenset[str]().union(*some) for some in chosen], group)

    product: list[GroupingSet] = [frozenset()]
    for item in group.expressions:
        sets = sets_of(item)
        _few(range(len(product) * len(sets)), group)
        product = [earlier | added for earlier in product for added in sets]
    # sqlglot's all=False is GROUP BY DISTINCT.
    return list(dict.fromkeys(product)) if group.args.get("all") is False else product


def _few(sets: T, group: exp.Expr) -> T:
    if len(sets) > MOST_GROUPING_SETS:
        raise _too_many(group)
    return sets


def _too_many(group: exp.Expr) -> UnsupportedError:
    return unsupported(
        group,
        f"more than {MOST_GROUPING_SETS} grouping sets are not supported",
        rule="grouping-sets",
        detail="Each has its own noise and takes a share of the price.",
        hint="List only the sets that you need: GROUP BY GROUPING SETS ((a, b), (a), ()).",
    )


def groupings(sets: Sequence[GroupingSet], keys: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
    """The levels to measure, by `GroupingLevel.grouping`, and which of them each set shows; None for plain keys.

    The order of the levels does not depend on that of the sets, so that equal questions stay equal.

    Args:
        sets: the client's.
        keys: the block's keys as canonical SQL.
    """
    if len(sets) <= 1:
        return None
    asked = ["".join("0" if key in grouped else "1" for key in keys) for grouped in sets]
    measured = sorted({"0" * len(keys), *asked})
    return tuple(measured), tuple(measured.index(grouping) for grouping in asked)


def plan_levels(
    measured: Sequence[str],
    shown: Sequence[int],
    mechanisms: Callable[[bool, Fraction], Sequence[Mechanism]],
) -> Levels:
    """The noise of every level.

    Args:
        measured: the levels, the finest first.
        shown: which of them the client asks for.
        mechanisms: the noise of each statistic in a level: does the level have totals of several finest groups, and
            what is its share of the price?
    """
    asked = set(shown)
    hidden = HIDDEN_SHARE if 0 not in asked else Fraction(0)
    levels = []
    for index, grouping in enumerate(measured):
        share = (1 - hidden) / len(asked) if index in asked else hidden
        levels.append(GroupingLevel(grouping, tuple(mechanisms("1" in grouping, share))))
    return Levels(tuple(levels), tuple(shown))

"""The policy as validated, immutable objects (decision 8). Loading and findings are in `load` and `lint`."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from proxy.policy.durations import duration
from proxy.policy.half_open import without_upper_end
from proxy.policy.renewal import Renewal, Unlocking
from proxy.policy.windows import Per


def _integer_as_decimal(value: object) -> object:
    """Accept whole numbers where strict validation expects a Decimal; a bool is not a number here."""
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


Exact = Annotated[Decimal, BeforeValidator(_integer_as_decimal)]


def _duration_of_text(value: object) -> object:
    """Accept texts such as `8 hours` where strict validation expects a timedelta."""
    read = duration(value) if isinstance(value, str) else None
    return read if read is not None else value


def _length_of_clock(value: object) -> object:
    """`clock: off` is a clock that never stands still."""
    return dt.timedelta() if value == "off" else _duration_of_text(value)


_FROM_TYPE = ("\0from_type",)
"""What stands for the values that the type lists; no file can hold this text."""


def _values_of_type(value: object) -> object:
    return _FROM_TYPE if value == "from_type" else value


Place = Exact | dt.datetime | dt.date
Bound = Place | Annotated[dt.timedelta, BeforeValidator(_duration_of_text)]
Limits = Annotated[tuple[Bound, Bound], BeforeValidator(without_upper_end)]
Value = bool | int | Decimal | dt.date | str
Mechanism = Literal["auto", "gaussian", "laplace"]
Calibration = Literal["zcdp", "analytic", "classic"]

LARGEST_MAX_ROWS = 10_000_000
"""The limit of every contribution bound: squared norms up to it stay exact in double precision (2^53)."""


LEAST_SHARE = 1000
"""Without `min_epsilon`, the least price is the greatest one divided by this."""

PROFILE_SHARE = Fraction(1, 4)
"""Of the default price: what a block that only describes columns costs without `profile_epsilon`."""


_DURATION = r"^([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(us|ms|s)$"
_UNITS = {"us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1)}


class Strict(BaseModel):
    """Unknown keys are errors; objects are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


def _never(value: object) -> object:
    return None if value == "never" else value


class Rate(Strict):
    """The most that an account may spend in any one period of the calendar (in UTC), so that a runaway dashboard stops.

    Attributes:
        epsilon: > 0.
        per: the period.
    """

    epsilon: Annotated[Exact, Field(gt=0)]
    per: Literal["day", "week", "month"]


class Budget(Strict):
    """What an account may spend in total: `epsilon` > 0, 0 <= `delta` < 1.

    Attributes:
        renew: when it begins anew; None for never.
        unlock: how it becomes available part by part; all at once if absent.
        at_most: what may be spent in one day, week or month of it.
        new_accounts: it is known that what was spent under other accounts of this budget does not count in its own.
    """

    epsilon: Annotated[Exact, Field(gt=0)]
    delta: Annotated[Exact, Field(ge=0, lt=1)] = Decimal(0)
    renew: Annotated[
        Renewal | None, BeforeValidator(_never, json_schema_input_type=Renewal | Literal["never"] | None)
    ] = None
    unlock: Unlocking | None = None
    at_most: Rate | None = None
    new_accounts: bool = False

    def at_rate(self, rate: Rate) -> Budget:
        """`at_most` as the budget of an account of its own."""
        return Budget(epsilon=rate.epsilon, delta=self.delta, renew=Renewal(every=rate.per))


class TableBudget(Budget):
    """What may be spent on a private table; with `per`, on its rows of each window of time (theorem 24).

    Attributes:
        per: the windows' length: each window of the calendar has an account of its own.
        of: the column that tells a row's window; its bounds say which windows there are.
        total: an account over all windows beside those of the windows, which protects a unit with all its rows.
    """

    per: Per | None = None
    of: str | None = None
    total: Budget | None = None


class Login(Strict):
    """Who may log in, by a password or by a certificate.

    Attributes:
        password: a SCRAM-SHA-256 verifier as `dpproxy password` prints it.
        certificate: the common name of a client certificate that stands for the password.
        networks: from where the login may come, in CIDR notation; from everywhere if absent.
        settings: what its sessions begin with, by name (`proxy.settings`).
    """

    password: str | None = None
    certificate: str | None = None
    networks: tuple[str, ...] | None = None
    settings: dict[str, str] = {}


class Analyst(Login):
    """A login that may ask about private tables.

    Attributes:
        password: a SCRAM-SHA-256 verifier as `dpproxy password` prints it.
        certificate: the common name of a client certificate that stands for the password.
        networks: from where the analyst may log in, in CIDR notation; from everywhere if absent.
        settings: what its sessions begin with, by name (`proxy.settings`).
        may: the private tables that it may ask about; all of them if absent.
        valid_until: the last day (in UTC) on which it may ask about private tables; for ever if absent.
    """

    may: tuple[str, ...] | None = None
    valid_until: dt.date | None = None


class Steward(Login):
    """A login that sees every account and charge, and may ask about no private table.

    Attributes:
        password: a SCRAM-SHA-256 verifier as `dpproxy password` prints it.
        certificate: the common name of a client certificate that stands for the password.
        networks: from where the steward may log in, in CIDR notation; from everywhere if absent.
        settings: what its sessions begin with, by name (`proxy.settings`).
    """


class Group(Strict):
    """Analysts who see the same answers, and pay for them together.

    Attributes:
        members: logins; each is in one group at most.
        budget: what all of them may see together, of all private tables; no limit of the group's own if absent.
        may: the private tables that they may ask about; all of them if absent.
    """

    members: tuple[str, ...]
    budget: Budget | None = None
    may: tuple[str, ...] | None = None


class Unit(Strict):
    """A privacy unit (person, device, account), with an optional cap over all its tables."""

    budget: Budget | None = None


class UnitReference(Strict):
    """How a row leads to its unit: `column` holds the unit's identity, or `via` is a foreign-key path that ends at one.

    `via` reads `column -> schema.table.column` for each hop, hops separated by commas. `when_null` says what a row is
    whose `column` is NULL: a unit of its own (`each_row`), or nobody's, so that it does not count (`exclude`, also if
    absent).
    """

    name: str
    column: str | None = None
    via: str | None = None
    when_null: Literal["each_row", "exclude"] | None = None


_fraction = lru_cache(maxsize=1_000)(Fraction)
"""Every block asks for the same few numbers, and to make a fraction of a decimal takes longer than to find it."""


@lru_cache(maxsize=1_000)
def _usual_least(epsilon: Decimal, most: Fraction) -> Fraction:
    return min(Fraction(epsilon), most / LEAST_SHARE)


class QueryPrice(Strict):
    """The price of one released block: default `epsilon`, and the least and greatest that a session may set.

    `profile_epsilon` is the default price of blocks that only describe columns.

    Without a `calibration`, `delta` is the price of selecting undeclared keys. With one, the whole block keeps
    (`epsilon`, `delta`): its noise, and its keys if they are selected (theorem 16).
    """

    epsilon: Annotated[Exact, Field(gt=0)] = Decimal("0.1")
    max_epsilon: Annotated[Exact, Field(gt=0)] | None = None
    min_epsilon: Annotated[Exact, Field(gt=0)] | None = None
    profile_epsilon: Annotated[Exact, Field(gt=0)] | None = None
    delta: Annotated[Exact, Field(gt=0, lt=1)] | None = None
    mechanism: Mechanism = "auto"
    calibration: Calibration | None = None

    @property
    def most_epsilon(self) -> Fraction:
        """The most epsilon that a session may ask for."""
        return _fraction(self.epsilon if self.max_epsilon is None else self.max_epsilon)

    @property
    def least_epsilon(self) -> Fraction:
        """The least epsilon that a session has to pay: it bounds the number of questions that a budget pays for, and so
        of unforeseen outcomes (a failure, a duration)."""
        if self.min_epsilon is not None:
            return _fraction(self.min_epsilon)
        return _usual_least(self.epsilon, self.most_epsilon)

    @property
    def describing_epsilon(self) -> Fraction:
        """The price of a block that only describes columns, where the session states none."""
        if self.profile_epsilon is not None:
            return Fraction(self.profile_epsilon)
        return max(self.least_epsilon, Fraction(self.epsilon) * PROFILE_SHARE)


class ContributionPolicy(Strict):
    """How much one unit may influence one query (theorems 1 and 22).

    Attributes:
        max_rows: M, a unit's total rows in one query; None if each query chooses from the data how much counts.
        max_rows_per_group: m <= M, its rows in one group; M when absent.
        max_groups: l0, the groups a unit helps to select (key selection only).
        min_units: groups with fewer units than about this are suppressed (key selection only).
    """

    max_rows: Annotated[int, Field(ge=1, le=LARGEST_MAX_ROWS)] | None = None
    max_rows_per_group: Annotated[int, Field(ge=1, le=LARGEST_MAX_ROWS)] | None = None
    max_groups: Annotated[int, Field(ge=1, le=LARGEST_MAX_ROWS)] = 64
    min_units: Annotated[int, Field(ge=1)] = 1

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, value: object) -> object:
        """`contribution: auto` says what leaving it out says."""
        return {} if value == "auto" else value


class ColumnPolicy(Strict):
    """A visible column of a private table.

    Attributes:
        bounds: clamping bounds [low, high] for numbers, dates, timestamps and intervals; of dates and timestamps also
            half open, as the text "[low, high)".
        step: grid of a number: sums of multiples of `step` stay exact.
        values: declared domain, as public group keys; `from_type` for the values that the column's type or a CHECK of
            the table lists (`type_values`).
        values_from: "schema.table.column" of a public table, as public group keys.
        range: [low, high] of an integer or date column: bounds and declared domain in one.
        others: the name by which all texts are read that `values` or `values_from` do not declare.
    """

    bounds: Limits | None = None
    step: Annotated[Exact, Field(gt=0)] | None = None
    values: Annotated[tuple[Value, ...], BeforeValidator(_values_of_type)] | None = None
    values_from: str | None = None
    range: Limits | None = None
    others: str | None = None

    @property
    def listed(self) -> tuple[Value, ...]:
        """The values that the policy itself lists."""
        return self.values if self.values is not None and not self.from_type else ()

    @property
    def from_type(self) -> bool:
        """Does the column's type list the values, or a CHECK?"""
        return self.values == _FROM_TYPE


@cache
def unlisted_column() -> ColumnPolicy:
    """What the policy says of a column that it does not list: nothing."""
    return ColumnPolicy()


class DataVersion(Strict):
    """The version of a table's rows: a text, or what a `query` reads from a public table (`version_queries`)."""

    text: str = "1"
    query: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, value: object) -> object:
        """A text, a whole number or a date alone is the version."""
        is_alone = isinstance(value, str | int | dt.date) and not isinstance(value, bool)
        return {"text": str(value)} if is_alone else value

    def __str__(self) -> str:
        return self.text if self.query is None else f"query {self.query}"


class RecallPolicy(Strict):
    """How long an answer is recalled: `for` so long; then the same question is asked, and paid, anew."""

    for_: Annotated[dt.timedelta, BeforeValidator(_duration_of_text), Field(alias="for")]


class TablePolicy(Strict):
    """A private table (unit, budget, …), a table without private data (`public: true`), or a view over tables of the
    policy (`view: true`), which stands for its query: the units, bounds and budgets of those tables apply.

    `columns` lists what clients can see; for a public table or a view, None means every column.

    Attributes:
        data_version: changes when the rows did; answers of another version are not recalled.
        clock: for how long now() and its like stand still in questions about its rows, so that the same question means
            the same; 0 if they do not.
        snap: constants that WHERE compares its timestamps with are moved outward to the times at which `clock` ticks.
        recall: how long answers are recalled; None if as long as `data_version` stays.
    """

    public: bool = False
    view: bool = False
    unit: UnitReference | None = None
    budget: TableBudget | None = None
    per_analyst: Budget | None = None
    query: QueryPrice = QueryPrice()
    contribution: ContributionPolicy = ContributionPolicy()
    columns: dict[str, ColumnPolicy] | None = None
    data_version: DataVersion = DataVersion()
    clock: Annotated[dt.timedelta, BeforeValidator(_length_of_clock)] = dt.timedelta(hours=1)
    snap: bool = False
    recall: RecallPolicy | None = None


class Timing(Strict):
    """Response times covered by the guarantee: what they cost each block, (`epsilon`, `delta`), on top of its answer.

    Attributes:
        work: the most time by which the rows of one unit change a source query's duration, such as "1 ms".
    """

    epsilon: Annotated[Exact, Field(gt=0)] = Decimal("0.1")
    delta: Annotated[Exact, Field(gt=0, lt=1)] = Decimal("1e-7")
    work: Annotated[str, Field(pattern=_DURATION)] = "1 ms"

    @property
    def work_seconds(self) -> Fraction:
        match = re.fullmatch(_DURATION, self.work)
        if match is None:
            raise AssertionError("the pattern was checked")
        return Fraction(match[1]) * _UNITS[match[2]]


class Policy(Strict):
    """A whole policy file. Table names are "schema.table".

    Attributes:
        timing: how response times are protected; None if the guarantee does not cover them.
        failures: after this many failed source queries an analyst's questions are suspended.
        statement_texts: what the ledger keeps of the text of a statement that was charged for, for stewards and its
            author: the text with ? for its constants, the whole text, or nothing.
    """

    version: Literal[1]
    source: str | None = None
    failures: Annotated[int, Field(ge=1, le=1_000_000)] = 3
    timing: Timing | None = None
    statement_texts: Literal["redacted", "whole", "none"] = "redacted"
    analysts: dict[str, Analyst] = {}
    stewards: dict[str, Steward] = {}
    groups: dict[str, Group] = {}
    units: dict[str, Unit] = {}
    tables: dict[str, TablePolicy]

    @property
    def logins(self) -> dict[str, Login]:
        """Analysts and stewards, by name; no name is both's."""
        return {**self.analysts, **self.stewards}

    def group_of(self, analyst: str) -> str | None:
        """The group that an analyst is a member of."""
        return next((name for name, group in self.groups.items() if analyst in group.members), None)

    def may_ask(self, analyst: str, table: str) -> bool:
        """May an analyst ask about a private table, as far as `may` says? What is no login is the owner's own."""
        if analyst in self.stewards:
            return False
        login, group = self.analysts.get(analyst), self.group_of(analyst)
        lists = [login.may if login is not None else None, self.groups[group].may if group is not None else None]
        return all(allowed is None or table in allowed for allowed in lists)

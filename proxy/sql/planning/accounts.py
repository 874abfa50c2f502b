"""Who pays for a block: every kind of account is a line of `accounts_of_table` (theorem 15).

Accounts of tables and units pay for what is measured. Those with a payer pay for what their payer sees (theorem 23).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proxy.dp.accounting import Price
from proxy.errors import RefusedError
from proxy.policy import model
from proxy.policy.ledger_names import Kin, OfBudget, account_of_several, accounts_of_analyst, accounts_of_rows, kin_of
from proxy.policy.window_rules import windows_within
from proxy.sql.named_tables import NamedTable
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.time_windows import NO_WINDOWS, TimeWindows


def check_groups(price: Price, accounts: Sequence[AccountPrice]) -> None:
    """Refuse what an account cannot pay that protects units over several windows of time (theorem 24).

    Raises:
        UnsupportedError: the price has a delta.
    """
    wide = next((account for account in accounts if account.entities > 1), None)
    if wide is None or not price.delta:
        return
    raise unsupported(
        None,
        f"this query needs a delta, which {wide.name} cannot pay for {wide.entities} windows of time at once",
        rule="windows-delta",
        detail="The account protects a unit with all its rows; in several windows a delta does not simply add up.",
        hint="Confine the query to one window of time, or group by columns with declared values.",
    )


@dataclass(frozen=True)
class AccountPrice:
    """An account that pays for the block, with its limit.

    Attributes:
        name: the account's.
        budget: its limit.
        payer: who pays with it for what is seen, such as "analyst:ana"; None if it pays for what is measured.
        unit: whose rows it is about; None for those of any.
        table: of which table; None for several.
        analyst: whose it is; None for everybody's, or a group's.
        rate_of: the account that it keeps from spending too much at a time; None for others.
        kin: the accounts of the ledger over the same rows; None if what was spent under others does not count, and for
            one of `at_most`, which pays beside another.
        new: is it known that what was spent in earlier windows does not count?
        entities: how many of the entities that the block bounds may be one of those that the account protects: more
            than one where it protects units, and the block bounds their rows of each of several windows of time.
    """

    name: str
    budget: model.Budget
    payer: str | None = None
    unit: str | None = None
    table: str | None = None
    analyst: str | None = None
    rate_of: str | None = None
    kin: Kin | None = None
    new: bool = False
    entities: int = 1

    @property
    def shown_for(self) -> str:
        """The account by whose payment for a question its payer is shown the answer."""
        return self.rate_of or self.name

    def price(self, of_entity: Price) -> Price:
        """What the account pays for a release that costs so much for one entity (theorem 24)."""
        return of_entity.of_group(self.entities)


Prices = tuple[tuple[AccountPrice, Price], ...]
"""Accounts, and what each pays."""


def paying_accounts(
    tables: Sequence[NamedTable], policy: model.Policy, analyst: str, read: TimeWindows = NO_WINDOWS
) -> tuple[AccountPrice, ...]:
    """Who pays for a block over private tables; each once.

    Args:
        tables: the private tables.
        policy: the policy.
        analyst: who asks.
        read: the windows of time that are read of tables that have some.

    Raises:
        RefusedError: the analyst may not ask about one of them.
        UnsupportedError: a table has budgets for windows of time, and it is not known which of them are read.
    """
    for table in tables:
        if not policy.may_ask(analyst, table.name):
            raise _not_allowed(table.name, analyst, steward=analyst in policy.stewards)
    for table in tables:
        if windows_within(table.policy) is not None and table.name not in read.of:
            raise unsupported(
                None,
                f"{table.name} has budgets for windows of time, which pay for queries only",
                rule="windows-queries",
                hint="Ask for aggregates of it; bounds of its columns are to be known without looking at the data.",
            )
    return _each_once(accounts_of_table(policy, table.name, analyst, read) for table in tables)


def _not_allowed(table: str, login: str, *, steward: bool) -> RefusedError:
    if steward:
        detail = f'"{login}" is a steward, who sees accounts and charges, and asks about no private table.'
        hint = "Log in as an analyst."
    else:
        detail = f'The policy lists the tables that "{login}" may ask about, and this is none of them.'
        hint = "Ask the data steward to add it to `may`."
    return RefusedError(f"permission denied for table {table}", detail=detail, hint=hint, rule="table-not-allowed")


def accounts_of_table(
    policy: model.Policy, name: str, analyst: str, read: TimeWindows | None = None
) -> list[AccountPrice]:
    """Who pays for what `analyst` asks about a private table, of which `read` are read; None for all windows."""
    table = policy.tables[name]
    if table.budget is None or table.unit is None:
        raise AssertionError("a loaded policy gives every private table a unit and a budget")
    unit, group = table.unit.name, policy.group_of(analyst)
    of_unit = policy.units[unit].budget if unit in policy.units else None
    of_group = policy.groups[group].budget if group is not None else None
    windows = windows_within(table) if read is None else read.of.get(name)
    places = [f".{table.budget.of}@{label}" for label in windows.labels] if windows is not None else [""]
    read = read or NO_WINDOWS
    whole, *over_all = accounts_of_rows(name, table)
    kin = kin_of([whole, *over_all])
    shared = AccountPrice(
        whole.whole, whole.budget, unit=unit, table=name, kin=kin, new=whole.new, entities=read.group_of(name)
    )
    found = [replace(shared, name=f"{shared.name}{place}") for place in places]
    found += [replace(shared, budget=each.budget, new=each.new, entities=read.of_unit) for each in over_all]
    for each in accounts_of_analyst(name, table, analyst):
        own = replace(_of(each, shared), payer=f"analyst:{analyst}", analyst=analyst)
        found += [replace(own, name=f"{own.name}{place}") for place in places]
    if of_group is not None and group is not None:
        theirs = _of(account_of_several("groups", group, of_group), replace(shared, unit=None, table=None))
        found.append(replace(theirs, payer=theirs.name, entities=read.of_unit))
    if of_unit is not None:
        theirs = _of(account_of_several("units", unit, of_unit), replace(shared, table=None))
        found.append(replace(theirs, entities=read.of_unit))
    return found + [_rate(account, account.budget.at_most) for account in found if account.budget.at_most is not None]


def _of(budget: OfBudget, like: AccountPrice) -> AccountPrice:
    """The account of a budget, for the rows that another one is about."""
    return replace(like, name=budget.whole, budget=budget.budget, kin=kin_of([budget]), new=budget.new)


def all_accounts(
    policy: model.Policy, analysts: Sequence[str], tables: Sequence[str] | None = None
) -> tuple[AccountPrice, ...]:
    """Every account that a query of one of `analysts` can charge, over one of `tables` or of all private ones."""
    private = [name for name, table in policy.tables.items() if table.budget is not None] if tables is None else tables
    return _each_once(accounts_of_table(policy, name, analyst) for name in private for analyst in analysts)


def _each_once(found: Iterable[Iterable[AccountPrice]]) -> tuple[AccountPrice, ...]:
    return tuple({account.name: account for accounts in found for account in accounts}.values())


def _rate(account: AccountPrice, rate: model.Rate) -> AccountPrice:
    """The account that keeps another from spending too much at a time."""
    name = f"{account.name} per {rate.per}"
    return replace(account, name=name, budget=account.budget.at_rate(rate), rate_of=account.name, kin=None)

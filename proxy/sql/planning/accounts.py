"""Who pays for a block: every kind of account is a line of `accounts_of_table` (theorem 15).

Accounts of tables and units pay for what is measured. Those with a payer pay for what their payer sees (theorem 23).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from proxy.dp.accounting import Price
from proxy.errors import RefusedError
from proxy.policy import model
from proxy.sql.schema import NamedTable


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
        logins: for whom a payer pays.
    """

    name: str
    budget: model.Budget
    payer: str | None = None
    unit: str | None = None
    table: str | None = None
    analyst: str | None = None
    logins: tuple[str, ...] = ()


Prices = tuple[tuple[AccountPrice, Price], ...]
"""Accounts, and what each pays."""


def paying_accounts(tables: Sequence[NamedTable], policy: model.Policy, analyst: str) -> tuple[AccountPrice, ...]:
    """Who pays for a block over private tables; each once.

    Raises:
        RefusedError: the analyst may not ask about one of them.
    """
    for table in tables:
        if not policy.may_ask(analyst, table.name):
            raise _not_allowed(table.name, analyst, steward=analyst in policy.stewards)
    return _each_once(accounts_of_table(policy, table.name, analyst) for table in tables)


def _not_allowed(table: str, login: str, *, steward: bool) -> RefusedError:
    if steward:
        detail = f'"{login}" is a steward, who sees accounts and charges, and asks about no private table.'
        hint = "Log in as an analyst."
    else:
        detail = f'The policy lists the tables that "{login}" may ask about, and this is none of them.'
        hint = "Ask the data steward to add it to `may`."
    return RefusedError(f"permission denied for table {table}", detail=detail, hint=hint, rule="table-not-allowed")


def accounts_of_table(policy: model.Policy, name: str, analyst: str) -> list[AccountPrice]:
    """Who pays for what `analyst` asks about a private table."""
    table = policy.tables[name]
    if table.budget is None or table.unit is None:
        raise AssertionError("a loaded policy gives every private table a unit and a budget")
    unit, group = table.unit.name, policy.group_of(analyst)
    of_unit = policy.units[unit].budget if unit in policy.units else None
    of_group = policy.groups[group].budget if group is not None else None
    found = [AccountPrice(f"table:{name}", table.budget, unit=unit, table=name)]
    if table.per_analyst is not None:
        own = f"analyst:{analyst}"
        found.append(AccountPrice(f"{own}:{name}", table.per_analyst, own, unit, name, analyst, (analyst,)))
    if of_group is not None and group is not None:
        found.append(AccountPrice(f"group:{group}", of_group, f"group:{group}", logins=policy.groups[group].members))
    if of_unit is not None:
        found.append(AccountPrice(f"unit:{unit}", of_unit, unit=unit))
    return found + [_rate(account, account.budget.at_most) for account in found if account.budget.at_most is not None]


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
    return replace(account, name=f"{account.name} per {rate.per}", budget=account.budget.at_rate(rate))

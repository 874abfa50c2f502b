"""What a policy promises, for those who have to answer for it: owners, lawyers, registries of deployments.

Everything here follows from the policy and the ledger; nothing is read of the private database.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import version
from operator import itemgetter
from typing import Any, Final

from proxy.budget.order import AccountState, Opened
from proxy.dp.accounting import Account, Price
from proxy.dp.risk import risk_at_worst, risk_by_gaussian
from proxy.meaning import queries_paid
from proxy.policy.account_rules import budgets
from proxy.policy.earlier_tables import earlier_tables
from proxy.policy.findings import Finding
from proxy.policy.model import Budget, Policy, TablePolicy
from proxy.policy.remarks import Remark
from proxy.policy.window_rules import windows_within
from proxy.query.limits import state_of
from proxy.query.uncounted import Uncounted
from proxy.sql.planning.accounts import AccountPrice, all_accounts

FORMAT: Final = 1
"""The version of the JSON; keys are only added while it stays."""

_MECHANISMS: Final = (
    "Discrete Laplace noise: pure epsilon",
    "Discrete Gaussian noise: rho-zCDP, converted to (epsilon, delta) for each account",
    "Exponential mechanism and its kin, for extremes, percentiles and modes: pure epsilon",
    "Noisy numbers of units against a threshold, for group keys that nobody declared: delta",
)


@dataclass(frozen=True)
class Spending:
    """What the ledger says of its accounts.

    Attributes:
        states: what was spent and granted, by the ledger's names.
        opened: the windows of accounts that renew.
        uncounted: the accounts that do not count all that was charged of what they cover.
    """

    states: Mapping[str, AccountState]
    opened: Mapping[str, Opened]
    uncounted: Sequence[Uncounted] = ()

    @property
    def lacking(self) -> Mapping[str, Uncounted]:
        """`uncounted` by account."""
        return {each.account: each for each in self.uncounted}


def policy_report(
    policy: Policy,
    text: bytes,
    findings: Sequence[Finding],
    remarks: Sequence[Remark],
    spending: Spending | None,
) -> dict[str, Any]:
    """The report as JSON has it.

    Args:
        policy: what is promised.
        text: of its file.
        findings: of `dpproxy check`.
        remarks: of the file; those that accept findings are told.
        spending: of the ledger; None if none was looked at.
    """
    return {
        "dpproxy_report": FORMAT,
        "dpproxy_version": version("dpproxy"),
        "policy_sha256": hashlib.sha256(text).hexdigest(),
        "neighbours": "two databases, of which one has all rows of one more unit, over all tables",
        "units": {name: _unit(policy, name, spending.lacking if spending is not None else {}) for name in policy.units},
        "accounts": list(_accounts(policy, spending)),
        "analysts": list(policy.analysts),
        "logins": {name: _login(policy, name) for name in policy.logins},
        "groups": {name: _group(policy, name) for name in policy.groups},
        "unlisted_accounts": _unlisted(policy, spending),
        "private_tables": {name: _private(table) for name, table in _tables(policy, public=False)},
        "public_tables": [name for name, _ in _tables(policy, public=True)],
        "mechanisms": list(_MECHANISMS),
        "response_times": _response_times(policy),
        "not_covered": list(_not_covered(policy)),
        "findings": [str(finding).partition("\n")[0] for finding in findings],
        "accepted": [remark.text for remark in remarks if remark.kind == "dpproxy"],
    }


def _login(policy: Policy, name: str) -> dict[str, Any]:
    """Who may log in, how, from where, and what for."""
    login, analyst = policy.logins[name], policy.analysts.get(name)
    ways = {"password": login.password, "certificate": login.certificate}
    return {
        "role": "analyst" if analyst is not None else "steward",
        "by": [way for way, value in ways.items() if value is not None],
        "networks": list(login.networks) if login.networks is not None else None,
        "may_ask": [table for table, _ in _tables(policy, public=False) if policy.may_ask(name, table)],
        "valid_until": None if analyst is None or analyst.valid_until is None else analyst.valid_until.isoformat(),
        "group": policy.group_of(name),
    }


def _group(policy: Policy, name: str) -> dict[str, Any]:
    group = policy.groups[name]
    return {"members": list(group.members), "budget": _budget(group.budget), "may_ask": group.may}


def _tables(policy: Policy, *, public: bool) -> Iterator[tuple[str, TablePolicy]]:
    """The public tables, or the private ones without the views that stand for their query."""
    for name, table in policy.tables.items():
        if table.public == public and not table.view:
            yield name, table


def _unlisted(policy: Policy, spending: Spending | None) -> list[str]:
    """Accounts that have paid for what was asked of tables which the policy does not list as private ones."""
    if spending is None:
        return []
    charged = [name for name, state in spending.states.items() if state.spent != Price.zero()]
    return sorted({name for accounts in earlier_tables(policy, charged).values() for name in accounts})


def _unit(policy: Policy, name: str, lacking: Mapping[str, Uncounted]) -> dict[str, Any]:
    """What is told of one unit in all: by its cap or by its tables' budgets, if their accounts count all of it."""
    own = {table: found for table, found in policy.tables.items() if found.unit is not None and found.unit.name == name}
    cap, ever = policy.units[name].budget, [_ever(table) for table in own.values() if table.budget is not None]
    bounds: list[tuple[dict[str, Any], set[str]]] = []
    if cap is not None and cap.renew is None:
        bounds.append(({"epsilon": float(cap.epsilon), "delta": float(cap.delta)}, {f"unit:{name}"}))
    if None not in ever:
        summed = {key: float(sum(budget[key] for budget in ever if budget)) for key in ("epsilon", "delta")}
        bounds.append((summed, {_over_all(table, found) for table, found in own.items()}))
    held = [bound for bound, accounts in bounds if accounts.isdisjoint(lacking)]
    counted = [] if held else [bound for bound, _ in bounds]
    return {
        "tables": {
            table: f"by {found.unit.column or found.unit.via}" for table, found in own.items() if found.unit is not None
        },
        "cap": _budget(cap),
        "all_tables_together": min(held, key=itemgetter("epsilon"), default=None),
        "of_what_is_counted": min(counted, key=itemgetter("epsilon"), default=None),
        "uncounted": sorted(set[str]().union(*(accounts for _, accounts in bounds)) & lacking.keys()),
    }


def _over_all(name: str, table: TablePolicy) -> str:
    """The account of `_ever`."""
    windows = table.budget is not None and table.budget.of is not None and table.budget.total is None
    return f"table:{name}.{table.budget.of}" if windows and table.budget is not None else f"table:{name}"


def _ever(table: TablePolicy) -> dict[str, Decimal] | None:
    """What a table's accounts tell of one unit in all, over all windows of time; None if they begin anew."""
    windows, budget = windows_within(table), table.budget
    if budget is None:
        raise AssertionError("a loaded policy gives every private table a budget")
    over_all = budget if windows is None or budget.total is None else budget.total
    count = len(windows) if windows is not None and budget.total is None else 1
    return None if over_all.renew else {"epsilon": count * over_all.epsilon, "delta": count * over_all.delta}


def _budget(budget: Budget | None) -> dict[str, Any] | None:
    return None if budget is None else {"epsilon": float(budget.epsilon), "delta": float(budget.delta)}


def _accounts(policy: Policy, spending: Spending | None) -> Iterator[dict[str, Any]]:
    """Every account that a query can charge; of windows of time the one with the least left."""
    found: dict[str, list[AccountPrice]] = {}
    for account in all_accounts(policy, [*policy.analysts, ""]):
        if account.analyst != "":
            found.setdefault(_without_window(account, policy), []).append(account)
    for name, accounts in found.items():
        table = policy.tables[accounts[0].table] if accounts[0].table is not None else None
        said = _account(name, accounts[0].budget, table)
        if spending is not None:
            said["spent"] = min((_spent(account, spending) for account in accounts), key=itemgetter("percent_left"))
            said["uncounted"] = _uncounted(spending.lacking.get(name))
        yield said


def account_lines(policy: Policy) -> Iterator[str]:
    """A line for each account: its budget, what that means, and how many default queries it pays for."""
    for account in _accounts(policy, None):
        worst, gaussian = account["advantage"], account["advantage_if_all_is_gaussian"]
        often = "" if account["renews"] == "never" else f" {account['renews']}"
        text = f"{account['name']}: {_amount(account)}{often}: advantage at most {_percent(worst)}, δ aside"
        text += f", {_percent(gaussian)} if all is Gaussian noise" if gaussian is not None else ""
        text += f"; a suspicion of 1 % grows to at most {_percent(account['suspicion_of_1_percent_grows_to'])}"
        paid = account["default_queries"]
        yield text if paid is None else f"{text}; {paid} default quer{'y' if paid == 1 else 'ies'}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _without_window(account: AccountPrice, policy: Policy) -> str:
    budget = policy.tables[account.table].budget if account.table is not None else None
    if budget is None or budget.of is None:
        return account.name
    return re.sub(rf"(\.{re.escape(budget.of)})@[\w-]+(?= per \w+$|$)", r"\1", account.name)


def _account(name: str, budget: Budget, table: TablePolicy | None) -> dict[str, Any]:
    limit = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    worst, gaussian = risk_at_worst(limit), risk_by_gaussian(limit)
    return {
        "name": name,
        "epsilon": float(budget.epsilon),
        "delta": float(budget.delta),
        "renews": "never" if budget.renew is None else f"every {budget.renew.every}",
        "advantage": round(worst.advantage, 4),
        "suspicion_of_1_percent_grows_to": round(worst.posterior, 4),
        "advantage_if_all_is_gaussian": round(gaussian.advantage, 4) if gaussian is not None else None,
        "default_queries": queries_paid(budget, table.query.epsilon) if table is not None else None,
    }


def _uncounted(found: Uncounted | None) -> dict[str, Any] | None:
    """Since when an account counts, and what was charged of what it covers without it; None if that is nothing."""
    if found is None:
        return None
    return {
        "counts_since": None if found.since is None else found.since.isoformat(),
        "charges": found.charges,
        "first": found.first.isoformat(),
        "last": found.last.isoformat(),
        "epsilon": None if found.price.epsilon is None else float(found.price.epsilon),
        "rho": float(found.price.rho),
        "delta": float(found.price.delta),
        "said": found.sentence,
    }


def _spent(account: AccountPrice, spending: Spending) -> dict[str, Any]:
    """What was spent, and of an account that renews, in the present window; grants count."""
    limit, used = state_of(account, spending.states, spending.opened)
    return {
        "epsilon": None if used.epsilon is None else float(used.epsilon),
        "rho": float(used.rho),
        "delta": float(used.delta),
        "percent_left": round(100 * float(limit.share_left(limit.remaining(used))), 1),
    }


def _private(table: TablePolicy) -> dict[str, Any]:
    bounds = table.contribution
    chosen = "each query chooses from the data how much of a unit counts, with differential privacy"
    return {
        "columns": list(table.columns or ()),
        "contribution": chosen if bounds.max_rows is None else f"at most {bounds.max_rows} rows of a unit count fully",
        "mechanism": table.query.mechanism,
        "query_epsilon": float(table.query.epsilon),
        "most_query_epsilon": float(table.query.most_epsilon),
    }


def _response_times(policy: Policy) -> str:
    timing = policy.timing
    if timing is None:
        return "not covered: who measures times precisely may learn of a unit"
    return (
        f"covered, for (epsilon, delta) = ({timing.epsilon}, {timing.delta}) of each answer, as far as the rows of one "
        f"unit change a source query's time by at most {timing.work}"
    )


def _not_covered(policy: Policy) -> Iterator[str]:
    if policy.timing is None:
        yield "how long an answer takes"
    yield f"up to {policy.failures} failed source queries of each analyst, before questions are suspended"
    yield "whoever runs dpproxy or the database, and whoever reads their memory, disk, or network without TLS"
    yield "one person under two identities: they are two units"
    yield "what is true of a whole group, and so of its members"
    if any(budget.renew is not None for _, budget in budgets(policy)):
        yield "what is learned over several periods of a budget that renews: each period has the whole budget again"
    public = [name for name, _ in _tables(policy, public=True)]
    if public:
        yield f"rows of public tables, which every analyst may read: {', '.join(public)}"
    single = [
        name for name, table in policy.tables.items() if table.unit is not None and table.unit.when_null == "each_row"
    ]
    if single:
        yield f"rows without a unit, together: each of them is protected by itself, in {', '.join(single)}"
    if len(policy.units) > 1:
        yield "units of different names together: who stands behind several of them is protected as each, not as one"


def markdown_report(report: Mapping[str, Any], file: str) -> str:
    """The report for people."""
    return "\n".join(_paragraphs(report, file)) + "\n"


def _paragraphs(report: Mapping[str, Any], file: str) -> Iterator[str]:
    yield f"# What {file} promises\n"
    yield f"Policy with SHA-256 `{report['policy_sha256']}`, read by dpproxy {report['dpproxy_version']}.\n"
    yield "Whatever analysts ask, everything that they see of an account's rows together is (ε, δ)-differentially"
    but = ", but for accounts that do not count all of it" if any(map(_lacks, report["accounts"])) else ""
    yield f"private for neighbours{but}: {report['neighbours']}.\n"
    yield "## Units\n"
    for name, unit in report["units"].items():
        tables = ", ".join(f"{table} ({how})" for table, how in unit["tables"].items())
        yield f"- **{name}**: {tables or 'no table'}; in all {_in_all(unit)}"
    yield "\n## Budgets\n"
    yield from _account_table(report["accounts"])
    yield from _what_counts(report)
    yield "\nThe advantage is how much better than a coin somebody who knows all other rows can tell whether one unit"
    yield "is in the data, δ aside; the suspicion is how far one of 1 % can grow."
    for title, key in (("Mechanisms", "mechanisms"), ("Not covered", "not_covered")):
        yield f"\n## {title}\n"
        yield from (f"- {text}" for text in report[key])
    yield f"\nResponse times are {report['response_times']}.\n"
    yield "## Tables\n"
    for name, table in report["private_tables"].items():
        yield f"- **{name}**: columns {', '.join(table['columns']) or 'none'}; {table['contribution']}"
    yield f"- public: {', '.join(report['public_tables']) or 'none'}"
    yield "\n## Logins\n"
    yield from ([f"- {_login_words(name, login)}" for name, login in report["logins"].items()] or ["None."])
    for name, group in report["groups"].items():
        limit = f", who may see {_amount(group['budget'])} together" if group["budget"] is not None else ""
        yield f"- group **{name}**: {', '.join(group['members']) or 'nobody'}{limit}"
    yield "\n## Findings of dpproxy check\n"
    found = [*report["findings"], *(f"accepted: {text}" for text in report["accepted"])]
    yield from ([f"- {text}" for text in found] or ["None."])
    if "ledger" in report:
        yield f"\n## Ledger\n\n{report['ledger']}"


def _account_table(accounts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    titles = ["account", "ε", "δ", "advantage", "suspicion", "default queries"]
    with_spent = any("spent" in account for account in accounts)
    titles += ["spent", "left"] if with_spent else []
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    for account in accounts:
        cells = [
            account["name"],
            f"{account['epsilon']:g}",
            f"{account['delta']:g}",
            _percent(account["advantage"]),
            _percent(account["suspicion_of_1_percent_grows_to"]),
            "–" if account["default_queries"] is None else str(account["default_queries"]),
        ]
        if with_spent:
            spent = account["spent"]
            pure = f"ε {spent['epsilon']:.4g}, " if spent["epsilon"] is not None else ""
            cells += [f"{pure}ρ {spent['rho']:.4g}, δ {spent['delta']:.2g}", f"{spent['percent_left']} %"]
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _what_counts(report: Mapping[str, Any]) -> Iterator[str]:
    """Which accounts do not count all that was charged, as far as the ledger was looked at."""
    if "ledger" not in report:
        yield "\nAn account counts what is charged to it. What was charged before it was there, or while it was away,"
        yield "only the ledger knows: name it by --state or --ledger."
    found = [account["uncounted"]["said"] for account in report["accounts"] if _lacks(account)]
    if found:
        yield "\nThese accounts do not count all that they cover, and promise nothing of what was seen without them:\n"
        yield from (f"- {text}" for text in found)
    if report["unlisted_accounts"]:
        accounts = ", ".join(report["unlisted_accounts"])
        yield f"\nNothing here is about tables that are not listed any more, of which something was spent: {accounts}."


def _lacks(account: Mapping[str, Any]) -> bool:
    return account.get("uncounted") is not None


def _in_all(unit: Mapping[str, Any]) -> str:
    held, counted, uncounted = unit["all_tables_together"], unit["of_what_is_counted"], unit["uncounted"]
    if held is not None:
        return f"at most {_amount(held)}" + (f", though not by {', '.join(uncounted)} (see below)" if uncounted else "")
    if counted is not None:
        return f"{_amount(counted)} and what was charged that {', '.join(uncounted)} does not count (see below)"
    return "without a limit, since budgets begin anew"


def _login_words(name: str, login: Mapping[str, Any]) -> str:
    words = f"{login['role']} **{name}**, by {' and '.join(login['by']) or 'nothing'}"
    if login["networks"] is not None:
        words += f", from {', '.join(login['networks'])}"
    if login["role"] == "steward":
        return f"{words}: sees every account and charge, and asks about no private table"
    words += f": may ask about {', '.join(login['may_ask']) or 'no private table'}"
    return words + (f", until {login['valid_until']}" if login["valid_until"] is not None else "")


def _amount(budget: Mapping[str, float]) -> str:
    return f"(ε, δ) = ({budget['epsilon']:g}, {budget['delta']:g})"

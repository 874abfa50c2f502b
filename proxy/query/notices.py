"""Notices to clients about prices, and the labels of charges in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from proxy.budget.ledger import Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Account
from proxy.policy.catalog import Catalog
from proxy.query.clipping_report import clipping_text, misleads
from proxy.query.window_ranges import ranges
from proxy.sql import explain
from proxy.sql.planning.accuracy import accuracy_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import AccountPrice
from proxy.wire.router import Notice


def account_limit(account: AccountPrice) -> Account:
    """The limit of an account, exactly."""
    return Account(Fraction(account.budget.epsilon), Fraction(account.budget.delta))


def order_of_texts(catalog: Catalog) -> Notice | None:
    """The notice at the beginning of a session if text sorts in another way than on the private database; else None."""
    if not catalog.collations:
        return None
    loose = any(column.collation for table in catalog.tables.values() for column in table.columns.values())
    equality = "Only identical texts are equal, whatever a column's collation" if loose else "Equality is unaffected"
    return Notice(
        "text is compared and sorted by code point here, unlike in the private database",
        detail=f"'Z' sorts before 'a', as under COLLATE \"C\". {equality}, and so it is in GROUP BY.",
    )


def charge_label(plan: BlockPlan) -> str:
    """What the ledger shows of a charged block: its aggregates, tables and group keys."""
    aggregates = ", ".join(aggregate.label for aggregate in plan.aggregates) or "keys"
    keys = f" by {', '.join(key.label for key in plan.keys)}" if plan.keys else ""
    return f"{aggregates} over {_private_names(plan)}{keys}"


def _private_names(plan: BlockPlan) -> str:
    return ", ".join(table.name for table in plan.footprint.private_tables)


def _charged_text(plan: BlockPlan) -> str:
    """The stated epsilon, the delta if the block uses one, and the ρ and δ that the accounts add."""
    uses_delta = plan.noise_name == "gaussian" or plan.selection is not None
    promise = plan.guarantee if uses_delta else replace(plan.guarantee, delta=None)
    return f"{explain.stated_text(promise)} ({explain.price_text(plan.price)})"


def left_text(accounts: Sequence[AccountPrice], receipt: Receipt) -> str:
    """What each account has left, as a share of its limit."""
    limits = {account.name: account_limit(account) for account in accounts}
    shares = [(name, f"{float(limits[name].share_left(left)):.1%}") for name, left in receipt.remaining.items()]
    parts = [f"{name} {share}" for name, share in ranges(shares)]
    return f"Left: {', '.join(parts)}."


def _of_groups(plan: BlockPlan) -> str:
    """What accounts paid that protect units over several windows of time (theorem 24)."""
    wide = [account for account in plan.accounts if account.group > 1]
    if not wide:
        return ""
    names = " and ".join(account.name for account in wide)
    return f" For {wide[0].group} windows {names} paid {explain.price_text(wide[0].price(plan.price))}."


def charged(plan: BlockPlan, receipt: Receipt, answer: StoredAnswer) -> Notice:
    detail = left_text(plan.accounts, receipt) + _of_groups(plan) + _accuracy(plan, answer) + _missing_groups(plan)
    detail += _sentences(explain.rows_without_unit(plan)) + _sentences(explain.slow_clock(plan)) + _counted_rows(plan)
    detail += f" {clipping_text(plan, answer)}".rstrip() + _response_time(plan)
    return Notice(f"dpproxy charged {_charged_text(plan)}", detail, warning=misleads(plan, answer))


def _accuracy(plan: BlockPlan, answer: StoredAnswer) -> str:
    """How far 95 % of the noise goes, now that it is known how much of a unit counts."""
    text = accuracy_text(plan.clipped_at(answer.thresholds))
    return f" {text}." if text else ""


def _missing_groups(plan: BlockPlan) -> str:
    """Why groups may be missing: the threshold of selected keys, which the policy and the price decide."""
    if plan.selection is None:
        return ""
    least = ceil(plan.selection.threshold / plan.selection.resolution)
    return f" Groups of fewer than about {least} units do not show."


def _sentences(sentences: Sequence[str]) -> str:
    return "".join(f" {sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


def _counted_rows(plan: BlockPlan) -> str:
    if plan.hides_by is None:
        return ""
    return " Part of the price counts rows, which tells empty groups (dp.empty_groups = hide)."


def _response_time(plan: BlockPlan) -> str:
    if plan.delay is None:
        return ""
    return f" The time of the answer is {explain.price_text(plan.delay.price)} of the price."


def recalled(plan: BlockPlan, receipt: Receipt | None, age: str) -> Notice:
    """What an answer cost that is shown again.

    Args:
        plan: the block's.
        receipt: of the charge to the asker's own account, if there was one.
        age: how old the answer is, in words; empty if it is not told.
    """
    told = (f" The answer is {age}." if age else "") + _sentences(explain.slow_clock(plan))
    if receipt is None:
        return Notice("dpproxy recalled an earlier answer, free of charge", told.strip() or None)
    return Notice(
        f"dpproxy recalled another analyst's answer and charged {_charged_text(plan)} to your own account",
        left_text(plan.accounts, receipt) + told,
    )


def free(plan: BlockPlan) -> Notice:
    return Notice(f"dpproxy listed declared keys of {_private_names(plan)}, free of charge")

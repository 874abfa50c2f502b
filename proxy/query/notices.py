"""Notices to clients about prices, and the labels of charges in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Final

from proxy.budget.order import Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.policy.catalog import Catalog
from proxy.query.clipping_report import clipping_text, misleads
from proxy.query.loud_noise import loud_aggregates, loud_text, what_to_do
from proxy.query.window_ranges import ranges
from proxy.sql import explain
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.accuracy import accuracy_text, choices_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.redaction import redacted
from proxy.sql.remarks import counts_units_once, profile_price, remarks_about_rows
from proxy.wire.router import Notice

_IN_FULL: Final = (
    "Units in several groups count as less than one in each: SET dp.max_rows_per_group to max_rows divided by the"
    " number of groups that most of them are in."
)

_ALL_ROWS: Final = (
    "How many rows that leaves out is not known. All rows take part in joins by a unique key of the other table without"
    " functions around it."
)


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
    """What people call a block: its aggregates, tables and group keys."""
    aggregates = ", ".join(aggregate.label for aggregate in plan.aggregates) or "keys"
    keys = f" by {', '.join(key.label for key in plan.keys)}" if plan.keys else ""
    return f"{aggregates} over {_private_names(plan)}{keys}"


def ledger_label(plan: BlockPlan) -> str:
    """The same for the ledger, which others read: without constants, as they may name somebody."""
    return redacted(charge_label(plan)) or f"a question over {_private_names(plan)}"


def _private_names(plan: BlockPlan) -> str:
    return ", ".join(table.name for table in plan.footprint.private_tables)


def _charged_text(plan: BlockPlan, prices: Prices) -> str:
    """The stated epsilon, the delta if the block uses one, and the ρ and δ that the accounts add: the most of them. Of
    a question that is known in part, what was missing."""
    uses_delta = plan.noise_name == "gaussian" or plan.selection is not None
    promise = plan.guarantee if uses_delta else replace(plan.guarantee, delta=None)
    single = [price for account, price in prices if account.entities == 1]
    most = max(single, key=lambda price: price.rho, default=plan.price)
    stated, paid, whole = explain.stated_text(promise), explain.price_text(most), explain.price_text(plan.price)
    if single and most.rho < plan.price.rho and paid != whole:
        return f"{paid}, what was missing of {stated} ({whole})"
    return f"{stated} ({paid})"


def left_text(receipt: Receipt) -> str:
    """What each account has left, as a share of its limit."""
    limits = receipt.limits
    shares = [(name, f"{float(limits[name].share_left(left)):.1%}") for name, left in receipt.remaining.items()]
    parts = [f"{name} {share}" for name, share in ranges(shares)]
    return f"Left: {', '.join(parts)}."


def _further(receipt: Receipt) -> str:
    """For how much that is enough: dp.budget has it for each account, at the default price and at the session's."""
    if not receipt.further:
        return " Not enough for another question at this price."
    return f" Enough for {receipt.further} more at this price."


def _of_groups(prices: Prices) -> str:
    """What accounts paid that protect units over several windows of time (theorem 24)."""
    wide = [(account, price) for account, price in prices if account.entities > 1]
    if not wide:
        return ""
    names, (first, price) = " and ".join(account.name for account, _ in wide), wide[0]
    return f" For {first.entities} windows {names} paid {explain.price_text(price)}."


def charged(
    plan: BlockPlan,
    prices: Prices,
    receipt: Receipt,
    answer: StoredAnswer,
    known: BlockPlan,
    undeclared: Sequence[str] = (),
    told: str = "",
    some: str = "",
) -> Notice:
    """What is told of a measurement.

    Args:
        plan: the block's plan.
        prices: who paid what.
        receipt: of that.
        answer: what was released.
        known: the plan as it was answered.
        undeclared: sentences about constants that are no declared values.
        told: of which other questions' numbers the answer is made, too, in words.
        some: likewise, where they are worth more for some numbers than for others.
    """
    detail = left_text(receipt) + _further(receipt) + _of_groups(prices) + _accuracy(known) + _of_what_counts(plan)
    detail += _sentences(profile_price(plan)) + _counted_rows(plan)
    detail += f" {clipping_text(plan, answer)}".rstrip() + _response_time(plan)
    detail += f" Part of each number is {told}." if told else ""
    detail += f" What is known of some of the numbers was not measured again: {some}." if some else ""
    detail += "".join(f" {sentence}." for sentence in undeclared)
    loud = loud_aggregates(known, answer)
    return Notice(
        f"dpproxy charged {_charged_text(plan, prices)}",
        f"{loud_text(loud)} {detail}".lstrip(),
        what_to_do(plan) if loud else _what_to_do_about_rows(plan),
        warning=bool(loud) or bool(plan.beyond) or _leaves_rows_out(plan) or misleads(plan, answer),
    )


def _of_what_counts(plan: BlockPlan) -> str:
    """Which groups may be missing, and which rows do not count: whether the answer is new or not."""
    return _missing_groups(plan) + _sentences(remarks_about_rows(plan))


def _leaves_rows_out(plan: BlockPlan) -> bool:
    return counts_units_once(plan) or any(cut.meets for cut in plan.footprint.cuts)


def _what_to_do_about_rows(plan: BlockPlan) -> str | None:
    if not _leaves_rows_out(plan):
        return None
    return _IN_FULL if counts_units_once(plan) else _ALL_ROWS


def _accuracy(known: BlockPlan) -> str:
    """How far 95 % of the noise of an answer goes, and how far choices are off."""
    texts = (accuracy_text(known), choices_text(known))
    return "".join(f" {text}." for text in texts if text)


def _missing_groups(plan: BlockPlan) -> str:
    """Why groups may be missing: the threshold of selected keys, which the policy and the price decide. In each of
    several groups a unit weighs less."""
    selection = plan.selection
    if selection is None:
        return ""
    least, most = ceil(selection.threshold / selection.resolution), ceil(selection.units_needed)
    if plan.relation.unit_unique or least == most:
        return f" Groups of fewer than about {least} units do not show."
    return (
        f" Groups of fewer than about {least} units do not show; where units are in several groups it takes more of"
        f" them, up to about {most} of those that are in {selection.max_groups} or more."
    )


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


def recalled(
    plan: BlockPlan,
    rho: Fraction | None,
    prices: Prices,
    receipt: Receipt | None,
    age: str,
    undeclared: Sequence[str] = (),
) -> Notice:
    """What is told of an answer for which the source was not asked.

    Args:
        plan: the block's plan.
        rho: what the answer is worth, if that may be another ρ than the plan's.
        prices: what the asker's own accounts paid.
        receipt: of that; None if they paid nothing.
        age: how old the answer is, in words; empty if it is not told.
        undeclared: sentences about constants that are no declared values.
    """
    told = (f" The answer is {age}." if age else "") + _of_what_counts(plan)
    told += "".join(f" {sentence}." for sentence in undeclared)
    hint, warning = _what_to_do_about_rows(plan), _leaves_rows_out(plan)
    if receipt is None:
        precise = ", more precise than asked for" if rho is not None and rho > plan.rho else ""
        return Notice(
            f"dpproxy recalled an earlier answer{precise}, free of charge", told.strip() or None, hint, warning=warning
        )
    return Notice(
        f"dpproxy recalled another analyst's answer and charged {_charged_text(plan, prices)} to your own account",
        left_text(receipt) + _further(receipt) + told,
        hint,
        warning=warning,
    )


def derived(
    plan: BlockPlan,
    known: BlockPlan,
    source: str,
    prices: Prices,
    receipt: Receipt | None,
    undeclared: Sequence[str] = (),
) -> Notice:
    """What is told of an answer that is made of another question's (theorem 25).

    Args:
        plan: the block's plan.
        known: the plan that would be as exact.
        source: of which question, in words.
        prices: what the asker's own accounts paid.
        receipt: of that; None if they paid nothing.
        undeclared: sentences about constants that are no declared values.
    """
    told = f"Each number is {source}. {explain.compared_text(plan, known)}." + _of_what_counts(plan)
    told += "".join(f" {sentence}." for sentence in undeclared)
    if receipt is None:
        return Notice("dpproxy answered from numbers that were released before, free of charge", told)
    paid = _charged_text(plan, prices)
    return Notice(
        f"dpproxy answered from another analyst's numbers and charged {paid} to your own account",
        f"{left_text(receipt)} {told}",
    )


def free(plan: BlockPlan) -> Notice:
    return Notice(
        f"dpproxy listed declared keys of {_private_names(plan)}, free of charge",
        "They are those that the policy declares, with or without rows; ask for count(*) to tell which have any.",
    )

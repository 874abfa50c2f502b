"""Notices to clients about prices, and the labels of charges in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from proxy.budget.order import Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Account, Remaining
from proxy.policy.catalog import Catalog
from proxy.query.goodness import Goodness, goodness, joined, sentences
from proxy.query.window_ranges import ranges
from proxy.sql import explain
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.redaction import redacted
from proxy.sql.remarks import profile_price
from proxy.wire.router import Notice


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
    """What each account has left, as a share of its limit; and of its δ for selected keys, if that is less."""
    shares = [(name, _share_left(receipt.limits[name], left)) for name, left in receipt.remaining.items()]
    parts = [f"{name} {share}" for name, share in ranges(shares)]
    return f"Left: {', '.join(parts)}."


def _share_left(limit: Account, left: Remaining) -> str:
    share, of_keys = limit.share_left(left), left.delta / limit.delta_keys if limit.delta else Fraction(1)
    told = f"{float(share):.1%}"
    return told if of_keys >= share else f"{told} ({float(of_keys):.1%} of the delta for selected keys)"


def _further(receipt: Receipt) -> str:
    """For how much that is enough: dp.budget has it for each account, at the default price and at the session's."""
    if not receipt.further:
        return "Not enough for another question at this price."
    return f"Enough for {receipt.further} more at this price."


def _of_groups(prices: Prices) -> str:
    """What accounts paid that protect units over several windows of time (theorem 24)."""
    wide = [(account, price) for account, price in prices if account.entities > 1]
    if not wide:
        return ""
    names, (first, price) = " and ".join(account.name for account, _ in wide), wide[0]
    return f"For {first.entities} windows {names} paid {explain.price_text(price)}."


def charged(
    plan: BlockPlan,
    prices: Prices,
    receipt: Receipt,
    answer: StoredAnswer,
    known: BlockPlan,
    undeclared: Sequence[str] = (),
    hide_empty: bool = False,
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
        hide_empty: does the session hide groups that look empty?
        told: of which other questions' numbers the answer is made, too, in words.
        some: likewise, where they are worth more for some numbers than for others.
    """
    good = goodness(plan, known, answer, undeclared, hide_empty=hide_empty)
    return _notice(
        f"dpproxy charged {_charged_text(plan, prices)}",
        good,
        left_text(receipt),
        _further(receipt),
        _of_groups(prices),
        sentences(profile_price(plan)),
        _counted_rows(plan),
        _response_time(plan),
        good.accuracy,
        good.rest,
        f"Part of each number is {told}." if told else "",
        f"What is known of some of the numbers was not measured again: {some}." if some else "",
    )


def _notice(message: str, good: Goodness, *told: str) -> Notice:
    """A notice about an answer. That its numbers say little comes first."""
    return Notice(message, joined(good.loud, *told) or None, good.hint, warning=good.warning)


def _counted_rows(plan: BlockPlan) -> str:
    if plan.hides_by is None:
        return ""
    return "Part of the price counts rows, which tells empty groups (dp.empty_groups = hide)."


def _response_time(plan: BlockPlan) -> str:
    if plan.delay is None:
        return ""
    return f"The time of the answer is {explain.price_text(plan.delay.price)} of the price."


def recalled(
    plan: BlockPlan,
    rho: Fraction | None,
    prices: Prices,
    receipt: Receipt | None,
    age: str,
    answer: StoredAnswer,
    known: BlockPlan,
    undeclared: Sequence[str],
    hide_empty: bool,
) -> Notice:
    """What is told of an answer for which the source was not asked.

    Args:
        plan: the block's plan.
        rho: what the answer is worth, if that may be another ρ than the plan's.
        prices: what the asker's own accounts paid.
        receipt: of that; None if they paid nothing.
        age: how old the answer is, in words; empty if it is not told.
        answer: what was released.
        known: the plan as it was answered.
        undeclared: sentences about constants that are no declared values.
        hide_empty: does the session hide groups that look empty?
    """
    good = goodness(plan, known, answer, undeclared, hide_empty=hide_empty)
    told = [f"The answer is {age}." if age else "", good.accuracy, good.rest]
    if receipt is None:
        precise = ", more precise than asked for" if rho is not None and rho > plan.rho else ""
        return _notice(f"dpproxy recalled an earlier answer{precise}, free of charge", good, *told)
    paid = _charged_text(plan, prices)
    message = f"dpproxy recalled another analyst's answer and charged {paid} to your own account"
    return _notice(message, good, left_text(receipt), _further(receipt), *told)


def derived(
    plan: BlockPlan,
    source: str,
    prices: Prices,
    receipt: Receipt | None,
    answer: StoredAnswer,
    known: BlockPlan,
    undeclared: Sequence[str],
    hide_empty: bool,
) -> Notice:
    """What is told of an answer that is made of another question's (theorem 25).

    Args:
        plan: the block's plan.
        source: of which question, in words.
        prices: what the asker's own accounts paid.
        receipt: of that; None if they paid nothing.
        answer: what is made of that question's.
        known: the plan that would be as exact.
        undeclared: sentences about constants that are no declared values.
        hide_empty: does the session hide groups that look empty?
    """
    good = goodness(plan, known, answer, undeclared, hide_empty=hide_empty)
    told = (f"Each number is {source}. {explain.compared_text(plan, known)}.", good.rest)
    if receipt is None:
        return _notice("dpproxy answered from numbers that were released before, free of charge", good, *told)
    paid = _charged_text(plan, prices)
    message = f"dpproxy answered from another analyst's numbers and charged {paid} to your own account"
    return _notice(message, good, left_text(receipt), *told)


def no_group(plan: BlockPlan) -> Notice:
    """What is told of an answer that has no group, whatever the rows are."""
    return Notice(
        f"dpproxy answered without a row of {_private_names(plan)}, free of charge",
        "No declared key meets the conditions, so that there is no group, whatever the rows are. The keys of a column "
        "with bounds are within these.",
        "SELECT * FROM dp.columns shows bounds and declared values.",
        warning=True,
    )


def free(plan: BlockPlan) -> Notice:
    """What is told of keys that are declared, and were not counted. Under conditions they are no answer alone."""
    met = " that meet the conditions" if plan.is_filtered else ""
    hint = "SET dp.empty_groups = hide shows only those with rows, for the price of a count."
    return Notice(
        f"dpproxy listed declared keys of {_private_names(plan)}, free of charge",
        f"They are those that the policy declares, with or without rows{met}; ask for count(*) to tell which have any.",
        hint if plan.is_filtered else None,
        warning=plan.is_filtered,
    )

"""Compares what becomes of the statements of a file with what the file expects, and records it as the expectation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from typing import Final

from proxy.policy.findings import Finding
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.rehearsal.expectations import Expectation, expectations, first_lexeme, with_expectations
from proxy.rehearsal.rehearsing import Outcome, Refusal
from proxy.sql.planning.accuracy import numeric_widths

_UP: Final = Context(prec=3, rounding=ROUND_UP)
_SILENT: Final = frozenset({"set", "reset", "begin", "start", "commit", "rollback", "end", "savepoint", "show"})
"""Statements of sessions, of which nothing is worth recording."""


def check_script(file: str, script: str, outcomes: Sequence[Outcome]) -> list[Finding]:
    """All that is not as a file expects it.

    Args:
        file: its name, as findings carry it.
        script: its text.
        outcomes: of its statements, in order.
    """
    places = _Places(file, script)
    findings = [] if outcomes else [places.finding("DP706", 0, "no statement", "write queries, each ended by ;")]
    for outcome in outcomes:
        findings += _of_statement(outcome, places)
    end = outcomes[-1].start + len(outcomes[-1].text) if outcomes else 0
    for left in expectations(script[end:], end):
        hint = "write it before a statement, on a line of its own"
        findings.append(places.finding("DP706", left.start, "an expectation without a statement", hint))
    return sorted(findings)


def unreadable(file: str, reason: str | None) -> Finding:
    """The finding of a file that cannot be read."""
    return _Places(file, "").finding("DP706", 0, f"cannot be read: {reason}", "name existing, readable files of SQL")


class _Places:
    """Makes findings at offsets of a script."""

    def __init__(self, file: str, script: str) -> None:
        self._file = file
        self._script = script

    def finding(self, rule: str, offset: int, message: str, hint: str) -> Finding:
        line_start = self._script.rfind("\n", 0, offset) + 1
        line = self._script.count("\n", 0, offset) + 1
        return Finding(self._file, line, offset - line_start + 1, "", "error", message, hint, rule)


def _of_statement(outcome: Outcome, places: _Places) -> Iterator[Finding]:
    expected = expectations(outcome.text, outcome.start)
    unreadable = False
    for each in expected:
        if each.complaint is not None:
            unreadable = True
            yield places.finding("DP706", each.start, *each.complaint)
    if unreadable:
        return
    named = next((each for each in expected if each.key == "expect"), None)
    wanted = named.outcome if named is not None else None
    if outcome.refusal is not None:
        yield from _refused(outcome, outcome.refusal, named, places)
        return
    kind = "public" if outcome.plan is None else "answered"
    if named is not None and wanted is not None and wanted[0] not in (kind, "answered"):
        said = "is answered, for a price" if outcome.plan is not None else "is answered, and reads nothing private"
        yield places.finding("DP702", named.start, f"{said}; expected: {named.value}", _HINT_CHANGED)
    yield from _limits(outcome.plan, expected, places)


_HINT_CHANGED: Final = "decide whether the policy, the query or the expectation is right; --record writes what is now"


def _refused(outcome: Outcome, refusal: Refusal, named: Expectation | None, places: _Places) -> Iterator[Finding]:
    begins = outcome.start + first_lexeme(outcome.text)
    wanted = named.outcome if named is not None else None
    rule = refusal.rule or refusal.sqlstate
    if named is None or wanted is None or wanted[0] != "refused":
        at = outcome.start + refusal.position - 1 if refusal.position is not None else begins
        hint = refusal.hint or f"write `-- expect: refused {rule}` if that is right"
        yield places.finding("DP701", at, f"refused: {refusal.message} ({rule})", hint)
    elif wanted[1] not in (None, refusal.rule, refusal.sqlstate):
        message = f"refused by {rule}, not by {wanted[1]}: {refusal.message}"
        yield places.finding("DP702", named.start, message, _HINT_CHANGED)


def _limits(plan: Plan | None, expected: Sequence[Expectation], places: _Places) -> Iterator[Finding]:
    blocks = _asked(plan)
    for each in expected:
        match each.key:
            case "max_epsilon" if each.limit is not None:
                epsilon = stated_epsilon(blocks)
                if epsilon > each.limit[1]:
                    message = f"costs epsilon {_digits(epsilon)}, more than {each.value}"
                    hint = "lower query.epsilon in the policy, SET dp.epsilon, or ask for less"
                    yield places.finding("DP703", each.start, message, hint)
            case "max_error" if each.limit is not None:
                yield from _errors(blocks, each, *each.limit, places)
            case "accounts":
                paying = accounts_of(blocks)
                if paying != each.names:
                    message = f"accounts that pay: {', '.join(sorted(paying)) or 'none'}"
                    yield places.finding("DP705", each.start, message, _HINT_CHANGED)


def _errors(
    blocks: Sequence[PlannedBlock], each: Expectation, label: str, limit: Fraction, places: _Places
) -> Iterator[Finding]:
    widths = errors_of(blocks)
    meant = {name: width for name, width in widths.items() if label in ("", name)}
    if not meant:
        message = f"no number is called {label!r}" if label else "no number gets noise"
        hint = f"one of {', '.join(widths)}" if widths else "remove it: nothing here has an error"
        yield places.finding("DP704", each.start, message, hint)
    for name, width in meant.items():
        if width is None:
            message = f"how wrong {name} may be is not known before the answer"
            hint = "name the others, as in `-- max_error: count(*) ±500`; where a query chooses how much of a unit "
            hint += "counts, contribution.max_rows in the policy fixes it"
            yield places.finding("DP704", each.start, message, hint)
        elif width > limit:
            message = f"95 % of the noise of {name} is within ±{_digits(width)}, more than ±{_digits(limit)}"
            hint = "raise dp.epsilon, tighten bounds or contribution bounds, or ask for fewer numbers at once"
            yield places.finding("DP704", each.start, message, hint)


def _asked(plan: Plan | None) -> list[PlannedBlock]:
    """The blocks that are charged, each question once."""
    blocks = all_blocks(plan.blocks) if plan is not None else ()
    return list({block.hash: block for block in blocks if block.plan.asks_source}.values())


def stated_epsilon(blocks: Sequence[PlannedBlock]) -> Fraction:
    """The epsilons that are stated for some blocks, added up."""
    return sum((Fraction(block.plan.guarantee.epsilon) for block in blocks), Fraction(0))


def accounts_of(blocks: Sequence[PlannedBlock]) -> frozenset[str]:
    """Who pays for some blocks."""
    return frozenset(account.name for block in blocks for account in block.plan.accounts)


def errors_of(blocks: Sequence[PlannedBlock]) -> dict[str, Fraction | None]:
    """How far 95 % of the noise of each number goes, the widest where several have one label; None if unknown."""
    found: dict[str, Fraction | None] = {}
    for block in blocks:
        for text, width in numeric_widths(block.plan).items():
            label = text.strip()
            known = found.get(label, Fraction(0))
            found[label] = None if width is None or known is None else max(width, known)
    return found


def recorded(script: str, outcomes: Sequence[Outcome]) -> str:
    """The script with what becomes of its statements as their expectations."""
    found = [(outcome.start, len(outcome.text), list(_comments(outcome))) for outcome in outcomes]
    return with_expectations(script, found)


def _comments(outcome: Outcome) -> Iterator[str]:
    if outcome.refusal is not None:
        yield f"expect: refused {outcome.refusal.rule or outcome.refusal.sqlstate}"
        return
    words = outcome.text[first_lexeme(outcome.text) :].split(None, 1)
    if outcome.plan is None:
        if words and words[0].lower().rstrip(";") not in _SILENT:
            yield "expect: public"
        return
    yield "expect: answered"
    blocks = _asked(outcome.plan)
    if blocks:
        yield f"max_epsilon: {_digits(stated_epsilon(blocks))}"
    for label, width in errors_of(blocks).items():
        if width is not None and "\n" not in label:
            yield f"max_error: {label} ±{_digits(width)}"
    if blocks:
        yield f"accounts: {', '.join(sorted(accounts_of(blocks)))}"


def _digits(number: Fraction) -> str:
    """Three significant digits, rounded up, without an exponent."""
    rounded = _UP.divide(Decimal(number.numerator), Decimal(number.denominator))
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

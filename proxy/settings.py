"""The session settings `SET dp.…`: names, meanings, defaults and how their values are read (attack 31)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal, cast, get_args

from proxy.errors import InvalidSettingError
from proxy.policy.durations import duration
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.logins import logins
from proxy.policy.model import LARGEST_MAX_ROWS, Calibration, Mechanism, Policy

_CALIBRATIONS: tuple[str, ...] = get_args(Calibration)

LEAST_EPSILON = Fraction(1, 10**9)
"""Below it the noise no longer fits the types of the answers."""


@dataclass(frozen=True)
class MaxError:
    """How far 95 % of the noise of a number may go: by `amount`, or if `is_share` by that share of the number."""

    amount: Fraction
    is_share: bool


USUAL_ERROR = MaxError(Fraction(1, 5), is_share=True)
"""What dp.reliable tells where neither the call nor dp.max_error says how much noise is too much."""


@dataclass(frozen=True)
class QuerySettings:
    """A session's settings for its queries; None leaves a value to the policy.

    Attributes:
        epsilon: price of each released block.
        mechanism: kind of noise.
        max_rows: contribution bound M.
        max_rows_per_group: contribution bound m.
        max_groups: groups that a unit helps to select.
        notices: send a NOTICE with each price.
        empty_groups: show declared groups that look empty, or hide them.
        delta: stated together with epsilon for each released block.
        calibration: how Gaussian noise is calibrated to a stated delta.
        consistency: make the numbers of several grouping sets add up, or show them as they were released.
        max_error: numbers with more noise are shown as NULL.
        max_price: the most of an account's whole budget that a statement may cost.
        error: how far 95 % of the noise may go; it chooses epsilon.
        error_share: the same as a share of numbers that were released before.
        digits: round numbers to the digits that their noise leaves meaningful.
        recall: the greatest age of answers that are recalled; 0 if every question is asked anew.
    """

    epsilon: Fraction | None = None
    mechanism: Mechanism | None = None
    max_rows: int | None = None
    max_rows_per_group: int | None = None
    max_groups: int | None = None
    notices: bool = True
    empty_groups: Literal["show", "hide"] = "show"
    delta: Fraction | None = None
    calibration: Calibration | None = None
    consistency: bool = True
    max_error: MaxError | None = None
    max_price: Fraction | None = None
    error: Fraction | None = None
    digits: bool = False
    recall: dt.timedelta | None = None
    error_share: Fraction | None = None


@dataclass(frozen=True)
class Setting:
    """One setting: its default as SHOW prints it ('' means the policy's), its meaning, and its reader."""

    default: str
    meaning: str
    read: Callable[[str], object]


def _number(text: str) -> Fraction:
    # The pattern keeps out NaN, Infinity and exponents whose exact value would fill the memory.
    if not re.fullmatch(r"\+?(\d{1,40}(\.\d{0,60})?|\.\d{1,60})([eE][+-]?\d{1,2})?", text, re.ASCII):
        raise ValueError
    return Fraction(Decimal(text))


def _epsilon(text: str) -> Fraction:
    value = _number(text)
    if value < LEAST_EPSILON:
        raise ValueError
    return value


def _delta(text: str) -> Fraction:
    value = _number(text)
    if not 0 < value < 1:
        raise ValueError
    return value


def _max_error(text: str) -> MaxError:
    is_share = text.endswith("%")
    value = _number(text.removesuffix("%").rstrip().removeprefix("±"))
    if value <= 0:
        raise ValueError
    return MaxError(value / 100 if is_share else value, is_share)


def _percentage(text: str) -> Fraction:
    value = _number(text.removesuffix("%").rstrip()) / 100
    if not text.endswith("%") or not 0 < value <= 1:
        raise ValueError
    return value


def _recalled(text: str) -> dt.timedelta:
    value = dt.timedelta() if text.lower() == "off" else duration(text)
    if value is None or value < dt.timedelta():
        raise ValueError
    return value


def _whole_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= LARGEST_MAX_ROWS:
        raise ValueError
    return int(text)


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError
        return text.lower()

    return read


def _digits(text: str) -> bool:
    return text.lower() == "auto" or _switch(text)


def _switch(text: str) -> bool:
    return _one_of("on", "off", "true", "false", "yes", "no", "1", "0")(text) in ("on", "true", "yes", "1")


SETTINGS: dict[str, Setting] = {
    "dp.epsilon": Setting("", "price of each released block, a positive number", _epsilon),
    "dp.mechanism": Setting("", "auto, gaussian or laplace", _one_of("auto", "gaussian", "laplace")),
    "dp.max_rows": Setting("", f"most rows of one unit in a query, 1 to {LARGEST_MAX_ROWS}", _whole_number),
    "dp.max_rows_per_group": Setting("", f"most rows of one unit in a group, 1 to {LARGEST_MAX_ROWS}", _whole_number),
    "dp.max_groups": Setting("", f"most groups that one unit helps to select, 1 to {LARGEST_MAX_ROWS}", _whole_number),
    "dp.delta": Setting("", "delta that each block states beside epsilon, between 0 and 1", _delta),
    "dp.calibration": Setting("", "zcdp, analytic or classic: noise for a stated delta", _one_of(*_CALIBRATIONS)),
    "dp.notices": Setting("on", "on or off: a notice with each price", _switch),
    "dp.empty_groups": Setting("show", "show or hide declared groups that look empty", _one_of("show", "hide")),
    "dp.consistency": Setting("on", "on or off: totals of ROLLUP, CUBE and GROUPING SETS add up", _switch),
    "dp.max_error": Setting("", "numbers with more noise are NULL: a share as in '20 %', or a number", _max_error),
    "dp.max_price": Setting("", "most of an account's budget that a statement may cost, as in '2 %'", _percentage),
    "dp.error": Setting(
        "",
        "how far 95 % of the noise of counts and sums may go, as in 100, or '2 %' of what they were before; it "
        "chooses dp.epsilon",
        _max_error,
    ),
    "dp.digits": Setting("off", "on (auto) or off: round numbers to the digits that the noise leaves", _digits),
    "dp.recall": Setting("", "off, or the greatest age of answers that are recalled, as in '1 hour'", _recalled),
}


def read_settings(texts: Mapping[str, str]) -> QuerySettings:
    """Settings from their values as text, by full name; '' and missing ones are the defaults.

    Raises:
        InvalidSettingError: a value outside the setting's domain.
    """
    values = {name: check_setting(name, texts.get(name) or setting.default) for name, setting in SETTINGS.items()}
    error = cast("MaxError | None", values["dp.error"])
    return QuerySettings(
        cast("Fraction | None", values["dp.epsilon"]),
        cast("Mechanism | None", values["dp.mechanism"]),
        cast("int | None", values["dp.max_rows"]),
        cast("int | None", values["dp.max_rows_per_group"]),
        cast("int | None", values["dp.max_groups"]),
        bool(values["dp.notices"]),
        cast('Literal["show", "hide"]', values["dp.empty_groups"]),
        cast("Fraction | None", values["dp.delta"]),
        cast("Calibration | None", values["dp.calibration"]),
        bool(values["dp.consistency"]),
        cast("MaxError | None", values["dp.max_error"]),
        cast("Fraction | None", values["dp.max_price"]),
        error.amount if error is not None and not error.is_share else None,
        bool(values["dp.digits"]),
        cast("dt.timedelta | None", values["dp.recall"]),
        error.amount if error is not None and error.is_share else None,
    )


_STARTUP_OPTION = re.compile(r"(?:^|\s)(?:-c\s*|--)(dp\.[^\s=]*)=(\S*)", re.IGNORECASE)


def check_startup(parameters: Mapping[str, str]) -> None:
    """Refuse a session that sets an unknown setting: Postgres would accept any name with a dot, and the session would
    run at other prices than its user thinks. Values are checked where they are used, as with set_config().

    Args:
        parameters: of the startup packet; `options` is as in psql's PGOPTIONS.

    Raises:
        InvalidSettingError: there is no such setting.
    """
    options = _STARTUP_OPTION.findall(parameters.get("options", ""))
    for name in [*parameters, *(name.replace("-", "_") for name, _ in options)]:
        if name.lower().startswith("dp.") and name.lower() not in SETTINGS:
            check_setting(name, "")


def wants_notices(parameters: Mapping[str, str]) -> bool:
    """Does a startup packet leave dp.notices on?"""
    options = {name.lower(): text for name, text in _STARTUP_OPTION.findall(parameters.get("options", ""))}
    text = parameters.get("dp.notices", options.get("dp.notices", "on"))
    return text.strip().lower() not in ("off", "false", "no", "0")


def check_analyst_settings(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What the policy sets for the sessions of a login are settings with values in their domains."""
    for place, _, login in logins(policy):
        for name, text in login.settings.items():
            try:
                check_setting(name, text)
            except InvalidSettingError as error:
                path = (*place, "settings", name)
                yield source_map.error("DP216", path, str(error), error.hint or "see the table of settings")


def check_setting(name: str, text: str) -> object:
    """The value of one setting, from its text; None for ''.

    Raises:
        InvalidSettingError: an unknown name or a value outside the domain.
    """
    setting = SETTINGS.get(name)
    if setting is None:
        raise InvalidSettingError(
            f'unrecognized setting "{name}"', hint=f"Available settings are {', '.join(SETTINGS)}.", rule="setting-name"
        )
    if text == "":
        return None
    try:
        return setting.read(text.strip())
    except (ValueError, InvalidOperation):
        raise InvalidSettingError(
            f'invalid value for setting "{name}": {text[:40]!r}',
            hint=f"{name}: {setting.meaning}.",
            rule="setting-value",
        ) from None

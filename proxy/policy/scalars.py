"""Scalars of a policy file: ${VARIABLES}, ${file:SECRETS}, exact numbers, real dates (decision 8).

Numbers are read from their text, never through a float: a budget of 1e-6 is exactly that, and sums of multiples of a
step of 0.01 stay exact.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final

Scalar = None | bool | int | Decimal | dt.date | str

_VARIABLE: Final = re.compile(
    r"""\$(?: (?P<dollar>\$)
           | \{ file: (?P<file>/[^${}]*) \}
           | \{ (?P<name>[A-Za-z_][A-Za-z0-9_]*) (?: :- (?P<default>[^${}]*) )? \}
           | (?P<broken>\{) )""",
    re.VERBOSE,
)

_WORDS: Final[Mapping[str, Scalar]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]")
_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIMESTAMP: Final = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ].+")

# Numbers are exact throughout, so one with a billion digits must not get in.
_LONGEST_NUMBER: Final = 100
_LARGEST_EXPONENT: Final = 300
_LARGEST_SECRET: Final = 64 << 10


class UnreadableScalarError(Exception):
    """A scalar that is none of the policy's types.

    Args:
        message: what is wrong.
        hint: what would be right.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UnsetVariableError(UnreadableScalarError):
    """A variable that has neither a value nor a default, or a secret's file that cannot be read."""


def substitute(text: str, environment: Mapping[str, str]) -> str:
    """Replace `${NAME}` and `${NAME:-default}` (used where NAME is not set or empty), and `${file:/path}` by what is in
    the file, without the end of its last line; `$$` is a dollar sign.

    Raises:
        UnsetVariableError: a name is not set, or a file cannot be read.
        UnreadableScalarError: a file has no text, or a `${` is not a variable. The text is never shown, since it may be
            secret.
    """

    def replacement(match: re.Match[str]) -> str:
        if match["dollar"]:
            return "$"
        if match["file"]:
            return _secret(Path(match["file"]))
        if match["broken"]:
            hint = "write ${NAME}, ${NAME:-default} or ${file:/path}, and $${ where the characters are meant"
            raise UnreadableScalarError("'${' does not start a variable", hint)
        value = environment.get(match["name"])
        if match["default"] is not None:
            return value or match["default"]
        if value is None:
            name = match["name"]
            hint = f"export {name}=… before starting dpproxy, or give a default with ${{{name}:-…}}"
            raise UnsetVariableError(f"the environment variable {name} is not set", hint)
        return value

    return _VARIABLE.sub(replacement, text)


def text_without_variables(text: str, instead: str) -> str:
    """A scalar as its file has it, with `instead` for what variables say; a default is part of the file.

    Args:
        text: a scalar that `substitute` accepts.
        instead: what stands for the value of a variable, or of a secret's file.
    """

    def replacement(match: re.Match[str]) -> str:
        return "$" if match["dollar"] else match["default"] or instead

    return _VARIABLE.sub(replacement, text)


def _secret(path: Path) -> str:
    """What a file has, as container engines and Kubernetes mount secrets."""
    hint = "name a text file that dpproxy's user may read, as engines mount secrets: ${file:/run/secrets/NAME}"
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_SECRET + 1)
    except OSError as error:
        raise UnsetVariableError(f"the file {path} cannot be read: {error.strerror}", hint) from None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise UnreadableScalarError(f"the file {path} is not UTF-8 text", hint) from None
    if len(data) > _LARGEST_SECRET:
        raise UnreadableScalarError(f"the file {path} has more than {_LARGEST_SECRET} bytes", hint)
    return text.removesuffix("\n").removesuffix("\r")


def read_scalar(text: str) -> Scalar:
    """The value of an unquoted YAML 1.2 scalar, with exact numbers and real dates.

    Raises:
        UnreadableScalarError: it looks like a number or a date, but is none that a policy can hold.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _NOT_FINITE.fullmatch(text):
        raise UnreadableScalarError("not a number that can be paid or measured", "write a finite number, such as 1e12")
    if _NUMBER.fullmatch(text):
        return _read_number(text)
    if _DATE.fullmatch(text) or _TIMESTAMP.fullmatch(text):
        return _read_date(text)
    return text


def _read_number(text: str) -> int | Decimal:
    if _LEADING_ZERO.match(text):
        hint = f'write "{text}" if it is text, or leave out the zero'
        raise UnreadableScalarError(f"{text} starts with a zero", hint)
    number = Decimal(text) if len(text) <= _LONGEST_NUMBER else None
    if number is None or abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise UnreadableScalarError(
            "the number is out of range", f"stay between 1e-{_LARGEST_EXPONENT} and 1e{_LARGEST_EXPONENT}"
        )
    return int(text) if _INTEGER.fullmatch(text) else number


def _read_date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text) if _DATE.fullmatch(text) else dt.datetime.fromisoformat(text)
    except ValueError:
        hint = "write dates as 2024-01-31 and timestamps as 2024-01-31T12:00:00Z; quote it if it is text"
        raise UnreadableScalarError(f"{text} is not a date", hint) from None

"""What an expression tells of the columns in it, as id::text, 'C-' || id, md5(id::text), coalesce(a.id, b.id) do.

Grouping by one of them is grouping by the column. Surrogate keys of models and casts of identifiers are written so.
Every function of a column and constants tells it but those that are known to give many values of the column one result,
as left(code, 2), id / 100, id % 10, a part of a date or a truth value do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import reduce
from typing import Final, TypeVar

from sqlglot import exp

from proxy.sql.nodes import find, find_all, walk
from proxy.sql.plain_postgres import Plus
from proxy.sql.trees.aggregate_calls import is_aggregate_call

_Known = TypeVar("_Known")

_SHARED = frozenset(
    "age array_length ascii cardinality char_length character_length date date_bin date_part date_trunc gcd isfinite "
    "json_array_length json_extract_path json_extract_path_text json_typeof jsonb_array_length jsonb_extract_path "
    "jsonb_extract_path_text jsonb_typeof length mod octet_length regexp_count regexp_instr regexp_like regexp_match "
    "regexp_split_to_array regexp_substr sign split_part starts_with strpos to_date width_bucket".split()
)
"""Functions of which many values can have one result."""
_CUTS = frozenset({"left", "right", "substr", "substring"})
_PADS = frozenset({"lpad", "rpad", "to_char", "to_number"})
_TRIMS = frozenset({"btrim", "ltrim", "rtrim"})
_ROUNDS = frozenset({"ceil", "ceiling", "floor", "round", "trunc"})
_SHRINKS = frozenset({"cbrt", "ln", "log", "log10", "sqrt"})
"""Functions after which rounding gives many values one result."""

_SHORT: Final = 6
"""Texts cut to fewer characters can be shared by many, even those of hashes, and so can numbers of fewer digits."""
_LONG: Final = 20
"""No integer has more characters, and what texts have in common at their beginning is seldom as long."""
_APART: Final = 16
"""Digits of a hash that tell any two values apart, as long as there are fewer than a billion."""
_FEW: Final = 2
"""Characters before an identifier, or letters and digits that are left out of one, after which hardly two are one."""
_DIGITS = re.compile(r"(?:FM)?[09,.]+", re.IGNORECASE)
_SIGNS = re.compile(r"(?:[-_ /:#]|\[[-_ /:#]+\]|\\[sWD]|\[\^0-9\])\+?")
"""Patterns of signs, blanks and whatever is no digit."""
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR, exp.DType.BPCHAR})
_EXACT = frozenset(
    {exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.TEXT, exp.DType.VARCHAR}
)
_INTEGERS = frozenset({exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT})
_WHOLE = frozenset({exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.UUID})


def told(node: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    """What is known of the columns whose values an expression tells, or nearly so.

    Args:
        node: of any kind.
        known: what a column tells.
    """
    node = node.unnest()
    if isinstance(node, exp.Column):
        return known(node)
    if isinstance(node, exp.Cast):
        return told(node.this, known) if _is_spelled_by(node) else frozenset()
    if isinstance(node, exp.DPipe):
        return _of_any(node.this, node.expression, known=known)
    if isinstance(node, exp.Binary):
        return _of_arithmetic(node, known)
    if isinstance(node, exp.Case):
        results = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default") or exp.Null()]
        return _of_all(*(result for result in results if not isinstance(result.unnest(), exp.Null)), known=known)
    if isinstance(node, exp.Trim):
        return told(node.this, known) if _drops_little(node.args.get("expression")) else frozenset()
    if isinstance(node, exp.Substring):
        return told(node.this, known) if _keeps_enough("substr", node.this, _limits(node)) else frozenset()
    if isinstance(node, (exp.Neg, exp.Sqrt, exp.Cbrt, exp.AtTimeZone, Plus)):
        return told(node.this, known)
    return _of_call(node, known) if isinstance(node, exp.Anonymous) else frozenset()


def _of_arithmetic(node: exp.Binary, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    left, right = told(node.this, known), told(node.expression, known)
    size = _size(node.expression)
    is_zero = isinstance(node, exp.Mul) and 0 in (size, _size(node.this))
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul)) and (left or right) and not is_zero:
        # Many pairs have one difference, and id - id % 100 is that of a hundred.
        read = (any(map(known, find_all(side, exp.Column))) for side in (node.this, node.expression))
        return frozenset() if all(read) else left | right
    if isinstance(node, exp.Div):
        # Of integers, the quotient is whole.
        divisor = node.expression.unnest()
        apart = size and (size <= 1 or (isinstance(divisor, exp.Literal) and "." in divisor.name))
        return left if apart else frozenset()
    return left if isinstance(node, exp.Pow) and size else frozenset()


def _of_call(node: exp.Anonymous, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    name, arguments = node.name.lower(), node.expressions
    if name in ("concat", "concat_ws"):
        return _of_any(*arguments, known=known)
    if name in ("coalesce", "greatest", "least"):
        return _of_all(*(argument for argument in arguments if not is_constant(argument)), known=known)
    if name == "nullif":
        return _of_any(*arguments[:1], known=known)
    if name in _SHARED or is_aggregate_call(node):
        return frozenset()
    varying = [argument for argument in arguments if find(argument, exp.Column) is not None]
    if len(varying) != 1:
        return frozenset()
    constants = [argument.unnest() for argument in arguments if argument is not varying[0]]
    return told(varying[0], known) if _keeps_apart(name, varying[0], constants) else frozenset()


def _keeps_apart(name: str, argument: exp.Expr, constants: Sequence[exp.Expr]) -> bool:
    """Does a function of one argument and constants leave most values of it apart?"""
    if name in _CUTS:
        return _keeps_enough(name, argument, constants)
    if name in _PADS:
        return _shows_all(constants) and not _is_shrunk(argument)
    if name in _TRIMS:
        return all(map(_drops_little, constants))
    if name in _ROUNDS:
        return not any(isinstance(node, exp.Neg) for node in constants) and not _is_shrunk(argument)
    if name == "div":
        return all((_size(node) or 2) <= 1 for node in constants)
    if name == "translate":
        old, new = (*(node.name for node in constants), "", "")[:2]
        return _drops_little(exp.Literal.string(old[len(new) :]))
    if name == "regexp_replace":
        return all(_SIGNS.fullmatch(node.name) is not None for node in constants[:1])
    return name != "to_timestamp" or not constants  # With a format it cuts a text.


def merged_columns(node: exp.Expr) -> tuple[exp.Column, ...]:
    """The arguments of coalesce(), if all are columns; none for all else."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "coalesce":
        return ()
    columns = [argument.unnest() for argument in node.expressions]
    found = tuple(column for column in columns if isinstance(column, exp.Column))
    return found if len(found) == len(columns) else ()


def is_exact_constant(node: exp.Expr) -> bool:
    """Is it a literal, as it stands or of a type that is exact? With such ones, columns are compared without a loss."""
    node = node.unnest()
    if isinstance(node, exp.Neg):
        return is_exact_constant(node.this)
    if isinstance(node, exp.Cast):
        return node.to.this in _EXACT and not node.to.expressions and is_exact_constant(node.this)
    return isinstance(node, exp.Literal)


def is_constant(node: exp.Expr) -> bool:
    """Is it a constant as it stands, perhaps negative or with its type?"""
    node = node.unnest()
    if isinstance(node, (exp.Neg, exp.Cast)):
        return is_constant(node.this)
    return isinstance(node, (exp.Literal, exp.Null))


def concatenated(node: exp.Expr) -> Iterator[exp.Expr]:
    """The operands of || and concat(), from left to right; of another expression itself."""
    node = node.unnest()
    if isinstance(node, exp.DPipe):
        yield from concatenated(node.this)
        yield from concatenated(node.expression)
    elif isinstance(node, exp.Anonymous) and node.name.lower() == "concat":
        for argument in node.expressions:
            yield from concatenated(argument)
    else:
        yield node


def hashed_by(node: exp.Expr) -> exp.Expr | None:
    """What md5() is called of, as a whole or cut to so many digits that no two of its values share them; None of all
    else."""
    node = node.unnest()
    name, arguments = (node.name.lower(), node.expressions) if isinstance(node, exp.Anonymous) else ("", [])
    if name == "md5" and len(arguments) == 1:
        return arguments[0]  # type: ignore[no-any-return]
    if isinstance(node, exp.Substring):
        name, arguments = "substr", [node.this, *_limits(node)]
    whole = name == "left" or (name == "substr" and len(arguments) == 3 and arguments[1].name == "1")
    cut = whole and _is_whole_number(arguments[-1]) and int(arguments[-1].name) >= _APART
    return hashed_by(arguments[0]) if cut else None


def length_of(to: exp.DataType) -> int | None:
    """The n of varchar(n) and its like; None if there is none."""
    if not to.expressions:
        return None
    given = to.expressions[0].this if isinstance(to.expressions[0], exp.DataTypeParam) else to.expressions[0]
    return int(given.name) if given.name.isdigit() else 0


def _is_spelled_by(cast: exp.Cast) -> bool:
    """Does a cast show all, or nearly all, of a value?"""
    to, length = cast.to, length_of(cast.to)
    if to.this in _TEXTS:
        return length is None or length >= _SHORT
    if to.this in _INTEGERS or (to.this is exp.DType.DECIMAL and to.expressions):
        return not _is_shrunk(cast.this)
    return to.this in _WHOLE


def _keeps_enough(name: str, text: exp.Expr, constants: Sequence[exp.Expr]) -> bool:
    """Does a cut leave so much of a text, or of a hash, that hardly two share it?"""
    numbers = [int(node.name) for node in constants if _is_whole_number(node)]
    if name == "right" and constants and isinstance(constants[0], exp.Neg):
        return _is_whole_number(constants[0].this) and int(constants[0].this.name) <= _FEW
    if len(numbers) != len(constants) or not numbers:
        return False
    if name not in ("left", "right") and len(numbers) == 1:
        return numbers[0] <= 1 + _FEW
    return numbers[-1] >= (_LONG if hashed_by(text) is None else _SHORT)


def _limits(node: exp.Substring) -> list[exp.Expr]:
    return [node.args[name].unnest() for name in ("start", "length") if node.args.get(name) is not None]


def _drops_little(characters: exp.Expr | None) -> bool:
    """Are characters that are left out of a text blanks and signs, and no more than few letters and digits?"""
    if characters is None:
        return True
    return isinstance(characters, exp.Literal) and sum(map(str.isalnum, set(characters.name))) <= _FEW


def _is_shrunk(node: exp.Expr) -> bool:
    """Is it computed by steps that bring values closer than whole numbers are?"""
    return any(map(_shrinks, walk(node)))


def _shrinks(node: exp.Expr) -> bool:
    if isinstance(node, exp.Div):
        return (_size(node.expression) or 2) > 1
    if isinstance(node, exp.Mul):
        return any(size is not None and size < 1 for size in (_size(node.this), _size(node.expression)))
    named = isinstance(node, exp.Anonymous) and node.name.lower() in _SHRINKS
    return named or isinstance(node, (exp.Sqrt, exp.Cbrt))


def _size(node: exp.Expr) -> Decimal | None:
    """How far a constant is from zero; None for what is no number."""
    node = node.unnest()
    if isinstance(node, (exp.Neg, exp.Cast)):
        return _size(node.this)
    return Decimal(node.name) if isinstance(node, exp.Literal) and _NUMBER.fullmatch(node.name) else None


def _is_whole_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()


def _shows_all(arguments: Sequence[exp.Expr]) -> bool:
    """Is a length, or a format of numbers, wide enough for the whole value?"""
    given = arguments[0].unnest() if arguments else None
    if not isinstance(given, exp.Literal):
        return False
    return (
        bool(_DIGITS.fullmatch(given.name)) if given.is_string else given.name.isdigit() and int(given.name) >= _SHORT
    )


def _of_any(*nodes: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    return frozenset[_Known]().union(*(told(node, known) for node in nodes))


def _of_all(*nodes: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    found = [told(node, known) for node in nodes]
    return reduce(frozenset.intersection, found) if found else frozenset()

"""min, max, percentiles and mode: values that the exponential mechanism chose (theorem 11, `planning.choices`)."""

from __future__ import annotations

import re
from fractions import Fraction

from sqlglot import exp

from proxy.policy.catalog import MOST_TEXTS
from proxy.sql.plain_postgres import excerpt
from proxy.sql.planning.aggregates.calls import AskedChoice, Call
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.aggregates.missing_bounds import without_bounds
from proxy.sql.planning.buckets import Buckets, limited_buckets, moment_buckets, number_buckets, text_buckets
from proxy.sql.planning.choices import ModeChoice, QuantileChoice, in_cell
from proxy.sql.planning.date_limits import date_limits, definition_of
from proxy.sql.planning.domains import declared_domain
from proxy.sql.planning.sums_of_units import bounds_of_sum
from proxy.sql.planning.value_sets import declared_texts
from proxy.sql.refusal import refused, unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.terms import costs
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.casts import target_type
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.types import BIGINT, BPCHAR, TEXT, Kind, hint_of
from proxy.sql.terms.work import accounted

_MOST_FRACTIONS = 100
_FINEST_FRACTION = 10**15
_FRACTION = re.compile(r"([0-9]{1,5}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE]-?[0-9]{1,2})?", re.ASCII)


class Extreme(ChosenValue):
    """The least or greatest value."""

    names = spelled = ("min", "max")

    @classmethod
    def ask(cls, call: Call) -> AskedChoice:
        (node,) = call.arguments()
        if isinstance(node, exp.Distinct) and len(node.expressions) == 1:
            node = node.expressions[0]  # the least of distinct values is the least
        choice = _quantiles(call, node, [Fraction(call.name == "max")])
        return cls.asking(call, choice, in_cell(choice.value))


class Percentile(ChosenValue):
    """The value that a fraction of the rows does not exceed, or one for each of several fractions."""

    names = ("percentile_cont", "percentile_disc")
    spelled = ("percentile_…",)
    within_group = True

    @classmethod
    def ask(cls, call: Call) -> AskedChoice:
        ordered = _ordered_by(call)
        fractions, is_array = _fractions(call)
        descending, interpolated = bool(ordered.args.get("desc")), call.name == "percentile_cont"
        choice = _quantiles(
            call, ordered.this, fractions, descending=descending, interpolated=interpolated, measured=not is_array
        )
        return cls.asking(call, choice, in_cell(choice.value), is_array=is_array)


class Median(ChosenValue):
    """percentile_cont(0.5) under the name that extensions give it."""

    names = ("median",)
    spelled = ()

    @classmethod
    def ask(cls, call: Call) -> AskedChoice:
        (node,) = call.arguments()
        choice = _quantiles(call, node, [Fraction(1, 2)], interpolated=True)
        return cls.asking(call, choice, in_cell(choice.value))


class Mode(ChosenValue):
    """One of the declared values."""

    names = spelled = ("mode",)
    within_group = True

    @classmethod
    def ask(cls, call: Call) -> AskedChoice:
        node = _ordered_by(call).this
        value = grouping_term(node, call.compiled(node))
        candidates = declared_domain([node], call.where, call.relation) if value.kind is not Kind.UNKNOWN else None
        if candidates is None:
            raise refused(
                call.node,
                "mode() requires declared values, but this expression has none",
                rule="undeclared-mode",
                detail="The answer is chosen from all declared values, so that it is not simply the value of one "
                "privacy unit.",
                hint="SELECT x, count(*) … GROUP BY x ORDER BY 2 DESC LIMIT 1 shows the most frequent of the values "
                "that many share; dp.columns lists the columns with declared values.",
            )
        return cls.asking(call, ModeChoice(value, call.filter_sql, candidates), value)


def _ordered_by(call: Call) -> exp.Ordered:
    """The expression of WITHIN GROUP (ORDER BY …).

    Raises:
        UnsupportedError: there are several.
    """
    ordered = call.function.expression.expressions
    if len(ordered) != 1:
        raise unsupported(call.node, f"{call.name}() takes one expression in ORDER BY", rule="aggregate")
    only: exp.Ordered = ordered[0]
    return only


def _quantiles(
    call: Call,
    written: exp.Expr,
    fractions: list[Fraction],
    *,
    descending: bool = False,
    interpolated: bool = False,
    measured: bool = True,
) -> QuantileChoice:
    """The choice of these fractions of a value; of the seconds of an interval, where it is `measured`."""
    node = call.measured(written) if measured else written
    value = call.compiled(node)
    assumed = bounds_of_sum(node, call.relation) if value.type.is_number and value.bounds is None else None
    if assumed is not None:
        value = replace(value, bounds=assumed)
    texts, enum = _texts(node, value, call.relation), value.type.foreign
    if texts:
        # Postgres shows character(n) with its blanks.
        shown = tuple(text.ljust(value.type.length or 0) for text in texts)
        value = _place(node, value, texts)
        buckets = text_buckets(value, shown, enum)
    else:
        buckets = _buckets(call, written, node, value)
    wanted = tuple(1 - fraction for fraction in fractions) if descending else tuple(fractions)
    if interpolated and value.type.is_number and not set(wanted) <= {0, 1}:  # at the ends there is nothing between
        return QuantileChoice(value, call.filter_sql, buckets, wanted, interpolated=True, assumed=assumed)
    return QuantileChoice(value, call.filter_sql, buckets, wanted, descending, assumed=assumed)


def _texts(node: exp.Expr, value: Term, relation: Relation) -> tuple[str, ...]:
    """The declared texts that it is chosen from; none if it is no such text, or has too many."""
    if value.kind is not Kind.TEXT or (value.type.name == BPCHAR.name and value.type.length is None):
        return ()
    texts = _declared_texts(node, relation)
    return texts if len(texts) <= MOST_TEXTS else ()


def _place(node: exp.Expr, value: Term, texts: tuple[str, ...]) -> Term:
    """The place of a row's text among the declared ones; NULL for another text."""
    value = grouping_term(node, value)
    constants = [Term(quote_literal(text), TEXT, False, literal=text, constant=True, size=len(text)) for text in texts]
    places = " ".join(f"WHEN {constant.sql} THEN {place}" for place, constant in enumerate(constants))
    bounds, one = Bounds(Fraction(0), Fraction(len(texts) - 1)), Fraction(1)
    place = Term(f"(CASE {value.sql} {places} END)", BIGINT, True, bounds, one, one)
    return accounted(exp.EQ(this=node.copy()), place, [value, *constants], costs.comparison)


def _declared_texts(node: exp.Expr, relation: Relation) -> tuple[str, ...]:
    """The declared texts of a column, or of a cast of one to text; of character(n) without blanks."""
    bare = node.unnest()
    if isinstance(bare, exp.Cast):
        to, name = target_type(bare)
        is_kept = to.kind is Kind.TEXT and name in ("text", "character varying")
        # The labels of an enum are ordered as texts then.
        return tuple(sorted(_declared_texts(bare.this, relation))) if is_kept else ()
    if not isinstance(bare, exp.Column):
        return ()
    origin = relation.origin(bare)
    definition = definition_of(origin)
    if definition is not None:
        return _declared_texts(*definition)
    type_ = origin.term().type
    if type_.kind is not Kind.TEXT:
        return ()
    texts = declared_texts(origin)
    return tuple(sorted({text.rstrip(" ") for text in texts})) if type_.name == BPCHAR.name else texts


_LARGEST_FLOAT = 10**300


def _buckets(call: Call, written: exp.Expr, node: exp.Expr, value: Term) -> Buckets:
    if value.type.is_number and value.bounds is not None:
        if value.kind is Kind.FLOAT and value.bounds.magnitude > _LARGEST_FLOAT:
            raise unsupported(
                call.node,
                f"the bounds of this {call.name}() are too wide",
                rule="magnitude",
                hint="Bound what is aggregated, as in least(greatest(…, 0), 100), or multiply fewer columns.",
            )
        return number_buckets(value)
    if value.type.is_datetime:
        limits = date_limits(node, call.relation, call.where)
        if limits is not None:
            return limited_buckets(value, limits)
        own = moment_buckets(value, value.bounds) if value.bounds is not None else None
        if own is not None:
            return own
    elif not value.type.is_number:
        raise unsupported(
            call.node,
            f"{excerpt(call.node)} of {value.type.name} is not supported",
            rule="aggregate-type",
            detail="The answer would be the value of one privacy unit.",
            hint="Of an interval, aggregate its seconds: extract(epoch FROM …); make_interval(secs => …) makes an "
            "interval of the answer."
            if value.kind is Kind.INTERVAL
            else hint_of(
                [value.type],
                "Numbers, dates and timestamps with bounds have minimum, maximum and percentiles, and so have texts "
                f"whose values the policy lists or public rows have, if they are at most {MOST_TEXTS}; a column with "
                "declared values has mode() WITHIN GROUP (ORDER BY …).",
            ),
        )
    raise without_bounds(
        call.node,
        [(written, call.compiled(written))],
        call.relation,
        "The answer is chosen from all values within the bounds, so that it is not simply the value of one privacy "
        "unit.",
    )


def _fractions(call: Call) -> tuple[list[Fraction], bool]:
    """The constants, and whether they were written as an array."""
    arguments = call.function.this.expressions
    if len(arguments) != 1:
        raise unsupported(call.node, f"{call.name}() takes one argument", rule="aggregate")
    argument = arguments[0].unnest()
    elements = constant_elements(argument) if not isinstance(argument, exp.Literal) else None
    nodes = [argument] if elements is None else elements
    fractions = [_fraction(call, call.compiled(_uncast(node))) for node in nodes]
    if not 1 <= len(fractions) <= _MOST_FRACTIONS:
        raise unsupported(
            call.node, f"{call.name}() takes 1 to {_MOST_FRACTIONS} fractions", rule="percentile-fraction"
        )
    return fractions, elements is not None


def _uncast(node: exp.Expr) -> exp.Expr:
    """A constant without casts to the type that fractions have anyway."""
    node = node.unnest()
    while isinstance(node, exp.Cast) and node.args["to"].this == exp.DataType.Type.DOUBLE:
        node = node.this.unnest()
    return node


def _fraction(call: Call, term: Term) -> Fraction:
    text = term.literal or ""
    fraction = Fraction(text) if _FRACTION.fullmatch(text) else None
    if fraction is None or fraction > 1 or fraction.denominator > _FINEST_FRACTION:
        raise unsupported(
            call.node,
            "percentiles require constant fractions between 0 and 1, with at most 15 digits",
            rule="percentile-fraction",
            hint="percentile_cont(0.5) WITHIN GROUP (ORDER BY x) is the median.",
        )
    return fraction

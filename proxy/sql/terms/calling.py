"""What handlers of calls and operators share: the number of arguments, constant arguments, refusals."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.plain_postgres import excerpt
from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.refusal import DRAWN_ANEW, SAMPLE_HINT, refused, subquery_refusal, unsupported
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_DRAWN = frozenset({"random", "random_normal", "gen_random_uuid", "uuid_generate_v4"})
_RUNNING_CLOCKS = frozenset({"clock_timestamp", "timeofday"})
_OF_SEVERAL_ROWS = frozenset(
    {
        "generate_series",
        "generate_subscripts",
        "json_array_elements",
        "json_array_elements_text",
        "json_each",
        "json_each_text",
        "json_object_keys",
        "jsonb_array_elements",
        "jsonb_array_elements_text",
        "jsonb_each",
        "jsonb_each_text",
        "jsonb_object_keys",
        "jsonb_path_query",
        "regexp_matches",
        "regexp_split_to_table",
        "string_to_table",
        "ts_stat",
        "unnest",
    }
)
"""Functions that Postgres does not mean to give one value for each row."""

_WORK_UNKNOWN = "How much work it is for a row must be known before the rows are."
_ELEMENTS = "Choose among constants by CASE x WHEN 1 THEN 'a' ELSE 'b' END, and look for an element by x = ANY (…)."
_RANGES = "Compare with both ends of a range: x >= low AND x < high; look for an element by x = ANY (…)."
_LISTS = "Write a list, as in (x, y) IN ((1, 2), (3, 4)) or x > ALL (ARRAY[1, 2])."
_INSTEAD: dict[type[exp.Expr], str] = {
    exp.MatchAgainst: "Search texts by ILIKE '%word%', or by a regular expression: x ~* 'word'; those of a public "
    "table also in a list of its keys, as in key IN (SELECT key FROM table WHERE x @@ y GROUP BY key).",
    exp.ArrayContainedBy: _RANGES,
    exp.ArrayContainsAll: _RANGES,
    exp.ArrayOverlaps: _RANGES,
    exp.In: _LISTS,
    exp.Values: _LISTS,
    exp.Array: _ELEMENTS,
    exp.Bracket: _ELEMENTS,
}
"""What to write instead of operators that are not on the list."""
_CAST_TEXTS = "Cast the text, as in x::date or x::numeric; a text that is none is NULL then."
_CALLED_INSTEAD = {
    "format": "Write concat(x, '-', y).",
    "to_date": _CAST_TEXTS,
    "to_number": _CAST_TEXTS,
    "hashtext": "md5(x) is supported; of whole numbers, x % 10.",
    "hashtextextended": "md5(x) is supported; of whole numbers, x % 10.",
}
"""What to write instead of functions that are not on the list."""
_FAMILIES_INSTEAD = {
    "array_": "Look for an element by 'a' = ANY (x), or take one by its place: x[1].",
    "json": "Read a member by x -> 'a' ->> 'b'; of a jsonb ask whether one is there by x ? 'a' or x -> 'a' ? 'b'.",
    "num_n": "Add them up: CASE WHEN x IS NULL THEN 1 ELSE 0 END + CASE WHEN y IS NULL THEN 1 ELSE 0 END.",
}
"""The same, by the beginnings of their names: their results are of rows, and nothing like them is released."""

MOST_CONSTANT = 10_000
LONGEST_PATTERN = 200


def gives_several_rows(node: exp.Expr) -> bool:
    """Is it a call that Postgres does not mean to give one value for each row?"""
    if isinstance(node, (exp.Unnest, exp.Explode, exp.GenerateSeries)):
        return True
    return isinstance(node, exp.Anonymous) and node.name.lower() in _OF_SEVERAL_ROWS


def arguments_of(node: exp.Anonymous, compile_: Compile, least: int, most: int | None = None) -> list[Term]:
    """The compiled arguments; refuses a count outside [least, most]."""
    most = least if most is None else most
    if not least <= len(node.expressions) <= most:
        raise unsupported(
            node,
            f"{node.name.lower()}() with these arguments is not supported over private rows",
            rule="function",
            detail=f"It takes {least} {f'to {most} ' if most > least else ''}of them here.",
            hint="Leave out arguments that are optional.",
        )
    return [compile_(argument) for argument in node.expressions]


def constant_integer(node: exp.Expr, term: Term, least: int, most: int = MOST_CONSTANT) -> int:
    """The value of a constant whole number in [least, most]; refuses everything else."""
    literal = term.literal if term.kind in (Kind.INTEGER, Kind.UNKNOWN) else None
    if literal is None or not literal.lstrip("-").isdecimal() or not least <= int(literal) <= most:
        raise unsupported(
            node,
            f"{excerpt(node)} requires a constant integer from {least} to {most}",
            rule="constant-argument",
            detail=_WORK_UNKNOWN,
            hint="Write the number out; where it differs from row to row, write one call per number in a CASE.",
        )
    return int(literal)


def constant_text(node: exp.Expr, term: Term, what: str) -> str:
    """A constant text of at most 200 characters; refuses everything else."""
    if term.literal is None or term.kind not in (Kind.TEXT, Kind.UNKNOWN) or len(term.literal) > LONGEST_PATTERN:
        raise not_constant(node, f"{what} requires constant text")
    return term.literal


def not_constant(node: exp.Expr, message: str) -> Exception:
    """The refusal of an argument that has to be the same for all rows."""
    return unsupported(
        node,
        message,
        rule="constant-argument",
        detail=_WORK_UNKNOWN,
        hint="Write the constant out; where it differs from row to row, write one call per constant in a CASE.",
    )


def too_large(node: exp.Expr) -> Exception:
    """The refusal of a number that is larger than any that is computed with."""
    return unsupported(
        node,
        "this number is too large",
        rule="literal",
        detail="Constants have at most 200 characters and are at most 1e200, so that no row can make them overflow.",
        hint="Write a smaller number; what no value exceeds needs no comparison.",
    )


def not_allowed(node: exp.Expr) -> Exception:
    """The refusal of a construct that is not on the allow-list."""
    if isinstance(node, (exp.Subquery, exp.Exists, exp.Query)):
        return subquery_refusal(node)
    return unsupported(
        node,
        f"{excerpt(node)} is not supported over private rows",
        rule="not-allowed",
        detail="Only expressions that cannot fail on any row run on the private database.",
        hint=_INSTEAD.get(type(node))
        or "Arithmetic, comparisons, CASE, COALESCE, LIKE, date_trunc, extract and the like are supported.",
    )


def refusal_of_call(node: exp.Anonymous) -> Exception:
    """The refusal of a function that is not on the allow-list, or of an aggregate inside a row-level expression."""
    name = node.name.lower()
    if name in AGGREGATES:
        return refused(
            node,
            f"aggregate {name}() is not allowed inside another aggregate, in WHERE or in GROUP BY",
            rule="nested-aggregate",
            hint="Put the inner aggregate in a subquery in FROM and aggregate its result.",
        )
    if name in _DRAWN:
        return unsupported(
            node,
            f"the function {name}() is not supported over private rows",
            rule="function",
            detail=DRAWN_ANEW,
            hint=SAMPLE_HINT,
        )
    if name in _RUNNING_CLOCKS:
        return unsupported(
            node,
            f"the function {name}() is not supported over private rows",
            rule="function",
            detail="Its clock runs on while rows are read, so that it differs from row to row.",
            hint="Use now(), which is the same for all rows.",
        )
    if name in _OF_SEVERAL_ROWS:
        return unsupported(
            node,
            f"the function {name}(), which returns several rows, is not supported over private rows",
            rule="function",
            detail="How many rows it returns for each private row is unknown, and could depend on one privacy unit.",
            hint="To turn columns into rows, write CROSS JOIN LATERAL (VALUES ('a', t.a), ('b', t.b)) AS name (kind, "
            "value); elements of an array are listed in FROM, as in CROSS JOIN unnest(t.tags) AS tag, and so are rows "
            "of constants, as in CROSS JOIN unnest(ARRAY[1, 2]) AS n.",
        )
    return unsupported(
        node,
        f"the function {name}() is not supported over private rows",
        rule="function",
        detail="Only functions that cannot fail, run long or have side effects run on the private database.",
        hint=_CALLED_INSTEAD.get(name)
        or next((instead for start, instead in _FAMILIES_INSTEAD.items() if name.startswith(start)), None)
        or "Apply it to the released result: SELECT … FROM (SELECT … GROUP BY …) AS released.",
    )

"""When two parse trees of Postgres mean the same: a normal form for spellings that Postgres itself takes as equal.

Trees with the same normal form differ only in what Postgres's documentation or grammar defines as the same: negations
(`x NOT IN (…)` is `NOT x IN (…)`, also for NULL), defaults (NULLS LAST after ASC), words for operators (LIKE is ~~),
nesting of AND in AND. Everything else counts as different, so that what this module does not know is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from proxy.sql.grammar import Tree

_PLACES = frozenset({"location", "rexpr_list_start", "rexpr_list_end", "name_location", "list_start", "list_end"})


def normal_form(tree: Tree, *, located: bool = False) -> Tree:
    """The normal form of a parse tree.

    Args:
        tree: a tree of `proxy.sql.grammar`.
        located: keep `location`, for `first_difference`.
    """
    return _normal(tree, _PLACES - {"location"} if located else _PLACES)


def are_one(tree: Tree, other: Tree) -> bool:
    """Are two trees equal but for places? Then their normal forms are too, which take several times as long to make."""
    ours, theirs = [tree], [other]
    for one, another in zip(ours, theirs, strict=True):
        if one.__class__ is not another.__class__:
            return False
        if one.__class__ is dict:
            if one.keys() != another.keys() and one.keys() - _PLACES != another.keys() - _PLACES:
                return False
            for name, value in one.items():
                # Most values are leaves, which would make the lists twice as long.
                if value.__class__ is dict or value.__class__ is list:
                    if name not in _PLACES:
                        ours.append(value)
                        theirs.append(another[name])
                elif value != another.get(name) and name not in _PLACES:
                    return False
        elif one.__class__ is list:
            if len(one) != len(another):
                return False
            ours += one
            theirs += another
        elif one != another:
            return False
    return True


def _normal(tree: Tree, dropped: frozenset[str]) -> Tree:
    if isinstance(tree, list):
        return [_normal(item, dropped) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if len(tree) == 1 and "A_Const" in tree:
        # There are no places in the value itself.
        return _constant({name: value for name, value in tree["A_Const"].items() if name not in dropped})
    # Most values are leaves, and a call for each would take half of the time.
    plain = {
        name: _normal(value, dropped) if isinstance(value, (dict, list)) else value
        for name, value in tree.items()
        if name not in dropped
    }
    if "frameOptions" in plain:
        plain["frameOptions"] &= ~_BETWEEN
    if "typeName" in plain:
        plain["typeName"] = _type(plain["typeName"])
    if len(plain) == 1:
        ((kind, fields),) = plain.items()
        if kind in _RULES:
            return _RULES[kind](fields)
    return plain


def first_difference(expected: Tree, found: Tree, place: int | None = None) -> tuple[bool, int | None]:
    """Whether two located normal forms differ, and the location in `expected` of the smallest part that does."""
    if isinstance(expected, dict) and isinstance(found, dict):
        place = expected.get("location", place)
        if expected.keys() - {"location"} != found.keys() - {"location"}:
            return True, _own_place(expected, place)
        for name, value in expected.items():
            if name != "location":
                differs, where = first_difference(value, found[name], place)
                if differs:
                    return True, where
        return False, None
    if isinstance(expected, list) and isinstance(found, list):
        for left, right in zip(expected, found, strict=False):
            differs, where = first_difference(left, right, place)
            if differs:
                return True, where
        if len(expected) != len(found):
            return True, _own_place(expected[len(found) :], place)
        return False, None
    return expected != found, _own_place(expected, place)


def _own_place(tree: Tree, default: int | None) -> int | None:
    """The first location in a tree."""
    if isinstance(tree, dict):
        if "location" in tree:
            return int(tree["location"])
        tree = list(tree.values())
    if isinstance(tree, list):
        return next((place for part in tree if (place := _own_place(part, None)) is not None), default)
    return default


_BETWEEN = 0x10
"""FRAMEOPTION_BETWEEN: ROWS n PRECEDING is ROWS BETWEEN n PRECEDING AND CURRENT ROW."""


def _not(tree: Tree) -> Tree:
    return {"BoolExpr": {"boolop": "NOT_EXPR", "args": [tree]}}


def _connective(fields: Tree) -> Tree:
    """a AND (b AND c) is (a AND b) AND c."""
    operator = fields["boolop"]
    if operator == "NOT_EXPR":
        return {"BoolExpr": fields}
    args: list[Tree] = []
    for arg in fields["args"]:
        inner = arg.get("BoolExpr", {})
        args.extend(inner["args"] if inner.get("boolop") == operator else [arg])
    return {"BoolExpr": fields | {"args": args}}


_NEGATED_KINDS = {
    "AEXPR_NOT_BETWEEN": "AEXPR_BETWEEN",
    "AEXPR_NOT_BETWEEN_SYM": "AEXPR_BETWEEN_SYM",
    "AEXPR_NOT_DISTINCT": "AEXPR_DISTINCT",
}
_NEGATED_NAMES = {
    "AEXPR_IN": ("<>", "="),
    "AEXPR_LIKE": ("!~~", "~~"),
    "AEXPR_ILIKE": ("!~~*", "~~*"),
    "AEXPR_SIMILAR": ("!~", "~"),
}
_NEGATED_OPERATORS = {"!~": "~", "!~*": "~*", "!~~": "~~", "!~~*": "~~*"}
_PATTERNS = {"~~": "AEXPR_LIKE", "~~*": "AEXPR_ILIKE"}


def _operator(fields: Tree) -> Tree:
    """x NOT IN (…), NOT LIKE, NOT BETWEEN, !~ are NOT x IN (…) and so on; ~~ is LIKE."""
    kind, names = fields["kind"], [name["String"]["sval"] for name in fields["name"]]
    if kind in _NEGATED_KINDS:
        # A negated test has its test's name in upper case; IS NOT DISTINCT FROM has the name of its operator.
        positive = [name.removeprefix("NOT ") for name in names]
        return _not({"A_Expr": fields | {"kind": _NEGATED_KINDS[kind], "name": positive}})
    negated = False
    if len(names) == 1:
        name = names[0]
        if kind in _NEGATED_NAMES:
            negative, positive_name = _NEGATED_NAMES[kind]
            negated = name == negative
            names = [positive_name if negated else name]
        elif kind == "AEXPR_OP" and "lexpr" in fields:
            negated = name in _NEGATED_OPERATORS
            names = [_NEGATED_OPERATORS.get(name, name)]
            kind = _PATTERNS.get(names[0], kind)
    whole = {"A_Expr": fields | {"kind": kind, "name": names}}
    return _not(whole) if negated else whole


def _truth_test(fields: Tree) -> Tree:
    """x IS NOT TRUE is NOT x IS TRUE, and a condition that IS UNKNOWN IS NULL.

    Null tests stay: ROW(…) IS NOT NULL is not NOT ROW(…) IS NULL.
    """
    kind = fields["booltesttype"]
    if kind.endswith("UNKNOWN"):
        test = {name: value for name, value in fields.items() if name != "booltesttype"}
        return {"NullTest": test | {"nulltesttype": kind.replace("UNKNOWN", "NULL")}}
    positive = {"BooleanTest": fields | {"booltesttype": kind.replace("IS_NOT_", "IS_")}}
    return _not(positive) if "IS_NOT_" in kind else positive


def _constant(fields: Tree) -> Tree:
    """Numbers by value and scale: .5e2 is 0.5e2, but not 50.0; 0x1F is 31."""
    located = {name: value for name, value in fields.items() if name == "location"}
    if "ival" in fields:
        return {"A_Const": {"integer": fields["ival"].get("ival", 0), **located}}
    number = fields.get("fval", {}).get("fval", "").replace("_", "")
    if _INTEGER.fullmatch(number):
        return {"A_Const": {"integer": int(number, 0), **located}}
    if _DECIMAL.fullmatch(number):
        return {"A_Const": {"number": str(Decimal(number)), **located}}
    return {"A_Const": fields}


_INTEGER = re.compile(r"-?(?:0[xX][0-9a-fA-F]{1,200}|0[oO][0-7]{1,200}|0[bB][01]{1,200}|[1-9][0-9]{0,999})")
_DECIMAL = re.compile(r"-?[0-9.]{1,1000}(?:[eE][+-]?[0-9]{1,9})?")
_SPECIAL = frozenset({"substring", "position", "overlay", "btrim", "ltrim", "rtrim"})
"""Functions that have a syntax of their own besides that of calls."""


def _call(fields: Tree) -> Tree:
    """substring(x FROM 1 FOR 2) is substring(x, 1, 2); the field of extract() is read in lower case."""
    names = [name["String"]["sval"] for name in fields["funcname"]]
    args = fields.get("args", [])
    by_syntax = fields.get("funcformat") == "COERCE_SQL_SYNTAX"
    if by_syntax and names == ["pg_catalog", "extract"] and "sval" in args[0].get("A_Const", {}):
        args = [{"field": args[0]["A_Const"]["sval"]["sval"].lower()}, *args[1:]]
    if names[-1] in _SPECIAL and names[:-1] in ([], ["pg_catalog"]):
        names, by_syntax = names[-1:], False
        args = [_without_cast_to_integer(arg) for arg in args]
    over = fields.get("over")
    if over is not None and "refname" in over and set(over) <= {"refname", "frameOptions", "location"}:
        over = {"name": over["refname"], "frameOptions": over["frameOptions"]}
    whole = {name: value for name, value in fields.items() if name not in ("funcformat", "over")}
    return {"FuncCall": whole | {"funcname": names, "args": args, "syntax": by_syntax, "over": over}}


def _without_cast_to_integer(tree: Tree) -> Tree:
    """1::int is 1: substring(x FOR 2) is substring(x, 1, 2::int)."""
    cast = tree.get("TypeCast", {})
    to_integer = cast.get("typeName", {}).get("names") == ["int4"]
    return cast["arg"] if to_integer and "integer" in cast["arg"].get("A_Const", {}) else tree


def _order(fields: Tree) -> Tree:
    """ASC is the default; NULLs come last then, and first after DESC."""
    direction, nulls = fields["sortby_dir"], fields["sortby_nulls"]
    if direction == "SORTBY_DEFAULT":
        direction = "SORTBY_ASC"
    if nulls == "SORTBY_NULLS_DEFAULT":
        nulls = "SORTBY_NULLS_FIRST" if direction == "SORTBY_DESC" else "SORTBY_NULLS_LAST"
    return {"SortBy": fields | {"sortby_dir": direction, "sortby_nulls": nulls}}


_TYPES = frozenset(
    """bool bpchar float4 float8 int2 int4 int8 interval numeric regclass regconfig regdictionary regnamespace regoper
    regoperator regproc regprocedure regrole regtype time timestamp timestamptz timetz varchar""".split()
)
"""Types of pg_catalog that can be written with or without it: integer is pg_catalog.int4, int4 is int4. Without a
schema they are those of pg_catalog, which comes first on every search path that does not name it."""


def _type(fields: Tree) -> Tree:
    """The words of a name, without pg_catalog where every search path finds the same type."""
    names = [name["String"]["sval"] for name in fields.get("names", [])]
    return fields | {"names": names[1:] if names[:-1] == ["pg_catalog"] and names[-1] in _TYPES else names}


def _select(fields: Tree) -> Tree:
    """SELECT * FROM (VALUES …) AS _values is VALUES …, which sqlglot prints like that in a CTE."""
    match fields.get("fromClause"):
        case [{"RangeSubselect": {"subquery": {"SelectStmt": values}, "alias": {"aliasname": "_values"}} as item}]:
            bare = {name for name in item if name != "location"} == {"subquery", "alias"} and "valuesLists" in values
            plain = fields.keys() == {"targetList", "fromClause", "limitOption", "op"} and fields["op"] == "SETOP_NONE"
            if bare and plain and set(item["alias"]) <= {"aliasname", "location"} and _is_star(fields["targetList"]):
                return {"SelectStmt": values}
    # The sides of a set operation are bare SELECTs.
    sides = {side: _select(fields[side])["SelectStmt"] for side in ("larg", "rarg") if side in fields}
    return {"SelectStmt": fields | sides}


def _is_star(targets: Tree) -> bool:
    match targets:
        case [{"ResTarget": {"val": {"ColumnRef": {"fields": [{"A_Star": _}]}}} as target}]:
            return set(target) <= {"val", "location"}
    return False


_RULES: dict[str, Callable[[Tree], Tree]] = {
    "A_Const": _constant,
    "A_Expr": _operator,
    "BoolExpr": _connective,
    "BooleanTest": _truth_test,
    "FuncCall": _call,
    "SelectStmt": _select,
    "SortBy": _order,
}

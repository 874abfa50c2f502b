"""What a text means, by Postgres's own parser, and what a tree of ours means: both as pglast trees to be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from pglast.parser import parse_sql_json
from sqlglot import exp

from proxy.sql.dialect import render

Tree = Any
"""A Postgres parse tree as JSON gives it."""

_POSITIONS = frozenset(
    {
        "location",
        "stmt_location",
        "stmt_len",
        "rexpr_list_start",
        "rexpr_list_end",
        "name_location",
        "list_start",
        "list_end",
    }
)


def meaning(text: str) -> list[Tree]:
    """Postgres's trees of a script, without positions and with equivalent spellings made equal.

    Raises:
        pglast.parser.ParseError: Postgres does not accept the text.
    """
    statements = json.loads(parse_sql_json(text)).get("stmts", [])
    return [_normal(statement["stmt"]) for statement in statements]


def _normal(node: Tree) -> Tree:
    if isinstance(node, list):
        return [_normal(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _normal(value) for key, value in node.items() if key not in _POSITIONS}
    if "frameOptions" in plain:
        plain["frameOptions"] &= ~_BETWEEN
    if "names" in plain:
        plain["names"] = _unqualified(plain["names"])
    if len(plain) == 1:
        ((kind, fields),) = plain.items()
        if kind in _RULES:
            return _RULES[kind](fields)
    return plain


def _not(node: Tree) -> Tree:
    return {"BoolExpr": {"boolop": "NOT_EXPR", "args": [node]}}


def _connective(fields: dict[str, Tree]) -> Tree:
    """a AND (b AND c) is (a AND b) AND c."""
    operator = fields["boolop"]
    if operator == "NOT_EXPR":
        return {"BoolExpr": fields}
    args: list[Tree] = []
    for arg in fields["args"]:
        inner = arg.get("BoolExpr", {})
        args.extend(inner["args"] if inner.get("boolop") == operator else [arg])
    return {"BoolExpr": {"boolop": operator, "args": args}}


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


def _operator(fields: dict[str, Tree]) -> Tree:
    """x NOT IN (…), NOT LIKE, NOT BETWEEN, !~ are NOT x IN (…) and so on; ~~ is LIKE."""
    kind = fields["kind"]
    negated = kind in _NEGATED_KINDS
    if negated:
        fields = fields | {"kind": _NEGATED_KINDS[kind], "name": None}
    elif kind in _NEGATED_KINDS.values():
        fields = fields | {"name": None}
    elif kind in _NEGATED_NAMES:
        negative, positive = _NEGATED_NAMES[kind]
        negated = fields["name"][-1]["String"]["sval"] == negative
        fields = fields | {"name": positive}
    elif kind == "AEXPR_OP" and fields["name"][-1]["String"]["sval"].startswith(("!~", "~~")):
        name = fields["name"][-1]["String"]["sval"]
        negated, name = name.startswith("!"), name.removeprefix("!")
        likes = {"~~": "AEXPR_LIKE", "~~*": "AEXPR_ILIKE"}
        fields = fields | {
            "kind": likes.get(name, kind),
            "name": name if name in likes else [{"String": {"sval": name}}],
        }
    return _not({"A_Expr": fields}) if negated else {"A_Expr": fields}


def _truth_test(fields: dict[str, Tree]) -> Tree:
    """x IS NOT TRUE is NOT x IS TRUE, and a condition that IS UNKNOWN IS NULL.

    Null tests stay: ROW(…) IS NOT NULL is not NOT ROW(…) IS NULL.
    """
    kind = fields["booltesttype"]
    if kind.endswith("UNKNOWN"):
        return {"NullTest": {"arg": fields["arg"], "nulltesttype": kind.replace("UNKNOWN", "NULL")}}
    positive = {"BooleanTest": fields | {"booltesttype": kind.replace("IS_NOT_", "IS_")}}
    return _not(positive) if "IS_NOT_" in kind else positive


def _constant(fields: dict[str, Tree]) -> Tree:
    """Numbers by value and scale: .5e2 is 0.5e2, and is not 50.0."""
    number = fields.get("fval", {}).get("fval", "").replace("_", "")
    if number[1:2] in ("x", "X", "o", "O", "b", "B"):
        number = str(int(number, 0))
    return {"A_Const": {"number": str(Decimal(number))} if _DECIMAL.fullmatch(number) else fields}


_DECIMAL = re.compile(r"[0-9.]+(?:[eE][+-]?[0-9]{1,9})?")


def _call(fields: dict[str, Tree]) -> Tree:
    """substring(x FROM 1 FOR 2) is substring(x, 1, 2); the field of extract() is read in lower case."""
    name, args = _unqualified(fields["funcname"]), fields.get("args", [])
    if name == ["extract"]:
        args = [{"field": args[0]["A_Const"]["sval"]["sval"].lower()}, *args[1:]]
    if name == ["substring"]:
        args = [arg["TypeCast"]["arg"] if "A_Const" in arg.get("TypeCast", {}).get("arg", {}) else arg for arg in args]
    over = fields.get("over")
    if over is not None and set(over) == {"refname", "frameOptions"}:
        over = {"name": over["refname"], "frameOptions": over["frameOptions"]}
    return {"FuncCall": fields | {"funcname": name, "args": args, "over": over, "funcformat": None}}


def _unqualified(names: list[Tree]) -> list[str]:
    """The parts of a name; pg_catalog comes first on every search path that these tests use."""
    parts = [name["String"]["sval"] for name in names]
    return parts[1:] if parts[0] == "pg_catalog" else parts


_INTERVAL_FIELDS = {2: "month", 4: "year", 8: "day", 1024: "hour", 2048: "minute", 4096: "second"}


def _cast(fields: dict[str, Tree]) -> Tree:
    """interval '1' day is interval '1 day'."""
    target = fields["typeName"]
    if target["names"] == ["interval"]:
        text = fields["arg"].get("A_Const", {}).get("sval", {}).get("sval", "")
        modifiers = [modifier["A_Const"]["ival"].get("ival", 0) for modifier in target.get("typmods", [])]
        if len(modifiers) == 1 and modifiers[0] in _INTERVAL_FIELDS and text.isdigit():
            return {"interval": f"{text} {_INTERVAL_FIELDS[modifiers[0]]}"}
        if not modifiers and text:
            return {"interval": text.lower() if _PLAIN_INTERVAL.fullmatch(text) else text}
    return {"TypeCast": fields}


_PLAIN_INTERVAL = re.compile(r"[0-9]+ [A-Z]+")


def _order(fields: dict[str, Tree]) -> Tree:
    """NULLs come last where nothing is said, and first after DESC."""
    first = fields["sortby_dir"] == "SORTBY_DESC"
    default = "SORTBY_NULLS_FIRST" if first else "SORTBY_NULLS_LAST"
    nulls = fields["sortby_nulls"]
    return {"SortBy": fields | {"sortby_nulls": default if nulls == "SORTBY_NULLS_DEFAULT" else nulls}}


def _select(fields: dict[str, Tree]) -> Tree:
    """sqlglot prints the CTE (VALUES …) as (SELECT * FROM (VALUES …) AS _values)."""
    match fields:
        case {"fromClause": [{"RangeSubselect": {"alias": {"aliasname": "_values"}, "subquery": values}}]}:
            return values
    return {"SelectStmt": fields}


_BETWEEN = 0x10
"""FRAMEOPTION_BETWEEN: ROWS n PRECEDING is ROWS BETWEEN n PRECEDING AND CURRENT ROW."""

_RULES: dict[str, Callable[[dict[str, Tree]], Tree]] = {
    "A_Const": _constant,
    "A_Expr": _operator,
    "BoolExpr": _connective,
    "BooleanTest": _truth_test,
    "FuncCall": _call,
    "SelectStmt": _select,
    "SortBy": _order,
    "TypeCast": _cast,
}

_OPERATIONS = (exp.Binary, exp.Not, exp.Neg, exp.BitwiseNot, exp.Between, exp.In, exp.Cast, exp.AtTimeZone, exp.Collate)


def parenthesised(tree: exp.Expr) -> str:
    """The text of a tree with each operand in parentheses: it means what the tree means, whoever reads it."""
    copy = tree.copy()
    for node in reversed(list(copy.walk(bfs=False))):
        inside = isinstance(node, _OPERATIONS) and isinstance(node.parent, _OPERATIONS)
        if inside and not isinstance(node, exp.Dot) and not isinstance(node.parent, (exp.Escape, exp.Dot)):
            node.replace(exp.Paren(this=node.copy()))
    return render(copy)

"""Values that a query lists itself: results of conditions and of CASE, and the constants that WHERE allows.

These are all possible values, whatever a column holds: a value outside the column's declared ones makes a condition
false like any other, and is in the group that `= 'x'` in WHERE names.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find, find_all
from proxy.sql.planning.date_limits import Conditions, definition_of, same_rows
from proxy.sql.planning.effort import Effort
from proxy.sql.planning.present_moments import is_never_null
from proxy.sql.planning.value_sets import TRUE_AND_FALSE, TRUE_FALSE_NULL, Values, can_be, is_complete
from proxy.sql.replacing import replace
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.comparisons import plainly_written
from proxy.sql.terms.expressions import compile_term, members_of_row
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BPCHAR, Kind, SqlType
from proxy.sql.trees.null_columns import is_quantified


def listed_values(node: exp.Expr, relation: Relation, where: Conditions, effort: Effort) -> tuple[Term, str] | None:
    """An expression that WHERE restricts to a list of constants, as in x IN ('a', 'b') or x = 'a': its term, and a
    query of one column for the constants."""
    try:
        term = compile_term(node, relation)
    except DpproxyError:
        return None
    known = effort.lists.get((term.sql, id(relation), id(where)))
    if known is None:
        known = effort.lists[term.sql, id(relation), id(where)] = relation, where, _listed(term, relation, where)
    found: tuple[Term, str] | None = known[-1]
    return found


def _listed(term: Term, relation: Relation, where: Conditions) -> tuple[Term, str] | None:
    for conjunct, scope in where:
        value, values = _list_of(conjunct)
        if value is None or not same_rows(scope, relation) or term.kind in (Kind.FLOAT, Kind.OTHER, Kind.UNKNOWN):
            continue
        if compile_term(value, scope).sql != term.sql:
            continue
        _, *constants = plainly_written([term, *(compile_term(value, scope) for value in values)])
        if not all(_names_one(constant, term) for constant in constants):
            continue
        name = _shown_as(term.type)
        rows = sorted({f"({constant.sql}::{name})" for constant in constants if can_be(constant, term.type)})
        if rows:
            return term, f"SELECT v.c0 FROM (VALUES {', '.join(rows)}) AS v(c0)"
    return None


def is_listed(column: Term, relation: Relation, where: Conditions) -> bool:
    """Does WHERE restrict the column to a list, also of values that a list does not declare (of double precision)?"""
    lists = [(_list_of(conjunct)[0], scope) for conjunct, scope in where if same_rows(scope, relation)]
    return any(value is not None and compile_term(value, scope).sql == column.sql for value, scope in lists)


def _names_one(constant: Term, term: Term) -> bool:
    """Does at most one value equal the constant, and does a cast find it? Several clock times can be one moment."""
    exact = {constant.kind, term.kind} <= {Kind.INTEGER, Kind.NUMERIC}
    return constant.constant and (exact or constant.kind in (Kind.UNKNOWN, term.kind))


def _shown_as(type_: SqlType) -> str:
    """The type with the length to which a column's values are padded with blanks."""
    return f"character({type_.length})" if type_ == BPCHAR and type_.length is not None else type_.name


def _list_of(conjunct: exp.Expr) -> tuple[exp.Expr | None, list[exp.Expr]]:
    """What a condition restricts to a list of expressions, and the list."""
    if isinstance(conjunct, exp.EQ):
        value, only = conjunct.this, conjunct.expression
        if find(value, exp.Column) is None:
            value, only = only, value
        listed = not isinstance(only, exp.Column) and not is_quantified(conjunct.expression)
        return (value, [only]) if listed else (None, [])
    if isinstance(conjunct, exp.In) and conjunct.args.get("expressions") and not conjunct.args.get("query"):
        return (None, []) if members_of_row(conjunct.this) else (conjunct.this, list(conjunct.expressions))
    return None, []


_NO_CONDITIONS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Pow, exp.Neg, exp.DPipe, exp.Literal, exp.Interval)


def arithmetic_levels(node: exp.Expr) -> int:
    """How many operations on numbers, texts or moments are nested in an expression."""
    most, waiting = 0, [(node, 0)]
    while waiting:
        part, levels = waiting.pop()
        levels += isinstance(part, _NO_CONDITIONS)
        most = max(most, levels)
        waiting += [(child, levels) for child in part.iter_expressions()]
    return most


_Results = tuple[Term, Values] | None


def result_set(node: exp.Expr, relation: Relation, where: Conditions, effort: Effort) -> _Results:
    """A condition, or CASE with constant results: its term and its values."""
    if isinstance(node, _NO_CONDITIONS):
        return None  # Each level of a long sum would be compiled anew.
    place = id(node), id(relation), id(where)
    if place not in effort.results:
        effort.results[place] = node, relation, where, _compiled_results(node, relation, where)
    found: _Results = effort.results[place][-1]
    return found


def _compiled_results(node: exp.Expr, relation: Relation, where: Conditions) -> _Results:
    try:
        term = compile_term(node, relation)
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null) and not _can_be_null(node.this, relation):
            always = "true" if node.args.get("negate") else "false"
            return term, _all(f"SELECT v.c0 FROM (VALUES ({always})) AS v(c0)", f"{always} of a condition")
        if term.kind is Kind.BOOLEAN and (not term.nullable or is_never_null(node, relation, where)):
            complete = not term.nullable or is_never_null(node, relation, where, surely=True)
            return term, replace(_all(TRUE_AND_FALSE, "true and false of a condition"), complete=complete)
        if term.kind is Kind.BOOLEAN:
            return term, _all(TRUE_FALSE_NULL, "true, false and NULL of a condition")
        return _results_of_case(node, term, relation) if isinstance(node, exp.Case) else None
    except DpproxyError:
        return None


def _can_be_null(node: exp.Expr, relation: Relation) -> bool:
    """Can it be NULL in a row? Of computed values no proof is known."""
    bare = node.unnest()
    return not isinstance(bare, exp.Column) or relation.origin(bare).nullable


def _results_of_case(node: exp.Case, term: Term, relation: Relation) -> _Results:
    results = list[exp.Expr]()
    for branch in node.args["ifs"]:
        results.append(branch.args["true"])
        if node.this is None and isinstance(branch.this.unnest(), exp.Boolean) and branch.this.unnest().this:
            break  # ELSE by another name: what stands behind it is never reached
    else:
        default = node.args.get("default")
        results.append(default if default is not None else exp.Null())
    compiled = [compile_term(result, relation) for result in results]
    if not all(result.constant for result in compiled):
        return None
    cast = "" if term.kind is Kind.UNKNOWN else f"::{term.type.name}"
    constants = sorted({result.sql for result in compiled})
    rows = ", ".join(f"({constant}{cast})" for constant in constants)
    values = _all(f"SELECT v.c0 FROM (VALUES {rows}) AS v(c0)", "results of CASE")
    return term, replace(values, most=len(constants))


def _all(sql: str, label: str) -> Values:
    """All values that there can be, NULL among them if it is one."""
    return Values(sql, label, nullable=False, complete=True)


def is_made_of_results(node: exp.Expr, relation: Relation, where: Conditions, effort: Effort) -> bool:
    """Does every column in it stand in a condition or in CASE with constant results? Raises UnsupportedError where
    `effort` is exhausted."""
    if find(node, exp.Column) is None:
        return True
    if isinstance(node, exp.Column):
        definition = definition_of(relation.origin(node))
        if definition is not None:
            effort.write_out(definition[0])
        return definition is not None and is_made_of_results(*definition, where, effort)
    if result_set(node, relation, where, effort) is not None:
        return True
    return all(is_made_of_results(child, relation, where, effort) for child in node.iter_expressions())


def has_all_values(
    column: exp.Column, relation: Relation, where: Conditions, keys: Collection[str | None], effort: Effort
) -> bool:
    """Is every value that the column can hold enumerated, or irrelevant because the column is one of the `keys`? Raises
    UnsupportedError where `effort` is exhausted."""
    origin = relation.origin(column)
    if not origin.member.table.private or listed_values(column, relation, where, effort) is not None:
        return True
    definition = definition_of(origin)
    if definition is not None:
        node, scope = definition
        effort.write_out(node)
        return all(has_all_values(read, scope, where, keys, effort) for read in find_all(node, exp.Column))
    return is_complete(origin) or origin.sql in keys


def stored_column(column: exp.Column, relation: Relation) -> str | None:
    """The table's column behind a column of subqueries, as SQL; None for a computed one."""
    origin = stored_origin(column, relation)
    return origin.sql if origin is not None else None


def stored_origin(node: exp.Expr, relation: Relation) -> ColumnOrigin | None:
    """The column that a key is, behind all subqueries that only hand it on; None for a computed one."""
    bare = node.unnest()
    if not isinstance(bare, exp.Column):
        return None
    origin = relation.origin(bare)
    definition = definition_of(origin)
    return origin if definition is None else stored_origin(*definition)

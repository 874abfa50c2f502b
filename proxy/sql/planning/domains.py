"""Declared group keys: the values that a GROUP BY expression can have, known without private rows (decision 5).

A key is declared when everything in it is: columns with `values`, `values_from` or `range`, columns of joined public
tables, truncated dates inside their bounds, fields of dates, conditions, CASE with constant results, and any supported
expression over these. The stage enumerates the combinations; the domain is one query over public data and constants.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.named_tables import NamedTable
from proxy.sql.nodes import find, find_all
from proxy.sql.planning.atoms import Atoms, most_values
from proxy.sql.planning.buckets_of_keys import buckets, released_buckets
from proxy.sql.planning.compared_keys import compared_keys
from proxy.sql.planning.date_limits import Conditions, definition_of
from proxy.sql.planning.effort import Effort
from proxy.sql.planning.independent_parts import Listing, all_combinations
from proxy.sql.planning.inner_conditions import with_inner, with_relations_inside
from proxy.sql.planning.joined_rows import equated, joined_rows
from proxy.sql.planning.moment_values import moment_of_day, moment_values, printed_values
from proxy.sql.planning.representatives import over_stand_ins, representatives
from proxy.sql.planning.shared_moments import cut_moment, of_moment, shared_moments
from proxy.sql.planning.small_sets import (
    arithmetic_levels,
    has_all_values,
    is_made_of_results,
    listed_values,
    result_set,
    stored_column,
    stored_origin,
)
from proxy.sql.planning.stepped_values import narrowed_whole_numbers, stepped_values
from proxy.sql.planning.value_sets import (
    Values,
    declared_values,
    is_complete,
    is_limiting,
    limited,
    most_declared,
    stepped_column,
)
from proxy.sql.rows.feedback import feedback_marker, reads_feedback
from proxy.sql.rows.members import ColumnOrigin, Derived
from proxy.sql.rows.relation import Relation, RowSubquery
from proxy.sql.terms.comparisons import members_of_row
from proxy.sql.terms.expressions import compile_term, is_in
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.trees.marks import FEEDBACK

_MOST_LEVELS = 16
"""Levels of arithmetic in a key that is enumerated: each level is compiled by itself."""
MOST_DECLARED = 100_000
"""Largest number of declared combinations; beyond it the query is refused (a public fact: no private row is read)."""


@dataclass(frozen=True)
class Domain:
    """Declared keys of one block.

    Attributes:
        sql: query for the stage: every combination once, one column per key, at most MOST_DECLARED + 1 rows.
        description: for EXPLAIN.
        complete: every row is in one of the groups. Otherwise a column may hold values that the policy does not name.
        unlisted: as `sql`, before released lists narrow it, so that it is known before they are paid for; None where
            that reads other released results.
        whole: for each key, whether every row has one of its values; empty where nothing is known.
    """

    sql: str
    description: str
    complete: bool = True
    unlisted: Listing | None = None
    whole: tuple[bool, ...] = ()

    @property
    def depends_on_server(self) -> bool:
        """Might the source compute other keys than the stage? Servers differ in letters and time zones; equality and
        the order of texts are the same. Literals that look alike are checked in vain."""
        return _OF_THE_SERVER.search(self.sql) is not None


_OF_THE_SERVER = re.compile(
    r"\b(?:lower|upper|initcap|ilike|similar|regexp_\w+|substring|to_char|timezone|(?:with|at) time zone)\b|~",
    re.IGNORECASE,
)


def declared_domain(
    keys: list[exp.Expr], where: Conditions, relation: Relation, *, grouped: bool = False
) -> Domain | None:
    """The domain of a block's group keys, or of what is chosen or counted.

    Args:
        keys: the GROUP BY expressions over `relation`.
        where: conditions that all rows meet, each with the relation of its columns; those over declared columns alone
            narrow the domain.
        relation: what columns mean.
        grouped: are they group keys, of which only those combinations are wanted that a row can have?

    Returns:
        The domain; None if some key is not declared, so that keys have to be selected, which costs a delta.
    """
    atoms, conditions = Atoms(), with_inner(where)
    if grouped:
        shown = {stored_column(key, relation) for key in keys if isinstance(key, exp.Column)}
        atoms.stand_ins = representatives(keys, relation, conditions, atoms.effort, shown)
    found = _enumeration(keys, relation, atoms, conditions)
    if found is None:
        return None
    listed, unlisted = (listing.up_to(MOST_DECLARED + 1) for listing in found)
    before = None if reads_feedback(unlisted.sql) else unlisted
    return Domain(listed.sql, " x ".join(atoms.labels) or "constants", atoms.complete, before, tuple(atoms.every))


def kept_domain(sql: str) -> Domain:
    """The keys of public rows that an outer join keeps, which `sql` selects."""
    return Domain(f"{sql} LIMIT {MOST_DECLARED + 1}", "rows that the outer join keeps")


def _enumeration(
    keys: Sequence[exp.Expr], relation: Relation, atoms: Atoms, where: Conditions, prefix: str = "k"
) -> tuple[Listing, Listing] | None:
    """A query for every combination of the keys' values, with columns k0, k1, …, and the same as long as no released
    list narrows it; None if a key is not declared, or made of too many combinations to look at all of them."""
    if any(arithmetic_levels(key) > _MOST_LEVELS for key in keys):
        return None
    atoms.keys = {stored_column(key, relation) for key in keys if isinstance(key, exp.Column)}
    atoms.moments = shared_moments(keys, relation, where)
    rewritten = [_rewrite_whole(key, relation, atoms, where) for key in keys]
    if any(key is None for key in rewritten):
        return None
    before, atoms.complete = atoms.complete, True
    conditions, told = list[exp.Expr](), joined_rows(relation, atoms)
    for conjunct, scope in where:
        if find(conjunct, exp.Query) is not None:
            told += _in_public_list(conjunct, scope, atoms, where)
            continue
        narrowed = _compose(conjunct, scope, atoms, where) if atoms.knows_all_columns(conjunct, scope) else None
        if narrowed is None and atoms.may_know(conjunct, scope):
            narrowed = _over_known_parts(conjunct, scope, atoms, where)
        if narrowed is not None:
            conditions.append(narrowed)
    # A condition over undeclared values may leave out values of the keys that rows with such values have.
    atoms.every = [every and atoms.complete for every in atoms.every]
    atoms.complete &= before
    lists = _released_lists(relation, atoms, where) + released_buckets(keys, relation, atoms, where)
    pairs = [(key, known) for key, known in zip(keys, rewritten, strict=True) if known is not None]
    for compared in compared_keys(pairs, relation, atoms, where):
        (lists if compared.released else told).append(compared.sql)
    over = [known for _, known in pairs]
    atoms.narrow(where)
    unlisted = all_combinations(over, conditions, told, atoms, prefix)
    listed = all_combinations(over, conditions, told + lists, atoms, prefix) if lists else unlisted
    return (listed, unlisted) if listed.is_quick and unlisted.is_quick else None


def _over_known_parts(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """A condition over what is enumerated already, as `visited_at::date < '2024-06-01'` is where the days are keys.

    None if it reads more."""
    columns = find_all(node, exp.Column)
    if not columns:
        return node.copy()
    if any(not relation.origin(column).member.table.private for column in columns):
        return None
    trial = atoms.copy()
    found = _known_part(node, relation, trial) or _rewrite(node, relation, trial, where)
    if found is not None and len(trial.sources) == len(atoms.sources):
        atoms.complete &= trial.complete
        return exp.Paren(this=found)
    if isinstance(node, exp.Column):
        return None
    copy = node.copy()
    for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
        if find(original, exp.Column) is not None:
            known = _over_known_parts(original, relation, atoms, where)
            if known is None:
                return None
            child.replace(known)
    return copy


def _known_part(node: exp.Expr, relation: Relation, atoms: Atoms) -> exp.Expr | None:
    try:
        known = atoms.by_key.get(compile_term(node, relation).sql)
    except DpproxyError:
        return None
    return known.copy() if known is not None else None


def _in_public_list(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> list[str]:
    """The condition that an enumerated value is in a list of public rows, which the stage has too, or is not in it."""
    bare = node.unnest()
    if isinstance(bare, exp.Not):
        return [f"(NOT {listed})" for listed in _in_public_list(bare.this, relation, atoms, where)]
    query = bare.args.get("query") if isinstance(bare, exp.In) and members_of_row(bare.this) is None else None
    if (
        query is None
        or FEEDBACK.on(query)
        or find(bare.this, exp.Query)
        or not atoms.knows_all_columns(bare.this, relation)
    ):
        return []
    value, listed = _compose(bare.this, relation, atoms, where), relation.subquery(query, bare.this)
    if value is None or not isinstance(listed, RowSubquery) or listed.reads or listed.footprint.private_tables:
        return []
    return [is_in(bare, [compile_term(value, atoms)], listed).sql]


def _released_lists(relation: Relation, atoms: Atoms, where: Conditions) -> list[str]:
    """Conditions that enumerated columns are in released lists, as every row has them there by IN or by a join: so the
    groups that a "top N" leaves out are not shown. The lists are known when keys are enumerated."""
    found = []
    for operator, (left, right) in equated(with_relations_inside(relation)):
        for key, listed in ((left, right), (right, left)):
            table = listed.member.table
            if isinstance(table, Derived) and table.footprint.feedback and atoms.shows(key):
                known = atoms.enumerated(key)
                member = f"p.{table.column_sql(listed.column)}"
                found.append(f"EXISTS (SELECT FROM {table.from_sql} AS p WHERE {member} {operator} {known})")
    for conjunct, scope in where:
        bare = conjunct.unnest()
        number = FEEDBACK.of(bare.args["query"]) if isinstance(bare, exp.In) and bare.args.get("query") else None
        if number is None or members_of_row(bare.this):
            continue
        value: exp.Expr | None = atoms.by_key.get(compile_term(bare.this, scope).sql)
        if value is None and atoms.knows_all_columns(bare.this, scope):
            value = _compose(bare.this, scope, atoms, where)
        if value is not None:
            found.append(f"{compile_term(value, atoms).sql} IN (SELECT p.c0 FROM {feedback_marker(number)} AS p)")
    return found


def _rewrite_whole(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """As `_rewrite`, of a whole key: `atoms.every` tells whether every row has one of its values."""
    before, atoms.complete = atoms.complete, True
    rewritten = _rewrite(node, relation, atoms, where)
    stored = stored_origin(node, relation) if rewritten is None else None
    if rewritten is None and (is_limiting(node) or stored is not None):
        # As a part of a key it could stand beside others of the same column, of which not all go together.
        term = compile_term(node, relation)
        values = stepped_column(stored) if stored is not None else limited(term)
        rewritten = _added((term, values), atoms) if values is not None else None
    atoms.every.append(atoms.complete)
    atoms.complete &= before
    return rewritten


def _rewrite(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """`node` over enumerated columns, or None if some part of it cannot be enumerated."""
    if isinstance(node, exp.Paren):
        return _rewrite(node.this, relation, atoms, where)
    found = _of_results(node, relation, atoms, where)
    if found is None and isinstance(node, exp.Column):
        found = _column(node, relation, atoms, where)
        return found if found is not None else _derived(relation.origin(node), atoms, where)
    if found is None:
        found = _compose(node, relation, atoms, where)
    if found is None:
        found = _special(node, relation, atoms, where)
    if found is None:
        listed = listed_values(node, relation, where, atoms.effort)
        found = atoms.add(listed[0].sql, listed[1], listed[0], "a list in WHERE") if listed is not None else None
    return found if found is not None else _day(node, relation, atoms, where)


def _of_results(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """An expression of conditions and CASE with constant results, where their columns can have undeclared values:
    enumerating declared values would miss results. Elsewhere the enumeration tells which results occur together."""
    effort = atoms.effort
    if all(has_all_values(column, relation, where, atoms.keys, effort) for column in find_all(node, exp.Column)):
        return None

    def all_values(column: exp.Column, scope: Relation) -> exp.Expr | None:
        known = has_all_values(column, scope, where, atoms.keys, effort)
        return _column(column, scope, atoms, where) if known else None

    compared = over_stand_ins(node, relation, atoms, all_values)
    if compared is not None:
        return compared
    return _with_results(node, relation, atoms, where) if is_made_of_results(node, relation, where, effort) else None


def _with_results(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr:
    definition = definition_of(relation.origin(node)) if isinstance(node, exp.Column) else None
    if definition is not None:
        atoms.effort.write_out(definition[0])
        return exp.Paren(this=_with_results(*definition, atoms, where))
    results = result_set(node, relation, where, atoms.effort)
    if results is not None:
        return _added(results, atoms)
    copy = node.copy()
    for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
        if find(original, exp.Column) is not None:
            child.replace(_with_results(original, relation, atoms, where))
    return copy


def _added(found: tuple[Term, Values], atoms: Atoms) -> exp.Column:
    """The column of an enumerated expression's values."""
    term, values = found
    atoms.complete &= values.complete
    most = values.most if values.most is not None or term.type.is_datetime else most_values(term)
    return atoms.add(term.sql, values.all, term, values.label, most)


def _derived(origin: ColumnOrigin, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """A column of a private subquery, by the expression that it is computed from on each side of a set operation; to
    the right of an outer join it can be NULL too."""
    definition = definition_of(origin)
    if definition is not None:
        atoms.effort.write_out(definition[0])
        return _rewrite(*definition, atoms, where)
    table = origin.member.table
    if not isinstance(table, Derived) or not table.private:
        return None
    column = table.columns[origin.column]
    extreme = column.extreme
    definitions = column.definitions if extreme is None else ((extreme.node, extreme.relation),)
    filters = list(table.filters)
    for node, _ in definitions:
        atoms.effort.write_out(node)
    parts = [Atoms(atoms.effort) for _ in definitions]
    sides = [
        _enumeration([node], relation, part, filters, "c")
        for (node, relation), part in zip(definitions, parts, strict=True)
    ]
    listed = [side[0].sql for side in sides if side is not None]
    if not sides or len(listed) < len(sides):
        return None
    atoms.complete &= all(part.complete for part in parts)
    if origin.member.optional or (extreme is not None and extreme.filtered):
        listed.append("SELECT NULL")
    values = " UNION ".join(listed)
    return atoms.add(origin.sql, values, origin.term(), f"values of {origin.column}")


def _compose(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """A copy of `node` over enumerated columns; nothing is added if one of its columns has no domain."""
    if isinstance(node, exp.Column):
        return _column(node, relation, atoms, where)
    if not all(_has_domain(column, relation, atoms.effort, where) for column in find_all(node, exp.Column)):
        return None
    copy = node.copy()
    for column in find_all(copy, exp.Column):
        replacement = _column(column, relation, atoms, where)
        if replacement is None:
            return None
        column.replace(exp.Paren(this=replacement))
    return copy


def _has_domain(node: exp.Column, relation: Relation, effort: Effort, where: Conditions) -> bool:
    """Can the stage compute an expression of this column from the column's values?"""
    origin = relation.origin(node)
    if not origin.member.table.private or listed_values(node, relation, where, effort) is not None:
        return True
    definition = definition_of(origin)
    if definition is not None:
        effort.write_out(definition[0])
        return all(_has_domain(column, definition[1], effort, where) for column in find_all(definition[0], exp.Column))
    return declared_values(origin) is not None


def _column(node: exp.Column, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    origin = relation.origin(node)
    stored = stored_origin(node, relation) or origin
    if not stored.member.table.private:
        return atoms.public_column(stored)  # beside others of its rows, of which a list would know nothing
    listed = listed_values(node, relation, where, atoms.effort)
    if listed is not None:
        return atoms.add(origin.sql, listed[1], listed[0], "a list in WHERE")
    definition = definition_of(origin)
    if definition is not None:
        atoms.effort.write_out(definition[0])
        return _compose(*definition, atoms, where)
    values = declared_values(origin)
    if values is None:
        # Of a column without bounds those that occur are selected, and nobody is shown the others.
        is_bounded = isinstance(origin.member.table, NamedTable) and origin.policy.bounds is not None
        numbers = narrowed_whole_numbers(node, relation, where) if is_bounded else None
        if numbers is None:
            return None
        atoms.complete &= numbers.complete
        return atoms.add(origin.sql, numbers.all, origin.term(), numbers.label, most_values(origin.term()))
    sql, label = values
    atoms.complete &= is_complete(origin)
    is_present = not origin.member.optional and origin.column in origin.member.present
    if origin.nullable and not is_present:
        sql = f"{sql} UNION ALL SELECT NULL"
    return atoms.add(origin.sql, sql, origin.term(), label, most_declared(origin))


def _special(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """Expressions with a small set of values whatever their columns hold."""
    try:
        term = compile_term(node, relation)
    except DpproxyError:
        return None
    results = result_set(node, relation, where, atoms.effort)
    if results is not None or isinstance(node, exp.Case):
        return _added(results, atoms) if results is not None else None
    moment = cut_moment(node, atoms.moments, relation, where)
    if moment is not None:
        cut = compile_term(moment, relation)
        values = moment_values(moment, cut, relation, where)
        return of_moment(node, _added((cut, values), atoms)) if values is not None else None
    values = moment_values(node, term, relation, where) or buckets(node, term, relation, where)
    values = values or stepped_values(node, relation, where)
    if values is not None:
        return _added((term, values), atoms)
    return _rebuilt(printed_values(node, relation, where) or node, relation, atoms, where)


def _rebuilt(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """A call or operator whose operands are special themselves, as in to_char(date_trunc('month', x), 'Mon')."""
    copy = node.copy()
    for original, child in zip(list(node.iter_expressions()), list(copy.iter_expressions()), strict=True):
        if isinstance(original, (exp.DataType, exp.Var)) or find(original, exp.Column) is None:
            continue
        rewritten = _rewrite(original, relation, atoms, where)
        if rewritten is None:
            return None
        child.replace(rewritten)
    return copy


def _day(node: exp.Expr, relation: Relation, atoms: Atoms, where: Conditions) -> exp.Expr | None:
    """The date of a timestamp: that of its date_trunc('day', …), which is the same day in the session's time zone."""
    moment = moment_of_day(node)
    try:
        kinds = compile_term(node, relation).kind, compile_term(moment, relation).kind if moment is not None else None
    except DpproxyError:
        return None
    if moment is None or kinds[0] is not Kind.DATE or kinds[1] not in (Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return None
    days = exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string("day"), moment.copy()])
    truncated = _rewrite(days, relation, atoms, where)
    date = exp.DataType.build("date", dialect="postgres")
    return exp.Cast(this=truncated, to=date) if truncated is not None else None

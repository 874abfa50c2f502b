"""Parts of keys that read one source, as sources of their own: to_char(a, 'MM') || to_char(b, 'MM') has 12 values times
12, however many days a and b can be.

A source is replaced by the different tuples of all that keys and conditions make of its columns alone. So nothing is
lost where several keys read it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.planning.atoms import Source, most_values
from proxy.sql.planning.moment_values import most_printed, most_shown
from proxy.sql.planning.parts import Parts, columns_of, sources_read, where
from proxy.sql.replacing import replace
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind


@dataclass(frozen=True)
class _Inner:
    """An expression over one source, compiled, and at most how many values it has, if that is known without those of
    the source."""

    term: Term
    most: int | None


def with_inner_values(parts: Parts) -> Parts:
    """The same keys, listed from the different values of their parts."""
    for place in parts.sources:
        if any(len(read) > 1 and place in read for read in map(sources_read, parts.columns)):
            found = _with_values_of(place, parts)
            parts = found if found is not None else parts
    return parts


def _with_values_of(place: int, parts: Parts) -> Parts | None:
    if any(place in read and len(read) > 1 for read in map(sources_read, parts.told)):
        return None
    own = [condition for condition in parts.conditions if columns_of(condition) == {place}]
    others = [condition for condition in parts.conditions if columns_of(condition) != {place}]
    inner: dict[str, _Inner] = {}
    for tree in (*parts.keys, *others):
        for node in _largest(tree, place):
            found = _compiled(node, parts)
            if found is None:
                return None
            inner.setdefault(found.term.sql, found)
    atoms, known = parts.atoms.copy(), parts.atoms.sources[place]
    columns = {sql: f"c{number}" for number, sql in enumerate(inner)}
    shown = ", ".join(f"{sql} AS {name}" for sql, name in columns.items())
    source = Source(f"SELECT DISTINCT {shown} FROM ({known.sql}) AS d{place}{where(parts.filters_of(place))}")
    for sql, name in columns.items():
        source.columns[name] = _column(inner[sql].term, f"d{len(atoms.sources)}.{name}")
    sizes = [each.most for each in inner.values()]
    product = math.prod(size for size in sizes if size is not None) if None not in sizes else None
    source.size = min((size for size in (known.size, product) if size is not None), default=None)
    atoms.sources.append(source)

    def rewritten(tree: exp.Expr) -> exp.Expr:
        copy = exp.Paren(this=tree.copy())
        for node in list(_largest(copy, place)):
            name = columns[compile_term(node, parts.atoms).sql]
            node.replace(exp.column(name, table=f"d{len(atoms.sources) - 1}"))
        whole: exp.Expr = copy.this
        return whole

    told = tuple(sql for sql in parts.told if place not in sources_read(sql))
    keys, conditions = (tuple(map(rewritten, trees)) for trees in (parts.keys, others))
    made = Parts(keys, conditions, told, atoms, parts.spent | {place})
    try:
        same = all(
            compile_term(key, atoms).type == compile_term(before, parts.atoms).type
            for key, before in zip((*keys, *conditions), (*parts.keys, *others), strict=True)
        )
    except DpproxyError:
        return None
    assert len(own) + len(others) == len(parts.conditions)
    return made if same else None


def _largest(tree: exp.Expr, place: int) -> Iterator[exp.Expr]:
    """The largest expressions in a tree that read this source alone."""
    read = columns_of(tree)
    if place not in read:
        return
    if read == {place} and not isinstance(tree, (exp.Paren, exp.If, exp.Tuple, exp.Kwarg)):
        yield tree
        return
    for child in tree.iter_expressions():
        yield from _largest(child, place)


def _compiled(node: exp.Expr, parts: Parts) -> _Inner | None:
    """None of a column itself, by which nothing is gained, and of what is no value by itself."""
    if isinstance(node, exp.Column):
        return None
    try:
        term = compile_term(node, parts.atoms)
        return _Inner(term, _most(node, term, parts)) if term.kind not in (Kind.UNKNOWN, Kind.OTHER) else None
    except DpproxyError:
        return None


def _most(node: exp.Expr, term: Term, parts: Parts) -> int | None:
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 2:
        name, (first, second) = node.name.lower(), node.expressions
        if name == "date_trunc":
            return most_shown(compile_term(second, parts.atoms).bounds, first.name.lower())
        if name == "to_char":
            return most_printed(compile_term(first, parts.atoms), second.name)
    return most_values(term)


def _column(term: Term, sql: str) -> Term:
    """A computed value as a column of its source."""
    return replace(
        term, sql=sql, nullable=True, literal=None, constant=False, work=0, shared=(), reads=frozenset(), subqueries=()
    )

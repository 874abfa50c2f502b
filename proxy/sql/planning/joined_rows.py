"""What joins with public relations say of declared keys: of their combinations only those show that a row can have.

A row that an inner join keeps has met a row of the public relation, and so have the columns that the join equates with
the relation's own. A row that a LEFT JOIN keeps has met one, or there is none for it: then all columns of the relation
are NULL. The stage holds the public relations, so it tells which combinations these are.
"""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.planning.atoms import Atoms
from proxy.sql.planning.inner_conditions import with_relations_inside
from proxy.sql.rows.members import ColumnOrigin, Derived, Extension, Member
from proxy.sql.rows.relation import Relation

_MOST_ROWS = 100_000
"""The most rows of a public relation that is looked at for the joins' sake alone."""


def joined_rows(relation: Relation, atoms: Atoms) -> list[str]:
    """Conditions that tie enumerated columns to the rows of public relations that the joins lead them to.

    Args:
        relation: the block's rows.
        atoms: what its keys are enumerated from; relations that are small and joined with it are added.
    """
    relations = with_relations_inside(relation)
    found = _inner(relations, atoms)
    every = [extension for each in relations for extension in each.extensions]
    extensions = [extension for extension in every if extension.member.alias in atoms.public]
    for extension in extensions:
        for _, own in extension.pairs:
            atoms.public_column(own, is_key=False)
    # The columns of a relation are known only now.
    return found + [condition for extension in extensions for condition in _extended(extension, atoms)]


def equated(relations: Sequence[Relation]) -> list[tuple[str, tuple[ColumnOrigin, ColumnOrigin]]]:
    """The pairs of columns that are equal in every row, each with the operator that says so."""
    equal = [("=", pair) for relation in relations for pair in relation.equal]
    return equal + [("IS NOT DISTINCT FROM", pair) for relation in relations for pair in relation.alike]


def _inner(relations: Sequence[Relation], atoms: Atoms) -> list[str]:
    found: dict[frozenset[str], str] = {}
    pairs = equated(relations)
    known = -1
    while known != len(atoms.sources):
        # One relation leads to the next.
        known = len(atoms.sources)
        for operator, (left, right) in pairs:
            for key, other in ((left, right), (right, left)):
                if atoms.shows(key) and (atoms.shows(other) or _is_small(other.member)) and _is_plain(key):
                    sides = atoms.enumerated(key), atoms.enumerated(other)
                    found.setdefault(frozenset(sides), f"{sides[0]} {operator} {sides[1]}")
                elif operator == "=" and atoms.shows(key) and _can_be_null(key):
                    known_key = atoms.enumerated(key)
                    found.setdefault(frozenset([known_key]), f"{known_key} IS NOT NULL")
    return list(found.values())


def _extended(extension: Extension, atoms: Atoms) -> list[str]:
    """The condition that a row of a LEFT JOIN has met the relation's row, or has none to meet."""
    pairs = [(known, own) for known, own in extension.pairs if atoms.shows(known) and _is_plain(own)]
    present = [own for _, own in extension.pairs if _can_be_null(own)]
    if not pairs and not present:
        return []
    member = extension.member
    source, columns, _ = atoms.public[member.alias]
    met = " AND ".join(
        [f"{atoms.enumerated(own)} = {atoms.enumerated(known)}" for known, own in pairs]
        + [f"{atoms.enumerated(own)} IS NOT NULL" for own in present]
    )
    missing = " AND ".join(f"{source.columns[f'c{place}'].sql} IS NULL" for place in range(len(columns)))
    if len(pairs) == len(extension.pairs):
        rows = member.table
        own_sql = [f"{rows.enumerated_sql(own.column, 'p')} = {atoms.enumerated(known)}" for known, own in pairs]
        missing += f" AND NOT EXISTS (SELECT FROM {rows.from_sql} AS p WHERE {' AND '.join(own_sql)})"
    return [f"({met} OR {missing})"]


def _is_small(member: Member) -> bool:
    """Is it public, with a known and moderate number of rows, none of which were released?"""
    rows = member.table.row_count
    released = bool(member.table.footprint.feedback) if isinstance(member.table, Derived) else False
    return not member.table.private and rows is not None and rows <= _MOST_ROWS and not released


def _can_be_null(origin: ColumnOrigin) -> bool:
    """Is it NULL in rows that an equality with it leaves out? What a LEFT JOIN adds does not count."""
    return origin.member.table.nullable(origin.column) and origin.column not in origin.member.present


def _is_plain(origin: ColumnOrigin) -> bool:
    """Are equal texts of the column the same texts on the stage, too?"""
    return origin.member.table.comparison(origin.column)[1] == 0

"""UNION, INTERSECT and EXCEPT of row-level subqueries (decision 3)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.named_tables import Identity
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import union
from proxy.sql.rows.members import UNIT_SQL, Derived, DerivedColumn
from proxy.sql.rows.unit_spelling import alike
from proxy.sql.terms.arithmetic import unify
from proxy.sql.terms.canonical_values import require_canonical
from proxy.sql.terms.conditionals import choice
from proxy.sql.terms.work import octets_of

_SET_OPERATIONS: dict[type[exp.Expr], str] = {exp.Union: "UNION", exp.Intersect: "INTERSECT", exp.Except: "EXCEPT"}


def derive_set_operation(node: exp.SetOperation, sides: Sequence[Derived]) -> Derived:
    """UNION, INTERSECT or EXCEPT of two row-level subqueries.

    Those that compare rows must compare the unit's identity too, so that they compare rows of one unit only.

    Raises:
        UnsupportedError: sides of different units, rows of several units, or types that do not go together.
    """
    left, right = sides
    word = _SET_OPERATIONS[type(node)] + (" ALL" if node.args.get("distinct") is False else "")
    if left.unit != right.unit or len(left.columns) != len(right.columns):
        raise unsupported(
            node,
            f"{word} of private rows requires the same privacy unit and the same number of columns on both sides",
            rule="row-set-operation",
            hint="Aggregate each side, and combine the released results.",
        )
    columns: dict[str, DerivedColumn] = {}
    selects: list[list[str]] = [[], []]
    for position, (name, first, second) in enumerate(
        zip(left.columns, left.columns.values(), right.columns.values(), strict=True)
    ):
        values = [replace(column.value, sql=f"s.{column.sql}") for column in (first, second)]
        terms, type_ = unify(node, values)
        value = choice("", type_, terms, constant=False)
        if word != "UNION ALL":
            # In the form of the common type: 1.0 of one side is 1.00 of the other.
            terms = [
                require_canonical(node, replace(term, type=type_, grid=value.grid, wide=value.wide)) for term in terms
            ]
        for texts, term in zip(selects, terms, strict=True):
            texts.append(f"{term.sql} AS c{position}")
        same = first.compared_as == second.compared_as
        identities = first.identities & second.identities if same else frozenset[Identity]()
        definitions = (*first.definitions, *second.definitions) if first.definitions and second.definitions else ()
        compared_as = first.compared_as if same else (type_.name, 0)
        missing, near = first.missing or second.missing, first.near_identities & second.near_identities
        columns[name] = DerivedColumn(
            f"c{position}", value, compared_as, identities, definitions, missing, near_identities=near
        )
    if word != "UNION ALL" and left.unit is not None and not any(column.tells_the_unit for column in columns.values()):
        raise unsupported(
            node,
            f"{word} would compare rows of more than one privacy unit",
            rule="row-set-operation",
            detail="Whether a row is left could depend on the rows of another privacy unit.",
            hint="Select the privacy unit's column on both sides, where it IS NOT NULL, use UNION ALL, or combine "
            "released results.",
        )
    units, kind = alike([(f"s.{UNIT_SQL}", side.unit_kind) for side in sides])
    parts = [
        f"SELECT {', '.join([f'{unit} AS {UNIT_SQL}', *texts] if side.unit is not None else texts)} "
        f"FROM {side.from_sql} AS s"
        for unit, texts, side in zip(units, selects, sides, strict=True)
    ]
    counts = [side.row_count for side in sides]
    return Derived(
        name="subquery",
        from_sql=f"({f' {word} '.join(parts)})",
        private=left.private,
        columns=columns,
        footprint=union([left.footprint, right.footprint]),
        unit=left.unit,
        unit_nullable=left.unit_nullable or right.unit_nullable,
        unit_kind=kind,
        unit_outputs=frozenset(
            name
            for name, other in zip(left.columns, right.columns, strict=True)
            if name in left.unit_outputs and other in right.unit_outputs
        ),
        row_count=sum(count for count in counts if count is not None) if None not in counts else None,
        multiplicity=left.multiplicity + right.multiplicity,
        # Each row comes from one side, and `multiplicity` counts the rows of both.
        work=max(left.work, right.work) + sum(octets_of(column.value) for column in columns.values()),
        merges_unit=left.merges_unit or right.merges_unit,
        limited=left.limited and right.limited,
    )

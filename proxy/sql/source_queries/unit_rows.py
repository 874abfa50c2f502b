"""Some rows of every unit in text form, which a local release randomises row by row (`proxy.local_model`).

A row's unit follows from the policy as in queries, by the same compiler. Which rows of a unit are chosen depends on its
own rows and a secret seed alone. Neither the unit nor the order of the source's rows leaves the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.source_queries.hashes import keyed_hash
from proxy.sql.terms.canonical_values import bare_value
from proxy.sql.terms.term import Term

TEXT_CHARACTERS = 10_000
"""The most characters of a text that count as its value, here and elsewhere (`terms.texts`)."""


@dataclass(frozen=True)
class UnitRows:
    """The rows of one private table with their units.

    Attributes:
        relation: the table, joined with what leads to the unit.
        columns: the wanted columns, in order.
    """

    relation: Relation
    columns: tuple[Term, ...]

    @property
    def footprint(self) -> Footprint:
        """What the rows read and rest on."""
        return self.relation.computing(self.columns).footprint

    def sql(self, most: int, seed: int) -> str:
        """Query: the wanted columns of at most `most` rows of each unit, in text form; no rows without a unit.

        A unit's rows are numbered in the order of their values and chosen by a keyed hash of their numbers, so that all
        rows are equally likely, however often their values occur.

        Args:
            most: >= 1.
            seed: secret, below 2**62.
        """
        outputs = [f"x{index}" for index in range(len(self.columns))]
        texts = [_text_sql(column) for column in self.columns]
        order = ", ".join(f'{text} COLLATE "C"' for text in texts)
        unit = self.relation.unit_sql
        named = ", ".join(f"{text} AS {name}" for text, name in zip(texts, outputs, strict=True))
        numbered = (
            f"SELECT {unit} AS unit, {named}, row_number() OVER (PARTITION BY {unit} ORDER BY {order}) AS number "
            f"FROM {self.relation.sql} WHERE {unit} IS NOT NULL"
        )
        hashed = keyed_hash(["number"], seed, unit="unit")
        place = f"row_number() OVER (PARTITION BY unit ORDER BY {hashed}, number) AS place"
        names = ", ".join(outputs)
        placed = f"SELECT {names}, {place} FROM ({numbered}) AS numbered"
        return f"SELECT {names} FROM ({placed}) AS placed WHERE place <= {most}"


def unit_rows(schema: Schema, table: NamedTable, columns: Sequence[str]) -> UnitRows:
    """Compile the rows of a private table.

    Args:
        schema: policy and catalog.
        table: private, with its rows' way to the unit.
        columns: visible ones, at least one.
    """
    schema_name, relation_name = table.name.split(".", 1)
    named = exp.Table(
        this=exp.to_identifier(relation_name, quoted=True), db=exp.to_identifier(schema_name, quoted=True)
    )
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=named))
    relation = RowCompiler(schema, (), lambda _: 1).relation(select)
    (member,) = relation.members
    return UnitRows(relation, tuple(ColumnOrigin(member, column).term() for column in columns))


def values_sql(table: NamedTable, column: str) -> str:
    """Query: the values of a public table's column, in the text form of `UnitRows`, each once and in order."""
    term = table.term(column)
    text = _text_sql(term)
    return (
        f'SELECT {text} AS x FROM {table.from_sql} WHERE {term.sql} IS NOT NULL GROUP BY 1 ORDER BY {text} COLLATE "C"'
    )


def _text_sql(column: Term) -> str:
    """A value's canonical text form."""
    value = bare_value(column)
    if value is None:
        raise AssertionError("the columns of a local release have one text for each value")
    return f"left(({value.sql})::text, {TEXT_CHARACTERS})"

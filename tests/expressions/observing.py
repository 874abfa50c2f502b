"""What becomes of expressions in rows: those of extreme values, and ordinary ones beside Postgres's own values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

import psycopg

from proxy.sql.rows.relation import Relation
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind
from proxy.sql.terms.work import size_of
from tests.expressions.compiling import Read

T = TypeVar("T")

MANY = 60
"""Members in one statement."""

OF_FAMILIES = 5
"""Of families every fifth ordinary row is compared with Postgres, of single expressions each.

It begins with the second: powers of the first and the sixth take Postgres fifteen seconds, after which it has none.
"""

OWN_VALUES = """
CREATE FUNCTION public.own_values(expression text, every int) RETURNS TABLE (unit int, value text, type text)
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    units int[];
    texts text[];
BEGIN
    EXECUTE format('SELECT array_agg(unit), array_agg((%1$s)::text), min(pg_typeof(%1$s)::text) FROM public.items
            WHERE unit %% $1 = 2 %% $1 OR unit = 41', expression)
        INTO units, texts, type USING every;
    RETURN QUERY SELECT u, t, type FROM unnest(units, texts) AS found (u, t);
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    FOR unit IN SELECT i.unit FROM public.items AS i WHERE i.unit % every = 2 % every OR i.unit = 41 LOOP
        BEGIN
            EXECUTE format('SELECT (%s)::text FROM public.items WHERE unit = $1', expression) INTO value USING unit;
            RETURN NEXT;
        EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
        END;
    END LOOP;
WHEN syntax_error_or_access_rule_violation THEN
END $$
"""
"""What Postgres makes of an expression in every so many rows, the last of NULLs among them; nothing of what means nothing to
it. Where it fails in some row, the others are asked one by one."""


@dataclass
class Observed:
    """What was seen of the members of a case.

    Attributes:
        null: members that are NULL in each row.
        differs: members with other values or another type than Postgres, with an example.
        broken: members whose values are not as their terms say, with what is wrong.
    """

    null: list[str] = field(default_factory=list)
    differs: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)


def on_extremes(members: Sequence[Read], relation: Relation, source: psycopg.Connection) -> Observed:
    """The members in extreme rows. None may fail: psycopg.Error names the expression in a note."""
    found = Observed()
    compiled = [(member.text, term) for member in members if (term := member.term(relation)) is not None]
    for part in in_parts(compiled, MANY):
        columns = ", ".join(f"count(({term.sql})::text), count(*), {_longest(term)}" for _, term in part)
        row = _row(f"SELECT {columns} FROM {relation.sql}", part, relation, source)
        for (text, term), present, rows, longest in zip(part, row[::3], row[1::3], row[2::3], strict=True):
            if present == 0:
                found.null.append(text)
            if present < rows and not term.nullable:
                found.broken[text] = "NULL in an extreme row"
            if longest > size_of(term):
                found.broken[text] = f"{longest} characters, where there can be {size_of(term)}"
    return found


def _longest(term: Term) -> str:
    """The characters of the longest text, 0 for every other type."""
    return f"coalesce(max(length(({term.sql})::text)), 0)" if term.kind is Kind.TEXT else "0"


def on_items(members: Sequence[Read], relation: Relation, source: psycopg.Connection) -> Observed:
    """The members in ordinary rows, beside what Postgres makes of the client's own text. None of ours may fail."""
    found = Observed()
    compiled = [(member.text, term) for member in members if (term := member.term(relation)) is not None]
    for part in in_parts(compiled, MANY):
        for (text, term), both in zip(part, _both(part, relation, source), strict=True):
            if all(value is None for value in both.theirs.values()):
                found.null.append(text)
            if difference := both.difference(term):
                found.differs[text] = difference
            if problem := _outside(term, both.ours.values()):
                found.broken[text] = problem
    return found


@dataclass(frozen=True)
class Both:
    """Values of an expression in ordinary rows, by their units.

    Attributes:
        ours: as it is compiled.
        theirs: of the client's own text, where Postgres has one.
        type: the type that Postgres gives it; None if it fails in some row.
    """

    ours: Mapping[int, str | None]
    theirs: Mapping[int, str | None]
    type: str | None

    def difference(self, term: Term) -> str:
        """An example of how they differ, empty if they do not."""
        for unit, theirs in self.theirs.items():
            if theirs != self.ours[unit]:
                return f"{self.ours[unit]!r}, in Postgres {theirs!r}"
        if self.type is not None and self.type != term.type.name:
            return f"{term.type.name}, in Postgres {self.type}"
        return ""


def _both(part: Sequence[tuple[str, Term]], relation: Relation, source: psycopg.Connection) -> Iterator[Both]:
    unit = f"{relation.members[0].alias}.unit"
    columns = ", ".join(f"({term.sql})::text" for _, term in part)
    ours = source.execute(f"SELECT {unit}, {columns} FROM {relation.sql} ORDER BY {unit}".encode()).fetchall()
    query = """SELECT place, unit, value, type FROM unnest(%s::text[]) WITH ORDINALITY AS e (text, place),
        public.own_values(text, %s) ORDER BY place, unit"""
    # Numbers of thousands of digits take Postgres long.
    every = 1 if len(part) == 1 else OF_FAMILIES
    theirs = source.execute(query.encode(), [[text for text, _ in part], every]).fetchall()
    for place in range(1, len(part) + 1):
        known = {unit: (value, type_) for index, unit, value, type_ in theirs if index == place}
        types = {type_ for _, type_ in known.values()}
        type_ = types.pop() if types else None
        yield Both(
            {row[0]: row[place] for row in ours},
            {unit: value for unit, (value, _) in known.items()},
            {"character": "bpchar"}.get(type_ or "", type_),
        )


def _outside(term: Term, values: Collection[str | None]) -> str:
    """What is not as the term says, where the columns keep to the policy."""
    if not term.nullable and None in values:
        return "NULL in an ordinary row"
    if not term.type.is_number or (term.bounds is None and term.step is None):
        return ""
    for value in values:
        if value is None or value == "NaN":
            continue
        number = Fraction(value)
        if term.bounds is not None and not term.bounds.contains(number):
            return f"{value} is outside of its bounds"
        if term.step is not None and number % term.step:
            return f"{value} is not on its grid"
    return ""


def _row(
    query: str, part: Sequence[tuple[str, Term]], relation: Relation, source: psycopg.Connection
) -> tuple[int, ...]:
    try:
        row = source.execute(query.encode()).fetchone()
    except psycopg.Error:
        for text, term in part:
            try:
                source.execute(f"SELECT count(({term.sql})::text) FROM {relation.sql}".encode())
            except psycopg.Error as error:
                error.add_note(f"it is {text}, compiled to {term.sql}")
                raise
        raise
    assert row is not None
    return row


def in_parts(whole: Sequence[T], size: int) -> list[Sequence[T]]:
    """A sequence in parts of this size, the last of what is left."""
    return [whole[start : start + size] for start in range(0, len(whole), size)]

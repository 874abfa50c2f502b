"""The whole text of a starter policy."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from proxy.dp.accounting import Account, Price
from proxy.policy.catalog import Table
from proxy.policy.column_types import family_of
from proxy.policy.named_keys import singular
from proxy.postgres.survey import Relation, Survey
from proxy.sql.terms.term import quote_identifier
from proxy.starter.spelling import comment, decide, key
from proxy.starter.tables import cannot_be_named, private_table, unowned_table, view
from proxy.starter.units import Candidate, Owner, all_owners, candidates, led_elsewhere, seeds

EPSILON: Final = Decimal(4)
DELTA: Final = Decimal("0.000001")
_BUDGET: Final = f"{{epsilon: {EPSILON}, delta: 1e-6}}"
_EPSILON: Final = Decimal("0.25")
_QUERY: Final = f"{{epsilon: {_EPSILON}, max_epsilon: 0.5}}"
"""99 % of counts of all rows of some thousand units are right within 2 %; who needs one more precisely may ask for half
of the noise, for four times the price."""
_TIMING: Final = "how long answers take is not in the guarantee; {epsilon: 0.1, delta: 1e-7, work: 1 ms} hides it"
_MOST_OTHERS: Final = 5


class UnknownUnitError(ValueError):
    """A unit that the database does not have; the text says which there are."""


def starter_policy(survey: Survey, wanted: Sequence[str] = ()) -> str:
    """A policy for the database, as far as its catalog tells; the same text for the same catalog.

    Args:
        survey: what the catalog says.
        wanted: whose privacy is meant: tables with one row of each, or columns; the likeliest candidate if empty. A row
            that leads to several of them belongs to the first.

    Raises:
        UnknownUnitError: one of `wanted` is no table with a unique column, and no column.
    """
    tables = listable_tables(survey)
    found = candidates(tables, survey.sizes)
    chosen = _distinct([_named(tables, survey.sizes, name) for name in wanted]) or found[:1]
    known: dict[str, Owner] = {}
    for candidate in chosen:
        known = seeds(tables, candidate) | known
    owned = all_owners(tables, known)
    lines = [
        *_header(survey, owned),
        "version: 1",
        "source: ${DATABASE_URL}",
        decide("analysts: {}", "who may log in; `dpproxy password --user NAME` prints an entry for here"),
        decide("timing: null", _TIMING),
        *_units(chosen, [candidate for candidate in found if candidate not in chosen]),
        *_tables(survey, owned, [candidate.unit for candidate in chosen]),
        *(f"# {line}" for line in not_listable(survey)),
    ]
    return "".join(f"{line}\n" for line in lines)


def listable_tables(survey: Survey) -> dict[str, Table]:
    """Tables that a policy can list by themselves: no views, no partitions, no children."""
    kinds = {relation.name: relation for relation in survey.relations}
    return {
        name: table
        for name, table in sorted(survey.catalog.tables.items())
        if kinds[name].kind in ("table", "partitioned table") and kinds[name].parent is None and table.columns
        if not cannot_be_named(name)
    }


def listable_views(survey: Survey) -> list[str]:
    """Views that a policy can list."""
    return [
        relation.name
        for relation in survey.relations
        if relation.kind == "view" and relation.name in survey.catalog.tables and not cannot_be_named(relation.name)
    ]


def held_by(survey: Survey, owned: Collection[str]) -> frozenset[str]:
    """Tables that are `owned`, with their partitions and children: whoever reads one reads private rows."""
    held = list(owned)
    for name in held:
        held += {relation.name for relation in survey.relations if relation.parent == name} - set(held)
    return frozenset(held)


def not_listable(survey: Survey) -> list[str]:
    """What a policy cannot list, in words: its rows are reached otherwise, or not at all."""
    lines = []
    children: dict[str, int] = {}
    for relation in survey.relations:
        if relation.parent is not None:
            children[relation.parent] = children.get(relation.parent, 0) + 1
        elif (words := _why_not(relation, survey)) is not None:
            lines.append(comment(f"{relation.name}: {words}"))
    lines += [
        comment(f"{name}: its partitions or children ({number}) are read through it")
        for name, number in children.items()
    ]
    return sorted(lines)


def _why_not(relation: Relation, survey: Survey) -> str | None:
    if relation.kind == "materialized view":
        return "a materialized view; no policy can list it, list the tables that it is made from"
    if relation.kind == "foreign table":
        return "a foreign table; no policy can list it, serve the database that has its rows"
    if cannot_be_named(relation.name):
        return "no policy can write this name"
    if relation.name not in survey.catalog.tables:
        return "has no column that dpproxy can read"
    return None


def _distinct(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Each once, and with a name of its own."""
    found: dict[str, Candidate] = {}
    for candidate in dict.fromkeys(chosen):
        unit = candidate.unit if candidate.unit not in found else f"{candidate.unit}_by_{candidate.column}"
        found[unit] = replace(candidate, unit=unit)
    return list(found.values())


def _named(tables: Mapping[str, Table], sizes: Mapping[str, int], name: str) -> Candidate:
    found = candidates(tables, sizes)
    for candidate in found:
        of = candidate.table
        called = (candidate.column,) if of is None else (of, of.partition(".")[2])
        if name in (*called, candidate.place, candidate.unit):
            return candidate
    for table in tables.values():
        for column in table.columns:
            if name in (f"{table.name}.{column}", column):
                from_table = table.name if frozenset({column}) in table.unique_keys else None
                return _column_candidate(table, column, from_table)
        if name in (table.name, table.relation_name) and len(table.primary_key) == 1:
            return _column_candidate(table, table.primary_key[0], table.name)
    known = ", ".join(candidate.table or candidate.column for candidate in found)
    raise UnknownUnitError(
        f"no table with a key of one column, and no column, is called {name}; candidates: {known or 'none'}"
    )


def _column_candidate(table: Table, column: str, from_table: str | None) -> Candidate:
    unit = singular(table.relation_name) if from_table is not None else singular(column.removesuffix("_id"))
    return Candidate(unit, from_table, column, family_of(table.columns[column]))


def _header(survey: Survey, owned: Mapping[str, Owner]) -> list[str]:
    """What to do with the file; with the reader's privileges and the price of bounds."""
    price = Price.gaussian(Fraction(_EPSILON) ** 2 / 2)
    account = Account(Fraction(EPSILON), Fraction(DELTA))
    share = float(1 - account.share_left(account.remaining(price)))
    schemas = sorted({survey.catalog.tables[name].schema_name for name in owned})
    grants = [f"GRANT USAGE ON SCHEMA {_sql(schema)} TO dpproxy_reader;" for schema in schemas]
    listed = [name for name, owner in owned.items() if not owner.disputed]
    if listed:
        names = ", ".join(_sql(*name.split(".", 1)) for name in listed)
        grants.append(f"GRANT SELECT ON {names} TO dpproxy_reader;")
    database = comment(survey.catalog.database)
    return [
        "# yaml-language-server: $schema=dpproxy.schema.json",
        f"# A starter policy for the database {database}, made from its catalog alone: no row was read.",
        "#",
        "# What is not listed does not exist for analysts. The marks `decide` are for you: change the line, and",
        '# remove the mark. `dpproxy check FILE --source "$DATABASE_URL"` lists what is left. Editors complete keys',
        "# once `dpproxy schema > dpproxy.schema.json` was run here.",
        "#",
        "# 1. A role that may read what is listed and nothing else; grant it public tables, too, once you list some:",
        "#    CREATE ROLE dpproxy_reader LOGIN PASSWORD 'change me';",
        *(comment(f"#    {grant}") for grant in grants),
        "# 2. Its connection string: export DATABASE_URL=postgresql://dpproxy_reader:…@HOST/DATABASE",
        "# 3. Bounds that nobody knows are chosen from the data, privately: dpproxy suggest-bounds FILE --dry-run",
        f"#    It costs each table what one query costs, {share:.1%} of its budget; --write puts them into this file.",
        "",
    ]


def _sql(*names: str) -> str:
    return ".".join(name if name.isidentifier() and name.islower() else quote_identifier(name) for name in names)


def _units(chosen: Sequence[Candidate], others: Sequence[Candidate]) -> list[str]:
    if not chosen:
        return [decide("units: {}", "nothing in the catalog looks like people or devices: whose privacy is protected?")]
    lines = ["units:"]
    for candidate in chosen:
        question = f"is it {candidate.place} whose privacy is protected, and is this budget what may be learned of one?"
        lines.append(decide(f"  {key(candidate.unit)}: {{budget: {_BUDGET}}}", question))
    if others:
        names = ", ".join(candidate.table or candidate.column for candidate in others[:_MOST_OTHERS])
        lines.append(comment(f"  # Other candidates, for `dpproxy init --unit NAME`: {names}"))
    return lines


def _tables(survey: Survey, owned: Mapping[str, Owner], units: Sequence[str]) -> list[str]:
    tables = listable_tables(survey)
    entries = [line for name, owner in owned.items() for line in private_table(survey, name, owner, _BUDGET, _QUERY)]
    elsewhere, whose = led_elsewhere(tables, survey.sizes, owned), dict.fromkeys(units)
    others = [name for name in tables if name not in owned]
    rest = [line for name in others for line in unowned_table(survey, name, whose, elsewhere)]
    rest += [line for name in listable_views(survey) for line in view(survey, name, held_by(survey, owned))]
    active = any(not owner.disputed for owner in owned.values())
    head = "tables:" if active else decide("tables: {}", "which ones, and with which unit; then remove the braces")
    return [head, *(f"  {line}" for line in (*entries, *rest))]

"""Foreign-key paths from a row to its unit."""

from __future__ import annotations

import re

import pytest

from proxy.policy.model import Policy, TablePolicy, UnitReference
from proxy.policy.unit_paths import Hop, OtherUnitError, UnitPath, ViaError, parse_via, unit_path


def policy_of(**units: UnitReference | None) -> Policy:
    """Tables s.<name> with these units; None makes a public table."""
    tables = {
        f"s.{name}": TablePolicy(public=True) if unit is None else TablePolicy(unit=unit)
        for name, unit in units.items()
    }
    return Policy(version=1, tables=tables)


def by_column(column: str, name: str = "person") -> UnitReference:
    return UnitReference(name=name, column=column)


def by_path(via: str, name: str = "person") -> UnitReference:
    return UnitReference(name=name, via=via)


def test_hops_are_separated_by_commas_and_spaces_do_not_matter() -> None:
    expected = (Hop("a", "s.t", "b"), Hop("c", "s.u", "d"))
    assert parse_via("a -> s.t.b, c -> s.u.d") == expected
    assert parse_via(" a->s.t.b ,c  ->  s.u.d ") == expected


@pytest.mark.parametrize(
    "via", ["", "a", "a -> b", "a -> t.b", "a -> d.s.t.b", "a -> s.t.b,", "a -> -> s.t.b", "a -> s.t."]
)
def test_other_texts_are_no_path(via: str) -> None:
    with pytest.raises(ViaError, match="does not read as a foreign-key path"):
        parse_via(via)


def test_a_unit_column_needs_no_hops() -> None:
    policy = policy_of(people=by_column("id"))
    assert unit_path(policy, "s.people") == UnitPath("person", (), "s.people", "id")


def test_a_path_that_ends_at_a_table_with_a_path_goes_on() -> None:
    policy = policy_of(
        people=by_column("id"), visits=by_path("person -> s.people.id"), bills=by_path("visit -> s.visits.id")
    )
    hops = (Hop("visit", "s.visits", "id"), Hop("person", "s.people", "id"))
    assert unit_path(policy, "s.bills") == UnitPath("person", hops, "s.people", "id")


def test_several_hops_of_one_path_are_followed_in_order() -> None:
    policy = policy_of(
        people=by_column("id"),
        visits=by_column("person"),
        bills=by_path("visit -> s.visits.id, person -> s.people.id"),
    )
    hops = (Hop("visit", "s.visits", "id"), Hop("person", "s.people", "id"))
    assert unit_path(policy, "s.bills") == UnitPath("person", hops, "s.people", "id")


def test_a_path_over_a_table_of_another_unit_is_refused() -> None:
    policy = policy_of(
        people=by_column("id"),
        visits=by_column("doctor", name="doctor"),
        bills=by_path("visit -> s.visits.id, person -> s.people.id"),
    )
    with pytest.raises(OtherUnitError, match=r"leads to s\.visits, whose unit is 'doctor', not 'person'"):
        unit_path(policy, "s.bills")


@pytest.mark.parametrize("visits", [by_column("patient"), by_path("patient -> s.people.id")])
def test_a_path_that_leaves_a_table_another_way_than_its_own_unit_is_refused(visits: UnitReference) -> None:
    policy = policy_of(
        people=by_column("id"), visits=visits, bills=by_path("visit -> s.visits.id, payer -> s.people.id")
    )
    with pytest.raises(ViaError, match=r"goes on from s\.visits another way than that table's own unit says"):
        unit_path(policy, "s.bills")


def test_a_path_to_another_unit_is_refused() -> None:
    policy = policy_of(doctors=by_column("id", name="doctor"), visits=by_path("doctor -> s.doctors.id"))
    with pytest.raises(OtherUnitError, match="whose unit is 'doctor', not 'person'"):
        unit_path(policy, "s.visits")


def test_a_circle_through_several_tables_is_refused() -> None:
    policy = policy_of(a=by_path("x -> s.b.x"), b=by_path("x -> s.c.x"), c=by_path("x -> s.b.x"))
    with pytest.raises(ViaError, match=re.escape("in a circle: s.a -> s.b -> s.c -> s.b")):
        unit_path(policy, "s.a")


def test_a_path_over_a_public_table_is_refused() -> None:
    policy = policy_of(people=by_column("id"), regions=None, visits=by_path("r -> s.regions.id, p -> s.people.id"))
    with pytest.raises(ViaError, match=r"s\.regions, which is public"):
        unit_path(policy, "s.visits")

"""Leaks that were found are closed: refused, or answered alike with and without the unit."""

from __future__ import annotations

import pytest

from tests.audit.databases import Databases
from tests.audit.known_leaks import LEAKS, KnownLeak, show, show_encoding, show_weightless
from tests.audit.suspensions import show_failures


@pytest.mark.parametrize("leak", [leak for leak in LEAKS if not leak.heavy], ids=lambda leak: leak.name)
def test_a_known_leak_is_closed(leak: KnownLeak, databases: Databases) -> None:
    found = show(leak, databases)
    assert not found, "\n".join(map(str, found))


def test_a_source_in_another_encoding_is_refused(databases: Databases) -> None:
    assert not list(show_encoding(databases))


def test_an_analyst_whose_measurements_keep_failing_is_stopped(databases: Databases) -> None:
    assert not list(show_failures(databases))


def test_groups_of_a_unit_beyond_max_groups_are_never_shown(databases: Databases) -> None:
    assert not list(map(str, show_weightless(databases)))

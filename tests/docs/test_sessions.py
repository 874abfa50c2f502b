"""The psql sessions of all pages, each page against a demo that was just started."""

from __future__ import annotations

from proxy.demo.client import psql_command
from proxy.demo.data import REGIONS, generate_clinic
from tests.docs.conftest import Replayed
from tests.docs.markdown import README
from tests.docs.sessions import SHELL_PROMPT, echoed, shape


def test_sessions_show_what_psql_shows(replayed: Replayed) -> None:
    for session, printed in zip(replayed.page.blocks("psql"), replayed.printed, strict=True):
        assert shape(printed) == shape(echoed(session.text))


def test_shape_tells_sessions_apart() -> None:
    """Another price, another row count, another error and another column are differences; another noise is none."""
    session = README.blocks("psql")[0].text
    for old, new in (
        ("rho 0.005", "rho 0.004"),
        ("(2 rows)", "(3 rows)"),
        ("would return", "returns"),
        ("average", "a"),
    ):
        assert old in session
        assert shape(session.replace(old, new)) != shape(session)
    assert shape(session.replace("68669", "1")) == shape(session)


def test_command_of_the_session_is_what_the_demo_prints() -> None:
    assert README.blocks("psql")[0].text.splitlines()[0] == SHELL_PROMPT + psql_command("127.0.0.1", 5433)


def test_exact_numbers_of_the_session_are_those_of_the_clinic() -> None:
    clinic = generate_clinic()
    expected = []
    for zone in ("coast", "inland"):
        costs = [
            int(cents) for region, cents in zip(clinic.region, clinic.cost, strict=True) if REGIONS[region].zone == zone
        ]
        expected.append(f"{len(costs)} at {sum(costs) / len(costs) / 100:.2f}")
    assert f"The exact numbers are {' and '.join(expected)};" in README.text

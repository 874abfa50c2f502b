"""A statement that cannot be answered, or not paid for as a whole, costs nothing; one that can is not refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.charging import pure_policy, spent
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

UNPAID = [
    "SELECT (SELECT count(*) FROM visits), (SELECT avg(height) FROM patients)",
    # What a block reads is new, so it is new, too.
    "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM patients GROUP BY 1 ORDER BY avg(height) LIMIT 1)",
    # What a block reads is known, but not the block.
    "SELECT (SELECT count(*) FROM visits), (SELECT avg(height) FROM patients WHERE height > (SELECT count(*) FROM patients))",
]


@pytest.mark.parametrize("query", UNPAID)
def test_statement_that_cannot_be_paid_as_a_whole_is_not_charged_for_a_part(proxies: StartProxy, query: str) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(1), patients=pure_policy(1)))
    with proxy.connect() as client:
        client.execute("SELECT count(*) FROM patients")
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            client.execute(query.encode())
        assert str(refusal.value.diag.message_primary).endswith("cannot pay for this query; nothing was charged")
    assert (spent(proxy, "visits"), spent(proxy, "patients")) == (Decimal(0), Decimal("0.5"))


def test_blocks_that_cannot_be_paid_together_are_not_charged(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(2)))
    both = "SELECT (SELECT count(*) FROM visits), (SELECT count(*) FROM visits WHERE cost > 1)"
    with proxy.connect() as client:
        client.execute("SELECT count(*) FROM visits WHERE cost > 2")
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            client.execute(both.encode())
        detail, hint = refusal.value.diag.message_detail, refusal.value.diag.message_hint
        assert str(detail).endswith("That is the price of the 2 blocks of the statement together.")
        assert "SET dp.epsilon = 0.25; is still possible" in str(hint)
        assert spent(proxy) == Decimal("0.5")
        client.execute("SELECT count(*) FROM visits")
        assert spent(proxy) == 1
        # Known blocks are free, however many there are.
        again = "SELECT (SELECT count(*) FROM visits), (SELECT count(*) FROM visits WHERE cost > 2)"
        assert len(client.execute(again.encode()).fetchall()) == 1


HOPELESS = {
    "a delimiter of two characters": ("COPY ({}) TO STDOUT (DELIMITER 'ab')", "0A000"),
    "quotes around no column": ("COPY ({}) TO STDOUT (FORMAT csv, FORCE_QUOTE (nowhere))", "42703"),
    "an encoding that there is not": ("COPY ({}) TO STDOUT (ENCODING 'nowhere')", "22023"),
    "a function that analysts may not call": ("SELECT n, txid_current() FROM ({}) AS counted", "42501"),
    "a constant that cannot be computed": ("SELECT n + 1 / 0 FROM ({}) AS counted", "22012"),
}


@pytest.mark.parametrize(("text", "sqlstate"), HOPELESS.values(), ids=HOPELESS)
def test_a_statement_that_fails_whatever_is_released_costs_nothing(
    text: str, sqlstate: str, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=copy_clinic())
    asked = text.format("SELECT count(*) AS n FROM visits")
    with proxy.connect() as client:
        with pytest.raises(psycopg.Error) as failure:
            client.execute(asked.encode())
        assert failure.value.sqlstate == sqlstate
        assert spent(proxy) == 0


CURSORS = {
    "outside a transaction": (["DECLARE c CURSOR FOR {}"], "25P01"),
    "of a name that is taken": (["BEGIN", 'DECLARE "C d" CURSOR FOR SELECT 1', 'DECLARE "C d" CURSOR FOR {}'], "42P03"),
    "in a failed transaction": (["BEGIN", "SELECT 1 / 0", "DECLARE c CURSOR FOR {}"], "25P02"),
}


@pytest.mark.parametrize(("texts", "sqlstate"), CURSORS.values(), ids=CURSORS)
def test_a_cursor_that_cannot_be_declared_costs_nothing(
    texts: list[str], sqlstate: str, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=copy_clinic())
    with proxy.connect() as client:
        *before, declared = [text.format("SELECT count(*) FROM visits") for text in texts]
        for text in before:
            with suppress(psycopg.errors.DivisionByZero):
                client.execute(text.encode())
        with pytest.raises(psycopg.Error) as failure:
            client.execute(declared.encode())
        assert failure.value.sqlstate == sqlstate
    assert spent(proxy) == 0


def test_a_cursor_is_declared_once_in_a_transaction_and_held_beyond_it(exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client:
        client.execute('DECLARE "C d" BINARY CURSOR WITH HOLD FOR SELECT count(*) FROM visits')
        assert client.execute('FETCH ALL FROM "C d"').rowcount == 1
        with client.transaction():
            client.execute("DECLARE c CURSOR FOR SELECT region, count(*) FROM visits GROUP BY region ORDER BY region")
            assert client.execute("FETCH 2 FROM c").rowcount == 2
        client.execute('CLOSE "C d"')


HOPEFUL = {
    "what fails only over NULL": "SELECT 1 / coalesce(n, 0) >= 0 FROM (SELECT count(*) AS n FROM visits) AS counted",
    "what fails only over no group": "SELECT 1 / count(*) FROM (SELECT region FROM visits GROUP BY region) AS shown",
    "two columns of one name": "COPY (SELECT count(*) AS n, count(*) AS n FROM visits) TO STDOUT (FORMAT binary)",
}


@pytest.mark.parametrize("text", HOPEFUL.values(), ids=HOPEFUL)
def test_a_statement_that_fails_only_over_nothing_is_answered(text: str, exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client:
        if text.startswith("COPY"):
            with client.cursor().copy(text.encode()) as answer:
                assert len(list(answer)) == 2
        else:
            assert client.execute(text.encode()).fetchone() is not None


NEVER_PAID_FOR = {
    "an extract of an extreme": ("SELECT EXTRACT(YEAR FROM max(visited_at)) FROM visits WHERE urgent", None),
    "TRIM of a key": ("SELECT TRIM(BOTH 'n' FROM region), count(*) FROM visits GROUP BY region", None),
    "a public subquery with a key": (
        "SELECT v.region, count(*), (SELECT zone FROM regions r WHERE r.name = v.region) FROM visits v GROUP BY v.region",
        None,
    ),
    "a public subquery with a key in HAVING": (
        "SELECT region, count(*) FROM visits GROUP BY region "
        "HAVING EXISTS (SELECT FROM regions r WHERE r.name = region AND zone IS NOT NULL)",
        None,
    ),
    "a time of day as an interval": (
        "SELECT count(*) FROM visits WHERE visited_at + minutes * interval '1 minute'::time > '2024-05-01'",
        None,
    ),
    "a subquery with what is no key": (
        "SELECT region, (SELECT zone FROM regions r WHERE r.name = v.diagnosis) FROM visits v GROUP BY region",
        "42803",
    ),
}


@pytest.mark.parametrize(("query", "sqlstate"), NEVER_PAID_FOR.values(), ids=NEVER_PAID_FOR.keys())
def test_what_the_stage_cannot_execute_is_not_paid_for(proxies: StartProxy, query: str, sqlstate: str | None) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)))
    with proxy.connect() as client:
        if sqlstate is None:
            assert client.execute(query.encode()).fetchall()
        else:
            with pytest.raises(psycopg.Error) as refusal:
                client.execute(query.encode())
            assert refusal.value.sqlstate == sqlstate
    assert spent(proxy) == (Decimal("0.5") if sqlstate is None else 0)

"""dp.max_price refuses dear statements before anything is charged; settings of a login; prices that accounts can pay."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

SMALL = {"budget": {"epsilon": "10", "delta": "1e-6"}, "per_analyst": None}
COUNT = "SELECT count(*) FROM visits"


@pytest.fixture
def client(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    with proxies(clinic.policy(visits=SMALL, patients=SMALL)).connect() as connection:
        yield connection


def spent(client: psycopg.Connection) -> list[object]:
    return [row[0] for row in client.execute("SELECT rho_spent FROM dp.budget ORDER BY account")]


def refusal(client: psycopg.Connection, query: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as error:
        client.execute(query.encode())
    return error.value.diag


def test_dear_statement_is_refused_with_its_price_and_nothing_is_charged(client: psycopg.Connection) -> None:
    client.execute("SET dp.max_price = '5 %'")
    before = spent(client)
    diagnosis = refusal(client, COUNT)
    assert spent(client) == before
    assert diagnosis.message_detail == "Nothing was charged. Its price is rho 0.125."
    found = re.fullmatch(
        r'this statement costs (\S+) % of "table:public.visits", but dp.max_price is 5 %',
        diagnosis.message_primary or "",
    )
    assert found is not None
    client.execute("SELECT set_config('dp.max_price', %s, false)", (f"{found[1]} %",))
    assert client.execute(COUNT).fetchone() is not None


def test_explain_recalled_answers_and_cheap_statements_pass(client: psycopg.Connection) -> None:
    answer = client.execute(COUNT).fetchone()
    client.execute("SET dp.max_price = '0.1 %'")
    assert client.execute(f"EXPLAIN {COUNT} WHERE urgent").fetchone() is not None
    assert client.execute(COUNT).fetchone() == answer
    client.execute("SET dp.max_price = '1 %'")
    client.execute("SET dp.epsilon = 0.1")
    assert client.execute(f"{COUNT} WHERE urgent").fetchone() is not None


def test_all_blocks_of_a_statement_count_and_each_once(client: psycopg.Connection) -> None:
    """One costs 8.8 %."""
    client.execute("SET dp.max_price = '10 %'")
    refusal(client, f"SELECT ({COUNT} WHERE minutes > 5) - ({COUNT} WHERE minutes > 6)")
    refusal(client, f"{COUNT} WHERE cost > (SELECT avg(cost) FROM visits)")
    assert not any(spent(client))
    client.execute(f"SELECT a.n + b.n FROM ({COUNT.replace('*)', '*) AS n')}) a, ({COUNT.replace('*)', '*) AS n')}) b")
    assert any(spent(client))


@pytest.mark.parametrize("value", ["2", "0 %", "101 %", "-1 %", "NaN %", "% 2"])
def test_max_price_is_a_percentage(client: psycopg.Connection, value: str) -> None:
    client.execute("SELECT set_config('dp.max_price', %s, false)", (value,))
    with pytest.raises(psycopg.errors.InvalidParameterValue, match='invalid value for setting "dp\\.max_price"'):
        client.execute(COUNT)


def policy_with_settings(**settings: str) -> Policy:
    names = {name.replace("_", ".", 1): value for name, value in settings.items()}
    return clinic.policy(visits=SMALL, analysts={"ana": {"password": clinic.VERIFIER, "settings": names}})


def test_sessions_begin_with_the_settings_of_their_login(proxies: StartProxy) -> None:
    with proxies(policy_with_settings(dp_max_price="1 %", dp_epsilon="0.2")).connect() as client:
        assert client.execute("SHOW dp.max_price").fetchone() == ("1 %",)
        assert "dp.max_price is 1 %" in str(refusal(client, COUNT).message_primary)
        client.execute("SET dp.max_price = '0.0001 %'")
        assert "dp.max_price is 0.0001 %" in str(refusal(client, COUNT).message_primary)
        client.execute("SET dp.max_price = '50 %'")
        plan = [line for (line,) in client.execute(f"EXPLAIN {COUNT}")]
        assert any("epsilon 0.2 for the block" in line for line in plan)
        client.execute("RESET dp.max_price")
        assert client.execute("SHOW dp.max_price").fetchone() == ("1 %",)


def test_auto_takes_noise_that_the_account_can_pay_for(proxies: StartProxy) -> None:
    """Gaussian noise at 0.1 costs more than all ρ of the account; of Laplace noise it pays for three."""
    poor = {
        "budget": {"epsilon": "0.3", "delta": "1e-6"},
        "per_analyst": None,
        "query": {"epsilon": "0.1", "mechanism": "auto"},
    }
    with proxies(clinic.policy(visits=poor)).connect() as client:
        for number in range(3):
            client.execute(f"{COUNT} WHERE minutes > {number}".encode())
        refusal(client, f"{COUNT} WHERE minutes > 3")


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_refusal_for_budget_names_the_largest_epsilon_that_would_pass(proxies: StartProxy, mechanism: str) -> None:
    poor = {"budget": {"epsilon": "1.7", "delta": "1e-6"}, "per_analyst": None, "query": {"max_epsilon": "2"}}
    with proxies(clinic.policy(visits=poor)).connect() as client:
        client.execute(f"SET dp.mechanism = {mechanism}".encode())
        client.execute("SET dp.epsilon = 0.1")
        client.execute(COUNT)
        client.execute("SET dp.epsilon = 2")
        hint = refusal(client, f"{COUNT} WHERE urgent").message_hint or ""
        found = re.match(r"SET dp\.epsilon = (\S+); is still possible\.", hint)
        assert found is not None, hint
        client.execute(f"SET dp.epsilon = {float(found[1]) * 1.01}".encode())
        refusal(client, f"{COUNT} WHERE urgent")
        client.execute(f"SET dp.epsilon = {found[1]}".encode())
        client.execute(f"{COUNT} WHERE urgent".encode())


def test_a_refusal_does_not_tell_what_others_have_asked(proxies: StartProxy) -> None:
    """The table's account would not pay for what another analyst has asked, and its share is the greater one."""
    tables = {"budget": {"epsilon": "10", "delta": "1e-6"}, "per_analyst": {"epsilon": "10000", "delta": "1e-6"}}
    logins = {name: {"password": clinic.VERIFIER} for name in ("ana", "bob")}
    proxy = proxies(clinic.policy(visits=tables, analysts=logins))
    with proxy.connect() as ana, proxy.connect(user="bob") as bob:
        ana.execute("SET dp.max_price = '5 %'")
        before = refusal(ana, COUNT).message_primary
        bob.execute(COUNT)
        assert refusal(ana, COUNT).message_primary == before

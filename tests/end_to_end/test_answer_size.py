"""One analyst's large answer neither fills the memory nor keeps the others waiting (attack 8)."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from proxy.sql.staging import staged
from tests.end_to_end.running import RunningProxy

MANY_CHOICES = (
    "SELECT registered, percentile_disc(ARRAY[0.1, 0.3, 0.5, 0.7, 0.9]) WITHIN GROUP (ORDER BY height) "
    "FROM patients GROUP BY 1"
)


def test_others_are_answered_while_thousands_of_values_are_chosen(exact_proxy: RunningProxy) -> None:
    """The pauses between answers stay far below the time of the choices, in which nobody was answered before."""
    with exact_proxy.connect() as large, exact_proxy.connect() as small:
        started = time.monotonic()
        asking = threading.Thread(target=large.execute, args=(MANY_CHOICES,))
        asking.start()
        pauses = [0.0]
        while asking.is_alive():
            before = time.monotonic()
            small.execute("SELECT 1")
            pauses.append(time.monotonic() - before)
        asking.join()
    assert max(pauses) < (time.monotonic() - started) / 3


def test_an_answer_of_too_many_numbers_is_refused(exact_proxy: RunningProxy) -> None:
    sums = ", ".join(f"sum(birth_year + {number})" for number in range(400))
    with exact_proxy.connect() as client:
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="too many noisy numbers") as refusal:
            client.execute(f"SELECT {sums} FROM patients GROUP BY registered, sex".encode())
        assert refusal.value.diag.message_detail == "5484 groups times 400 exceeds the limit of 2000000."
        assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_recalled_answer_is_not_printed_again_for_other_names_and_another_order(
    exact_proxy: RunningProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Printing many groups takes longer than everything else that a dashboard's next text needs."""
    printed = []
    literal_relation = staged.literal_relation

    def noted(plan, types, rows, *arguments, **named):  # type: ignore[no-untyped-def]
        printed.append(len(rows.keys))
        return literal_relation(plan, types, rows, *arguments, **named)

    monkeypatch.setattr(staged, "literal_relation", noted)
    with exact_proxy.connect() as client:
        first = client.execute("SELECT sex, avg(height) AS mean FROM patients GROUP BY sex").fetchall()
        assert len(first) in printed
        printed.clear()
        again = client.execute("SELECT avg(height) AS a, sex AS s FROM patients GROUP BY 2 ORDER BY a DESC").fetchall()
    assert {sex: mean for mean, sex in again} == dict(first)
    assert set(printed) <= {0}, "only the trial over no rows"

"""One analyst's large answer neither fills the memory nor keeps the others waiting (attack 8)."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

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

"""The extended protocol: Parse, Bind, Describe, Execute, Close, Flush, Sync, in pipelines and with errors."""

from __future__ import annotations

import gc
import struct
import threading
import time

import pytest

from proxy.wire import frontend
from proxy.wire.codec import frame
from proxy.wire.frontend import PORTAL, STATEMENT, Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.router import Parameter
from proxy.wire.statements import ClaimedStatement
from tests.wire.support import RawClient, RunningServer, error, errors, kinds, rows, status

SYNC = frame(frontend.SYNC)
FLUSH = frame(frontend.FLUSH)
COUNT = b"SELECT count(*) FROM visits WHERE cost > $1"
BY_ID = b"SELECT id FROM visits ORDER BY id"
INT4, TEXT, NUMERIC = 23, 25, 1700


def run(client: RawClient, *messages: Parse | Bind | Describe | Execute | Close) -> list[tuple[str, bytes]]:
    client.send(*(message.encode() for message in messages), SYNC)
    return client.until("Z")


def test_a_claimed_statement_is_parsed_described_and_answered(server: RunningServer, client: RawClient) -> None:
    steps = (Parse(b"s", COUNT), Describe(STATEMENT, b"s"), Bind(b"", b"s", (), (b"5",)), Describe(PORTAL, b""))
    messages = run(client, *steps, Execute(b""))
    assert kinds(messages) == "1tTN2TDCZ"
    assert rows(messages) == [(b"2",)]
    assert server.router.answered == [(COUNT.decode(), (Parameter(NUMERIC, "5"),))]


def test_binary_parameters_reach_the_router_as_text(server: RunningServer, client: RawClient) -> None:
    values = (struct.pack("!i", -7), None, b"it's", struct.pack("!d", 0.1))
    text = b"SELECT $1, $2, $3, $4, count(*) FROM visits"
    messages = run(
        client, Parse(b"", text, (INT4, INT4, TEXT, 701)), Bind(b"", b"", (1, 1, 0, 1), values), Execute(b"")
    )
    assert rows(messages) == [(b"-7", None, b"it's", b"0.1", b"3")]
    assert [parameter.text for parameter in server.router.answered[0][1]] == ["-7", None, "it's", "0.1"]


def test_binary_results_are_native(client: RawClient) -> None:
    messages = run(client, Parse(b"", BY_ID), Bind(b"", b"", (), (), (1,)), Execute(b""))
    assert rows(messages) == [(struct.pack("!i", number),) for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("bind", "sqlstate"),
    [
        (Bind(b"", b"s", (1,), (bytes(5),)), "22P03"),
        (Bind(b"", b"s", (1,), (bytes(1),)), "08P01"),
        (Bind(b"", b"s", (0,), (b"many",)), "22P02"),
        (Bind(b"", b"s", (), ()), "08P01"),
        (Bind(b"", b"s", (0, 0), (b"1",)), "08P01"),
        (Bind(b"", b"s", (), (b"1",), (0, 0)), "08P01"),
        (Bind(b"", b"nosuch", (), ()), "26000"),
    ],
)
def test_a_bad_bind_gets_the_stages_own_error(client: RawClient, bind: Bind, sqlstate: str) -> None:
    run(client, Parse(b"s", b"SELECT id FROM visits WHERE id = $1"))
    messages = run(client, bind, Execute(b""))
    assert (error(messages).sqlstate, kinds(messages)[-2:]) == (sqlstate, "EZ")
    assert rows(run(client, Bind(b"", b"s", (), (b"2",)), Execute(b""))) == [(b"2",)]


@pytest.mark.parametrize(
    ("formats", "sqlstate"), [((7,), "22023"), ((0, 1, 0), "08P01"), ((0, 0), "08P01"), ((0, 2, 0, 0), "08P01")]
)
def test_formats_of_results_are_looked_at_before_the_router_answers(
    server: RunningServer, client: RawClient, formats: tuple[int, ...], sqlstate: str
) -> None:
    """An answer is paid for."""
    messages = run(client, Parse(b"", BY_ID), Bind(b"", b"", (), (), formats), Execute(b""))
    assert (error(messages).sqlstate, kinds(messages)[-2:]) == (sqlstate, "EZ")
    assert server.router.answered == []


def test_sixty_five_thousand_parameters_are_answered(server: RunningServer, client: RawClient) -> None:
    number = 65_535
    text = b"SELECT 1 FROM visits WHERE id IN (" + b",".join(b"$%d" % i for i in range(1, number + 1)) + b") /*late*/"
    values = tuple(b"%d" % i for i in range(number))
    messages = run(client, Parse(b"", text), Bind(b"", b"", (), values), Execute(b""))
    assert error(messages)["M"] == b"too late"
    assert [parameter.text for parameter in server.router.answered[0][1]] == [str(i) for i in range(number)]


def test_row_limits_suspend_the_portal(client: RawClient) -> None:
    client.send(Parse(b"", BY_ID).encode(), Bind(b"p", b"").encode(), Execute(b"p", 2).encode(), FLUSH)
    assert kinds(client.until("s")) == "1N2DDs"
    client.send(Execute(b"p", 2).encode(), Close(PORTAL, b"p").encode(), SYNC)
    assert kinds(client.until("Z")) == "DC3Z"


def test_a_refused_parse_skips_to_the_sync(client: RawClient) -> None:
    messages = run(client, Parse(b"", b"SELECT secrets"), Bind(b"", b""), Execute(b""))
    assert (kinds(messages), error(messages).sqlstate, status(messages)) == ("EZ", "0A000", "I")


def test_a_refused_parse_drops_the_unnamed_statement_as_in_postgres(client: RawClient) -> None:
    run(client, Parse(b"", BY_ID))
    run(client, Parse(b"", b"SELECT secrets"))
    assert error(run(client, Bind(b"", b""), Execute(b""))).sqlstate == "26000"


def test_long_texts_of_claimed_statements_with_names_are_limited(client: RawClient) -> None:
    """One letter can need four bytes of memory; a text without a name is gone with the next one."""
    long = f"SELECT count(*) FROM visits /*{'x' * 600_000}😀*/".encode()
    assert kinds(run(client, Parse(b"a", long))) == "1Z"
    refused = error(run(client, Parse(b"b", long)))
    assert (refused.sqlstate, refused["M"]) == (
        "0A000",
        b"more than 4 MB of prepared statements over private tables in one session",
    )
    assert kinds(run(client, Parse(b"a", BY_ID))[-2:]) == "EZ"  # the name is taken
    assert kinds(run(client, Parse(b"", long), Parse(b"", long), Bind(b"", b""), Execute(b""))) == "11N2DCZ"
    run(client, Close(STATEMENT, b"a"))
    assert kinds(run(client, Parse(b"b", long))) == "1Z"


def test_a_session_that_has_ended_keeps_no_texts(client: RawClient) -> None:
    """It is part of cycles of references, which a process that has many objects looks for once in hours."""
    run(client, Parse(b"kept", BY_ID + b" /*kept*/"))
    gc.collect()
    gc.disable()
    try:
        assert _kept() == 1
        client.close()
        deadline = time.monotonic() + 10
        while _kept() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert _kept() == 0
    finally:
        gc.enable()


def _kept() -> int:
    return sum(isinstance(each, ClaimedStatement) and "/*kept*/" in each.text for each in gc.get_objects())


@pytest.mark.parametrize(
    ("text", "sqlstate"), [(b"SELECT secrets", "0A000"), (BY_ID + b" /*late*/", "0A000"), (b"SELECT 1/0", "22012")]
)
def test_an_error_fails_the_transaction(client: RawClient, text: bytes, sqlstate: str) -> None:
    run(client, Parse(b"", b"BEGIN"), Bind(b"", b""), Execute(b""))
    messages = run(client, Parse(b"", text), Bind(b"", b""), Execute(b""))
    assert (error(messages).sqlstate, status(messages)) == (sqlstate, "E")
    assert error(run(client, Parse(b"", BY_ID), Bind(b"", b""), Execute(b""))).sqlstate == "25P02"


def test_an_error_is_told_at_once_and_what_follows_is_skipped(client: RawClient) -> None:
    client.send(Parse(b"", BY_ID + b" /*late*/").encode(), Bind(b"", b"").encode())
    assert kinds(client.until("E")) == "1E"
    client.send(Execute(b"").encode(), Query(b"SELECT 1").encode(), Parse(b"x", BY_ID).encode(), SYNC)
    assert kinds(client.until("Z")) == "Z"
    assert error(run(client, Bind(b"", b"x"))).sqlstate == "26000"


def test_syntax_errors_of_claimed_statements_are_native(client: RawClient) -> None:
    report = error(run(client, Parse(b"", b"SELECT FROM FROM visits")))
    assert (report.sqlstate, report["P"]) == ("42601", b"13")


def test_pipelined_segments_fail_one_by_one(client: RawClient) -> None:
    segments = (b"SELECT 1", BY_ID, b"SELECT secrets", b"SELECT nosuch", BY_ID + b" /*late*/", b"SELECT 2") * 20
    for text in segments:
        client.send(Parse(b"", text).encode(), Bind(b"", b"").encode(), Execute(b"").encode(), SYNC)
    replies = [kinds(client.until("Z")) for _ in segments]
    assert replies == ["12DCZ", "1N2DDDCZ", "EZ", "EZ", "1EZ", "12DCZ"] * 20


def test_many_claimed_statements_in_one_segment_keep_their_order(client: RawClient) -> None:
    for number in range(1, 51):
        text = b"SELECT id + %d FROM visits WHERE id = 1" % number if number % 2 else b"SELECT %d" % (number + 1)
        client.send(Parse(b"", text).encode(), Bind(b"", b"").encode(), Execute(b"").encode())
    client.send(SYNC)
    assert rows(client.until("Z")) == [(b"%d" % (number + 1),) for number in range(1, 51)]


def test_a_huge_pipeline_without_reads_does_not_deadlock(client: RawClient) -> None:
    batch = (Parse(b"", b"SELECT 'padding of a row'"), Bind(b"", b""), Describe(PORTAL, b""), Execute(b""))
    message = b"".join(part.encode() for part in batch) + SYNC
    number = 5_000
    writer = threading.Thread(target=client.send, args=(message * number,))
    writer.start()
    replies = [kinds(client.until("Z")) for _ in range(number)]
    writer.join()
    assert set(replies) == {"12TDCZ"}


def test_a_closed_and_reused_name_means_the_new_statement(client: RawClient) -> None:
    run(client, Parse(b"s", BY_ID))
    messages = run(client, Close(STATEMENT, b"s"), Parse(b"s", b"SELECT 7"), Bind(b"", b"s"), Execute(b""))
    assert rows(messages) == [(b"7",)]
    messages = run(client, Close(STATEMENT, b"s"), Parse(b"s", BY_ID), Bind(b"", b"s"), Execute(b""))
    assert len(rows(messages)) == 3


def test_a_failed_parse_of_a_taken_name_changes_nothing(client: RawClient) -> None:
    run(client, Parse(b"s", BY_ID))
    assert error(run(client, Parse(b"s", b"SELECT 7"))).sqlstate == "42P05"
    assert len(rows(run(client, Bind(b"", b"s"), Execute(b"")))) == 3


@pytest.mark.parametrize("drop", [b"DEALLOCATE s", b"DEALLOCATE ALL", b"DISCARD ALL"])
def test_a_statement_deallocated_in_sql_is_gone(server: RunningServer, client: RawClient, drop: bytes) -> None:
    run(client, Parse(b"s", BY_ID))
    client.send(Query(drop).encode())
    client.until("Z")
    assert error(run(client, Bind(b"", b"s"), Execute(b""))).sqlstate == "26000"
    assert not server.router.answered


def test_a_name_prepared_anew_in_sql_never_gives_the_old_answer(server: RunningServer, client: RawClient) -> None:
    run(client, Parse(b"s", BY_ID))
    client.send(Query(b"DEALLOCATE s; PREPARE s AS SELECT 7").encode())
    client.until("Z")
    assert rows(run(client, Bind(b"", b"s"), Execute(b""))) == [(b"7",)]
    assert not server.router.answered


def test_a_simple_query_drops_the_unnamed_statement(server: RunningServer, client: RawClient) -> None:
    run(client, Parse(b"", BY_ID))
    client.send(Query(b"SELECT 1").encode())
    client.until("Z")
    assert error(run(client, Bind(b"", b""), Execute(b""))).sqlstate == "26000"
    assert not server.router.answered


def test_the_stages_error_to_the_router_is_the_reply_to_bind(client: RawClient) -> None:
    client.send(Query(b"BEGIN; SAVEPOINT s").encode())
    client.until("Z")
    run(client, Parse(b"", BY_ID + b" /*describe*/"))
    messages = run(client, Bind(b"", b""), Execute(b""))
    assert kinds(messages) == "N2DDDCZ"
    run(client, Parse(b"s", BY_ID))
    client.send(Query(b"SELECT 1/0").encode())
    client.until("Z")
    messages = run(client, Bind(b"", b"s"))
    assert (kinds(messages), error(messages).sqlstate, status(messages)) == ("EZ", "25P02", "E")


def test_an_error_that_the_router_ignores_is_still_the_reply_to_bind(client: RawClient) -> None:
    messages = run(client, Parse(b"", BY_ID + b" /*shrug*/"), Bind(b"", b""), Execute(b""))
    assert (kinds(messages), error(messages).sqlstate) == ("1EZ", "22012")
    assert len(rows(run(client, Parse(b"", BY_ID), Bind(b"", b""), Execute(b"")))) == 3


def test_an_answer_that_fails_at_the_stage_has_no_position(client: RawClient) -> None:
    text = b"SELECT region FROM visits AS v"
    messages = run(client, Parse(b"", text), Bind(b"", b""), Execute(b""))
    (report,) = errors(messages)
    assert (report.sqlstate, report["P"]) == ("42601", b"")


def test_internal_names_leave_nothing_behind(client: RawClient) -> None:
    run(client, Parse(b"s", COUNT), Bind(b"", b"s", (), (b"5",)), Execute(b""))
    run(client, Bind(b"", b"s", (), (b"x",)))
    run(client, Bind(b"", b"s", (), (b"5",), (0, 0)))
    client.send(Query(b"SELECT name FROM pg_prepared_statements WHERE name NOT LIKE '\\_dpproxy%'").encode())
    assert rows(client.until("Z")) == [(b"s",)]
    assert rows(run(client, Bind(b"", b"s", (), (b"5",)), Execute(b""))) == [(b"2",)]


def test_too_many_claimed_statements_are_refused(client: RawClient) -> None:
    client.send(*(Parse(b"s%d" % number, BY_ID).encode() for number in range(1001)), SYNC)
    messages = client.until("Z")
    assert kinds(messages) == "1" * 1000 + "EZ"
    assert error(messages).sqlstate == "0A000"


def test_the_router_is_not_asked_in_a_failed_transaction(server: RunningServer, client: RawClient) -> None:
    run(client, Parse(b"", BY_ID), Bind(b"", b""), Execute(b""))
    run(client, Parse(b"b", b"BEGIN"), Bind(b"", b"b"), Execute(b""))
    run(client, Parse(b"nosuch", b"SELECT nosuch"))
    server.router.answered.clear()
    messages = run(client, Bind(b"", b""), Execute(b""))
    assert (error(messages).sqlstate, status(messages)) == ("25P02", "E")
    assert not server.router.answered


def test_a_rollback_in_the_pipeline_lets_the_router_be_asked_again(client: RawClient) -> None:
    run(client, Parse(b"b", b"BEGIN"), Bind(b"", b"b"), Execute(b""))
    run(client, Parse(b"nosuch", b"SELECT nosuch"))
    rollback = (Parse(b"r", b"ROLLBACK"), Bind(b"", b"r"), Execute(b""))
    messages = run(client, *rollback, Parse(b"", BY_ID), Bind(b"", b""), Execute(b""))
    assert (len(rows(messages)), status(messages)) == (3, "I")


def test_an_error_that_the_router_ignores_is_the_reply_even_if_it_has_no_answer(client: RawClient) -> None:
    messages = run(client, Parse(b"", BY_ID + b" /*shrug*/ /*native*/"), Bind(b"", b""), Execute(b""))
    assert (kinds(messages), error(messages).sqlstate) == ("1EZ", "22012")
    assert len(rows(run(client, Parse(b"", BY_ID), Bind(b"", b""), Execute(b"")))) == 3


@pytest.mark.parametrize("name", [b"_dpproxy_internal", b"_dpproxy_answer", b"_dpproxy_0000000000000000"])
def test_a_client_may_call_its_own_as_the_proxy_does(client: RawClient, name: bytes) -> None:
    run(client, Parse(name, b"SELECT 41 + $1::integer"), Parse(b"mine", BY_ID))
    run(client, Parse(b"", b"BEGIN"), Bind(b"", b""), Execute(b""))
    bound = run(client, Bind(name, name, (), (b"1",)), Bind(b"other", b"mine"), Execute(b"other"), Execute(name))
    assert rows(bound) == [(b"1",), (b"2",), (b"3",), (b"42",)]
    client.send(Query(b"COMMIT; SELECT count(*) FROM visits WHERE cost > 5").encode())
    assert rows(client.until("Z")) == [(b"2",)]
    assert rows(run(client, Bind(b"", name, (), (b"2",)), Execute(b""))) == [(b"43",)]


def test_the_session_shows_nothing_of_the_proxys_own(client: RawClient) -> None:
    run(client, Parse(b"mine", COUNT), Bind(b"", b"mine", (), (b"5",)), Execute(b""))
    run(client, Parse(b"mine2", b"SELECT nosuch FROM visits"))
    client.send(Query(b"SELECT name FROM pg_prepared_statements; SELECT count(*) FROM visits").encode())
    assert rows(client.until("Z")) == [(b"mine",), (b"3",)]
    client.send(Query(b"SELECT name FROM pg_prepared_statements UNION ALL SELECT name FROM pg_cursors").encode())
    assert not any(b"dpproxy" in (name or b"") for (name,) in rows(client.until("Z")))
    client.send(Query(b"SELECT (SELECT count(*) FROM visits), ARRAY(SELECT name FROM pg_cursors)").encode())
    assert b"dpproxy" not in str(rows(client.until("Z"))).encode()


def test_a_parse_that_is_skipped_drops_nothing(server: RunningServer, client: RawClient) -> None:
    """Sent in one go, so that nobody knows yet of the error in front of it."""
    run(client, Parse(b"", COUNT))
    failing = run(client, Describe(STATEMENT, b"nosuch"), Parse(b"", BY_ID))
    assert (kinds(failing), error(failing).sqlstate) == ("EZ", "26000")
    assert rows(run(client, Bind(b"", b"", (), (b"5",)), Execute(b""))) == [(b"2",)]
    assert server.router.answered == [(COUNT.decode(), (Parameter(NUMERIC, "5"),))]

"""Simple queries: relayed, answered, and mixed in one text."""

from __future__ import annotations

import pytest

from proxy.wire.backend import Report
from proxy.wire.frontend import Bind, Execute, Parse, Query
from tests.wire.support import RawClient, RunningServer, error, errors, kinds, rows, status

Messages = list[tuple[str, bytes]]


def ask(client: RawClient, text: str) -> Messages:
    client.send(Query(text.encode()).encode())
    return client.until("Z")


def test_an_unclaimed_query_gets_the_stages_own_reply(client: RawClient) -> None:
    messages = ask(client, "SELECT name FROM regions ORDER BY name; SELECT 1")
    assert kinds(messages) == "TDDCTDCZ"


def test_a_claimed_query_is_answered_with_notices_first(client: RawClient) -> None:
    messages = ask(client, "SELECT count(*), sum(cost) FROM visits")
    assert kinds(messages) == "NTDCZ"
    notice = Report.decode(messages[0][1])
    assert (notice["S"], notice["M"], notice["D"]) == (b"NOTICE", b"answered ana", b"It cost nothing.")
    assert rows(messages) == [(b"3", b"32.00")]


def test_a_private_table_that_the_router_missed_is_not_readable(server: RunningServer, client: RawClient) -> None:
    assert error(ask(client, "SELECT count(*) FROM ONLY visits")).sqlstate == "42501"
    assert not server.router.answered


def test_a_text_of_several_statements_has_one_ready_for_query(client: RawClient) -> None:
    messages = ask(client, "SELECT 1; SELECT count(*) FROM visits; SELECT 2;")
    assert kinds(messages) == "TDCNTDCTDCZ"
    assert rows(messages) == [(b"1",), (b"3",), (b"2",)]
    assert status(messages) == "I"


def test_an_error_stops_the_text_and_undoes_what_came_before(client: RawClient) -> None:
    messages = ask(client, "SET application_name = 'x'; SELECT count(*) FROM visits; SELECT nosuch; SELECT 3")
    assert error(messages).sqlstate == "42703"
    assert rows(messages) == [(b"3",)]
    assert status(messages) == "I"
    assert rows(ask(client, "SHOW application_name")) == [(b"",)]


def test_an_errors_position_counts_from_the_start_of_the_whole_text(client: RawClient) -> None:
    text = "SELECT count(*) FROM visits; SELECT 'ü', nosuch"
    assert error(ask(client, text))["P"] == str(text.index("nosuch") + 1).encode()
    text = "SELECT count(*) FROM visits; SELECT secrets"
    assert error(ask(client, text))["P"] == str(text.index("secrets") + 1).encode()


def test_an_error_in_the_answers_sql_has_no_position(client: RawClient) -> None:
    report = error(ask(client, "SELECT nosuch FROM visits"))
    assert (report.sqlstate, report["P"]) == ("42703", b"")


def test_a_begin_inside_the_text_leaves_the_clients_transaction_open(client: RawClient) -> None:
    text = "BEGIN;declare c cursor for SELECT id FROM visits ORDER BY id;fetch 2 in c"
    messages = ask(client, text)
    assert rows(messages) == [(b"1",), (b"2",)]
    assert [Report.decode(body)["M"] for kind, body in messages if kind == "N"] == [b"answered ana"]
    assert status(messages) == "T"
    assert rows(ask(client, "FETCH ALL c")) == [(b"3",)]


def test_a_begin_after_a_claimed_statement_leaves_the_transaction_open_without_a_warning(client: RawClient) -> None:
    messages = ask(client, "SELECT count(*) FROM visits; BEGIN; SELECT 1")
    assert kinds(messages) == "NTDCCTDCZ"
    assert status(messages) == "T"


def test_a_commit_inside_the_text_keeps_what_came_before(client: RawClient) -> None:
    messages = ask(client, "SET application_name = 'kept'; COMMIT; SELECT count(*) FROM visits; SELECT nosuch")
    assert (error(messages).sqlstate, status(messages)) == ("42703", "I")
    assert rows(ask(client, "SHOW application_name")) == [(b"kept",)]


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [("SELECT secrets", "0A000"), ("SELECT count(*) FROM visits /*crash*/", "XX000"), ("SELECT nosuch", "42703")],
)
def test_an_error_fails_the_clients_transaction(client: RawClient, statement: str, sqlstate: str) -> None:
    assert status(ask(client, "BEGIN")) == "T"
    messages = ask(client, statement)
    assert (error(messages).sqlstate, status(messages)) == (sqlstate, "E")
    assert error(ask(client, "SELECT 1")).sqlstate == "25P02"
    assert status(ask(client, "ROLLBACK")) == "I"


def test_an_unexpected_exception_says_nothing_of_its_cause(client: RawClient, caplog: pytest.LogCaptureFixture) -> None:
    report = error(ask(client, "SELECT 'private literal' FROM visits /*crash*/"))
    assert (report.sqlstate, report["M"], report["D"]) == ("XX000", b"internal error", b"")
    assert "RuntimeError" in caplog.text
    assert "private" not in caplog.text


def test_the_stages_error_to_the_router_reaches_the_client_unchanged(client: RawClient) -> None:
    text = "SELECT nosuch FROM visits /*describe*/"
    report = error(ask(client, text))
    assert (report.sqlstate, report["P"]) == ("42703", str(text.index("nosuch") + 1).encode())


def test_refusals_carry_detail_hint_and_position(client: RawClient) -> None:
    report = error(ask(client, "SELECT secrets"))
    assert [report[code] for code in "SCMDHP"] == [b"ERROR", b"0A000", b"secrets are not told", b"Why.", b"Ask.", b"8"]


def test_copy_to_stdout_is_relayed_and_answered(client: RawClient) -> None:
    assert kinds(ask(client, "COPY regions TO STDOUT")) == "HddcCZ"
    messages = ask(client, "COPY (SELECT id FROM visits ORDER BY id) TO STDOUT (FORMAT csv)")
    assert [body for kind, body in messages if kind == "d"] == [b"1\n", b"2\n", b"3\n"]


def test_a_refused_copy_from_stdin_does_not_desynchronise(client: RawClient) -> None:
    client.send(Query(b"COPY regions FROM STDIN").encode(), b"d\0\0\0\x06x\n", b"c\0\0\0\x04")
    assert error(client.until("Z")).sqlstate == "42501"
    assert rows(ask(client, "SELECT 1")) == [(b"1",)]


def test_copy_from_stdin_ends_the_session(client: RawClient) -> None:
    ask(client, "CREATE TEMP TABLE own (x text)")
    client.send(Query(b"COPY own FROM STDIN").encode())
    report = error(client.until("Z"))
    assert (report.sqlstate, report["S"]) == ("0A000", b"FATAL")
    assert client.read() == ("", b"")


def test_a_function_call_is_refused_and_fails_the_transaction(client: RawClient) -> None:
    ask(client, "BEGIN")
    client.send(b"F\0\0\0\x0e\0\0\0\0\0\0\0\0\0\0")
    messages = client.until("Z")
    assert (error(messages).sqlstate, status(messages)) == ("0A000", "E")


def test_the_empty_query_has_its_own_reply(client: RawClient) -> None:
    assert kinds(ask(client, "")) == "IZ"
    assert kinds(ask(client, ";;SELECT count(*) FROM visits;;")) == "NTDCZ"


def test_texts_are_read_in_the_sessions_encoding(client: RawClient) -> None:
    ask(client, "SET client_encoding = 'LATIN1'")
    client.send(Query("SELECT 'ü', count(*) FROM visits".encode("latin-1")).encode())
    assert rows(client.until("Z")) == [("ü".encode("latin-1"), b"3")]
    ask(client, "SET client_encoding = 'SJIS'")
    assert rows(ask(client, "SELECT count(*) FROM visits")) == [(b"3",)]
    assert error(ask(client, "SELECT 'ü' FROM visits")).sqlstate == "22021"


def test_bytes_that_are_no_text_are_refused(client: RawClient) -> None:
    client.send(Query(b"SELECT '\xff\xfe'").encode())
    messages = client.until("Z")
    assert (error(messages).sqlstate, status(messages)) == ("22021", "I")


def test_many_queries_may_be_sent_before_the_first_reply_is_read(client: RawClient) -> None:
    texts = [b"SELECT 1", b"SELECT count(*) FROM visits", b"SELECT secrets"] * 20
    client.send(*(Query(text).encode() for text in texts))
    replies = [client.until("Z") for _ in texts]
    assert [kinds(reply) for reply in replies] == ["TDCZ", "NTDCZ", "EZ"] * 20


def test_a_large_result_passes_through(client: RawClient) -> None:
    messages = ask(client, "SELECT repeat('x', 100) FROM generate_series(1, 20000)")
    assert len(rows(messages)) == 20000
    assert not list(errors(messages))


def test_a_single_row_larger_than_every_buffer_passes(server: RunningServer, client: RawClient) -> None:
    assert len(rows(ask(client, "SELECT repeat('x', 5000000)"))[0][0] or b"") == 5_000_000
    assert not server.router.answered


def test_the_router_is_not_asked_in_a_failed_transaction(server: RunningServer, client: RawClient) -> None:
    ask(client, "BEGIN")
    ask(client, "SELECT nosuch")
    for text in ("SELECT count(*) FROM visits", "SELECT secrets", "SELECT count(*) FROM visits; ROLLBACK"):
        messages = ask(client, text)
        assert (error(messages).sqlstate, status(messages)) == ("25P02", "E")
    assert not server.router.answered
    assert rows(ask(client, "ROLLBACK; SELECT count(*) FROM visits")) == [(b"3",)]


def test_a_claimed_statement_may_end_a_failed_transaction(server: RunningServer, client: RawClient) -> None:
    ask(client, "BEGIN; SAVEPOINT s")
    assert error(ask(client, "SELECT nosuch")).sqlstate == "42703"
    messages = ask(client, "ROLLBACK TO SAVEPOINT s -- secrets")
    assert (kinds(messages), status(messages)) == ("CZ", "T")
    assert not server.router.answered


def test_a_transaction_begun_without_a_sync_stays_the_clients(client: RawClient) -> None:
    """The status of the last ReadyForQuery is out of date here; a COMMIT of the proxy would end the transaction."""
    client.send(Parse(b"", b"BEGIN").encode(), Bind(b"", b"").encode(), Execute(b"").encode())
    messages = ask(client, "SELECT 1; SELECT count(*) FROM visits")
    assert (rows(messages), status(messages)) == ([(b"1",), (b"3",)], "T")
    assert kinds(messages) == "12CTDCNTDCZ"


def test_a_session_that_ends_inside_a_row_ends_without_a_word_in_it(server: RunningServer) -> None:
    """What the client reads up to the end of the connection are whole messages and the beginning of one."""
    with RawClient(server) as client:
        client.log_in()
        client.send(Query(b"SELECT repeat('x', 50000000)").encode())
        assert client.read()[0] == "T"
        client.send(b"z\0\0\0\x04")
        data = client.rest()
    assert b"FATAL" not in data
    assert data[:1] == b"D"
    assert data[7 + 4 :].strip(b"x") == b""

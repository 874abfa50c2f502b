"""Every message survives encoding and decoding, and nothing shorter, longer or falsely counted does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.errors import DpproxyError, ProtocolViolationError, UnsupportedError
from proxy.wire import backend, frontend
from proxy.wire.backend import Report
from proxy.wire.codec import HEADER, INT32
from proxy.wire.frontend import (
    Bind,
    CancelRequest,
    Close,
    Describe,
    Execute,
    Parse,
    Query,
    SaslInitialResponse,
    Startup,
)

strings = st.binary(max_size=20).map(lambda raw: raw.replace(b"\0", b"?"))
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
formats = st.lists(st.integers(0, 0xFFFF), max_size=4).map(tuple)
numbers = st.integers(0, 0xFFFF_FFFF)
values = st.lists(st.none() | st.binary(max_size=9), max_size=5).map(tuple)
whats = st.sampled_from([frontend.STATEMENT, frontend.PORTAL])

framed = st.one_of(
    st.builds(Query, strings),
    st.builds(Parse, strings, strings, st.lists(numbers, max_size=4).map(tuple)),
    st.builds(Bind, strings, strings, formats, values, formats),
    st.builds(Describe, whats, strings),
    st.builds(Close, whats, strings),
    st.builds(Execute, strings, numbers),
    st.builds(SaslInitialResponse, words, st.binary(max_size=20)),
)
Framed = Query | Parse | Bind | Describe | Close | Execute | SaslInitialResponse


@given(framed)
def test_a_message_is_what_it_was_before_encoding(message: Framed) -> None:
    encoded = message.encode()
    assert HEADER.unpack_from(encoded)[1] == len(encoded) - 1
    assert type(message).decode(encoded[HEADER.size :]) == message


@given(framed, st.data())
def test_a_shorter_or_longer_message_is_a_violation(message: Framed, data: st.DataObject) -> None:
    body = message.encode()[HEADER.size :]
    cut = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(ProtocolViolationError):
        type(message).decode(body[:cut])
    with pytest.raises(ProtocolViolationError):
        type(message).decode(body + b"\0")


@given(st.builds(Startup, st.just(frontend.PROTOCOL_3_0), st.dictionaries(words, words, max_size=4)))
def test_a_startup_packet_is_what_it_was_before_encoding(startup: Startup) -> None:
    encoded = startup.encode()
    assert INT32.unpack(encoded[:4])[0] == len(encoded)
    assert Startup.decode(encoded[4:]) == startup


@given(st.builds(CancelRequest, numbers, st.binary(min_size=4, max_size=32)))
def test_a_cancel_request_is_what_it_was_before_encoding(request: CancelRequest) -> None:
    assert CancelRequest.decode(request.encode()[4:]) == request


@given(st.lists(st.tuples(st.sampled_from("SVCMDHPWFLR"), strings)).map(tuple))
def test_a_report_is_what_it_was_before_encoding(fields: tuple[tuple[str, bytes], ...]) -> None:
    assert Report.decode(Report(fields).encode()) == Report(fields)


@given(st.binary(max_size=64), st.sampled_from([Query, Parse, Bind, Describe, Close, Execute, SaslInitialResponse]))
def test_any_bytes_are_a_message_or_a_violation(body: bytes, kind: type[Framed]) -> None:
    try:
        message = kind.decode(body)
    except ProtocolViolationError:
        return
    assert kind.decode(message.encode()[HEADER.size :]) == message


def test_counts_beyond_the_protocol_are_refused() -> None:
    Bind(b"", b"", (), (None,) * 65_535).encode()
    with pytest.raises(ProtocolViolationError):
        Bind(b"", b"", (), (None,) * 65_536).encode()


def test_a_zero_byte_cannot_end_a_text_early() -> None:
    with pytest.raises(ProtocolViolationError):
        Query(b"SELECT 1\0; DROP TABLE visits").encode()


@pytest.mark.parametrize("kind", [kind for kind in range(256) if kind not in b"QPBDECHSXFdcf"])
def test_only_known_message_types_have_a_maximum(kind: int) -> None:
    with pytest.raises(ProtocolViolationError):
        frontend.maximum_length(kind, 1)


def test_an_error_becomes_a_report_with_all_its_fields() -> None:
    error: DpproxyError = UnsupportedError("no", detail="why", hint="how", position=3, rule="r")
    fields = dict(backend.error_report(error, offset=10).fields)
    assert fields == {"S": b"ERROR", "V": b"ERROR", "C": b"0A000", "M": b"no", "D": b"why", "H": b"how", "P": b"13"}


def test_a_report_never_fails_for_want_of_a_character() -> None:
    assert backend.report("ERROR", "XX000", "a\0b ü", "ascii")["M"] == b"ab ?"

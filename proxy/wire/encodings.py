"""How the client's bytes become text: by the session's client_encoding, and only where that is unambiguous."""

from __future__ import annotations

from collections.abc import Mapping

from proxy.errors import DpproxyError

_CODECS = {"UTF8": "utf-8", "SQL_ASCII": "utf-8", "LATIN1": "latin-1"}
"""Encodings that Python and Postgres read alike (the stage is UTF-8, so SQL_ASCII means its bytes are UTF-8)."""


class UnreadableTextError(DpproxyError):
    """Bytes that are no text in the session's encoding (character_not_in_repertoire)."""

    sqlstate = "22021"


class UntranslatableTextError(DpproxyError):
    """A text that the session's encoding cannot express (untranslatable_character)."""

    sqlstate = "22P05"


def codec_of(settings: Mapping[str, str]) -> str:
    """Python's codec for the session. Any other encoding is read as ASCII only, which all of them contain."""
    return _CODECS.get(settings.get("client_encoding", ""), "ascii")


def decode_text(raw: bytes, codec: str) -> str:
    """The client's SQL as text.

    Raises:
        UnreadableTextError: these bytes have no certain meaning to the stage.
    """
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        raise UnreadableTextError(
            "invalid byte sequence for the session's client_encoding",
            hint="Use client_encoding UTF8 for statements that are not plain ASCII.",
        ) from None


def encode_text(text: str, codec: str) -> bytes:
    """Text for the stage in the session's encoding.

    Raises:
        UntranslatableTextError: a character has no equivalent there.
    """
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        raise UntranslatableTextError(
            "the answer contains a character that has no equivalent in the session's client_encoding",
            hint="SET client_encoding = 'UTF8'.",
        ) from None

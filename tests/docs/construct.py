"""What the table of constructs says of one: that it is answered, or how it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answered:
    """A construct that is answered.

    Attributes:
        query: an example over the tables of the demo.
        blocks: how many blocks of it are measured and paid for.
        also: further examples, for everything that the construct's name promises; the table leaves them out.
    """

    query: str
    blocks: int = 1
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A construct that is refused before anything is charged.

    Attributes:
        query: an example over the tables of the demo.
        sqlstate: of the error.
        message: the error's primary text, all of it.
    """

    query: str
    sqlstate: str
    message: str


UNSUPPORTED, DENIED = "0A000", "42501"

"""A byte stream over asyncio that is read in two ways: by awaiting (login) and by callback (relaying), in TLS or not.

Relaying by callback costs no task switch per message: bytes that arrive on one side are written to the other side in
the same turn of the event loop.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import cast

from proxy.wire.codec import HEADER
from proxy.wire.throttle import Address, address_of
from proxy.wire.tls import TlsFailedError, Tunnel

Receiver = Callable[[bytes], None]


class Connection(asyncio.Protocol):
    """One end of a socket.

    Attributes:
        on_writable: called when a peer that read too slowly has caught up.
        on_slow: called when the peer reads too slowly; producers of bytes should stop until `on_writable`.
        on_lost: called once when the connection is gone.
    """

    def __init__(self, on_connect: Callable[[Connection], None] | None = None) -> None:
        self._on_connect = on_connect
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._arrived = asyncio.Event()
        self._receiver: Receiver | None = None
        self._tunnel: Tunnel | None = None
        self._paused = False
        self._resting = False
        self.lost = False
        self.slow = False
        self.on_slow: Callable[[], None] = _nothing
        self.on_writable: Callable[[], None] = _nothing
        self.on_lost: Callable[[], None] = _nothing

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's has another base
        _keep_alive(self._transport)
        if self._on_connect is not None:
            self._on_connect(self)

    def data_received(self, data: bytes) -> None:
        if self._tunnel is not None:
            data = self._decrypt(self._tunnel, data)
            if not data:
                return
        if self._receiver is not None:
            if len(data) >= _MUCH:
                self._rest()
            self._receiver(data)
        else:
            self._buffer += data
            self._arrived.set()
            if len(self._buffer) > _LOGIN_BUFFER:
                self.pause_reading()

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        self.lost = True
        self._arrived.set()
        self.on_lost()

    def pause_writing(self) -> None:
        self.slow = True
        self.on_slow()

    def resume_writing(self) -> None:
        self.slow = False
        self.on_writable()

    @property
    def peer(self) -> Address | None:
        """Where the other end is; None for a Unix socket."""
        name = None if self._transport is None else self._transport.get_extra_info("peername")
        return address_of(name[0]) if isinstance(name, tuple) else None

    @property
    def buffered(self) -> int:
        """Bytes that have arrived but are not yet read."""
        return len(self._buffer)

    @property
    def unsent(self) -> int:
        """Bytes that were written and that the peer's side does not take yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    async def read(self, length: int) -> bytes:
        """Exactly `length` bytes.

        Raises:
            ConnectionError: the peer hung up before.
        """
        await self._wait_for(length)
        return self._take(length)

    async def read_some(self) -> bytes:
        """What has arrived, at least one byte.

        Raises:
            ConnectionError: the peer hung up before.
        """
        await self._wait_for(1)
        return self._take(len(self._buffer))

    async def serve_tls(self, tunnel: Tunnel, records: bytes) -> None:
        """Shake hands as the server; from then on everything that is read and written is inside TLS.

        Args:
            tunnel: the beginning of TLS.
            records: of the client, that have been read already.

        Raises:
            TlsFailedError: the client does not understand TLS, or not this one; it is sent the alert.
            ConnectionError: it hung up before.
        """
        try:
            while not tunnel.shake_hands(records):
                self.write(tunnel.take_output())
                records = await self.read_some()
        finally:
            self.write(tunnel.take_output())
        self._tunnel = tunnel
        self.data_received(b"")  # what was sent right behind the handshake

    def _decrypt(self, tunnel: Tunnel, records: bytes) -> bytes:
        try:
            data = tunnel.decrypt(records)
        except TlsFailedError:
            data, tunnel.ended = b"", True
        if output := tunnel.take_output():
            self._send(output)
        if tunnel.ended:
            self.close()
        return data

    async def _wait_for(self, length: int) -> None:
        while len(self._buffer) < length:
            if self.lost:
                raise ConnectionResetError("connection closed")
            self.resume_reading()
            self._arrived.clear()
            await self._arrived.wait()

    def _take(self, length: int) -> bytes:
        data = bytes(self._buffer[:length])
        del self._buffer[:length]
        return data

    async def read_message(self, maximum: int) -> tuple[int, bytes]:
        """Type byte and body of the next message.

        Raises:
            ConnectionError: the peer hung up, or announced more than `maximum` bytes.
        """
        kind, length = HEADER.unpack(await self.read(HEADER.size))
        if not 4 <= length <= maximum:
            raise ConnectionResetError("message length out of range")
        return kind, await self.read(length - 4)

    def relay_to(self, receiver: Receiver) -> None:
        """From now on pass everything that arrives to `receiver`, beginning with what is already here."""
        self._receiver = receiver
        self.resume_reading()
        if self._buffer:
            receiver(self._take(len(self._buffer)))

    def write(self, data: bytes) -> None:
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.write(data if self._tunnel is None else self._tunnel.encrypt(data))

    def _send(self, data: bytes) -> None:
        if self._transport is not None and not self.lost:
            self._transport.write(data)

    def pause_reading(self) -> None:
        self._paused = True
        self._read_or_not()

    def resume_reading(self) -> None:
        self._paused = False
        self._read_or_not()

    def _rest(self) -> None:
        """Read nothing before others had their turn: uvloop reads 32 times in a row where there is much."""
        self._resting = True
        self._read_or_not()
        asyncio.get_running_loop().call_soon(self._rested)

    def _rested(self) -> None:
        self._resting = False
        self._read_or_not()

    def _read_or_not(self) -> None:
        transport, reads = self._transport, not self._paused and not self._resting
        if transport is not None and not transport.is_closing() and transport.is_reading() is not reads:
            if reads:
                transport.resume_reading()
            else:
                transport.pause_reading()

    def close(self) -> None:
        """Close after everything written has been sent; a peer that never reads is cut off by `abort`."""
        if self._transport is not None and not self._transport.is_closing():
            if self._tunnel is not None:
                self._send(self._tunnel.close())
            self._transport.close()

    async def wait_closed(self) -> None:
        """Wait until everything written has been sent and the socket is closed."""
        while not self.lost:
            self._arrived.clear()
            await self._arrived.wait()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()


def _keep_alive(transport: asyncio.Transport) -> None:
    """Let the system find out within three minutes that the other end is gone without a word."""
    found = transport.get_extra_info("socket")
    if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
        return
    found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            found.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


_KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 6}
"""Seconds of silence before the first probe and between them, and how many stay unanswered."""

_MUCH = 32_768
"""Bytes that arrive at once where a peer sends as fast as it can."""

_LOGIN_BUFFER = 65_536
"""Bytes that a peer may send ahead during its login."""


def _nothing() -> None:
    """The callback of a connection without a watcher."""

"""The dashboard's process: listens on the socket that it is given, until the proxy hangs up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import ssl
import sys
from typing import Final

from aiohttp import web

from proxy.budget.overview import LedgerReader
from proxy.dashboard.crowd import Crowd
from proxy.dashboard.site import Site
from proxy.dashboard.told import MORE, InForce, Live, Start, next_message
from proxy.errors import LedgerUnavailableError
from proxy.wire.tls import CertificateError, Credentials, TlsFiles

logger = logging.getLogger("dpproxy.dashboard")

_NICE: Final = 10
"""Those who ask private questions go first."""
_TLS_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 10.0
_ENDING_SECONDS: Final = 1.0


def main(line: int, listener: int) -> None:
    """Serve until the proxy hangs up.

    Args:
        line: descriptor of the socket to the proxy.
        listener: descriptor of the socket that browsers connect to.
    """
    os.nice(_NICE)
    try:
        asyncio.run(_serve(socket.socket(fileno=line), socket.socket(fileno=listener)))
    except (asyncio.IncompleteReadError, ConnectionError):
        return  # the proxy has ended
    except (LedgerUnavailableError, CertificateError) as error:
        logger.error("the dashboard cannot begin: %s", error)
        sys.exit(1)


async def _serve(line: socket.socket, listener: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=line)
    start: Start = await next_message(reader)
    ledger = LedgerReader(start.ledger_dsn)
    await ledger.open()
    proxy = _Proxy(writer)
    site = Site(ledger.overview, proxy.live, secure=start.tls is not None)
    # Access logs would hold what stewards look at.
    runner = web.AppRunner(site.application(), access_log=None, handle_signals=False, shutdown_timeout=_ENDING_SECONDS)
    await runner.setup()
    assert runner.server is not None
    crowd = Crowd(runner.server)
    context = None if start.tls is None else _context(start.tls)
    handshake = None if context is None else _TLS_SECONDS
    loop = asyncio.get_running_loop()
    watching = asyncio.create_task(crowd.watch())
    server = await loop.create_server(crowd, sock=listener, ssl=context, ssl_handshake_timeout=handshake)
    try:
        async with server:
            while True:
                message = await next_message(reader)
                if isinstance(message, InForce):
                    site.use(message)
                    _renew(context, start.tls)
                else:
                    proxy.told(message)
    finally:
        watching.cancel()
        await runner.cleanup()
        await ledger.close()


class _Proxy:
    """Asks the proxy, one question at a time.

    Args:
        writer: of the line to it.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._waiting: asyncio.Future[Live] | None = None

    async def live(self) -> Live:
        """What is going on.

        Raises:
            ConnectionError: the proxy does not answer.
        """
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_future()
            self._writer.write(MORE)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await asyncio.shield(self._waiting)
        except TimeoutError:
            raise ConnectionError("the proxy does not answer") from None

    def told(self, live: Live) -> None:
        """Take the proxy's answer."""
        if self._waiting is not None:
            self._waiting.set_result(live)
            self._waiting = None


def _context(files: TlsFiles) -> ssl.SSLContext:
    """TLS for browsers, with the certificate of the proxy.

    Raises:
        CertificateError: its files cannot be used.
    """
    Credentials.read(files)  # says in one line what is wrong with them
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(files.certificate, files.key)
    if files.client_ca is not None:
        context.load_verify_locations(files.client_ca)
        context.verify_mode = ssl.CERT_OPTIONAL
    return context


def _renew(context: ssl.SSLContext | None, files: TlsFiles | None) -> None:
    """Show the certificate that is in the files now; if they cannot be used, the proxy's own log says why."""
    if context is not None and files is not None:
        with contextlib.suppress(OSError, ValueError):
            context.load_cert_chain(files.certificate, files.key, password="none")

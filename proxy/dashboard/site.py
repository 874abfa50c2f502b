"""The dashboard's addresses, and what protects them.

Only stewards who are logged in get a page, a chart or a number. Pages are read with GET, which changes nothing; the two
forms (to log in and out) send a token that only our own pages have, and are refused when another site sends them. The
headers forbid every script, every foreign resource, and being shown inside of another page.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import time
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Final

from aiohttp import web

from proxy.budget.overview import Overview
from proxy.dashboard import charts, figures, pages
from proxy.dashboard.logins import LONGEST_SECONDS, Logins, Visit, new_form_token, same
from proxy.dashboard.pages import Facts
from proxy.dashboard.told import InForce, Live
from proxy.errors import LedgerUnavailableError
from proxy.wire.throttle import Address, address_of
from proxy.wire.tls import common_name

logger = logging.getLogger("dpproxy.dashboard")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Read = Callable[[dt.datetime, int, int], Awaitable[Overview]]

_LARGEST_FORM: Final = 8192
_REFUSED_SECONDS: Final = 1.0
"""As on the wire: how long a failed login waits for its answer."""
_KEPT_SECONDS: Final = 2.0
"""How long facts are good: who reloads often keeps neither the ledger nor the proxy busy."""
_CHARGES: Final = 600
_FILES: Final = {"style.css": "text/css", "icon.svg": "image/svg+xml"}
_CLIPPED: Final = 20
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Without it browsers would not say that a form is our own.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Server": "dpproxy",
}
_CHART_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A chart is an image with a style of its own."""


class Site:
    """Answers requests.

    Args:
        read: the ledger (`LedgerReader.overview`).
        live: asks the proxy what is going on.
        secure: is there TLS?
        logins: who may come in, and who is in.
    """

    def __init__(
        self, read: Read, live: Callable[[], Awaitable[Live]], *, secure: bool, logins: Logins | None = None
    ) -> None:
        self._read = read
        self._live = live
        self._secure = secure
        self._logins = logins or Logins()
        # A cookie of this prefix comes from this very host, over TLS, for all of its paths.
        self._cookie, self._form_cookie = ("__Host-dpproxy", "__Host-form") if secure else ("dpproxy", "dpproxy_form")
        self._told: InForce | None = None
        self._facts: tuple[float, Facts] | None = None
        self._asking = asyncio.Lock()
        static = resources.files("proxy.dashboard").joinpath("static")
        self._files = {f"/{name}": (static.joinpath(name).read_bytes(), kind) for name, kind in _FILES.items()}

    def use(self, told: InForce) -> None:
        """Show another policy, and let its stewards in, from now on."""
        self._told, self._facts = told, None
        self._logins.use_accounts(told.stewards)

    def application(self) -> web.Application:
        """All addresses."""
        application = web.Application(middlewares=[self._guarded], client_max_size=_LARGEST_FORM)
        router = application.router
        router.add_get("/login", self._login_form)
        router.add_post("/login", self._log_in)
        router.add_post("/logout", self._log_out)
        for path in self._files:
            router.add_get(path, self._send_file)
        router.add_get("/charts/{name}.svg", self._chart)
        for path in pages.PAGES:
            router.add_get(path, self._page)
        return application

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every answer has the headers; what goes wrong is told without a detail."""
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = _plain(error.status, f"{error.status} {error.reason}\n")
        except LedgerUnavailableError:
            response = _plain(503, "The ledger does not answer; the log has the cause. Try again later.\n")
        except ConnectionError:
            response = _plain(503, "dpproxy does not answer; try again later.\n")
        except Exception as error:
            logger.error("a page could not be made: %s", type(error).__name__, exc_info=error)
            response = _plain(500, "This page could not be made; the log has the cause.\n")
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        response.force_close()  # each connection has a limited time
        if self._secure:
            response.headers["Strict-Transport-Security"] = "max-age=31536000"
        return response

    async def _login_form(self, request: web.Request) -> web.StreamResponse:
        return self._form_page(request, "", 200) if self._visit(request) is None else _to("/")

    def _form_page(self, request: web.Request, name: str, status: int) -> web.Response:
        token, certified = new_form_token(), _certified(request) is not None
        page = pages.page("login.html", token=token, name=name, failed=status != 200, certified=certified)
        response = _html(page, status)
        self._set_cookie(response, self._form_cookie, token)
        return response

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        form = await self._form(request)
        if not same(request.cookies.get(self._form_cookie, ""), form.get("token", "")):
            return self._form_page(request, "", 403)
        name = form.get("name", "")
        cookie = await self._logins.log_in(name, form.get("password", ""), _peer(request), _certified(request))
        if cookie is None:
            await asyncio.sleep(_REFUSED_SECONDS)
            return self._form_page(request, name, 401)
        response = _to("/")
        # What somebody put there before the login is worth nothing: the cookie is another one.
        self._set_cookie(response, self._cookie, cookie, max_age=int(LONGEST_SECONDS))
        response.del_cookie(self._form_cookie, path="/", secure=self._secure, httponly=True, samesite="Strict")
        return response

    async def _log_out(self, request: web.Request) -> web.StreamResponse:
        visit, form = self._visit(request), await self._form(request)
        if visit is not None:
            if not same(visit.form_token, form.get("token", "")):
                raise web.HTTPForbidden
            self._logins.log_out(request.cookies.get(self._cookie, ""))
        response = _to("/login")
        response.del_cookie(self._cookie, path="/", secure=self._secure, httponly=True, samesite="Strict")
        return response

    async def _form(self, request: web.Request) -> dict[str, str]:
        """The fields of a form that one of our own pages has sent.

        Raises:
            web.HTTPForbidden: another site has.
            web.HTTPBadRequest: it is no form.
        """
        origin = request.headers.get("Origin")
        # Without TLS of our own there may be another server in front of us that has it.
        schemes = ("https",) if self._secure else ("https", "http")
        if origin is not None and origin not in [f"{scheme}://{request.host}" for scheme in schemes]:
            raise web.HTTPForbidden
        if request.content_type != "application/x-www-form-urlencoded":
            raise web.HTTPBadRequest
        try:
            fields = await request.post()
        except (ValueError, LookupError):
            raise web.HTTPBadRequest from None
        return {name: value for name, value in fields.items() if isinstance(value, str)}

    async def _send_file(self, request: web.Request) -> web.StreamResponse:
        body, kind = self._files[request.path]
        return web.Response(body=body, content_type=kind)

    async def _page(self, request: web.Request) -> web.StreamResponse:
        visit = self._visit(request)
        if visit is None:
            return _to("/login")
        facts = await self._current()
        template, content = pages.PAGES[request.path]
        shown = await asyncio.to_thread(content, facts, pages.asked(request.query, facts))
        return _html(pages.page(template, path=request.path, visit=visit, at=facts.at, **shown), 200)

    async def _chart(self, request: web.Request) -> web.StreamResponse:
        if self._visit(request) is None:
            raise web.HTTPForbidden
        draw = pages.CHARTS.get(request.match_info["name"])
        if draw is None:
            raise web.HTTPNotFound
        facts = await self._current()
        size = charts.NARROW if "narrow" in request.query else charts.WIDE
        try:
            drawn = await asyncio.to_thread(draw, facts, pages.asked(request.query, facts), size)
        except LookupError:
            raise web.HTTPNotFound from None
        headers = {"Content-Security-Policy": _CHART_POLICY}
        return web.Response(body=drawn, content_type="image/svg+xml", headers=headers)

    async def _current(self) -> Facts:
        """The facts as they were at most `_KEPT_SECONDS` ago.

        Raises:
            LedgerUnavailableError: the ledger does not answer.
            ConnectionError: the proxy does not.
        """
        async with self._asking:
            if self._told is None:
                raise ConnectionError
            if self._facts is None or time.monotonic() - self._facts[0] > _KEPT_SECONDS:
                at = dt.datetime.now(dt.UTC)
                since = at - dt.timedelta(days=max(figures.RANGES))
                overview = await self._read(since, _CHARGES, _CLIPPED)
                self._facts = time.monotonic(), Facts(self._told.policy, overview, await self._live(), at)
            return self._facts[1]

    def _visit(self, request: web.Request) -> Visit | None:
        return self._logins.visit(request.cookies.get(self._cookie, ""))

    def _set_cookie(self, response: web.Response, name: str, value: str, max_age: int | None = None) -> None:
        response.set_cookie(
            name, value, path="/", httponly=True, secure=self._secure, samesite="Strict", max_age=max_age
        )


def _peer(request: web.Request) -> Address | None:
    transport = request.transport
    peer = transport.get_extra_info("peername") if transport is not None else None
    return address_of(str(peer[0])) if peer else None


def _certified(request: web.Request) -> str | None:
    """The common name of the browser's certificate, which was verified; None without one."""
    transport = request.transport
    session = transport.get_extra_info("ssl_object") if transport is not None else None
    return common_name(session.getpeercert(binary_form=True)) if session is not None else None


def _html(text: str, status: int) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html", charset="utf-8")


def _plain(status: int, text: str) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/plain", charset="utf-8")


def _to(path: str) -> web.Response:
    return web.Response(status=303, headers={"Location": path})

"""A browser as far as HTTP is concerned: sends requests, keeps cookies, and fills in the form."""

from __future__ import annotations

import http.client
import re
import ssl
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.wire.certificates import Pair

SECONDS = 40


@dataclass(frozen=True)
class Answer:
    """What came back. `cookies` are those that it sets."""

    status: int
    headers: dict[str, str]
    cookies: SimpleCookie
    text: str


def find_token(page: str) -> str:
    """The token of the form on a page."""
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found is not None
    return found[1]


class Visitor:
    """One browser.

    Args:
        scheme: `http` or `https`, whose certificate is not looked at.
        host: of the dashboard.
        port: of the dashboard.
        pair: certificate and key that it shows, if it is asked for them.

    Attributes:
        cookies: what it keeps.
    """

    def __init__(self, scheme: str, host: str, port: int, pair: Pair | None = None) -> None:
        self._scheme, self._address, self._pair = scheme, (host, port), pair
        self.cookies: dict[str, str] = {}

    @property
    def origin(self) -> str:
        host, port = self._address
        return f"{self._scheme}://{host}:{port}"

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        own = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.ask("POST", path, own | headers, urlencode(fields))

    def ask(self, method: str, path: str, headers: dict[str, str], body: str | None = None) -> Answer:
        """One request on a connection of its own."""
        connection: http.client.HTTPConnection
        if self._scheme == "https":
            context = ssl._create_unverified_context()
            if self._pair is not None:
                context.load_cert_chain(self._pair.certificate, self._pair.key)
            connection = http.client.HTTPSConnection(*self._address, timeout=SECONDS, context=context)
        else:
            connection = http.client.HTTPConnection(*self._address, timeout=SECONDS)
        try:
            kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request(method, path, body, ({"Cookie": kept} if kept else {}) | headers)
            response = connection.getresponse()
            text, sent = response.read().decode(), response.getheaders()
        finally:
            connection.close()
        cookies: SimpleCookie = SimpleCookie()
        for name, value in sent:
            if name.lower() == "set-cookie":
                cookies.load(value)
        for name, morsel in cookies.items():
            self.cookies[name] = morsel.value
            if morsel["max-age"] == "0":
                del self.cookies[name]
        return Answer(response.status, dict(sent), cookies, text)

    def token(self, path: str = "/login") -> str:
        """The token of the form on a page."""
        return find_token(self.get(path).text)

    def log_in(self, name: str = "sam", password: str = "correct horse") -> Answer:
        return self.post("/login", {"token": self.token(), "name": name, "password": password})

"""The dashboard over HTTP: to whom it shows what, and what an attacker gets from it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import os
import re
import signal
import socket
import ssl
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.dashboard.conftest import HOSTILE, LOGIN, Shown, StartShown, policy
from tests.dashboard.visitor import Visitor
from tests.wire.certificates import Authority, server_files

PAGES = ("/", "/?days=7", "/charges", f"/charges?analyst={HOSTILE.replace(' ', '%20')}", "/activity")
CHARTS = ("left", "analysts", "windows", "clipping", "times")


@pytest.fixture(scope="module")
def sam(month: Shown) -> Visitor:
    visitor = month.visitor()
    assert visitor.log_in().status == 303
    return visitor


def test_a_stranger_is_led_to_the_form_and_sees_nothing(month: Shown) -> None:
    stranger = month.visitor()
    for page in PAGES:
        answer = stranger.get(page)
        assert (answer.status, answer.headers["Location"], answer.text) == (303, "/login", "")
    for chart in CHARTS:
        assert stranger.get(f"/charts/{chart}.svg").status == 403
    assert "sam" not in stranger.get("/login").text


@pytest.mark.parametrize("path", ["/login", "/style.css", "/icon.svg", "/nothing", "/charts/left.svg", "/"])
def test_every_answer_forbids_scripts_foreign_resources_and_frames(month: Shown, path: str) -> None:
    headers = month.visitor().get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'; img-src 'self'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "script" not in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert (headers["Server"], headers["Connection"]) == ("dpproxy", "close")


def test_the_cookie_is_for_nobody_else(month: Shown) -> None:
    visitor = month.visitor()
    # What somebody put there before the login is worth nothing after it.
    visitor.cookies["dpproxy"] = "chosen-by-somebody-else"
    answer = visitor.log_in()
    cookie = answer.cookies["dpproxy"]
    assert cookie.value != "chosen-by-somebody-else"
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Strict", "/", "")
    assert visitor.get("/").status == 200
    visitor.cookies["dpproxy"] = "chosen-by-somebody-else"
    assert visitor.get("/").status == 303


@pytest.mark.parametrize(
    ("name", "password"), [("sam", "wrong"), ("nobody", "correct horse"), ("ana", "correct horse"), ("sam", "")]
)
def test_a_wrong_login_an_unknown_one_and_an_analyst_are_told_the_same(month: Shown, name: str, password: str) -> None:
    visitor, began = month.visitor(), time.monotonic()
    answer = visitor.log_in(name, password)
    assert time.monotonic() - began >= 1
    assert answer.status == 401
    assert "That name and password do not log in here." in answer.text
    assert "dpproxy" not in answer.cookies
    assert visitor.get("/").status == 303


def test_forms_of_other_sites_are_refused(month: Shown) -> None:
    visitor = month.visitor()
    fields = {"token": visitor.token(), "name": "sam", "password": "correct horse"}
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        assert visitor.post("/login", fields, Origin=origin).status == 403
    assert visitor.post("/login", fields | {"token": "guessed"}).status == 403
    assert month.visitor().post("/login", fields).status == 403
    assert visitor.ask("POST", "/login", {"Content-Type": "application/json"}, "{}").status == 400
    # A server in front of us may have the TLS.
    behind = {"Host": "dashboard.example", "Origin": "https://dashboard.example"}
    assert visitor.post("/login", fields | {"name": "nobody", "token": visitor.token()}, **behind).status == 401
    assert visitor.post("/login", fields | {"name": "x" * 20_000}).status == 413
    assert visitor.log_in().status == 303
    assert visitor.post("/logout", {"token": "guessed"}).status == 403
    assert visitor.get("/").status == 200
    kept = dict(visitor.cookies)
    assert visitor.post("/logout", {"token": visitor.token("/")}).status == 303
    visitor.cookies = kept
    assert visitor.get("/").status == 303


class _Elements(HTMLParser):
    """Names and attributes of all elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("page", PAGES)
def test_names_texts_and_applications_are_no_markup(sam: Visitor, page: str) -> None:
    text = sam.get(page).text
    elements = _Elements(text).found
    assert {tag for tag, _ in elements}.isdisjoint({"script", "style", "iframe", "object", "embed", "base"})
    for tag, attributes in elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        for name in ("src", "href", "action", "srcset"):
            assert re.match(r"/(?!/)|$|#", attributes.get(name) or ""), (tag, attributes)
    assert "http://" not in text
    assert "https://" not in text


def test_the_pages_show_what_there_is(sam: Visitor) -> None:
    budgets, charges, activity = (sam.get(path).text for path in ("/?days=30", "/charges", "/activity"))
    assert "table:public.visits" in budgets
    assert "at the present rate" in budgets
    assert "&lt;img src=x onerror=alert(1)&gt;" in budgets
    assert "SELECT count(*) FROM visits WHERE diagnosis &lt;&gt; ?" in charges
    assert "alert(3)" not in charges
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in activity
    assert '<td data-h="rule">rows</td>' in activity
    assert "answered" in activity
    assert "What clipping left out" in activity


def test_charts_have_neither_scripts_nor_foreign_addresses(sam: Visitor) -> None:
    for chart in CHARTS:
        for query in ("", "?narrow", "?days=30&account=table:public.visits"):
            answer = sam.get(f"/charts/{chart}.svg{query}")
            assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml")
            assert "<script" not in answer.text
            assert set(re.findall(r"https?://[^\s\"'<>)]*", answer.text)) <= {
                "http://www.w3.org/2000/svg",
                "http://www.w3.org/1999/xlink",
            }
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")


@pytest.mark.parametrize(
    "path",
    ["/../proxy.yaml", "/style.css/../../site.py", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/charts/..%2f..%2fx.svg",
     "/static/style.css", "/templates/frame.html", "/metrics", "/live", "/charts/nothing.svg",
     "/charts/left.svg?account=table:nobody"],
)  # fmt: skip
def test_there_is_nothing_behind_other_paths(sam: Visitor, path: str) -> None:
    answer = sam.get(path)
    assert answer.status == 404
    assert len(answer.text) < 40


def test_strange_requests_get_short_answers(month: Shown, sam: Visitor) -> None:
    assert sam.ask("PUT", "/", {}, "x").status == 405
    assert sam.get("/", **{"X-Long": "x" * 100_000}).status == 400
    assert sam.get("/?" + "days=30&" * 500).status == 200
    assert sam.get("/?days=-1&account=%00%ff'\"<script>").status == 200
    with socket.create_connection((month.host, month.port)) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 no HTTP at all\r\n\r\n")
        assert raw.recv(100).startswith(b"HTTP/1.0 400")
    assert sam.get("/").status == 200


def test_who_says_nothing_or_little_is_hung_up_on(month: Shown) -> None:
    with (
        socket.create_connection((month.host, month.port), timeout=30) as silent,
        socket.create_connection((month.host, month.port), timeout=30) as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        began = time.monotonic()
        while time.monotonic() - began < 30:
            try:
                slow.sendall(b"X-A: b\r\n")
            except OSError:
                break
            time.sleep(0.5)
        assert time.monotonic() - began < 20
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(1) == b""


def test_a_thousand_browsers_keep_no_analyst_waiting(month: Shown, sam: Visitor) -> None:
    crowd: list[socket.socket] = []
    try:
        for _ in range(1000):
            crowd.append(socket.create_connection((month.host, month.port), timeout=10))
            crowd[-1].sendall(b"GET / HTTP/1.1\r\n")
        with month.proxy.connect() as client:
            waits = []
            for _ in range(200):
                began = time.monotonic()
                client.execute("SELECT 1")
                waits.append(time.monotonic() - began)
        assert sorted(waits)[len(waits) * 95 // 100] < 0.25
        assert sam.get("/").status == 200
    finally:
        for each in crowd:
            each.close()


def test_the_dashboard_starts_again_and_sessions_do_not_notice(
    show: StartShown, caplog: pytest.LogCaptureFixture
) -> None:
    shown = show()
    assert shown.visitor().log_in().status == 303
    service = shown.proxy.service
    assert service is not None
    dashboard = service._dashboard
    assert dashboard is not None
    assert dashboard._process is not None
    with shown.proxy.connect() as client:
        os.kill(dashboard._process.pid, signal.SIGKILL)
        assert client.execute("SELECT 1").fetchone() == (1,)
        assert shown.visitor().log_in().status == 303
    assert "the dashboard has ended by itself; it starts again in 1 s" in caplog.text


def test_with_a_certificate_there_is_no_way_without_it(show: StartShown, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = server_files(authority, "dashboard", authority.file)
    shown = show(policy(stewards={"sam": LOGIN, "ola": {"certificate": "Ola"}}), tls=files)
    strangers = Authority(tmp_path, "strangers").sign("false", "Ola")
    assert shown.visitor("https", authority.sign("ola", "Ola")).log_in("ola", "").status == 303
    assert shown.visitor("https").log_in("ola", "").status == 401
    assert shown.visitor("https", authority.sign("eve", "Eve")).log_in("ola", "").status == 401
    with pytest.raises((OSError, http.client.HTTPException)):
        shown.visitor("https", strangers).log_in("ola", "")
    visitor = shown.visitor("https")
    answer = visitor.log_in()
    assert answer.status == 303
    cookie = answer.cookies["__Host-dpproxy"]
    assert (cookie["secure"], cookie["httponly"], cookie["path"]) == (True, True, "/")
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")
    assert visitor.get("/").status == 200
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        shown.visitor("http").get("/login")
    # A renewed certificate is shown after SIGHUP.
    renewed = server_files(authority, "renewed")
    for new, old in ((renewed.certificate, files.certificate), (renewed.key, files.key)):
        old.write_bytes(new.read_bytes())
    assert shown.proxy.service is not None
    shown.proxy.run(shown.proxy.service.reload())
    expected = ssl.PEM_cert_to_DER_cert(files.certificate.read_text())
    deadline = time.monotonic() + 10
    while ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((shown.host, shown.port))) != expected:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_stewards_come_and_go_with_the_policy(show: StartShown) -> None:
    read = [policy()]
    shown = show(read[0], read_policy=lambda: read[0])
    sam = shown.visitor()
    assert sam.log_in().status == 303
    read[0] = policy().model_copy(update={"stewards": {"eve": policy().stewards["sam"]}})
    assert shown.proxy.service is not None
    shown.proxy.run(shown.proxy.service.reload())
    deadline = time.monotonic() + 10
    while sam.get("/").status == 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert shown.visitor().log_in("sam").status == 401
    assert shown.visitor().log_in("eve").status == 303


def test_empty_pages_say_what_will_be_there(show: StartShown) -> None:
    visitor = show().visitor()
    visitor.log_in()
    budgets, charges, activity = (visitor.get(path).text for path in ("/", "/charges", "/activity"))
    assert "100 %" in budgets
    assert "Analysts will be listed here with their first charge." in budgets
    assert "The first question about a private table will be listed here" in charges
    assert "No statement over a private table yet." in activity
    assert "Sessions will be listed here." in activity
    assert "Nothing was refused." in activity


def test_many_readers_at_once_see_one_reading(sam: Visitor) -> None:
    def read(_: int) -> int:
        visitor = Visitor("http", *sam._address)
        visitor.cookies = dict(sam.cookies)
        return visitor.get("/").status

    with concurrent.futures.ThreadPoolExecutor(16) as readers:
        assert set(readers.map(read, range(48))) == {200}


def test_only_stewards_are_known_to_the_process() -> None:
    from proxy.dashboard.told import in_force
    from proxy.serving.logins import accounts_of

    wanted = policy()
    told = in_force(wanted, accounts_of(wanted))
    assert set(told.stewards) == {"sam"}
    assert LOGIN["password"] not in str(told.policy)

"""A headless Chromium, steered over its debugging protocol."""

from __future__ import annotations

import asyncio
import base64
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
DEADLINE_SECONDS = 40


def chromium() -> str | None:
    """The program, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One tab.

    Attributes:
        requested: the addresses that it has asked for.
        complaints: what it wrote to its console, and what a policy kept it from doing.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self._loaded = asyncio.Event()
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.requested: list[str] = []
        self.complaints: list[str] = []

    async def listen(self) -> None:
        """Take what the browser says, until it hangs up."""
        async for message in self._socket:
            said = message.json()
            parameters = said.get("params", {})
            match said.get("method"):
                case None:
                    self._answers.pop(said["id"]).set_result(said)
                case "Page.loadEventFired":
                    self._loaded.set()
                case "Network.requestWillBeSent":
                    self.requested.append(parameters["request"]["url"])
                case "Log.entryAdded":
                    self.complaints.append(parameters["entry"]["text"])
                case "Page.javascriptDialogOpening" | "Runtime.consoleAPICalled":
                    self.complaints.append(str(parameters))

    async def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the protocol; returns its result."""
        self._number += 1
        answer = self._answers[self._number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        said = await asyncio.wait_for(answer, DEADLINE_SECONDS)
        assert "error" not in said, said
        result: dict[str, Any] = said["result"]
        return result

    async def visit(self, address: str) -> None:
        """Go to a page, and wait until it is there with its images."""
        await self._and_wait(self.do("Page.navigate", url=address))

    async def run(self, script: str) -> Any:
        """What a script of ours returns in the page."""
        result = await self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    async def log_in(self, address: str, name: str, password: str) -> None:
        """Fill in the form, and wait for the page behind it."""
        await self.visit(f"{address}/login")
        await self.run(f"name.value; document.getElementById('name').value = {name!r}")
        await self.run(f"document.getElementById('password').value = {password!r}")
        await self._and_wait(self.run("document.querySelector('button').click()"))

    async def size(self, width: int, height: int, *, dark: bool = False, scale: float = 1) -> None:
        """Look through a window of this size."""
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.do("Emulation.setEmulatedMedia", features=[scheme])

    async def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Write what is seen as a PNG."""
        shot = await self.do("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))

    async def _and_wait(self, work: Any) -> None:
        self._loaded.clear()
        await work
        await asyncio.wait_for(self._loaded.wait(), DEADLINE_SECONDS)


@asynccontextmanager
async def browsing(program: str) -> AsyncIterator[Browser]:
    """A tab of a new browser without a past."""
    with tempfile.TemporaryDirectory(prefix="chromium", ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            *(program, *FLAGS, f"--user-data-dir={profile}", "about:blank"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            port = await asyncio.to_thread(_port, Path(profile) / "DevToolsActivePort")
            async with aiohttp.ClientSession() as session:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as response:
                    (tab, *_) = [each for each in await response.json() if each["type"] == "page"]
                async with session.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=1 << 28) as socket:
                    browser = Browser(socket)
                    listening = asyncio.create_task(browser.listen())
                    for domain in ("Page", "Network", "Log", "Runtime"):
                        await browser.do(f"{domain}.enable")
                    yield browser
                    listening.cancel()
        finally:
            process.kill()
            await process.wait()


def _port(file: Path) -> str:
    """The port that the browser has chosen, once it has."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not file.exists() or "\n" not in file.read_text():
        assert time.monotonic() < deadline, "the browser does not start"
        time.sleep(0.05)
    return file.read_text().split("\n")[0]

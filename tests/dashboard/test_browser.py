"""The dashboard in a real browser: it fits a phone and a desk, light and dark, and asks nobody else for anything."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.dashboard.browser import browsing, chromium
from tests.dashboard.conftest import Shown

PAGES = ("/", "/?days=7", "/charges", "/activity")
SIZES = ((1200, 800), (390, 844), (320, 568))
needs_chromium = pytest.mark.skipif(chromium() is None, reason="no Chromium: apt-get install chromium")


async def _look(address: str, directory: Path) -> None:
    program = chromium()
    assert program is not None
    async with browsing(program) as browser:
        await browser.size(1200, 800)
        await browser.log_in(address, "sam", "correct horse")
        assert await browser.run("document.title") == "Budgets · dpproxy"
        for width, height in SIZES:
            for dark in (False, True):
                await browser.size(width, height, dark=dark)
                for number, page in enumerate(PAGES):
                    await browser.visit(address + page)
                    wide = await browser.run("document.documentElement.scrollWidth")
                    assert wide <= width, (page, width)
                    images = "[...document.images].every(each => each.complete && each.naturalWidth > 0)"
                    assert await browser.run(images), page
                    shade = await browser.run("getComputedStyle(document.body).backgroundColor")
                    assert shade == ("rgb(15, 19, 24)" if dark else "rgb(246, 247, 249)")
                    await browser.screenshot(directory / f"{number}-{width}-{'dark' if dark else 'light'}.png")
        assert browser.complaints == []
        assert [url for url in browser.requested if not url.startswith(address) and url != "about:blank"] == []
        # The cookie is out of reach of scripts, and what was typed into names is text.
        assert await browser.run("document.cookie") == ""
        assert await browser.run("document.querySelectorAll('script, img[onerror]').length") == 0


@needs_chromium
def test_pages_fit_phones_and_desks_in_light_and_dark(month: Shown, tmp_path: Path) -> None:
    asyncio.run(_look(f"http://{month.host}:{month.port}", tmp_path))
    assert len(list(tmp_path.iterdir())) == len(PAGES) * len(SIZES) * 2

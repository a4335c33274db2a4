"""Makes the pictures in docs/screens from the real pages: ``python -m tests.e2e.screens``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.sites import POLITY, ROOT, Site, serve

FOLDER = ROOT / "docs" / "screens"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
Scheme = Literal["light", "dark"]


@contextmanager
def site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="polity-screens-") as place:
        running = serve([POLITY], ROOT, Path(place) / "home", Path(place) / "serve.log")
        try:
            yield running
        finally:
            running.end()


def picture(browser: Browser, address: str, name: str, size: tuple[int, int], scheme: Scheme, locale: str) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale=locale, device_scale_factor=1
    )
    page = context.new_page()
    page.goto(address)
    page.get_by_role("grid").first.wait_for()
    page.wait_for_timeout(2500)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def main() -> None:
    chromium = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if chromium is None:
        sys.exit("needs Chromium: apt-get install chromium")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with site() as running, sync_playwright() as playwright:
        run = running.post("/runs", {"scenario": "mining/mixed", "seed": 7, "pace": 0})["id"]
        running.until(run, "it has ended", lambda one: one["status"] == "finished")
        demo = running.get("/runs?limit=5")[-1]["id"]
        running.until(demo, "the demo moves", lambda one: one["head"] >= 25)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        at = f"{running.address}/m/{run}?r=96"
        wide, laptop, phone = (1440, 900), (1280, 720), (390, 844)
        picture(browser, at, "run", wide, "light", "en-GB")
        picture(browser, at, "run-dark", wide, "dark", "en-GB")
        picture(browser, at, "run-1280", laptop, "light", "en-GB")
        picture(browser, at, "run-phone", phone, "light", "zh-CN")
        picture(browser, f"{running.address}/", "lobby", wide, "light", "en-GB")
        picture(browser, f"{running.address}/", "lobby-dark", wide, "dark", "zh-CN")
        browser.close()


if __name__ == "__main__":
    main()

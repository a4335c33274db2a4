"""What a seat costs on a slow phone: ``python -m tests.bench.seat``. Prints figures and asserts none.

Two come by the door of a study to a match; one opens the seat from an empty cache at 390 pixels with a quarter of this
processor over 1.6 Mbit/s and 150 ms. Told are the first paint, the moment at which there is something to press, and
what was sent.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import yaml
from playwright.sync_api import BrowserContext, sync_playwright

from tests.bench.session import STUDY
from tests.e2e.conftest import FLAGS
from tests.sites import POLITY, ROOT, find_chromium, serve

LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
PHONE = {"width": 390, "height": 844}
#: Presses what leads on: whoever consents, waits and begins.
ON = """() => [...document.querySelectorAll('button')].find(
  (one) => one.value === 'yes' || ['Start', 'Begin', 'Continue'].includes(one.innerText.trim()))?.click()"""
TOLD = """() => ({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, one) => sum + one.transferSize, 0),
})"""


def look(seated: BrowserContext, address: str) -> None:
    browser = seated.browser
    assert browser is not None
    phone = browser.new_context(viewport=PHONE, storage_state=seated.storage_state(), is_mobile=True, has_touch=True)
    page = phone.new_page()
    line = phone.new_cdp_session(page)
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".composer button")
    useful = time.perf_counter() - began
    page.wait_for_timeout(3000)
    told = page.evaluate(TOLD)
    phone.close()
    sys.stdout.write(f"paint {told['paint']:5.0f} ms  useful {useful:5.2f} s  {told['bytes'] / 1000:4.0f} kB\n")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="polity-seat-") as place, sync_playwright() as playwright:
        site = serve([POLITY], ROOT, Path(place) / "home", Path(place) / "log", "--no-demo")
        try:
            door = site.post("/sessions", {"file": yaml.safe_dump(STUDY)})["door"]
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            both = [browser.new_context(viewport=PHONE, locale="en") for _ in range(2)]
            pages = [one.new_page() for one in both]
            for number, page in enumerate(pages):
                page.goto(f"{door}?PROLIFIC_PID=p{number}&lang=en")
            while not all("/play/" in page.url for page in pages):
                for page in pages:
                    page.evaluate(ON)
                    page.wait_for_timeout(400)
            for _ in range(3):
                look(both[0], pages[0].url)
            browser.close()
        finally:
            site.end()
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()

"""What a visitor waits for: ``python -m tests.bench.paint``. Prints figures and asserts none.

Told are the size of the bundle and of what each page loads of it, the first paint, and the time to the first frame of a
finished run, each from an empty cache, and all that the page of a run of 200 rounds on 100 x 100 plots loads; in
headless Chromium with software rendering, with the load of the machine.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.bench.frames import made
from tests.e2e.conftest import FLAGS
from tests.sites import ROOT, looked_at

PATIENCE_MS = 120_000

#: Notes when the board's grid first stands in the page, by the page's own clock.
WATCH = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('[role=grid]')) return
  window.firstFrame = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })
"""
TOLD = """
() => ({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  frame: window.firstFrame,
  bytes: performance.getEntriesByType('resource').reduce((sum, one) => sum + one.encodedBodySize, 0),
  files: performance.getEntriesByType('resource').length,
})
"""


def bundle(dist: Path) -> None:
    """All that is built for the site; the page for replays that are files is apart."""
    for kind in ("js", "css"):
        texts = [path.read_bytes() for path in sorted((dist / "assets").glob(f"*.{kind}"))]
        whole, packed = sum(map(len, texts)), sum(len(gzip.compress(text, 9)) for text in texts)
        print(f"bundle, {kind:3} {len(texts):3} files, {whole / 1024:6.0f} KB, {packed / 1024:6.0f} KB packed")  # noqa: T201


def look(browser: Browser, address: str, name: str, times: int) -> None:
    paints, frames, kilobytes, files = [], [], 0.0, 0
    for _ in range(times):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("[role=grid]", timeout=PATIENCE_MS)
        told = page.evaluate(TOLD)
        context.close()
        paints.append(told["paint"] or 0.0)
        frames.append(told["frame"])
        kilobytes, files = told["bytes"] / 1024, told["files"]
    print(  # noqa: T201
        f"{name:24} first paint {statistics.median(paints):5.0f} ms, first frame {statistics.median(frames):5.0f} ms "
        f"(median of {times}), {files} requests, {kilobytes:.0f} KB; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def opened(browser: Browser, address: str, name: str) -> None:
    """All that a page loads until it has what it wants."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("[role=grid]", timeout=PATIENCE_MS)
    page.wait_for_load_state("networkidle")
    told = page.evaluate(TOLD)
    context.close()
    print(f"{name:24} loads {told['bytes'] / 1e6:.2f} MB in all, {told['files']} requests")  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9)
    wanted = parser.parse_args()
    with looked_at("--no-demo") as (site, chromium):
        bundle(ROOT / "frontend" / "dist")
        wide = {
            f"100x100, {miners} miners": {
                "scenario": "mining/baseline",
                "seed": 3,
                "config": {"rows": 100, "cols": 100, "rounds": 200, "miners": miners},
            }
            for miners in (10, 100)
        }
        big = {name: made(site, run)[0] for name, run in wide.items()}
        runs = {game: made(site, {"scenario": game, "seed": 3})[0] for game in ("mining/mixed", "dilemma/generous")}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            look(browser, f"{site.address}/", "lobby", wanted.times)
            for game, run in runs.items():
                look(browser, f"{site.address}/m/{run}?r=40", game, wanted.times)
            for name, run in big.items():
                opened(browser, f"{site.address}/m/{run}", name)
            browser.close()


if __name__ == "__main__":
    main()

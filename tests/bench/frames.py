"""Frame times of the run page: ``python -m tests.bench.frames``. Prints figures and asserts none.

One run of 1000 rounds, one of 100 x 100 plots with 1000 miners. Each is scrubbed by one round a picture and played at
16 rounds a second, in headless Chromium with software rendering. Told are the intervals between pictures as the page
sees them, the processor time of its main thread for each, its heap, and the load of the machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.sites import Site, looked_at

LONG: dict[str, Any] = {"scenario": "mining/mixed", "seed": 3, "config": {"rounds": 1000}}
WIDE: dict[str, Any] = {
    "scenario": "mining/baseline",
    "seed": 3,
    "config": {"rounds": 120, "rows": 100, "cols": 100, "miners": 1000},
    "seats": {"default": {"policy": "greedy-mine"}},
}
PATIENCE_MS = 600_000
#: In which the page fetches what it keeps of the run.
SETTLE_MS = 20_000

#: One key a picture, back and forth, and the interval between pictures.
SCRUB = """
async ({ pictures, from, to }) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const slider = document.querySelector('[role=slider]')
  const next = () => new Promise((done) => requestAnimationFrame(done))
  const times = []
  let by = 'ArrowRight'
  let last = await next()
  for (let i = 0; i < pictures; i++) {
    const at = Number(slider.ariaValueNow)
    if (at >= to) by = 'ArrowLeft'
    if (at <= from) by = 'ArrowRight'
    press(by)
    const now = await next()
    times.push(now - last)
    last = now
  }
  return times
}
"""
PLAY = """
async ({ pictures }) => {
  const next = () => new Promise((done) => requestAnimationFrame(done))
  const times = []
  let last = await next()
  for (let i = 0; i < pictures; i++) {
    const now = await next()
    times.push(now - last)
    last = now
  }
  return times
}
"""


def told(name: str, times: list[float], cpu_s: float, heap: float) -> None:
    ordered = sorted(times)
    # A screen of 60 Hz shows a picture every 16.7 ms: too late for one, it comes with the next, after 33.3.
    missed, later = sum(25 < time < 34 for time in times), sum(time >= 34 for time in times)
    figures = (
        f"p50 {statistics.median(times):5.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:5.1f} ms, "
        f"max {ordered[-1]:6.1f} ms; of {len(times)} one screen late {missed}, later {later}; "
        f"main thread {1000 * cpu_s / len(times):5.1f} ms of processor time a picture, heap {heap / 2**20:.0f} MB"
    )
    print(f"{name:28} {figures}; load {os.getloadavg()[0]:.1f}", flush=True)  # noqa: T201


def thread_s(session: CDPSession) -> tuple[float, float]:
    """Processor time of the page's tasks so far, and its heap."""
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return metrics["TaskDuration"], metrics["JSHeapUsedSize"]


def measure(page: Page, session: CDPSession, name: str, what: str, argument: dict[str, int]) -> None:
    before, _ = thread_s(session)
    times = page.evaluate(what, argument)
    after, heap = thread_s(session)
    told(name, times, after - before, heap)


def look(page: Page, address: str, name: str, head: int, pictures: int) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    began = head // 2
    page.goto(f"{address}?r={began}")
    page.wait_for_selector(f'[role=grid][data-step="{began}"]', timeout=PATIENCE_MS)
    page.wait_for_timeout(SETTLE_MS)
    measure(page, session, f"{name}, scrub", SCRUB, {"pictures": pictures, "from": 0, "to": head - 1})
    page.keyboard.press("Home")
    page.wait_for_selector('[role=grid][data-step="0"]', timeout=PATIENCE_MS)
    page.wait_for_timeout(SETTLE_MS)
    page.get_by_label("Speed").select_option("16")
    page.keyboard.press(" ")
    measure(page, session, f"{name}, play 16x", PLAY, {"pictures": pictures})


def made(site: Site, body: dict[str, Any]) -> tuple[str, int]:
    run = site.post("/runs", body)["id"]
    while (now := site.get(f"/runs/{run}"))["status"] not in ("finished", "failed"):
        print(f"\r{body['scenario']} {now['head']}", end="", flush=True, file=sys.stderr)  # noqa: T201
        time.sleep(1.0)
    print(file=sys.stderr)  # noqa: T201
    return run, int(now["head"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=120, help="of the wide run")
    wanted = parser.parse_args()
    with looked_at("--no-demo") as (site, chromium):
        long = made(site, LONG)
        wide = made(site, {**WIDE, "config": {**WIDE["config"], "rounds": wanted.rounds}})
        with sync_playwright() as playwright:
            for name, (run, head) in (("1000 rounds", long), ("100x100, 1000 miners", wide)):
                browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                look(page, f"{site.address}/m/{run}", name, head, wanted.pictures)
                browser.close()


if __name__ == "__main__":
    main()

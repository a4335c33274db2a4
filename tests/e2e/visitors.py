"""Five visitors, each by what the lobby offers: ``python -m tests.e2e.visitors FOLDER`` counts presses and seconds.

Each begins in the lobby with nothing prepared and ends where something is done: a match watched, a move made, a code on
the wall, a question answered in words, a model's first match told. Pictures of where each ended go to the folder.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.agents.server import Vendor, threaded
from tests.e2e.conftest import FLAGS
from tests.e2e.operator import sign_in
from tests.sites import Site, looked_at

MOST_S = 120
PATIENCE_MS = 300_000
ANSWER = "C"


class Visitor:
    """A fresh browser before the lobby, whose presses are counted; what is typed into one field is one."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page, self.site, self.presses = page, site, 0
        page.set_default_timeout(PATIENCE_MS)
        page.goto(site.address)
        self.starts = page.locator(".starts")
        self.starts.wait_for()
        self.since = time.monotonic()

    def press(self, what: Locator) -> None:
        what.click()
        self.presses += 1

    def write(self, where: Locator, text: str) -> None:
        where.fill(text)
        self.presses += 1

    def begin(self, name: str) -> None:
        self.press(self.starts.get_by_role("button", name=name))


def watch(one: Visitor) -> None:
    one.begin("Watch this match")
    one.page.locator(".boardwrap .headline").filter(has_text=" ").wait_for()
    one.press(one.page.get_by_role("tab", name="Feed").or_(one.page.get_by_role("button", name="Feed")).first)


def play(one: Visitor) -> None:
    page = one.page
    one.begin("Take a seat")
    page.wait_for_url("**/join/**")
    page.locator(".part.now").first.wait_for()
    while not page.locator("#label").is_visible():
        before = page.url
        one.press(page.locator(".part.now .part-foot a.pri"))
        page.wait_for_function("before => location.href !== before", arg=before)
        page.locator(f"{page.url[page.url.index('#') :]}.now").wait_for()
    if page.locator("#consent").is_visible():
        one.press(page.locator("#consent"))
    one.press(page.locator("button[type=submit]"))
    page.wait_for_url("**/play/**")
    ready, mine = page.locator(".ready .pri, .room .pri"), page.locator(".state.mine")
    ready.or_(mine).first.wait_for()
    if ready.first.is_visible():
        one.press(ready.first)
    mine.wait_for()
    one.press(page.locator(".move button:not(.pri)").first)
    if page.locator(".do .pri").first.is_visible():
        one.press(page.locator(".do .pri").first)
    page.get_by_text("Round 2", exact=True).first.wait_for()


def teach(one: Visitor) -> None:
    one.begin("Set up the class")
    one.press(one.page.get_by_role("button", name="Open it and show the code"))
    one.page.wait_for_url("**/sessions/*")
    one.press(one.page.locator("a[href$='/screen']").first)
    one.page.get_by_text("with your phone").first.wait_for()


def ask(one: Visitor) -> None:
    one.begin("Take it up")
    one.press(one.page.get_by_role("button", name="Register and start"))
    one.page.wait_for_url("**/e/**")
    one.page.locator("h1[data-verdict]").wait_for()


def model(one: Visitor, address: str) -> None:
    one.write(one.starts.get_by_role("textbox"), address)
    one.begin("Test and play")
    one.press(one.page.get_by_role("button", name="Test", exact=True))
    one.press(one.page.get_by_role("button", name="Play a first match"))
    one.page.wait_for_url("**/m/**")
    one.page.get_by_text("Finished", exact=True).first.wait_for()


def tried(browser: Browser, site: Site, name: str, way: Callable[[Visitor], None], folder: Path) -> tuple[int, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    if name not in ("watch", "play"):
        sign_in(context, site)
    one = Visitor(context.new_page(), site)
    try:
        way(one)
        return one.presses, time.monotonic() - one.since
    finally:
        one.page.screenshot(path=folder / f"{name}.png")
        context.close()


def main(folder: Path, names: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    vendor = Vendor(content=ANSWER)
    answering: AbstractContextManager[Vendor] = threaded(vendor)
    late = 0
    with looked_at() as (site, chromium), answering or nullcontext(vendor), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        ways: dict[str, Callable[[Visitor], None]] = {
            "watch": watch, "play": play, "teach": teach, "ask": ask, "model": lambda one: model(one, vendor.url),
        }  # fmt: skip
        for name in names or ways:
            presses, seconds = tried(browser, site, name, ways[name], folder)
            late += seconds > MOST_S
            sys.stdout.write(f"{name:6} {presses:2} presses {seconds:6.1f} s\n")
            sys.stdout.flush()
    return late


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
